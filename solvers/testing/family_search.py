"""Which parameters prove the maximum of a family, found in float64.

C(l) is the best value over channels at the parameter l, as in
``solvers.testing.one_parameter_family``. A cover is grown from the best parameter to both sides,
each step as long as the bound on the cell allows; a parameter that beats the best one on the way
takes its place, so the search is global.
"""

from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np
from scipy.optimize import minimize_scalar

from solvers.epsilon import Epsilon
from solvers.testing.alphabet import OrderedAlphabet, order_alphabet
from solvers.testing.objective import Floats, float_c, objective
from solvers.testing.one_parameter_family import (
    FamilyCell,
    FamilyPoint,
    FloatScore,
    OneParameterFamily,
    RatioRange,
)
from solvers.testing.partition_float import best_cuts
from verify.kernel.distribution import Distribution
from verify.kernel.interval import Interval

__all__ = ["TOLERANCE", "FamilySearch"]

TOLERANCE = Fraction(1, 10**12)
"""The relative gap that a cover is to reach."""
_GRID = 34
_BITS = 40
_COARSE_BITS = 26
_MOST_POINTS = 4000
_NARROW = 1e-6

Cuts = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class _Blocks:
    """Where a block is, and c (P0 - P1), 1 + c P0 and 1 + c P1 of the blocks in float64."""

    is_block: Floats
    d: Floats
    x: Floats
    y: Floats

    def scores(self, score: FloatScore) -> Floats:
        return np.where(self.is_block, score(self.d, self.x, self.y), -np.inf)

    def only(self, cuts: Cuts) -> "_Blocks":
        first, end = zip(*pairwise(cuts), strict=True)
        parts = (part[first, end] for part in (self.is_block, self.d, self.x, self.y))
        return _Blocks(*parts)


