"""Adversarial values through every rounding: tiny, huge, next to one, exact ties."""

from fractions import Fraction

import pytest
from flint import arb, ctx

from solvers import parse_epsilon
from solvers.estimation import (
    optimal_block_sizes,
    optimum,
    randomized_response,
    scheme_certificate,
    subset_selection,
)
from solvers.leakage import contraction_certificate, dobrushin_bound, dobrushin_certificate
from solvers.testing import solve_testing
from solvers.testing.solve import UnprovedError
from tests.attack.bases import content_of
from tests.attack.oracle import flaw
from tests.attack.reals import at_most, ball, exponential, rational_near
from verify.certify import certify_channel, level_object
from verify.kernel.certificate import check_certificate
from verify.kernel.channel import Channel
from verify.kernel.errors import LimitError
from verify.kernel.interval import enclose_exp, enclose_log, enclose_power, enclose_sqrt
from verify.kernel.privacy_level import PrivacyLevel
from verify.kernel.verdict import Status
from verify.report.numbers import log_ratio

TINY, MINUTE = Fraction(1, 10**12), Fraction(1, 10**300)
EPSILONS = (TINY, MINUTE, Fraction(1, 3), Fraction(1), Fraction(5, 2), Fraction(700))


def holds(interval, exact, bits):
    """Whether the interval holds a number known to 3000 bits; and is as narrow as 2**-bits."""
    before, ctx.prec = ctx.prec, 3000
    try:
        value = exact()
        inside = not (value < ball(interval.lower) or value > ball(interval.upper))
        narrow = ball(interval.upper - interval.lower) <= abs(value) * arb(2) ** -bits
    finally:
        ctx.prec = before
    return bool(inside), bool(narrow)


NEXT_TO_ONE = [1 + MINUTE, 1 - MINUTE, 1 + TINY, 1 - TINY]
ARGUMENTS = [*NEXT_TO_ONE, MINUTE, 1 / MINUTE, TINY, Fraction(2), Fraction(2) ** 1000 + 1]


@pytest.mark.parametrize("bits", [8, 64, 1024])
def test_kernel_enclosures_hold_adversarial_values(bits):
    for x in (*EPSILONS, *(-x for x in EPSILONS), Fraction(10_000), Fraction(-10_000)):
        assert holds(enclose_exp(x, bits), lambda x=x: ball(x).exp(), bits) == (True, True), x
    for x in ARGUMENTS:
        found = enclose_log(x, bits)
        assert holds(found, lambda x=x: ball(x).log(), 0)[0], x
        assert found.upper - found.lower <= Fraction(1, 2**bits)
        root = enclose_sqrt(x, bits)
        assert holds(root, lambda x=x: ball(x).sqrt(), 0)[0], x
        assert root.upper - root.lower <= Fraction(1, 2**bits)


@pytest.mark.parametrize("order", [1 + TINY, 1 - TINY, TINY, Fraction(1, 2), Fraction(-3, 2)])
def test_powers_next_to_exact_ones(order):
    for base in (*NEXT_TO_ONE, Fraction(10), Fraction(1, 700)):
        power = enclose_power(base, order, 200)
        assert holds(power, lambda b=base: ball(b) ** ball(order), 190) == (True, True)


@pytest.mark.parametrize("nats", EPSILONS)
@pytest.mark.parametrize("digits", [5, 40, 400, 800])
def test_rationals_beside_e_to_the_epsilon_are_told_apart(nats, digits):
    level, E = PrivacyLevel(nats=nats), exponential({"nats": str(nats)})
    below = rational_near(E, digits)
    above = below + Fraction(1, 10**digits)
    assert level.allows(below) is Status.ACCEPTED
    assert level.allows(above) is Status.REJECTED
    assert level.is_at_most(above) is Status.ACCEPTED
    assert level.is_at_most(below) is Status.REJECTED


