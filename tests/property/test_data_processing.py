"""Binette's inequality, strong data processing and minimax bounds against exact divergences."""

import random
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.leakage import (
    attaining_kernel,
    dobrushin_bound,
    enclose_inflation_factor,
    extremal_pair,
    kernel_setting,
    largest_divergence,
    le_cam_bound,
    leakage_setting,
    minimax_table,
    non_private_setting,
    output_bounds,
    parse_measure,
    samples_needed,
    standard_problems,
    tv_constants,
    worst_exp_leakage,
)
from tests.support import leakage_oracle as oracle
from tests.support.data_processing_sweep import Sweep
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError
from verify.kernel.exact import INFINITE

MEASURES = (
    *("tv", "kl", "reverse-kl", "js", "chi2", "reverse-chi2", "hellinger", "lecam"),
    *("e-gamma:2", "e-gamma:1/2", "alpha:3", "alpha:2", "alpha:3/2", "alpha:1/2", "alpha:1/3"),
    *("renyi:2", "renyi:3/2", "renyi:1/2", "chernoff", "lr:1", "lr:2", "lr:7/2"),
)
DIGITS = 50


def mpf(x):
    return mpmath.mpf(x.numerator) / x.denominator


def measured(name, p, q):
    """The measure from its definition to DIGITS digits; all masses positive where it matters."""
    with mpmath.workdps(DIGITS):
        pairs = [(mpf(x), mpf(y)) for x, y in zip(p, q, strict=True) if x or y]
        family, _, parameter = name.partition(":")
        order = mpf(Fraction(parameter)) if parameter else None
        if family == "chernoff":
            return max(_chernoff(pairs, mpmath.mpf(j) / 8) for j in range(1, 8))
        if family == "lr":
            return mpmath.fsum(abs(x - y) ** order for x, y in pairs) ** (1 / order)
        if family in {"alpha", "renyi"}:
            total = mpmath.fsum(x**order * y ** (1 - order) for x, y in pairs)
            if family == "renyi":
                return mpmath.log(total) / (order - 1)
            return (total - 1) / (order * (order - 1))
        return mpmath.fsum(_term(family, x, y, order) for x, y in pairs) - (
            max(1 - order, mpmath.mpf(0)) if order is not None else 0
        )


def _chernoff(pairs, s):
    return -mpmath.log(mpmath.fsum(x**s * y ** (1 - s) for x, y in pairs))


def _term(name, x, y, gamma):
    def relative(a, b):
        return a * mpmath.log(a / b) if a else mpmath.mpf(0)

    return {
        "tv": lambda: abs(x - y) / 2,
        "kl": lambda: relative(x, y),
        "reverse-kl": lambda: relative(y, x),
        "js": lambda: (relative(x, (x + y) / 2) + relative(y, (x + y) / 2)) / 2,
        "chi2": lambda: (x - y) ** 2 / y,
        "reverse-chi2": lambda: (x - y) ** 2 / x,
        "hellinger": lambda: (mpmath.sqrt(x) - mpmath.sqrt(y)) ** 2,
        "lecam": lambda: (x - y) ** 2 / (x + y),
        "e-gamma": lambda: max(x - gamma * y, mpmath.mpf(0)),
    }[name]()


def is_at_most(value, bound):
    """value <= bound, up to the precision of the oracle."""
    with mpmath.workdps(DIGITS):
        return value <= mpf(bound) + mpmath.mpf(10) ** (10 - DIGITS)


@pytest.mark.parametrize("name", MEASURES)
@given(share=oracle.shares(), ratio=st.fractions(Fraction(9, 8), 40, max_denominator=9))
@settings(max_examples=12)
def test_the_extremal_pair_reaches_the_largest_divergence(name, share, ratio):
    distance = share * (ratio - 1) / (ratio + 1)
    p, q = (law.masses for law in extremal_pair(distance, ratio))
    assert oracle.total_variation(p, q) == distance
    assert {x / y for x, y in zip(p, q, strict=True) if y} <= {1 / ratio, Fraction(1), ratio}
    found = largest_divergence(parse_measure(name), distance, ratio)
    value = measured(name, p, q)
    assert is_at_most(value, found.upper)
    with mpmath.workdps(DIGITS):
        assert value >= mpf(found.lower) - mpmath.mpf(10) ** (10 - DIGITS)


