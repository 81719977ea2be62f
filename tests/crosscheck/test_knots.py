"""Certificates over knots: against oracles, and against what would make them unsound."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest

from solvers.testing import knots as knots_module
from solvers.testing import proved_bound as proved_bound_module
from solvers.testing import solve as solve_module
from solvers.testing import solve_testing
from solvers.testing.alphabet import order_alphabet
from solvers.testing.objective import objective
from tests.support import oracle
from tests.support.instances import E_VALUES, FAMILIES, normalised, random_pair
from verify.canonical_form import encode
from verify.kernel import optimality
from verify.kernel.certificate import Certificate, check_certificate, decode
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import parse_divergence
from verify.kernel.errors import CertificateError, LimitError
from verify.kernel.optimality import DualWitness, check_upper_bound, dual_symbols

MARGIN = Fraction(1, 10**75)


def random_knots(rng, count):
    inner = {Fraction(rng.randint(1, 63), 64) for _ in range(count)}
    return (Fraction(0), *sorted(inner), Fraction(1))


def spread(p, q, knots):
    """The knots' masses, one symbol after another, by the definition."""
    sums = [[Fraction(0), Fraction(0)] for _ in knots]
    for a, b in zip(p, q, strict=True):
        if a + b:
            share = a / (a + b)
            place = max(i for i, s in enumerate(knots[:-1]) if s <= share)
            low, high = knots[place], knots[place + 1]
            beta = (a + b) * (share - low) / (high - low)
            for at, s, mass in ((place, low, a + b - beta), (place + 1, high, beta)):
                sums[at][0] += s * mass
                sums[at][1] += (1 - s) * mass
    return [list(column) for column in zip(*sums, strict=True)]


def test_the_kernel_spreads_masses_by_the_definition():
    rng = random.Random(1)
    for _ in range(300):
        p, q = random_pair(rng, rng.randint(1, 7))
        knots = random_knots(rng, rng.randint(0, 5))
        problem = optimality.TestingProblem(
            Distribution(p), Distribution(q), parse_divergence("kl")
        )
        multipliers = tuple(Fraction(i) for i in range(len(knots)))
        symbols = dual_symbols(problem, DualWitness(multipliers, knots=knots))
        expected = [*spread(p, q, knots), list(multipliers)]
        assert [list(column) for column in zip(*symbols, strict=True)] == expected


@pytest.mark.parametrize("name", oracle.RATIONAL)
def test_the_optimum_of_the_knots_is_no_less(name):
    """Exact, over all subsets: the claim on which every certificate with knots rests."""
    rng = random.Random(f"knots {name}")
    for _ in range(6):
        p, q = random_pair(rng, rng.randint(1, 5))
        E, n = rng.choice(E_VALUES), rng.choice([None, 1, 2, 3])
        knots = random_knots(rng, rng.randint(0, 3))
        over = spread(p, q, knots)
        bound = oracle.best_partition(*over, E, name, n)
        assert oracle.best_partition(p, q, E, name, n) <= bound
        if n is None:
            assert oracle.staircase_optimum(p, q, E, name) <= oracle.staircase_optimum(
                *over, E, name
            )


@pytest.mark.parametrize("name", oracle.EVERY)
def test_small_problems_solved_through_knots(name, monkeypatch):
    monkeypatch.setattr(proved_bound_module, "LONGEST_WITHOUT_KNOTS", 0)
    monkeypatch.setattr(proved_bound_module, "MOST_SYMBOLS", 0)
    monkeypatch.setattr(knots_module, "_COARSE", 3)
    monkeypatch.setattr(knots_module, "_WINDOW", 1)
    rng = random.Random(f"through {name}")
    for i in range(24):
        p, q = random_pair(rng, rng.randint(1, 9), list(FAMILIES)[i % len(FAMILIES)])
        E, outputs = rng.choice(E_VALUES), rng.choice([None, 1, 2, 3])
        solution = solve_testing(p, q, f"log({E})", name, outputs)
        value = oracle.best_contiguous(p, q, E, name, outputs)
        exact = value if isinstance(value, Fraction) else oracle.to_fraction(value)
        assert solution.value_lower - MARGIN <= exact <= solution.value_upper + MARGIN
        assert solution.relative_gap <= Fraction(1, 10**30)
        assert solution.certificate.witness["knots"]


