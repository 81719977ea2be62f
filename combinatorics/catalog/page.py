"""The catalog as one HTML page that sorts and filters by itself, without a network."""

from collections.abc import Sequence
from html import escape
from importlib.resources import files

from combinatorics.catalog.entry import Entry, Kind, Status

__all__ = ["page_text"]

_COLUMNS = (
    ("kind", "kind"),
    ("v", "v"),
    ("b", "b"),
    ("r", "r"),
    ("k", "k"),
    ("lambda", "λ"),
    ("status", "status"),
    ("construction", "construction"),
    ("reference", "source"),
    ("reason", "because"),
)
_NUMBERS = {"v", "b", "r", "k", "lambda"}


def page_text(entries: Sequence[Entry], extent: int) -> str:
    """The page with these entries.

    Args:
        entries: what it shows, in the order in which it stands at first.
        extent: up to how many points the catalog is complete.
    """
    page = files("combinatorics.catalog").joinpath("data", "page.html").read_text("utf-8")
    parts = {
        "EXTENT": str(extent),
        "COUNT": str(len(entries)),
        "KINDS": _options(Kind),
        "STATUSES": _options(Status),
        "HEADS": "".join(_head(name, title) for name, title in _COLUMNS),
        "ROWS": "".join(map(_row, entries)),  # last: its texts are not looked through again
    }
    for name, text in parts.items():
        page = page.replace(f"@{name}@", text, 1)
    return page


def _options(values: type[Kind] | type[Status]) -> str:
    return "".join(f"<option>{escape(value)}</option>" for value in values)


def _head(name: str, title: str) -> str:
    number = ' data-number class="number"' if name in _NUMBERS else ""
    return (
        f'<th scope="col" data-column="{name}"{number}>'
        f'<button type="button">{escape(title)}</button></th>'
    )


def _row(entry: Entry) -> str:
    cells = []
    for name, _ in _COLUMNS:
        value = getattr(entry, "lambda_" if name == "lambda" else name)
        text = "" if value is None else escape(str(value))
        cells.append(f'<td class="number">{text}</td>' if name in _NUMBERS else f"<td>{text}</td>")
    return f"<tr>{''.join(cells)}</tr>\n"
