"""Ex-post variant, lower bounds, comparison table, best theta."""

import math
from fractions import Fraction

import pytest

from solvers.thresholding import (
    CalibrationMethod,
    Calibrator,
    ParameterError,
    Parameters,
    StepParameters,
)
from solvers.thresholding.audit import Event, enclose_log_ratio, neighbour_range
from solvers.thresholding.ex_post import calibrate_ex_post, ex_post_certificate
from solvers.thresholding.lower_bounds import (
    basic_lower_bound,
    compare,
    exponents,
    midpoint_lower_bound,
    path_length,
)
from solvers.thresholding.noise_split import best_theta
from solvers.thresholding.stopping_law import StoppingIntegral
from verify.kernel.certificate import Certificate, check_certificate

PARAMETERS = Parameters.of(1, "1/10")
STEP = StepParameters.of("1/20", "1/2")


@pytest.mark.parametrize("p_star", ["1/2", "999/1000"])
@pytest.mark.parametrize("t", [1, 30, 10**6])
def test_the_constant_is_at_most_e_squared_and_the_loss_has_its_form(p_star, t):
    step = StepParameters.of("1/20", p_star, "1/10000")
    made = calibrate_ex_post(PARAMETERS, step, t)
    assert made.lambda_t.upper <= Fraction(math.e**2)
    loss = 1 + 2 / 20 * math.log(200 * t * math.log(t + 2) ** 3)
    assert abs(float(made.loss) - loss) < 1e-12
    assert check_certificate(ex_post_certificate(made)).is_accepted
    claim = {**ex_post_certificate(made).claim, "total": str(made.loss - Fraction(1, 10**20))}
    witness = ex_post_certificate(made).witness
    assert not check_certificate(Certificate("coupling", claim, witness)).is_accepted


def test_ex_post_losses_hold_for_adversarial_pairs():
    """ln P[tau = 2] ratio is within eta_0 + 2 eta_2 and close to it; ln P[tau > 1] within eta_0."""
    steps = [calibrate_ex_post(PARAMETERS, STEP, t) for t in (1, 2)]
    rounds = [step.round for step in steps]
    best = Fraction(0)
    for early in (Fraction(1, 5), Fraction(1, 2), Fraction(3, 5)):
        low, last = neighbour_range(STEP, early)[0], Fraction(1, 50)
        last_low = neighbour_range(STEP, last)[0]
        laws = [
            StoppingIntegral.of_rounds(rounds, side) for side in ([low, last], [early, last_low])
        ]
        ratio = enclose_log_ratio(laws, Event(2, stops=True))
        assert ratio.upper <= steps[1].loss
        best = max(best, ratio.lower)
        assert enclose_log_ratio(laws, Event(1, stops=False)).upper <= steps[0].shared_rate
    assert best > Fraction(7, 10) * steps[1].loss


def test_ex_post_refuses_steps_that_are_too_strong():
    with pytest.raises(ParameterError, match="epsilon_t"):
        calibrate_ex_post(PARAMETERS, StepParameters.of("1/2", "1/2"), 1)


@pytest.mark.parametrize("theta", ["1/20", "1", "7/5"])
@pytest.mark.parametrize("horizon", [2, 50, 10**6])
def test_lower_bounds_lie_below_the_mechanism(theta, horizon):
    parameters = Parameters.of(1, "1/10", theta, 2, horizon)
    upper = Calibrator(parameters)(STEP, horizon).lambda_t().lower
    assert basic_lower_bound(parameters, STEP, horizon).upper <= upper
    assert midpoint_lower_bound(parameters, STEP, horizon).upper <= upper
    powers = exponents(parameters.theta)
    assert powers.horizon_upper >= powers.horizon_lower
    assert powers.beta_upper >= Fraction(582, 100)  # 3 + 2 sqrt 2 at best


def test_exponents_are_the_slopes_of_lambda():
    """ln Lambda_T / ln T in units of epsilon_1/epsilon, by a difference over T."""
    slopes = []
    for bound in (
        lambda horizon: Calibrator(Parameters.of(1, "1/10", 1, 2, horizon))(STEP, 1).lambda_t(),
        lambda horizon: midpoint_lower_bound(Parameters.of(1, "1/10"), STEP, horizon),
    ):
        values = [math.log(bound(10**k).lower) for k in (3, 6)]
        slopes.append((values[1] - values[0]) / math.log(1000) * 20)
    assert slopes == pytest.approx([3, 2], abs=1e-9)


@pytest.mark.parametrize("horizon", [10, 10**4])
@pytest.mark.parametrize("beta", [Fraction(1, 10), Fraction(1, 100)])
def test_path_lengths_support_the_midpoint_bound(horizon, beta):
    """From 1/T to 1 - beta takes at least ln(T/2) + ln(1/(2 beta)) in units of epsilon."""
    for epsilon in (0.1, 1.0):
        E = Fraction(math.exp(epsilon)).limit_denominator(10**9)
        steps = path_length(Fraction(1, horizon), 1 - beta, E)
        needed = (math.log(horizon / 2) + math.log(1 / (2 * beta))) / epsilon
        assert needed - 1 <= steps <= needed + 2


def test_path_length_refuses_nonsense():
    with pytest.raises(ParameterError):
        path_length(Fraction(0), Fraction(1, 2), Fraction(2))


def test_the_table_of_rejection_thresholds():
    rows = [compare(PARAMETERS, STEP, horizon) for horizon in (10, 1000, 10**5)]
    for row in rows:
        assert row.this.upper <= row.limit.lower  # nobody beats the lower bound
        assert row.cln23 == row.gkk25 == Fraction(1, 2) * Fraction(1, 10) / row.horizon
        assert row.lt19.upper < row.this.lower
    assert rows[2].this.lower > 100 * rows[2].cln23  # polynomially better for small epsilon_1


def test_the_best_theta_of_one_step_is_near_the_closed_form():
    parameters = Parameters.of(1, "1/10", 1, 2, 1000)
    theta = float(best_theta(parameters, [STEP]))
    # minimise (2 + theta) ln(4 T/beta) + (1 + 2/theta) ln(4/beta) + small terms
    closed = math.sqrt(2 * math.log(40) / math.log(40000))
    assert theta == pytest.approx(closed, rel=0.1)
    with pytest.raises(ParameterError):
        best_theta(parameters, [])


def test_the_best_theta_beats_others():
    parameters = Parameters.of(1, "1/20", 1, 2, 50)
    steps = [STEP, StepParameters.of("1/5", "99/100")] * 3

    def cost(theta):
        made = Calibrator(Parameters.of(1, "1/20", theta, 2, 50), CalibrationMethod.CHERNOFF)
        return sum(made(s, t).evaluation_bound().upper for t, s in enumerate(steps, 1))

    best = cost(best_theta(parameters, steps))
    assert all(best <= cost(theta) * Fraction(1001, 1000) for theta in ("1/10", "1/2", 1, "7/5", 4))
