"""Utility against epsilon in float64, for every objective: the optimum and the usual mechanisms."""

from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import pairwise

import numpy as np

from solvers.epsilon import Epsilon
from solvers.testing.alphabet import OrderedAlphabet, order_alphabet
from solvers.testing.baselines import binary_cuts
from solvers.testing.chernoff import CHERNOFF
from solvers.testing.chernoff_information import least_affinity_order
from solvers.testing.family_search import FamilySearch
from solvers.testing.lr_distance import parse_lr_order
from solvers.testing.objective import Floats, Objective, objective
from solvers.testing.partition_float import best_cuts, interval_scores
from verify.kernel.distribution import Distribution

__all__ = ["UtilityFloat", "utility_float"]

Laws = tuple[Floats, Floats, Floats]
"""(M0 - M1, M0, M1) of a mechanism, up to one factor that makes M1 sum to 1."""


class UtilityFloat:
    """One problem as a function of epsilon; values carry no certified error."""

    def __init__(
        self,
        p0: Distribution,
        p1: Distribution,
        outputs: int | None,
        value: Callable[[Laws], float],
        goal: Objective | None,
    ) -> None:
        """Take the value of a pair of output laws, and the f-divergence that it grows with."""
        self._laws, self._outputs = (p0, p1), outputs
        self._value, self._goal = value, goal
        self._alphabet = order_alphabet(p0, p1)
        self._everything = _masses(self._laws, [(x,) for x in range(len(p0))])

    def binary(self, epsilon: float) -> float:
        """The value of randomized response on the bit P0(x) > P1(x)."""
        return self._at(epsilon, self._alphabet, binary_cuts(self._alphabet))

    def randomized_response(self, epsilon: float) -> float:
        """The value of randomized response on the whole alphabet."""
        return self._value(_responded(float(np.expm1(epsilon)), self._everything))

    def non_private(self) -> float:
        """The value of the bare data; infinite where a law has a symbol that the other lacks.

        For some objectives it is finite even then; ``baselines`` of a solution are exact about it.
        """
        d, b = self._everything
        if np.any(b <= 0) or np.any(b + d <= 0):
            return float("inf")
        return self._value((d, b + d, b))

    def optimal(self, epsilon: float) -> float:
        """The value of the best private mechanism."""
        c = float(np.expm1(epsilon))
        if self._goal is None:
            return self._best_chernoff(epsilon)
        return self._at(epsilon, self._alphabet, self.optimal_cuts(c))

    def optimal_cuts(self, c: float) -> tuple[int, ...]:
        """The cuts of the best partition for an objective other than Chernoff information."""
        goal = self._goal or objective("hellinger")
        prefixes = (np.array([float(p) for p in row]) for row in self._alphabet.prefix_sums())
        scores = interval_scores(goal, c, *prefixes)
        return best_cuts(scores, c, self._outputs)

    def _best_chernoff(self, epsilon: float) -> float:
        level = Epsilon.from_nats(Fraction(epsilon).limit_denominator(10**12))
        search = FamilySearch(CHERNOFF, *self._laws, level, self._outputs)
        return search.value(search.best_parameter())

    def _at(self, epsilon: float, alphabet: OrderedAlphabet, cuts: tuple[int, ...]) -> float:
        blocks = [range(i, j) for i, j in pairwise(cuts)]
        laws = Distribution(alphabet.p0), Distribution(alphabet.p1)
        return self._value(_responded(float(np.expm1(epsilon)), _masses(laws, blocks)))


def _masses(
    laws: tuple[Distribution, Distribution], blocks: Sequence[Sequence[int]]
) -> tuple[Floats, Floats]:
    """P0 - P1 and P1 of the blocks, each rounded once."""
    zero = Fraction(0)
    sums = [[sum((law.masses[x] for x in block), zero) for block in blocks] for law in laws]
    steps = [float(a - b) for a, b in zip(*sums, strict=True)]
    return np.array(steps), np.array([float(b) for b in sums[1]])


def _responded(c: float, masses: tuple[Floats, Floats]) -> Laws:
    d, b = masses
    total = c + len(b)
    return c * d / total, (1 + c * (b + d)) / total, (1 + c * b) / total


def utility_float(
    p0: Distribution, p1: Distribution, name: str, outputs: int | None = None
) -> UtilityFloat:
    """The curves of one problem.

    Args:
        name: as in ``solvers.testing.canonical_name``.
    """
    family, _, parameter = name.partition(":")
    if family == "chernoff":
        return UtilityFloat(p0, p1, outputs, _chernoff, None)
    if family == "lr":
        return UtilityFloat(p0, p1, outputs, _lr(parse_lr_order(parameter)), objective("tv"))
    if name == "renyi:inf":
        return _RenyiInfinity(p0, p1, outputs, _log_ratio, objective("tv"))
    if name == "renyi:0":
        return UtilityFloat(p0, p1, outputs, lambda laws: 0.0, objective("tv"))
    goal = objective(name)
    order = Fraction(parameter) if family == "renyi" else Fraction(1)

    def value(laws: Laws) -> float:
        divergence = float(np.sum(goal.score(*laws)))
        if order == 1:
            return divergence
        return float(np.log1p(float(order * (order - 1)) * divergence) / float(order - 1))

    return UtilityFloat(p0, p1, outputs, value, goal)


class _RenyiInfinity(UtilityFloat):
    def optimal_cuts(self, c: float) -> tuple[int, ...]:
        """The cut below the final segment with the largest ratio."""
        k = len(self._alphabet)
        if self._outputs == 1:
            return (0, k)
        a, b = (np.array([float(1 - p) for p in row]) for row in self._alphabet.prefix_sums())
        cut = int(np.argmax((1 + c * a) / (1 + c * b)))
        return (0, cut, k) if 0 < cut < k else (0, k)


def _log_ratio(laws: Laws) -> float:
    d, _, m1 = laws
    return float(np.log1p(np.max(d / m1)))


def _lr(order: Fraction | None) -> Callable[[Laws], float]:
    power = np.inf if order is None else float(order)
    return lambda laws: float(np.linalg.norm(laws[0], ord=power))


def _chernoff(laws: Laws) -> float:
    d, m0, m1 = laws
    if not np.any(d):
        return 0.0
    order = least_affinity_order(d, m0, m1)
    return float(-np.log1p(-_gap(order, d, m1)))


def _gap(order: float, d: Floats, m1: Floats) -> float:
    """1 - sum M0^order M1^(1 - order), stable for close laws."""
    return float(-np.sum(m1 * (np.expm1(order * np.log1p(d / m1)) - order * d / m1)))
