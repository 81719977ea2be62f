"""Problems at the edge: E beyond what floats resolve, masses of 1e-30 to 1e-300, many outputs.

Each once had no proof, a wide gap, or took minutes.
"""

import random
from fractions import Fraction
from math import comb

import pytest

from solvers.testing import solve_testing
from solvers.testing.exact_ties import is_zero_of_powers, is_zero_of_roots
from verify.kernel.certificate import check_certificate

CLOSE = Fraction(1, 10**30)


def normalised(weights):
    weights = [Fraction(weight) for weight in weights]
    return [weight / sum(weights) for weight in weights]


def binomials(k, p, q):
    def law(p):
        return [comb(k - 1, i) * p**i * (1 - p) ** (k - 1 - i) for i in range(k)]

    return law(Fraction(p)), law(Fraction(q))


def tiny_masses(k, seed, share=0.4):
    rng = random.Random(seed)

    def law():
        sizes = [Fraction(1, 10**30) if rng.random() < share else 1 for _ in range(k - 1)]
        return normalised([*(rng.randrange(1, 1000) * size for size in sizes), 300])

    return law(), law()


def wide_masses(k, seed):
    rng = random.Random(seed)
    return tuple(
        normalised(Fraction(rng.randrange(1, 1000), 10 ** rng.randrange(31)) for _ in range(k))
        for _ in range(2)
    )


def nearly_equal(k, seed):
    rng = random.Random(seed)
    law = normalised(rng.randrange(1, 10**6) for _ in range(k))
    return law, normalised(x * (1 + Fraction(rng.randrange(10**6), 10**18)) for x in law)


def geometric(k, ratio):
    law = normalised(Fraction(ratio) ** i for i in range(k))
    return law, law[::-1]


def decimals(k, seed):
    rng = random.Random(seed)
    laws = [[Fraction(rng.randrange(1, 10**6 // k), 10**6) for _ in range(k - 1)] for _ in "pq"]
    return tuple([*law, 1 - sum(law)] for law in laws)


CASES = {
    "binomials at 40": (binomials(100, "3/10", "1/2"), "40", "alpha:3", None),
    "tiny masses at 40": (tiny_masses(30, 1), "40", "renyi:1/3", None),
    "more tiny masses at 40": (tiny_masses(40, 2), "40", "alpha:999/1000", None),
    "wide masses": (wide_masses(150, 3), "3", "chi2", None),
    "half of the outputs at 40": (nearly_equal(60, 4), "40", "js", 30),
    "knots as many as symbols": (geometric(110, "4/5"), "20", "chi2", 55),
    "all symbols apart at 40": (decimals(60, 5), "40", "alpha:-2", None),
    "a high order": (nearly_equal(120, 6), "8", "renyi:10", 60),
}


@pytest.mark.parametrize("case", CASES)
def test_the_optimum_is_proved_closely(case):
    (p, q), epsilon, name, outputs = CASES[case]
    solution = solve_testing(p, q, epsilon, name, outputs)
    assert check_certificate(solution.certificate).is_accepted
    assert solution.relative_gap <= CLOSE
    assert solution.is_unique


TINY = Fraction(1, 10**300)


@pytest.mark.parametrize("name", ["kl", "chi2", "hellinger", "js", "alpha:999/1000", "alpha:3"])
@pytest.mark.parametrize("epsilon", ["40", "1"])
def test_masses_of_1e_300_beside_a_point_mass(name, epsilon):
    masses, point = [1 - 2 * TINY, TINY, TINY], [1, 0, 0]
    solution = solve_testing(masses, point, epsilon, name)
    assert solution.relative_gap <= CLOSE
    assert solution.blocks in [((0,), (1, 2)), ((1, 2), (0,))]


def test_powers_of_long_numbers_are_compared_without_raising_them():
    one, other = 1 + TINY, 1 + TINY * 3
    order = Fraction(999, 1000)
    terms = [(Fraction(2), one), (Fraction(-1), other), (Fraction(-1), one)]
    assert not is_zero_of_powers(terms, order)
    assert is_zero_of_powers([*terms, (Fraction(1), other), (Fraction(-1), one)], order)
    scaled = one * Fraction(3, 2) ** 1000
    assert is_zero_of_powers([(Fraction(3, 2) ** 999, one), (Fraction(-1), scaled)], order)


@pytest.mark.parametrize("exponent", ["1/2", "3/2", "-2/3", "7/5"])
def test_a_power_vanishes_with_the_root_of_its_argument(exponent):
    rng, exponent = random.Random(exponent), Fraction(exponent)
    p, n = exponent.numerator, exponent.denominator
    for _ in range(60):
        terms = [
            (
                Fraction(rng.choice([-4, -2, -1, 1, 2, 4])),
                Fraction(rng.choice([1, 2, 3])) ** rng.choice([1, n]),
            )
            for _ in range(rng.randint(2, 4))
        ]
        powers = is_zero_of_powers(terms, exponent)
        assert powers == is_zero_of_roots([(q, r**p) for q, r in terms], n)
    doubled = [(Fraction(2) ** p, Fraction(3)), (Fraction(-1), 3 * Fraction(2) ** n)]
    assert is_zero_of_powers(doubled, exponent)
    assert not is_zero_of_powers([*doubled, doubled[0]], exponent)
