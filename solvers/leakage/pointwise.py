"""Pointwise maximal leakage (PML) of a channel K under one prior P_X, and its average.

l(X -> y) = log max_x K(y|x)/P_Y(y), the maximum over x with P_X(x) > 0. Everything here is the
exponential of a leakage, so that it is rational. The worst case over the priors with every mass
at least c is ``verify.kernel.ldp.worst_exp_leakage``.
"""

from dataclasses import dataclass
from fractions import Fraction

from solvers.output_law import output_law
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution

__all__ = ["PointwiseLeakage", "exp_maximal_leakage", "pointwise_maximal_leakage"]


@dataclass(frozen=True, slots=True)
class PointwiseLeakage:
    """The leakage of each output of a channel under one prior.

    Args:
        outputs: the outputs that can occur, in order.
        exp_leakage: for each of them the exponential of its leakage, *exact*, at least 1.
    """

    outputs: tuple[int, ...]
    exp_leakage: tuple[Fraction, ...]

    @property
    def worst(self) -> Fraction:
        """The largest exponential of a leakage, *exact*."""
        return max(self.exp_leakage)

    @property
    def worst_output(self) -> int:
        """The first output whose leakage is largest."""
        return self.outputs[self.exp_leakage.index(self.worst)]


def pointwise_maximal_leakage(channel: Channel, prior: Distribution) -> PointwiseLeakage:
    """The exponential of l(X -> y) for every output y that can occur under the prior, *exact*.

    Args:
        channel: K with N inputs.
        prior: P_X over the N inputs; inputs with no mass are left out of the maximum.

    Raises:
        InputError: if the prior is not over the N inputs.

    Reference: Saeidian, Cervia, Oechtering, Skoglund 2023 (pointwise maximal leakage).

    >>> K = Channel((("1/2", "1/2"), ("0", "1")))
    >>> pointwise_maximal_leakage(K, Distribution(("1/2", "1/2"))).exp_leakage
    (Fraction(2, 1), Fraction(4, 3))
    """
    law = output_law(channel, prior).masses
    found = [
        (y, max(k for k, p in zip(column, prior.masses, strict=True) if p) / law[y])
        for y, column in enumerate(channel.columns())
        if law[y]
    ]
    return PointwiseLeakage(tuple(y for y, _ in found), tuple(value for _, value in found))


def exp_maximal_leakage(channel: Channel) -> Fraction:
    """The sum over outputs of max_x K(y|x), *exact*: e^(maximal leakage) under full support.

    It is the mean of exp l(X -> Y) under every prior with full support.

    Reference: Issa, Wagner, Kamath 2020 (Theorem 1).
    """
    return sum((max(column) for column in channel.columns()), Fraction(0))
