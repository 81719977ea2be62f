"""Multipliers with room to spare, against all subsets; tangents near ratio 1, against mpmath."""

import random
from fractions import Fraction
from itertools import pairwise, product

import mpmath
import numpy as np
import pytest

from solvers.testing import solve_testing
from solvers.testing.alphabet import order_alphabet
from solvers.testing.dual_equations import DualEquations
from solvers.testing.dual_floats import DualFloats
from solvers.testing.dual_witness import find_upper_bound
from solvers.testing.margin_program import strict_multipliers
from solvers.testing.objective import objective
from solvers.testing.only_partition import least_slack
from solvers.testing.partition_certified import certify_partition, enclose_partition_value
from solvers.testing.rational_divergence import is_rational
from solvers.testing.scaled_problem import scaled_problem
from tests.support.instances import normalised
from verify.kernel import optimality
from verify.kernel.distribution import Distribution

SMOOTH = ("kl", "reverse-kl", "js", "chi2", "reverse-chi2", "hellinger", "lecam", "alpha:1/3")
FUNCTIONS = {
    "kl": lambda t: t * mpmath.log(t) - t + 1,
    "reverse-kl": lambda t: t - 1 - mpmath.log(t),
    "js": lambda t: (t * mpmath.log(2 * t / (1 + t)) + mpmath.log(2 / (1 + t))) / 2,
    "chi2": lambda t: (t - 1) ** 2,
    "reverse-chi2": lambda t: (t - 1) ** 2 / t,
    "hellinger": lambda t: (mpmath.sqrt(t) - 1) ** 2,
    "lecam": lambda t: (t - 1) ** 2 / (t + 1),
    "alpha:1/3": lambda t: (mpmath.cbrt(t) - 1 - (t - 1) / 3) * -mpmath.mpf(9) / 2,
    "alpha:3": lambda t: (t**3 - 1 - 3 * (t - 1)) / 6,
}


@pytest.mark.parametrize("name", FUNCTIONS)
@pytest.mark.parametrize("u", [1e-100, -1e-30, 1e-12, -1e-6, 1e-3, -0.02, 0.031, -0.4, 2.0, -9.0])
def test_tangents_lose_no_digits_near_ratio_one(name, u):
    f = FUNCTIONS[name]
    with mpmath.workdps(400):
        t = mpmath.exp(mpmath.mpf(u))
        h = t * mpmath.mpf(10) ** -120
        slope = (f(t + h) - f(t - h)) / (2 * h)
        drop = -(f(t) + slope * (1 - t))
        expected = float(slope), float(drop)
    found = objective(name).slope_and_drop(np.array([u]))
    assert [float(part[0]) for part in found] == pytest.approx(expected, rel=1e-13, abs=0)


def problem_of(seed, name, k, noise=None):
    rng = random.Random(f"{seed} {name}")
    p = normalised(rng.randint(1, 99) for _ in range(k))
    q = normalised(rng.randint(1, 99) for _ in range(k))
    if noise:
        q = tuple(a + noise * (b - a) for a, b in zip(p, q, strict=True))
    p, q = Distribution(p), Distribution(q)
    goal, E = objective(name), Fraction(rng.choice([2, 5, 20, 200]))
    alphabet = order_alphabet(p, q)
    problem = optimality.TestingProblem(p, q, goal.divergence)
    start = (0, 1, len(alphabet))
    best = certify_partition(alphabet, goal, E - 1, start, None)
    assert len(best.cuts) == 1
    cuts = best.cuts[0]
    value = enclose_partition_value(alphabet, goal, E - 1, cuts, bits=400).lower
    return DualEquations(problem, alphabet, E, goal.slope, value, 400), goal, cuts


@pytest.mark.parametrize("noise", [None, Fraction(1, 10**25)])
@pytest.mark.parametrize("name", SMOOTH)
def test_every_set_but_the_blocks_has_slack(name, noise):
    for seed in range(3):
        equations, goal, cuts = problem_of(seed, name, 7, noise)
        floats = DualFloats(equations, goal)
        found = strict_multipliers(floats, cuts)
        assert found is not None
        rough = floats.below_tangents(cuts, found.drop, found.output_multiplier)
        completed = equations.completed(cuts, rough, is_rounded=not is_rational(goal.divergence))
        blocks = [tuple(range(i, j)) for i, j in pairwise(cuts)]
        tiny = equations.value / 10**40
        for inside in product([False, True], repeat=len(equations.alphabet)):
            members = tuple(x for x, is_in in enumerate(inside) if is_in)
            slack = equations.slack(members, completed)
            if members in blocks:
                assert 0 <= slack <= tiny
            else:
                assert slack > tiny * 10**20
        assert 0 <= sum(completed.symbols) - equations.value <= tiny


