"""The page on rounding names every place where an irrational number enters, and no other."""

import re
from pathlib import Path

import pytest

from tests.support.irrational_calls import irrational_calls, irrational_names

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "rounding.md").read_text(encoding="utf-8")
DIRECTIONS = {"down", "up", "enclosure", "proposal", "exact law", "estimate", "display"}
ROW = re.compile(r"\| `([\w/.]+)` \| ((?:`[\w.()]+`(?:, )?)+) \| (.+) \| ([a-z ]+) \| (.+) \|")


def listed():
    """{file: {function: direction}} as the page has it."""
    found = {}
    for line in PAGE.splitlines():
        if match := ROW.fullmatch(line):
            file, functions, _, direction, _ = match.groups()
            for name in re.findall(r"`([^`]+)`", functions):
                assert name not in found.get(file, {}), f"{file}: {name} stands twice"
                found.setdefault(file, {})[name] = direction
    return found


def test_every_place_is_on_the_page():
    page = listed()
    missing = [
        f"{file}: {name} ({', '.join(sorted(calls))})"
        for file, functions in irrational_calls(ROOT).items()
        for name, calls in functions.items()
        if name not in page.get(file, {})
    ]
    assert not missing


def test_the_page_lists_nothing_that_is_gone():
    source = irrational_calls(ROOT)
    gone = [(file, n) for file, names in listed().items() for n in names if n not in source[file]]
    assert not gone


def test_every_row_has_a_direction():
    rows = [line for line in PAGE.splitlines() if line.startswith("| `")]
    assert len(rows) >= 80
    assert all(ROW.fullmatch(line) for line in rows)
    assert {d for functions in listed().values() for d in functions.values()} == DIRECTIONS


def test_the_kernel_has_no_proposal_and_no_float():
    assert set(listed()["verify/kernel"].values()) <= {"down", "up", "enclosure"}


@pytest.mark.parametrize(
    ("source", "names"),
    [
        ("def f(x):\n return math.log(x)", {"log"}),
        ("def f(x):\n return level.exp_upper", {"exp_upper"}),
        ("def f(x):\n return [np.sqrt(y) for y in x] + [isqrt(x)]", {"sqrt"}),
        ("def f(x):\n return x.rounded(64)", {"rounded"}),
        ("def f(x):\n return x ** 2 + x ** -3 + x ** (4 / 2) + x ** n", set()),
        ("def f(x):\n return x ** 0.5", {"**"}),
        ("def f(x):\n return x ** -0.5", {"**"}),
        ("def f(x):\n x **= 1 / 3", {"**"}),
        ("def f(x):\n return scipy.special.betaincinv(1, 2, x)", {"betaincinv"}),
    ],
)
def test_places_are_found(source, names):
    import ast

    assert irrational_names(ast.parse(source)) == names
