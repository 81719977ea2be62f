"""The kernel's coupling and purification against maximisation over all moves, and mutations."""

from fractions import Fraction

from hypothesis import assume, given
from hypothesis import strategies as st

from solvers import Epsilon
from solvers.thresholding import Direction, Parameters, minimal_crossover
from solvers.thresholding.certificate import RoundKind, coupling_certificate
from verify.kernel.certificate import Certificate, check_certificate
from verify.kernel.coupling import Round, acceptance_cost, check_purification, check_round
from verify.kernel.privacy_level import PrivacyLevel

RATES = st.fractions(Fraction(1, 50), 3, max_denominator=50)
UNIT = st.fractions(0, 1, max_denominator=200)


def worst_acceptance(round_, shared_shift):
    """Largest cost over d on a grid that has the ends: own shift, and release, by their meaning.

    d is the move of ln(counted probability) / epsilon_t; the own shift must make up for the shared
    one and for d. A release is charged e^(released) for the sample, times p'/p for conditioning.
    """
    worst = Fraction(0)
    for k in range(-40, 41):
        d = Fraction(k, 40)
        if round_.monotone and d < 0:
            continue  # fewer data: the shared noise need not move, see below
        shift = shared_shift - d if round_.sign == 1 else shared_shift + d
        cost = round_.rate * max(shift, Fraction(0))
        if round_.released is not None:
            if round_.monotone:
                cost += round_.released * d
            elif round_.sign == 1:
                cost += round_.released * (1 + d)
            else:  # 1 - p moves by d: p moves the other way, by a factor up to e^released
                cost += round_.released * (1 if d >= 0 else 2)
        worst = max(worst, cost)
    if round_.monotone:  # the reverse direction, without the shared shift
        for k in range(41):
            d = Fraction(k, 40)
            cost = round_.rate * d + (round_.released or 0) * (1 - d)
            worst = max(worst, cost)
    return worst


@given(
    RATES, st.sampled_from([1, -1]), st.just(Fraction(0)) | RATES, st.booleans(), st.integers(1, 3)
)
def test_no_move_costs_more_than_the_kernel_charges(rate, sign, released, monotone, shared_shift):
    assume(sign == 1 or not monotone)
    round_ = Round(rate, sign, sign == 1, released, monotone)
    shift = Fraction(shared_shift if monotone else shared_shift + 1)
    assert check_round(round_, Fraction(shared_shift), shift).is_accepted
    assert not check_round(round_, Fraction(shared_shift), shift - Fraction(1, 9)).is_accepted
    charged, worst = acceptance_cost(round_, shift), worst_acceptance(round_, shared_shift)
    assert worst <= charged
    if sign == 1 or released == 0:
        assert worst == charged


@given(
    st.fractions(Fraction(101, 100), 20, max_denominator=100),
    st.fractions(0, Fraction(9, 10), max_denominator=100),
    st.fractions(0, Fraction(1, 2), max_denominator=1000),
    UNIT,
    UNIT,
)
def test_purification_is_decided_as_by_the_extreme_pairs(E, delta, crossover, p, q):
    def private(a, b, slack):
        return a <= E * b + slack and 1 - a <= E * (1 - b) + slack

    accepted = check_purification(PrivacyLevel(exp_epsilon=E), delta, crossover).is_accepted

    def clean(x):
        return crossover + (1 - 2 * crossover) * x

    extreme = private(clean(delta), clean(Fraction(0)), 0)
    assert accepted == extreme
    if accepted and private(p, q, delta) and private(q, p, delta):
        assert private(clean(p), clean(q), 0)
        assert private(clean(q), clean(p), 0)


@given(
    st.fractions(Fraction(101, 100), 20, max_denominator=100),
    st.fractions(Fraction(1, 100), Fraction(9, 10), max_denominator=100),
)
def test_the_minimal_crossover_is_minimal(E, delta):
    level, crossover = PrivacyLevel(exp_epsilon=E), minimal_crossover(Epsilon.from_exp(E), delta)
    assert crossover <= Fraction(1, 2)
    assert check_purification(level, delta, crossover).is_accepted
    assert not check_purification(level, delta, crossover * Fraction(10**9 - 1, 10**9)).is_accepted


@given(st.fractions(Fraction(1, 50), 50, max_denominator=50), RATES, RATES)
def test_a_run_is_accepted_iff_its_rates_cost_at_most_epsilon(theta, shared, own):
    parameters = Parameters.of(1, "1/10", theta)
    rates = parameters.shared_rate.multiple, parameters.step_rate.multiple
    assert rates[0] + 2 * rates[1] == 1
    for first, second in (rates, (shared, own)):
        kinds = [
            RoundKind(direction, second, PrivacyLevel(nats=Fraction(1, 9)))
            for direction in Direction
        ]
        proof = coupling_certificate(parameters.level, first, [kinds])
        assert check_certificate(proof).is_accepted == (first + 2 * second <= 1)
        shrunk = {"shared_shift": "1", "shifts": [["2", "1"]]}
        assert not check_certificate(Certificate("coupling", proof.claim, shrunk)).is_accepted
