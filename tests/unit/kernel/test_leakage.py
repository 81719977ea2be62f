"""Worst-case pointwise maximal leakage against the vertices of the priors and random priors."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.leakage.worst_leakage import worst_exp_leakage
from tests.support.instances import channels, distributions, exp_epsilons
from verify.kernel.channel import Channel
from verify.kernel.errors import InputError
from verify.kernel.exact import INFINITE
from verify.kernel.ldp import largest_column_ratio


def leakage_under(rows, prior):
    """max over y that can occur of max_x K(y|x)/P_Y(y), by definition."""
    worst = Fraction(1)
    for y in range(len(rows[0])):
        column = [row[y] for row in rows]
        mass = sum(p * entry for p, entry in zip(prior, column, strict=True))
        if not max(column):
            continue
        if not mass:
            return INFINITE
        worst = max(worst, max(column) / mass)
    return worst


def vertices(n, c):
    return [tuple(c + (1 - n * c) * (x == corner) for x in range(n)) for corner in range(n)]


def at_most(a, b):
    return b is INFINITE or (a is not INFINITE and a <= b)


@st.composite
def cases(draw):
    rows = draw(channels())
    return rows, draw(st.fractions(0, 1, max_denominator=30)) / len(rows)


@given(cases())
def test_the_worst_prior_is_a_vertex(case):
    rows, c = case
    values = [leakage_under(rows, vertex) for vertex in vertices(len(rows), c)]
    expected = INFINITE if INFINITE in values else max(values)
    assert worst_exp_leakage(Channel(rows), c) == expected


@given(cases(), st.data())
def test_no_prior_leaks_more(case, data):
    rows, c = case
    n = len(rows)
    prior = [c + (1 - n * c) * mass for mass in data.draw(distributions(size=n))]
    assert at_most(leakage_under(rows, prior), worst_exp_leakage(Channel(rows), c))


@given(cases(), st.fractions(0, 1))
def test_less_freedom_of_the_prior_leaks_less(case, share):
    rows, c = case
    channel = Channel(rows)
    assert at_most(worst_exp_leakage(channel, c), worst_exp_leakage(channel, c * share))


@given(channels())
def test_without_a_least_mass_it_is_the_largest_column_ratio(rows):
    channel = Channel(rows)
    assert worst_exp_leakage(channel, Fraction(0)) == largest_column_ratio(channel).exp_epsilon


@given(channels(), exp_epsilons(), st.fractions(0, 1))
def test_private_channels_leak_less_than_their_level(rows, E, share):
    channel = Channel(rows)
    ratio = largest_column_ratio(channel).exp_epsilon
    if ratio is not INFINITE and ratio <= E:
        c = share / len(rows)
        assert worst_exp_leakage(channel, c) <= E / (1 + c * (E - 1))


@pytest.mark.parametrize("c", [Fraction(-1, 100), Fraction(1, 2) + Fraction(1, 10**50), 2])
def test_masses_no_prior_can_have_are_refused(c):
    with pytest.raises(InputError, match=r"c: .* is outside \[0, 1/2\]"):
        worst_exp_leakage(Channel(((1, 0), (0, 1))), Fraction(c))


def test_a_known_value():
    channel = Channel((("3/4", "1/4"), ("1/4", "3/4")))
    assert worst_exp_leakage(channel, Fraction(1, 4)) == 2
    assert worst_exp_leakage(channel, Fraction(1, 2)) == Fraction(3, 2)
    assert worst_exp_leakage(Channel(((1, 0), (0, 1))), Fraction(1, 10)) == 10
