"""Power and Renyi divergences in the kernel: conventions, limits and one-sided soundness."""

from dataclasses import replace
from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.testing import solve_testing
from tests.support import power_oracle
from tests.support.instances import distributions, pairs
from tests.support.oracle import to_fraction
from verify.kernel.certificate import check_certificate
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import enclose_divergence, parse_divergence
from verify.kernel.errors import InputError, LimitError
from verify.kernel.exact import INFINITE, rational_text
from verify.kernel.interval import Interval, enclose_power

BITS = 160
EPSILON = Fraction(1, 2**100)
ORDERS = st.one_of(
    st.sampled_from([Fraction(n, 2) for n in range(-6, 9)]),
    st.fractions(-4, 6, max_denominator=50),
    st.sampled_from([1 + Fraction(1, 10**9), Fraction(1, 10**9), 1 - Fraction(1, 10**12)]),
)
POSITIVE = st.fractions(Fraction(1, 50), 50, max_denominator=60)


def enclosed(name, p, q, bits=BITS):
    return enclose_divergence(parse_divergence(name), Distribution(p), Distribution(q), bits)


@given(POSITIVE, ORDERS, st.integers(8, 400))
def test_powers_are_enclosed(base, exponent, bits):
    found = enclose_power(base, exponent, bits)
    with mpmath.workdps(160):
        power = mpmath.power(
            mpmath.mpf(base.numerator) / base.denominator,
            mpmath.mpf(exponent.numerator) / exponent.denominator,
        )
        value = to_fraction(power)
    slack = value / 10**150
    assert found.lower - slack <= value <= found.upper + slack
    assert found.upper - found.lower <= found.upper / 2 ** (bits - 3)
    if exponent.denominator == 1:
        assert found.is_exact


def test_powers_out_of_range():
    with pytest.raises(InputError):
        enclose_power(Fraction(-1), Fraction(1, 2), 64)
    with pytest.raises(InputError):
        enclose_power(Fraction(0), Fraction(2), 64)
    with pytest.raises(LimitError):
        enclose_power(Fraction(3), Fraction(10**6), 64)


@given(ORDERS, pairs(max_size=5))
def test_the_definition(order, pair):
    p, q = ([(x + Fraction(1, 9)) / (1 + Fraction(len(law), 9)) for x in law] for law in pair)
    found = enclosed(f"alpha:{order}", p, q)
    with mpmath.workdps(90):
        value = to_fraction(power_oracle.power(order, p, q))
    assert found.lower - EPSILON <= value <= found.upper + EPSILON
    if order > 0:
        found = enclosed(f"renyi:{order}", p, q)
        with mpmath.workdps(90):
            value = to_fraction(power_oracle.renyi(order, p, q))
        assert found.lower - EPSILON <= value <= found.upper + EPSILON
        assert found.upper - found.lower <= EPSILON


@given(pairs(max_size=5))
def test_special_orders(pair):
    p, q = pair
    for name, other, factor in (
        ("alpha:1", "kl", 1),
        ("alpha:0", "reverse-kl", 1),
        ("alpha:2", "chi2", 2),
        ("alpha:-1", "reverse-chi2", 2),
        ("renyi:1", "kl", 1),
    ):
        first, second = enclosed(name, p, q), enclosed(other, p, q)
        assert first == second if INFINITE in (first, second) else first.scaled(factor) == second
    half, hellinger = enclosed("alpha:1/2", p, q), enclosed("hellinger", p, q)
    assert half.upper >= hellinger.scaled(2).lower
    assert hellinger.scaled(2).upper >= half.lower


@given(pairs(max_size=5), ORDERS)
def test_an_order_and_its_mirror(pair, order):
    p, q = pair
    first, second = enclosed(f"alpha:{order}", p, q), enclosed(f"alpha:{1 - order}", q, p)
    if INFINITE in (first, second):
        assert first == second
    else:
        assert first.upper >= second.lower
        assert second.upper >= first.lower


@given(distributions(size=4), distributions(size=4))
def test_continuity_at_one(p, q):
    first = enclosed("kl", p, q)
    near = enclosed(f"renyi:{1 - Fraction(1, 10**15)}", p, q)
    if first is not INFINITE:
        assert abs(first.lower - near.lower) < Fraction(1, 10**10)


