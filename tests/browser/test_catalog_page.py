"""The HTML page of the catalog in a browser: it shows, sorts and filters without a network."""

import pytest

from combinatorics.catalog import Catalog, build_catalog
from combinatorics.catalog.export import exported
from tests.support.browser import headless, missing_programs

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(bool(missing_programs()), reason="needs Chromium and ChromeDriver"),
]

_SHOWN = """
return [...document.querySelectorAll("#catalog tbody tr")].filter((row) => row.offsetHeight > 0)
  .map((row) => [...row.cells].map((cell) => cell.textContent));
"""
_COUNT = 'return document.getElementById("count").textContent'
KIND, V, B, R, K, LAMBDA, STATUS, CONSTRUCTION, SOURCE, REASON = range(10)


@pytest.fixture(scope="module")
def entries(tmp_path_factory):
    """The entries on the page, and the page."""
    folder = tmp_path_factory.mktemp("page")
    build_catalog(folder / "c.sqlite", 70)
    with Catalog(folder / "c.sqlite") as catalog:
        found = catalog.entries()
        page = b"".join(exported(catalog, found, "html"))
    (folder / "page.html").write_bytes(page)
    return found, (folder / "page.html").as_uri()


@pytest.fixture(scope="module")
def browser():
    with headless() as window:
        yield window


@pytest.fixture
def page(browser, entries):
    """The browser with the page freshly loaded."""
    browser.open(entries[1])
    yield browser
    assert browser.messages() == []
    assert browser.run("return performance.getEntriesByType('resource').length") == 0


def texts(entry):
    numbers = (entry.v, entry.b, entry.r, entry.k, entry.lambda_)
    shown = ["" if number is None else str(number) for number in numbers]
    rest = (entry.status, entry.construction, entry.reference, entry.reason)
    return [str(entry.kind), *shown, *map(str, rest)]


def test_all_entries_are_shown_as_they_are(page, entries):
    assert page.run(_SHOWN) == [texts(entry) for entry in entries[0]]
    assert page.run(_COUNT) == f"{len(entries[0])} entries"


@pytest.mark.parametrize(
    ("column", "place", "is_number"),
    [("v", V, True), ("k", K, True), ("lambda", LAMBDA, True), ("construction", 7, False)],
)
def test_sorting(page, entries, column, place, is_number):
    head = f'th[data-column="{column}"]'
    for direction in ("ascending", "descending", "ascending"):
        page.click(f"{head} button")
        assert page.run(f"return document.querySelector('{head}').ariaSort") == direction
        shown = [row[place] for row in page.run(_SHOWN)]
        assert len(shown) == len(entries[0])
        filled = [int(text) for text in shown if text] if is_number else shown
        assert filled == sorted(filled, reverse=direction == "descending")
        if is_number:  # rows without the number stand last
            assert not any(shown[len(filled) :])
    marked = "return document.querySelectorAll('th[aria-sort]').length"
    assert page.run(marked) == 1


def test_sorting_keeps_the_filter_and_filtering_the_order(page, entries):
    page.type('select[name="kind"]', "residual")
    page.click('th[data-column="v"] button')
    page.click('th[data-column="v"] button')
    page.type('input[name="max"]', "40")
    shown = page.run(_SHOWN)
    chosen = [texts(e) for e in entries[0] if e.kind == "residual" and e.v <= 40]
    assert sorted(shown) == sorted(chosen)
    sizes = [int(row[V]) for row in shown]
    assert sizes == sorted(sizes, reverse=True)
    assert len(set(sizes)) > 5


@pytest.mark.parametrize(
    ("wishes", "test"),
    [
        ({'select[name="kind"]': "derived"}, lambda e: e.kind == "derived"),
        ({'select[name="status"]': "unknown"}, lambda e: e.status == "unknown"),
        ({'input[name="min"]': "30"}, lambda e: e.v >= 30),
        ({'input[name="max"]': "30"}, lambda e: e.v <= 30),
        ({'input[name="k"]': "9"}, lambda e: e.k == 9),
        ({'input[name="lambda"]': "2"}, lambda e: e.lambda_ == 2),
        (
            {'input[name="text"]': "PALEY 19", 'select[name="status"]': "constructed"},
            lambda e: (
                {"paley", "19"} <= {w for w in ("paley", "19") if w in " ".join(texts(e)).lower()}
                and e.status == "constructed"
            ),
        ),
        ({'input[name="text"]': "no such words"}, lambda e: False),
    ],
)
def test_filtering(page, entries, wishes, test):
    for selector, text in wishes.items():
        page.type(selector, text)
    expected = [texts(entry) for entry in entries[0] if test(entry)]
    assert page.run(_SHOWN) == expected
    assert len(expected) < len(entries[0])
    assert page.run(_COUNT) == f"{len(expected)} of {len(entries[0])} entries"
    page.click('button[type="reset"]')
    page.run("return new Promise((done) => setTimeout(done, 50))")
    assert len(page.run(_SHOWN)) == len(entries[0])


def test_the_page_may_not_reach_the_network(page):
    script = """
    return fetch("http://127.0.0.1:9/").then(() => "reached", (error) => String(error));
    """
    assert "Failed to fetch" in page.run(script)
    assert any("Content Security Policy" in line["message"] for line in page.messages())
