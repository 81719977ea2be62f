"""A mixture is the weighted sum of its parts, on either side of every corner."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.testing.rational_divergence import is_rational
from tests.support.mixtures import NAMES, parts_of
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import enclose_divergence, parse_divergence
from verify.kernel.errors import InputError, LimitError
from verify.kernel.exact import INFINITE

RATIOS = st.fractions(Fraction(1, 9), 9, max_denominator=40)


def overlap(first, second):
    return first.lower <= second.upper and second.lower <= first.upper


@pytest.mark.parametrize("name", NAMES)
def test_a_name_is_sorted_and_read_back(name):
    backwards = parse_divergence("+".join(reversed(name.split("+"))))
    assert backwards.name == parse_divergence(name).name == name


def test_sixteen_terms_and_no_more():
    terms = [f"{n}*kl" for n in range(1, 18)]
    assert parse_divergence("+".join(terms[:16])).name.count("kl") == 16
    with pytest.raises(LimitError, match="divergence: terms: 17 is over the limit of 16"):
        parse_divergence("+".join(terms))


@pytest.mark.parametrize(
    "name",
    [
        *("", "*", "1*", "*kl", "1*kl+", "+1*kl", "1*kl++1*tv", "kl+tv", "1*kl+tv", "1*kl*tv"),
        *("0*kl", "-1*kl", "1*renyi:2", "1*kl+1*renyi:1", "1*2*kl", "1*chernoff", "1*lr:2"),
        *("1*1*1*kl", "x*kl", "1*kl+1*e-gamma:0", "1*kl + 1*tv", "inf*kl", "1*KL", "1**kl"),
        "+".join(f"{n}*kl" for n in range(1, 18)),
        "1*" * 5000 + "kl",
        "1*kl+" * 100000,
    ],
)
def test_other_texts_are_refused(name):
    with pytest.raises(InputError):
        parse_divergence(name)


@given(st.sampled_from(NAMES), RATIOS, RATIOS)
def test_the_perspective_is_the_weighted_sum(name, x, y):
    found = parse_divergence(name).perspective(x, y, 128)
    terms = [(w, part.perspective(x, y, 160)) for w, part in parts_of(name)]
    total = sum((w * term.lower for w, term in terms), Fraction(0))
    assert abs(found.lower - total) <= Fraction(1, 2**110)
    assert found.upper - found.lower <= 16 * Fraction(1, 2**128) * max(x, y)


@given(st.sampled_from(NAMES), RATIOS, RATIOS, st.booleans())
def test_gradients_on_either_side_lie_below_the_perspective(name, t, u, left):
    """g_t is a subgradient: h(t, 1) = g_t.(t, 1) and h(u, 1) >= g_t.(u, 1)."""
    mixture = parse_divergence(name)
    for at in (t, *mixture.kinks):
        side = mixture.left_gradient if left else mixture.gradient
        g0, g1 = side(at, 128)
        here = mixture.perspective(at, Fraction(1), 128)
        assert overlap(g0.scaled(at) + g1, here)
        there = mixture.perspective(u, Fraction(1), 128)
        assert (g0.scaled(u) + g1).lower <= there.upper


@pytest.mark.parametrize("name", NAMES)
def test_one_sided_gradients_are_limits(name):
    """At a corner the left one is that of smaller ratios, the right one that of larger ones."""
    mixture, step = parse_divergence(name), Fraction(1, 10**12)
    for t in {*mixture.kinks, Fraction(7, 5)}:
        for side, near in (
            (mixture.left_gradient, t - step),
            (mixture.gradient, t + step),
        ):
            for exact, limit in zip(side(t, 128), mixture.gradient(near, 128), strict=True):
                assert abs(exact.lower - limit.lower) <= Fraction(1, 10**9)
        jump = mixture.gradient(t, 128)[0].lower - mixture.left_gradient(t, 128)[0].lower
        corner = sum((w for w, part in parts_of(name) if t in part.kinks), Fraction(0))
        assert jump == corner if is_rational(mixture) else abs(jump - corner) < Fraction(1, 10**30)


def test_values_between_laws():
    p, q = Distribution(("1/2", "1/2", "0")), Distribution(("1/4", "1/2", "1/4"))
    for name in NAMES:
        terms = [(w, enclose_divergence(part, p, q, 128)) for w, part in parts_of(name)]
        found = enclose_divergence(parse_divergence(name), p, q, 128)
        if any(term is INFINITE for _, term in terms):
            assert found is INFINITE
        else:
            assert overlap(
                found, sum((t.scaled(w) for w, t in terms[1:]), terms[0][1].scaled(terms[0][0]))
            )
    assert enclose_divergence(parse_divergence("1*kl+1*tv"), q, p, 64) is INFINITE
    assert enclose_divergence(parse_divergence("1*e-gamma:2+1*tv"), p, q, 64).is_exact
