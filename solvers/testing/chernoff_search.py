"""Which orders prove a Chernoff information, found in float64; see ``solvers.testing.chernoff``.

C(a) is the best -log g(a) over channels at order a. A cover is grown from the best order to both
sides, each step as long as the bound on the piece allows; an order that beats the best one on the
way takes its place, so the search is global.
"""

from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solvers.epsilon import Epsilon
from solvers.testing.alphabet import order_alphabet
from solvers.testing.chernoff_information import least_affinity_order
from solvers.testing.objective import Floats, float_c
from solvers.testing.partition_float import best_cuts
from solvers.testing.portable_functions import exp, expm1, log, log1p
from solvers.testing.power_scores import power_score
from verify.kernel.distribution import Distribution

__all__ = ["TOLERANCE", "ChernoffSearch"]

TOLERANCE = Fraction(1, 10**12)
"""The relative gap that a cover is to reach."""
_GRID = 33
_BITS = 40
_COARSE_BITS = 26
_MOST_POINTS = 4000


class ChernoffSearch:
    """The best information C(a) over the channels of one problem, as a function of the order."""

    def __init__(
        self, p0: Distribution, p1: Distribution, epsilon: Epsilon, outputs: int | None
    ) -> None:
        """Prepare the alphabet in float64."""
        alphabet = order_alphabet(p0, p1)
        first, second = alphabet.prefix_sums()
        # the differences of the laws apart, so that close laws lose nothing
        differences = (a - b for a, b in zip(first, second, strict=True))
        self._prefixes = [np.array([float(x) for x in row]) for row in (differences, second)]
        exact = epsilon.exp_upper - 1
        self._c, self._outputs = float_c(exact), outputs
        self._epsilon = float(epsilon.nats)
        self._known: dict[Fraction, tuple[float, tuple[int, ...]]] = {}

    @cached_property
    def _blocks(self) -> tuple[NDArray[np.bool_], Floats, Floats, Floats]:
        """Where first < end, and c (P0 - P1), 1 + c P0 and 1 + c P1 of the blocks."""
        k = len(self._prefixes[0]) - 1
        upper = np.triu(np.ones((k + 1, k + 1), dtype=bool), 1)
        d, b = (np.where(upper, p[None, :] - p[:, None], 0.0) for p in self._prefixes)
        return upper, self._c * d, 1 + self._c * (b + d), 1 + self._c * b

    def information(self, order: Fraction) -> float:
        """C(order)."""
        return self._solved(order)[0]

    def _solved(self, order: Fraction) -> tuple[float, tuple[int, ...]]:
        if order not in self._known:
            self._known[order] = self._solve(order)
        return self._known[order]

    def _solve(self, order: Fraction) -> tuple[float, tuple[int, ...]]:
        upper, d, u, w = self._blocks
        scale = float(order * (1 - order))
        scores = np.where(upper, scale * power_score(order)(d, u, w), -np.inf)
        cuts = best_cuts(scores, self._c, self._outputs)
        phi = sum(scores[i, j] for i, j in pairwise(cuts)) / (self._c + len(cuts) - 1)
        if phi < 0.5:
            return float(-log1p(-phi)), cuts
        a = float(order)
        scores = np.where(upper, -exp(a * log(u) + (1 - a) * log(w)), -np.inf)
        cuts = best_cuts(scores, self._c, self._outputs)
        affinity = -sum(scores[i, j] for i, j in pairwise(cuts)) / (self._c + len(cuts) - 1)
        return float(-log(affinity)), cuts

    def _best_for(self, cuts: tuple[int, ...]) -> Fraction:
        """The best order of one partition."""
        _, *tables = self._blocks
        pairs = list(pairwise(cuts))
        d, u, w = (np.array([table[i, j] for i, j in pairs]) for table in tables)
        return _dyadic(least_affinity_order(d, u, w), _BITS)

    def _climb(self, order: Fraction) -> Fraction:
        """An order that is best for the partition which is best at that order."""
        while True:
            better = self._best_for(self._solved(order)[1])
            if self.information(better) <= self.information(order):
                return order
            order = better

    def best_order(self) -> Fraction:
        """The order with the largest C among those looked at so far, or reached from a grid."""
        grid = [Fraction(n, _GRID + 1) for n in range(1, _GRID + 1)]
        start = max((*grid, *self._known), key=self.information)
        return self._climb(start)

    def cover(self, fineness: int = 1) -> tuple[Fraction, tuple[Fraction, ...]]:
        """The best order and increasing orders, it and 1/2 among them, that prove it.

        Args:
            fineness: the gap aimed at is half the tolerance over this number.
        """
        while True:
            best = self.best_order()
            goal = self.information(best) * (1 + float(TOLERANCE) / (2 * fineness))
            found = {best, Fraction(1, 2)}
            if not goal or all(self._grow(best, sign, goal, found) for sign in (1, -1)):
                return best, tuple(sorted(found))

    def _grow(self, start: Fraction, sign: int, goal: float, found: set[Fraction]) -> bool:
        """Add orders from ``start`` towards 0 or 1; False once a better order turns up."""
        here, width = start, 0.25
        for _ in range(_MOST_POINTS):
            room = float(1 - here if sign > 0 else here)
            if -expm1(-self.information(here)) <= -expm1(-goal) * (1 - room):
                return True
            width = min(4 * width, room / 2)
            while True:
                there = _dyadic(float(here) + sign * width, _BITS if width < 1e-6 else _COARSE_BITS)
                if there == here:
                    there = here + sign * Fraction(1, 1 << _BITS)
                if self.information(there) > goal:
                    return False
                if width < 2.0**-_BITS or self._piece(*sorted((here, there))) <= goal:
                    break
                width *= 0.7
            found.add(there)
            here = there
        return True

    def _piece(self, x: Fraction, y: Fraction) -> float:
        """The bound on the information at the orders from x to y, as in the module named above."""
        first, second = self.information(x), self.information(y)
        most, width, half = max(first, second), float(y - x) ** 2, Fraction(1, 2)
        s, t = -expm1(-first) / float(x), -expm1(-second) / float(1 - y)
        middle = -4 * expm1(-self.information(half))
        with np.errstate(over="ignore"):
            steepness = exp(self._epsilon * float(max(abs(x - half), abs(y - half))))
        phi = -expm1(-most) + steepness * middle * width / 4
        bounds = [most + self._epsilon**2 * width / 8]
        bounds += [float(-log1p(-f)) for f in (s * t / (s + t) if s + t else 0.0, phi) if f < 1]
        return float(min(bounds))


def _dyadic(number: float, bits: int) -> Fraction:
    """The number on a binary grid, strictly between 0 and 1."""
    return Fraction(min(max(round(number * (1 << bits)), 1), (1 << bits) - 1), 1 << bits)
