"""Largest values of one-parameter families of f-divergences, against brute force."""

import random
from dataclasses import replace
from fractions import Fraction
from itertools import pairwise

import numpy as np
import pytest

from solvers.output_law import output_law
from solvers.testing import (
    OneParameterFamily,
    UnprovedError,
    bayes_advantage_family,
    family_enclosure,
    polynomial_weight,
    solve_family,
    solve_testing,
    weighted_hockey_stick_family,
    zero_concentrated_family,
)
from solvers.testing.chernoff import CHERNOFF
from tests.support.instances import random_channel, random_pair
from tests.support.oracle import contiguous_partitions, likelihood_order, through
from verify.kernel.certificate import check_certificate
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError
from verify.kernel.interval import enclose_log

PAIR = (["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"])
STEEP = polynomial_weight([0, 0, 0, 1])
WAVE = polynomial_weight([1, -6, 13, -8, "3/2"])


def chernoff(m0, m1, a):
    return -np.log(np.sum(m0**a * m1 ** (1 - a)))


def concentrated(m0, m1, a):
    log = np.log(m0 / m1)
    if a == 1:
        return np.sum(m0 * log - m0 + m1)
    return np.log1p(np.sum(m1 * np.expm1(a * log) - a * (m0 - m1))) / (a * (a - 1))


def hockey_stick(m0, m1, gamma):
    return np.sum(np.maximum(m0 - gamma * m1, 0)) - max(1 - gamma, 0)


def advantage(m0, m1, prior):
    return min(prior, 1 - prior) - np.sum(np.minimum(prior * m0, (1 - prior) * m1))


def wave(x):
    return 1 - 6 * x + 13 * x**2 - 8 * x**3 + 1.5 * x**4


FAMILIES = {
    "chernoff": (CHERNOFF, chernoff),
    "concentrated": (zero_concentrated_family(8), concentrated),
    "concentrated from 3/2": (zero_concentrated_family(40, "3/2"), concentrated),
    "steep": (
        weighted_hockey_stick_family(STEEP, "1/4", 9),
        lambda m0, m1, g: g**3 * hockey_stick(m0, m1, g),
    ),
    "wave": (
        weighted_hockey_stick_family(WAVE, "5/4", "7/4"),
        lambda m0, m1, g: wave(g) * hockey_stick(m0, m1, g),
    ),
    "left priors": (
        bayes_advantage_family(polynomial_weight([1, -4, 6, -4, 1]), "1/50", "9/10"),
        lambda m0, m1, p: (1 - p) ** 4 * advantage(m0, m1, p),
    ),
}


def output_laws(p, q, E, outputs=None):
    """(M0, M1) in float64 of randomized response over every contiguous partition."""
    order = [x for x in likelihood_order(p, q) if p[x] or q[x]]
    sums = [[0.0, *np.cumsum([float(law[x]) for x in order])] for law in (p, q)]
    c = float(E) - 1
    for blocks in contiguous_partitions(list(range(len(order)))):
        if outputs is None or len(blocks) <= outputs:
            cuts = [block[0] for block in blocks] + [len(order)]
            bottom = c + len(blocks)
            yield [
                np.array([1 + c * (law[j] - law[i]) for i, j in pairwise(cuts)]) / bottom
                for law in sums
            ]


def grid(family, steps):
    low, high = float(family.low), float(family.high)
    inner = [low + (high - low) * n / steps for n in range(1, steps)]
    ends = [] if family.is_open else [low, high]
    return [*ends, *inner, *(float(stop) for stop in family.stops)]