@pytest.mark.parametrize("name", MEASURES)
@given(data=st.data())
@settings(max_examples=15)
def test_no_pair_of_laws_exceeds_it(name, data):
    weights = st.lists(st.integers(1, 30), min_size=4, max_size=4).map(oracle.normalised)
    p, q = data.draw(weights), data.draw(weights)
    ratio = max(max(x / y, y / x) for x, y in zip(p, q, strict=True))
    found = largest_divergence(parse_measure(name), oracle.total_variation(p, q), ratio)
    assert is_at_most(measured(name, p, q), found.upper)


@pytest.mark.parametrize("name", MEASURES)
@given(rows=oracle.channels(least=0), share=oracle.shares(), data=st.data())
@settings(max_examples=15)
def test_no_channel_exceeds_its_own_output_bounds(name, rows, share, data):
    n, channel = len(rows), Channel(rows)
    c = share / n
    p, q = (oracle.interior(data.draw(oracle.laws(n)), c) for _ in "pq")
    left, right = oracle.through(p, rows), oracle.through(q, rows)
    bounds = output_bounds(name, kernel_setting(channel, c), Distribution(p), Distribution(q))
    assert [bound.upper for bound in bounds] == sorted(bound.upper for bound in bounds)
    if any(bool(x) != bool(y) for x, y in zip(left, right, strict=True)):
        return
    value = measured(name, left, right)
    for bound in bounds:
        assert is_at_most(value, bound.upper), bound.name


@given(rows=oracle.channels(), share=oracle.shares(), data=st.data())
def test_the_bounds_of_all_channels_with_a_leakage_hold_for_each(rows, share, data):
    n, channel = len(rows), Channel(rows)
    c = share / n
    leakage = worst_exp_leakage(channel, c)
    if leakage is INFINITE or c == 0:
        return
    p, q = (Distribution(oracle.interior(data.draw(oracle.laws(n)), c)) for _ in "pq")
    text = f"log({leakage})"
    of_all = {b.name: b.upper for b in output_bounds("chi2", leakage_setting(n, c, text), p, q)}
    of_one = {b.name: b.upper for b in output_bounds("chi2", kernel_setting(channel, c), p, q)}
    assert of_one.keys() <= of_all.keys()
    assert all(of_one[name] <= of_all[name] for name in of_one)


@pytest.mark.parametrize("n_inputs", [2, 3])
def test_ternary_randomized_response_exceeds_the_factor_for_two_inputs(n_inputs):
    """With R = 4 and laws near the third input chi2 is 3 d^2, above (R-1)^2/R = 9/4 times d^2."""
    R, d = Fraction(4), Fraction(1, 1000)
    if n_inputs == 3:
        rows = tuple(tuple(R / 6 if x == y else Fraction(1, 6) for y in range(3)) for x in range(3))
        p, q = (d, Fraction(0), 1 - d), (Fraction(0), d, 1 - d)
    else:
        rows = ((R / 5, 1 / Fraction(5)), (1 / Fraction(5), R / 5))
        p, q = (d, 1 - d), (Fraction(0), Fraction(1))
    value = oracle.chi2(oracle.through(p, rows), oracle.through(q, rows))
    assert (value > (R - 1) ** 2 / R * d**2) == (n_inputs == 3)
    bounds = output_bounds(
        "chi2", kernel_setting(Channel(rows), 0), Distribution(p), Distribution(q)
    )
    square = {bound.name: bound.upper for bound in bounds}["ldp-chi2"]
    assert square == ((R - 1) ** 2 * (Fraction(1, 3) if n_inputs == 3 else 1 / R)) * d**2
    assert value <= square


