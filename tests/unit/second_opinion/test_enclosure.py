"""Rational enclosures by balls: they hold 400-digit values, and are as narrow as asked for."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import oracle
from verify.second_opinion.enclosure import (
    enclose_exp,
    enclose_level,
    enclose_log,
    enclose_power,
)
from verify.second_opinion.mixture import read_divergence
from verify.second_opinion.strict_reading import Level, MalformedError, OutOfReachError

POSITIVE = st.fractions(Fraction(1, 10**6), 10**6, max_denominator=10**6)
BITS = st.integers(20, 600)
DIGITS = 400


def exactly(value):
    """The fraction that an mpf is."""
    sign, mantissa, exponent, _ = value._mpf_
    return (-1) ** sign * Fraction(int(mantissa)) * Fraction(2) ** exponent


def require_enclosed(bounds, function, bits):
    """The value lies between the bounds, whose distance is small against its size."""
    with mpmath.workdps(DIGITS):
        value = exactly(function(lambda x: mpmath.mpf(x.numerator) / x.denominator))
    low, high = bounds
    error = abs(value) / 10 ** (DIGITS - 10)
    assert low - error <= value <= high + error
    assert high - low <= max(abs(value), Fraction(1, 10**7)) * Fraction(1 << 8, 1 << bits)


@given(st.fractions(0, 50, max_denominator=1000), BITS)
def test_exp(number, bits):
    require_enclosed(enclose_exp(number, bits), lambda real: mpmath.exp(real(number)), bits)


@given(POSITIVE, BITS)
def test_log(number, bits):
    require_enclosed(enclose_log(number, bits), lambda real: mpmath.log(real(number)), bits)


@pytest.mark.parametrize("bits", [20, 64, 600])
@pytest.mark.parametrize("close", [Fraction(1, 200), Fraction(-1, 200), Fraction(1, 10**6)])
def test_the_logarithm_next_to_one_keeps_its_digits(close, bits):
    number = 1 + close
    require_enclosed(enclose_log(number, bits), lambda real: mpmath.log(real(number)), bits)


@given(POSITIVE, st.fractions(-3, 3, max_denominator=7), BITS)
def test_power(base, order, bits):
    bounds = enclose_power(base, order, bits)
    require_enclosed(bounds, lambda real: real(base) ** real(order), bits - 8)


def test_what_is_rational_is_exact():
    assert enclose_exp(Fraction(0), 64) == (1, 1)
    assert enclose_log(Fraction(1), 64) == (0, 0)
    assert enclose_power(Fraction(2, 3), Fraction(-2), 64) == (Fraction(9, 4),) * 2
    assert enclose_power(Fraction(1), Fraction(1, 2), 64) == (1, 1)
    assert enclose_level(Level(Fraction(3), None), 64) == (3, 3)
    low, high = enclose_level(Level(None, Fraction(1)), 64)
    assert low < Fraction(27182818284590452354, 10**19) < high


def test_no_enclosure_is_out_of_reach():
    with pytest.raises(OutOfReachError):
        enclose_power(Fraction(2), Fraction(10) ** 9 + Fraction(1, 3), 64)


E = Fraction(7, 2)
MIXTURES = ("1*e-gamma:3/2+2*tv", "1*alpha:3+1/3*hellinger", "1/2*kl+1/2*kl+2*tv")
NAMES = (*oracle.EVERY, "alpha:0", "alpha:1", "renyi:1", *MIXTURES)


@given(st.sampled_from([name for name in NAMES if "renyi" not in name]), POSITIVE, POSITIVE)
def test_divergences_of_randomized_response_against_the_oracle(name, x, y):
    p, q = (x / (x + y), y / (x + y)), (y / (x + y), x / (x + y))
    value = oracle.value_of([[0], [1]], p, q, E, name)
    reached = value if isinstance(value, Fraction) else oracle.to_fraction(value)
    found = read_divergence(name)
    chances = [((E - 1) * part + 1) / (E + 1) for part in p]
    ends = [found.enclose(a, b, 300) for a, b in (chances, chances[::-1])]
    margin = Fraction(1, 10**70)
    assert sum(e[0] for e in ends) - margin <= reached <= sum(e[1] for e in ends) + margin
    assert sum(e[1] - e[0] for e in ends) < Fraction(1, 1 << 250)


@given(st.sampled_from(["renyi:1/2", "renyi:3", "renyi:5/2"]), st.fractions(0, Fraction(1, 9)))
def test_reported_values_of_renyi(name, value):
    order = Fraction(name.partition(":")[2])
    low, high = read_divergence(name).report((value, value), 300)
    with mpmath.workdps(80):
        power = 1 + order * (order - 1) * value
        expected = oracle.to_fraction(mpmath.log(oracle.to_mpf(power)) / oracle.to_mpf(order - 1))
    assert low - Fraction(1, 10**70) <= expected <= high + Fraction(1, 10**70)


def test_a_power_divergence_that_no_laws_have_is_not_reported():
    assert read_divergence("renyi:1/2").report((Fraction(4), Fraction(4)), 100) is None


@pytest.mark.parametrize("name", NAMES)
def test_equal_laws_have_no_divergence(name):
    low, high = read_divergence(name).enclose(Fraction(2, 7), Fraction(2, 7), 100)
    assert low <= 0 <= high
    assert high - low < Fraction(1, 1 << 90)


@given(st.sampled_from(NAMES), POSITIVE, POSITIVE, POSITIVE, POSITIVE)
def test_perspectives_are_sublinear(name, a, b, c, d):
    """h(a + c, b + d) <= h(a, b) + h(c, d): what the chords and the bound stand on."""
    found = read_divergence(name)
    parts = [found.enclose(*pair, 400) for pair in ((a, b), (c, d))]
    low, _ = found.enclose(a + c, b + d, 400)
    assert low <= sum(part[1] for part in parts)
    scaled = found.enclose(3 * a, 3 * b, 400)
    assert scaled[0] <= 3 * parts[0][1]
    assert 3 * parts[0][0] <= scaled[1]


@pytest.mark.parametrize(
    "name", ["", "KL", "alpha", "alpha:", "alpha:2/4", "renyi:0", "e-gamma:-1", "renyi:-1", 3]
)
def test_unknown_divergences(name):
    with pytest.raises(MalformedError):
        read_divergence(name)
