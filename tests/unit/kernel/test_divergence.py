"""Every divergence is its definition, and its gradients are subgradients of its perspective."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solvers.output_law import output_law
from solvers.testing.rational_divergence import is_rational
from tests.support import oracle
from tests.support.instances import channels, pairs
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import (
    DIVERGENCE_NAMES,
    enclose_divergence,
    parse_divergence,
)
from verify.kernel.errors import InputError, LimitError
from verify.kernel.exact import INFINITE

NAMES = st.sampled_from([*oracle.EVERY, "e-gamma:1", "e-gamma:7/9"])
BITS = 160
EPSILON = Fraction(1, 1 << BITS)
RATIOS = st.builds(
    lambda a, b, n: Fraction(a, b) * Fraction(2) ** n,
    st.integers(1, 99),
    st.integers(1, 99),
    st.integers(-40, 40),
)
MASSES = st.one_of(st.just(Fraction(0)), RATIOS)


def enclosed(name, p, q, bits=BITS):
    return enclose_divergence(parse_divergence(name), Distribution(p), Distribution(q), bits)


def assert_holds(enclosure, value):
    """The enclosure holds the oracle's value (known to about 85 digits) and is narrow."""
    if value == oracle.INFINITE:
        assert enclosure is INFINITE
    elif isinstance(value, Fraction):
        assert enclosure.is_exact
        assert enclosure.lower == value
    else:
        exact, margin = oracle.to_fraction(value), Fraction(1, 10**80)
        assert enclosure.lower - margin <= exact <= enclosure.upper + margin
        assert enclosure.upper - enclosure.lower <= 64 * EPSILON


@given(NAMES, pairs())
def test_divergences_are_their_definitions(name, pair):
    assert_holds(enclosed(name, *pair), oracle.divergence(name, *pair))


@given(pairs())
def test_mirrors_and_symmetries(pair):
    p, q = pair
    for name in ("tv", "js", "hellinger", "lecam"):
        assert_holds(enclosed(name, q, p), oracle.divergence(name, p, q))
    for name, mirror in (("kl", "reverse-kl"), ("chi2", "reverse-chi2")):
        assert enclosed(name, p, q) == enclosed(mirror, q, p)
        assert enclosed(mirror, p, q) == enclosed(name, q, p)
    assert enclosed("tv", p, q) == enclosed("e-gamma:1", p, q)
    assert enclosed("e-gamma:1", p, q) == enclosed("e-gamma:1", q, p)


@given(pairs())
def test_known_inequalities_between_divergences(pair):
    tv = enclosed("tv", *pair).lower
    hellinger, js, lecam = (enclosed(name, *pair) for name in ("hellinger", "js", "lecam"))
    assert hellinger.lower <= 2 * tv
    assert hellinger.upper >= tv**2
    assert js.upper >= lecam.lower / 4
    assert js.lower <= enclosed("js", (1, 0), (0, 1)).upper
    kl = enclosed("kl", *pair)
    if kl is not INFINITE:
        assert kl.upper >= 2 * tv**2
        assert kl.lower <= enclosed("chi2", *pair).lower


@given(NAMES, pairs())
def test_identical_laws_have_divergence_zero(name, pair):
    value = enclosed(name, pair[0], pair[0])
    assert value.lower <= 0 <= value.upper


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("tv", 1),
        ("lecam", 2),
        ("hellinger", 2),
        ("e-gamma:5/4", 1),
        ("e-gamma:1/2", Fraction(1, 2)),
        ("kl", INFINITE),
        ("reverse-kl", INFINITE),
        ("chi2", INFINITE),
        ("reverse-chi2", INFINITE),
    ],
)
def test_disjoint_supports(name, expected):
    value = enclosed(name, (1, 0), (0, 1))
    assert (value if value is INFINITE else value.lower) == expected


def test_disjoint_supports_have_js_log_2():
    with mpmath.workdps(oracle.DIGITS):
        assert_holds(enclosed("js", (1, 0), (0, 1)), mpmath.log(2))


def test_infinity_is_one_sided():
    inside, full = (1, 0), (Fraction(1, 2), Fraction(1, 2))
    assert enclosed("kl", inside, full) is not INFINITE
    assert enclosed("kl", full, inside) is INFINITE
    assert enclosed("chi2", full, inside) is INFINITE
    assert enclosed("reverse-kl", inside, full) is INFINITE
    assert enclosed("reverse-chi2", full, inside) is not INFINITE


