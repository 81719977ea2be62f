"""The exact linear program: against a float solver, and each of the three answers."""

import random
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.optimize import linprog

from solvers.linear_program import LinearAnswer, solve_linear_program
from solvers.testing import solve_testing
from solvers.testing.staircase_program import staircase_optimum
from tests.support import oracle
from tests.support.instances import FAMILIES, random_pair
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import parse_divergence
from verify.kernel.errors import InputError, LimitError

NUMBERS = st.integers(-4, 4).map(Fraction)


@given(st.data())
@settings(max_examples=150, deadline=None)
def test_against_a_float_solver(data):
    m, n = data.draw(st.integers(1, 4)), data.draw(st.integers(1, 6))
    row = st.lists(NUMBERS, min_size=n, max_size=n)
    rows = data.draw(st.lists(row, min_size=m, max_size=m))
    objective, right = data.draw(row), data.draw(st.lists(NUMBERS, min_size=m, max_size=m))
    found = solve_linear_program(objective, rows, right)
    floats = linprog(
        -np.array(objective, dtype=float),
        A_eq=np.array(rows, dtype=float),
        b_eq=np.array(right, dtype=float),
        method="highs",
        options={"presolve": False},
    )
    expected = {0: LinearAnswer.OPTIMAL, 2: LinearAnswer.INFEASIBLE, 3: LinearAnswer.UNBOUNDED}
    if floats.status in expected:
        assert found.answer is expected[floats.status]
    if found.answer is LinearAnswer.OPTIMAL:
        assert float(found.value) == pytest.approx(-floats.fun, abs=1e-7)
        assert all(x >= 0 for x in found.x)
        for entries, b in zip(rows, right, strict=True):
            assert sum(a * x for a, x in zip(entries, found.x, strict=True)) == b


def test_degenerate_and_redundant_rows():
    one, zero = Fraction(1), Fraction(0)
    rows = [[one, one, zero], [2 * one, 2 * one, zero], [one, zero, one]]
    found = solve_linear_program([one, 2 * one, zero], rows, [one, 2 * one, one])
    assert (found.answer, found.value) == (LinearAnswer.OPTIMAL, 2)
    assert solve_linear_program([one], [[zero]], [one]).answer is LinearAnswer.INFEASIBLE
    assert solve_linear_program([one, zero], [[one, -one]], [zero]).answer is LinearAnswer.UNBOUNDED
    with pytest.raises(ValueError, match="do not fit"):
        solve_linear_program([one], [[one, one]], [one])


def test_beales_example_ends():
    """A program on which the plain largest-coefficient rule cycles (Beale 1955)."""
    f = Fraction
    objective = [f(3, 4), f(-150), f(1, 50), f(-6), f(0), f(0), f(0)]
    rows = [
        [f(1, 4), f(-60), f(-1, 25), f(9), f(1), f(0), f(0)],
        [f(1, 2), f(-90), f(-1, 50), f(3), f(0), f(1), f(0)],
        [f(0), f(0), f(1), f(0), f(0), f(0), f(1)],
    ]
    assert solve_linear_program(objective, rows, [f(0), f(0), f(1)]).value == f(1, 20)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("name", ["tv", "chi2", "reverse-chi2", "lecam", "alpha:3", "e-gamma:5/4"])
def test_partitions_equal_the_program_over_all_subsets(family, name):
    """k = 6 over several epsilon: equality of fractions."""
    rng = random.Random(f"{family}{name}")
    p, q = random_pair(rng, 6, family)
    for E in map(Fraction, ("11/10", "5", "300")):
        whole = staircase_optimum(Distribution(p), Distribution(q), parse_divergence(name), E)
        assert whole == solve_testing(p, q, f"log({E})", name).value_lower


def test_the_program_agrees_with_an_independent_one():
    rng = random.Random(8)
    p, q = random_pair(rng, 5, "sparse")
    for name in ("chi2", "e-gamma:5/4"):
        found = staircase_optimum(
            Distribution(p), Distribution(q), parse_divergence(name), Fraction(4)
        )
        assert found == oracle.staircase_optimum(p, q, Fraction(4), name)


def test_limits_of_the_program():
    law = Distribution(["1/13"] * 13)
    with pytest.raises(LimitError):
        staircase_optimum(law, law, parse_divergence("chi2"), Fraction(2))
    with pytest.raises(InputError):
        staircase_optimum(law, law, parse_divergence("kl"), Fraction(2))
    law = Distribution(["1/2", "1/2"])
    assert staircase_optimum(law, law, parse_divergence("chi2"), Fraction(1)) == 0
