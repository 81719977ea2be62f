"""The campaign's figures as a table, and the region of a page that holds one."""

from tests.attack.campaign import ANSWERS

HEADINGS = ("malformed", "rejected", "undecided", "accepted, true", "accepted, false", "crashed")


def markdown(rows, count, seed):
    """The table of rows like those of a tally, with a line on how they were made."""
    heads = ["kind", "forgery", "tried", *HEADINGS, "slowest check"]
    lines = ["| " + " | ".join(heads) + " |", "|---|---|" + "---:|" * (len(heads) - 2)]
    previous, rows = None, sorted(rows, key=lambda row: row[0])
    for kind, name, tried, answers, seconds in rows:
        cells = [kind if kind != previous else "", name, tried, *answers.values()]
        lines.append("| " + " | ".join(map(str, cells)) + f" | {seconds * 1000:.0f} ms |")
        previous = kind
    totals = [sum(answers[answer] for *_, answers, _ in rows) for answer in ANSWERS]
    slowest = max((row[-1] for row in rows), default=0)
    cells = ["**all**", "", sum(totals), *totals]
    lines.append("| " + " | ".join(map(str, cells)) + f" | {slowest * 1000:.0f} ms |")
    made = f"{count:,} forgeries of each kind, seed {seed!r}; times are CPU time, oracle included."
    return "\n".join([made, "", *lines])


def read_rows(table):
    """The rows of a table like that of ``markdown``."""
    kind = ""
    for line in table.splitlines():
        cells = [cell.strip() for cell in line.strip("|").split("|")]
        if len(cells) != len(HEADINGS) + 4 or not cells[2].isdigit() or cells[0] == "**all**":
            continue
        kind = cells[0] or kind
        tried, *numbers = map(int, cells[2:-1])
        seconds = int(cells[-1].removesuffix(" ms")) / 1000
        yield kind, cells[1], tried, dict(zip(ANSWERS, numbers, strict=True)), seconds


def with_kinds(page, rows, count, seed):
    """The page with the rows of these kinds made anew; those of other kinds stay."""
    rows = list(rows)
    kinds = {row[0] for row in rows}
    kept = [row for row in read_rows(region(page, "campaign")) if row[0] not in kinds]
    return with_region(page, "campaign", markdown([*kept, *rows], count, seed))


def _parts(page, name):
    opening, closing = f"<!-- {name}: begin -->", f"<!-- {name}: end -->"
    before, found, rest = page.partition(opening)
    inside, closed, after = rest.partition(closing)
    if not found or not closed:
        raise ValueError(f"the page has no region {name!r}")
    return before + opening, inside, closing + after


def region(page, name):
    """What the region of this name holds.

    Raises:
        ValueError: if the page has no such region.
    """
    return _parts(page, name)[1]


def with_region(page, name, text):
    """The page with the region of this name replaced.

    Raises:
        ValueError: if the page has no such region.
    """
    before, _, after = _parts(page, name)
    return f"{before}\n\n{text}\n\n{after}"
