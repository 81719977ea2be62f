"""The optimum as a function of the number of outputs: what each further output buys.

A channel with at most L outputs may have fewer, so the curve rises with L; it is flat from the
number of blocks of an unlimited optimum on. Each point below that number has a certificate of its
own, with the multiplier of the row for L outputs; all points from there on share the certificate of
the unlimited optimum, whose mechanism fits.

**One run.** One layered program in float64 gives a best partition for every L, and one in balls
proves all of them. The dual constraints L + (E - 1) l(S) + t >= mu(S) are the same for every limit
n; only the cost t n/(E - 1 + n) changes. So a witness serves two neighbouring limits n and n + 1
when t is the slope of the optimum over n/(E - 1 + n) between them, which is where a cost between
the two, that of n + 1/2 outputs, puts it. Where such a witness does not prove both values as
closely as is asked of any, each limit gets its own.
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from fractions import Fraction
from math import log2

import numpy as np

from solvers.epsilon import Epsilon, parse_epsilon
from solvers.testing.alphabet import OrderedAlphabet, order_alphabet
from solvers.testing.dual_witness import find_upper_bound
from solvers.testing.every_objective import canonical_name, solve_testing
from solvers.testing.float_program import FloatProgram
from solvers.testing.laws import read_law
from solvers.testing.mass_spreading import partition_by_knots
from solvers.testing.objective import Objective, objective
from solvers.testing.partition_certified import (
    CertifiedPartitions,
    certify_partitions_by_limit,
    enclose_partition_value,
)
from solvers.testing.partition_float import best_cuts_by_limit
from solvers.testing.proved_bound import LONGEST_WITHOUT_KNOTS
from solvers.testing.renyi import renyi_solution
from solvers.testing.scaled_problem import scaled_problem
from solvers.testing.solve import (
    LONGEST_CERTIFIED,
    Optimum,
    TestingSolution,
    UnprovedError,
    checked_solution,
    prove_optimum,
    solve_f_divergence,
)
from verify.kernel.distribution import Distribution
from verify.kernel.optimality import DualWitness

__all__ = ["OutputCurve", "OutputPoint", "output_curve"]

_HALF = Fraction(1, 2)
_FIRST = Fraction(1)
"""The gap at which the search for a shared witness stops: at its first, cheap answer."""


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
    *,
    weights: bool = False,
) -> OutputCurve:
    """The certified optima for every limit on the number of outputs from 1 to k.

    Args:
        p0: k exact probabilities, or a Distribution.
        p1: the same under the other hypothesis.
        epsilon: an ``Epsilon`` or what ``parse_epsilon`` reads.
        divergence: as for ``solve_testing``.
        weights: whether the numbers are counts or weights, to be divided by their sums.

    Raises:
        InputError: for laws, names or numbers out of range.
        UnprovedError: if a proof was not found.

    >>> curve = output_curve(["1/2", "1/4", "1/4"], ["1/4", "1/4", "1/2"], "log(3)", "tv")
    >>> [point.solution.value_lower for point in curve.points], curve.flat_from
    ([Fraction(0, 1), Fraction(1, 8), Fraction(1, 8)], 2)
    """
    law0, law1 = (read_law(p, n, weights=weights) for p, n in ((p0, "p0"), (p1, "p1")))
    level, name = parse_epsilon(epsilon), canonical_name(divergence)
    best = solve_testing(law0, law1, level, name)
    least = min(map(len, best.tied_blocks))
    family, _, parameter = name.partition(":")
    is_power = family == "renyi" and parameter not in {"0", "1", "inf"}
    if family in {"chernoff", "lr"} or (family == "renyi" and not is_power):
        limited = [solve_testing(law0, law1, level, name, n) for n in range(1, least)]
    elif is_power:
        power = solve_f_divergence(law0, law1, level, name.replace("renyi", "alpha"))
        limited = [renyi_solution(found, name) for found in _LimitedRun(power, least).solutions()]
    else:
        limited = list(_LimitedRun(best, least).solutions())
    solutions = [*limited, *[best] * (len(law0) - least + 1)]
    return OutputCurve(tuple(OutputPoint(i, s) for i, s in enumerate(solutions, 1)))


class _LimitedRun:
    """The optima of an f-divergence with at most 1, 2, ... outputs, below the unlimited one."""

    def __init__(self, best: TestingSolution, least: int) -> None:
        """Find the partitions for the limits 1..least - 1.

        Args:
            best: the optimum without a limit.
            least: the fewest blocks of an optimal partition.
        """
        self._best, self._least, self._level = best, least, best.epsilon
        self._alphabet = order_alphabet(best.problem.p0, best.problem.p1)
        self._goal = objective(best.problem.divergence)
        self._found = _best_by_limit(self._alphabet, self._goal, self._level, least - 1)

    def solutions(self) -> Iterator[TestingSolution]:
        """The solutions for 1..least - 1 outputs, in order."""
        witness: DualWitness | None = None
        for n in range(1, self._least):
            if n % 2 == 0:
                witness = self._shared_witness(n) or witness
            proved, solution = self._proved(n, witness)
            witness = proved.witness
            yield solution

    def _proved(self, n: int, witness: DualWitness | None) -> tuple[Optimum, TestingSolution]:
        """The optimum with at most n outputs, by the witness if it serves."""
        found, problem = self._found[n], replace(self._best.problem, outputs=n)
        is_unique = len(found.cuts) == 1 if found.is_resolved else None
        parts = (self._alphabet, self._goal, self._level, found.cuts, is_unique)
        proved = prove_optimum(problem, *parts, witness)
        baselines = self._best.baselines
        try:
            solution = checked_solution(problem, self._alphabet, self._level, proved, baselines)
        except UnprovedError:
            if proved.witness is not witness:
                raise
            proved = prove_optimum(problem, *parts)
            solution = checked_solution(problem, self._alphabet, self._level, proved, baselines)
        return proved, solution

    def _shared_witness(self, n: int) -> DualWitness | None:
        """A witness for n and n + 1 outputs, from a cost between the two; None if there is none."""
        if n + 1 >= self._least or len(self._alphabet) > LONGEST_WITHOUT_KNOTS:
            return None
        exp_epsilon = self._level.exp_upper
        c, limit = exp_epsilon - 1, n + _HALF
        first, between, last = (m / (c + m) for m in (Fraction(n), limit, Fraction(n + 1)))
        bits = int(str(self._best.certificate.witness["bits"]))
        low, high = (
            enclose_partition_value(
                self._alphabet, self._goal, c, self._found[m].cuts[0], bits=bits
            ).lower
            for m in (n, n + 1)
        )
        value = low + (high - low) * (between - first) / (last - first)
        if not value > 0:
            return None
        problem = replace(self._best.problem, outputs=limit)  # type: ignore[arg-type]  # a cost
        bound = find_upper_bound(
            problem,
            self._alphabet,
            self._goal,
            exp_epsilon,
            self._found[n].cuts[0],
            value,
            bits=bits,
            gap=_FIRST,
        )
        return None if bound is None else bound.witness


def _best_by_limit(
    alphabet: OrderedAlphabet, goal: Objective, level: Epsilon, most: int
) -> dict[int, CertifiedPartitions]:
    """The optimal partitions for each limit 1..most, proved best up to 1,000 ratios."""
    c, k = level.exp_lower - 1, len(alphabet)
    if most < 1:
        return {}
    cuts: dict[int, tuple[int, ...]] = {}
    if k <= LONGEST_CERTIFIED:
        scaled = scaled_problem(alphabet, goal, c)
        program = FloatProgram(scaled.objective, scaled.c, scaled.masses.prefixes)
        scores = np.full((k + 1, k + 1), -np.inf)
        first, end = np.triu_indices(k + 1, 1)
        scores[first, end] = program.scores(first, end)
        cuts = dict(enumerate(best_cuts_by_limit(scores, scaled.c, most), 1))
        return certify_partitions_by_limit(alphabet, goal, c, cuts)
    return {n: _uncertified(alphabet, goal, c, n) for n in range(1, most + 1)}


def _uncertified(
    alphabet: OrderedAlphabet, goal: Objective, c: Fraction, limit: int
) -> CertifiedPartitions:
    """The best partition of a long alphabet, as far as floats can tell."""
    cuts: tuple[int, ...] = (0, len(alphabet))
    if limit > 1:
        scaled = scaled_problem(alphabet, goal, c)
        cuts, _ = partition_by_knots(scaled.masses, scaled.objective, scaled.c, limit)
    value = enclose_partition_value(alphabet, goal, c, cuts, bits=128)
    return CertifiedPartitions((cuts,), value, is_resolved=False)
