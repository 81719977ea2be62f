"""The page on trust holds the figures of a full campaign without a false acceptance."""

import re
from pathlib import Path

from tests.attack.bases import KINDS
from tests.attack.near_misses import NEAR_MISSES

ROOT = Path(__file__).parent.parent.parent
PAGE = (ROOT / "docs" / "trust.md").read_text(encoding="utf-8")


def rows():
    """(kind, class, numbers) of the campaign's table."""
    region = PAGE.split("<!-- campaign: begin -->")[1].split("<!-- campaign: end -->")[0]
    kind = ""
    for line in region.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) == 10 and cells[2].isdigit():
            kind = cells[0] or kind
            yield kind, cells[1], list(map(int, cells[2:9]))


def test_the_campaign_is_full_and_accepted_nothing_false():
    found = list(rows())
    for kind in KINDS:
        assert sum(numbers[0] for k, _, numbers in found if k == kind) >= 100_000
        assert {name for k, name, _ in found if k == kind} >= set(NEAR_MISSES[kind])
    for _, _, (tried, *answers, false, crashed) in found:
        assert tried == sum(answers) + false + crashed
        assert false == crashed == 0
    assert found[-1][0] == "**all**"


def test_the_page_names_every_kind_and_links_to_pages_that_exist():
    assert all(f"`{kind}`" in PAGE for kind in KINDS)
    for target in re.findall(r"\]\(([\w./-]+)\)", PAGE):
        assert (ROOT / "docs" / target).exists(), target
