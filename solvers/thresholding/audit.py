"""Privacy audit: adversarial neighbours are searched in floats, the worst is enclosed with proof.

A pair is a sequence of success probabilities p_1..p_n on one data set and p'_1..p'_n on a
neighbouring one, each (p_t, p'_t) allowed by (epsilon_t, delta_t)-DP: p <= E p' + delta, 1 - p <=
E (1 - p') + delta and the same with p, p' exchanged. The event is {tau = n} or {tau > n}. As
acceptance grows with p, the worst pairs have p low and p' high before n, the other way round at n.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from numpy.typing import NDArray
from scipy.special import gammaincc, gammaln

from solvers.backend import arb, ball_bounds, working_precision
from solvers.thresholding.calibration import CalibratedStep
from solvers.thresholding.parameters import StepParameters
from solvers.thresholding.rates import nats_ball
from solvers.thresholding.rounds import CountingRound, Direction
from solvers.thresholding.stopping_law import StoppingIntegral
from verify.kernel.errors import LimitError
from verify.kernel.interval import Interval

__all__ = [
    "AuditResult",
    "Event",
    "NeighbourPair",
    "audit_privacy",
    "enclose_log_ratio",
    "is_neighbour",
    "neighbour_range",
]

Array = NDArray[np.float64]


def neighbour_range(
    step: StepParameters, p: Fraction, share: Fraction = Fraction(1)
) -> tuple[Fraction, Fraction]:
    """The least and largest p' that (epsilon_t, delta_t)-DP surely allows beside p, rational.

    Args:
        step: the privacy of the black box.
        p: its success probability.
        share: E - 1 and delta are multiplied by it, <= 1.
    """
    E, delta = 1 + share * (step.epsilon.exp_lower - 1), share * step.delta
    low = max((p - delta) / E, 1 - E * (1 - p) - delta, Fraction(0))
    high = min(E * p + delta, 1 - (1 - p - delta) / E, Fraction(1))
    return low, high


def is_neighbour(step: StepParameters, p: Fraction, q: Fraction) -> bool:
    """Whether the pair is surely allowed."""
    low, high = neighbour_range(step, p)
    return low <= q <= high


@dataclass(frozen=True, slots=True)
class Event:
    """{tau = length} when ``stops``, else {tau > length}."""

    length: int
    stops: bool

    def __str__(self) -> str:
        """As a formula."""
        return f"tau {'=' if self.stops else '>'} {self.length}"


@dataclass(frozen=True, slots=True)
class NeighbourPair:
    """Success probabilities on two neighbouring data sets, before purification."""

    first: tuple[Fraction, ...]
    second: tuple[Fraction, ...]


@dataclass(frozen=True, slots=True)
class AuditResult:
    """The worst pair found and its enclosed log-ratio.

    Args:
        pair: the success probabilities.
        event: the event whose probabilities are compared.
        log_ratio: encloses ln(P[event] / P'[event]).
        epsilon: encloses epsilon.
    """

    pair: NeighbourPair
    event: Event
    log_ratio: Interval
    epsilon: Interval

    @property
    def within(self) -> bool:
        """Whether the log-ratio is certainly at most epsilon."""
        return self.log_ratio.upper <= self.epsilon.lower

    @property
    def tightness(self) -> float:
        """log-ratio / epsilon, a float for reports; 1 is attained in the limit."""
        return float(self.log_ratio.lower / self.epsilon.upper)


def enclose_log_ratio(
    laws: Sequence[StoppingIntegral], event: Event, *, bits: int = 128
) -> Interval:
    """Encloses the log-ratio of the event's probabilities under two laws.

    Raises:
        LimitError: if a probability is below 2^-600 or the precision does not suffice.
    """
    values = [_enclose_relatively(one, event) for one in laws]
    with working_precision(bits):
        return Interval(*ball_bounds((values[0] / values[1]).log()))


def _enclose_relatively(integral: StoppingIntegral, event: Event) -> arb:
    law = integral.stop if event.stops else integral.beyond
    size, before = Fraction(1), None
    while size > _SMALLEST:
        value = law(event.length, size)
        if not value.is_finite():
            break
        lower, upper = ball_bounds(value)
        if lower > 0 and upper - lower <= upper / 2**40:
            return value
        if before is not None and upper - lower > before / 4:
            break
        before, size = upper - lower, upper / 2**40
    raise LimitError(f"the probability of {event} is too small to enclose at this precision")


def audit_privacy(steps: Sequence[CalibratedStep], *, bits: int = 128) -> AuditResult:
    """The worst of many adversarial pairs for these steps, with an enclosed log-ratio.

    The bound is approached so closely that the extreme pair may not be told from it; then the pair
    that moves the probabilities by a little less (E - 1 and delta times 4095/4096) is enclosed.

    Args:
        steps: the first steps of a run, all of one mechanism.
        bits: working precision of the enclosure.
    """
    event, early, last = _search(steps)
    with working_precision(bits):
        epsilon = Interval(*ball_bounds(nats_ball(steps[0].parameters.level)))
    for share in (Fraction(1), Fraction(4095, 4096)):
        pair = _pair(steps, event, early, last, share)
        ratio = _enclose_pair(steps, pair, event, bits)
        result = AuditResult(pair, event, ratio, epsilon)
        if result.within or ratio.lower > epsilon.upper:
            break
    return result


def _enclose_pair(
    steps: Sequence[CalibratedStep], pair: NeighbourPair, event: Event, bits: int
) -> Interval:
    """The log-ratio, with more bits where cancellation demands them."""
    rounds = [step.round for step in steps[: event.length]]
    cleaned = [
        [step.channel.clean(p) for step, p in zip(steps, side, strict=False)]
        for side in (pair.first, pair.second)
    ]
    while True:
        integrals = [StoppingIntegral.of_rounds(rounds, side, bits) for side in cleaned]
        try:
            return enclose_log_ratio(integrals, event, bits=bits)
        except LimitError:
            if bits > _MOST_BITS:
                raise
            bits *= 2


_TINY = [Fraction(1, 10**k) for k in (40, 25, 15, 10, 7, 5, 4, 3)]
_MOST_BITS = 256
_LEAST_FLOAT, _LEAST_MASS = 1e-30, 1e-8
_SMALLEST = Fraction(1, 2**600)
_GRID = [
    Fraction(0),
    *_TINY,
    *(Fraction(k, 100) for k in (1, 2, 4, 7, 10, 15, 20, 30, 40, 50, 60, 70, 80, 90, 96, 98, 99)),
    *(1 - p for p in reversed(_TINY)),
    Fraction(1),
]
_NODES = 3000


def _search(steps: Sequence[CalibratedStep]) -> tuple[Event, int, int]:
    """The event and grid indices, before and at its end, of the largest ratio in floats."""
    rate = float(steps[0].parameters.shared_rate)
    x: Array = np.asarray((np.arange(_NODES) + 0.5) * (60 / rate / _NODES), dtype=np.float64)
    weights = rate * np.exp(-rate * x) * (x[1] - x[0])
    low, high = [], []  # acceptance, (grid, nodes), with p the grid's and its extreme neighbours
    for step in steps:
        low.append([acceptance_float(step, min(neighbour_range(step.step, p)), x) for p in _GRID])
        high.append([acceptance_float(step, p, x) for p in _GRID])
    best: tuple[float, tuple[int, int] | None, Event] = (-np.inf, None, Event(1, stops=True))
    for n in range(1, len(steps) + 1):
        rejects = _rejects(low[: n - 1], len(x))
        rejects_next = _rejects(high[: n - 1], len(x))
        best = max(best, _best_stop(n, weights, (rejects, rejects_next), (low, high)), key=_score)
        best = max(best, _best_beyond(n, weights, low, high), key=_score)
    _, indices, event = best
    return event, *(indices or (0, 0))


def _score(candidate: tuple[float, tuple[int, int] | None, Event]) -> float:
    return candidate[0]


def _best_stop(
    n: int,
    weights: Array,
    rejects: tuple[Array, Array],
    accepts: tuple[list[list[Array]], list[list[Array]]],
) -> tuple[float, tuple[int, int], Event]:
    low, high = accepts
    first = (rejects[0] * weights) @ np.array(high[n - 1]).T
    second = (rejects[1] * weights) @ np.array(low[n - 1]).T
    ratio = _log_ratio(first, second)
    masses = [(side @ weights)[:, None] for side in rejects]
    ratio[np.broadcast_to(np.minimum(*masses) < _LEAST_MASS, ratio.shape)] = -np.inf
    index = int(np.argmax(ratio))
    early, last = divmod(index, len(_GRID))
    return float(ratio[early, last]), (early, last), Event(n, stops=True)


def _best_beyond(
    n: int, weights: Array, low: list[list[Array]], high: list[list[Array]]
) -> tuple[float, tuple[int, int], Event]:
    first = _rejects(low[:n], len(weights)) @ weights
    second = _rejects(high[:n], len(weights)) @ weights
    ratio = _log_ratio(first, second)
    ratio[np.minimum(first, second) < _LEAST_MASS] = -np.inf
    early = int(np.argmax(ratio))
    return float(ratio[early]), (early, 0), Event(n, stops=False)


def _rejects(accepts: list[list[Array]], nodes: int) -> Array:
    """Product of 1 - accept, (grid, nodes); what is below 1e-12 is rounding noise, taken as 0."""
    product = np.ones((len(_GRID), nodes))
    for one in accepts:
        reject = 1 - np.array(one)
        reject[reject < 1e-12] = 0
        product *= reject
    return product


def _log_ratio(first: Array, second: Array) -> Array:
    reliable = (first > _LEAST_FLOAT) & (second > _LEAST_FLOAT)
    ratio = np.full(first.shape, -np.inf)
    ratio[reliable] = np.log(first[reliable]) - np.log(second[reliable])
    return ratio


def _pair(
    steps: Sequence[CalibratedStep], event: Event, early: int, last: int, share: Fraction
) -> NeighbourPair:
    first, second = [], []
    for t, step in enumerate(steps[: event.length], 1):
        turned = event.stops and t == event.length
        p = _GRID[last if turned else early]
        low = neighbour_range(step.step, p, share)[0]
        first.append(p if turned else low)
        second.append(low if turned else p)
    return NeighbourPair(tuple(first), tuple(second))


def acceptance_float(step: CalibratedStep, probability: Fraction, x: Array) -> Array:
    """Float acceptance probability of the step given S = x, for searches only."""
    p = step.channel.clean(probability)
    return round_acceptance_float(step.round, p, x)


def round_acceptance_float(round_: CountingRound, probability: Fraction, x: Array) -> Array:
    """Float acceptance probability of a round given S = x; see ``stopping_law`` for the formula."""
    direct = round_.direction is Direction.DIRECT
    counted = probability if direct else 1 - probability
    if counted == 0 or (direct and round_.threshold < 1):
        return np.full(x.shape, float(round_.accepts(0)))
    scale, a = float(round_.scale), float(round_.own) / float(round_.scale)
    sign = -1 if direct else 1
    log_m = _log(round_.rate * counted) + sign * scale * x
    m = np.exp(np.minimum(log_m, 700))
    if direct:
        count = float(round_.threshold)
        noisy = a * log_m + _log_gamma_upper(count - a, m) - gammaln(count)
        return np.asarray(np.clip(1 - gammaincc(count, m) + np.exp(noisy), 0, 1), dtype=np.float64)
    count = round_.threshold + 1.0
    lower = 1 - gammaincc(count + a, m)
    with np.errstate(divide="ignore"):
        noisy = -a * log_m + np.log(lower) + gammaln(count + a) - gammaln(count)
    return np.asarray(np.clip(gammaincc(count, m) + np.exp(noisy), 0, 1), dtype=np.float64)


def _log(number: Fraction) -> float:
    return math.log(number.numerator) - math.log(number.denominator)


def _log_gamma_upper(shape: float, m: Array) -> Array:
    """Logarithm of Gamma(shape, m), for shape <= 0 by the recurrence."""
    if shape > 0:
        with np.errstate(divide="ignore"):
            return np.asarray(np.log(gammaincc(shape, m)) + gammaln(shape), dtype=np.float64)
    above = np.exp(_log_gamma_upper(shape + 1, m))
    with np.errstate(divide="ignore", over="ignore"):
        value = (above - m**shape * np.exp(-m)) / shape if shape else above
        return np.asarray(np.log(np.maximum(value, 0)), dtype=np.float64)