@pytest.mark.parametrize("name", SMOOTH)
def test_the_least_slack_of_all_sets_is_bounded_from_below(name):
    for seed in range(3):
        equations, goal, cuts = problem_of(seed, name, 7)
        parts = equations.problem, equations.alphabet
        E, k = equations.exp_epsilon, len(equations.alphabet)
        bound = find_upper_bound(*parts, goal, E, cuts, equations.value, bits=400)
        lower = least_slack(*parts, E, cuts, bound.witness, 400)
        groups = equations.alphabet.members
        lam = [sum(bound.witness.multipliers[x] for x in group) for group in groups]
        total = sum(lam)
        blocks = [tuple(range(i, j)) for i, j in pairwise(cuts)]
        sets = (tuple(x for x in range(k) if n >> x & 1) for n in range(1 << k))
        slacks = [
            total + equations.c * sum(lam[x] for x in s) - equations.score(s)
            for s in sets
            if s not in blocks
        ]
        assert 0 < lower <= min(slacks)
        other = (0, *cuts[2:]) if len(cuts) > 3 else (0, 1, k)
        if other != cuts:  # then a block of the optimum counts, which has next to no slack
            assert least_slack(*parts, E, other, bound.witness, 400) < equations.value / 10**40


@pytest.mark.parametrize("name", ["kl", "chi2"])
def test_the_only_optimum_of_a_long_alphabet(name):
    rng = random.Random(name)
    p, q = (normalised(rng.randint(1, 10**6) for _ in range(1500)) for _ in range(2))
    assert solve_testing(p, q, "2", name).is_unique


def test_a_long_mirrored_alphabet_is_not_called_unique():
    rng = random.Random(3)
    p = normalised(rng.randint(1, 10**6) for _ in range(1101))
    solution = solve_testing(p, p[::-1], "1/2", "hellinger")
    mirrored = tuple(tuple(1100 - x for x in block) for block in reversed(solution.blocks))
    is_own_mirror = {frozenset(b) for b in mirrored} == {frozenset(b) for b in solution.blocks}
    assert not is_own_mirror
    assert solution.is_unique is not True


def test_a_tied_optimum_leaves_no_room():
    p = Distribution([Fraction(i, 15) for i in (1, 3, 4, 2, 5)])
    q = Distribution(p.masses[::-1])
    goal, alphabet, E = objective("hellinger"), order_alphabet(p, q), Fraction(3)
    tied = certify_partition(alphabet, goal, E - 1, (0, 2, 5), None).cuts
    assert len(tied) == 2
    value = enclose_partition_value(alphabet, goal, E - 1, tied[0], bits=400).lower
    problem = optimality.TestingProblem(p, q, goal.divergence)
    equations = DualEquations(problem, alphabet, E, goal.slope, value, 400)
    assert strict_multipliers(DualFloats(equations, goal), tied[0]) is None


@pytest.mark.parametrize("name", ["kl", "hellinger", "lecam"])
@pytest.mark.parametrize("shrunk", [Fraction(1, 10**30), Fraction(1, 10**200)])
def test_scores_in_scaled_units(name, shrunk):
    """Scores of blocks at a tiny E - 1, against a quotient of exact differences."""
    equations, goal, _ = problem_of(1, name, 6)
    alphabet = equations.alphabet
    scaled = scaled_problem(alphabet, goal, shrunk)
    assert scaled.exponent > 0
    curvature = {"kl": Fraction(1), "hellinger": Fraction(1, 2), "lecam": Fraction(1)}[name]
    d = scaled.masses.difference
    scores = scaled.objective.score(scaled.c * d, np.ones_like(d), np.ones_like(d))
    for a, b, score in zip(alphabet.p0, alphabet.p1, scores, strict=True):
        exact = curvature / 2 * (shrunk * (a - b)) ** 2
        assert float(score) == pytest.approx(scaled.value(exact), rel=1e-14)


@pytest.mark.parametrize("name", ["reverse-chi2", "kl"])
def test_balls_improve_a_bad_start(name):
    equations, goal, cuts = problem_of(2, name, 9)
    starts = [(0, len(equations.alphabet)), tuple(range(len(equations.alphabet) + 1))]
    for start in starts:
        found = certify_partition(equations.alphabet, goal, equations.c, start, None)
        assert found.cuts == (cuts,)
        assert found.is_resolved
