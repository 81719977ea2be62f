"""Broken variants of the mechanism, each refuted by a pair of neighbours and an event.

A control is refuted when the log-ratio of the event's probabilities is certainly above the claimed
epsilon. They show that the audit can fail, and which parts of the construction privacy rests on.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from fractions import Fraction

from solvers.backend import acb, ball, ball_bounds, working_precision
from solvers.thresholding.audit import Event, enclose_log_ratio, neighbour_range
from solvers.thresholding.calibration import CalibratedStep
from solvers.thresholding.errors import ParameterError
from solvers.thresholding.rates import Rate, nats_ball
from solvers.thresholding.rounds import Direction
from solvers.thresholding.stopping_law import StoppingIntegral, acceptance_function

__all__ = [
    "Refutation",
    "cap_evaluations",
    "drop_shared_noise",
    "fix_evaluations",
    "flip_sign",
    "halve_shift_budget",
    "skip_purification",
]

_BITS = 128


@dataclass(frozen=True, slots=True)
class Refutation:
    """A witness that a variant is not epsilon-DP.

    Args:
        variant: what was broken.
        first: success probability of the black boxes on one data set (the earlier, the last).
        second: the same on a neighbouring data set.
        event: the event.
        log_ratio_lower: certain *lower bound* of the log-ratio; None when the ratio is infinite.
        epsilon_upper: certain *upper bound* of the claimed epsilon.
    """

    variant: str
    first: tuple[Fraction, ...]
    second: tuple[Fraction, ...]
    event: Event
    log_ratio_lower: Fraction | None
    epsilon_upper: Fraction

    @property
    def is_refuted(self) -> bool:
        """Whether the variant is certainly not epsilon-DP."""
        return self.log_ratio_lower is None or self.log_ratio_lower > self.epsilon_upper


def _epsilon_upper(step: CalibratedStep) -> Fraction:
    with working_precision(_BITS):
        return ball_bounds(nats_ball(step.parameters.level))[1]


def _log_lower(ratio: Fraction) -> Fraction:
    with working_precision(_BITS):
        return ball_bounds(ball(ratio).log())[0]


def _balanced_probability(step: CalibratedStep) -> Fraction:
    """A success probability at which a step without noise would be undecided."""
    count = step.threshold + (step.direction is Direction.FLIPPED)
    counted = min(Fraction(1, 2), (count / step.rate).limit_denominator(10**6))
    return counted if step.direction is Direction.DIRECT else 1 - counted


def drop_shared_noise(step: CalibratedStep) -> Refutation:
    """S = 0: the rounds are independent, and many rejections add up their log-ratios."""
    high = _balanced_probability(step)
    low = neighbour_range(step.step, high)[0]
    with working_precision(_BITS):
        rejects = [
            1 - acceptance_function(step.round, step.channel.clean(p))(acb(0)).real
            for p in (low, high)
        ]
        each = (rejects[0] / rejects[1]).log()
        lower = ball_bounds(each)[0]
    epsilon = _epsilon_upper(step)
    rounds = int(epsilon / lower) + 1
    event = Event(rounds, stops=False)
    return Refutation("no shared noise", (low,), (high,), event, rounds * lower, epsilon)


def halve_shift_budget(step: CalibratedStep, rounds: int = 2) -> Refutation:
    """Both rates doubled: what remains when each shift is charged at half its length."""
    round_ = replace(
        step.round,
        shared=Rate(2 * step.round.shared.multiple, step.round.shared.level),
        own=Rate(2 * step.round.own.multiple, step.round.own.level),
    )
    event = Event(rounds, stops=True)
    best: Refutation | None = None
    for high in (
        Fraction(9, 10),
        Fraction(1, 2),
        Fraction(1, 5),
        Fraction(1, 20),
        Fraction(1, 100),
    ):
        low = neighbour_range(step.step, high)[0]
        last = Fraction(1, 10**4)
        last_low = neighbour_range(step.step, last)[0]
        sides = [
            [*(step.channel.clean(early) for _ in range(rounds - 1)), step.channel.clean(end)]
            for early, end in ((low, last), (high, last_low))
        ]
        laws = [StoppingIntegral.of_rounds([round_] * rounds, side, _BITS) for side in sides]
        lower = enclose_log_ratio(laws, event, bits=_BITS).lower
        found = Refutation(
            "shift budget halved", (low, last), (high, last_low), event, lower, _epsilon_upper(step)
        )
        if best is None or lower > (best.log_ratio_lower or lower):
            best = found
        if found.is_refuted:
            break
    if best is None:
        raise ParameterError("rounds: needs at least one")
    return best


def _binomial_tail(trials: int, threshold: int, p: Fraction) -> Fraction:
    """P[Bin(trials, p) >= threshold], *exact*; integers until the end."""
    yes, no = p.numerator, p.denominator - p.numerator
    total = 0
    for k in range(threshold, trials + 1):
        total += math.comb(trials, k) * yes**k * no ** (trials - k)
    return Fraction(total, p.denominator**trials)


def cap_evaluations(step: CalibratedStep, extra: int = 3) -> Refutation:
    """A hard cap on the evaluations, ``extra`` above the threshold of a direct step.

    P[stop] is a mixture of P[Bin(n, p) >= T] over n = T..cap whose weights do not depend on p, so
    the ratio is at least the least of the ratios of these binomial tails.

    Raises:
        ParameterError: for a flipped step.
    """
    threshold = _direct_threshold(step)
    high = Fraction(1, 10**6)
    low = neighbour_range(step.step, high)[0]
    cleaned = [step.channel.clean(p) for p in (high, low)]
    ratios = []
    for trials in range(threshold, threshold + extra + 1):
        tails = [_binomial_tail(trials, threshold, p) for p in cleaned]
        ratios.append(tails[0] / tails[1])
    lower = _log_lower(min(ratios))
    return Refutation(
        "hard cap on evaluations",
        (high,),
        (low,),
        Event(1, stops=True),
        lower,
        _epsilon_upper(step),
    )


def _direct_threshold(step: CalibratedStep) -> int:
    if step.direction is not Direction.DIRECT:
        raise ParameterError("step: this control needs a direct step")
    return step.threshold


def fix_evaluations(step: CalibratedStep) -> Refutation:
    """N = ceil(rho) evaluations, a public number, instead of a Poisson number with a noisy mean.

    The count is binomial and the ratio of its tails an exact rational.

    Raises:
        ParameterError: for a flipped step.
    """
    threshold, trials = _direct_threshold(step), math.ceil(step.rate)
    high = Fraction(1, 10**6)
    low = neighbour_range(step.step, high)[0]
    tails = [_binomial_tail(trials, threshold, step.channel.clean(p)) for p in (high, low)]
    lower = _log_lower(tails[0] / tails[1])
    event = Event(1, stops=True)
    epsilon = _epsilon_upper(step)
    return Refutation("fixed number of evaluations", (high,), (low,), event, lower, epsilon)


def skip_purification(step: CalibratedStep) -> Refutation:
    """No purification: p = 0 never stops a direct step, p = delta does.

    Raises:
        ParameterError: for a flipped step or delta = 0.
    """
    _direct_threshold(step)
    if step.step.delta == 0:
        raise ParameterError("step: this control needs delta > 0")
    integral = StoppingIntegral.of_rounds([step.round], [step.step.delta], _BITS)
    positive = bool(integral.stop(1, Fraction(1, 2**200)) > 0)
    if not positive:
        raise ParameterError("step: delta is too small for a certain refutation")
    zero = Fraction(0)
    return Refutation(
        "no purification", (step.step.delta,), (zero,), Event(1, stops=True), None,
        _epsilon_upper(step),
    )  # fmt: skip


def flip_sign(step: CalibratedStep, most_rounds: int = 1 << 14) -> Refutation:
    """A flipped step with Z = Y - S: acceptance falls with Y, and S >= 0 cannot shift down.

    Raises:
        ParameterError: for a direct step.
    """
    if step.direction is not Direction.FLIPPED:
        raise ParameterError("step: this control needs a flipped step")
    # Rejecting is what a direct round with the threshold T + 1 calls accepting.
    mirrored = replace(step.round, direction=Direction.DIRECT, threshold=step.threshold + 1)
    epsilon = _epsilon_upper(step)
    high = _balanced_probability(step)
    low = neighbour_range(step.step, high)[0]
    rounds, found = 1, None
    while rounds <= most_rounds:
        event = Event(rounds, stops=False)
        laws = []
        for p in (low, high):
            with working_precision(_BITS):
                reject = acceptance_function(mirrored, 1 - step.channel.clean(p))
            accept = _accept_within(reject, rounds)
            laws.append(StoppingIntegral([accept], step.round.shared, _BITS))
        lower = enclose_log_ratio(laws, Event(1, stops=False), bits=_BITS).lower
        found = Refutation("wrong sign", (low,), (high,), event, lower, epsilon)
        if found.is_refuted:
            break
        rounds *= 4
    if found is None:
        raise ParameterError("most_rounds: needs at least one")
    return found


def _accept_within(reject: Callable[[acb], acb], rounds: int) -> Callable[[acb], acb]:
    """The probability that one of so many equal rounds accepts."""
    return lambda x: 1 - reject(x) ** rounds
