"""The ex-post variant: the loss depends on the step that stops, and Lambda_t is a constant.

Step t has its own noise rate eta_t = epsilon_t ln(4/beta_t), rounded up to a rational, and the
shared noise the rate eta_0 >= epsilon, epsilon_t ln(4/beta). Then P[tau = t] changes by a factor at
most e^(eta_0 + 2 eta_t) between neighbours and P[tau > t] by at most e^(eta_0), while Lambda_t =
(4/beta)^(epsilon_t/eta_0) (4/beta_t)^(epsilon_t/eta_t) <= e^2.
"""

from dataclasses import dataclass
from fractions import Fraction

from solvers.backend import arb, ball, ball_bounds, working_precision
from solvers.thresholding.calibration import (
    PRECISION,
    CalibrationMethod,
    Calibrator,
    failure_budget_ball,
)
from solvers.thresholding.certificate import RoundKind, coupling_certificate
from solvers.thresholding.counting_test import round_significant
from solvers.thresholding.errors import ParameterError
from solvers.thresholding.parameters import Parameters, StepParameters
from solvers.thresholding.purification import BinarySymmetricChannel
from solvers.thresholding.rates import Rate
from solvers.thresholding.rounds import CountingRound, Direction
from verify.kernel.certificate import Certificate
from verify.kernel.interval import Interval
from verify.kernel.privacy_level import PrivacyLevel

__all__ = ["ExPostStep", "calibrate_ex_post", "ex_post_certificate"]


@dataclass(frozen=True, slots=True)
class ExPostStep:
    """A step of the ex-post variant.

    Args:
        t: its number.
        step: its parameters.
        shared_rate: eta_0 in nats, *exact*: what is deployed.
        step_rate: eta_t in nats, *exact*.
        channel: the purifying channel.
        round: the round that is run.
        lambda_t: encloses Lambda_t; at most e^2.
        rejection_threshold: encloses the probability up to which the step rejects.
    """

    t: int
    step: StepParameters
    shared_rate: Fraction
    step_rate: Fraction
    channel: BinarySymmetricChannel
    round: CountingRound
    lambda_t: Interval
    rejection_threshold: Interval

    @property
    def loss(self) -> Fraction:
        """The loss when this step stops, in nats, *exact*: eta_0 + 2 eta_t."""
        return self.shared_rate + 2 * self.step_rate


def calibrate_ex_post(
    parameters: Parameters,
    step: StepParameters,
    t: int,
    method: CalibrationMethod = CalibrationMethod.POISSON_QUANTILE,
) -> ExPostStep:
    """Step t of the ex-post variant; epsilon of the parameters is the loss of never stopping.

    Args:
        parameters: theta is not used.
        step: needs epsilon_t ln(4/beta) <= epsilon, so that Lambda_t <= e^2.
        t: number of the step.
        method: how the counting test is found.

    Raises:
        ParameterError: if epsilon_t ln(4/beta) exceeds epsilon.
    """
    test = Calibrator(parameters, method)(step, t).test
    channel = BinarySymmetricChannel.purifying(step.epsilon, step.delta)
    target = channel.clean(step.p_star)
    with working_precision(PRECISION):
        epsilon_t, log_beta = step.scale.ball(), (4 / ball(parameters.beta)).log()
        log_step = (4 / failure_budget_ball(parameters, t)).log()
        shared = round_significant(Rate(Fraction(1), parameters.level).ball(), up=False)
        if epsilon_t * log_beta > ball(shared):
            raise ParameterError(
                f"epsilon_t: {step.epsilon} times ln(4/beta) is more than epsilon = "
                f"{parameters.epsilon}; the ex-post variant needs it to be at most epsilon"
            )
        own = round_significant(epsilon_t * log_step, up=True)
        shared_power = epsilon_t * log_beta / ball(shared)
        lambda_ball = (shared_power + epsilon_t * log_step / ball(own)).exp()
        x = lambda_ball * parameters.gamma_ball()
        direct = bool(ball(target) * (1 + x) <= x)
        if direct:
            rate = ball(test.high_mean / target) * shared_power.exp()
        else:
            rate = ball(test.low_mean / (1 - target)) / shared_power.exp()
        rho = round_significant(rate, up=direct)
        threshold = _least_threshold(step.p_star, channel.crossover, x, direct=direct)
        bounds = Interval(*ball_bounds(lambda_ball)), Interval(*ball_bounds(threshold))
    round_ = CountingRound(
        Direction.DIRECT if direct else Direction.FLIPPED,
        test.count if direct else test.count - 1,
        rho,
        step.scale,
        Rate.of_nats(shared),
        Rate.of_nats(own),
    )
    return ExPostStep(t, step, shared, own, channel, round_, *bounds)


def _least_threshold(p_star: Fraction, crossover: Fraction, x: arb, *, direct: bool) -> arb:
    """The probability up to which the step rejects, for x = Lambda_t times the resolution."""
    lost, accepted = ball(crossover / (1 - 2 * crossover)), ball(p_star)
    if direct:
        return accepted / x - (1 - 1 / x) * lost
    return 1 - x * (1 - accepted) - (x - 1) * lost


def ex_post_certificate(step: ExPostStep) -> Certificate:
    """The claim that stopping at this step, after any steps, loses at most its loss.

    The unit of the certificate is one nat. The kind of the earlier steps does not matter, since
    only the shared shift pays for their rejections.
    """
    kind = RoundKind(
        step.round.direction,
        step.step_rate,
        step.step.epsilon.level,
        step.step.delta,
        step.channel.crossover,
    )
    unit = PrivacyLevel(nats=Fraction(1))
    return coupling_certificate(unit, step.shared_rate, [[kind]], total=step.loss)
