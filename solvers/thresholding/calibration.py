"""Calibration: from the parameters to the rate, threshold and direction of every step.

Letters: beta_t = beta / (5 t ln^3(t + 2)), or beta / T for a horizon T, is the failure budget of
step t; S_max = ln(4/beta) / epsilon_0 and Y_max = ln(4/beta_t) / epsilon_1 are cut-offs of the
noises; Lambda_t = exp(epsilon_t (S_max + Y_max)); x = gamma Lambda_t; p~ is a probability after
purification. A step is direct (counts +1) iff p~* <= x / (1 + x), else flipped (counts -1).
"""

import math
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction
from functools import lru_cache

from solvers.backend import arb, ball, ball_bounds, working_precision
from solvers.thresholding.counting_test import (
    CountingTest,
    chernoff_test,
    quantile_test,
    round_significant,
)
from solvers.thresholding.errors import ParameterError
from solvers.thresholding.parameters import Parameters, StepParameters
from solvers.thresholding.purification import BinarySymmetricChannel
from solvers.thresholding.rounds import CountingRound, Direction
from verify.kernel.exact import INFINITE, Infinity
from verify.kernel.interval import Interval

__all__ = [
    "CalibratedStep",
    "CalibrationMethod",
    "Calibrator",
    "calibrate_step",
    "failure_budget_ball",
    "noise_allowance_ball",
]

PRECISION = 192
"""Bits of the balls from which rates are rounded to 128 significant bits."""
_TAIL_STEPS = 16


class CalibrationMethod(Enum):
    """How thresholds are found: the closed form, or exact quantiles of the Poisson law."""

    CHERNOFF = "chernoff"
    POISSON_QUANTILE = "poisson-quantile"


def failure_budget_ball(parameters: Parameters, t: int) -> arb:
    """Encloses beta_t; they sum to less than beta / 4 when endless, to beta on a horizon."""
    if parameters.horizon is not None:
        return ball(parameters.beta / parameters.horizon)
    return ball(parameters.beta) / (5 * t * arb(t + 2).log() ** 3)


@dataclass(frozen=True, slots=True)
class CalibratedStep:
    """Step t, ready to run. Numbers that are not rational are methods that enclose them.

    Args:
        t: its number, from 1.
        parameters: of the whole run.
        step: of this step.
        channel: the purifying channel of its black box.
        test: the counting test.
        round: direction, threshold and rate of the round that is run.
    """

    t: int
    parameters: Parameters
    step: StepParameters
    channel: BinarySymmetricChannel
    test: CountingTest
    round: CountingRound

    @property
    def direction(self) -> Direction:
        """DIRECT or FLIPPED."""
        return self.round.direction

    @property
    def threshold(self) -> int:
        """A direct step accepts for counts >= it, a flipped one for counts <= it."""
        return self.round.threshold

    @property
    def rate(self) -> Fraction:
        """rho_t, *exact*: the number that is deployed."""
        return self.round.rate

    @property
    def crossover(self) -> Fraction:
        """phi_t, *exact*: the number that is deployed."""
        return self.channel.crossover

    def lambda_ball(self) -> arb:
        """Encloses Lambda_t at the working precision."""
        return noise_allowance_ball(self.parameters, self.step, self.t).exp()

    def lambda_t(self, bits: int = PRECISION) -> Interval:
        """Encloses Lambda_t."""
        with working_precision(bits):
            return Interval(*ball_bounds(self.lambda_ball()))

    def rejection_threshold(self, bits: int = PRECISION) -> Interval:
        """Encloses p-bar_t: success probabilities up to it are rejected; below 0: none for sure."""
        with working_precision(bits):
            x, p_star, phi = (
                self.lambda_ball() * self.parameters.gamma_ball(),
                *map(ball, (self.step.p_star, self.crossover)),
            )
            lost = phi / (1 - 2 * phi)  # delta_t / (E_t - 1)
            if self.direction is Direction.DIRECT:
                return Interval(*ball_bounds(p_star / x - (1 - 1 / x) * lost))
            return Interval(*ball_bounds(1 - x * (1 - p_star) - (x - 1) * lost))

    def paper_rejection_threshold(self, bits: int = PRECISION) -> Interval:
        """Encloses max(p*/x, 1 - x (1 - p*)) - delta_t/epsilon_t, the published formula.

        For delta_t > 0 and flipped steps it promises more than this mechanism guarantees.
        """
        with working_precision(bits):
            x, p_star = self.lambda_ball() * self.parameters.gamma_ball(), ball(self.step.p_star)
            best = (p_star / x).max(1 - x * (1 - p_star))
            return Interval(*ball_bounds(best - ball(self.step.delta) / self.step.scale.ball()))

    def log_rate(self, bits: int = PRECISION) -> Interval:
        """Encloses ln rho_t."""
        with working_precision(bits):
            return Interval(*ball_bounds(ball(self.rate).log()))

    def expected_evaluations(self, bits: int = PRECISION) -> Interval | Infinity:
        """Encloses the mean number of evaluations, or INFINITE when the noise has no such moment.

        rho_t E[exp(epsilon_t Z_t)], over both noises; finite for epsilon_t < epsilon_1 (direct) or
        epsilon_t < epsilon_0 (flipped).
        """
        with working_precision(bits):
            value = self.round.mean_evaluations_ball()
            return INFINITE if value is None else Interval(*ball_bounds(value))

    def evaluation_bound(self, bits: int = PRECISION) -> Interval:
        """Encloses a number of evaluations that is exceeded with probability at most 3 beta_t / 4.

        (beta_t / 4 for Y_t, as much for the Poisson number; and beta / 4 for S once in the run.)
        """
        with working_precision(bits):
            parameters, log_beta = self.parameters, _log_quarter(self.parameters, self.t)
            largest = ball(self.rate)
            if self.direction is Direction.DIRECT:
                largest *= (self.step.scale.ratio_ball(parameters.step_rate) * log_beta).exp()
            else:
                log_shared = (4 / ball(parameters.beta)).log()
                largest *= (self.step.scale.ratio_ball(parameters.shared_rate) * log_shared).exp()
            return Interval(*ball_bounds(largest + (2 * largest * log_beta).sqrt() + log_beta))


