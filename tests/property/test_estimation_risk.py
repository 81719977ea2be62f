"""Closed forms of private estimation against brute force, and the lower bound against channels."""

from fractions import Fraction
from math import isqrt

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import Epsilon, parse_epsilon
from solvers.backend import solve_rational
from solvers.estimation import (
    Parameters,
    enclose_loss,
    optimal_block_sizes,
    optimal_window,
    optimum,
)
from verify.kernel.errors import InputError
from verify.kernel.estimation import canonical_risk, hit_probabilities, risk_lower_bound
from verify.kernel.exact import INFINITE
from verify.kernel.interval import Interval

ABOVE_ONE = st.fractions(1, 60, max_denominator=50).filter(lambda e: e > 1)


def term(v, k, e):
    """The n risk of a block design, from the paper's formula."""
    return Fraction((v - 1) ** 2) * (k * e + v - k) ** 2 / (v * k * (v - k) * (e - 1) ** 2)


@given(st.integers(2, 60), ABOVE_ONE)
def test_optimal_sizes_and_bound_against_all_sizes(v, e):
    terms = {k: term(v, k, e) for k in range(1, v)}
    least = min(terms.values())
    sizes = tuple(k for k in terms if terms[k] == least)
    level = Epsilon.from_exp(e)
    assert optimal_block_sizes(v, level) == sizes
    assert optimum(v, level) == least
    assert risk_lower_bound(v, e) == (least, sizes)
    assert {k for k in range(1, v) if optimal_window(v, k).contains(e)} == set(sizes)