@pytest.mark.parametrize("name", [m for m in MEASURES if not m.startswith(("renyi", "chern"))])
@pytest.mark.parametrize(("n_inputs", "c"), [(2, "1/10"), (3, "0"), (4, "1/10"), (5, "1/20")])
def test_the_constants_lie_above_what_the_attaining_kernel_shows(name, n_inputs, c):
    c = Fraction(c)
    constants = tv_constants(name, n_inputs, c, "log(3)")
    rows = attaining_kernel(n_inputs, c, "log(3)").rows
    corners = [tuple(Fraction(int(x == y)) for y in range(n_inputs)) for x in range(n_inputs)]
    p, q = (oracle.interior(corners[x], c) for x in (0, n_inputs // 2))
    value = measured(name, oracle.through(p, rows), oracle.through(q, rows))
    with mpmath.workdps(DIGITS):
        shown = value / mpf(oracle.total_variation(p, q))
        assert abs(shown - mpf(constants.attained)) < mpmath.mpf(10) ** (12 - 38)
    assert constants.attained <= constants.smallest
    assert constants.smallest == min(constants.by_exp_epsilon, constants.by_output_ratio)
    if c == 0:
        assert constants.smallest - constants.attained < Fraction(1, 10**36)


def test_closed_forms_of_the_constants():
    found = {name: tv_constants(name, 5, 0, "log(4)").ldp for name in MEASURES}
    assert found["tv"] == Fraction(3, 5)
    assert found["chi2"] == Fraction(3, 5) * (4 - Fraction(1, 4))
    assert abs(found["hellinger"] - Fraction(3, 5) * 2 * Fraction(1, 3)) < Fraction(1, 10**36)
    with mpmath.workdps(40):
        assert abs(mpf(found["kl"]) - mpmath.mpf(3) / 5 * mpmath.log(4)) < mpmath.mpf(10) ** -35


def test_bad_arguments_are_refused():
    for name in ("nothing", "alpha:", "alpha:x", "renyi:0", "lr:1/2", "lr", "e-gamma:0"):
        with pytest.raises(InputError):
            parse_measure(name)
    for arguments in (("tv", 4, "1/4", 1), ("tv", 4, "1/10", 0)):
        with pytest.raises(InputError):
            tv_constants(*arguments)
    law = Distribution(("1/100", "99/100"))
    with pytest.raises(InputError):
        output_bounds("tv", leakage_setting(2, "1/10", 1), law, law)


def product_total_variation(p, q, n):
    """TV of n independent outputs, over all words."""
    words = [(Fraction(1), Fraction(1))]
    for _ in range(n):
        words = [(a * x, b * y) for a, b in words for x, y in zip(p, q, strict=True)]
    return sum((abs(a - b) for a, b in words), Fraction(0)) / 2


@given(
    rows=oracle.channels(max_outputs=3), share=oracle.shares(), n=st.integers(0, 4), data=st.data()
)
def test_the_minimax_bound_knows_no_more_than_all_samples(rows, share, n, data):
    c = share / len(rows)
    p, q = (oracle.interior(data.draw(oracle.laws(len(rows))), c) for _ in "pq")
    exact = product_total_variation(oracle.through(p, rows), oracle.through(q, rows), n)
    laws = Distribution(p), Distribution(q)
    for setting in (kernel_setting(Channel(rows), c), non_private_setting(len(rows))):
        found = le_cam_bound(Fraction(2), setting, *laws, n)
        assert exact <= found.total_variation <= 1
        assert found.risk == 1 - found.total_variation


def test_samples_needed_is_where_the_bound_crosses():
    p, q = Distribution(("11/20", "9/20")), Distribution(("9/20", "11/20"))
    private, plain = leakage_setting(2, "1/10", "log(2)"), non_private_setting(2)
    error = Fraction(1, 10)
    for setting in (private, plain):
        n = samples_needed(error, setting, p, q)
        assert le_cam_bound(Fraction(1), setting, p, q, n).total_variation >= 1 - 2 * error
        assert le_cam_bound(Fraction(1), setting, p, q, n - 1).total_variation < 1 - 2 * error
    ratio = Fraction(samples_needed(error, private, p, q), samples_needed(error, plain, p, q))
    assert ratio > enclose_inflation_factor(2, "1/10", "log(2)").lower
    with pytest.raises(InputError):
        samples_needed(error, leakage_setting(2, "1/10", 0), p, q)
    with pytest.raises(InputError):
        samples_needed(Fraction(1, 2), plain, p, q)


def test_the_inflation_factor_is_one_over_the_coefficient():
    bound, factor = dobrushin_bound(4, "1/10", 1), enclose_inflation_factor(4, "1/10", 1)
    assert factor.lower * bound.upper == factor.upper * bound.lower == 1
    with pytest.raises(InputError):
        enclose_inflation_factor(4, "1/10", 0)


@pytest.mark.parametrize("k", [2, 3, 6])
def test_the_pairs_of_the_standard_problems_are_as_far_apart_as_said(k):
    for problem in standard_problems(k):
        c = Fraction(1, 3 * problem.n_inputs)
        t = problem.largest(c)
        p, q, loss = problem.pair(t)
        assert min(*p.masses, *q.masses) == c
        assert oracle.total_variation(p.masses, q.masses) == t
        steps = [abs(x - y) for x, y in zip(p.masses, q.masses, strict=True)]
        apart = {
            "bernoulli-mean": steps[0] / 2,
            "distribution-l1": sum(steps) / 2,
            "distribution-l2-squared": sum(s * s for s in steps) / 4,
        }
        assert loss == apart[problem.name]


def test_privacy_raises_the_minimax_bounds_and_samples_lower_them():
    rows = minimax_table(4, "1/10", "log(2)", [0, 100, 10000])
    assert len(rows) == 9
    for row in rows:
        assert 0 < row.non_private.risk <= row.leakage.risk <= row.ldp.risk
    for few, many in ((0, 1), (1, 2), (3, 4), (4, 5), (6, 7), (7, 8)):
        assert rows[few].leakage.risk > rows[many].leakage.risk


def test_the_known_rate_of_a_bernoulli_mean_without_privacy():
    """The risk of the sample mean is at most 1/(2 sqrt n): no lower bound may exceed it."""
    for row in minimax_table(2, "1/10", 1, [1, 10, 1000, 10**6]):
        if row.problem == "bernoulli-mean":
            assert row.non_private.risk**2 <= Fraction(1, 4 * row.n_samples)
            assert row.non_private.risk**2 >= Fraction(1, 400 * row.n_samples)


def report(sweep):
    return {name: f"{ratio:.4f}" for name, ratio in sorted(sweep.largest_ratio.items())}


def test_random_kernels_keep_the_constants():
    sweep = Sweep(np.random.default_rng(2), 2_000)
    assert sweep.run() == 2_000
    assert max(sweep.largest_ratio.values()) > 0.9
    for doubt in sweep.doubtful:
        assert doubt.is_kept_exactly()


@pytest.mark.slow
def test_a_hundred_thousand_random_kernels_keep_the_constants(capsys):
    sweep = Sweep(np.random.default_rng(3), 100_000)
    assert sweep.run() == 100_000
    for doubt in sweep.doubtful:
        assert doubt.is_kept_exactly()
    with capsys.disabled():
        print(f" {len(sweep.doubtful)} rechecked exactly; largest share of a bound:", report(sweep))


def test_the_sweep_would_notice_a_wrong_constant():
    sweep = Sweep(np.random.default_rng(4), 500, scale=0.9)
    sweep.run()
    assert max(sweep.largest_ratio.values()) > 1


def test_the_bounds_of_the_sweep_are_those_of_the_library():
    rng = random.Random(5)
    sweep = Sweep(np.random.default_rng(6), 200)
    sweep.run()
    for trial in rng.sample(sweep.trials, 40):
        trial.agree_with_library()
