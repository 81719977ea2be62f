"""Optimal private testing on float64 arrays of any size."""

import math
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
from numpy.typing import ArrayLike

from solvers.testing.every_objective import solve_testing
from solvers.testing.likelihood_order import Indices, OrderedMasses, order_masses
from solvers.testing.mass_spreading import partition_by_knots
from solvers.testing.objective import Floats, Objective, objective
from solvers.testing.solve import TestingSolution
from verify.kernel.divergence import Divergence
from verify.kernel.errors import InputError

__all__ = [
    "FloatTestingSolution",
    "certify_float",
    "optimal_partition_float",
    "solve_testing_float",
]

_LARGEST_C = 1e60  # for the search: no square overflows, and floats see no better partition above
_LARGEST_EPSILON = 700.0


@dataclass(frozen=True, slots=True)
class FloatTestingSolution:
    """The optimal partition of a testing problem in float64.

    Args:
        order: the k symbols by rising P0/P1, those without mass first, shape (k,).
        cuts: 0 = c_0 < ... < c_s = k; block j is ``order[cuts[j]:cuts[j + 1]]``.
        labels: the block of each symbol, shape (k,).
        value: the divergence of the mechanism that reports the block by randomized response.
        epsilon: the privacy parameter in nats.
        divergence: its name.
        error: on request, a proved bound on the distance of ``value`` from the optimum of the laws
            that the floats denote, each divided by its exact sum; else None.
    """

    order: Indices
    cuts: tuple[int, ...]
    labels: Indices
    value: float
    epsilon: float
    divergence: str
    error: Fraction | None = None

    def __repr__(self) -> str:
        """The optimum and the sizes, in one line."""
        return (
            f"FloatTestingSolution({self.divergence} = {self.value:.15g} at epsilon = "
            f"{self.epsilon:g}, {len(self.order)} symbols in {len(self.cuts) - 1} blocks)"
        )


def _exp_minus_one(epsilon: float) -> float:
    nats = float(epsilon)
    if not nats >= 0:
        raise InputError(f"epsilon: {epsilon} is not a number of nats >= 0")
    return math.expm1(min(nats, _LARGEST_EPSILON))


def _value(masses: OrderedMasses, goal: Objective, c: float, cuts: tuple[int, ...]) -> float:
    """The divergence of a partition, its block masses summed without loss."""
    parts = (masses.p0, masses.p1, masses.difference)
    sums = [[math.fsum(part[i:j].tolist()) for i, j in pairwise(cuts)] for part in parts]
    a, b, d = (np.array(blocks) for blocks in sums)
    total = c + len(cuts) - 1
    scores = goal.score(c * d / total, (1 + c * a) / total, (1 + c * b) / total)
    return math.fsum(scores.tolist())


def solve_testing_float(
    p0: ArrayLike,
    p1: ArrayLike,
    epsilon: float,
    divergence: str | Divergence | Objective,
    outputs: int | None = None,
    *,
    certify: bool = False,
) -> FloatTestingSolution:
    """The best epsilon-LDP channel for telling P0 from P1, in float64.

    Args:
        p0: k masses >= 0 that sum to 1 within 1e-9, in any order, shape (k,).
        p1: the same under the other hypothesis.
        epsilon: nats >= 0; more than 700 counts as 700.
        divergence: a name of ``verify.kernel.divergence.parse_divergence``, or an ``Objective``.
        outputs: the largest number of outputs, or None.
        certify: also prove a bound on the error; takes a name, up to 200,000 symbols, and longer.

    Returns:
        The exact optimum up to float64 rounding (no binning): the masses decide, not a tolerance.

    Raises:
        InputError: for masses, epsilon, divergence or outputs out of range.

    Cost: one sort and O(k), with O(K^2) for K knots: see ``solvers.testing.mass_spreading``.

    Reference: Ghazi 2026 (Sort, Partition, Randomize).
    """
    goal = divergence if isinstance(divergence, Objective) else objective(divergence)
    c, masses = _exp_minus_one(epsilon), order_masses(p0, p1)
    if outputs is not None and outputs < 1:
        raise InputError(f"outputs: {outputs} is less than 1")
    cuts: tuple[int, ...] = (0, len(masses))
    if c and outputs != 1:
        cuts, _ = partition_by_knots(masses, goal, min(c, _LARGEST_C), outputs)
    places = tuple(int(masses.starts[cut]) for cut in cuts)
    labels = np.empty(len(masses.order), dtype=np.int64)
    labels[masses.order] = np.repeat(np.arange(len(cuts) - 1), np.diff(places))
    value = max(_value(masses, goal, c, cuts), 0.0)
    name = goal.divergence.name
    found = FloatTestingSolution(masses.order, places, labels, value, float(epsilon), name)
    if not certify:
        return found
    proved, exact = certify_float(p0, p1, epsilon, name, outputs), Fraction(value)
    return replace(found, error=max(proved.value_upper - exact, exact - proved.value_lower))


def certify_float(
    p0: ArrayLike, p1: ArrayLike, epsilon: float, divergence: str, outputs: int | None = None
) -> TestingSolution:
    """``solve_testing`` for the rationals that floats denote, each law divided by its exact sum.

    Raises:
        InputError: as ``solve_testing_float``.
        LimitError: for more than 200,000 symbols.
    """
    order_masses(p0, p1)  # refuses what is no pair of laws
    law0, law1 = (_rationals(np.asarray(law, dtype=np.float64)) for law in (p0, p1))
    return solve_testing(law0, law1, Fraction(float(epsilon)), divergence, outputs)


def _rationals(law: Floats) -> list[Fraction]:
    masses = [Fraction(mass) for mass in law.tolist()]
    scale = max(mass.denominator for mass in masses)  # a power of two
    numerators = [mass.numerator * (scale // mass.denominator) for mass in masses]
    total = sum(numerators)
    return [Fraction(numerator, total) for numerator in numerators]


def optimal_partition_float(
    p0: ArrayLike,
    p1: ArrayLike,
    epsilon: float,
    divergence: str | Divergence | Objective,
    outputs: int | None = None,
) -> tuple[tuple[int, ...], float]:
    """The cuts and the value of ``solve_testing_float``.

    Returns:
        (cuts, value): 0 = c_0 < ... < c_s = k, positions in the order of rising P0/P1 (ties in
        their given order, symbols without mass first).

    >>> optimal_partition_float([0.75, 0.25], [0.25, 0.75], 1.0986122886681098, "tv")
    ((0, 1, 2), 0.25)
    """
    solution = solve_testing_float(p0, p1, epsilon, divergence, outputs)
    return solution.cuts, solution.value
