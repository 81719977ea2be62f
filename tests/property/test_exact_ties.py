"""Ties decided algebraically: against many digits, and over all partitions of small alphabets."""

import random
from fractions import Fraction
from itertools import combinations, pairwise
from math import gcd, prod

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.testing import solve_testing
from solvers.testing.alphabet import order_alphabet
from solvers.testing.exact_ties import (
    coprime_base,
    is_zero_of_logarithms,
    is_zero_of_roots,
    rational_root,
)
from solvers.testing.mixture import mixture_name, solve_mixture
from solvers.testing.objective import objective
from solvers.testing.partition_certified import certify_partition
from tests.support import oracle
from tests.support.instances import normalised
from verify.kernel.distribution import Distribution

POSITIVE = st.fractions(Fraction(1, 60), 60, max_denominator=60).filter(bool)
NAMES = (*oracle.TRANSCENDENTAL, "chi2", "lecam")


@given(st.lists(st.integers(1, 10**6), max_size=8))
def test_a_coprime_base_generates_its_numbers(numbers):
    base = coprime_base(numbers)
    assert all(member > 1 for member in base)
    assert all(gcd(a, b) == 1 for a, b in combinations(base, 2))
    for number in numbers:
        rest = number
        for member in base:
            while rest % member == 0:
                rest //= member
        assert rest == 1


@given(st.lists(st.tuples(st.integers(-4, 4), POSITIVE), min_size=1, max_size=6))
def test_relations_of_logarithms(pairs):
    """Integer combinations are zero just when a product of powers is 1."""
    product = prod((r**q for q, r in pairs), start=Fraction(1))
    terms = [(Fraction(q, 7), r) for q, r in pairs]
    assert is_zero_of_logarithms(terms) == (product == 1)
    assert is_zero_of_logarithms([*terms, (Fraction(-1, 7), product)])


@given(st.lists(st.tuples(POSITIVE, POSITIVE), min_size=1, max_size=5), st.integers(2, 5))
def test_relations_of_roots(pairs, degree):
    """q r^(1/n) and (q s) (r s^-n)^(1/n) are the same number."""
    terms = [(q, r) for q, r in pairs]
    undone = [(-q * Fraction(3, 2), r * Fraction(2, 3) ** degree) for q, r in pairs]
    assert is_zero_of_roots([*terms, *undone], degree)
    assert not is_zero_of_roots(terms, degree)  # positive terms only
    assert not is_zero_of_roots([*terms, *undone[:-1]], degree)


@given(POSITIVE, st.integers(2, 6))
def test_rational_roots(root, degree):
    assert rational_root(root**degree, degree) == root
    assert rational_root(2 * root**degree, degree) is None


def optima(alphabet, c, name, outputs):
    """All optimal contiguous partitions, told apart at 90 digits, for a name or (weight, name)s."""
    name = [(1, name)] if isinstance(name, str) else name
    prefix0, prefix1 = alphabet.prefix_sums()
    k, values = len(alphabet), {}
    with mpmath.workdps(oracle.DIGITS):
        for size in range(k):
            for inner in combinations(range(1, k), size):
                cuts = (0, *inner, k)
                if outputs is None or len(cuts) - 1 <= outputs:
                    total = c + len(cuts) - 1
                    laws = (
                        [(1 + c * (prefix[j] - prefix[i])) / total for i, j in pairwise(cuts)]
                        for prefix in (prefix0, prefix1)
                    )
                    laws = list(laws)
                    values[cuts] = sum(
                        oracle.to_mpf(weight) * oracle.to_mpf(oracle.divergence(part, *laws))
                        for weight, part in name
                    )
        best = max(values.values())
        return {cuts for cuts, value in values.items() if best - value < mpmath.mpf(10) ** -60}


MIXTURES = (
    [(1, "hellinger"), (Fraction(1, 3), "js")],
    [(2, "kl"), (2, "reverse-kl"), (1, "lecam")],
    [(1, "alpha:1/3"), (1, "alpha:2/3"), (3, "hellinger")],
    [(Fraction(1, 2), "chi2"), (1, "kl")],
)


def decide(seed, count, names=NAMES):
    rng, n_ties = random.Random(seed), 0
    for _ in range(count):
        k = rng.randint(2, 7)
        a = [rng.randint(0, 3) for _ in range(k)]
        b = a[::-1] if rng.random() < 0.6 else [rng.randint(0, 3) for _ in range(k)]
        p, q = Distribution(normalised(a)), Distribution(normalised(b))
        alphabet = order_alphabet(p, q)
        if len(alphabet) < 2:
            continue
        name, outputs = rng.choice(names), rng.choice([None, None, 2, 3])
        c = Fraction(rng.choice([2, 3, 5, 20, 100])) - 1
        expected = optima(alphabet, c, name, outputs)
        goal = objective(name) if isinstance(name, str) else objective(mixture_name(name))
        found = certify_partition(alphabet, goal, c, max(expected), outputs)
        assert found.is_resolved
        assert set(found.cuts) == expected
        n_ties += len(expected) > 1
    assert n_ties > count / 30


def test_all_tied_optima_are_found_and_no_others():
    decide(1, 150)


def test_all_tied_optima_of_mixtures():
    """Logarithms, roots of several degrees and rationals in one sum."""
    decide(7, 80, MIXTURES)


def test_a_mixture_reports_its_ties():
    p = normalised([1, 3, 4, 2, 5])
    tied = solve_mixture(p, p[::-1], "log(3)", MIXTURES[0])
    assert len(tied.tied_blocks) == 2
    assert tied.is_unique is False
    assert tied.blocks == tied.tied_blocks[0]
    assert solve_mixture(p, p[::-1], "log(3)", [(1, "kl"), (2, "js")]).is_unique


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(2, 6))
def test_all_tied_optima_on_thousands_of_instances(seed):
    decide(seed, 1000)


@pytest.mark.parametrize("name", ["kl", "js", "hellinger"])
def test_a_mirrored_pair_reports_both_optima(name):
    """(1, 2, 3, 4)/10 against its mirror: what is best from the left is best from the right."""
    p = normalised([1, 2, 3, 4])
    solution = solve_testing(p, p[::-1], "log(100)", name)
    mirrored = {
        tuple(tuple(sorted(3 - x for x in block)) for block in blocks[::-1])
        for blocks in solution.tied_blocks
    }
    straight = {tuple(tuple(sorted(block)) for block in blocks) for blocks in solution.tied_blocks}
    if name != "kl":
        assert mirrored == straight
    assert solution.is_unique == (len(straight) == 1)


def test_an_optimum_of_single_symbols_is_found_and_unique():
    rng = random.Random(2)
    p, q = (normalised(rng.randint(1, 10**6) for _ in range(200)) for _ in range(2))
    solution = solve_testing(p, q, "log(1000000000000)", "chi2")
    assert len(solution.blocks) == 200
    assert solution.is_unique