def brute_force(family, value, p, q, E, outputs=None, steps=3000):
    return max(
        value(m0, m1, x) for m0, m1 in output_laws(p, q, E, outputs) for x in grid(family, steps)
    )


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("case", range(3))
def test_against_all_partitions_and_a_fine_grid(name, case):
    family, value = FAMILIES[name]
    rng = random.Random(f"{name} {case}")
    p, q = random_pair(rng, rng.randint(2, 4), rng.choice(["plain", "sparse", "mirrored"]))
    E, outputs = Fraction(rng.choice(["11/10", "2", "7", "60"])), rng.choice([None, None, 2])
    solution = solve_family(p, q, f"log({E})", family, outputs)
    brute = brute_force(family, value, p, q, E, outputs, steps=1000)
    assert brute <= float(solution.value_upper) * (1 + 1e-9) + 1e-14
    assert float(solution.value_lower) <= brute * (1 + 1e-3) + 1e-14
    assert solution.relative_gap <= Fraction(1, 10**9)
    laws = [output_law(solution.mechanism, Distribution(law)).masses for law in (p, q)]
    reached = value(*(np.array(law, dtype=float) for law in laws), float(solution.parameter))
    assert reached == pytest.approx(float(solution.value_lower), rel=1e-9, abs=1e-14)
    assert all(check_certificate(c).is_accepted for c in solution.certificates)
    again = family_enclosure(family, solution.parameters, solution.certificates)
    assert again.upper <= solution.value_upper


@pytest.mark.slow
@pytest.mark.parametrize("name", [name for name in FAMILIES if name != "chernoff"])
@pytest.mark.parametrize("seed", range(40))
def test_many_problems_against_brute_force(name, seed):
    family, value = FAMILIES[name]
    rng = random.Random(f"{name} {seed}")
    p, q = random_pair(rng, rng.randint(2, 6))
    E = Fraction(rng.choice(["1001/1000", "11/10", "2", "3", "20", "400", "100000"]))
    solution = solve_family(p, q, f"log({E})", family)
    brute = brute_force(family, value, p, q, E)
    assert brute <= float(solution.value_upper) * (1 + 1e-9) + 1e-14
    assert float(solution.value_lower) <= brute * (1 + 1e-3) + 1e-14
    assert solution.relative_gap <= Fraction(1, 10**9)


@pytest.mark.parametrize("name", FAMILIES)
@pytest.mark.parametrize("seed", range(5))
def test_a_coarse_cover_bounds_every_private_channel(name, seed):
    """A few points prove a weak bound, and no private channel exceeds it anywhere."""
    family, value = FAMILIES[name]
    rng = random.Random(f"coarse {name} {seed}")
    p, q = random_pair(rng, rng.randint(2, 4))
    E = Fraction(["101/100", "3/2", "4", "50", "3000"][seed])
    places = (Fraction(rng.randint(1, 19), 20) for _ in range(2))
    chosen = {family.low + place * (family.high - family.low) for place in places}
    points = sorted({*family.needed, *chosen})
    proofs = [solve_testing(p, q, f"log({E})", family.divergence(x)) for x in points]
    try:
        found = family_enclosure(family, points, [proof.certificate for proof in proofs])
    except UnprovedError:
        assert name == "chernoff"
        return
    assert 0 <= found.lower <= found.upper
    for _ in range(8):
        channel = random_channel(rng, len(p), rng.randint(2, 4), E)
        m0, m1 = (np.array([float(x) for x in through(channel, law)]) for law in (p, q))
        m0, m1 = m0[m1 > 0], m1[m1 > 0]
        worst = max(value(m0, m1, x) for x in grid(family, 40))
        assert worst <= float(found.upper) * (1 + 1e-9) + 1e-13
    best = max(value(*laws, x) for laws in output_laws(p, q, E) for x in grid(family, 40))
    assert best <= float(found.upper) * (1 + 1e-9) + 1e-13


def renyi_family(low, high):
    """Renyi divergences themselves: they rise with the order, which bounds every cell."""

    def value(order, found):
        return enclose_log(1 + order * (order - 1) * found, 128).scaled(1 / (order - 1))

    return OneParameterFamily(
        name="renyi",
        low=Fraction(low),
        high=Fraction(high),
        divergence=lambda order: f"alpha:{order}",
        value=value,
        cell=lambda cell: cell.right.value.upper,
        value_float=lambda order, found: float(
            np.log1p(float(order * (order - 1)) * found) / float(order - 1)
        ),
    )


