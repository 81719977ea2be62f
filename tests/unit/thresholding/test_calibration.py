"""Calibration: both tests meet their tails, quantiles never need more, and the cost estimates."""

import itertools
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.thresholding import (
    CalibrationMethod,
    Calibrator,
    Direction,
    ParameterError,
    Parameters,
    StepParameters,
    calibrate_step,
)
from solvers.thresholding.counting_test import CountingTest, meets_tails, quantile_test
from verify.kernel.exact import INFINITE

CHERNOFF, QUANTILE = CalibrationMethod
GAMMAS = [Fraction(2), Fraction(3, 2), Fraction(11, 10)]


def tails(count, high, gamma):
    """P[Po(high) < count] and P[Po(high/gamma) >= count] by summation, independent of flint."""
    with mpmath.workdps(40):

        def below(mean):
            mean = mpmath.mpf(mean.numerator) / mean.denominator
            return mpmath.exp(-mean) * mpmath.fsum(
                mean**k / mpmath.factorial(k) for k in range(count)
            )

        return below(high), 1 - below(high / gamma)


@pytest.mark.parametrize("method", [CHERNOFF, QUANTILE])
@pytest.mark.parametrize("gamma", GAMMAS)
@pytest.mark.parametrize("horizon", [None, 1, 1000])
def test_both_tails_are_met(method, gamma, horizon):
    parameters = Parameters.of(1, "1/10", 1, gamma, horizon)
    for t in (1, 17, 900) if horizon != 1 else (1,):
        test = calibrate_step(parameters, StepParameters.of("1/10", "1/2"), t, method).test
        with mpmath.workdps(40):
            budget = (
                mpmath.mpf(1) / 10 / horizon
                if horizon
                else (mpmath.mpf(1) / 50 / t / mpmath.log(t + 2) ** 3)
            )
            assert max(tails(test.count, test.high_mean, gamma)) <= budget / 4


@given(
    st.fractions(Fraction(1, 10**12), Fraction(2, 5)),
    st.sampled_from([Fraction(2), Fraction(3, 2), Fraction(5, 4)]),
)
def test_the_quantile_test_is_the_least(tail, gamma):
    test = quantile_test(tail, gamma)
    assert meets_tails(test, tail)
    assert not meets_tails(
        CountingTest(test.count, test.high_mean - Fraction(1, 2**39), gamma), tail
    )
    if test.count > 1:  # no mean serves one count less
        fewer = test.count - 1
        for step in range(200):
            mean = test.high_mean * Fraction(step + 1, 200)
            assert not meets_tails(CountingTest(fewer, mean, gamma), tail)


@given(
    st.sampled_from(["1/2", "1", "log(3)", "4"]),
    st.sampled_from(["1/100", "1/10", "9/10"]),
    st.sampled_from(["1/3", "1", "7/5"]),
    st.sampled_from(GAMMAS[:2]),
    st.sampled_from([None, 1, 50]),
    st.sampled_from(["1/20", "1/5", "1"]),
    st.sampled_from(["1/100", "1/2", "99/100", "9999/10000"]),
    st.sampled_from([0, Fraction(1, 1000)]),
    st.integers(1, 50),
)
def test_quantiles_never_need_more_evaluations(
    epsilon, beta, theta, gamma, horizon, epsilon_t, p_star, delta, t
):
    parameters = Parameters.of(epsilon, beta, theta, gamma, horizon)
    step = StepParameters.of(epsilon_t, p_star, delta)
    t = min(t, horizon or t)
    closed, exact = (calibrate_step(parameters, step, t, m) for m in (CHERNOFF, QUANTILE))
    assert exact.direction is closed.direction
    assert exact.rate <= closed.rate
    assert exact.evaluation_bound().upper <= closed.evaluation_bound().upper


def test_every_step_of_an_endless_run_needs_at_most_the_closed_form():
    parameters, step = Parameters.of(1, "1/10"), StepParameters.of("1/100", "1/2")
    closed, exact = Calibrator(parameters, CHERNOFF), Calibrator(parameters, QUANTILE)
    for t in itertools.chain(range(1, 200), range(200, 10**5, 997)):
        assert exact(step, t).rate <= closed(step, t).rate


def test_the_direction_changes_where_the_ratio_says():
    parameters = Parameters.of(1, "1/10")
    step = StepParameters.of("1/20", "98/100")
    calibrator = Calibrator(parameters)
    directions = []
    for t in range(1, 3000, 50):
        made = calibrator(step, t)
        x = 2 * made.lambda_t().lower
        assert (made.direction is Direction.DIRECT) == (Fraction(98, 100) <= x / (1 + x))
        directions.append(made.direction)
    assert set(directions) == set(Direction)


def exponential_moment(rate, factor):
    """E[exp(factor X)] for X ~ Exp(rate), by quadrature."""
    end = [0, 50, mpmath.inf]
    return mpmath.quad(lambda x: rate * mpmath.exp((factor - rate) * x), end)


@pytest.mark.parametrize("p_star", ["1/2", "999/1000"])
def test_expected_evaluations_against_quadrature(p_star):
    parameters = Parameters.of(2, "1/5", "7/5", 2, 10)
    made = calibrate_step(parameters, StepParameters.of("1/10", p_star), 1)
    shared, own, scale = mpmath.mpf("1.4") / mpmath.mpf("1.7"), 1 / mpmath.mpf("1.7"), 0.1
    sign = made.direction.sign
    mean = made.rate.numerator / mpmath.mpf(made.rate.denominator)
    mean *= exponential_moment(own, sign * scale) * exponential_moment(shared, -sign * scale)
    assert abs(mean - float(made.expected_evaluations().lower)) < 1e-9 * mean


def test_infinite_means_are_said():
    made = calibrate_step(Parameters.of(1, "1/10"), StepParameters.of(1, "1/2"), 1)
    assert made.expected_evaluations() is INFINITE


@pytest.mark.parametrize(
    "bad",
    [
        {"beta": 1}, {"beta": 0}, {"beta": "3/2"}, {"gamma": 1}, {"gamma": "201/100"},
        {"theta": 0}, {"theta": -1}, {"epsilon": 0}, {"epsilon": "log(1)"},
        {"horizon": 0}, {"horizon": True}, {"horizon": 2.0},
    ],
)  # fmt: skip
def test_bad_parameters_are_named(bad):
    with pytest.raises(ParameterError, match=next(iter(bad))):
        Parameters.of(**{"epsilon": 1, "beta": "1/10", **bad})


@pytest.mark.parametrize(
    ("bad", "name"),
    [
        ({"epsilon_t": 0}, "epsilon_t"), ({"delta_t": 1}, "delta_t"), ({"delta_t": -1}, "delta_t"),
        ({"p_star": 0}, "p_star"), ({"p_star": 1}, "p_star"), ({"p_star": "5/4"}, "p_star"),
    ],
)  # fmt: skip
def test_bad_steps_are_named(bad, name):
    with pytest.raises(ParameterError, match=name):
        StepParameters.of(**{"epsilon_t": "1/10", "p_star": "1/2", **bad})


def test_steps_beyond_the_horizon_are_refused():
    with pytest.raises(ParameterError, match="step 4"):
        calibrate_step(Parameters.of(1, "1/10", horizon=3), StepParameters.of("1/10", "1/2"), 4)


def test_a_million_steps_share_their_work():
    calibrator, step = (
        Calibrator(Parameters.of(1, "1/10", horizon=10**6)),
        StepParameters.of("1/10", "1/2"),
    )
    first, last = calibrator(step, 1), calibrator(step, 10**6)
    assert first.round is last.round
