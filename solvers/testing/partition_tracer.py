"""Proves by balls which partition is best on whole intervals of c = E - 1.

The value of a partition with blocks B_1..B_s at E = 1 + c is V(c) = sum mu_B(c) / (c + s) with
mu_B(c) = h(1 + c P0(B), 1 + c P1(B)). On an interval c0 - r <= c <= c0 + r let v be the value of
one partition and F(c) = sum over the blocks of another of (mu_B(c) - v(c)), less c v(c): the other
one is worse where F < 0. By the mean value theorem each term at c0 + d is its value at c0 plus d
times a derivative that balls over the whole interval enclose; for d >= 0 that is at most linear in
d, so the largest sum over all partitions is convex in d, and it suffices that it is negative at d =
0 and d = r (and likewise at d = -r). One shortest-path sweep at each of the three decides about all
partitions at once. Where two are left and the derivative of F does not vanish, they cross at most
once; the signs of F at the ends say whether they do, and bisection encloses the root.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from itertools import islice, pairwise
from typing import Any

import numpy as np

from solvers.backend import arb, arb_series, ball
from solvers.testing.alphabet import OrderedAlphabet
from solvers.testing.objective import Objective
from solvers.testing.partition_float import best_cuts, interval_scores
from verify.kernel.interval import Interval

__all__ = ["Cuts", "PartitionTracer"]

Cuts = tuple[int, ...]
"""The places 0 = c_0 < ... < c_s = k at which a partition cuts the ordered alphabet."""
_MOST_RIVALS = 24
_ROOT_BITS = 120
_SHARE = Fraction(4871, 9973)
_LEAST_WIDTH = Fraction(1, 1 << 60)
_SYMMETRIC = ("js", "hellinger", "lecam", "alpha:1/2", "renyi:1/2")


@dataclass
class _Sweep:
    """The weights mu - v of all blocks and the sum v c to beat, at one place of an interval."""

    weights: dict[tuple[int, int], arb]
    target: arb


@dataclass
class PartitionTracer:
    """Pieces of the path of one problem, found by recursive bisection in c.

    Args:
        alphabet: the merged symbols.
        goal: an f-divergence without corners.
        pieces: (partition, first c, last c), in order, once traced.
        unresolved: ranges of c where the balls do not decide.
    """

    alphabet: OrderedAlphabet
    goal: Objective
    pieces: list[tuple[Cuts, Interval, Interval]] = field(default_factory=list)
    unresolved: list[tuple[Fraction, Fraction]] = field(default_factory=list)

    def __post_init__(self) -> None:
        """Prepare the masses of the blocks, exact and in float64."""
        self._exact = self.alphabet.prefix_sums()
        self._floats = [np.array([float(p) for p in row]) for row in self._exact]
        k = len(self.alphabet)
        self._blocks = {
            (i, j): (self._exact[0][j] - self._exact[0][i], self._exact[1][j] - self._exact[1][i])
            for i in range(k)
            for j in range(i + 1, k + 1)
        }
        self._is_symmetric = self.goal.divergence.name in _SYMMETRIC
        self._representatives: dict[object, Cuts] = {}

    def key(self, cuts: Cuts) -> object:
        """What decides the value of a partition at every epsilon."""
        masses = sorted(self._blocks[pair] for pair in pairwise(cuts))
        if not self._is_symmetric:
            return tuple(masses)
        return tuple(min(masses, sorted((b, a) for a, b in masses)))

    def trace(self, low: Fraction, high: Fraction) -> None:
        """Add the pieces for low <= c <= high."""
        pending = [(low, high)]
        while pending:
            a, b = pending.pop()
            if self._settle(a, b):
                continue
            if b - a <= _LEAST_WIDTH * b:
                self.unresolved.append((a, b))
                continue
            middle = _between(a, b)
            pending += [(middle, b), (a, middle)]

    def _representative(self, cuts: Cuts) -> Cuts:
        return self._representatives.setdefault(self.key(cuts), cuts)

    def _settle(self, low: Fraction, high: Fraction) -> bool:
        """Whether one partition, or two with one crossing, are proved optimal from low to high."""
        if high > 4 * low:
            return False
        best = self._best_float((low + high) / 2)
        rivals = self._rivals(best, low, high)
        if rivals is None:
            return False
        ends = Interval.exactly(low), Interval.exactly(high)
        if not rivals:
            self.pieces.append((best, *ends))
            return True
        if len(rivals) > 1:
            return False
        return self._settle_two(best, rivals[0], ends)

    def _settle_two(self, best: Cuts, rival: Cuts, ends: tuple[Interval, Interval]) -> bool:
        low, high = ends[0].lower, ends[1].lower
        slope = self._lead(rival, best, ball(low).union(ball(high)))[1]
        signs = [self._lead(rival, best, ball(c))[0] for c in (low, high)]
        if any(sign.contains(0) for sign in signs):
            return False
        if (signs[0] < 0) == (signs[1] < 0):
            if slope.contains(0):
                return False
            self.pieces.append((rival if signs[0] > 0 else best, *ends))
            return True
        if slope.contains(0):
            return False
        before, after = (rival, best) if signs[0] > 0 else (best, rival)
        root = self._root(before, after, low, high)
        self.pieces += [(before, ends[0], root), (after, root, ends[1])]
        return True

    def _root(self, before: Cuts, after: Cuts, low: Fraction, high: Fraction) -> Interval:
        """Encloses the one c in low..high where ``after`` overtakes ``before``."""
        for _ in range(_ROOT_BITS):
            middle = _between(low, high)
            lead = self._lead(after, before, ball(middle))[0]
            if lead > 0:
                high = middle
            elif lead < 0:
                low = middle
            else:
                break
        return Interval(low, high)

    def _lead(self, cuts: Cuts, other: Cuts, c: arb) -> tuple[arb, arb]:
        """The value of one partition less that of another over a ball, and the derivative."""
        difference = self._value(cuts, c) - self._value(other, c)
        return difference[0], difference[1]

    def _score(self, block: tuple[int, int], c: arb) -> arb_series:
        score: Callable[[Any, Any], arb_series] = self.goal.ball_score  # type: ignore[assignment]  # series serve
        a, b = map(ball, self._blocks[block])
        return score(arb_series([1 + c * a, a], prec=2), arb_series([1 + c * b, b], prec=2))

    def _value(self, cuts: Cuts, c: arb) -> arb_series:
        total = sum((self._score(pair, c) for pair in pairwise(cuts)), arb_series([0], prec=2))
        return total / arb_series([c + len(cuts) - 1, 1], prec=2)

    def _best_float(self, c: Fraction) -> Cuts:
        scores = interval_scores(self.goal, float(c), *self._floats)
        return self._representative(best_cuts(scores, float(c)))

    def _rivals(self, best: Cuts, low: Fraction, high: Fraction) -> list[Cuts] | None:
        """Partitions of another value not proved worse everywhere; None if they are too many."""
        found: dict[object, Cuts] = {}
        for sweep in self._sweeps(best, low, high):
            listed = list(islice(_survivors(sweep, len(self.alphabet)), _MOST_RIVALS + 1))
            if len(listed) > _MOST_RIVALS:
                return None
            for cuts in listed:
                found[self.key(cuts)] = self._representative(cuts)
        found.pop(self.key(best), None)
        return list(found.values())

    def _sweeps(self, best: Cuts, low: Fraction, high: Fraction) -> Iterator[_Sweep]:
        """Upper bounds at the middle and at both ends of the interval."""
        middle, radius = (low + high) / 2, (high - low) / 2
        point, wide = ball(middle), ball(low).union(ball(high))
        here, around = self._value(best, point), self._value(best, wide)
        at = {block: self._score(block, point)[0] - here[0] for block in self._blocks}
        target = here[0] * point
        yield _Sweep(at, target)
        slopes = {block: self._score(block, wide)[1] - around[1] for block in self._blocks}
        target_slope = around[1] * wide + around[0]
        for step in (ball(radius), ball(-radius)):
            yield _Sweep(
                {block: value + step * slopes[block] for block, value in at.items()},
                target + step * target_slope,
            )


def _between(low: Fraction, high: Fraction) -> Fraction:
    """A binary rational near the middle, but off it: roots like to lie at round numbers."""
    width = high - low
    exponent = width.denominator.bit_length() - width.numerator.bit_length() + 12
    grid = Fraction(2) ** exponent
    return Fraction(round((low + width * _SHARE) * grid)) / grid


def _survivors(sweep: _Sweep, k: int) -> Iterator[Cuts]:
    """The partitions whose sum of weights is not proved below the target."""
    weights, target = sweep.weights, sweep.target
    after = {k: arb(0)}
    for i in range(k - 1, -1, -1):
        best = weights[i, k]
        for j in range(i + 1, k):
            best = best.max(weights[i, j] + after[j])
        after[i] = best

    def walk(i: int, reached: arb) -> Iterator[Cuts]:
        if i == k:
            yield (k,)
            return
        for j in range(i + 1, k + 1):
            total = reached + weights[i, j]
            if not total + after[j] < target:  # certain, or the partition stays
                for tail in walk(j, total):
                    yield (i, *tail)

    return walk(0, arb(0))
