"""A channel from JSON, CSV or a NumPy file: row-stochastic, one row an input."""

from collections.abc import Sequence
from dataclasses import dataclass
from decimal import Context, Decimal
from fractions import Fraction

from verify.intake.exact_json import distinct, parse_json, read_entries, read_keys, read_names
from verify.intake.rounding import rationalised_rows
from verify.intake.source import Notation, Source
from verify.intake.table import Row, looks_like_number, parse_table
from verify.kernel.channel import Channel
from verify.kernel.errors import InputError, LimitError
from verify.kernel.exact import excerpt

__all__ = ["ChannelInput", "read_channel"]

_NEAR = Fraction(1, 10**6)


@dataclass(frozen=True, slots=True)
class ChannelInput:
    """A channel as it was read.

    Args:
        channel: the channel, exact.
        inputs: the names of the rows; empty if the source names none.
        outputs: the names of the columns; empty if the source names none.
        largest_change: None if the channel is exactly what the source says; otherwise it is the
            nearest channel with the denominator asked for, and no entry was changed by more.
    """

    channel: Channel
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]
    largest_change: Fraction | None = None


@dataclass(frozen=True, slots=True)
class _Matrix:
    """Rows of numbers not yet known to be a channel, with the place of each row in the source."""

    rows: list[list[Fraction]]
    places: tuple[str, ...]
    inputs: tuple[str, ...]
    outputs: tuple[str, ...]


def read_channel(source: Source, *, denominator: int | None = None) -> ChannelInput:
    """The channel in the source.

    Args:
        source: JSON ``{"rows": [...], "inputs": [...], "outputs": [...]}`` (names optional), CSV
            with one row an input and an optional header of output names, or ``.npy`` of float64.
        denominator: D, to take the nearest channel whose entries are multiples of 1/D.

    Raises:
        InputError: naming the place and the mend.
        LimitError: for a matrix over the kernel's limits.
    """
    read = {Notation.JSON: _from_json, Notation.CSV: _from_csv, Notation.NPY: _from_array}
    matrix = read[source.notation](source)
    _require_rectangle(source, matrix)
    rows: Sequence[Sequence[Fraction]] = matrix.rows
    if denominator is not None:
        rows = rationalised_rows(rows, denominator, [f"{source.name}: {p}" for p in matrix.places])
    try:
        channel = Channel(tuple(map(tuple, rows)))
    except LimitError as error:
        raise LimitError(f"{source.name}: {error}") from None
    except InputError as error:
        raise InputError(f"{source.name}: {_diagnosis(matrix) or error}") from None
    change = None if denominator is None else _largest_change(matrix.rows, rows)
    return ChannelInput(channel, matrix.inputs, matrix.outputs, change)


def _from_json(source: Source) -> _Matrix:
    content = read_keys(source, parse_json(source), ("rows",), ("inputs", "outputs"))
    raw = content["rows"]
    if not isinstance(raw, list) or not raw:
        raise InputError(f'{source.name}: rows is not a list of rows; write [["3/4", "1/4"], ...]')
    rows = [read_entries(source, row, f"rows[{x}]") for x, row in enumerate(raw)]
    names = [
        read_names(source, content[key], key, count) if key in content else ()
        for key, count in (("inputs", len(rows)), ("outputs", len(rows[0])))
    ]
    return _Matrix(rows, _indexed(len(rows)), names[0], names[1])


def _from_csv(source: Source) -> _Matrix:
    table = parse_table(source)
    width = len(table[0].cells)
    outputs: tuple[str, ...] = ()
    if not looks_like_number(table[0].cells[0]):
        _require_names(table[0])
        outputs = distinct(source, table[0].cells, "the header")
        table = table[1:]
    if not table:
        raise InputError(f"{source.name}: has a header and no rows; write one row for each input")
    for row in table:
        if len(row.cells) != width:
            raise InputError(
                f"{source.name}: {row.place} has {len(row.cells)} cells where the first line has "
                f"{width}; write one for each output"
            )
    rows = [[row.number(column) for column in range(width)] for row in table]
    return _Matrix(rows, tuple(row.place for row in table), (), outputs)


def _require_names(header: Row) -> None:
    """Refuse a first line that may be a row with a slip in its first cell, not a header."""
    for cell in header.cells:
        if looks_like_number(cell):
            raise InputError(
                f"{header.name}: mixes names and numbers ({excerpt(header.cells[0])}, "
                f"{excerpt(cell)}); write a header of names only, or numbers only"
            )


def _from_array(source: Source) -> _Matrix:
    from verify.intake.array import read_matrix

    rows = read_matrix(source)
    return _Matrix(rows, _indexed(len(rows)), (), ())


def _indexed(count: int) -> tuple[str, ...]:
    return tuple(f"rows[{x}]" for x in range(count))


def _require_rectangle(source: Source, matrix: _Matrix) -> None:
    width = len(matrix.rows[0])
    for place, row in zip(matrix.places, matrix.rows, strict=True):
        if not row:
            raise InputError(f"{source.name}: {place} is empty; write one number for each output")
        if len(row) != width:
            raise InputError(
                f"{source.name}: {place} has {len(row)} entries where the first row has {width}; "
                "write one for each output"
            )
        for y, entry in enumerate(row):
            if entry.numerator < 0:  # many times faster than entry < 0
                shown = excerpt(str(entry))
                raise InputError(
                    f"{source.name}: {place}, column {y + 1}: {shown} is negative; "
                    "a probability is at least 0"
                )


def _diagnosis(matrix: _Matrix) -> str | None:
    """What is wrong with rows that do not sum to 1, and the mend; sums no more than it needs."""
    sums = (sum(row, Fraction(0)) for row in matrix.rows)
    wrong = next(((x, total) for x, total in enumerate(sums) if total != 1), None)
    if wrong is None:
        return None
    place, total = matrix.places[wrong[0]], wrong[1]
    columns = (sum(column, Fraction(0)) for column in zip(*matrix.rows, strict=True))
    if abs(total - 1) >= _NEAR and all(abs(s - 1) < _NEAR for s in columns):
        return (
            f"the columns sum to 1 and the rows do not ({place} sums to {_sum_text(total)}); "
            "transpose the matrix: one row an input"
        )
    return (
        f"{place} sums to {_sum_text(total)}, not 1; correct it, "
        "or take the nearest exact channel with --rationalise DENOMINATOR"
    )


def _sum_text(total: Fraction) -> str:
    """The distance from 1 where it is small; otherwise a short fraction as it is, or its size."""
    apart = abs(total - 1)
    if 0 < apart < _NEAR:  # may be smaller than every float
        context = Context(prec=3, Emin=-999999, Emax=999999)
        size = context.divide(Decimal(apart.numerator), Decimal(apart.denominator))
        return f"1 {'+' if total > 1 else '-'} {size.normalize(context):e}"
    if max(total.numerator, total.denominator) < 10**12:
        return str(total)
    return f"about {float(total):.6g}" if total < 10**300 else "a huge number"


def _largest_change(
    before: Sequence[Sequence[Fraction]], after: Sequence[Sequence[Fraction]]
) -> Fraction:
    return max(
        abs(old - new)
        for old_row, new_row in zip(before, after, strict=True)
        for old, new in zip(old_row, new_row, strict=True)
    )
