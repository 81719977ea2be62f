"""The dual of one testing problem in float64, in units of its optimum.

Multipliers are m_x = l_x / (P0(x) + P1(x)) for the normalised h, over the optimum, and t over the
optimum; see ``solvers.testing.scaled_problem`` for the other units.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np

from solvers.testing.dual_equations import DualEquations, Multipliers
from solvers.testing.objective import Floats, Objective
from solvers.testing.partition_float import interval_scores
from solvers.testing.scaled_problem import ScaledProblem, scaled_problem
from solvers.testing.separators import (
    Directions,
    active_sets,
    transition_logs,
)

__all__ = ["DualFloats", "Sweep", "row_sums"]

_HUGE = Fraction(10) ** 300


@dataclass(frozen=True, slots=True)
class Sweep:
    """The sets A(t) for some multipliers.

    Args:
        sets: rows of 0 and 1 over the k symbols, shape (n, k).
        scores: mu of each, in units of the optimum.
        slack: L + c l + t - mu of each, in units of the optimum.
    """

    sets: Floats
    scores: Floats
    slack: Floats


def _floats(numbers: Iterable[Fraction]) -> Floats:
    """The numbers rounded to float64, at most 1e300 in size."""
    return np.array([float(min(max(number, -_HUGE), _HUGE)) for number in numbers])


def row_sums(rows: Floats, weights: Floats) -> Floats:
    """The product of a matrix and a vector, with the same bits on every machine."""
    sums: Floats = (rows * weights).sum(axis=1)
    return sums


class DualFloats:
    """The numbers of one problem that the float programs share."""

    def __init__(self, equations: DualEquations, objective: Objective) -> None:
        """Round everything once from its exact value."""
        self.equations, self.slope = equations, objective.slope
        alphabet = equations.alphabet
        self.problem: ScaledProblem = scaled_problem(alphabet, objective, equations.c)
        self.c, self.objective = self.problem.c, self.problem.objective
        self.unit = self.problem.value(equations.value)
        self.w = _floats(equations.mass)
        masses = self.problem.masses
        self.p0, self.p1, self.difference = masses.p0, masses.p1, masses.difference
        scale = (1 << self.problem.exponent) / self.problem.stretch
        parts = list(zip(alphabet.p0, alphabet.p1, equations.mass, strict=True))
        self.symbols = Directions(
            _floats(scale * (a - b) / w for a, b, w in parts),
            _floats(a / w for a, _, w in parts),
            _floats(b / w for _, b, w in parts),
        )
        first, second = alphabet.prefix_sums()
        steps = (scale * (a - b) for a, b in zip(first, second, strict=True))
        prefixes = _floats(first), _floats(second), _floats(steps)
        self.scores = interval_scores(self.objective, self.c, *prefixes) / self.unit

    @cached_property
    def gaps(self) -> Floats:
        """The steps of P0/(P0 + P1) from symbol to symbol."""
        return _floats(y - x for x, y in pairwise(self.equations.share))

    def transitions(self, m: Floats) -> tuple[Floats, Floats]:
        """The log t where each symbol enters and leaves A(t)."""
        return transition_logs(self.problem, self.symbols, m * self.unit)

    def sweep(self, m: Floats, t: float) -> Sweep:
        """The sets A(t)."""
        sets = active_sets(self.problem, self.transitions(m), self.symbols, m * self.unit)
        lam, scores = self.w * m, self.score(sets)
        return Sweep(sets, scores, lam.sum() + t + self.c * row_sums(sets, lam) - scores)

    def score(self, sets: Floats) -> Floats:
        """The scores of sets given as rows of 0 and 1."""
        a, b, d = (row_sums(sets, part) for part in (self.p0, self.p1, self.difference))
        scores: Floats = self.objective.score(self.c * d, 1 + self.c * a, 1 + self.c * b)
        return scores / self.unit

    def floats(self, multipliers: Multipliers) -> tuple[Floats, float]:
        """Exact multipliers (m, t) as floats."""
        e, stretch = self.equations, self.problem.stretch
        parts = zip(multipliers.symbols, e.mass, e.share, strict=True)
        scale = e.value * stretch
        exact = ((lam / w - self.slope * (2 * s - 1)) / scale for lam, w, s in parts)
        return _floats(exact), float(multipliers.outputs / e.value)

    def exact(self, m: Floats, t: float) -> Multipliers:
        """Float multipliers as rationals for the kernel's h, each with 60 bits of its own size."""
        e, scale = self.equations, self.equations.value * self.problem.stretch
        symbols = []
        for x, w, a, b in zip(m, e.mass, e.alphabet.p0, e.alphabet.p1, strict=True):
            own = w * Fraction(float(x)) * scale
            symbols.append(_shortened(own + self.slope * (a - b), own))
        outputs = max(Fraction(t) * e.value, Fraction(0))
        return Multipliers(tuple(symbols), _shortened(outputs, outputs))

    def below_tangents(self, cuts: Sequence[int], drop: Floats, t: float) -> Multipliers:
        """Multipliers below the tangents at the ratios of blocks, l_x = g_j.p_x - drop_x w_x.

        Args:
            cuts: the blocks.
            drop: k numbers, in the units of the floats; l_x has 60 bits of the size of its drop.
            t: the output multiplier.
        """
        e, scale, symbols = self.equations, self.equations.value * self.problem.stretch, []
        for i, j in pairwise(cuts):
            g0, g1 = e.tangent(i, j)
            for x in range(i, j):
                below = e.mass[x] * Fraction(float(drop[x])) * scale
                top = g0 * e.alphabet.p0[x] + g1 * e.alphabet.p1[x]
                symbols.append(_shortened(top - below, below))
        outputs = max(Fraction(t) * e.value, Fraction(0))
        return Multipliers(tuple(symbols), _shortened(outputs, outputs))


def _shortened(number: Fraction, size: Fraction, bits: int = 60) -> Fraction:
    """The number rounded to a binary grid of ``bits`` bits below a number not larger by much."""
    if not size:
        return number
    grid = bits + size.denominator.bit_length() - abs(size.numerator).bit_length()
    unit = Fraction(2) ** grid
    return Fraction(round(number * unit)) / unit
