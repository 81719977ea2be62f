"""Leakage profiles, contraction and conversions against their definitions."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from solvers.leakage import (
    birkhoff_coefficient,
    chi2_contraction,
    conversion_table,
    dobrushin_at_leakage,
    e_gamma_contraction,
    exp_ldp_of_leakage,
    exp_leakage_of_ldp,
    exp_maximal_leakage,
    farthest_rows,
    kernel_output_ratio,
    largest_output_ratio,
    leakage_profile,
    pointwise_maximal_leakage,
    worst_exp_leakage,
)
from tests.support import leakage_oracle as oracle
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError
from verify.kernel.exact import INFINITE

channels = oracle.channels
shares = oracle.shares
NOISY = ((1, 0, 0), (Fraction(1, 2), Fraction(1, 2), 0), (0, Fraction(1, 2), Fraction(1, 2)))


def least_masses(n):
    return shares().map(lambda share: share / n)


@given(channels(), st.data())
def test_pointwise_leakage_is_its_definition(rows, data):
    prior = data.draw(oracle.laws(len(rows)))
    found = pointwise_maximal_leakage(Channel(rows), Distribution(prior))
    expected = oracle.leakages(prior, rows)
    assert dict(zip(found.outputs, found.exp_leakage, strict=True)) == expected
    assert found.worst == max(expected.values())
    assert expected[found.worst_output] == found.worst


@given(channels(), st.data())
def test_maximal_leakage_is_the_mean_of_the_pointwise_one(rows, data):
    n = len(rows)
    prior = oracle.interior(data.draw(oracle.laws(n)), Fraction(1, 2 * n))
    out, leakages = oracle.through(prior, rows), oracle.leakages(prior, rows)
    mean = sum(out[y] * leakage for y, leakage in leakages.items())
    assert exp_maximal_leakage(Channel(rows)) == mean
    assert mean <= min(n, len(rows[0]), max(leakages.values()))


@given(channels(), st.data())
def test_the_profile_is_the_worst_leakage_at_every_c(rows, data):
    channel = Channel(rows)
    c = data.draw(least_masses(len(rows)))
    profile = leakage_profile(channel)
    worst = oracle.worst_leakage(rows, c)
    assert profile.exp_leakage(c) == (INFINITE if worst is None else worst)
    assert profile.exp_leakage(c) == worst_exp_leakage(channel, c)


@given(channels(max_outputs=6))
@example(NOISY)
def test_the_breakpoints_are_where_the_formula_changes(rows):
    profile = leakage_profile(Channel(rows))
    points = profile.breakpoints
    assert points[0] == 0
    assert points[-1] == Fraction(1, len(rows))
    assert all(a < b for a, b in pairwise(points))
    for before, after in pairwise(profile.segments):
        at = before.upper
        assert after.lower == at
        assert before.slope > after.slope
        assert before.intercept + before.slope * at == after.intercept + after.slope * at


@given(channels(), st.data())
@example(NOISY, None)
def test_no_c_gives_a_smaller_bound_than_the_best(rows, data):
    profile, n = leakage_profile(Channel(rows)), len(rows)
    best = profile.best_bound()
    assert best.coefficient == oracle.largest_event_difference(rows) <= best.bound
    assert profile.dobrushin_bound(best.c) == best.bound <= best.ldp_bound
    grid = {Fraction(j, 16 * n) for j in range(17)}
    if data is not None:
        grid.add(data.draw(least_masses(n)))
    for c in grid:
        bound = profile.dobrushin_bound(c)
        worst = oracle.worst_leakage(rows, c)
        assert bound == dobrushin_at_leakage(n, c, INFINITE if worst is None else worst)
        assert bound >= best.bound
        assert bound > best.bound or c >= best.c


def test_profiles_refuse_one_input_and_c_out_of_range():
    with pytest.raises(InputError):
        leakage_profile(Channel((("1/2", "1/2"),)))
    for c in ("-1/10", "2/5"):
        with pytest.raises(InputError):
            leakage_profile(Channel(NOISY)).exp_leakage(c)


gammas = st.one_of(st.just(Fraction(1)), st.fractions(1, 5, max_denominator=12))


@given(channels(min_inputs=1), gammas)
def test_farthest_rows_are_the_farthest(rows, gamma):
    channel = Channel(rows)
    found = farthest_rows(channel, gamma)
    assert found.value == e_gamma_contraction(channel, gamma) == oracle.largest_e_gamma(rows, gamma)
    assert oracle.e_gamma(rows[found.first], rows[found.second], gamma) == found.value
    if gamma == 1:
        assert found.value == oracle.largest_event_difference(rows)


@given(channels(), gammas, st.data())
def test_e_gamma_contracts_by_its_coefficient(rows, gamma, data):
    p, q = data.draw(oracle.laws(len(rows))), data.draw(oracle.laws(len(rows)))
    left = oracle.e_gamma(oracle.through(p, rows), oracle.through(q, rows), gamma)
    assert left <= e_gamma_contraction(Channel(rows), gamma) * oracle.e_gamma(p, q, gamma)


def test_e_gamma_below_one_is_refused():
    for function in (farthest_rows, e_gamma_contraction):
        with pytest.raises(InputError):
            function(Channel(NOISY), Fraction(1, 2))


@given(channels(), st.data())
def test_chi2_contracts_by_its_coefficient_which_lies_below_dobrushin(rows, data):
    found = chi2_contraction(Channel(rows))
    eta = oracle.dobrushin(rows)
    assert eta * eta <= found.coefficient.upper
    assert found.coefficient.lower <= eta
    assert found.coefficient.upper - found.coefficient.lower <= Fraction(1, 2**60)
    p, q = data.draw(oracle.laws(len(rows))), data.draw(oracle.laws(len(rows)))
    before = oracle.chi2(p, q)
    after = oracle.chi2(oracle.through(p, rows), oracle.through(q, rows))
    if before is not None:
        assert after <= found.coefficient.upper * before


@given(channels(), st.integers(1, 60))
def test_the_chi2_coefficient_is_nearly_reached_at_its_weight(rows, bits):
    """chi2 of slightly tilted laws on the pair of inputs comes as near as one likes."""
    found = chi2_contraction(Channel(rows))
    if found.first == found.second:
        assert oracle.dobrushin(rows) == 0
        return
    b = min(max(found.weight, Fraction(1, 2**20)), 1 - Fraction(1, 2**20))
    step = min(b, 1 - b) / 2**bits
    n = len(rows)
    base, tilted = [Fraction(0)] * n, [Fraction(0)] * n
    base[found.first], base[found.second] = b, 1 - b
    tilted[found.first], tilted[found.second] = b + step, 1 - b - step
    before = oracle.chi2(tilted, base)
    after = oracle.chi2(oracle.through(tilted, rows), oracle.through(base, rows))
    assert found.coefficient.lower - Fraction(1, 2**16) <= after / before
    assert after / before <= found.coefficient.upper


@given(channels(max_outputs=3))
def test_birkhoff_bounds_dobrushin_and_chi2(rows):
    found = birkhoff_coefficient(Channel(rows))
    assert oracle.dobrushin(rows) <= found.coefficient.upper
    if found.exp_diameter is not INFINITE:
        root = found.coefficient
        for end, sign in ((root.lower, -1), (root.upper, 1)):
            assert sign * ((1 + end) ** 2 - found.exp_diameter * (1 - end) ** 2) >= 0


@given(channels(min_inputs=2, least=1), st.data())
def test_birkhoff_contracts_the_projective_metric(rows, data):
    found, n = birkhoff_coefficient(Channel(rows)), len(rows)
    p, q = (oracle.interior(data.draw(oracle.laws(n)), Fraction(1, 3 * n)) for _ in "pq")

    def stretch(a, b):
        ratios = [x / y for x, y in zip(a, b, strict=True)]
        return float(max(ratios) / min(ratios))

    before, after = stretch(p, q), stretch(oracle.through(p, rows), oracle.through(q, rows))
    # log(after) <= coefficient * log(before), and the rounding of float logs is far below 1e-9
    assert after <= before ** float(found.coefficient.upper) * (1 + 1e-9)


ratios = st.fractions(1, 30, max_denominator=8)


@given(channels(least=1), st.data())
def test_ldp_channels_keep_the_leakage_of_the_table(rows, data):
    channel, c = Channel(rows), data.draw(least_masses(len(rows)))
    ldp = worst_exp_leakage(channel, Fraction(0))
    assert worst_exp_leakage(channel, c) <= exp_leakage_of_ldp(c, ldp)


@given(channels(), st.data())
def test_leaking_channels_keep_the_ratios_of_the_table(rows, data):
    n, channel = len(rows), Channel(rows)
    c = data.draw(least_masses(n))
    leakage = worst_exp_leakage(channel, c)
    if leakage is INFINITE:
        return
    ldp, most = worst_exp_leakage(channel, Fraction(0)), exp_ldp_of_leakage(n, c, leakage)
    assert most is INFINITE or (ldp is not INFINITE and ldp <= most)
    assert kernel_output_ratio(channel, c) <= largest_output_ratio(n, c, leakage) <= leakage


@given(st.integers(2, 6), shares(), ratios)
def test_the_conversions_are_attained(n, share, E):
    c = share / n
    if E == 1:
        return
    # One entry E times the others; the second column is closer to constant when entries are small.
    small = Fraction(1, 1000) / E
    peak = Channel(((E * small, 1 - E * small), *[(small, 1 - small)] * (n - 1)))
    assert worst_exp_leakage(peak, c) == exp_leakage_of_ldp(c, E)
    most = exp_ldp_of_leakage(n, c, E)
    low = small / most if most is not INFINITE else Fraction(0)
    dip = Channel((*[(small, 1 - small)] * (n - 1), (low, 1 - low)))
    leakage = worst_exp_leakage(dip, c)
    assert leakage == E if most is not INFINITE else leakage is INFINITE or leakage <= E
    if most is not INFINITE:
        assert kernel_output_ratio(dip, c) == largest_output_ratio(n, c, E)


def test_the_conversion_table_has_a_line_for_each_pair():
    table = conversion_table(4, ["0", "1/10"], ["log(2)", "log(3)", "1"])
    assert len(table) == 6
    assert (table[0].leakage_of_ldp, table[0].ldp_of_leakage) == (2, 2)
    assert table[4].leakage_of_ldp == Fraction(5, 2)
    assert table[4].ldp_of_leakage == 21
    assert table[4].dobrushin_of_ldp == Fraction(1, 2)
    assert table[4].dobrushin_of_leakage == Fraction(5, 7)


@given(channels(), st.data())
def test_output_laws_of_interior_laws_stay_within_the_ratio(rows, data):
    n = len(rows)
    c = data.draw(least_masses(n))
    ratio = kernel_output_ratio(Channel(rows), c)
    p, q = (oracle.through(oracle.interior(data.draw(oracle.laws(n)), c), rows) for _ in "pq")
    if ratio is not INFINITE:
        assert all(x <= ratio * y for x, y in zip(p, q, strict=True))