def test_beyond_the_largest_precision_nothing_is_decided():
    level, below = PrivacyLevel(nats=Fraction(1)), rational_near(exponential({"nats": "1"}), 1300)
    assert level.allows(below) is Status.UNDECIDED
    assert level.is_at_most(below + Fraction(1, 10**1300)) is Status.UNDECIDED


def test_an_exact_tie_is_allowed_and_the_next_rational_is_not():
    for E in (Fraction(3), 1 + MINUTE, 1 / MINUTE):
        level = PrivacyLevel(exp_epsilon=E)
        assert level.allows(E) is level.is_at_most(E) is Status.ACCEPTED
        assert level.allows(E + Fraction(1, 10**3000)) is Status.REJECTED
        assert level.is_at_most(E - Fraction(1, 10**3000)) is Status.REJECTED


@pytest.mark.parametrize("nats", [*EPSILONS, Fraction(1300)])
def test_both_sides_of_e_to_the_epsilon_are_close_and_right(nats):
    level, E = parse_epsilon(nats), exponential({"nats": str(nats)})
    assert at_most(level.exp_lower, E)
    assert at_most(E, level.exp_upper)
    assert 0 < level.exp_upper - level.exp_lower <= (level.exp_lower - 1) / 2**120


def test_very_large_epsilon_is_refused_and_its_logarithm_is_not_needed():
    with pytest.raises(LimitError):
        parse_epsilon("2000")
    assert parse_epsilon(f"log({10**900})").exp_lower == 10**900


@pytest.mark.parametrize("nats", EPSILONS)
def test_a_channel_at_the_lower_side_is_private_and_at_the_upper_side_not(nats):
    level = parse_epsilon(nats)
    for E, expected in ((level.exp_lower, "ACCEPTED"), (level.exp_upper, "REJECTED")):
        p = E / (1 + E)
        report = certify_channel([[p, 1 - p], [1 - p, p]], level.level)
        assert report.verdict.status.value == expected
        if expected == "ACCEPTED":
            assert not flaw(content_of(report.certificate))


LAWS = {
    "minute masses": ((MINUTE, 1 - MINUTE), (Fraction(1, 2), Fraction(1, 2))),
    "minute against nothing": ((MINUTE, 1 - MINUTE), (Fraction(0), Fraction(1))),
    "ratios next to one": (
        (Fraction(1, 2) + TINY, Fraction(1, 2) - TINY),
        (Fraction(1, 2), Fraction(1, 2)),
    ),
    "exact ties": (
        (Fraction(1, 6), Fraction(1, 3), Fraction(1, 2)),
        (Fraction(1, 3), Fraction(1, 6), Fraction(1, 2)),
    ),
    "ties apart by little": (
        (Fraction(1, 6), Fraction(1, 3) - MINUTE, Fraction(1, 2) + MINUTE),
        (Fraction(1, 3), Fraction(2, 3) - 3 * MINUTE, 3 * MINUTE),
    ),
}  # fmt: skip
QUICK = ("kl", "chi2")
SLOW = ("js", "hellinger", "alpha:9/10")
DIVERGENCES = [*QUICK, *(pytest.param(name, marks=pytest.mark.slow) for name in SLOW)]


PROVED = ("minute masses", "ratios next to one", "exact ties", "ties apart by little")


@pytest.mark.filterwarnings("ignore:overflow:RuntimeWarning")  # of the float search
@pytest.mark.parametrize("laws", LAWS)
@pytest.mark.parametrize("epsilon", ["1e-12", "1", "700"])
@pytest.mark.parametrize("name", DIVERGENCES)
def test_optimal_tests_of_adversarial_laws(laws, epsilon, name):
    """Proved and true, or refused with a reason; never a wrong bound."""
    try:
        solution = solve_testing(*LAWS[laws], epsilon, name)
    except (LimitError, UnprovedError):
        assert epsilon == "700" or laws not in PROVED
        return
    content = content_of(solution.certificate)
    claim = content["claim"]
    assert solution.verdict.is_accepted, solution.verdict.reason
    assert check_certificate(solution.certificate).is_accepted
    assert Fraction(claim["lower"]) <= Fraction(claim["upper"])
    assert not flaw(content)