def test_knots_at_a_tight_optimum_give_the_value_of_the_alphabet():
    rng = random.Random(4)
    p, q = (normalised(rng.randint(1, 10**6) for _ in range(400)) for _ in range(2))
    goal, c = objective("kl"), Fraction(19)
    alphabet = order_alphabet(Distribution(p), Distribution(q))
    cuts = solve_module._partitions(
        optimality.TestingProblem(Distribution(p), Distribution(q), goal.divergence),
        alphabet,
        goal,
        c + 1,
    )[0][0]
    knots = knots_module.find_knots(alphabet, goal, c, cuts, None, 1000)
    assert knots.is_tight
    assert len(knots.shares) < 200
    assert sum(knots.alphabet.p0) == sum(knots.alphabet.p1) == 1
    assert all(s < t for s, t in pairwise(knots.shares))
    values = (
        solve_module.enclose_partition_value(a, goal, c, b, bits=128)
        for a, b in ((alphabet, cuts), (knots.alphabet, knots.cuts))
    )
    first, second = values
    assert first.lower <= second.upper
    assert second.lower <= first.upper


@pytest.fixture(scope="module")
def long_certificate():
    rng = random.Random(8)
    p, q = (normalised(rng.randint(0, 999) for _ in range(300)) for _ in range(2))
    return solve_testing(p, q, "log(20)", "kl").certificate


def judged(certificate, **changes):
    witness = {**certificate.witness, **changes}
    changed = Certificate(certificate.kind, certificate.claim, witness)
    return check_certificate(decode(encode(changed)))


def test_a_long_alphabet_has_a_short_certificate(long_certificate):
    assert len(long_certificate.witness["knots"]) < 150
    assert judged(long_certificate).is_accepted


def test_knots_that_prove_nothing_are_rejected(long_certificate):
    knots = long_certificate.witness["knots"]
    reasons = {
        "do not rise": [
            [*knots[:-1], "2"],
            ["1/100000000", *knots[1:]],
            [knots[0], knots[2], knots[1], *knots[3:]],
            [knots[0], knots[1], knots[1], *knots[3:]],
            knots[::-1],
        ],
    }
    for reason, changed in reasons.items():
        for wrong in changed:
            assert reason in judged(long_certificate, knots=wrong).reason
    with pytest.raises(CertificateError, match=r"needs [0-9]+ multipliers"):
        judged(long_certificate, knots=knots[:-1])
    with pytest.raises(CertificateError, match=r"needs [0-9]+ multipliers"):
        judged(long_certificate, knots=[])


def test_every_multiplier_of_a_knot_counts(long_certificate):
    multipliers = long_certificate.witness["multipliers"]
    for place in range(0, len(multipliers), 7):
        for step in (Fraction(1, 10**25), -Fraction(1, 10**25)):
            moved = list(multipliers)
            moved[place] = str(Fraction(moved[place]) + step)
            assert not judged(long_certificate, multipliers=moved).is_accepted


def test_a_knot_without_mass_carries_no_multiplier():
    p, q = Distribution(["3/4", "1/4"]), Distribution(["1/4", "3/4"])
    problem = optimality.TestingProblem(p, q, parse_divergence("tv"))
    knots = tuple(map(Fraction, ("0", "1/4", "3/4", "1")))
    good = tuple(map(Fraction, ("0", "-1/8", "3/8", "0")))
    args = Fraction(3), DualWitness(good, knots=knots), Fraction(1, 4), 64
    assert check_upper_bound(problem, *args).is_accepted
    for place in (0, 3):
        for value in (Fraction(1, 9), Fraction(-1, 9)):
            wrong = tuple(value if i == place else m for i, m in enumerate(good))
            verdict = check_upper_bound(
                problem, Fraction(3), DualWitness(wrong, knots=knots), Fraction(1), 64
            )
            assert "no mass" in verdict.reason


def test_long_alphabets_with_long_numbers_are_over_the_limit():
    k = 8500
    masses = Distribution([Fraction(1, 2**12001)] * (k - 1) + [1 - Fraction(k - 1, 2**12001)])
    problem = optimality.TestingProblem(masses, masses, parse_divergence("kl"))
    witness = DualWitness((Fraction(0),) * 2, knots=(Fraction(0), Fraction(1)))
    with pytest.raises(LimitError, match="over the limit"):
        check_upper_bound(problem, Fraction(3), witness, Fraction(1), 64)


@pytest.mark.slow
@pytest.mark.parametrize(("k", "epsilon"), [(1000, "3"), (10_000, "8"), (100_000, "log(3)")])
def test_certificates_of_long_alphabets(k, epsilon):
    rng = random.Random(k)
    p, q = (normalised(rng.randint(1, 10**6) for _ in range(k)) for _ in range(2))
    solution = solve_testing(p, q, epsilon, "kl")
    assert solution.relative_gap <= Fraction(1, 10**30)
    assert check_certificate(decode(encode(solution.certificate))).is_accepted
