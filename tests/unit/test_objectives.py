"""Objectives beyond f-divergences: Renyi and its limits, l_R, Chernoff information."""

import random
from dataclasses import replace
from fractions import Fraction

import mpmath
import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from solvers.output_law import output_law
from solvers.testing import canonical_name, solve_testing
from solvers.testing.chernoff import chernoff_enclosure
from solvers.testing.chernoff_information import enclose_affinity, enclose_chernoff_information
from solvers.testing.convex_function_float import best_convex_partition_float
from solvers.testing.lr_distance import enclose_lr_distance
from solvers.testing.solve import UnprovedError
from solvers.testing.utility_float import utility_float
from tests.support import power_oracle
from tests.support.instances import FAMILIES, pairs, random_channel, random_pair
from tests.support.oracle import through, to_fraction
from verify.kernel.certificate import check_certificate
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError, LimitError
from verify.kernel.exact import INFINITE

TINY = Fraction(1, 10**35)
EXPONENTIALS = ("1", "10001/10000", "3/2", "5", "60")
PAIR = (["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"])


def exact(value):
    with mpmath.workdps(80):
        return to_fraction(mpmath.mpf(value))


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("renyi:0.5", "renyi:1/2"),
        ("renyi:0", "renyi:0"),
        ("renyi:0.0", "renyi:0"),
        ("renyi:inf", "renyi:inf"),
        ("lr:2.50", "lr:5/2"),
        ("lr:inf", "lr:inf"),
        ("chernoff", "chernoff"),
        ("alpha:-6/4", "alpha:-3/2"),
        ("kl", "kl"),
    ],
)
def test_canonical_names(text, name):
    assert canonical_name(text) == name


@pytest.mark.parametrize(
    "text",
    ["", "renyi", "renyi:-1", "lr:1/2", "lr:", "lr:x", "chernoff:2", "inf", "alpha:inf", "renyi:x"],
)
def test_other_names_are_refused(text):
    with pytest.raises(InputError):
        canonical_name(text)


@pytest.mark.parametrize("family", FAMILIES)
@pytest.mark.parametrize("order", ["1/3", "1/2", "999/1000", "1", "2", "7/2"])
def test_renyi_is_the_best_over_partitions(family, order):
    rng = random.Random(f"{family}{order}")
    for outputs in (None, 2):
        p, q = random_pair(rng, rng.randint(2, 5), family)
        E = Fraction(rng.choice(EXPONENTIALS))
        solution = solve_testing(p, q, f"log({E})", f"renyi:{order}", outputs)
        with mpmath.workdps(80):
            best = exact(
                power_oracle.best(
                    lambda a, b: power_oracle.renyi(Fraction(order), a, b), p, q, E, outputs
                )
            )
        assert solution.value_lower - TINY <= best <= solution.value_upper + TINY
        assert solution.relative_gap <= Fraction(1, 10**25)
        assert solution.certificate.claim["divergence"] == f"renyi:{order}"


@pytest.mark.parametrize("family", FAMILIES)
def test_renyi_of_order_infinity(family):
    rng = random.Random(family)
    for _ in range(4):
        p, q = random_pair(rng, rng.randint(1, 5), family)
        E = Fraction(rng.choice(EXPONENTIALS))
        solution = solve_testing(p, q, f"log({E})", "renyi:inf")

        def largest_log_ratio(a, b):
            return mpmath.log(
                max(
                    mpmath.mpf(x.numerator) * y.denominator / (x.denominator * y.numerator)
                    for x, y in zip(a, b, strict=True)
                )
            )

        with mpmath.workdps(80):
            best = exact(power_oracle.best(largest_log_ratio, p, q, E))
            m0, m1 = (output_law(solution.mechanism, Distribution(law)).masses for law in (p, q))
            reached = exact(largest_log_ratio(m0, m1))
        assert solution.value_lower - TINY <= best <= solution.value_upper + TINY
        assert abs(reached - solution.value_lower) <= TINY
        assert check_certificate(solution.certificate).is_accepted
        assert solution.certificate.claim["upper"] == "0"
        large = solve_testing(p, q, f"log({E})", "renyi:30") if E <= 5 else solution
        assert large.value_lower <= solution.value_upper