@pytest.mark.parametrize("order", ["999999/1000000", "1000001/1000000"])
@pytest.mark.parametrize("family", ["alpha", "renyi"])
@pytest.mark.parametrize("laws", ["ratios next to one", "plain"])
def test_orders_next_to_one(laws, family, order):
    """Next to order 1 the divergence is all but KL: the optima differ by less than 10^-4 of it."""
    pair = LAWS.get(laws, ((Fraction(3, 10), Fraction(7, 10)), (Fraction(1, 2), Fraction(1, 2))))
    solution, kl = (solve_testing(*pair, "1", name) for name in (f"{family}:{order}", "kl"))
    assert solution.verdict.is_accepted
    assert not flaw(content_of(solution.certificate))
    upper, limit = (Fraction(found.certificate.claim["upper"]) for found in (solution, kl))
    assert abs(upper - limit) <= limit / 10**4


@pytest.mark.parametrize("epsilon", ["1e-12", "1e-300", "700"])
def test_schemes_at_adversarial_levels(epsilon):
    for scheme in (randomized_response(4, epsilon), subset_selection(5, 2, epsilon)):
        certificate = scheme_certificate(scheme)
        assert check_certificate(certificate).is_accepted
        assert not flaw(content_of(certificate))
        n_risk, least = scheme.n_risk, optimum(scheme.alphabet_size, epsilon)
        assert least <= n_risk


def test_block_sizes_beside_a_border():
    """At v = 5 two sizes are optimal where E^2 = 3 * 4/(1 * 2) = 6, and at v = 9, k = 1 at 28."""
    v, k, border = 10, 1, Fraction(6)  # E^2 = 9 * 8/(1 * 2) = 36
    assert optimal_block_sizes(v, "log(6)") == (k, k + 1)
    log = rational_near(lambda: ball(border).log(), 60)
    assert optimal_block_sizes(v, log) == (2,)
    assert optimal_block_sizes(v, log + Fraction(1, 10**60)) == (1,)
    for E, sizes in ((border - MINUTE, (2,)), (border + MINUTE, (1,))):
        assert optimal_block_sizes(v, f"log({E})") == sizes
    for level in (log, log + Fraction(1, 10**60)):
        assert not flaw(content_of(scheme_certificate(subset_selection(v, None, level))))


def test_leakage_beside_its_threshold():
    """With N = 4, c = 1/8 the coefficient is 1 from epsilon = log 4 on."""
    log = rational_near(lambda: ball(Fraction(4)).log(), 50)
    below, at, above = (
        dobrushin_bound(4, "1/8", epsilon) for epsilon in (log, "log(4)", log + Fraction(1, 10**50))
    )
    assert below.contracts
    assert not at.contracts
    assert not above.contracts
    assert below.upper == 1 or below.lower < 1
    assert at.lower == at.upper == above.lower == above.upper == 1
    for bound in (below, at, above, *(dobrushin_bound(3, "1/9", e) for e in EPSILONS)):
        certificate = dobrushin_certificate(bound)
        assert check_certificate(certificate).is_accepted
        assert not flaw(content_of(certificate))


def test_contraction_next_to_gamma():
    rows = [[Fraction(3, 4), Fraction(1, 4)], [Fraction(1, 4), Fraction(3, 4)]]
    for gamma in (1 + MINUTE, 3 - MINUTE, Fraction(3), 3 + MINUTE):
        certificate = contraction_certificate(Channel(tuple(map(tuple, rows))), (gamma,))
        assert check_certificate(certificate).is_accepted
        assert not flaw(content_of(certificate))


def test_logarithms_for_readers_hold_the_value():
    for ratio in (1 + MINUTE, 1 + TINY, Fraction(3), 1 / MINUTE):
        assert holds(log_ratio(ratio), lambda r=ratio: ball(r).log(), 0)[0]


def test_levels_are_written_as_they_are():
    for nats in EPSILONS:
        assert level_object(parse_epsilon(nats).level) == {"nats": str(nats)}
