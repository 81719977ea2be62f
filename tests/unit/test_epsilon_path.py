"""The path of optimal partitions: breakpoints, thresholds, ties."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest

from solvers.testing import solve_testing
from solvers.testing.epsilon_path import epsilon_path
from tests.support import oracle
from tests.support.instances import random_pair
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError

LOW, HIGH = Fraction(11, 10), Fraction(300)
TINY = Fraction(1, 10**30)


def value_at(blocks, pair, E, name):
    return oracle.value_of(blocks, *pair, E, name)


@pytest.mark.parametrize("name", ["kl", "chi2", "hellinger", "reverse-kl"])
@pytest.mark.parametrize("seed", [0, 1])
def test_the_path_is_optimal_everywhere_and_changes_where_it_says(name, seed):
    rng = random.Random(f"{name}{seed}")
    pair = random_pair(rng, 4, "plain")
    path = epsilon_path(*map(Distribution, pair), name, LOW, HIGH)
    assert not path.unresolved
    assert path.segments[0].start.lower == LOW
    assert path.segments[-1].end.upper == HIGH
    for segment in path.segments:
        for share in (Fraction(1, 50), Fraction(1, 2), Fraction(49, 50)):
            E = segment.start.upper + share * (segment.end.lower - segment.start.upper)
            best = oracle.best_contiguous(*pair, E, name)
            difference = best - value_at(segment.blocks, pair, E, name)
            assert difference == 0 if name == "chi2" else abs(difference) < 1e-60
    for point in path.breakpoints:
        width = point.exp_epsilon.upper - point.exp_epsilon.lower
        assert width <= TINY
        step = Fraction(1, 10**12)
        below, above = point.exp_epsilon.lower - step, point.exp_epsilon.upper + step
        values = [
            value_at(blocks, pair, E, name)
            for E in (below, above)
            for blocks in (point.before, point.after)
        ]
        assert values[0] > values[1]
        assert values[2] < values[3]
    for a, b in pairwise(path.segments):
        assert a.cuts != b.cuts


def test_thresholds_of_a_pair():
    p, q = Distribution(("1/2", "1/3", "1/6")), Distribution(("1/6", "1/3", "1/2"))
    path = epsilon_path(p, q, "kl", LOW, HIGH)
    assert path.binary_until is not None
    assert path.randomized_response_from is not None
    assert path.binary_until.lower <= path.randomized_response_from.upper
    solution = solve_testing(p, q, f"log({path.binary_until.lower - TINY})", "kl")
    assert len(solution.blocks) == 2
    solution = solve_testing(p, q, f"log({path.randomized_response_from.upper + TINY})", "kl")
    assert len(solution.blocks) == 3


def test_mirror_images_count_as_one():
    p, q = Distribution(("3/6", "2/6", "1/6")), Distribution(("1/6", "2/6", "3/6"))
    for name in ("hellinger", "js", "lecam", "renyi:1/2"):
        path = epsilon_path(p, q, name, LOW, HIGH)
        assert not path.unresolved
        assert len(path.segments) == 2


def test_e_gamma_starts_at_its_threshold():
    p, q = Distribution(("3/4", "1/4")), Distribution(("1/4", "3/4"))
    path = epsilon_path(p, q, "e-gamma:3/2", LOW, HIGH)
    (point,) = path.breakpoints
    assert point.exp_epsilon.is_exact
    E = point.exp_epsilon.lower
    assert solve_testing(p, q, f"log({E})", "e-gamma:3/2").value_upper == 0
    assert solve_testing(p, q, f"log({E + TINY})", "e-gamma:3/2").value_lower > 0
    assert len(epsilon_path(p, q, "tv", LOW, HIGH).segments) == 1
    assert len(epsilon_path(p, q, "lr:2", LOW, HIGH).segments) == 1
    nothing = epsilon_path(p, q, "e-gamma:9", LOW, HIGH)
    assert [len(s.blocks) for s in nothing.segments] == [1]


def test_bad_ranges_and_objectives():
    p, q = Distribution(("3/4", "1/4")), Distribution(("1/4", "3/4"))
    for low, high in ((Fraction(1), HIGH), (HIGH, LOW)):
        with pytest.raises(InputError):
            epsilon_path(p, q, "kl", low, high)
    for name in ("chernoff", "renyi:inf", "nothing"):
        with pytest.raises(InputError):
            epsilon_path(p, q, name, LOW, HIGH)