def _log_quarter(parameters: Parameters, t: int) -> arb:
    """Encloses ln(4 / beta_t)."""
    return (4 / failure_budget_ball(parameters, t)).log()


def noise_allowance_ball(parameters: Parameters, step: StepParameters, t: int) -> arb:
    """Encloses epsilon_t (S_max + Y_max,t) = ln Lambda_t."""
    log_shared = (4 / ball(parameters.beta)).log()
    scale = step.scale
    return scale.ratio_ball(parameters.shared_rate) * log_shared + scale.ratio_ball(
        parameters.step_rate
    ) * _log_quarter(parameters, t)


def calibrate_step(
    parameters: Parameters,
    step: StepParameters,
    t: int,
    method: CalibrationMethod = CalibrationMethod.POISSON_QUANTILE,
) -> CalibratedStep:
    """Step t with its direction, threshold and rate.

    With probability at least 1 - beta, all steps t at once: p_t >= p*_t is accepted and p_t at most
    the rejection threshold is rejected.

    Raises:
        ParameterError: if t is below 1 or beyond the horizon.
    """
    return Calibrator(parameters, method)(step, t)


class Calibrator:
    """Calibrates many steps of one run: what steps have in common is computed once.

    Args:
        parameters: of the run.
        method: how thresholds are found.
    """

    def __init__(
        self,
        parameters: Parameters,
        method: CalibrationMethod = CalibrationMethod.POISSON_QUANTILE,
    ) -> None:
        self.parameters = parameters
        self.method = method
        self._tests: dict[int, CountingTest | None] = {}
        self._kinds: dict[StepParameters, _StepKind] = {}
        self._last: _StepKind | None = None
        self._closed: CountingTest | None = None
        self._log_scale = _TAIL_STEPS / math.log(2)
        beta = parameters.beta  # may be below every float
        self._log_first = math.log(20 * beta.denominator) - math.log(beta.numerator)

    def __call__(self, step: StepParameters, t: int) -> CalibratedStep:
        """The calibrated step t.

        Raises:
            ParameterError: if t is below 1 or beyond the horizon.
        """
        horizon = self.parameters.horizon
        if t < 1 or (horizon is not None and t > horizon):
            raise ParameterError(f"t: step {t} is not in 1..{horizon or 'infinity'}")
        kind = self._last
        if kind is None or kind.step is not step:
            kind = self._kinds.get(step)
            if kind is None:
                kind = self._kinds[step] = _StepKind(self.parameters, step)
            self._last = kind
        test = self._test(t)
        round_ = kind.round(test, direct=kind.is_direct(t))
        return CalibratedStep(t, self.parameters, step, kind.channel, test, round_)

    def _test(self, t: int) -> CountingTest:
        if self.method is CalibrationMethod.CHERNOFF:
            return self._closed_test(t)
        index = 0
        if self.parameters.horizon is None:
            # Steps whose tails lie within a factor 2^(1/16) share one test. A float serves: it is
            # off by less than the 1e-6 that is added, so the grid tail stays below beta_t / 4.
            log_tail = self._log_first + math.log(t) + 3 * math.log(math.log(t + 2))
            index = math.ceil(log_tail * self._log_scale + 1e-6)
        if index not in self._tests:
            self._tests[index] = self._shared_test(index)
        return self._tests[index] or self._closed_test(t)

    def _shared_test(self, index: int) -> CountingTest | None:
        """The quantile test, or None when the closed form would need less somewhere."""
        parameters = self.parameters
        if parameters.horizon is not None:
            return quantile_test(parameters.beta / (4 * parameters.horizon), parameters.gamma)
        test = quantile_test(_grid_tail(index), parameters.gamma)
        with working_precision(PRECISION):
            closed = chernoff_test(
                arb(index - 2) * arb.const_log2() / _TAIL_STEPS, parameters.gamma
            )
        return test if test.high_mean <= closed.high_mean else None

    def _closed_test(self, t: int) -> CountingTest:
        if self._closed is not None and self.parameters.horizon is not None:
            return self._closed
        with working_precision(PRECISION):
            self._closed = chernoff_test(_log_quarter(self.parameters, t), self.parameters.gamma)
        return self._closed


