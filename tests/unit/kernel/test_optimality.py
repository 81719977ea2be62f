"""The two halves of a proof of optimality: a mechanism that reaches, a witness that bounds."""

from fractions import Fraction

import mpmath
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support import oracle
from tests.support.instances import exp_epsilons, pairs
from verify.kernel import optimality
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import parse_divergence
from verify.kernel.errors import InputError
from verify.kernel.verdict import Status

BITS = 128
THREE = Fraction(3)


def problem(p, q, name="tv", outputs=None):
    return optimality.TestingProblem(
        Distribution(p), Distribution(q), parse_divergence(name), outputs
    )


def bound(case, E, multipliers, upper, t=0, separators=(), bits=BITS):
    numbers = tuple(map(Fraction, multipliers))
    witness = optimality.DualWitness(numbers, Fraction(t), tuple(map(Fraction, separators)))
    return optimality.check_upper_bound(case, Fraction(E), witness, Fraction(upper), bits)


TILT = problem(("3/4", "1/4"), ("1/4", "3/4"))


def test_problems_that_make_no_sense_are_refused():
    with pytest.raises(InputError, match="p0 has 1 symbols, p1 has 2"):
        problem((1,), (1, 0))
    with pytest.raises(InputError, match="outputs: 0 is less than 1"):
        problem((1,), (1,), outputs=0)


@given(pairs(max_size=6), exp_epsilons(), st.data())
def test_the_laws_are_those_of_randomized_response_on_the_block(pair, E, data):
    partition = data.draw(st.sampled_from(list(oracle.set_partitions(list(range(len(pair[0])))))))
    rows = oracle.response(partition, len(pair[0]), E)
    laws = optimality.response_laws(problem(*pair), partition, E)
    assert [list(law.masses) for law in laws] == [list(oracle.through(rows, p)) for p in pair]


@pytest.mark.parametrize(
    "blocks", [[], [[]], [[0]], [[0, 1], [1]], [[0], [1], []], [[0, 1, 2]], [[0], [2]], [[0, 0, 1]]]
)
def test_blocks_that_are_no_partition_are_refused(blocks):
    with pytest.raises(InputError, match=r"not a partition of the symbols 0\.\.1"):
        optimality.response_laws(TILT, blocks, THREE)


def test_a_negative_epsilon_is_refused():
    with pytest.raises(InputError, match="exp_epsilon: is less than 1"):
        optimality.response_laws(TILT, [[0], [1]], Fraction(99, 100))


@given(pairs(max_size=5), exp_epsilons(), st.sampled_from(oracle.EVERY), st.data())
def test_the_lower_bound_is_what_the_mechanism_reaches(pair, E, name, data):
    p, q = pair
    blocks = data.draw(st.sampled_from(list(oracle.set_partitions(list(range(len(p)))))))
    value = oracle.value_of(blocks, p, q, E, name)
    exact = value if isinstance(value, Fraction) else oracle.to_fraction(value)
    step = Fraction(1, 1 << BITS - 20) * (1 + E)
    case = problem(p, q, name)
    for lower, status in ((exact - step, Status.ACCEPTED), (exact + step, Status.REJECTED)):
        verdict = optimality.check_lower_bound(case, E, blocks, lower, BITS)
        assert verdict.status is status
    tight = optimality.check_lower_bound(case, E, blocks, exact, BITS)
    assert tight.is_accepted or not oracle.is_rational(name)


def test_a_mechanism_must_have_few_outputs():
    one = problem(("3/4", "1/4"), ("1/4", "3/4"), outputs=1)
    wide = optimality.check_lower_bound(one, Fraction(4), [[0], [1]], Fraction(0), BITS)
    assert wide.status is Status.REJECTED
    assert "2 outputs" in wide.reason


def test_a_value_at_the_precision_is_undecided():
    case = problem(("3/4", "1/4"), ("1/4", "3/4"), "kl")
    laws = case.p0.masses, case.p1.masses
    lower = oracle.to_fraction(oracle.value_of([[0], [1]], *laws, THREE, "kl"))
    verdict = optimality.check_lower_bound(case, THREE, [[0], [1]], lower, BITS)
    assert verdict.status is Status.UNDECIDED


