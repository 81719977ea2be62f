"""The comparisons of enclosures that decide: each end against the right side, equality included."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.kernel import optimality, sweep
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import Divergence, parse_divergence
from verify.kernel.interval import Interval
from verify.kernel.verdict import Status

HALF = Fraction(1, 2)
ENDS = st.fractions(-3, 3, max_denominator=6)
ENCLOSURES = st.builds(lambda low, width: Interval(low, low + abs(width)), ENDS, ENDS)
SYMBOLS = st.tuples(st.integers(0, 9), st.integers(0, 9), st.integers(-20, 20))


@given(ENCLOSURES, ENCLOSURES, st.lists(SYMBOLS, max_size=5))
def test_signs_are_those_of_the_two_ends(g0, g1, symbols):
    expected = [
        (g0.lower * a + g1.lower * b >= lam, g0.upper * a + g1.upper * b <= lam)
        for a, b, lam in symbols
    ]
    assert sweep._signs((g0, g1), symbols) == expected


@pytest.mark.parametrize("symbol", [(HALF, Fraction(0)), (Fraction(0), HALF)])
@pytest.mark.parametrize("name", ["tv", "lecam"])
def test_a_symbol_with_mass_under_one_law_only_is_no_symbol_without_mass(name, symbol):
    triples = [(*symbol, Fraction(-9))]
    sets = sweep.candidate_sets(parse_divergence(name), Fraction(2), triples, (), 64)
    assert sets == triples


def lower_bound(lower, low, high):
    """The verdict where every term of the divergence is enclosed by [low/2, high/2]."""
    enclosure = Interval(Fraction(low) / 2, Fraction(high) / 2)
    law = Distribution(["1/2", "1/2"])
    divergence = Divergence("given", lambda x, y, bits: enclosure, None)
    problem = optimality.TestingProblem(law, law, divergence)
    return optimality.check_lower_bound(problem, Fraction(3), [[0], [1]], Fraction(lower), 64)


@pytest.mark.parametrize(
    ("lower", "status"),
    [
        ("-1", Status.ACCEPTED),
        ("1", Status.ACCEPTED),
        ("3/2", Status.UNDECIDED),
        ("2", Status.UNDECIDED),
        ("5/2", Status.REJECTED),
    ],
)
def test_a_lower_bound_is_reached_missed_or_not_decided(lower, status):
    verdict = lower_bound(lower, 1, 2)
    assert verdict.status is status
    if status is not Status.UNDECIDED:
        assert verdict.details["value"] == Interval(Fraction(1), Fraction(2))
