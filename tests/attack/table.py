"""The campaign's figures as a table, and the region of a page that holds one."""

from tests.attack.campaign import ANSWERS

HEADINGS = ("malformed", "rejected", "undecided", "accepted, true", "accepted, false", "crashed")


def markdown(tally, count, seed):
    """The table of a tally with a line on how it was made."""
    heads = ["kind", "forgery", "tried", *HEADINGS, "slowest check"]
    lines = ["| " + " | ".join(heads) + " |", "|---|---|" + "---:|" * (len(heads) - 2)]
    previous = None
    for kind, name, tried, answers, seconds in sorted(tally.rows(), key=lambda row: row[0]):
        cells = [kind if kind != previous else "", name, tried, *answers.values()]
        lines.append("| " + " | ".join(map(str, cells)) + f" | {seconds * 1000:.0f} ms |")
        previous = kind
    totals = [tally.total(answer) for answer in ANSWERS]
    slowest = max(tally.slowest.values(), default=0)
    cells = ["**all**", "", sum(totals), *totals]
    lines.append("| " + " | ".join(map(str, cells)) + f" | {slowest * 1000:.0f} ms |")
    made = f"{count:,} forgeries of each kind, seed {seed!r}; times are CPU time, oracle included."
    return "\n".join([made, "", *lines])


def with_region(page, name, text):
    """The page with the region of this name replaced.

    Raises:
        ValueError: if the page has no such region.
    """
    opening, closing = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, found, rest = page.partition(opening)
    _, closed, after = rest.partition(closing)
    if not found or not closed:
        raise ValueError(f"the page has no region {name!r}")
    return f"{before}{opening}\n\n{text}\n\n{closing}{after}"
