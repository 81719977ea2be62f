"""A quick, deterministic slice of the campaign, for runs that repeat it for every small change."""

import random
from fractions import Fraction

import pytest

from solvers.thresholding.certificate import coupling_certificate
from tests.attack.bases import KINDS, random_round
from tests.attack.campaign import run
from tests.attack.coupling_oracle import round_cost
from verify.kernel.certificate import check_certificate
from verify.kernel.contraction import check_dobrushin_bound
from verify.kernel.privacy_level import PrivacyLevel
from verify.kernel.verdict import accepted, rejected, undecided

TRUE = {"channel": 65, "contraction": 56, "coupling": 39, "design": 42}
"""How many forgeries are true, of kinds whose bases no solver makes: all of them are accepted."""


@pytest.mark.parametrize("kind", KINDS)
def test_the_answers_of_a_slice(kind):
    tally = run(kind, 240, "slice")
    assert not tally.finds
    assert tally.total("true") == TRUE.get(kind, tally.total("true"))
    assert min(map(tally.total, ("true", "REJECTED", "malformed"))) >= 15


@pytest.mark.parametrize("make", [accepted, rejected, undecided])
def test_verdicts_carry_their_reason_and_details(make):
    verdict = make("why", count=3)
    assert verdict.reason == "why"
    assert verdict.details == {"count": 3}
    assert verdict.status.value == make.__name__.upper()
    assert verdict.is_accepted is (make is accepted)


def test_a_single_round_costs_what_its_dearest_move_costs():
    rng, kinds = random.Random("rounds"), set()
    for _ in range(200):
        monotone = rng.random() < 0.3
        kind = random_round(rng, monotone)
        cost = 1 + round_cost(kind.as_object())
        for total, expected in ((cost, True), (cost - Fraction(1, 10**30), False)):
            level = PrivacyLevel(nats=Fraction(1))
            proof = coupling_certificate(level, Fraction(1), [[kind]], total=total)
            assert check_certificate(proof).is_accepted is expected, kind
        if kind.released:
            kinds.add((kind.direction, monotone, kind.box > kind.rate))
    assert len(kinds) == 6


@pytest.mark.parametrize(
    ("multipliers", "feasible"),
    [
        (("2/5", "2/5", "0"), True),
        (("2/5", "2/5", "1/9"), True),
        (("1/5", "2/5", "0"), False),  # the first row: 1/5 + 3/5 < 1
        (("3/5", "3/5", "0"), False),  # the second row alone: 9/10 + 3/5 > 1
        (("1/2", "1/4", "1/4"), False),  # the third row alone: 1/32 > 0
    ],
)
def test_each_row_of_the_dual_program_of_leakage_is_needed(multipliers, feasible):
    dual = [Fraction(text) for text in multipliers]
    verdict = check_dobrushin_bound(4, Fraction(1, 8), Fraction(3), dual, Fraction(10))
    assert verdict.is_accepted is feasible
