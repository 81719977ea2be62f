"""What every optimum of private testing must satisfy, whoever computes it."""

from fractions import Fraction
from itertools import pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.testing import solve_testing
from tests.support import oracle
from tests.support.instances import (
    E_VALUES,
    channels,
    exp_epsilons,
    pairs,
    random_channel,
    random_staircase,
)
from verify.canonical_form import encode
from verify.kernel.certificate import check_certificate, decode
from verify.kernel.exact import INFINITE
from verify.kernel.ldp import largest_column_ratio

NAMES = st.sampled_from(oracle.EVERY)
RATIONAL = st.sampled_from(oracle.RATIONAL)
OUTPUTS = st.none() | st.integers(1, 5)
RNG = st.randoms(use_true_random=False)
MARGIN = Fraction(1, 10**70)


def solve(p, q, E, name, outputs=None):
    return solve_testing(p, q, f"log({E})", name, outputs)


def overlap(first, second):
    """Whether the enclosures of two optima can hold one number."""
    return first.value_lower <= second.value_upper and second.value_lower <= first.value_upper


def as_bound(value):
    """The oracle's value as a rational that is not above the truth."""
    return value if isinstance(value, Fraction) else oracle.to_fraction(value) - MARGIN


@given(pairs(), exp_epsilons(), NAMES, OUTPUTS)
def test_every_solution_is_proved(pair, E, name, outputs):
    p, q = pair
    solution = solve(p, q, E, name, outputs)
    assert check_certificate(decode(encode(solution.certificate))).is_accepted
    assert 0 <= solution.value_lower <= solution.value_upper
    assert solution.relative_gap == 0 if oracle.is_rational(name) else solution.relative_gap < 1
    assert largest_column_ratio(solution.mechanism).exp_epsilon <= E
    assert sorted(x for block in solution.blocks for x in block) == list(range(len(p)))
    assert outputs is None or len(solution.blocks) <= outputs
    reached = oracle.divergence(
        name, oracle.through(solution.mechanism.rows, p), oracle.through(solution.mechanism.rows, q)
    )
    assert solution.value_lower <= as_bound(reached) + 2 * MARGIN


@settings(max_examples=40)
@given(pairs(), exp_epsilons(), NAMES, RNG, st.integers(1, 5))
def test_no_private_channel_beats_the_bound(pair, E, name, rng, n):
    p, q = pair
    bound = solve(p, q, E, name).value_upper
    limited = solve(p, q, E, name, n).value_upper
    for _ in range(3):
        for rows in (random_staircase(rng, len(p), E), random_channel(rng, len(p), n, E)):
            value = oracle.divergence(name, oracle.through(rows, p), oracle.through(rows, q))
            assert as_bound(value) <= bound
            if len(rows[0]) <= n:
                assert as_bound(value) <= limited


@given(pairs(), exp_epsilons(), NAMES)
def test_no_baseline_beats_the_optimum_and_privacy_costs(pair, E, name):
    p, q = pair
    solution = solve(p, q, E, name)
    for baseline in ("binary", "randomized_response"):
        value = solution.baselines[baseline]
        assert value.lower <= solution.value_upper
    response = [[x] for x in range(len(p))]
    exact = oracle.value_of(response, p, q, E, name)
    value = solution.baselines["randomized_response"]
    assert value.lower - MARGIN <= as_bound(exact) + MARGIN
    assert as_bound(exact) <= value.upper
    bare = solution.baselines["non_private"]
    assert bare is INFINITE or solution.value_lower <= bare.upper


@given(pairs(min_size=2), exp_epsilons(), NAMES, OUTPUTS, st.data())
def test_relabelling_changes_nothing(pair, E, name, outputs, data):
    p, q = pair
    order = data.draw(st.permutations(range(len(p))))
    moved = solve([p[x] for x in order], [q[x] for x in order], E, name, outputs)
    original = solve(p, q, E, name, outputs)
    assert overlap(original, moved)
    if oracle.is_rational(name):
        assert original.value_lower == moved.value_lower


@settings(max_examples=40)
@given(pairs(), exp_epsilons(), NAMES, OUTPUTS, st.data())
def test_splitting_a_symbol_and_symbols_without_mass_change_nothing(pair, E, name, outputs, data):
    p, q = pair
    place = data.draw(st.integers(0, len(p) - 1))
    share = data.draw(st.fractions(0, 1, max_denominator=9))
    split_p = [*p, p[place] * share, Fraction(0)]
    split_q = [*q, q[place] * share, Fraction(0)]
    split_p[place] -= p[place] * share
    split_q[place] -= q[place] * share
    whole, split = solve(p, q, E, name, outputs), solve(split_p, split_q, E, name, outputs)
    assert overlap(whole, split)
    if oracle.is_rational(name):
        assert whole.value_lower == split.value_lower


