"""The commands around the campaign: the table, the regions of the page, the reading of mutants."""

import ast
import json

import pytest

from tests.attack import mutants
from tests.attack.__main__ import main
from tests.attack.campaign import ANSWERS, Tally
from tests.attack.resource_use import growth, sizes_measured
from tests.attack.table import markdown, read_rows, with_kinds, with_region

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
    lines = markdown(tally.rows(), 4, "s").splitlines()
    assert lines[-2] == "| design | maps | 4 | 0 | 3 | 0 | 0 | 1 | 0 | 250 ms |"
    assert lines[-1].startswith("| **all** |  | 4 | 0 | 3 | 0 | 0 | 1 | 0 |")


def test_rows_of_other_kinds_stay():
    answers = dict.fromkeys(ANSWERS, 0)
    old = [("channel", "keys", 5, {**answers, "true": 5}, 0.5), ("design", "maps", 0, answers, 0)]
    page = with_region(PAGE, "campaign", markdown(old, 5, "s"))
    assert list(read_rows(page)) == old
    new = [("design", "keys", 2, {**answers, "REJECTED": 2}, 0.25)]
    page = with_kinds(page, new, 2, "t")
    assert list(read_rows(page)) == [old[0], *new]
    assert "| **all** |  | 7 | 0 | 2 | 0 | 5 | 0 | 0 | 500 ms |" in page
    assert "seed 't'" in page


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
    ("before", "after", "wording"),
    [
        ('require(x > 0, "is not positive")', 'require(x > 0, "XXis not positiveXX")', True),
        ('return rejected("no proof")', "return rejected(None)", True),
        ('exact_sum(costs, "costs")', "exact_sum(costs, None)", True),
        ('list_of(point, v)(value, "maps")', 'list_of(point, v)(value, "MAPS")', True),
        ('reason = f"purification: {x}"', "reason = None", True),
        ('require(x > 0, "is not positive")', 'require(x >= 0, "is not positive")', False),
        ('require(x > 0, "is not positive")', 'require(None, "is not positive")', False),
        ('require_limit(size, 9, "points")', 'require_limit(size, 10, "points")', False),
        ('list_of(point, v)(value, "maps")', 'list_of(point, 1)(value, "maps")', False),
        ('if kind == "block design": pass', 'if kind == "XXblock designXX": pass', False),
        ("known = set(reached)", "known = None", False),
        ("return accepted(x)", "return rejected(x)", False),
        ('Verdict(status, reason, {"w": 1})', "Verdict(status, reason, None)", False),
    ],
)
def test_only_messages_are_wording(before, after, wording):
    old, new = (ast.parse(f"def f(x):\n    {line}").body[0] for line in (before, after))
    assert mutants.is_wording(old, new) is wording


def test_the_variants_of_a_function_are_read(tmp_path):
    folder = tmp_path / "mutants" / "verify" / "kernel"
    folder.mkdir(parents=True)
    variants = {"orig": 'a < b, "less"', "1": 'a <= b, "less"', "2": "a < b, None", "3": "a, b"}
    lines = [f"def x_f__mutmut_{n}():\n    require({text})\n" for n, text in variants.items()]
    (folder / "ldp.py").write_text("".join(lines), encoding="utf-8")
    codes = {"1": 0, "2": 0, "3": 1}
    named = {f"verify.kernel.ldp.x_f__mutmut_{n}": code for n, code in codes.items()}
    meta = json.dumps({"exit_code_by_key": named})
    (folder / "ldp.py.meta").write_text(meta, encoding="utf-8")
    counts, survivors = mutants.figures([tmp_path])
    assert counts == {"killed": 1, "wording of a message": 1}
    key = 'ldp.x_f: require(a < b, "less") -> require(a <= b, "less")'
    assert survivors == {key: ["verify.kernel.ldp.x_f__mutmut_1"]}


def test_a_survivor_needs_a_reason():
    counts = mutants.Counter({"killed": 7, "wording of a message": 2})
    survivors = {"ldp.x_f: a -> b": ["verify.kernel.ldp.x_f__mutmut_3"], "other": ["o", "p"]}
    assert mutants.key_of("verify.kernel.ldp.x_f__mutmut_3", "a", "b") in survivors
    assert mutants.report(counts, survivors, {"other": "equal"}).endswith("| 12 | 7 | 2 | 2 | 1 |")


def test_every_reason_says_something():
    reasons = json.loads(mutants.REASONS.read_text(encoding="utf-8"))
    assert all(isinstance(reason, str) and len(reason) >= 15 for reason in reasons.values())


def test_the_copy_is_told_what_to_mutate():
    text = mutants.configuration(["ldp.py"])
    assert 'only_mutate = ["verify/kernel/ldp.py"]' in text
    named = (path.partition("::")[0] for path in mutants.TESTS + mutants.DESELECTED)
    assert all((mutants.ROOT / path).exists() for path in named)


@pytest.mark.parametrize("most", [1_500, 30_000, 130_000, 700_000, 2_000_000])
def test_costs_are_measured_near_the_limit(most):
    asked = []

    def measure(name, size):
        asked.append(size)
        return size, size / 1e6, 0, "ACCEPTED" if size <= most else "LimitError"

    found = sizes_measured("any", measure)
    assert [size for size, *_ in found] == asked
    within = [size for size, _, _, answer in found if answer == "ACCEPTED"]
    assert max(within) > most * 8 // 10 or max(within) == 1_000_000
    assert len(within) >= min(4, sum(size <= most for size in (976 << x for x in range(11))))


def test_growth_is_a_slope_where_there_is_time_to_see():
    assert growth([(1e4 * x, 0.1 * x**2) for x in (1, 2, 4)]) == pytest.approx(2)
    assert growth([(1e4, 0.1), (2e4, 0.2), (2e4, 0.2)]) is None
    assert growth([(1e4, 0.01), (2e4, 0.2), (4e4, 0.4)]) is None
    assert growth([(1e4, 0.1), (1.1e4, 0.2), (1.2e4, 0.4)]) is None
