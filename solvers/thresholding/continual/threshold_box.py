"""Threshold boxes: private, complete and sound tests whether some solution reaches a level.

A box selects S by a private algorithm and returns it iff score(S) + Lap(scale) >= level, else
nothing. Its law over solutions is enumerated, so the probability of success is known to any
precision; a first answer comes from floats whose error is bounded, and a float that does not decide
is recomputed with balls. Scores: u itself for objectives with sensitivity Delta; the distance to
the level, the least number of removals that bring u(S) below it, for objectives without a bound.
"""

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import Protocol

import numpy as np

from solvers.backend import arb, ball, working_precision
from solvers.thresholding.continual.objective import Objective
from solvers.thresholding.continual.selection import (
    Array,
    Family,
    Solution,
    flat_family,
    selection_law,
    selection_law_float,
)
from solvers.thresholding.errors import ParameterError
from solvers.thresholding.randomness import BitSource, LazyUniform
from solvers.thresholding.rates import Rate

__all__ = ["DistanceScores", "Scores", "ThresholdBox", "UtilityScores"]

_FLOAT_ERROR = 1e-10
"""Relative error of sums of up to 2^17 positive floats, with a wide margin."""
_EXPONENT_ERROR = 2.0**-48
"""Error of a float exponent for each unit of its size, in all steps, with a margin."""
_FLOAT_BITS = 64
_SMALLEST = 1e-290
"""What underflow may hide."""


class Scores(Protocol):
    """What a box compares with its level."""

    family: Family

    def score_floats(self, level: Fraction) -> list[Array]:
        """Scores of all sets, by layer."""
        ...

    def score_fractions(self, level: Fraction) -> list[list[Fraction]]:
        """The same, *exact*."""
        ...

    def bar(self, level: Fraction) -> Fraction:
        """What the noisy score must reach."""
        ...


class UtilityScores:
    """The score is u(X, S) and the bar the level."""

    def __init__(self, objective: Objective) -> None:
        self.objective = objective
        self.family = objective.family

    def score_floats(self, level: Fraction) -> list[Array]:  # noqa: ARG002
        """U of all sets, by layer."""
        return self.objective.values_float()

    def score_fractions(self, level: Fraction) -> list[list[Fraction]]:  # noqa: ARG002
        """The same, *exact*."""
        layers = self.objective.values_exact()
        return [[Fraction(n, d) for n, d in layer] for layer in layers]

    def bar(self, level: Fraction) -> Fraction:
        """The level."""
        return level


class DistanceScores:
    """Weighted coverage of any weights: how many users must leave before u(S) is below the level.

    The score grows by at most 1 per user, whatever the weights; the bar is ``margin``. An event is
    a pair of a set of items and a positive integer weight.

    Args:
        solutions: sets of items.
        margin: the bar c.
        cap: distances are cut at this public number, > margin.
    """

    def __init__(self, solutions: Sequence[Solution], margin: Fraction, cap: int) -> None:
        self.family = flat_family(solutions)
        self._margin = margin
        self._cap = cap
        self._weights: list[list[int]] = [[] for _ in solutions]  # of covered users, descending
        self.totals = [0] * len(solutions)

    def insert(self, event: tuple[frozenset[int], int]) -> None:
        """Add one user."""
        items, weight = event
        if weight < 1:
            raise ParameterError(f"event: the weight {weight} is not a positive integer")
        for place, chosen in enumerate(self.family.solutions):
            if not items.isdisjoint(chosen):
                self._weights[place].insert(
                    bisect_right(self._weights[place], -weight, key=lambda w: -w), weight
                )
                self.totals[place] += weight

    def distance(self, place: int, level: Fraction) -> int:
        """The least number of removals that bring u below the level, cut at the cap; *exact*."""
        left, removed = self.totals[place], 0
        while left >= level and removed < self._cap and removed < len(self._weights[place]):
            left -= self._weights[place][removed]
            removed += 1
        return removed

    def score_floats(self, level: Fraction) -> list[Array]:
        """Distances of all sets; one layer."""
        places = range(len(self.totals))
        return [np.array([self.distance(place, level) for place in places], dtype=np.float64)]

    def score_fractions(self, level: Fraction) -> list[list[Fraction]]:
        """The same, *exact*."""
        return [[Fraction(self.distance(p, level)) for p in range(len(self.totals))]]

    def bar(self, level: Fraction) -> Fraction:  # noqa: ARG002
        """The margin c."""
        return self._margin


