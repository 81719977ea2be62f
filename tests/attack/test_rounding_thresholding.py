"""Adversarial values through thresholding: tails next to a grid point, minute failure budgets."""

from fractions import Fraction
from itertools import pairwise

import pytest
from flint import arb, ctx

from solvers import parse_epsilon
from solvers.leakage.minimax import _exp_lower, _exp_upper
from solvers.testing.chernoff_information import enclose_affinity
from solvers.thresholding import Calibrator, Direction, Parameters, StepParameters
from solvers.thresholding.calibration import _grid_tail
from solvers.thresholding.certificate import steps_certificate
from solvers.thresholding.continual.budget import bounded_budget, unbounded_budget
from solvers.thresholding.counting_test import quantile_test
from solvers.thresholding.purification import minimal_crossover
from tests.attack.bases import content_of
from tests.attack.oracle import flaw
from tests.attack.reals import ball
from verify.kernel.certificate import check_certificate
from verify.kernel.coupling import check_purification
from verify.kernel.distribution import Distribution

BITS = 2000
MINUTE = Fraction(1, 10**300)


@pytest.fixture(autouse=True)
def precision():
    before, ctx.prec = ctx.prec, BITS
    yield
    ctx.prec = before


def test_the_grid_of_tails_is_rounded_down():
    for index in (0, 1, 15, 16, 17, 160, 1601, 16_000):
        exact = arb(2) ** (-arb(index) / 16)
        assert ball(_grid_tail(index)) <= exact + arb(2) ** -120
        assert exact - ball(_grid_tail(index)) <= exact * arb(2) ** -60


def chance_below(count, mean):
    """P[Po(mean) < count], term by term."""
    term, total = arb(1), arb(0)
    for k in range(count):
        total += term
        term = term * mean / (k + 1)
    return total * (-mean).exp()


def keeps(test, tail):
    """Whether both tails of the counting test are at most a ball."""
    high = ball(test.high_mean)
    rejected = chance_below(test.count, high)
    accepted = 1 - chance_below(test.count, high / ball(test.gamma))
    return rejected <= tail and accepted <= tail


def budget_of(parameters, t):
    """beta / (5 t ln^3(t + 2)) as a ball."""
    return ball(parameters.beta) / (5 * t * arb(t + 2).log() ** 3)


@pytest.mark.parametrize("beta", ["1/10", "1e-12", "1e-290"])
def test_no_step_takes_a_tail_above_its_budget(beta):
    parameters = Parameters.of("1", beta)
    calibrator = Calibrator(parameters)
    for t in (1, 3, 10**6, 10**12):
        found = calibrator(StepParameters.of("1/10", "1/2"), t).test
        assert keeps(found, budget_of(parameters, t) / 4)


def test_tails_next_to_a_grid_point():
    """The step before and after a change of the shared test: both meet their own budget."""
    parameters = Parameters.of("1", "1/10")
    calibrator = Calibrator(parameters)
    step = StepParameters.of("1/10", "1/2")
    tests = [calibrator(step, t).test for t in range(1, 12)]
    changes = [t for t, (a, b) in enumerate(pairwise(tests), 1) if a != b]
    assert changes
    for t in changes:
        for place in (t, t + 1):
            assert keeps(tests[place - 1], budget_of(parameters, place) / 4)


@pytest.mark.parametrize("epsilon", ["1e-12", "1/3", "log(3)", "700"])
def test_rates_are_private_and_never_too_small(epsilon):
    """A direct rate is at least mean e^(shift)/p, a flipped one at most mean e^(-shift)/(1 - p)."""
    parameters = Parameters.of(epsilon, "1/20")
    calibrator = Calibrator(parameters)
    for p_star in ("1/2", "999/1000", str(1 - MINUTE), str(MINUTE)):
        step = StepParameters.of(epsilon, p_star)
        found = calibrator(step, 1)
        log_shared = (4 / ball(parameters.beta)).log()
        shared = (step.scale.ratio_ball(parameters.shared_rate) * log_shared).exp()
        if found.direction is Direction.DIRECT:
            needed = ball(found.test.high_mean / step.p_star) * shared
            assert ball(found.rate) >= needed * (1 - arb(2) ** -120)
        else:
            needed = ball(found.test.low_mean / (1 - step.p_star)) / shared
            assert ball(found.rate) <= needed * (1 + arb(2) ** -120)
        certificate = steps_certificate(parameters, [found])
        assert check_certificate(certificate).is_accepted
        assert not flaw(content_of(certificate))


@pytest.mark.parametrize("epsilon", ["1e-12", "1", "700", "log(2)"])
@pytest.mark.parametrize("delta", [MINUTE, Fraction(1, 1000), 1 - Fraction(1, 10**12)])
def test_the_crossover_is_rounded_up(epsilon, delta):
    level = parse_epsilon(epsilon)
    crossover = minimal_crossover(level, delta)
    assert check_purification(level.level, delta, crossover).is_accepted
    E = ball(level.level.exp_epsilon) if level.level.exp_epsilon else ball(level.nats).exp()
    exact = ball(delta) / (E - 1 + 2 * ball(delta))
    assert ball(crossover) >= exact * (1 - arb(2) ** -120)


def test_the_level_of_a_box_is_rounded_down():
    for budget in (
        bounded_budget("1", "1/10", horizon=100, acceptances=3),
        bounded_budget("1e-12", "1e-290", horizon=100, acceptances=3),
        unbounded_budget("1", "1/10"),
    ):
        for j, r in ((1, 1), (2, 7)):
            rates = budget.level(j, r)
            assert rates.box <= rates.own
            if isinstance(getattr(budget, "tail", None), Fraction):
                power = ball(rates.box) * (
                    (4 / ball(budget.beta)).log() / ball(budget.shared)
                    - ball(budget.tail).log() / ball(rates.own)
                )
                assert power <= ball(budget.expansion).log() + arb(2) ** -120
        certificate = budget.certificate()
        assert check_certificate(certificate).is_accepted
        assert not flaw(content_of(certificate))


def test_quantile_tests_of_adversarial_tails():
    for tail in (Fraction(1, 3), Fraction(1, 10**12), Fraction(1, 10**250), MINUTE):
        for gamma in (Fraction(2), Fraction(11, 10)) if tail > Fraction(1, 10) else (Fraction(2),):
            assert keeps(quantile_test(tail, gamma), ball(tail))


def test_exponentials_of_the_two_point_bound_lie_on_their_sides():
    for exponent in (
        Fraction(-1, 10**12),
        -MINUTE,
        Fraction(-700),
        Fraction(-999),
        Fraction(-5000),
    ):
        assert ball(_exp_lower(exponent)) <= ball(exponent).exp()
        assert ball(_exp_upper(exponent)) >= ball(exponent).exp()
    assert _exp_upper(Fraction(2) + MINUTE) is None


def test_the_affinity_of_adversarial_laws():
    p, q = (Distribution(law) for law in ((MINUTE, 1 - MINUTE), ("1/2", "1/2")))
    for order in (Fraction(1, 10**12), Fraction(1, 2), 1 - Fraction(1, 10**12)):
        found = enclose_affinity(p, q, order, 200)
        exact = sum(
            ball(a) ** ball(order) * ball(b) ** ball(1 - order)
            for a, b in zip(p.masses, q.masses, strict=True)
        )
        assert not exact < ball(found.lower)
        assert not exact > ball(found.upper)
