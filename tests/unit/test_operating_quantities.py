"""Exact product tests, sample sizes and the curve of outputs."""

import random
from fractions import Fraction
from itertools import product
from math import prod

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.testing import solve_testing
from solvers.testing.operating_quantities import (
    SampleSize,
    error_exponents,
    price_of_privacy,
    sample_size,
)
from solvers.testing.product_test import ProductTest, count_types
from tests.support.instances import pairs, random_pair
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError, LimitError
from verify.kernel.exact import INFINITE

HALF = Fraction(1, 2)


def sequences(p, q, n):
    """(probability under p, under q) of every sequence of n symbols."""
    for word in product(range(len(p)), repeat=n):
        yield (
            prod((p[x] for x in word), start=Fraction(1)),
            prod((q[x] for x in word), start=Fraction(1)),
        )


@given(pairs(max_size=3), st.integers(0, 4), st.fractions(0, 1, max_denominator=9))
@settings(max_examples=60, deadline=None)
def test_the_bayes_error_is_that_of_all_sequences(pair, n, prior):
    p, q = pair
    test = ProductTest(Distribution(p), Distribution(q), n)
    brute = sum(min(prior * a, (1 - prior) * b) for a, b in sequences(p, q, n))
    assert test.bayes_error(prior) == brute


@given(pairs(max_size=3), st.integers(0, 3), st.fractions(0, 1, max_denominator=20))
@settings(max_examples=60, deadline=None)
def test_the_error_curve_is_the_lower_hull_of_all_tests(pair, n, level):
    """beta(alpha) = max over u >= 0 of sum min(u P, Q) - u alpha, by duality over slopes."""
    p, q = pair
    test = ProductTest(Distribution(p), Distribution(q), n)
    atoms = list(sequences(p, q, n))
    slopes = {b / a for a, b in atoms if a} | {Fraction(0)}
    brute = max(sum(min(u * a, b) for a, b in atoms) - u * level for u in slopes)
    assert test.type_two_error(level) == brute
    corners = test.neyman_pearson()
    assert corners[0].type_one == 0
    assert corners[-1].type_two == 0
    for corner in corners:
        assert test.type_two_error(corner.type_one) <= corner.type_two


def test_types_and_limits():
    assert count_types(3, 4) == 15
    law = Distribution(["1/10"] * 10)
    other = Distribution([Fraction(n, 55) for n in range(1, 11)])
    with pytest.raises(LimitError):
        ProductTest(law, other, 200)
    with pytest.raises(InputError):
        ProductTest(law, Distribution(["1"]), 2)
    with pytest.raises(InputError):
        ProductTest(law, other, -1)
    with pytest.raises(InputError):
        ProductTest(law, other, 1).bayes_error(Fraction(2))


@pytest.mark.parametrize("seed", range(12))
def test_sample_sizes_are_the_first_that_suffice(seed):
    rng = random.Random(seed)
    p, q = map(Distribution, random_pair(rng, rng.randint(2, 3)))
    target, prior = Fraction(1, rng.choice([4, 10, 30])), rng.choice([HALF, Fraction(1, 5)])
    found = sample_size(p, q, target, prior)
    if found.upper is None:
        assert p.masses == q.masses
        return
    assert found.is_exact or found.lower > 40
    if found.lower <= 40:
        n = found.lower
        assert ProductTest(p, q, n).bayes_error(prior) <= target
        assert not n or ProductTest(p, q, n - 1).bayes_error(prior) > target


def test_sample_sizes_at_the_edges():
    p, q = Distribution(["1", "0"]), Distribution(["0", "1"])
    assert sample_size(p, q, Fraction(1, 10**9)) == SampleSize(1, 1)
    assert sample_size(p, p, Fraction(1, 10)) == SampleSize(0, None)
    assert sample_size(p, q, HALF) == SampleSize(0, 0)
    assert error_exponents(p, q).bayes is INFINITE
    with pytest.raises(InputError):
        sample_size(p, q, Fraction(0))
    with pytest.raises(InputError):
        sample_size(p, q, Fraction(1, 9), Fraction(1))


def test_privacy_costs_samples():
    solution = solve_testing(["3/4", "1/4"], ["1/4", "3/4"], "log(3)", "chernoff")
    laws = solution.problem.p0, solution.problem.p1
    price = price_of_privacy(*laws, solution.mechanism, Fraction(1, 20))
    assert price.private_samples.is_exact
    assert price.non_private_samples.is_exact
    low, high = price.factor
    assert 1 < low == high
    assert price.private.bayes.upper < price.non_private.bayes.lower