class ThresholdBox:
    """Selection by scores, then a noisy check.

    Args:
        scores: what is compared.
        selection_rate: total privacy of the selection, None to choose uniformly (guess box).
        check_rate: privacy of the check.
        sensitivity: of the scores.

    The box is (selection_rate + check_rate)-DP.
    """

    def __init__(
        self,
        scores: Scores,
        selection_rate: Rate | None,
        check_rate: Rate,
        sensitivity: Fraction = Fraction(1),
    ) -> None:
        self._scores = scores
        self._selection_rate = selection_rate
        self._check_rate = check_rate
        self._sensitivity = sensitivity
        steps = scores.family.n_steps
        self._step_rate = 0.0 if selection_rate is None else float(selection_rate) / steps
        self._check = float(check_rate) / float(sensitivity)

    @property
    def solutions(self) -> tuple[Solution, ...]:
        """What the box may return."""
        return self._scores.family.solutions

    def success_probability(self, level: Fraction) -> Callable[[int], arb]:
        """Bits -> a ball with the probability that a solution is returned."""
        floats, error = self._joint_floats(level)
        total = math.fsum(floats)

        def enclose(bits: int) -> arb:
            if bits <= _FLOAT_BITS and error < 1:
                return arb(total, total * error + _SMALLEST)
            return _sum(self._joint_balls(level))

        return enclose

    def draw_released(self, level: Fraction, bits: BitSource) -> int:
        """The position of a solution from the law of the box, given that it returns one."""
        uniform = LazyUniform(bits)
        masses, error = self._joint_floats(level)
        floats = np.cumsum(masses)
        uniform.extend(_FLOAT_BITS)
        target = uniform.value / 2**_FLOAT_BITS * floats[-1]
        slack = 4 * error * floats[-1] + _SMALLEST
        place = int(np.searchsorted(floats, target))
        below = floats[place - 1] if place else -math.inf
        if below + slack < target < floats[place] - slack or len(floats) == 1:
            return place
        return self._draw_with_balls(level, uniform)

    def _draw_with_balls(self, level: Fraction, uniform: LazyUniform) -> int:
        precision = 128
        while True:
            with working_precision(precision):
                joint = self._joint_balls(level)
                target, reached = uniform.ball(precision) * _sum(joint), arb(0)
                for place, mass in enumerate(joint):
                    reached += mass
                    if target < reached:
                        return place
                    if not target > reached:
                        break
                else:
                    return len(joint) - 1
            precision *= 2

    def _joint_floats(self, level: Fraction) -> tuple[Array, float]:
        """P[S is selected and passes the check], by solution, and a bound of the relative error."""
        layers = self._scores.score_floats(level)
        rate = self._step_rate / float(self._sensitivity)
        law = selection_law_float(self._scores.family, [rate * scores for scores in layers])
        missing = self._check * (float(self._scores.bar(level)) - layers[-1])
        passes = np.where(
            missing >= 0, np.exp(-np.abs(missing)) / 2, 1 - np.exp(-np.abs(missing)) / 2
        )
        size = len(layers) * rate * max(float(np.abs(scores).max()) for scores in layers)
        size += float(np.abs(missing).max()) + self._check * abs(float(self._scores.bar(level)))
        error = _FLOAT_ERROR + _EXPONENT_ERROR * size
        return np.asarray(law * passes, dtype=np.float64), error

    def _joint_balls(self, level: Fraction) -> list[arb]:
        layers, bar = self._scores.score_fractions(level), self._scores.bar(level)
        steps, sensitivity = self._scores.family.n_steps, ball(self._sensitivity)
        rate = arb(0)
        if self._selection_rate is not None:
            rate = self._selection_rate.ball() / (steps * sensitivity)
        law = selection_law(
            self._scores.family, [[rate * ball(score) for score in layer] for layer in layers]
        )
        check = self._check_rate.ball() / sensitivity
        joint = []
        for mass, score in zip(law, layers[-1], strict=True):
            half = (-check * ball(abs(bar - score))).exp() / 2
            joint.append(mass * (half if bar >= score else 1 - half))
        return joint


def _sum(numbers: Sequence[arb]) -> arb:
    total = arb(0)
    for number in numbers:
        total += number
    return total
