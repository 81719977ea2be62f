"""The solver against the linear program over all subsets and against all partitions."""

import random
from fractions import Fraction

import pytest

from solvers.testing import solve_testing
from tests.support import oracle
from tests.support.instances import E_VALUES, FAMILIES, random_pair

MARGIN = Fraction(1, 10**75)


def solve(p, q, E, name, outputs=None):
    return solve_testing(p, q, f"log({E})", name, outputs)


def require_value(solution, value):
    """The solution encloses the oracle's value; exactly and tightly where it should."""
    if isinstance(value, Fraction):
        assert solution.value_lower == solution.value_upper == value
    else:
        value = oracle.to_fraction(value)
        assert solution.value_lower - MARGIN <= value <= solution.value_upper + MARGIN
        width = solution.value_upper - solution.value_lower
        assert width <= max(solution.value_upper / 10**30, Fraction(1, 10**60))


def problems(seed, count, largest):
    rng = random.Random(seed)
    for i in range(count):
        family = list(FAMILIES)[i % len(FAMILIES)]
        p, q = random_pair(rng, rng.randint(1, largest), family)
        yield rng, p, q, rng.choice(E_VALUES)


@pytest.mark.parametrize("name", oracle.RATIONAL)
def test_the_linear_program_over_all_subsets(name):
    for rng, p, q, E in problems(f"lp {name}", 18, 6):
        require_value(solve(p, q, E, name), oracle.staircase_optimum(p, q, E, name))
        n = rng.randint(1, len(p))
        limited = solve(p, q, E, name, n).value_upper
        # the row for n outputs is necessary, so its program is an upper bound, seen to be tight
        assert limited <= oracle.staircase_optimum(p, q, E, name, n)


@pytest.mark.parametrize("name", oracle.RATIONAL)
def test_the_linear_program_on_eight_symbols(name):
    rng = random.Random(f"eight {name}")
    p, q = random_pair(rng, 8, "plain")
    require_value(solve(p, q, Fraction(5), name), oracle.staircase_optimum(p, q, Fraction(5), name))


@pytest.mark.parametrize("name", oracle.EVERY)
def test_all_partitions(name):
    for rng, p, q, E in problems(f"all {name}", 27, 5):
        outputs = rng.choice([None, 1, 2, 3])
        value = oracle.best_partition(p, q, E, name, outputs)
        require_value(solve(p, q, E, name, outputs), value)
        contiguous = oracle.best_contiguous(p, q, E, name, outputs)
        if oracle.is_rational(name):
            assert value == contiguous
        else:
            assert abs(oracle.to_fraction(value) - oracle.to_fraction(contiguous)) <= MARGIN


@pytest.mark.parametrize("name", oracle.EVERY)
def test_all_contiguous_partitions(name):
    for rng, p, q, E in problems(f"contiguous {name}", 9, 9):
        outputs = rng.choice([None, 2, 3, 4])
        require_value(solve(p, q, E, name, outputs), oracle.best_contiguous(p, q, E, name, outputs))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", oracle.EVERY)
def test_many_more(name, seed):
    for rng, p, q, E in problems(f"slow {seed} {name}", 45, 8):
        outputs = rng.choice([None, None, 1, 2, 3, 4])
        solution = solve(p, q, E, name, outputs)
        require_value(solution, oracle.best_contiguous(p, q, E, name, outputs))
        if oracle.is_rational(name) and len(p) <= 7 and outputs is None:
            require_value(solution, oracle.staircase_optimum(p, q, E, name))


def test_the_oracle_itself():
    """tv at E = 3 by hand: binary randomized response keeps (E - 1)/(E + 1) = 1/2 of TV = 1/2."""
    p, q, E = [Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)], Fraction(3)
    assert oracle.staircase_optimum(p, q, E, "tv") == Fraction(1, 4)
    assert oracle.best_partition(p, q, E, "tv") == Fraction(1, 4)
    assert oracle.best_contiguous(p, q, E, "tv") == Fraction(1, 4)
    assert oracle.best_contiguous(p, q, E, "tv", 1) == 0
    assert len(list(oracle.set_partitions(list(range(5))))) == 52
    assert len(list(oracle.contiguous_partitions(list(range(5))))) == 16