@given(pairs(max_size=4))
@settings(max_examples=15)
def test_renyi_of_order_zero_is_nothing(pair):
    solution = solve_testing(*pair, "log(3)", "renyi:0")
    assert solution.value_lower == solution.value_upper == 0
    claim = solution.certificate.claim
    assert (claim["upper"], claim["divergence"][:8]) == ("0", "e-gamma:")
    assert Fraction(claim["divergence"][8:]) > 0


@pytest.mark.parametrize("order", ["1", "3/2", "2", "7", "inf"])
def test_lr_is_the_best_over_partitions(order):
    rng = random.Random(order)
    number = None if order == "inf" else Fraction(order)
    for family in FAMILIES:
        p, q = random_pair(rng, rng.randint(1, 5), family)
        E = Fraction(rng.choice(EXPONENTIALS))
        solution = solve_testing(p, q, f"log({E})", f"lr:{order}")
        with mpmath.workdps(80):
            best = exact(power_oracle.best(lambda a, b: power_oracle.lr(number, a, b), p, q, E))
            laws = [output_law(solution.mechanism, Distribution(law)).masses for law in (p, q)]
            reached = exact(power_oracle.lr(number, *laws))
        assert solution.value_lower - TINY <= best <= solution.value_upper + TINY
        assert solution.value_lower - TINY <= reached
        assert solution.certificate.claim["divergence"] == "tv"


@given(pairs(max_size=4, min_size=2), st.sampled_from(["1", "5/3", "4", "inf"]), st.randoms())
@settings(max_examples=25)
def test_no_private_channel_beats_lr(pair, order, rng):
    number = None if order == "inf" else Fraction(order)
    solution = solve_testing(*pair, "log(3)", f"lr:{order}")
    channel = random_channel(rng, len(pair[0]), rng.randint(1, 4), Fraction(3))
    laws = [Distribution(tuple(through(channel, law))) for law in pair]
    assert enclose_lr_distance(*laws, number, 128).lower <= solution.value_upper


def test_lr_of_given_laws():
    p, q = Distribution(("1/2", "1/4", "1/4")), Distribution(("1/4", "1/4", "1/2"))
    assert enclose_lr_distance(p, q, Fraction(1), 64).lower == Fraction(1, 2)
    assert enclose_lr_distance(p, q, None, 64).upper == Fraction(1, 4)
    two = enclose_lr_distance(p, q, Fraction(2), 128)
    assert two.lower**2 <= Fraction(1, 8) <= two.upper**2


_TINY_MASS = Fraction(1, 10**25 + 1)


@given(pairs(max_size=5))
@example(((_TINY_MASS, 1 - _TINY_MASS), (1 - _TINY_MASS, _TINY_MASS)))
@example(((_TINY_MASS, 1 - _TINY_MASS), (Fraction(2, 3), Fraction(1, 3))))
def test_chernoff_information_of_given_laws(pair):
    p, q = map(Distribution, pair)
    found = enclose_chernoff_information(p, q)
    mirrored = enclose_chernoff_information(q, p)
    if found is INFINITE:
        assert mirrored is INFINITE
        assert not any(a and b for a, b in zip(p.masses, q.masses, strict=True))
        return
    assert found.upper >= mirrored.lower
    assert mirrored.upper >= found.lower
    assert found.upper - found.lower <= Fraction(1, 10**14)
    for order in (Fraction(1, 7), Fraction(1, 2), Fraction(4, 5)):
        affinity = enclose_affinity(p, q, order, 128)
        with mpmath.workdps(40):
            bound = exact(
                -mpmath.log(mpmath.mpf(affinity.upper.numerator) / affinity.upper.denominator)
            )
        assert bound <= found.upper + TINY


