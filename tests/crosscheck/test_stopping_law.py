"""The stopping law against quadrature with mpmath, and against runs of the mechanism."""

import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest

from solvers.backend import acb, arb, ball, working_precision
from solvers.thresholding import (
    CountingRound,
    Direction,
    GeneralizedThresholding,
    ParameterError,
    StepOutcome,
    StepParameters,
    stopping_law,
)
from solvers.thresholding.audit import round_acceptance_float
from solvers.thresholding.rates import Rate
from solvers.thresholding.stopping_law import acceptance_function
from tests.support.black_boxes import CountingBernoulli

SHARED, OWN = (Rate.of_nats(Fraction(1, 3)) for _ in range(2))


def a_round(direction, threshold, rate, scale):
    return CountingRound(
        direction, threshold, Fraction(rate), Rate.of_nats(Fraction(scale)), SHARED, OWN
    )


ROUNDS = [
    (a_round(Direction.DIRECT, 7, 60, "1/10"), Fraction(1, 5)),
    (a_round(Direction.DIRECT, 1, 3, "1/2"), Fraction(2, 3)),
    (a_round(Direction.DIRECT, 2, 9, "1/7"), Fraction(1, 9)),  # a = 7/3 > T
    (a_round(Direction.DIRECT, 40, 90, "1/4"), Fraction(1, 10**6)),
    (a_round(Direction.FLIPPED, 5, 40, "1/10"), Fraction(9, 10)),
    (a_round(Direction.FLIPPED, 0, 4, "1/3"), Fraction(1, 2)),
    (a_round(Direction.FLIPPED, 60, 900, "1/5"), Fraction(99, 100)),
]


def accept_by_quadrature(round_, p, x):
    """E over Y of the Poisson tail, straight from the definition."""
    direct = round_.direction is Direction.DIRECT
    scale = mpmath.mpf(round_.scale.level.nats.numerator) / round_.scale.level.nats.denominator
    rho = mpmath.mpf(round_.rate.numerator) / round_.rate.denominator
    q = mpmath.mpf(p.numerator) / p.denominator
    q = q if direct else 1 - q
    sign = 1 if direct else -1

    def tail(y):
        mean = rho * q * mpmath.exp(sign * scale * (y - x))
        count = round_.threshold if direct else round_.threshold + 1
        below = mpmath.gammainc(count, mean, regularized=True) if count else mpmath.mpf(0)
        return (1 - below if direct else below) * mpmath.exp(-y / 3) / 3

    return mpmath.quad(tail, [0, 5, 10, 20, 30, 40, 60, 90, 130, 180, 250])


@pytest.mark.parametrize(("round_", "p"), ROUNDS)
@pytest.mark.parametrize("x", [0, 3, 17])
def test_the_closed_form_against_quadrature(round_, p, x):
    with working_precision(128):
        value = acceptance_function(round_, p)(acb(x)).real
        assert value.rad() < 1e-15
    with mpmath.workdps(25):
        expected = accept_by_quadrature(round_, p, x)
    assert abs(float(value) - float(expected)) < 1e-13
    approximate = float(round_acceptance_float(round_, p, np.array([float(x)]))[0])
    assert abs(approximate - float(expected)) < 1e-7


@pytest.mark.parametrize(("round_", "p"), ROUNDS)
def test_wide_boxes_enclose_every_point(round_, p):
    """The bounds used on wide arguments contain the values inside."""
    with working_precision(64):
        accept = acceptance_function(round_, p)

        for centre in (1, 8, 30):
            for radius in (0.25, 2.0):
                box = accept(acb(arb(centre, radius), arb(0, radius)))
                if not box.is_finite():
                    continue
                for u in (-0.9, -0.3, 0.5, 0.99):
                    for v in (-0.7, 0.0, 0.95):
                        point = accept(acb(arb(centre + u * radius), arb(v * radius)))
                        assert box.overlaps(point)


def test_constant_rounds():
    always = a_round(Direction.DIRECT, 0, 5, "1/10")
    law = stopping_law([always], [Fraction(1, 2)])
    assert law.stop[0].lower <= 1 <= law.stop[0].upper
    never = stopping_law([ROUNDS[0][0]], [Fraction(0)])
    assert never.stop[0].upper < Fraction(1, 10**30)
    assert never.beyond.lower <= 1 <= never.beyond.upper
    sure = stopping_law([ROUNDS[4][0]], [Fraction(1)])
    assert sure.stop[0].lower > 1 - Fraction(1, 10**20)


def test_fifty_steps_to_twenty_digits():
    gtm = GeneralizedThresholding(1, "1/10", epsilon_t="1/10", p_star="1/2")
    law = gtm.stopping_law([Fraction(1, 200) + Fraction(t, 2000) for t in range(50)])
    assert len(law.stop) == 50
    assert law.width < Fraction(1, 10**20)
    assert sum(i.lower for i in law.stop) + law.beyond.lower <= 1
    assert sum(i.upper for i in law.stop) + law.beyond.upper >= 1


def test_runs_of_the_mechanism_follow_the_law():
    steps = [
        StepParameters.of("1/10", "1/2", "1/1000"),
        StepParameters.of("1/20", "999/1000"),
        StepParameters.of("1/5", "1/3"),
    ] * 2
    probabilities = [Fraction(1, 10), Fraction(9985, 10000), Fraction(1, 20)] * 2
    law = GeneralizedThresholding(1, "1/10").stopping_law(probabilities, steps)
    source, rng = random.Random(5).getrandbits, np.random.default_rng(3)
    runs, counts = 1500, [0] * 7
    for _ in range(runs):
        gtm = GeneralizedThresholding(1, "1/10", bits=source)
        for t, (p, s) in enumerate(zip(probabilities, steps, strict=True)):
            box = CountingBernoulli(float(p), rng)
            outcome = gtm.step(box, epsilon_t=s.epsilon, p_star=s.p_star, delta_t=s.delta)
            if outcome is StepOutcome.STOP:
                counts[t] += 1
                break
        else:
            counts[6] += 1
    for count, enclosure in zip(counts, (*law.stop, law.beyond), strict=True):
        p = float(enclosure.lower)
        assert abs(count - runs * p) <= 4.5 * (runs * p * (1 - p)) ** 0.5 + 3


def test_misuse_is_named():
    gtm = GeneralizedThresholding(1, "1/10", epsilon_t="1/10", p_star="1/2")
    with pytest.raises(ParameterError, match=r"probabilities\[1\]"):
        gtm.stopping_law([0, "3/2"])
    with pytest.raises(ParameterError, match="steps"):
        gtm.stopping_law([0, 1], [StepParameters.of(1, "1/2")])
    with pytest.raises(ParameterError):
        stopping_law([], [])
    assert ball(Fraction(1, 3)).rad() > 0
