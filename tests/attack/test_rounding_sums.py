"""Adversarial values through the sums, powers and mixtures of the kernel that are rounded."""

import json
from fractions import Fraction

import pytest

from solvers.testing import solve_testing
from solvers.testing.solve import UnprovedError
from tests.attack import long_sums
from tests.attack.bases import content_of
from tests.attack.campaign import judged
from tests.attack.oracle import flaw
from tests.attack.reals import ball
from tests.attack.test_rounding import MINUTE, TINY, holds
from verify.kernel import optimality
from verify.kernel.certificate import check_certificate
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import enclose_divergence, parse_divergence
from verify.kernel.errors import LimitError
from verify.kernel.interval import MAX_EXACT_BITS, Interval, enclose_power
from verify.kernel.verdict import Status

ENVELOPE = {"format": "exactdp-certificate", "version": 1, "kind": "testing", "provenance": {}}


def answer(number, name, lower, bits):
    claim, witness = long_sums.long_certificate(number, name, "3", lower, bits)
    return judged(json.dumps({**ENVELOPE, "claim": claim, "witness": witness}))[0]


@pytest.mark.parametrize("bits", [8, 64, 1024])
@pytest.mark.parametrize("name", long_sums.NAMES)
def test_a_long_sum_holds_the_exact_value_and_is_narrow(name, bits):
    laws = [Distribution(tuple(law)) for law in long_sums.long_laws(0)]
    value, blocks, _ = long_sums.best_mechanism(0, name, "3")
    problem = optimality.TestingProblem(*laws, parse_divergence(name))
    found = enclose_divergence(
        problem.divergence, *optimality.response_laws(problem, blocks, Fraction(3)), bits
    )
    assert found.lower < value < found.upper
    assert found.upper - found.lower <= 4 * Fraction(8, 2**bits)


@pytest.mark.parametrize("bits", [64, 512])
@pytest.mark.parametrize("name", long_sums.NAMES)
def test_a_bound_beside_a_rounded_sum(name, bits):
    """Proved where it is far below, refuted where it is far above, open where it is close."""
    value, _, _ = long_sums.best_mechanism(0, name, "3")
    expected = {0: "true", 1: "REJECTED"}
    for digits in (3, 9, 150, 600, 1230):
        for step, far in expected.items():
            close = Fraction(8, 2**bits) * 4 > Fraction(1, 10**digits)
            found = answer(0, name, long_sums.beside(value, digits, step), bits)
            assert found in ({far, "UNDECIDED"} if digits > 3 else {far}), (digits, step)
            assert not close or found == "UNDECIDED" or digits <= 20


def test_a_sum_that_rounds_to_nothing_refutes_nothing():
    """A value of about 10^-3000 among units of 2^-64: 0 is proved, no claim near it refuted."""
    weights = [Fraction(10**1600 + 7**n) for n in range(40)]
    p = Distribution(tuple(weight / sum(weights) for weight in weights))
    q, blocks, E = Distribution(p.masses[::-1]), [[x] for x in range(40)], Fraction(10**9)
    problem = optimality.TestingProblem(p, q, parse_divergence("chi2"))
    pair = [law.masses for law in optimality.response_laws(problem, blocks, E)]
    exact = sum((a - b) ** 2 / b for a, b in zip(*pair, strict=True))
    assert 0 < exact < Fraction(1, 10**3000)
    for lower, expected in (
        (Fraction(0), {Status.ACCEPTED}),
        (exact, {Status.ACCEPTED, Status.UNDECIDED}),
        (exact * (1 + TINY), {Status.UNDECIDED}),
        (MINUTE, {Status.UNDECIDED}),
        (TINY, {Status.REJECTED}),
    ):
        verdict = optimality.check_lower_bound(problem, E, blocks, lower, 64)
        assert verdict.status in expected, verdict.reason


@pytest.mark.parametrize("bits", [8, 64, 4096])
def test_rounding_keeps_ties_and_moves_everything_else_outwards(bits):
    unit = Fraction(1, 2**bits)
    for tie in (Fraction(0), unit, -unit, 3 + unit, -(10**300) * unit):
        assert Interval.exactly(tie).rounded(bits) == Interval.exactly(tie)
        for hair in (Fraction(1, 10**4000), -Fraction(1, 10**4000)):
            found = Interval.exactly(tie + hair).rounded(bits)
            assert found.lower < tie + hair < found.upper
            assert found.upper - found.lower == unit


BASES = (1 + MINUTE, 1 - MINUTE, MINUTE, 1 / MINUTE, Fraction(2**1000 + 1), Fraction(2**1400 + 1))


@pytest.mark.parametrize("base", BASES, ids=range(len(BASES)))
@pytest.mark.parametrize("bits", [8, 128, 2048])
def test_whole_powers_on_both_sides_of_the_exact_ones(base, bits):
    length = max(base.numerator, base.denominator).bit_length()
    last = MAX_EXACT_BITS // length + 2
    for n in (0, 1, 2, last, last + 1, last + 3):
        for order in (n, -n):
            exact = base**order
            found = enclose_power(base, Fraction(order), bits)
            assert found.is_exact == (n <= last)
            assert found.lower <= exact <= found.upper
            assert found.upper - found.lower <= exact * Fraction(4, 2**bits)


def test_powers_whose_order_is_huge():
    for base in (1 + MINUTE, 1 - MINUTE, 1 + TINY):
        for order in (10**6, -(10**6), 10**12 + 1, 10**300):
            if base == 1 + TINY and order == 10**300:
                with pytest.raises(LimitError):
                    enclose_power(base, Fraction(order), 128)
                continue
            found = enclose_power(base, Fraction(order), 128)
            assert holds(found, lambda b=base, n=order: ball(b) ** ball(Fraction(n)), 120)[0]
    for base in (MINUTE, 1 / MINUTE):
        with pytest.raises(LimitError):
            enclose_power(base, Fraction(20), 64)


MIXTURES = {
    "corner next to a corner": f"1*e-gamma:{1 + MINUTE}+1*tv",
    "corners that touch": f"1*e-gamma:{1 + TINY}+1*e-gamma:{1 - TINY}+1*tv",
    "minute weight": f"1*tv+1/{10**300}*e-gamma:3/2",
    "minute weight of a curve": f"1*tv+1/{10**40}*kl",
    "huge beside minute": f"1/{10**40}*chi2+{10**40}*e-gamma:5/4",
    "order next to one": "1*alpha:999999/1000000+1*kl+2*tv",
}


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")  # of the float search
@pytest.mark.parametrize("case", MIXTURES)
@pytest.mark.parametrize("epsilon", ["1e-12", "1", "log(3/2)"])
def test_adversarial_mixtures_are_proved_and_true_or_refused(case, epsilon):
    laws = ("3/10", "7/10"), ("1/2", "1/2")
    try:
        solution = solve_testing(*laws, epsilon, MIXTURES[case])
    except (LimitError, UnprovedError):
        assert epsilon == "1e-12" or case == "order next to one"
        return
    content = content_of(solution.certificate)
    assert content["claim"]["divergence"] == MIXTURES[case]
    assert check_certificate(solution.certificate).is_accepted
    assert not flaw(content)