def test_a_bound_by_hand():
    """tv, E = 3: {0} needs L + 2 l_0 >= 1 and {1} needs L + 2 l_1 >= 0, so L = 1/4 at best."""
    assert bound(TILT, 3, ("3/8", "-1/8"), "1/4").is_accepted
    assert "add up" in bound(TILT, 3, ("3/8", "-1/8"), "6/25").reason
    assert "violates" in bound(TILT, 3, ("37/100", "-12/100"), "1/4").reason
    assert "violates" in bound(TILT, 3, ("38/100", "-13/100"), "1/4").reason
    assert "add up" in bound(TILT, 3, ("-1", "0"), "1").reason


def test_a_violated_set_is_named():
    verdict = bound(TILT, 3, ("37/100", "-12/100"), "1/4")
    assert verdict.details["masses"] == (Fraction(3, 4), Fraction(1, 4))


def test_the_output_multiplier_counts_only_with_a_limit():
    limited = problem(("3/4", "1/4"), ("1/4", "3/4"), outputs=2)
    assert bound(limited, 3, ("3/8", "-1/8"), "1/4").is_accepted
    assert bound(limited, 3, ("1/4", "-1/4"), "1/4", t="1/2").is_accepted
    assert not bound(limited, 3, ("1/4", "-1/4"), "1/4", t="49/100").is_accepted
    assert not bound(limited, 3, ("1/4", "-1/4"), "6/25", t="1/2").is_accepted
    for t in ("1/2", "-1/2"):
        assert "multiplier" in bound(TILT, 3, ("1/4", "-1/4"), "1", t=t).reason
    assert "multiplier" in bound(limited, 3, ("1/4", "-1/4"), "1", t="-1/2").reason


def test_tied_symbols_are_bounded_together():
    """Multipliers of symbols with one likelihood ratio may be moved between them."""
    tied = problem(("3/8", "3/8", "1/4"), ("1/8", "1/8", "3/4"))
    for split in ("3/16", "0", "3/8", "10", "-5"):
        rest = Fraction(3, 8) - Fraction(split)
        assert bound(tied, 3, (split, rest, "-1/8"), "1/4").is_accepted


def test_symbols_without_mass_carry_no_multiplier():
    null = problem(("3/4", "1/4", 0), ("1/4", "3/4", 0))
    assert bound(null, 3, ("3/8", "-1/8", 0), "1/4").is_accepted
    for value in ("1/8", "-1/8"):
        assert "no mass" in bound(null, 3, ("3/8", "-1/8", value), "1").reason


def test_without_separators_more_than_twelve_undecided_symbols_are_refused():
    """All ratios lie where the tangents at 1/E and E are negative, so none decides anything."""
    for k, accepted in ((12, True), (13, False)):
        q = tuple(Fraction(100 + x, sum(range(100, 100 + k))) for x in range(k))
        case = problem((Fraction(1, k),) * k, q, "chi2", outputs=k)
        verdict = bound(case, 3, [0] * k, 10, t=5)
        assert verdict.is_accepted == accepted
        if not accepted:
            assert "too coarse" in verdict.reason
            fine = [Fraction(n, 100) for n in range(90, 111)]
            assert bound(case, 3, [0] * k, 10, t=5, separators=fine).is_accepted


def test_perfect_privacy_needs_no_multipliers():
    for name in oracle.EVERY:
        assert bound(problem(("3/4", "1/4"), ("1/4", "3/4"), name), 1, (0, 0), 0).is_accepted


def test_a_touching_constraint_is_undecided_where_numbers_are_enclosed():
    """kl at E = 3 with l_0 = l_1 = 0: then t alone bounds mu({0}) = 5/2 log(5/3)."""
    limited = problem(("3/4", "1/4"), ("1/4", "3/4"), "kl", outputs=2)
    with mpmath.workdps(oracle.DIGITS):
        mu = oracle.to_fraction(mpmath.log(oracle.to_mpf(Fraction(5, 3))) * 5 / 2)
    assert bound(limited, 3, (0, 0), 2, t=mu + Fraction(1, 10**30)).is_accepted
    assert bound(limited, 3, (0, 0), 2, t=mu).status is Status.UNDECIDED
    assert bound(limited, 3, (0, 0), 2, t=mu, bits=200).status is Status.UNDECIDED
    assert bound(limited, 3, (0, 0), 2, t=mu - Fraction(1, 10**30)).status is Status.REJECTED
    same = problem(("3/4", "1/4"), ("3/4", "1/4"), "hellinger")
    assert bound(same, 3, (0, 0), 0).is_accepted
