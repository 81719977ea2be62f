"""Facts as a table in the terminal or in HTML; text from a file never reaches the terminal raw."""

from collections.abc import Iterable, Mapping, Sequence
from html import escape
from typing import TYPE_CHECKING

from verify.kernel.verdict import Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = [
    "Fact",
    "check_table",
    "columns_table",
    "facts_html",
    "facts_table",
    "printable",
    "shortened",
    "verdict_facts",
]

LONGEST_CELL = 400
"""Longest text in a cell: an exact number may have thousands of digits."""

Fact = tuple[str, str]
"""What a number is called, and the number."""


def printable(text: str) -> str:
    """The text with every character that a terminal might obey, or cannot show, spelled out."""
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode() for ch in text)


def shortened(text: str) -> str:
    """The text, printable, without its middle where it is very long."""
    if len(text) > LONGEST_CELL:
        text = f"{text[: LONGEST_CELL // 2]} ... {text[-LONGEST_CELL // 2 :]}"
    return printable(text)


def facts_table(title: str, facts: Iterable[Fact]) -> "RenderableType":
    """The facts as a two-column table."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", show_header=False, box=box.SIMPLE_HEAD)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts:
        table.add_row(Text(name), Text(value))
    return table


def facts_html(facts: Iterable[Fact]) -> str:
    """The facts as an HTML table."""
    cells = (f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts)
    return f"<table>{''.join(cells)}</table>"


def verdict_facts(verdict: Verdict) -> list[Fact]:
    """The answer and its reason."""
    return [("verdict", verdict.status.value), ("because", shortened(verdict.reason))]


def columns_table(
    title: str, columns: Sequence[str], rows: Iterable[Sequence[str]]
) -> "RenderableType":
    """Rows of text under the names of their columns."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", box=box.SIMPLE_HEAD)
    for column in columns:
        table.add_column(Text(column), overflow="fold")
    for row in rows:
        table.add_row(*map(Text, row))
    return table


def check_table(results: Iterable[Mapping[str, object]]) -> "RenderableType":
    """The results of ``check`` as a table with the columns file, verdict, reason."""
    columns = ("file", "verdict", "reason")
    rows = ([shortened(str(result[key])) for key in columns] for result in results)
    return columns_table("", columns, rows)
