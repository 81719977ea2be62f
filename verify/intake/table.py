"""CSV as rows of cells, each row with the line that it stands on."""

import csv
import io
import re
from dataclasses import dataclass
from fractions import Fraction

from verify.intake.source import Source
from verify.kernel.errors import InputError
from verify.kernel.exact import as_rational

__all__ = ["Row", "looks_like_number", "parse_table"]

_NUMBER_LIKE = re.compile(
    r"[-+\u2010-\u2015\u2212]?\s*(\.?\d.*|nan|inf|infinity)", re.IGNORECASE | re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Row:
    """One row of a CSV file.

    Args:
        source: the name of the file, for messages.
        place: its line in the file.
        cells: the text of the cells, without the spaces around it.
    """

    source: str
    place: str
    cells: tuple[str, ...]

    @property
    def name(self) -> str:
        """The file and line."""
        return f"{self.source}: {self.place}"

    def number(self, column: int, title: str | None = None) -> Fraction:
        """The exact number in a cell; columns count from 0 here and from 1 in messages.

        Raises:
            InputError: if the cell holds no exact number.
        """
        where = f"{self.name}, column {title or column + 1}"
        if not self.cells[column]:
            raise InputError(f"{where}: is empty; write a number such as 3, 2/7 or 0.25")
        return as_rational(self.cells[column], where)


def looks_like_number(cell: str) -> bool:
    """Whether a cell is meant as a number, rightly written or not: it begins like one.

    A row of such cells is never taken for a header: a slip such as ``50%`` must not lose a row.
    """
    return _NUMBER_LIKE.fullmatch(cell) is not None


def parse_table(source: Source) -> list[Row]:
    """The rows of the source that are not blank; at least one.

    Raises:
        InputError: if it is not CSV with commas.
    """
    reader = csv.reader(io.StringIO(source.text(), newline=""), strict=True, skipinitialspace=True)
    rows: list[Row] = []
    try:
        for cells in reader:
            stripped = tuple(cell.strip() for cell in cells)
            if any(stripped):
                rows.append(Row(source.name, f"line {reader.line_num}", stripped))
    except csv.Error as error:
        place = f"{source.name}: line {reader.line_num}"
        raise InputError(
            f"{place}: is not CSV ({error}); write short cells between commas"
        ) from None
    if not rows:
        raise InputError(f"{source.name}: holds no rows; see --help for the form")
    first = rows[0].cells
    if len(first) == 1 and re.search(r"[;\t]", first[0]):
        raise InputError(f"{rows[0].name}: has no commas; separate the cells by commas")
    return rows