class _StepKind:
    """What all steps with the same parameters have in common."""

    def __init__(self, parameters: Parameters, step: StepParameters) -> None:
        self.parameters = parameters
        self.step = step
        self.channel = BinarySymmetricChannel.purifying(step.epsilon, step.delta)
        self._target = self.channel.clean(step.p_star)
        self._direct_from: int | None = None
        self._rounds: dict[tuple[int, bool], tuple[CountingTest, CountingRound]] = {}

    def is_direct(self, t: int) -> bool:
        """Whether p~* <= x / (1 + x); x grows with t, so direct steps stay direct."""
        if self._direct_from is not None and t >= self._direct_from:
            return True
        with working_precision(PRECISION):
            allowance = noise_allowance_ball(self.parameters, self.step, t)
            x = allowance.exp() * self.parameters.gamma_ball()
            direct = bool(ball(self._target) * (1 + x) <= x)
        if direct:
            self._direct_from = t if self.parameters.horizon is None else 1
        return direct

    def round(self, test: CountingTest, *, direct: bool) -> CountingRound:
        """The round that makes the counting test at the target."""
        known = self._rounds.get((test.count, direct))
        if known is not None and known[0] is test:
            return known[1]
        step, parameters = self.step, self.parameters
        with working_precision(PRECISION):
            log_shared = (4 / ball(parameters.beta)).log()
            shared = (step.scale.ratio_ball(parameters.shared_rate) * log_shared).exp()
            if direct:
                rate = ball(test.high_mean / self._target) * shared
            else:
                rate = ball(test.low_mean / (1 - self._target)) / shared
            rounded = round_significant(rate, up=direct)
        round_ = CountingRound(
            Direction.DIRECT if direct else Direction.FLIPPED,
            test.count if direct else test.count - 1,
            rounded,
            step.scale,
            parameters.shared_rate,
            parameters.step_rate,
        )
        self._rounds[test.count, direct] = test, round_
        return round_


@lru_cache(maxsize=4096)
def _grid_tail(index: int) -> Fraction:
    """2^(-index/16), rounded down."""
    with working_precision(PRECISION):
        power = arb(2) ** (-arb(index) / _TAIL_STEPS)
        return round_significant(power, up=False, bits=64)
