"""All sets of symbols at once: cones between rays, on which a convex h lies below its chord.

Symbols x have masses (a_x, b_x) and multipliers l_x. For b in [0, 1]^k put X = 1 + c sum b_x a_x,
Y = 1 + c sum b_x b_x and Z = L + t + c sum b_x l_x. A set is a vertex b, and h(X, Y) - Z is convex
in b, hence **at most 0 at all sets if and only if it is at all b**. All X/Y lie in [1/E, E]. On the
cone u Y <= X <= v Y the convex and homogeneous h is at most its chord

    h(u, 1) (v Y - X)/(v - u) + h(v, 1) (X - u Y)/(v - u),

linear in b: so for each cone the question is one of linear arithmetic. Beyond its cone a chord lies
below h, so that where all sets hold their constraints it exceeds Z only within the cone, if at all.
Here the rays are *found*: where a chord is above Z at a set, either the set violates its
constraint, or the ray through it is added, on which the chord is h itself. The solver proves all
cones from the rays and slopes; whatever it gets, what it proves is true.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.second_opinion.enclosure import Bounds
from verify.second_opinion.mixture import AnyDivergence
from verify.second_opinion.strict_reading import TooWideError, require_reach

__all__ = ["Cone", "Cover", "SetProblem", "Weighted"]

MAX_WORK = 30_000
"""Most cones times symbols."""

Weighted = tuple[Fraction, Fraction, Fraction]
"""Masses under P0 and P1, and the multiplier."""


@dataclass(frozen=True, slots=True)
class Cone:
    """The pairs with u Y <= X <= v Y, on which h is at most slope_x X + slope_y Y.

    Args:
        rays: u and v.
        slopes: of the chord, in X and Y.
    """

    rays: tuple[Fraction, Fraction]
    slopes: tuple[Fraction, Fraction]


@dataclass(frozen=True, slots=True)
class Cover:
    """Cones from 1/E to E in which all chords are below Z; or a set that makes that impossible.

    Args:
        cones: in rising order, each beginning where the last one ends; none for E = 1.
        violator: the indices of the symbols of a set whose constraint fails, or None.
    """

    cones: list[Cone]
    violator: frozenset[int] | None


@dataclass(frozen=True, slots=True)
class SetProblem:
    """The constraints Z >= h(X, Y) of all sets.

    Args:
        symbols: their weights.
        c: E - 1 >= 0.
        offset: L + t.
        divergence: h.
        bits: the precision of its enclosures.
    """

    symbols: Sequence[Weighted]
    c: Fraction
    offset: Fraction
    divergence: AnyDivergence
    bits: int

    def point(self, members: frozenset[int]) -> Weighted:
        """(X, Y, Z) of a set."""
        sums = [sum((self.symbols[i][j] for i in members), Fraction(0)) for j in range(3)]
        return 1 + self.c * sums[0], 1 + self.c * sums[1], self.offset + self.c * sums[2]

    def cover(self, hints: Sequence[frozenset[int]]) -> Cover:
        """The rays of a proof, or a set that makes one impossible.

        Args:
            hints: sets whose rays to begin with; they change the work, not the answer.

        Raises:
            TooWideError: if a constraint holds or fails by less than the enclosures show.
            OutOfReachError: if the rays become too many.
        """
        if not self.c:  # X = Y = 1 for all sets, and h(1, 1) = 0
            return Cover([], frozenset() if self.offset < 0 else None)
        first, last = 1 / (1 + self.c), 1 + self.c
        ratios = {x / y for x, y, _ in map(self.point, hints)} | {*self.divergence.corners}
        start = sorted({first, last, *(ratio for ratio in ratios if first < ratio < last)})
        cones: list[Cone] = []
        u, waiting = start[0], start[1:][::-1]
        while waiting:
            require_reach((len(cones) + len(waiting)) * len(self.symbols), MAX_WORK, "cones")
            found = self._examine(u, waiting[-1])
            if isinstance(found, Cone):
                cones.append(found)
                u = waiting.pop()
            elif self._violates(found):
                return Cover([], found)
            else:
                x, y, _ = self.point(found)
                waiting.append(x / y)
        return Cover(cones, None)

    def height(self, ray: Fraction) -> Fraction:
        """An upper bound of h(ray, 1)."""
        return self.bounds(ray)[1]

    def bounds(self, ray: Fraction) -> Bounds:
        """Encloses h(ray, 1)."""
        return self.divergence.enclose(ray, Fraction(1), self.bits)

    def _violates(self, members: frozenset[int]) -> bool:
        """Whether h(X, Y) > Z at the set."""
        x, y, z = self.point(members)
        low, high = self.divergence.enclose(x, y, self.bits)
        if low <= z < high:
            raise TooWideError("the constraint of a set is not settled by its enclosure")
        return low > z

    def _examine(self, u: Fraction, v: Fraction) -> Cone | frozenset[int]:
        """The cone, if its chord is nowhere above Z; else a set to look at."""
        low, high = self.height(u), self.height(v)
        slopes = (high - low) / (v - u), (v * low - u * high) / (v - u)
        gains = [slopes[0] * a + slopes[1] * b - lam for a, b, lam in self.symbols]
        best = frozenset(i for i, gain in enumerate(gains) if gain > 0)
        level = slopes[0] + slopes[1] - self.offset
        if level + self.c * sum(gains[i] for i in best) <= 0:
            return Cone((u, v), slopes)
        x, y, _ = self.point(best)
        if u * y < x < v * y or self._violates(best):
            return best
        raise TooWideError("a chord exceeds its bound by less than the enclosures show")
