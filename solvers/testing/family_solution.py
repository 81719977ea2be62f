"""The best private channel for a one-parameter family, proved to a relative gap of 1e-12."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction

from solvers.epsilon import parse_epsilon
from solvers.testing.family_search import TOLERANCE, FamilySearch
from solvers.testing.laws import read_law
from solvers.testing.one_parameter_family import BITS, OneParameterFamily, family_enclosure
from solvers.testing.renyi import rounded_out
from solvers.testing.solve import TestingSolution, solve_f_divergence
from verify.kernel.certificate import Certificate
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError

__all__ = ["FamilySolution", "solve_family"]


@dataclass(frozen=True, slots=True)
class FamilySolution:
    """The optimal mechanism for a family, with the certificates that prove it.

    Args:
        family: what is made large.
        value_lower: what ``mechanism`` is proved to reach.
        value_upper: what no private channel (within the limit on outputs) exceeds, by
            ``family_enclosure``.
        parameter: where ``mechanism`` reaches ``value_lower``.
        best: the solution of the f-divergence at that parameter.
        parameters: the points of the cover, rising.
        certificates: one for each of them, accepted by the kernel.
    """

    family: OneParameterFamily
    value_lower: Fraction
    value_upper: Fraction
    parameter: Fraction
    best: TestingSolution
    parameters: tuple[Fraction, ...]
    certificates: tuple[Certificate, ...]

    @property
    def blocks(self) -> tuple[tuple[int, ...], ...]:
        """The symbols of each output, in likelihood-ratio order."""
        return self.best.blocks

    @property
    def mechanism(self) -> Channel:
        """The channel, exactly samplable, (log exp_epsilon)-LDP."""
        return self.best.mechanism

    @property
    def relative_gap(self) -> Fraction:
        """(upper - lower)/upper, 0 when both are 0."""
        gap = self.value_upper - self.value_lower
        return gap / self.value_upper if gap else Fraction(0)

    def __repr__(self) -> str:
        """The optimum, where it is, and the proof, in one line."""
        return (
            f"FamilySolution({self.family.name} = {float(self.value_lower):.12g} at "
            f"{float(self.parameter):.8g}, {len(self.blocks)} blocks, relative gap "
            f"{float(self.relative_gap):.1e} by {len(self.parameters)} certificates)"
        )


def solve_family(
    p0: Distribution | Iterable[object],
    p1: Distribution | Iterable[object],
    epsilon: object,
    family: OneParameterFamily,
    outputs: int | None = None,
    *,
    weights: bool = False,
) -> FamilySolution:
    """The epsilon-LDP channel with the largest value of the family at any of its parameters.

    The relative gap is at most 1e-12 unless masses or E are so extreme that floats do not see the
    optimum, or the family's bound is of first order; the solution states it either way.

    Args:
        p0: k exact probabilities, or a Distribution.
        p1: the same under the other hypothesis.
        epsilon: an ``Epsilon`` or what ``parse_epsilon`` reads.
        family: such as ``zero_concentrated_family(8)``.
        outputs: the largest number of outputs, or None.
        weights: whether the numbers are counts or weights, to be divided by their sums.

    Raises:
        InputError: for laws or numbers out of range.
        UnprovedError: if no proof was found.

    Cost: a float solution at some hundred parameters and a certificate at some dozen.

    >>> from solvers.testing.zero_concentrated import zero_concentrated_family
    >>> pair = ["3/4", "1/4"], ["1/4", "3/4"]
    >>> solution = solve_family(*pair, "log(3)", zero_concentrated_family(8))
    >>> solution.blocks, solution.relative_gap < Fraction(1, 10**9)
    (((1,), (0,)), True)
    """
    law0, law1 = (read_law(p, n, weights=weights) for p, n in ((p0, "p0"), (p1, "p1")))
    level = parse_epsilon(epsilon)
    if outputs is not None and outputs < 1:
        raise InputError(f"outputs: {outputs} is less than 1")
    search = FamilySearch(family, law0, law1, level, outputs)
    proofs: dict[Fraction, TestingSolution] = {}
    for fineness in (1, 4, 16):
        parameters = search.cover(fineness)
        for parameter in set(parameters) - set(proofs):
            name = family.divergence(parameter)
            proofs[parameter] = solve_f_divergence(law0, law1, level, name, outputs)
        found = _solution(family, {x: proofs[x] for x in parameters})
        if found.value_upper - found.value_lower <= found.value_upper * TOLERANCE:
            break
    return found


def _solution(
    family: OneParameterFamily, proofs: Mapping[Fraction, TestingSolution]
) -> FamilySolution:
    """What the proofs at rising parameters show together."""
    parameters = tuple(proofs)
    certificates = tuple(proof.certificate for proof in proofs.values())
    value = rounded_out(family_enclosure(family, parameters, certificates), BITS - 8)
    best = max(parameters, key=lambda x: _reached(family, x, proofs[x]))
    return FamilySolution(
        family, value.lower, value.upper, best, proofs[best], parameters, certificates
    )


def _reached(family: OneParameterFamily, parameter: Fraction, proof: TestingSolution) -> Fraction:
    return family.point(parameter, proof.value_lower, proof.value_upper).value.lower
