"""The ladder: one private test per event whether the next level of value has been reached.

Levels theta_j = theta_1 (1 + zeta)^(j-1). At each event the box of the next level is tested until a
round rejects; if the level rose, the sample that the last accepted box certified is published. One
shared noise serves the whole stream. The comparison form tests instead whether some solution beats
the held one by a factor and a margin; it recomputes less on stationary streams.
"""

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from solvers.thresholding.continual.budget import BoundedBudget, UnboundedBudget
from solvers.thresholding.continual.selection import Solution
from solvers.thresholding.continual.threshold_box import ThresholdBox
from solvers.thresholding.errors import MechanismStateError, ParameterError
from solvers.thresholding.noisy_rounds import EVALUATION_LIMIT, NoisyRounds, require_affordable
from solvers.thresholding.randomness import BitSource, system_bits
from solvers.thresholding.rounds import CountingRound

__all__ = ["Comparison", "Held", "Ladder"]

BoxOf = Callable[[Fraction], ThresholdBox]
"""epsilon_r as a multiple of epsilon -> the box with that privacy, on the present data."""


@dataclass(frozen=True, slots=True)
class Held:
    """What is published after an event.

    Args:
        level: j, the number of acceptances.
        solution: the held solution; None before the first release.
    """

    level: int
    solution: Solution | None


class _Runner:
    """Rounds on the present data, with the shared noise of the whole stream."""

    def __init__(self, bits: BitSource, evaluation_limit: int) -> None:
        self._bits = bits
        self._noise = NoisyRounds(bits)
        self._limit = evaluation_limit
        self._checked: CountingRound | None = None
        self.rounds = 0
        self.failed = False

    def accepts(self, round_: CountingRound, box: ThresholdBox, level: Fraction) -> bool:
        """Run one round; the count is drawn from its exact law, with no evaluation of the box."""
        if round_ is not self._checked:
            require_affordable(round_, self._limit, f"round {self.rounds}")
            self._checked = round_
        count = self._noise.draw_count(round_, box.success_probability(level))
        return round_.accepts(count)


class Ladder:
    """Holds a solution that is good for all events so far, epsilon-DP as a whole sequence.

    Args:
        budget: of the whole stream.
        box_of: the threshold box of a given privacy on the present data; the caller inserts the
            events into that data.
        first_level: theta_1 > 0.
        growth: zeta > 0.
        bits: source of fair bits.
        evaluation_limit: the guard of each round.

    The data may be chosen adaptively from what is published. Whether an event is absent must not
    change what is called: call ``update`` once per time, also for an empty event.
    """

    def __init__(
        self,
        budget: BoundedBudget | UnboundedBudget,
        box_of: BoxOf,
        *,
        first_level: Fraction,
        growth: Fraction,
        bits: BitSource = system_bits,
        evaluation_limit: int = EVALUATION_LIMIT,
    ) -> None:
        if first_level <= 0 or growth <= 0:
            raise ParameterError(
                f"first_level and growth: must be positive, not {first_level}, {growth}"
            )
        self.budget = budget
        self.held = Held(0, None)
        self._box_of = box_of
        self._first_level = first_level
        self._growth = growth
        self._runner = _Runner(bits, evaluation_limit)
        self._bits = bits
        self.losses: list[Fraction] = []
        self._broken = False

    def threshold(self, j: int) -> Fraction:
        """theta_j, *exact*."""
        return self._first_level * (1 + self._growth) ** (j - 1)

    @property
    def spent(self) -> Fraction:
        """Ex-post loss of what has been published, as a multiple of epsilon; at most 1, *exact*."""
        return self.budget.shared + sum(self.losses, Fraction(0))

    @property
    def recomputations(self) -> int:
        """How many times the level rose; at most R."""
        return len(self.losses)

    def update(self) -> Held:
        """What to publish after the latest event.

        Raises:
            MechanismStateError: after an error in an earlier call.
            ParameterError: beyond the horizon of the budget.
        """
        if self._broken:
            raise MechanismStateError("the ladder failed earlier and its budget is spent")
        self._broken = True
        level, released = self.held.level, None
        while self._may_rise(level):
            self._runner.rounds += 1
            j, r = level + 1, self._runner.rounds
            rates = self.budget.level(j, r)
            box, theta = self._box_of(rates.box), self.threshold(j)
            if not self._runner.accepts(self.budget.round(j, r), box, theta):
                break
            level, released = j, (box, theta)
            factor = 1 if self.budget.monotone else 2
            self.losses.append(factor * max(rates.own, rates.box))
        solution = self.held.solution
        if released is not None:
            box, theta = released
            solution = box.solutions[box.draw_released(theta, self._bits)]
        self.held = Held(level, solution)
        self._broken = False
        return self.held

    def _may_rise(self, level: int) -> bool:
        return not isinstance(self.budget, BoundedBudget) or level < self.budget.acceptances


class Comparison:
    """The form that compares with the held solution H; fewer releases on stationary streams.

    A round accepts when some S has u(S) - (1 + zeta) u(H) + noise >= margin; each acceptance is
    followed by a release, at most R in all. Boxes must have (1 + zeta) times the sensitivity.

    Args:
        budget: of the whole stream.
        box_of: as for the ladder.
        value: solution -> its present u; 0 before the first release.
        growth: zeta > 0.
        margin: c.
        bits: source of fair bits.
        evaluation_limit: the guard of each round.
    """

    def __init__(
        self,
        budget: BoundedBudget,
        box_of: BoxOf,
        value: Callable[[int], Fraction],
        *,
        growth: Fraction,
        margin: Fraction,
        bits: BitSource = system_bits,
        evaluation_limit: int = EVALUATION_LIMIT,
    ) -> None:
        if growth <= 0 or margin <= 0:
            raise ParameterError(f"growth and margin: must be positive, not {growth}, {margin}")
        self.budget = budget
        self.held = Held(0, None)
        self._place: int | None = None
        self._box_of = box_of
        self._value = value
        self._growth = growth
        self._margin = margin
        self._runner = _Runner(bits, evaluation_limit)
        self._bits = bits
        self._broken = False

    @property
    def recomputations(self) -> int:
        """How many times a new solution was released; at most R."""
        return self.held.level

    def update(self) -> Held:
        """What to publish after the latest event.

        Raises:
            MechanismStateError: after an error in an earlier call.
            ParameterError: beyond the horizon of the budget.
        """
        if self._broken:
            raise MechanismStateError("the mechanism failed earlier and its budget is spent")
        self._broken = True
        rates = self.budget.level(1, 1)
        while self.held.level < self.budget.acceptances:
            self._runner.rounds += 1
            value = Fraction(0) if self._place is None else self._value(self._place)
            bar = self._margin + (1 + self._growth) * value
            box = self._box_of(rates.box)
            round_ = self.budget.round(1, self._runner.rounds)
            if not self._runner.accepts(round_, box, bar):
                break
            self._place = box.draw_released(bar, self._bits)
            self.held = Held(self.held.level + 1, box.solutions[self._place])
        self._broken = False
        return self.held
