"""Mixtures of divergences and piecewise linear f: values, proofs, corners."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.output_law import output_law
from solvers.testing import solve_testing
from solvers.testing.mixture import mixture_name, piecewise_linear_parts, solve_mixture
from solvers.testing.staircase_program import staircase_optimum
from tests.support.instances import FAMILIES, pairs, random_pair
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import enclose_divergence, parse_divergence
from verify.kernel.errors import InputError

CORNERS = [(1, "e-gamma:2"), ("2", "e-gamma:1/2"), ("1/3", "e-gamma:5/4"), ("1/2", "tv")]
RATIONAL = (CORNERS, [("1/2", "chi2"), (1, "e-gamma:3/2")], [(3, "lecam"), ("1/5", "alpha:3")])


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("parts", RATIONAL, ids=("corners", "one-corner", "smooth"))
def test_rational_mixtures_equal_the_program_over_all_subsets(family, parts):
    rng = random.Random(family)
    p, q = random_pair(rng, rng.randint(2, 5), family)
    E = Fraction(rng.choice(["3/2", "3", "20"]))
    solution = solve_mixture(p, q, f"log({E})", parts)
    assert solution.value_lower == solution.value_upper
    laws = Distribution(p), Distribution(q)
    divergence = parse_divergence(mixture_name(parts))
    assert staircase_optimum(*laws, divergence, E) == solution.value_lower
    reached = enclose_divergence(
        divergence, *(output_law(solution.mechanism, law) for law in laws), 64
    )
    assert reached.lower == solution.value_lower


@pytest.mark.parametrize("family", FAMILIES)
def test_mixtures_with_logarithms_close_the_gap(family):
    rng = random.Random(family)
    p, q = random_pair(rng, 6, family)
    for parts in ([("1/2", "kl"), (2, "hellinger")], [(1, "e-gamma:5/4"), ("1/10", "kl")]):
        for outputs in (None, 2):
            solution = solve_mixture(p, q, "log(7)", parts, outputs)
            gap = solution.value_upper - solution.value_lower
            assert 0 <= gap <= solution.value_upper / 10**25
            assert outputs is None or len(solution.blocks) <= outputs


def test_a_mixture_of_one_is_its_part():
    p, q = ["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"]
    for name in ("tv", "chi2", "e-gamma:3/2"):
        single = solve_testing(p, q, "log(3)", name)
        assert (
            solve_mixture(p, q, "log(3)", [("5/2", name)]).value_lower
            == Fraction(5, 2) * single.value_lower
        )


@pytest.mark.parametrize(
    ("k", "gap"), [(14, 0), pytest.param(40, Fraction(1, 10**12), marks=pytest.mark.slow)]
)
def test_many_corners_and_symbols(k, gap):
    """At 40 symbols more than a dozen enter or leave at one corner."""
    rng = random.Random(3)
    p, q = random_pair(rng, k, "plain")
    parts = [(Fraction(rng.randint(1, 9), 7), f"e-gamma:{Fraction(n, 4)}") for n in range(1, 13)]
    solution = solve_mixture(p, q, "log(6)", parts)
    assert 0 <= solution.value_upper - solution.value_lower <= gap * solution.value_upper
    assert solution.value_lower > 0


def test_piecewise_linear_functions():
    parts = piecewise_linear_parts([("1/4", "3/4"), ("1/2", "1/4"), (1, 0), (2, 1), (3, 3)])
    assert parts == (
        (Fraction(3, 2), "e-gamma:1/2"),
        (Fraction(3, 2), "e-gamma:1"),
        (Fraction(1), "e-gamma:2"),
    )
    for points, word in (
        ([(1, 0), (2, 1)], "three"),
        ([("1/2", 0), (1, 0), (2, 0)], "linear"),
        ([("1/2", 0), (1, 0), (2, -1)], "not convex"),
        ([("1/2", 1), (1, "1/2"), (2, 1)], "f(1)"),
        ([(1, 0), ("1/2", 0), (2, 1)], "increasing"),
    ):
        with pytest.raises(InputError) as caught:
            piecewise_linear_parts(points)
        assert word in str(caught.value)


@given(st.lists(st.integers(0, 5), min_size=3, max_size=6), pairs(max_size=4, min_size=2))
@settings(max_examples=25, deadline=None)
def test_piecewise_linear_divergences_by_definition(steps, pair):
    """Corners at 1/2, 1, 3/2, ...; the value of a mechanism is sum Q f(P/Q) for that f."""
    corners = [Fraction(n + 1, 2) for n in range(len(steps))]
    slope, value, points = Fraction(-3), Fraction(0), [(Fraction(0), Fraction(0))]
    for corner, step in zip([*corners, corners[-1] + 1], [*steps, 0], strict=True):
        value += slope * (corner - points[-1][0])
        points.append((corner, value))
        slope += step
    at_one = next(v for t, v in points if t == 1)
    points = [(t, v - at_one) for t, v in points]

    def f(t):
        for (a, u), (b, w) in pairwise(points):
            if t <= b or b == points[-1][0]:
                return u + (w - u) * (t - a) / (b - a)
        raise AssertionError

    if not any(steps[:-1]) and not steps[-1]:
        return
    solution = solve_mixture(*pair, "log(3)", piecewise_linear_parts(points))
    laws = [output_law(solution.mechanism, Distribution(law)).masses for law in pair]
    by_definition = sum(b * f(a / b) for a, b in zip(*laws, strict=True))
    assert by_definition == solution.value_lower == solution.value_upper


def test_bad_mixtures_are_refused():
    for parts in ([], [(0, "kl")], [(-1, "kl")], [(1, "renyi:2")], [(1, "1*kl")], [(1, 2)]):
        with pytest.raises(InputError):
            mixture_name(parts)
