"""A quick, deterministic slice of the campaign, for runs that repeat it for every small change."""

import pytest

from tests.attack.bases import KINDS
from tests.attack.campaign import ANSWERS, run
from verify.kernel.verdict import accepted, rejected, undecided

EXPECTED = {  # of kinds whose bases no solver makes: an answer that changes is seen
    "channel": {"malformed": 118, "REJECTED": 57, "true": 65},
    "contraction": {"malformed": 131, "REJECTED": 53, "true": 56},
    "coupling": {"malformed": 132, "REJECTED": 69, "true": 39},
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_answers_of_a_slice(kind):
    tally = run(kind, 240, "slice")
    assert not tally.finds
    answers = {answer: tally.total(answer) for answer in ANSWERS if tally.total(answer)}
    assert answers == EXPECTED.get(kind, answers)


@pytest.mark.parametrize("make", [accepted, rejected, undecided])
def test_verdicts_carry_their_reason_and_details(make):
    verdict = make("why", count=3)
    assert verdict.reason == "why"
    assert verdict.details == {"count": 3}
    assert verdict.status.value == make.__name__.upper()
    assert verdict.is_accepted is (make is accepted)
