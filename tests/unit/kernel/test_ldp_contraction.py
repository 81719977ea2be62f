"""Largest column ratio, LDP and the Dobrushin coefficient against their definitions."""

from fractions import Fraction
from itertools import product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.leakage.contraction import dobrushin_coefficient
from tests.support import oracle
from tests.support.instances import (
    channels,
    distributions,
    exp_epsilons,
    pairs,
    random_channel,
    random_staircase,
)
from verify.kernel import contraction
from verify.kernel.channel import Channel
from verify.kernel.errors import LimitError
from verify.kernel.exact import INFINITE, rational_text
from verify.kernel.ldp import largest_column_ratio
from verify.kernel.privacy_level import PrivacyLevel
from verify.kernel.verdict import Status


def naive_ratio(rows):
    worst = Fraction(1)
    for y, (row, other) in product(range(len(rows[0])), product(rows, rows)):
        if row[y] and not other[y]:
            return INFINITE
        if other[y]:
            worst = max(worst, row[y] / other[y])
    return worst


@given(channels())
def test_the_ratio_is_the_largest_with_a_witness(rows):
    worst = largest_column_ratio(Channel(rows))
    assert worst.exp_epsilon == naive_ratio(rows)
    high = rows[worst.likelier_input][worst.output]
    low = rows[worst.less_likely_input][worst.output]
    if worst.exp_epsilon is INFINITE:
        assert high > 0 == low
    elif worst.exp_epsilon != 1:
        assert high / low == worst.exp_epsilon
    else:
        assert high == low


def allows(channel, E):
    return PrivacyLevel(exp_epsilon=E).allows(largest_column_ratio(channel).exp_epsilon)


@given(channels(), exp_epsilons())
def test_private_means_every_ratio_is_at_most_the_bound(rows, E):
    private = all(
        row[y] <= E * other[y] for y in range(len(rows[0])) for row in rows for other in rows
    )
    assert allows(Channel(rows), E) is (Status.ACCEPTED if private else Status.REJECTED)


@given(st.randoms(use_true_random=False), exp_epsilons(), st.integers(1, 6), st.integers(1, 5))
def test_the_bound_itself_is_private_and_anything_less_is_not(rng, E, n, m):
    for rows in (random_channel(rng, n, m, E), random_staircase(rng, n, E)):
        channel = Channel(tuple(map(tuple, rows)))
        worst = largest_column_ratio(channel).exp_epsilon
        assert allows(channel, E) is allows(channel, worst) is Status.ACCEPTED
        if worst > 1:
            below = worst - min(Fraction(1, 10**60), worst - 1)
            assert allows(channel, below) is Status.REJECTED


def test_a_zero_column_and_a_single_input_reveal_nothing():
    assert largest_column_ratio(Channel(((1, 0), (1, 0)))).exp_epsilon == 1
    assert largest_column_ratio(Channel((("1/3", "2/3"),))).exp_epsilon == 1
    assert largest_column_ratio(Channel(((1, 0), (0, 1)))).exp_epsilon is INFINITE


def test_a_ratio_may_be_too_long_to_write():
    tiny = Fraction(1, 10**3990 + 1)
    other = Fraction(10**3980 + 7, 10**3989 + 3)
    channel = Channel(((tiny, 1 - tiny), (other, 1 - other)))
    assert largest_column_ratio(channel).exp_epsilon == other / tiny
    with pytest.raises(LimitError):
        rational_text(other / tiny)


@given(channels())
def test_dobrushin_is_the_largest_distance_of_rows(rows):
    expected = max(oracle.divergence("tv", a, b) for a in rows for b in rows)
    assert dobrushin_coefficient(Channel(rows)) == expected


@given(st.data())
def test_dobrushin_contracts_total_variation(data):
    p, q = data.draw(pairs(max_size=5))
    rows = data.draw(channels(n_inputs=len(p)))
    eta = dobrushin_coefficient(Channel(rows))
    after = oracle.divergence("tv", oracle.through(rows, p), oracle.through(rows, q))
    assert after <= eta * oracle.divergence("tv", p, q)


@given(channels(), st.data())
def test_dobrushin_is_submultiplicative(rows, data):
    second = data.draw(channels(n_inputs=len(rows[0])))
    both = Channel(tuple(tuple(oracle.through(second, row)) for row in rows))
    bound = dobrushin_coefficient(Channel(rows)) * dobrushin_coefficient(Channel(second))
    assert dobrushin_coefficient(both) <= bound


@given(channels(), exp_epsilons())
def test_private_channels_contract(rows, E):
    channel = Channel(rows)
    if allows(channel, E) is Status.ACCEPTED:
        assert dobrushin_coefficient(channel) <= (E - 1) / (E + 1)


def test_too_many_pairs_of_rows_are_over_the_limit(monkeypatch):
    monkeypatch.setattr(contraction, "MAX_PAIR_ENTRIES", 27)
    assert dobrushin_coefficient(Channel(((1, 0, 0),) * 3)) == 0
    with pytest.raises(LimitError, match="pairs of rows"):
        dobrushin_coefficient(Channel(((1, 0, 0),) * 4))


@given(distributions())
def test_equal_rows_contract_to_a_point(row):
    channel = Channel((row,) * 3)
    assert dobrushin_coefficient(channel) == 0
    assert largest_column_ratio(channel).exp_epsilon == 1
