"""The commands around the campaign: the table, the regions of the page, the reading of mutants."""

import json

import pytest

from tests.attack import mutants
from tests.attack.__main__ import main
from tests.attack.campaign import Tally
from tests.attack.table import markdown, with_region

PAGE = "before\n<!-- campaign: begin -->\nold\n<!-- campaign: end -->\nafter\n"


def test_a_region_is_replaced_and_nothing_else():
    page = with_region(PAGE, "campaign", "new")
    assert page == "before\n<!-- campaign: begin -->\n\nnew\n\n<!-- campaign: end -->\nafter\n"
    assert with_region(page, "campaign", "new") == page
    with pytest.raises(ValueError, match="no region"):
        with_region(PAGE, "mutants", "new")


def test_the_table_counts_every_answer():
    tally = Tally()
    tally.counts.update({("design", "maps", "REJECTED"): 3, ("design", "maps", "false"): 1})
    tally.slowest["design", "maps"] = 0.25
    lines = markdown(tally, 4, "s").splitlines()
    assert lines[-2] == "| design | maps | 4 | 0 | 3 | 0 | 0 | 1 | 0 | 250 ms |"
    assert lines[-1].startswith("| **all** |  | 4 | 0 | 3 | 0 | 0 | 1 | 0 |")


def test_the_command_writes_the_page_and_prints_figures(tmp_path, capsys):
    page = tmp_path / "page.md"
    page.write_text(PAGE, encoding="utf-8")
    arguments = ["--count", "60", "--kind", "design", "--processes", "1", "--seed", "t"]
    assert main([*arguments, "--json", "--write", str(page)]) == 0
    figures = json.loads(capsys.readouterr().out)
    assert sum(row["tried"] for row in figures["rows"]) == 60
    assert figures["finds"] == []
    assert "| **all** |  | 60 |" in page.read_text(encoding="utf-8")


@pytest.mark.parametrize(
    ("removed", "added", "wording"),
    [
        ('require(x > 0, "is not positive")', 'require(x > 0, "XXis not positiveXX")', True),
        ('return rejected("no proof")', "return rejected(None)", True),
        ('require(x > 0, "is not positive")', 'require(x >= 0, "is not positive")', False),
        ('require(x > 0, "is not positive")', 'require(None, "is not positive")', False),
        ('if kind == "block design":', 'if kind == "XXblock designXX":', False),
        ("return accepted(x)", "return rejected(x)", False),
    ],
)
def test_only_messages_are_wording(removed, added, wording):
    assert mutants.is_wording(removed, added) is wording


def test_a_survivor_needs_a_reason():
    counts = mutants.Counter({"killed": 7, "wording of a message": 2})
    survivors = {"ldp.x_f: a -> b": "verify.kernel.ldp.x_f__mutmut_3", "other": "o"}
    assert mutants.key_of("verify.kernel.ldp.x_f__mutmut_3", "a", "b") in survivors
    assert mutants.report(counts, survivors, {"other": "equal"}).endswith("| 11 | 7 | 2 | 1 | 1 |")


def test_every_reason_says_something():
    reasons = json.loads(mutants.REASONS.read_text(encoding="utf-8"))
    assert all(isinstance(reason, str) and len(reason) >= 15 for reason in reasons.values())


def test_the_copy_is_told_what_to_mutate():
    text = mutants.configuration(["ldp.py"])
    assert 'only_mutate = ["verify/kernel/ldp.py"]' in text
    assert all((mutants.ROOT / path).exists() for path in mutants.TESTS + mutants.DESELECTED)
