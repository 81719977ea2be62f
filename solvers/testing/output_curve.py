"""The optimum as a function of the number of outputs: what each further output buys.

A channel with at most L outputs may have fewer, so the curve rises with L; it is flat from the
number of blocks of an unlimited optimum on. Each point below that number has a certificate of its
own, with the multiplier of the row for L outputs; all points from there on share the certificate of
the unlimited optimum, whose mechanism fits.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from math import log2

from solvers.testing.every_objective import solve_testing
from solvers.testing.solve import TestingSolution
from verify.kernel.distribution import Distribution

__all__ = ["OutputCurve", "OutputPoint", "output_curve"]


@dataclass(frozen=True, slots=True)
class OutputPoint:
    """The optimum with at most ``outputs`` outputs.

    Args:
        outputs: L.
        solution: the optimal mechanism with its certificate.
    """

    outputs: int
    solution: TestingSolution

    @property
    def bits(self) -> float:
        """log2 of the number of outputs, for display."""
        return log2(self.outputs)


@dataclass(frozen=True, slots=True)
class OutputCurve:
    """The optima for all limits L = 1..k on the number of outputs.

    Args:
        points: one for each L, in order.
    """

    points: tuple[OutputPoint, ...]

    @property
    def best(self) -> TestingSolution:
        """The optimum without a limit."""
        return self.points[-1].solution

    @property
    def flat_from(self) -> int:
        """The least L whose mechanism reaches the lower bound of the unlimited optimum."""
        goal = self.best.value_lower
        return next(p.outputs for p in self.points if p.solution.value_lower >= goal)

    @property
    def is_flat_proved(self) -> bool:
        """Whether one output less than ``flat_from`` is proved to be worse."""
        before = self.flat_from - 1
        return not before or self.points[before - 1].solution.value_upper < self.best.value_lower

    def outputs_for(self, share: Fraction) -> int:
        """The least L whose mechanism is proved to reach this share of the unlimited optimum."""
        goal = share * self.best.value_upper
        found = (p.outputs for p in self.points if p.solution.value_lower >= goal)
        return next(found, self.flat_from)

    def price_of_last(self, share: Fraction = Fraction(1, 100)) -> float:
        """The bits log2(flat_from / L) saved by giving up this share of the optimum."""
        return log2(self.flat_from / self.outputs_for(1 - share))


def output_curve(
    p0: Distribution | Iterable[object],
    p1: Distribution | Iterable[object],
    epsilon: object,
    divergence: str,
) -> OutputCurve:
    """The certified optima for every limit on the number of outputs from 1 to k.

    Args:
        p0: k exact probabilities, or a Distribution.
        p1: the same under the other hypothesis.
        epsilon: an ``Epsilon`` or what ``parse_epsilon`` reads.
        divergence: as for ``solve_testing``.

    Raises:
        InputError: for laws, names or numbers out of range.
        UnprovedError: if a proof was not found.

    >>> curve = output_curve(["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"], "log(3)", "tv")
    >>> [point.solution.value_lower for point in curve.points], curve.flat_from
    ([Fraction(0, 1), Fraction(1, 8), Fraction(1, 8)], 2)
    """
    law0 = p0 if isinstance(p0, Distribution) else Distribution(p0, "p0")
    law1 = p1 if isinstance(p1, Distribution) else Distribution(p1, "p1")
    best = solve_testing(law0, law1, epsilon, divergence)
    least = min(map(len, best.tied_blocks))
    solutions = [
        solve_testing(law0, law1, best.epsilon, divergence, outputs) for outputs in range(1, least)
    ]
    solutions += [best] * (len(law0) - least + 1)
    return OutputCurve(tuple(OutputPoint(i, s) for i, s in enumerate(solutions, 1)))
