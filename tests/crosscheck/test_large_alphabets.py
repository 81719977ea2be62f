"""Proofs on alphabets far beyond brute force: the certificate closes the gap, and is checked."""

import random
from fractions import Fraction

import pytest

from solvers.testing import solve_testing
from tests.support import oracle
from tests.support.instances import random_channel, random_pair
from verify.canonical_form import encode
from verify.kernel.certificate import check_certificate, decode

CLOSED = Fraction(1, 10**30)


def require_closed(solution, name):
    verdict = check_certificate(decode(encode(solution.certificate)))
    assert verdict.is_accepted, verdict.reason
    assert (
        solution.relative_gap == 0 if oracle.is_rational(name) else solution.relative_gap <= CLOSED
    )
    assert solution.value_lower > 0


@pytest.mark.parametrize("name", oracle.EVERY)
def test_forty_symbols(name):
    rng = random.Random(f"forty {name}")
    for family, level in (("plain", "log(3)"), ("sparse", "log(20)")):
        p, q = random_pair(rng, 40, family)
        solution = solve_testing(p, q, level, name)
        if name.startswith("e-gamma") and not solution.value_upper:
            continue
        require_closed(solution, name)
        few = solve_testing(p, q, level, name, 2)
        require_closed(few, name)
        assert few.value_lower <= solution.value_upper
        rows = random_channel(rng, 40, 4, solution.exp_epsilon)
        value = oracle.divergence(name, oracle.through(rows, p), oracle.through(rows, q))
        value = value if isinstance(value, Fraction) else oracle.to_fraction(value)
        assert value <= solution.value_upper + Fraction(1, 10**70)


@pytest.mark.parametrize("name", ["kl", "hellinger", "chi2"])
def test_a_hundred_symbols(name):
    p, q = random_pair(random.Random(f"hundred {name}"), 100, "plain")
    require_closed(solve_testing(p, q, "log(8)", name), name)


@pytest.mark.parametrize("name", oracle.TRANSCENDENTAL)
def test_masses_down_to_1e_25_give_a_rigorous_bracket(name):
    rng = random.Random(f"extreme {name}")
    p, q = random_pair(rng, 30, "extreme")
    solution = solve_testing(p, q, "log(3)", name)
    assert check_certificate(decode(encode(solution.certificate))).is_accepted
    assert 0 < solution.value_lower <= solution.value_upper
    assert solution.relative_gap < Fraction(1, 10**6)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("name", oracle.EVERY)
def test_many_more(name, seed):
    rng = random.Random(f"{seed} {name}")
    for family in ("plain", "sparse", "tied", "null", "mirrored"):
        p, q = random_pair(rng, rng.randint(20, 100), family)
        level, outputs = rng.choice(["log(2)", "log(8)", "log(50)"]), rng.choice([None, 2, 3, 5])
        solution = solve_testing(p, q, level, name, outputs)
        if solution.value_upper:
            require_closed(solution, name)