@pytest.mark.parametrize("family", FAMILIES)
def test_chernoff_is_the_best_over_partitions(family):
    rng = random.Random(family)
    p, q = random_pair(rng, rng.randint(2, 4), family)
    E, outputs = Fraction(rng.choice(EXPONENTIALS)), rng.choice([None, 2])
    solution = solve_testing(p, q, f"log({E})", "chernoff", outputs)
    with mpmath.workdps(60):
        best = exact(power_oracle.best(power_oracle.chernoff, p, q, E, outputs))
    slack = Fraction(1, 10**18)
    assert solution.value_lower - slack <= best <= solution.value_upper + slack
    assert solution.relative_gap <= Fraction(1, 10**12)
    laws = [output_law(solution.mechanism, Distribution(law)) for law in (p, q)]
    assert enclose_chernoff_information(*laws).upper >= solution.value_lower


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(200))
def test_chernoff_against_all_partitions_and_a_fine_grid(seed):
    rng = random.Random(seed)
    p, q = random_pair(rng, rng.randint(2, 6))
    E = Fraction(rng.choice(["11/10", "2", "3", "20", "400", "100000"]))
    solution = solve_testing(p, q, f"log({E})", "chernoff")
    brute = power_oracle.brute_force_chernoff(p, q, E, steps=2000)
    assert brute <= float(solution.value_upper) * (1 + 1e-9) + 1e-15
    assert float(solution.value_lower) <= brute * (1 + 1e-4) + 1e-15
    assert solution.relative_gap <= Fraction(1, 10**9)
    enclosed = chernoff_enclosure(solution.supporting)
    assert enclosed.upper <= solution.value_upper


def test_a_cover_is_not_put_together_from_what_does_not_fit():
    half, third = (solve_testing(*PAIR, "log(3)", f"alpha:{a}").certificate for a in ("1/2", "1/3"))
    other = solve_testing(*PAIR, "log(4)", "alpha:1/3").certificate
    square = solve_testing(*PAIR, "log(3)", "alpha:2").certificate
    weak = replace(half, claim={**half.claim, "upper": "0"})
    for certificates in ([third], [half, third], [other, half], [third, half, square], []):
        with pytest.raises(InputError):
            chernoff_enclosure(certificates)
    with pytest.raises(UnprovedError):
        chernoff_enclosure([third, weak])
    assert chernoff_enclosure([third, half]).lower > 0


def test_powers_too_large_for_floats_are_refused():
    with pytest.raises(LimitError):
        solve_testing(*PAIR, "log(1e30)", "alpha:31")
    assert solve_testing(*PAIR, "log(1e9)", "alpha:30").relative_gap == 0


@pytest.mark.parametrize(
    "name", ["kl", "renyi:3", "renyi:inf", "renyi:0", "lr:3", "chernoff", "tv"]
)
def test_float_curves_meet_the_certified_values(name):
    p0, p1 = map(Distribution, PAIR)
    solution = solve_testing(p0, p1, "2", name)
    curve = utility_float(p0, p1, name)
    found = (
        curve.optimal(2.0),
        curve.binary(2.0),
        curve.randomized_response(2.0),
        curve.non_private(),
    )
    known = [solution.value_lower] + [
        solution.baselines[key].lower for key in ("binary", "randomized_response", "non_private")
    ]
    assert found == pytest.approx([float(value) for value in known], rel=1e-9, abs=1e-15)


def test_a_convex_function_of_the_users_own():
    p0, p1 = np.array([0.5, 0.3, 0.1, 0.1]), np.array([0.1, 0.2, 0.3, 0.4])
    blocks, value = best_convex_partition_float(
        p0, p1, 3.0, lambda t: t * np.log(t), lambda t: np.log(t) + 1
    )
    exact_laws = [[Fraction(str(x)) for x in law] for law in (p0, p1)]
    solution = solve_testing(*exact_laws, "3", "kl")
    assert value == pytest.approx(float(solution.value_lower), rel=1e-12)
    assert sorted(map(sorted, blocks)) == sorted(map(sorted, solution.blocks))
    blocks, value = best_convex_partition_float(
        p0, p1, 3.0, lambda t: t * np.log(t) + 7 * t, lambda t: np.log(t) + 8, outputs=2
    )
    limited = solve_testing(*exact_laws, "3", "kl", 2)
    assert value == pytest.approx(float(limited.value_lower), rel=1e-12)


def test_functions_that_are_not_convex_are_refused():
    p0, p1 = [0.5, 0.5], [0.1, 0.9]
    with pytest.raises(InputError, match="convex"):
        best_convex_partition_float(p0, p1, 1.0, np.sqrt, lambda t: 0.5 / np.sqrt(t))
    with pytest.raises(InputError, match="convex"):
        best_convex_partition_float(p0, p1, 1.0, np.square, lambda t: 3 * t)
    with pytest.raises(InputError, match="sum to 1"):
        best_convex_partition_float([0.5, 0.6], p1, 1.0, np.square, lambda t: 2 * t)