def test_two_sizes_at_a_border():
    """Where (v-k)(v-k-1)/(k(k+1)) is the square of a rational, that E has two optimal sizes."""
    borders = [
        (v, k, root)
        for v in range(3, 60)
        for k in range(1, v // 2)
        for root in [Fraction((v - k) * (v - k - 1), k * (k + 1))]
        if is_square(root) and root > 1
    ]
    assert borders
    for v, k, square in borders:
        e = Fraction(isqrt(square.numerator), isqrt(square.denominator))
        assert optimal_block_sizes(v, Epsilon.from_exp(e)) == (k, k + 1)


def is_square(fraction):
    return all(isqrt(n) ** 2 == n for n in fraction.as_integer_ratio())


@given(st.integers(2, 40), st.data())
def test_windows_meet_at_their_ends(v, data):
    k = data.draw(st.integers(1, v - 1))
    window = optimal_window(v, k)
    assert (window.upper_squared is INFINITE) == (k == 1)
    if k > 1:
        before = optimal_window(v, k - 1)
        assert before.lower_squared in {window.upper_squared, 1}
    lower, upper = window.enclose(64)
    assert lower.lower**2 <= window.lower_squared <= lower.upper**2
    if isinstance(upper, Interval) and not window.is_empty:
        assert upper.lower**2 <= window.upper_squared <= upper.upper**2


WINDOWS = {
    (101, 25): ("2.9613", "3.1230"),
    (109, 28): ("2.8249", "2.9641"),
    (341, 85): ("2.9883", "3.0356"),
    (7, 3): ("1", "1.8257"),
    (13, 4): ("1.8974", "2.7386"),
    (21, 5): ("2.8284", "3.6878"),
    (37, 9): ("2.8983", "3.3582"),
    (16, 6): ("1.4639", "1.9149"),
    (11, 5): ("1", "1.4491"),
    (15, 7): ("1", "1.3093"),
    (31, 6): ("3.7796", "4.6547"),
}


@pytest.mark.parametrize("design", WINDOWS)
def test_published_windows(design):
    for end, text in zip(optimal_window(*design).enclose(64), WINDOWS[design], strict=True):
        assert abs(end.lower - Fraction(text)) <= Fraction(6, 100_000)


@given(st.integers(2, 12), st.integers(0, 8), st.data(), ABOVE_ONE)
def test_risk_of_regular_pairwise_balanced_structures(v, lambda_, data, e):
    """The published formula in [b : r : lambda], and that only the ratio counts."""
    r = lambda_ + data.draw(st.integers(1, 8))
    b = r + data.draw(st.integers(1, 12))
    c = e - 1
    formula = (v * r + c * (r + (v - 1) * lambda_)) * (v * (b - r) + (v - 1) * (r - lambda_) * c)
    expected = formula / (v * (r - lambda_) ** 2 * c**2)
    assert canonical_risk(v, b, r, lambda_, e) == expected
    assert Parameters(v, b, r, lambda_).n_risk(e) == expected
    assert Parameters(v, 3 * b, 3 * r, 3 * lambda_).n_risk(e) == expected
    alpha, beta = hit_probabilities(b, r, lambda_, e)
    assert 0 <= beta < alpha < 1


def trace_of_inverse(columns, weights, v):
    """tr J^-1 on vectors with sum 0, exactly; J is the Fisher information at the uniform law."""
    basis = [[Fraction(int(x == i) - int(x == v - 1)) for x in range(v)] for i in range(v - 1)]

    def inner(a, b):
        return sum((s * t for s, t in zip(a, b, strict=True)), Fraction(0))

    projected = [[inner(h, column) for h in basis] for column in columns]
    information = [
        [
            sum(w * p[i] * p[j] for w, p in zip(weights, projected, strict=True))
            for j in range(v - 1)
        ]
        for i in range(v - 1)
    ]
    gram = [[inner(g, h) for h in basis] for g in basis]
    # tr (J^-1 G): the trace of the inverse in an orthonormal basis.
    inverse_columns = [solve_rational(information, [row[j] for row in gram]) for j in range(v - 1)]
    return sum(inverse_columns[j][j] for j in range(v - 1))


@given(st.integers(2, 4), st.fractions(1, 9, max_denominator=6).filter(lambda e: e > 1), st.data())
def test_no_private_channel_has_more_information_than_the_bound_allows(v, e, data):
    """Cramer-Rao of random E-LDP channels, with arbitrary entries, never goes below M."""
    n_columns = data.draw(st.integers(v, 6))
    levels = st.fractions(0, 1, max_denominator=5)
    shapes = [[1 + (e - 1) * data.draw(levels) for _ in range(v)] for _ in range(n_columns)]
    # With all rotations of every column the rows have equal sums.
    rotated = [shape[i:] + shape[:i] for shape in shapes for i in range(v)]
    total = sum(sum(shape) for shape in shapes)
    columns = [[entry / total for entry in shape] for shape in rotated]
    assert all(sum(column[x] for column in columns) == 1 for x in range(v))
    weights = [sum(column) / v for column in columns]
    scaled = [[entry / w for entry in c] for c, w in zip(columns, weights, strict=True)]
    try:
        trace = trace_of_inverse(scaled, weights, v)
    except ZeroDivisionError:
        return  # no unbiased estimator at all
    assert trace >= risk_lower_bound(v, e)[0]


def test_the_bound_is_attained_by_a_block_design_and_by_its_cramer_rao_bound():
    fano = [[0, 1, 3], [1, 2, 4], [2, 3, 5], [3, 4, 6], [0, 4, 5], [1, 5, 6], [0, 2, 6]]
    e = Fraction(3, 2)
    total = 3 * e + 4
    columns = [[(e if x in block else 1) / total for x in range(7)] for block in fano]
    weights = [Fraction(1, 7)] * 7
    scaled = [[7 * entry for entry in column] for column in columns]
    assert trace_of_inverse(scaled, weights, 7) == risk_lower_bound(7, e)[0]


@given(st.integers(2, 300), st.sampled_from(["0.01", "0.5", "1", "2.5", "7"]))
def test_irrational_levels_are_enclosed(v, epsilon):
    level = parse_epsilon(epsilon)
    lower, upper = (optimum(v, Epsilon.from_exp(end)) for end in (level.exp_upper, level.exp_lower))
    assert lower == optimum(v, level) < upper
    assert upper - lower < lower / 10**36
    (size,) = optimal_block_sizes(v, level)
    assert size in {1, int(v / (level.exp_lower + 1)), int(v / (level.exp_lower + 1)) + 1}


@given(st.integers(2, 50), st.fractions(1, 2, max_denominator=20), st.fractions(1, 400))
def test_losses_between_the_absolute_and_the_squared_error(v, u, risk):
    """Against mpmath, which shares no code with the enclosure."""
    import mpmath

    found = enclose_loss(risk, v, u)
    with mpmath.workdps(60):
        power = mpmath.mpf(u.numerator) / u.denominator
        constant = 2 ** (power / 2) * mpmath.gamma((power + 1) / 2) / mpmath.sqrt(mpmath.pi)
        ratio = mpmath.mpf(risk.numerator) / risk.denominator / v
        value = constant * v * ratio ** (power / 2)
        for end in (found.lower, found.upper):
            assert abs(mpmath.mpf(end.numerator) / end.denominator - value) < value / 10**40


@pytest.mark.parametrize("loss", ["0.99", "2.01", "-1", "0"])
def test_losses_outside_are_refused(loss):
    with pytest.raises(InputError, match="not in 1"):
        enclose_loss(Fraction(5), 3, Fraction(loss))


@pytest.mark.parametrize(
    ("v", "b", "r", "lambda_"), [(1, 3, 2, 1), (3, 3, 2, 2), (3, 2, 2, 1), (3, 3, 1, -1)]
)
def test_uninformative_parameters_are_refused(v, b, r, lambda_):
    with pytest.raises(InputError, match="telling symbols apart"):
        Parameters(v, b, r, lambda_)


def test_a_level_hard_by_a_border_is_decided():
    """Nats within 10^-45 of log sqrt(21), where k = 1 takes over from k = 2 for v = 8."""
    import mpmath

    with mpmath.workdps(80):
        nats = Fraction(int(mpmath.log(21) / 2 * 10**45), 10**45)
    for near, size in ((nats, 2), (nats + Fraction(2, 10**45), 1)):
        level = Epsilon.from_nats(near)
        assert level.exp_lower**2 < 21 < level.exp_upper**2
        assert optimal_block_sizes(8, level) == (size,)