def test_infinite_values():
    p, q = (1, 0), ("1/2", "1/2")
    assert enclosed("alpha:3", q, p) is INFINITE
    assert enclosed("renyi:3", q, p) is INFINITE
    assert enclosed("alpha:-1/2", p, q) is INFINITE
    assert enclosed("renyi:1/2", (1, 0), (0, 1)) is INFINITE
    assert enclosed("alpha:1/2", (1, 0), (0, 1)) == Interval.exactly(4)


@pytest.mark.parametrize("order", ["1/2", "1/3", "9/10", "2", "30", "7/3"])
@pytest.mark.parametrize("bits", [8, 12, 40])
def test_a_coarse_enclosure_never_turns_infinite(order, bits):
    """At 8 bits the sum of powers is not seen to be positive; that must not read as infinity."""
    p = (Fraction(1, 2), Fraction(1, 2))
    q = (Fraction(1, 2) + Fraction(1, 1000), Fraction(1, 2) - Fraction(1, 1000))
    reported = parse_divergence(f"renyi:{order}").reported
    a = Fraction(order)
    wide = Interval(Fraction(-1), abs(1 / (a * (a - 1))) / 2)
    assert reported(wide, 64) is not INFINITE
    assert enclosed(f"renyi:{order}", p, q, bits) is not INFINITE


@pytest.mark.parametrize("name", ["alpha", "alpha:", "alpha:x", "renyi:0", "renyi:-1", "renyi:1/0"])
def test_refused_names(name):
    with pytest.raises(InputError):
        parse_divergence(name)


def test_names_are_canonical():
    assert parse_divergence("alpha:0.5").name == "alpha:1/2"
    assert parse_divergence("renyi:6/4").name == "renyi:3/2"


@given(pairs(max_size=4, min_size=2), st.sampled_from(["renyi:3", "renyi:1/3", "renyi:2"]))
def test_a_renyi_certificate_proves_no_more_than_its_bound(pair, name):
    solution = solve_testing(*pair, "log(3)", name)
    assert check_certificate(solution.certificate).is_accepted
    if not solution.value_upper:
        return
    tight = solution.value_lower * (1 - Fraction(1, 10**20))
    for key, value in (("upper", tight), ("lower", solution.value_upper * 2)):
        claim = {**solution.certificate.claim, key: rational_text(value)}
        verdict = check_certificate(replace(solution.certificate, claim=claim))
        assert not verdict.is_accepted
    power = name.replace("renyi", "alpha")
    claim = {**solution.certificate.claim, "divergence": power}
    accepted = check_certificate(replace(solution.certificate, claim=claim)).is_accepted
    best_power = solve_testing(*pair, "log(3)", power)
    assert accepted <= (
        solution.value_lower <= best_power.value_upper
        and best_power.value_lower <= solution.value_upper
    )


@pytest.mark.parametrize("exponent", [2, -2, 1, 0, 3, -34])
def test_short_powers_are_exact_and_long_ones_enclosed(exponent):
    short = Fraction(2**256 - 1, 2**255) if abs(exponent) > 3 else Fraction(3**80, 2**8191)
    assert enclose_power(short, Fraction(exponent), 64) == Interval.exactly(short**exponent)
    if abs(exponent) > 2:
        longer = Fraction(2**8192 + 1, 2**8192) if exponent == 3 else Fraction(1, 2**256)
        found = enclose_power(longer, Fraction(exponent), 64)
        assert not found.is_exact
        assert found.lower < longer**exponent < found.upper
        assert found.upper < found.lower * (1 + Fraction(1, 2**60))


def test_the_longest_exact_power():
    for base in (Fraction(2**8191 + 1, 2**8191), Fraction(2**8191, 2**8191 + 1)):
        assert enclose_power(base, Fraction(3), 64).is_exact
    for base in (Fraction(2**8192 + 1, 2**8192), Fraction(2**8192, 2**8192 + 1)):
        assert not enclose_power(base, Fraction(3), 64).is_exact
    assert enclose_power(Fraction(2**9000), Fraction(2), 64).is_exact


@pytest.mark.parametrize("order", ["1/1000", "1001/1000", "-1/1000", "7/500"])
def test_a_gradient_is_as_narrow_as_its_precision(order):
    """The factor 1/(A (A - 1)) is paid for by bits to spare, even at the lowest precision."""
    f = parse_divergence(f"alpha:{order}")
    for t in (Fraction(1, 3), Fraction(2)):
        for bits in (8, 64):
            g0, g1 = f.gradient(t, bits)
            assert all(g.upper - g.lower <= Fraction(8, 2**bits) for g in (g0, g1))
