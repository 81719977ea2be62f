"""Privacy levels in nats and as exp(epsilon)."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.oracle import to_fraction, to_mpf
from verify.kernel.errors import CertificateError, InputError, LimitError
from verify.kernel.interval import MAX_BITS
from verify.kernel.privacy_level import PrivacyLevel, read_level
from verify.kernel.verdict import Status


def exp_near(nats, bits, direction):
    """A rational just above or below exp(nats), at a relative distance of about 2**-bits."""
    with mpmath.workprec(bits + 200):
        value = to_fraction(mpmath.exp(to_mpf(nats)))
    return value * (1 + Fraction(direction, 1 << bits))


@given(st.fractions(0, 40).filter(bool), st.integers(8, 1500), st.sampled_from([-1, 1]))
def test_ratios_near_the_exponential_are_decided(nats, bits, direction):
    allowed = PrivacyLevel(nats=nats).allows(exp_near(nats, bits, direction))
    assert allowed is (Status.ACCEPTED if direction < 0 else Status.REJECTED)


def test_ratios_nearer_than_the_precision_allows_are_undecided():
    for direction in (-1, 1):
        ratio = exp_near(Fraction(1), MAX_BITS + 100, direction)
        assert PrivacyLevel(nats=Fraction(1)).allows(ratio) is Status.UNDECIDED


@given(st.fractions(1, 100), st.fractions(0, 100))
def test_a_rational_level_is_compared_exactly(E, ratio):
    expected = Status.ACCEPTED if ratio <= E else Status.REJECTED
    assert PrivacyLevel(exp_epsilon=E).allows(ratio) is expected
    assert PrivacyLevel(exp_epsilon=E).allows(E) is Status.ACCEPTED


def test_epsilon_zero_is_exact():
    level = PrivacyLevel(nats=Fraction(0))
    assert level.enclose_exp_epsilon(64).is_exact
    assert level.allows(Fraction(1)) is Status.ACCEPTED
    assert level.allows(1 + Fraction(1, 10**3000)) is Status.REJECTED


def test_ambiguous_or_negative_levels_are_refused():
    with pytest.raises(InputError, match="exactly one"):
        PrivacyLevel()
    with pytest.raises(InputError, match="exactly one"):
        PrivacyLevel(exp_epsilon=Fraction(1), nats=Fraction(0))
    with pytest.raises(InputError, match="negative"):
        PrivacyLevel(nats=Fraction(-1, 10**9))
    with pytest.raises(InputError, match="less than 1"):
        PrivacyLevel(exp_epsilon=Fraction(999, 1000))


def test_a_level_beyond_the_exponent_range_is_over_the_limit():
    with pytest.raises(LimitError):
        PrivacyLevel(nats=Fraction(10_001)).allows(Fraction(3))


def test_levels_are_read_strictly_and_named():
    assert read_level({"exp_epsilon": "3"}) == PrivacyLevel(exp_epsilon=Fraction(3))
    assert read_level({"nats": "1/2"}) == PrivacyLevel(nats=Fraction(1, 2))
    assert str(read_level({"exp_epsilon": "3"})) == "log(3)"
    assert str(read_level({"nats": "1/2"})) == "1/2"


@pytest.mark.parametrize(
    "value",
    [
        None,
        "3",
        3,
        [],
        {},
        {"exp_epsilon": 3},
        {"exp_epsilon": "3.0"},
        {"exp_epsilon": "6/2"},
        {"exp_epsilon": None},
        {"nats": 1},
        {"nats": "1", "exp_epsilon": "3"},
        {"exp_epsilon": "3", "x": "1"},
        {"epsilon": "1"},
    ],
    ids=repr,
)
def test_malformed_levels_are_refused(value):
    with pytest.raises(CertificateError):
        read_level(value)


@given(st.fractions(1, 100), st.fractions(0, 100))
def test_a_bound_on_a_rational_level_is_compared_exactly(E, bound):
    expected = Status.ACCEPTED if bound >= E else Status.REJECTED
    assert PrivacyLevel(exp_epsilon=E).is_at_most(bound) is expected
    assert PrivacyLevel(exp_epsilon=E).is_at_most(E) is Status.ACCEPTED


@pytest.mark.parametrize("nats", ["1", "1000", f"1/{10**300}"])
def test_a_bound_is_told_from_a_level_in_nats_at_any_size(nats):
    level = PrivacyLevel(nats=Fraction(nats))
    enclosure = level.enclose_exp_epsilon(2000)
    assert level.is_at_most(enclosure.upper) is Status.ACCEPTED
    assert level.is_at_most(enclosure.lower) is Status.REJECTED
