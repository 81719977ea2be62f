"""Baselines beside the ladder: no privacy, a batch run at every event, a public doubling schedule.

Each releases by selection alone (no check). On slowly changing streams the doubling schedule can
win; the ladder wins where the optimum jumps at a time that nobody knows beforehand.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from solvers.epsilon import parse_epsilon
from solvers.thresholding.continual.ladder import Comparison, Ladder
from solvers.thresholding.continual.objective import Objective
from solvers.thresholding.continual.selection import selection_law_float
from solvers.thresholding.errors import ParameterError
from solvers.thresholding.randomness import BitSource, LazyUniform, system_bits
from solvers.thresholding.rates import Rate

__all__ = ["StreamResult", "doubling", "every_step", "non_private", "run_ladder"]


@dataclass(frozen=True, slots=True)
class StreamResult:
    """How well the held solutions did.

    Args:
        ratios: u(X_t, S_t) / OPT(X_t) at each time; 1 while OPT is 0.
        recomputations: how often a new solution was released.
    """

    ratios: tuple[float, ...]
    recomputations: int

    @property
    def final(self) -> float:
        """The ratio at the end."""
        return self.ratios[-1]

    def mean_from(self, start: int) -> float:
        """The mean ratio from event number ``start`` (counted from 1)."""
        tail = self.ratios[start - 1 :]
        if not tail:
            raise ParameterError(f"start: {start} is beyond the {len(self.ratios)} events")
        return sum(tail) / len(tail)


def _ratio(objective: Objective, place: int | None) -> float:
    best = objective.optimum()
    if best == 0:
        return 1.0
    return 0.0 if place is None else float(objective.value(place) / best)


def _follow(
    objective: Objective,
    events: Iterable[object],
    choose: Callable[[int], int | None],
) -> StreamResult:
    """Insert the events; ``choose`` returns a new solution's position or None to hold."""
    ratios, place, count = [], None, 0
    for t, event in enumerate(events, 1):
        if event is not None:
            objective.insert(event)
        chosen = choose(t)
        if chosen is not None:
            place, count = chosen, count + 1
        ratios.append(_ratio(objective, place))
    return StreamResult(tuple(ratios), count)


def non_private(objective: Objective, events: Iterable[object]) -> StreamResult:
    """The greedy algorithm at every event, with no privacy."""
    return _follow(objective, events, lambda _: objective.greedy())


def _select(objective: Objective, rate: Rate, bits: BitSource) -> int:
    """A private selection, for simulations: the law is a float law."""
    per_step = float(rate) / objective.family.n_steps / float(objective.sensitivity)
    values = objective.values_float()
    law = selection_law_float(objective.family, [per_step * layer for layer in values])
    uniform = LazyUniform(bits)
    uniform.extend(64)
    target = uniform.value / 2**64 * float(law.sum())
    return min(int(law.cumsum().searchsorted(target)), len(law) - 1)


def every_step(
    objective: Objective,
    events: Iterable[object],
    epsilon: object,
    horizon: int,
    bits: BitSource = system_bits,
) -> StreamResult:
    """A batch run with epsilon / T at every event."""
    rate = Rate(Fraction(1, horizon), parse_epsilon(epsilon).level)
    return _follow(objective, events, lambda _: _select(objective, rate, bits))


def doubling(
    objective: Objective,
    events: Iterable[object],
    epsilon: object,
    horizon: int,
    bits: BitSource = system_bits,
) -> StreamResult:
    """A batch run at the events 1, 2, 4, ..., each with an equal share of epsilon."""
    rate = Rate(Fraction(1, horizon.bit_length()), parse_epsilon(epsilon).level)

    def choose(t: int) -> int | None:
        return _select(objective, rate, bits) if t & (t - 1) == 0 else None

    return _follow(objective, events, choose)


def run_ladder(
    objective: Objective, events: Iterable[object], ladder: Ladder | Comparison
) -> StreamResult:
    """The ladder (or the comparison form) on the stream; None is an empty event."""
    place_of = {solution: i for i, solution in enumerate(objective.family.solutions)}

    def choose(_: int) -> int | None:
        before = ladder.held
        after = ladder.update()
        if after.level == before.level or after.solution is None:
            return None
        return place_of[after.solution]

    result = _follow(objective, events, choose)
    return StreamResult(result.ratios, ladder.recomputations)