@given(pairs(), exp_epsilons(), exp_epsilons(), NAMES, OUTPUTS)
def test_less_privacy_is_never_worse(pair, first, second, name, outputs):
    low, high = sorted((first, second))
    weak, strong = (solve(*pair, E, name, outputs) for E in (low, high))
    assert weak.value_lower <= strong.value_upper
    if oracle.is_rational(name):
        assert weak.value_lower <= strong.value_lower


@settings(max_examples=25)
@given(pairs(), exp_epsilons(), NAMES)
def test_more_outputs_are_never_worse(pair, E, name):
    limited = [solve(*pair, E, name, n) for n in range(1, len(pair[0]) + 1)]
    free = solve(*pair, E, name)
    for fewer, more in pairwise([*limited, free]):
        assert fewer.value_lower <= more.value_upper
    assert limited[0].value_upper == 0
    assert overlap(limited[-1], free)


@settings(max_examples=40)
@given(pairs(max_size=5), exp_epsilons(), NAMES, st.data())
def test_processing_the_data_first_never_helps(pair, E, name, data):
    p, q = pair
    rows = data.draw(channels(n_inputs=len(p)))
    after = solve(oracle.through(rows, p), oracle.through(rows, q), E, name)
    assert after.value_lower <= solve(p, q, E, name).value_upper


@settings(max_examples=20)
@given(pairs(), exp_epsilons())
def test_mirrored_hypotheses(pair, E):
    p, q = pair
    for name, mirror in (
        *((name, name) for name in ("tv", "js", "hellinger", "lecam")),
        ("kl", "reverse-kl"),
        ("chi2", "reverse-chi2"),
    ):
        assert overlap(solve(p, q, E, name), solve(q, p, E, mirror))


@given(pairs(), exp_epsilons(), st.fractions(Fraction(1, 9), 9, max_denominator=12).filter(bool))
def test_e_gamma_has_its_closed_form(pair, E, gamma):
    p, q = pair
    bare = oracle.divergence(f"e-gamma:{gamma}", p, q)
    expected = max((E - 1) * bare - abs(gamma - 1), Fraction(0)) / (E + 1)
    solution = solve(p, q, E, f"e-gamma:{gamma}")
    assert solution.value_lower == solution.value_upper == expected
    if gamma == 1:
        assert solve(p, q, E, "tv").value_lower == expected


@given(pairs(), NAMES, OUTPUTS)
def test_perfect_privacy_reveals_nothing(pair, name, outputs):
    solution = solve(*pair, Fraction(1), name, outputs)
    assert solution.value_lower == solution.value_upper == 0
    nats = solve_testing(*pair, 0, name, outputs)
    assert nats.value_lower == nats.value_upper == 0


@given(pairs(), exp_epsilons(), NAMES, OUTPUTS)
def test_identical_laws_cannot_be_told_apart(pair, E, name, outputs):
    solution = solve(pair[0], pair[0], E, name, outputs)
    assert solution.value_lower == solution.value_upper == 0


@pytest.mark.parametrize("name", oracle.EVERY)
@pytest.mark.parametrize("E", E_VALUES, ids=str)
def test_one_symbol_and_disjoint_supports(name, E):
    one = solve(["1"], ["1"], E, name)
    assert one.value_lower == one.value_upper == 0
    assert one.blocks == ((0,),)
    for p, q in ((["1", "0"], ["0", "1"]), (["1/3", "2/3", "0", "0"], ["0", "0", "0", "1"])):
        solution = solve(p, q, E, name)
        law0, law1 = [E / (E + 1), 1 / (E + 1)], [1 / (E + 1), E / (E + 1)]
        value = as_bound(oracle.divergence(name, law0, law1))
        assert solution.value_lower <= value + 2 * MARGIN
        assert value <= solution.value_upper


@settings(max_examples=15)
@given(pairs(), st.fractions(0, 6, max_denominator=50), NAMES, OUTPUTS)
def test_epsilon_in_nats_is_enclosed(pair, nats, name, outputs):
    """The deployed channel is private at epsilon, the bound holds for all that are."""
    solution = solve_testing(*pair, nats, name, outputs)
    assert check_certificate(decode(encode(solution.certificate))).is_accepted
    level = solution.epsilon
    assert largest_column_ratio(solution.mechanism).exp_epsilon <= level.exp_lower
    for E in {level.exp_lower, level.exp_upper}:
        best = oracle.best_contiguous(*pair, E, name, outputs)
        if level.exp_lower == E:
            assert solution.value_lower <= as_bound(best) + 2 * MARGIN
        else:
            assert as_bound(best) <= solution.value_upper