@given(NAMES, MASSES, MASSES)
@example("tv", Fraction(1), Fraction(1))
def test_the_perspective_is_homogeneous_and_vanishes_on_the_diagonal(name, x, y):
    if not (x or y):
        return
    h = parse_divergence(name).perspective
    whole, scaled, diagonal = h(x, y, BITS), h(3 * x, 3 * y, BITS), h(x + y, x + y, BITS)
    assert diagonal.lower <= 0 <= diagonal.upper
    if whole is INFINITE:
        assert scaled is INFINITE
        return
    assert whole.upper - whole.lower <= EPSILON * max(x, y)
    assert scaled.upper >= whole.scaled(3).lower
    assert whole.scaled(3).upper >= scaled.lower


@given(NAMES, MASSES, MASSES, RATIOS)
@example("tv", Fraction(1), Fraction(2), Fraction(1))
@example("e-gamma:5/4", Fraction(5), Fraction(4), Fraction(5, 4))
def test_gradients_are_subgradients(name, x, y, t):
    if not (x or y):
        return
    divergence = parse_divergence(name)
    value = divergence.perspective(x, y, BITS)
    gradients = [divergence.gradient(t, BITS)]
    for kink in divergence.kinks:
        gradients += [divergence.gradient(kink, BITS), divergence.left_gradient(kink, BITS)]
    for g0, g1 in gradients:
        tangent = g0.scaled(x) + g1.scaled(y)
        assert value is INFINITE or value.upper >= tangent.lower
        assert g0.is_exact == g1.is_exact or not is_rational(divergence)


@given(NAMES, RATIOS, RATIOS)
def test_a_gradient_touches_at_its_own_ratio(name, t, y):
    divergence = parse_divergence(name)
    points = [(t, divergence.gradient(t, BITS))]
    for kink in divergence.kinks:
        points.append((kink, divergence.gradient(kink, BITS)))
        points.append((kink, divergence.left_gradient(kink, BITS)))
    for ratio, (g0, g1) in points:
        x = ratio * y
        difference = divergence.perspective(x, y, BITS) + g0.scaled(-x) + g1.scaled(-y)
        assert difference.lower <= 0 <= difference.upper
        if is_rational(divergence):
            assert difference.is_exact


@given(NAMES, RATIOS, RATIOS, MASSES, MASSES)
def test_the_tangent_at_a_point_rises_up_to_its_ratio_and_falls_after(name, s, t, a, b):
    """Along t the value g_t.(a, b) grows while t <= a/b and shrinks from there on."""
    s, t = sorted((s, t))
    divergence = parse_divergence(name)
    (s0, s1), (t0, t1) = divergence.gradient(s, BITS), divergence.gradient(t, BITS)
    first, second = s0.scaled(a) + s1.scaled(b), t0.scaled(a) + t1.scaled(b)
    if t * b <= a:
        assert second.upper >= first.lower
    if s * b >= a:
        assert first.upper >= second.lower


@given(st.sampled_from(oracle.RATIONAL), pairs(), st.integers(8, 300))
def test_rational_divergences_ignore_the_precision(name, pair, bits):
    value = enclosed(name, *pair, bits)
    assert value is INFINITE or value.is_exact
    assert value == enclosed(name, *pair)
    assert is_rational(parse_divergence(name))


@given(NAMES, st.data())
def test_data_processing(name, data):
    p, q = data.draw(pairs(max_size=5))
    channel = Channel(data.draw(channels(n_inputs=len(p))))
    before = enclosed(name, p, q)
    laws = (output_law(channel, Distribution(law)).masses for law in (p, q))
    after = enclosed(name, *laws)
    if before is not INFINITE:
        assert after is not INFINITE
        assert before.upper >= after.lower


def test_names():
    for name in DIVERGENCE_NAMES[:-3]:
        assert parse_divergence(name).name == name
    assert parse_divergence("e-gamma:10/8").name == "e-gamma:5/4"
    assert parse_divergence("e-gamma:0.5").kinks == (Fraction(1, 2),)


@pytest.mark.parametrize(
    "name",
    [
        "",
        "KL",
        "kl ",
        "kl:1",
        "tv:",
        "e-gamma",
        "e-gamma:",
        "e-gamma:0",
        "e-gamma:-1",
        "e-gamma:nan",
        "e-gamma:1/0",
        "e-gamma:1:2",
        "wasserstein",
        "x" * 10**7,
        "kl\n",
        "\ud800",
    ],
    ids=lambda name: ascii(name[:20]),
)
def test_unknown_names_are_refused_in_one_line(name):
    with pytest.raises(InputError) as caught:
        parse_divergence(name)
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 250


def test_huge_parameters_are_over_the_limit():
    with pytest.raises(LimitError):
        parse_divergence("e-gamma:1e999999999")


def test_two_alphabets_do_not_mix():
    with pytest.raises(InputError, match="1 and 2 symbols"):
        enclosed("tv", (1,), (1, 0))
