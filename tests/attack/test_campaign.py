"""No forgery is accepted unless it is true, and the judge of that is no pushover."""

import json
from pathlib import Path

import pytest

from tests.attack.bases import KINDS
from tests.attack.campaign import (
    ANSWERS,
    forgeries_of,
    judged,
    kernel_answer,
    run,
    run_all,
)
from tests.attack.near_misses import NEAR_MISSES

SAMPLE = 1_500
FULL = 100_000
SECONDS = 5
"""CPU seconds within which every forgery must be answered."""
CORPUS = Path(__file__).parent.parent / "corpus"
HARMLESS = {"blocks of the mechanism", "enclosure touches"}
"""Near misses of the witness alone: they cannot make a true claim false."""


def require_none_false(tally, count):
    assert not tally.finds, tally.finds[:3]
    assert sum(map(tally.total, ANSWERS)) == count
    assert max(tally.slowest.values()) < SECONDS
    for answer in ("malformed", "REJECTED", "true"):
        assert tally.total(answer) >= count // 50, answer


@pytest.mark.parametrize("kind", KINDS)
def test_no_false_claim_is_accepted(kind):
    tally = run(kind, SAMPLE, "sample")
    require_none_false(tally, SAMPLE)
    tried = {name for _, name in tally.slowest}
    assert set(NEAR_MISSES[kind]) < tried <= set(forgeries_of(kind))


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_a_hundred_thousand_forgeries_of_each_kind(kind):
    require_none_false(run_all([kind], FULL, "slow"), FULL)


def gullible(text):
    """A checker that accepts whatever is well formed."""
    kernel_answer(text)
    return "ACCEPTED"


@pytest.mark.parametrize("kind", KINDS)
def test_a_gullible_checker_is_found_out_by_every_class_of_near_misses(kind):
    tally = run(kind, 900, "gullible", gullible)
    assert tally.total("false") >= 60
    caught = {find["class"] for find in tally.finds}
    assert caught >= set(NEAR_MISSES[kind]) - HARMLESS


@pytest.mark.parametrize("kind", ["channel", "contraction", "design"])
def test_what_the_kernel_recomputes_is_rejected_only_when_false(kind):
    def contrary(text):
        return {"REJECTED": "ACCEPTED"}.get(kernel_answer(text), "REJECTED")

    tally = run(kind, 1_500, "contrary", contrary)
    assert tally.total("false") >= 150
    assert tally.total("true") == 0


@pytest.mark.parametrize("folder", ["accept", "reject", "malformed"])
def test_the_corpus_is_judged_as_its_folders_say(folder):
    for path in sorted((CORPUS / folder).glob("*.json")):
        answer, why = judged(path.read_text(encoding="utf-8"))
        expected = {"accept": "true", "reject": "REJECTED", "malformed": "malformed"}[folder]
        assert answer == expected, (path.name, why)


def test_the_same_seed_forges_the_same_files():
    first, second = (run("design", 300, "again") for _ in range(2))
    assert first.counts == second.counts
    assert first.counts != run("design", 300, "other").counts


def test_a_kernel_that_breaks_is_a_find():
    def broken(text):
        raise KeyError(text)

    assert judged("{}", broken)[0] == "crashed"


def test_accepted_files_must_have_the_form():
    text = json.dumps({"format": "exactdp-certificate", "version": 1})
    assert judged(text, lambda text: "ACCEPTED")[0] == "false"
