"""A quick, deterministic slice of the campaign, for runs that repeat it for every small change."""

import pytest

from tests.attack.bases import KINDS
from tests.attack.campaign import run
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