def test_a_family_of_ones_own():
    solution = solve_family(*PAIR, "log(5)", renyi_family(2, 3))
    known = solve_testing(*PAIR, "log(5)", "renyi:3")
    assert solution.parameters == (2, 3)
    assert solution.parameter == 3
    assert solution.value_lower <= known.value_upper
    assert known.value_lower <= solution.value_upper
    assert solution.blocks == known.blocks
    assert "renyi = " in repr(solution)


def test_a_family_without_a_bound_proves_nothing():
    blind = replace(zero_concentrated_family(2), cell=lambda cell: None)
    points = [Fraction(1), Fraction(2)]
    proofs = [solve_testing(*PAIR, "log(3)", f"alpha:{x}").certificate for x in points]
    with pytest.raises(UnprovedError):
        family_enclosure(blind, points, proofs)
    assert family_enclosure(zero_concentrated_family(2), points, proofs).lower > 0


def test_a_cover_is_not_put_together_from_what_does_not_fit():
    family, points = zero_concentrated_family(2), [Fraction(1), Fraction(2)]
    first, last = (solve_testing(*PAIR, "log(3)", f"alpha:{x}").certificate for x in points)
    other = solve_testing(*PAIR, "log(4)", "alpha:2").certificate
    limited = solve_testing(*PAIR, "log(3)", "alpha:2", 2).certificate
    for parameters, certificates in (
        ([], []),
        (points, [first]),
        (points[:1], [first]),
        (points[::-1], [last, first]),
        (points, [last, first]),
        (points, [first, other]),
        (points, [first, limited]),
        ([*points, Fraction(3)], [first, last, last]),
    ):
        with pytest.raises(InputError):
            family_enclosure(family, parameters, certificates)
    weak = replace(last, claim={**last.claim, "upper": "0"})
    with pytest.raises(UnprovedError):
        family_enclosure(family, points, [first, weak])


@pytest.mark.parametrize(
    "build",
    [
        lambda: zero_concentrated_family(1),
        lambda: zero_concentrated_family(2, "1/2"),
        lambda: weighted_hockey_stick_family(STEEP, 0, 1),
        lambda: weighted_hockey_stick_family(STEEP, 2, 2),
        lambda: bayes_advantage_family(STEEP, "1/2", 1),
        lambda: replace(CHERNOFF, stops=(Fraction(2),)),
        lambda: solve_family(*PAIR, 1, zero_concentrated_family(2), 0),
        lambda: solve_family(
            *PAIR, 1, weighted_hockey_stick_family(polynomial_weight([-1]), "1/2", 2)
        ),
    ],
)
def test_what_is_no_family_is_refused(build):
    with pytest.raises(InputError):
        build()


def test_weights_bound_their_own_concavity():
    for x, y in ((Fraction(1), Fraction(2)), (Fraction(1, 3), Fraction(1, 2))):
        bound = WAVE.concavity(x, y)
        for n in range(11):
            at = x + (y - x) * n / 10
            assert -(26 - 48 * at + 18 * at**2) <= bound


def test_concentrated_loss_of_wide_and_narrow_intervals():
    """More orders allow more, and from epsilon/optimum on no further order counts."""
    pair = ["7/8", "1/8"], ["1/8", "7/8"]
    short, long = (solve_family(*pair, "log(20)", zero_concentrated_family(a)) for a in (2, 16))
    assert short.value_lower <= long.value_upper
    kl = solve_testing(*pair, "log(20)", "kl")
    assert kl.value_lower <= short.value_upper
    assert enclose_log(Fraction(20), 64).upper / 16 <= long.value_lower


@pytest.mark.parametrize("build", [weighted_hockey_stick_family, bayes_advantage_family])
@pytest.mark.parametrize("weight", [lambda x: x, abs, 1, None, [1, 2]])
def test_a_weight_without_a_bound_on_its_second_derivative_is_refused(build, weight):
    with pytest.raises(InputError, match=r"^weight: .* give polynomial_weight\(.* or Weight\("):
        build(weight, "1/4", "3/4")
