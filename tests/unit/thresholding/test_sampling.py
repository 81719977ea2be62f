"""Exact sampling against exact enumeration, and coarse laws by counting."""

import random
from fractions import Fraction
from math import factorial, log

import numpy as np
import pytest
from scipy.stats import chisquare, kstest, poisson

from solvers.backend import arb, ball, working_precision
from solvers.thresholding import Parameters, StepParameters, calibrate_step
from solvers.thresholding.noisy_rounds import NoisyRounds
from solvers.thresholding.purification import BinarySymmetricChannel
from solvers.thresholding.randomness import LazyUniform, _invert, draw_poisson, system_bits


class ExhaustedError(Exception):
    pass


@pytest.mark.parametrize("mean", [Fraction(1, 3), Fraction(5, 2), Fraction(9)])
def test_every_prefix_is_decided_exactly_where_the_law_decides_it(mean):
    """All 2^12 prefixes: n is returned iff the whole dyadic interval lies in the cell of n."""
    bits = 12
    with working_precision(200):  # cell boundaries from exact sums of Fractions, times e^-mean
        e = (-ball(mean)).exp()
        sums, total = [], Fraction(0)
        for n in range(60):
            total += mean**n / factorial(n)
            sums.append(ball(total) * e)
    decided = undecided = 0
    for value in range(1 << bits):
        low, high = Fraction(value, 1 << bits), Fraction(value + 1, 1 << bits)
        with working_precision(64):
            number = _invert(ball(mean), arb((2 * value + 1, -bits - 1), (1, -bits - 1)))
        with working_precision(200):
            cell = next(n for n in range(60) if ball(low) < sums[n])
            inside = bool(ball(high) < sums[cell])
        if inside:
            assert number == cell
            decided += 1
        else:
            assert number is None
            undecided += 1
    assert decided + undecided == 1 << bits
    assert undecided <= 60


def test_undecided_draws_ask_for_more_bits():
    """A source whose first 64 bits lie on the border 1/2 of the law with mean ln 2."""
    words = []

    def source(count):
        words.append(count)
        return (1 << count - 1) - 1 if len(words) == 1 else (1 << count) - 1

    # The first bits say U = 0.0111...; with all later bits 1 it tends to 1/2 = P[N = 0] from below.
    results = []

    def mean(bits):
        results.append(bits)
        if len(results) > 4:
            raise ExhaustedError
        return arb.const_log2()

    with pytest.raises(ExhaustedError):
        draw_poisson(mean, source)
    assert results == [64, 128, 256, 512, 1024]
    assert words == [64, 64, 128, 256]


@pytest.mark.parametrize("mean", [0.7, 30.0, 4000.0])
def test_poisson_frequencies(mean):
    source = random.Random(7).getrandbits
    draws = [draw_poisson(lambda _: arb(mean), source) for _ in range(4000)]
    cells = sorted({int(poisson.ppf(q / 12, mean)) for q in range(1, 12)})
    expected, last = [], 0.0
    for edge in [*cells, 10**9]:
        expected.append(poisson.cdf(edge, mean) - last)
        last = poisson.cdf(edge, mean)
    observed = [0] * len(expected)
    for draw in draws:
        observed[next(i for i, edge in enumerate([*cells, 10**9]) if draw <= edge)] += 1
    assert chisquare(observed, [p * len(draws) for p in expected]).pvalue > 1e-3


def test_huge_means_are_served():
    source = random.Random(3).getrandbits
    draws = [draw_poisson(lambda _: arb(10**10), source) for _ in range(50)]
    assert all(abs(draw - 10**10) < 10**6 for draw in draws)
    assert len(set(draws)) > 45


def test_exponentials_have_their_law():
    source = random.Random(5).getrandbits
    values = [-float(LazyUniform(source).log_ball(64)) for _ in range(3000)]
    assert kstest(values, "expon").pvalue > 1e-3


def test_the_noise_of_a_round_has_its_law():
    """ln(N / rho) / epsilon_t is close to Y - S when rho is huge."""
    parameters = Parameters.of(1, "1/10", 1, 2, 1)
    made = calibrate_step(parameters, StepParameters.of("1/2", "1/1000000"), 1)
    source = random.Random(11).getrandbits
    rho = float(made.rate)
    values = [log(NoisyRounds(source).draw_evaluations(made.round) / rho) * 2 for _ in range(800)]

    def cdf(z):  # difference of two Exp(1/3)
        return np.where(z >= 0, 1 - np.exp(-np.abs(z) / 3) / 2, np.exp(-np.abs(z) / 3) / 2)

    assert kstest(values, cdf).pvalue > 1e-3


def test_the_shared_noise_is_drawn_once():
    parameters = Parameters.of(1, "1/10", 1, 2, 1)
    made = calibrate_step(parameters, StepParameters.of("1/2", "1/1000000"), 1)
    source = random.Random(2).getrandbits
    means = []
    for _ in range(40):
        noise = NoisyRounds(source)
        logs = [log(noise.draw_evaluations(made.round)) for _ in range(25)]
        means.append(sum(logs) / 25)
    spread = sum((m - sum(means) / 40) ** 2 for m in means) / 39
    # var(S) epsilon_t^2 = 9/4 remains, var(Y) epsilon_t^2 / 25 averages out
    assert 1 < spread < 5


@pytest.mark.parametrize("crossover", [Fraction(0), Fraction(1, 22), Fraction(1, 2)])
def test_coins_are_exact_on_every_prefix(crossover):
    """Over all 10-bit prefixes the coin is decided iff the interval lies on one side."""
    for value in range(1 << 10):
        low, high = Fraction(value, 1 << 10), Fraction(value + 1, 1 << 10)
        uniform = LazyUniform(lambda _: 0)
        uniform.value, uniform.count = value, 10
        if high <= crossover:
            assert uniform.is_below(crossover)
        elif low >= crossover:
            assert not uniform.is_below(crossover)


def test_purification_frequencies_and_both_routes():
    channel = BinarySymmetricChannel(Fraction(1, 5))
    source = random.Random(1).getrandbits
    single = sum(channel.apply(1, source) == 1 for _ in range(5000)) / 5000
    batch = channel.apply_to_count(2500, 5000, source) / 5000
    assert abs(single - 0.8) < 0.025
    assert abs(batch - 0.5) < 0.025
    assert channel.clean(Fraction(1, 4)) == Fraction(1, 5) + Fraction(3, 5) * Fraction(1, 4)
    assert channel.restore(channel.clean(Fraction(1, 7))) == Fraction(1, 7)


def test_the_default_source_is_the_system():
    assert 0 <= system_bits(10) < 1024
    assert len({system_bits(64) for _ in range(50)}) == 50
