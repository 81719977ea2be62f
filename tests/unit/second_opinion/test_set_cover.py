"""Cones over all sets against brute force over all 2^k subsets, and both encodings of them."""

import random
from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import oracle
from tests.support.all_subsets import merge, smallest_slack
from tests.support.instances import FAMILIES, random_pair
from verify.second_opinion import OutOfReachError, testing
from verify.second_opinion.mixture import read_divergence
from verify.second_opinion.opinion import OpinionVerdict, decide_question
from verify.second_opinion.set_cover import SetProblem
from verify.second_opinion.strict_reading import TooWideError
from verify.second_opinion.testing import sets_question

LEVELS = tuple(map(Fraction, ("1", "11/10", "3", "20")))
MIXTURES = ("1*e-gamma:3/2+2*tv", "1/2*kl+2*tv", "1/3*lecam+1/7*hellinger+3*e-gamma:1/2")
NAMES = (*(name for name in oracle.EVERY if not name.startswith("renyi")), *MIXTURES)
MARGIN = Fraction(1, 10**60)


STEPS = (Fraction(0), Fraction(1, 10**9), Fraction(-1, 10**9), Fraction(1), Fraction(-1, 2))


def problem_of(rng, name, E, steps=STEPS):
    """A problem whose smallest slack is one of the steps, or nearly so; and the slack."""
    p, q = random_pair(rng, rng.randint(1, 6), rng.choice(list(FAMILIES)))
    weights = [Fraction(rng.randint(0, 40), 40) for _ in p]
    slack, _ = smallest_slack(name, E, merge(p, q, weights))
    offset = -slack + rng.choice(steps)
    symbols = merge(p, q, weights)
    weighted = list(zip(symbols.p, symbols.q, symbols.multipliers, strict=True))
    smallest, _ = smallest_slack(name, E, symbols, offset)
    total = sum(symbols.multipliers, offset)
    return SetProblem(weighted, E - 1, total, read_divergence(name), 300), smallest


def tight_problem():
    """Several symbols, and a set whose constraint holds with equality."""
    found = (problem_of(random.Random(n), "chi2", Fraction(3), [Fraction(0)]) for n in range(99))
    return next(pair for pair in found if len(pair[0].symbols) > 3)


@given(st.integers(0, 10**9), st.sampled_from(NAMES), st.sampled_from(LEVELS))
def test_a_violator_is_found_if_and_only_if_there_is_one(seed, name, E):
    problem, smallest = problem_of(random.Random(seed), name, E)
    try:
        cover = problem.cover([])
    except TooWideError:
        assert abs(smallest) < MARGIN
        return
    if cover.violator is None:
        assert smallest >= -MARGIN
        require_cover(problem, cover.cones, E)
    else:
        assert smallest < MARGIN
        x, y, z = problem.point(cover.violator)
        assert problem.divergence.enclose(x, y, 300)[0] > z


def require_cover(problem, cones, E):
    """The cones follow each other from 1/E to E, and no chord is below h inside its cone."""
    if E == 1:
        assert cones == []
        return
    assert (cones[0].rays[0], cones[-1].rays[1]) == (1 / E, E)
    assert all(a.rays[1] == b.rays[0] for a, b in pairwise(cones))
    for cone in cones:
        (u, v), (p, q) = cone.rays, cone.slopes
        for ratio in (u, (2 * u + v) / 3, v):
            assert problem.divergence.enclose(ratio, Fraction(1), 300)[0] <= p * ratio + q


@pytest.mark.parametrize("most", [0, 10**9], ids=["gains", "all memberships"])
@pytest.mark.parametrize("name", NAMES)
def test_both_encodings_agree_with_brute_force(name, most, monkeypatch):
    monkeypatch.setattr(testing, "MAX_DIRECT", most)
    for seed in range(5):
        problem, smallest = problem_of(random.Random(seed), name, Fraction(3))
        try:
            question = sets_question(problem, [], has_separators=True)
        except TooWideError:
            assert abs(smallest) < MARGIN
            continue
        verdict, _ = decide_question(question, "z3", 30)
        expected = OpinionVerdict.ACCEPTED if smallest > -MARGIN else OpinionVerdict.REJECTED
        assert verdict is expected, (name, seed, smallest)


@pytest.mark.parametrize("most", [0, 10**9], ids=["gains", "all memberships"])
def test_a_cone_that_lies_is_not_believed(most, monkeypatch):
    """The solver proves the cones: a slope lowered, or a cone left out."""
    monkeypatch.setattr(testing, "MAX_DIRECT", most)
    problem, smallest = tight_problem()
    assert smallest == 0
    assert len(problem.symbols) > 2
    honest = SetProblem.cover

    def lying(how):
        def cover(self, hints):
            found = honest(self, hints)
            return how(found)

        return cover

    def lowered(found):
        first, *others = found.cones
        less = type(first)(first.rays, (first.slopes[0], first.slopes[1] - 1))
        return type(found)([less, *others], None)

    def shortened(found):
        return type(found)(found.cones[:-1], None)

    def late(found):
        return type(found)(found.cones[1:], None)

    for how in (lowered, shortened, late):
        monkeypatch.setattr(SetProblem, "cover", lying(how))
        verdict, _ = decide_question(sets_question(problem, [], has_separators=True), "z3", 30)
        assert verdict is OpinionVerdict.NO_OPINION, how.__name__


def test_hints_change_nothing_but_the_rays():
    rng = random.Random("hints")
    for _ in range(20):
        problem, smallest = problem_of(rng, "kl", Fraction(3))
        hints = [frozenset(i for i in range(len(problem.symbols)) if rng.random() < 0.5)]
        try:
            found = problem.cover(hints)
        except TooWideError:
            assert abs(smallest) < MARGIN
            continue
        assert (found.violator is None) == (smallest >= 0)


def test_too_many_cones_are_out_of_reach(monkeypatch):
    monkeypatch.setattr("verify.second_opinion.set_cover.MAX_WORK", 3)
    problem, _ = tight_problem()
    with pytest.raises(OutOfReachError):
        problem.cover([frozenset({i}) for i in range(len(problem.symbols))])