class FamilySearch:
    """The best value C(l) over the channels of one problem, as a function of the parameter."""

    def __init__(
        self,
        family: OneParameterFamily,
        p0: Distribution,
        p1: Distribution,
        epsilon: Epsilon,
        outputs: int | None,
    ) -> None:
        """Prepare the alphabet in float64."""
        self._family, self._outputs = family, outputs
        self._ratios = RatioRange.of(p0, p1, epsilon.exp_upper)
        self._c = float_c(epsilon.exp_upper - 1)
        self._blocks = _blocks(order_alphabet(p0, p1), self._c)
        self._known: dict[Fraction, tuple[FamilyPoint, Cuts]] = {}

    def value(self, parameter: Fraction) -> float:
        """C(parameter)."""
        return float(self.point(parameter).value.upper)

    def point(self, parameter: Fraction) -> FamilyPoint:
        """The best divergence at a parameter and its value, as far as float64 sees them."""
        return self._solved(parameter)[0]

    def best_parameter(self) -> Fraction:
        """The parameter with the largest C among those looked at, or reached from a grid."""
        family = self._family
        steps = (Fraction(n, _GRID) for n in range(family.is_open, _GRID + 1 - family.is_open))
        grid = [family.low + step * (family.high - family.low) for step in steps]
        found = max((*grid, *family.needed, *self._known), key=self.value)
        while True:
            better = self._best_for(found)
            if not self.value(better) > self.value(found):
                return found
            found = better

    def cover(self, fineness: int = 1) -> tuple[Fraction, ...]:
        """Rising parameters that prove the maximum.

        Args:
            fineness: the gap aimed at is half the tolerance over this number.
        """
        while True:
            best = self.best_parameter()
            goal = Fraction(self.value(best)) * (1 + TOLERANCE / (2 * fineness))
            found = {best, *self._family.needed}
            if not goal or all(self._grow(best, sign, goal, found) for sign in (1, -1)):
                return tuple(sorted(found))

    def _solved(self, parameter: Fraction) -> tuple[FamilyPoint, Cuts]:
        if parameter not in self._known:
            self._known[parameter] = self._solve(parameter)
        return self._known[parameter]

    def _solve(self, parameter: Fraction) -> tuple[FamilyPoint, Cuts]:
        score = objective(self._family.divergence(parameter)).score
        cuts, best = self._best_partition(score)
        value = self._family.value_float(parameter, max(best, 0.0))
        if np.isnan(value) and self._family.far is not None:
            score, from_best = self._family.far(parameter)
            cuts, far_best = self._best_partition(score)
            value = from_best(far_best)
        point = FamilyPoint(parameter, _exactly(best), _exactly(value))
        return point, cuts

    def _best_partition(self, score: FloatScore) -> tuple[Cuts, float]:
        scores = self._blocks.scores(score)
        cuts = best_cuts(scores, self._c, self._outputs)
        total = sum(scores[i, j] for i, j in pairwise(cuts))
        return cuts, float(total / (self._c + len(cuts) - 1))

    def _value_of(self, blocks: _Blocks, parameter: Fraction) -> float:
        """The value of one partition."""
        bottom, family = self._c + len(blocks.d), self._family
        score = objective(family.divergence(parameter)).score
        found = float(np.sum(blocks.scores(score)) / bottom)
        value = family.value_float(parameter, max(found, 0.0))
        if np.isnan(value) and family.far is not None:
            score, from_best = family.far(parameter)
            value = from_best(float(np.sum(blocks.scores(score)) / bottom))
        return value

    def _best_for(self, parameter: Fraction) -> Fraction:
        """The best parameter, near the given one, of the partition that is best there."""
        family, step = self._family, (self._family.high - self._family.low) / _GRID
        blocks = self._blocks.only(self._solved(parameter)[1])
        here = float(parameter)
        low, high = (
            max(here - float(step), float(family.low)),
            min(here + float(step), float(family.high)),
        )
        found = minimize_scalar(
            lambda x: -self._value_of(blocks, self._dyadic(x, _BITS)),
            bounds=(low, high),
            method="bounded",
            options={"xatol": 1e-9 * (high - low)},
        )
        return self._dyadic(float(found.x), _BITS)

    def _dyadic(self, number: float, bits: int) -> Fraction:
        """The number on a binary grid, within the interval; strictly so if it is open."""
        family, unit = self._family, Fraction(1, 1 << bits)
        inset = unit if family.is_open else Fraction(0)
        return min(max(round(number / unit) * unit, family.low + inset), family.high - inset)

    def _grow(self, start: Fraction, sign: int, goal: Fraction, found: set[Fraction]) -> bool:
        """Add parameters from ``start`` towards an end; False once a better one turns up."""
        family, here = self._family, start
        end = family.high if sign > 0 else family.low
        width = float(family.high - family.low) / 4
        for _ in range(_MOST_POINTS):
            if here == end or (family.is_open and self._is_covered(here, None, sign, goal)):
                return True
            limit = min(
                (stop for stop in (*family.stops, end) if (stop - here) * sign > 0),
                key=lambda stop: abs(stop - here),
            )
            there, width = self._step(here, limit, sign, 4 * width, goal)
            if self.value(there) > goal:
                return False
            found.add(there)
            here = there
        return True

    def _step(
        self, here: Fraction, limit: Fraction, sign: int, width: float, goal: Fraction
    ) -> tuple[Fraction, float]:
        """The next point up to ``limit``, and its distance; one that beats the goal, if met."""
        room = float(abs(limit - here))
        is_open = limit in {self._family.low, self._family.high} and self._family.is_open
        width = min(width, room / 2 if is_open else room)
        while True:
            there = self._dyadic(
                float(here) + sign * width, _BITS if width < _NARROW else _COARSE_BITS
            )
            if (there - here) * sign <= 0:
                there = here + sign * Fraction(1, 1 << _BITS)
            if (limit - there) * sign < 0 or (width >= room and not is_open):
                there = limit
            narrow = width < 2.0**-_BITS
            if narrow or self.value(there) > goal or self._is_covered(here, there, sign, goal):
                return there, width
            width *= 0.7

    def _is_covered(
        self, here: Fraction, there: Fraction | None, sign: int, goal: Fraction
    ) -> bool:
        """Whether the bound on the cell between two parameters, or up to an end, is in the goal."""
        ends = [self.point(here), None if there is None else self.point(there)]
        left, right = ends[::sign]
        stops = {stop: self.point(stop) for stop in self._family.stops}
        cell = FamilyCell(left, right, stops, self._ratios)
        bound = self._family.cell(cell)
        return bound is not None and bound <= goal


def _exactly(number: float) -> Interval:
    return Interval.exactly(Fraction(number) if np.isfinite(number) else Fraction(0))


def _blocks(alphabet: OrderedAlphabet, c: float) -> _Blocks:
    first, second = alphabet.prefix_sums()
    # the differences of the laws apart, so that close laws lose nothing
    differences = tuple(a - b for a, b in zip(first, second, strict=True))
    d, b = (np.array([float(x) for x in row]) for row in (differences, second))
    upper = np.triu(np.ones((len(d), len(d)), dtype=bool), 1)
    d, b = (np.where(upper, p[None, :] - p[:, None], 0.0) for p in (d, b))
    return _Blocks(upper, c * d, 1 + c * (b + d), 1 + c * b)
