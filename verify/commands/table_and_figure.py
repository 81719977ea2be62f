"""Tables as CSV files and figures as picture files, written whole or not at all."""

import csv
import io
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from verify.commands.picture import require_picture
from verify.output_file import require_other_file, require_writable, write_atomically

if TYPE_CHECKING:
    from matplotlib.figure import Figure

__all__ = ["require_places", "write_csv", "write_figure"]


def require_places(source: str, table: Path | None, picture: Path | None) -> None:
    """Refuse files that could not be written, before any work is done.

    Raises:
        InputError: for a picture of an unknown ending, a place that cannot be written, the input
            file, or one file for both.
    """
    for place in (table, picture):
        if place is not None:
            require_other_file(place, source)
    if table is not None:
        require_writable(table)
    if picture is not None:
        require_picture(picture)


def write_csv(path: Path, header: Sequence[str], rows: Iterable[Sequence[object]]) -> None:
    """Write a header and rows; exact numbers as ``p/q``.

    Raises:
        InputError: if the file cannot be written.
    """
    page = io.StringIO()
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow(header)
    writer.writerows([str(cell) for cell in row] for row in rows)
    write_atomically(path, page.getvalue().encode())


def write_figure(path: Path, figure: "Figure") -> None:
    """Write a figure in the format of the ending.

    Raises:
        InputError: if the file cannot be written.
    """
    page = io.BytesIO()
    figure.savefig(page, format=path.suffix.lower().removeprefix("."), dpi=150)
    write_atomically(path, page.getvalue())
