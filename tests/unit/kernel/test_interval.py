"""Enclosures of exp, log and square root hold the true value and are as narrow as promised."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.support.oracle import to_fraction, to_mpf
from verify.kernel import interval
from verify.kernel.errors import InputError, LimitError
from verify.kernel.interval import MAX_BITS, Interval, enclose_exp, enclose_log, enclose_sqrt

BITS = (8, 9, 16, 53, 64, 100, 256, 1000)
TINY = Fraction(1, 10**300)


def truth(function, x, bits):
    """A value of the function within 2**-(bits + 200) of the truth, relatively."""
    size = x.numerator.bit_length() + x.denominator.bit_length()
    with mpmath.workprec(2 * (bits + size) + 400):
        return to_fraction(function(to_mpf(x)))


def near(*centres):
    """The centres and their close neighbours."""
    steps = [Fraction(0)] + [
        Fraction(s, 1 << n) for n in (1, 5, 31, 64, 200, 700) for s in (-1, 1, 3)
    ]
    return [centre + step for centre in centres for step in steps]


POWERS = [Fraction(2) ** n for n in (-1000, -64, -2, -1, 0, 1, 2, 3, 63, 64, 1023, 4000)]
HOSTILE_LOG = sorted({x for x in near(*POWERS) if x > 0})


def log2_multiples():
    with mpmath.workprec(2000):
        log2 = to_fraction(mpmath.log(2))
    return [n * log2 for n in (-14_000, -100, -2, -1, 1, 2, 3, 50, 14_000)]


_AROUND = {*near(*log2_multiples(), Fraction(0), Fraction(1), Fraction(-1)), TINY, -TINY}
HOSTILE_EXP = [*sorted(x for x in _AROUND if abs(x) <= 10_000), Fraction(10_000), Fraction(-10_000)]


def check_log(x, bits):
    enclosure = enclose_log(x, bits)
    value, margin = truth(mpmath.log, x, bits), Fraction(1, 1 << bits + 150)
    assert enclosure.lower <= value + margin
    assert value - margin <= enclosure.upper
    assert enclosure.upper - enclosure.lower <= Fraction(1, 1 << bits)
    if x == 1:
        assert enclosure == Interval.exactly(0)
    else:
        assert enclosure.lower < value < enclosure.upper


def check_exp(x, bits):
    enclosure = enclose_exp(x, bits)
    value = truth(mpmath.exp, x, bits)
    margin = value / (1 << bits + 150)
    assert 0 < enclosure.lower <= value + margin
    assert value - margin <= enclosure.upper
    assert enclosure.upper - enclosure.lower <= enclosure.lower / (1 << bits)
    assert enclosure.is_exact == (x == 0)


def check_sqrt(x, bits):
    enclosure = enclose_sqrt(x, bits)
    assert enclosure.lower >= 0
    assert enclosure.lower**2 <= x <= enclosure.upper**2
    assert enclosure.upper - enclosure.lower <= Fraction(1, 1 << bits)


@pytest.mark.parametrize("bits", [8, 64, 257])
def test_log_of_hostile_arguments(bits):
    for x in HOSTILE_LOG:
        check_log(x, bits)


@pytest.mark.parametrize("bits", [8, 64, 257])
def test_exp_of_hostile_arguments(bits):
    for x in HOSTILE_EXP:
        check_exp(x, bits)


@pytest.mark.parametrize("bits", BITS)
def test_sqrt_of_hostile_arguments(bits):
    for x in [*HOSTILE_LOG, Fraction(0), TINY, 1 / TINY, TINY**2, TINY**3, Fraction(2, 3) ** 5]:
        check_sqrt(x, bits)


def test_the_highest_precision():
    check_log(Fraction(10, 7), MAX_BITS)
    check_exp(Fraction(-22, 7), MAX_BITS)
    check_sqrt(Fraction(10, 7), MAX_BITS)


POSITIVE = st.one_of(
    st.fractions(min_value=0, max_value=10**6),
    st.builds(
        lambda m, n, d: Fraction(m) * Fraction(2) ** n / d,
        st.integers(1, 2**80),
        st.integers(-500, 500),
        st.integers(1, 2**80),
    ),
    st.builds(lambda n: 1 + Fraction(1, n), st.integers(-(10**40), -2) | st.integers(1, 10**40)),
)


@given(POSITIVE.filter(bool), st.sampled_from(BITS))
@example(Fraction(1), 8)
def test_log_encloses(x, bits):
    check_log(x, bits)


@given(
    st.fractions(-10_000, 10_000) | POSITIVE.map(lambda x: x and min(x, 1 / x)),
    st.sampled_from(BITS),
)
@example(Fraction(0), 8)
def test_exp_encloses(x, bits):
    check_exp(x, bits)


@given(POSITIVE, st.sampled_from(BITS))
def test_sqrt_encloses(x, bits):
    check_sqrt(x, bits)


@given(st.fractions(0, 10**9))
def test_the_root_of_a_square_is_exact(x):
    assert enclose_sqrt(x * x, 8) == Interval.exactly(x)


@given(POSITIVE.filter(bool), POSITIVE.filter(bool))
def test_the_logarithm_of_a_product_is_the_sum(x, y):
    total = enclose_log(x, 80) + enclose_log(y, 80)
    product = enclose_log(x * y, 80)
    assert total.upper >= product.lower
    assert product.upper >= total.lower


@given(st.fractions(-30, 30), st.integers(8, 200))
def test_log_undoes_exp(x, bits):
    enclosure = enclose_exp(x, bits)
    assert enclose_log(enclosure.lower, bits).lower <= x <= enclose_log(enclosure.upper, bits).upper


@pytest.mark.parametrize("function", [enclose_log, enclose_exp, enclose_sqrt])
@pytest.mark.parametrize("bits", [-1, 0, 7, MAX_BITS + 1, 10**9])
def test_precision_outside_the_limits_is_refused(function, bits):
    with pytest.raises(LimitError):
        function(Fraction(2), bits)


def test_arguments_outside_the_domain_are_refused():
    for x in (Fraction(0), Fraction(-1)):
        with pytest.raises(InputError):
            enclose_log(x, 64)
    with pytest.raises(InputError):
        enclose_sqrt(-TINY, 64)
    for x in (Fraction(10_001), Fraction(-10_001), 10_000 + TINY):
        with pytest.raises(LimitError):
            enclose_exp(x, 64)


INTERVALS = st.tuples(st.fractions(), st.fractions()).map(lambda ends: Interval(*sorted(ends)))


@given(INTERVALS, INTERVALS, st.fractions(), st.fractions(0, 1), st.fractions(0, 1))
def test_arithmetic_of_intervals_holds_every_result(a, b, factor, s, t):
    x, y = a.lower + s * (a.upper - a.lower), b.lower + t * (b.upper - b.lower)
    for value, enclosure in (
        (x, a),
        (x + y, a + b),
        (x - y, a + b.scaled(-1)),
        (x, a.rounded(8)),
        (factor * x, a.scaled(factor)),
    ):
        assert enclosure.lower <= value <= enclosure.upper
    if a.upper < b.lower:
        assert x < y


def test_an_interval_holds_something():
    with pytest.raises(InputError):
        Interval(Fraction(1), Fraction(0))
    assert Interval.exactly(3).is_exact
    assert not Interval(Fraction(0), Fraction(1)).is_exact


@pytest.mark.parametrize(
    ("lower", "upper", "bits", "expected"),
    [
        ("1/3", "1/3", 1, ("0", "1/2")),
        ("-1/3", "-1/3", 2, ("-1/2", "-1/4")),
        ("1/4", "3/4", 2, ("1/4", "3/4")),
        ("-7/5", "7/5", 0, ("-2", "2")),
    ],
)
def test_rounding_goes_outwards_to_the_grid(lower, upper, bits, expected):
    found = Interval(Fraction(lower), Fraction(upper)).rounded(bits)
    assert found == Interval(*map(Fraction, expected))


def test_the_logarithm_uses_the_bound_that_is_proved_for_its_series(monkeypatch):
    monkeypatch.setattr(interval, "_atanh_scaled", lambda t, scale: (1000, 7))
    monkeypatch.setattr(interval, "_log2_scaled", lambda scale: (50, 60))
    found, scale = enclose_log(Fraction(5), 8), 8 + 2 * 4 + 2 + 8
    assert found.lower == Fraction(2 * 1000 + 2 * 50, 1 << scale)
    assert found.upper == Fraction(2 * (1000 + 3 * 7 + 3) + 2 * 60, 1 << scale)


def test_the_exponential_uses_the_bound_that_is_proved_for_its_series(monkeypatch):
    monkeypatch.setattr(interval, "_exp_scaled", lambda r, scale: (1000, 7))
    found, unit = enclose_exp(Fraction(1, 2), 8), Fraction(1, 1 << (8 + 2 * 4 + 32))
    assert found == Interval(1000 * unit, (1000 + 2 * 7 + 4) * unit)


@pytest.mark.parametrize("x", ["1/2", "1/3", "-1/3", "7", "-7", "1000/7", "-9999", "1/10000000"])
def test_the_argument_of_the_series_lies_between_the_two_that_are_summed(monkeypatch, x):
    asked = []
    series = interval._exp_scaled

    def record(r, scale):
        asked.append(r)
        return series(r, scale)

    monkeypatch.setattr(interval, "_exp_scaled", record)
    enclose_exp(Fraction(x), 16)
    (low, high), scale = asked, 16 + 2 * 5 + 32
    with mpmath.workdps(60):
        whole = mpmath.mpf(Fraction(x).numerator) / Fraction(x).denominator
        k = mpmath.nint((whole - mpmath.mpf(low) / 2**scale) / mpmath.log(2))
        rest = (whole - k * mpmath.log(2)) * 2**scale
        assert low - mpmath.mpf(10) ** -30 <= rest <= high + mpmath.mpf(10) ** -30
    assert high - low >= 1
    if k == 0:  # nothing but the floor of the argument is lost
        assert high - low == 1
