"""The pages that ship with the sources: whole, and complete where they list things."""

import re
from pathlib import Path

import pytest

import verify
from verify.kernel.kinds import KINDS

ROOT = Path(__file__).parents[2]
PAGES = sorted([*ROOT.glob("*.md"), *ROOT.glob("docs/*.md"), ROOT / "verify" / "FORMAT.md"])


def test_the_format_describes_every_kind_and_no_other():
    text = (Path(verify.__file__).parent / "FORMAT.md").read_text("utf-8")
    assert sorted(re.findall(r"^## Kind `(.+)`$", text, re.MULTILINE)) == sorted(KINDS)


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_pages_hold_no_traces_of_a_merge(page):
    lines = page.read_text("utf-8").splitlines()
    assert not [line for line in lines if re.fullmatch(r"(<{7}|={7}|>{7})( .*)?", line)]


@pytest.mark.parametrize("page", PAGES, ids=lambda path: path.name)
def test_links_between_pages_lead_somewhere(page):
    places = re.findall(r"\]\(([^)#:]+)\)", page.read_text("utf-8"))
    assert not [place for place in places if not (page.parent / place).exists()]
