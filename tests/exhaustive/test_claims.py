"""Every claim at small sizes, and every mutant refuted; the default sizes are slow tests."""

import pytest

from verify.claims import all_claims, check_claims
from verify.claims.claim import Exhaustive, Method
from verify.kernel.verdict import Status

CLAIMS = {claim.id: claim for claim in all_claims()}
HEAVY = {
    "thresholding.stopping-law",
    "thresholding.negative-controls",
    "thresholding.coupling-exact",
    "combinatorics.minus-one",
    "combinatorics.multiplier-theorem",
    "combinatorics.fixed-translate",
}
"""Claims whose smallest size already takes seconds, or whose lists start far out."""


def test_there_are_enough_claims_on_every_topic():
    assert len(CLAIMS) >= 60
    topics = {claim.topic for claim in CLAIMS.values()}
    assert topics == {"testing", "estimation", "thresholding", "leakage", "combinatorics"}
    for claim in CLAIMS.values():
        assert any(check.method is not Method.RANDOMISED for check in claim.checks), claim.id
        assert claim.statement, claim.id
        assert len(claim.statement) <= 100, claim.id


def _small(claim):
    """A size at most 3 that enlarges no check."""
    sizes = [check.size for check in claim.checks if isinstance(check, Exhaustive)]
    return min([3, *sizes])


@pytest.mark.parametrize("name", sorted(set(CLAIMS) - HEAVY))
def test_claim_holds_at_small_sizes(name):
    (result,) = check_claims([CLAIMS[name]], up_to=_small(CLAIMS[name]))
    assert result.status is Status.ACCEPTED, (result.failure, result.counterexample)


@pytest.mark.parametrize("name", sorted(set(CLAIMS) - HEAVY))
def test_mutant_is_refuted(name):
    (result,) = check_claims([CLAIMS[name]], mutant=True)
    assert result.is_killed, [(c.method, c.status, c.counterexample) for c in result.checks]


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(CLAIMS))
def test_claim_holds(name):
    (result,) = check_claims([CLAIMS[name]])
    assert result.status is Status.ACCEPTED, (result.failure, result.counterexample)


@pytest.mark.slow
@pytest.mark.parametrize("name", sorted(HEAVY))
def test_heavy_mutant_is_refuted(name):
    (result,) = check_claims([CLAIMS[name]], mutant=True)
    assert result.is_killed, [(c.method, c.status, c.counterexample) for c in result.checks]
