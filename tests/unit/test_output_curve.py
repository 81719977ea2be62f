"""The certified optima for every limit on the number of outputs."""

import random
from fractions import Fraction
from itertools import combinations, pairwise

import numpy as np
import pytest

from solvers.testing import solve_testing
from solvers.testing.objective import objective
from solvers.testing.output_curve import output_curve
from solvers.testing.partition_float import best_cuts_by_limit, interval_scores, partition_value
from tests.support import oracle
from tests.support.instances import random_pair
from verify.kernel.certificate import check_certificate


@pytest.mark.parametrize("name", ["kl", "chi2", "renyi:2", "tv"])
def test_the_curve_of_outputs(name):
    rng = random.Random(name)
    p, q = random_pair(rng, 5, "plain")
    curve = output_curve(p, q, "log(200)", name)
    assert [point.outputs for point in curve.points] == [1, 2, 3, 4, 5]
    assert curve.is_flat_proved
    for point in curve.points:
        solution = point.solution
        assert check_certificate(solution.certificate).is_accepted
        assert len(solution.blocks) <= point.outputs
        if name != "renyi:2":
            best = oracle.best_contiguous(p, q, Fraction(200), name, point.outputs)
            value = best if isinstance(best, Fraction) else oracle.to_fraction(best)
            margin = Fraction(1, 10**60)
            assert solution.value_lower - margin <= value <= solution.value_upper + margin
    lows = [point.solution.value_lower for point in curve.points]
    assert lows == sorted(lows)
    assert curve.outputs_for(Fraction(0)) == 1
    assert curve.outputs_for(Fraction(1)) == curve.flat_from
    few = curve.outputs_for(Fraction(99, 100))
    assert lows[few - 1] >= Fraction(99, 100) * curve.best.value_upper
    assert few == 1 or lows[few - 2] < Fraction(99, 100) * curve.best.value_upper
    assert curve.price_of_last() >= 0


@pytest.mark.parametrize("family", ["plain", "mirrored", "sparse", "tied", "near", "extreme"])
@pytest.mark.parametrize("level", ["log(3000)", "6"])
def test_the_curve_in_one_run_is_that_of_one_run_for_each_limit(family, level):
    rng = random.Random(f"{family} {level}")
    p, q = random_pair(rng, 9, family)
    name = rng.choice(["kl", "chi2", "hellinger", "renyi:3", "js", "e-gamma:3/2"])
    curve = output_curve(p, q, level, name)
    assert len(curve.points) == len(p)
    for point in curve.points:
        alone = solve_testing(p, q, level, name, point.outputs)
        found = point.solution
        assert check_certificate(found.certificate).is_accepted
        assert found.blocks in alone.tied_blocks
        assert found.value_lower == alone.value_lower
        assert found.relative_gap <= max(alone.relative_gap, Fraction(1, 10**30))
        if len(found.blocks) == point.outputs and point.outputs < curve.flat_from:
            assert found.certificate.claim["outputs"] == point.outputs
            assert found.is_unique == alone.is_unique


def test_a_witness_between_two_limits_proves_both():
    """The multipliers at the cost of n + 1/2 outputs serve n and n + 1."""
    rng = random.Random(4)
    p, q = random_pair(rng, 12, "plain")
    curve = output_curve(p, q, "log(3000)", "chi2")
    witnesses = [
        point.solution.certificate.witness["multipliers"]
        for point in curve.points[1 : curve.flat_from - 1]
    ]
    assert len(witnesses) >= 4
    assert sum(a == b for a, b in pairwise(witnesses)) >= 2
    assert all(point.solution.relative_gap == 0 for point in curve.points)


@pytest.mark.parametrize("name", ["kl", "chi2", "tv"])
def test_one_layered_program_gives_every_limit(name):
    rng = random.Random(name)
    p, q = random_pair(rng, 8, "plain")
    a, b = (np.concatenate([[0.0], np.cumsum([float(x) for x in law])]) for law in (p, q))
    scores = interval_scores(objective(name), 50.0, a, b)
    found = best_cuts_by_limit(scores, 50.0, 8)
    for limit, cuts in enumerate(found, 1):
        every = ((0, *inner, 8) for s in range(limit) for inner in combinations(range(1, 8), s))
        most = max(partition_value(scores, 50.0, other) for other in every)
        assert partition_value(scores, 50.0, cuts) == pytest.approx(most, rel=1e-13)
        assert len(cuts) <= limit + 1
