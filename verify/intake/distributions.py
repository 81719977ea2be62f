"""Two distributions on one alphabet, from JSON or CSV."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from verify.intake.exact_json import distinct, parse_json, read_entries, read_keys, read_names
from verify.intake.source import Notation, Source
from verify.intake.table import parse_table
from verify.kernel.distribution import Distribution, common_denominator
from verify.kernel.errors import InputError
from verify.kernel.exact import excerpt

__all__ = ["DistributionPair", "normalised", "read_distributions"]

_COLUMNS = ("symbol", "p0", "p1")


@dataclass(frozen=True, slots=True)
class DistributionPair:
    """The laws of a symbol under two hypotheses.

    Args:
        p0: the law under the first hypothesis.
        p1: the law under the second, on as many symbols.
        labels: the names of the symbols.
    """

    p0: Distribution
    p1: Distribution
    labels: tuple[str, ...]


def read_distributions(source: Source, *, weights: bool = False) -> DistributionPair:
    """The two distributions in the source.

    Args:
        source: JSON ``{"p0": [...], "p1": [...], "labels": [...]}`` (labels optional) or CSV with
            the header ``symbol,p0,p1``.
        weights: whether the numbers are counts or weights, to be divided by their sum, *exactly*.

    Raises:
        InputError: naming the place and the mend.
    """
    if source.notation is Notation.NPY:
        raise InputError(f"{source.name}: two distributions are read from JSON or CSV, not .npy")
    is_json = source.notation is Notation.JSON
    labels, *columns = _from_json(source) if is_json else _from_csv(source)
    p0, p1 = (
        _distribution(source, name, column, weights=weights)
        for name, column in zip(_COLUMNS[1:], columns, strict=True)
    )
    return DistributionPair(p0, p1, distinct(source, labels, "labels"))


_Columns = tuple[tuple[str, ...], list[Fraction], list[Fraction]]


def _from_json(source: Source) -> _Columns:
    content = read_keys(source, parse_json(source), ("p0", "p1"), ("labels",))
    p0, p1 = (read_entries(source, content[name], name) for name in ("p0", "p1"))
    if len(p0) != len(p1):
        raise InputError(
            f"{source.name}: p0 has {len(p0)} entries, p1 has {len(p1)}; "
            "give one for each symbol, 0 where it has no mass"
        )
    labels = content.get("labels", [str(i) for i in range(len(p0))])
    return read_names(source, labels, "labels", len(p0)), p0, p1


def _from_csv(source: Source) -> _Columns:
    header, *rows = parse_table(source)
    if tuple(cell.lower() for cell in header.cells) != _COLUMNS:
        shown = excerpt(",".join(header.cells))
        raise InputError(f"{header.name}: the header is {shown}; write symbol,p0,p1")
    for row in rows:
        if len(row.cells) != 3:
            raise InputError(f"{row.name}: has {len(row.cells)} cells; write symbol,p0,p1")
    labels = tuple(row.cells[0] for row in rows)
    return labels, [row.number(1, "p0") for row in rows], [row.number(2, "p1") for row in rows]


def _distribution(
    source: Source, name: str, numbers: Sequence[Fraction], *, weights: bool
) -> Distribution:
    where = f"{source.name}: {name}"
    if not numbers:
        raise InputError(f"{where} has no symbols; give at least one")
    for i, number in enumerate(numbers):
        if number < 0:
            raise InputError(
                f"{where}[{i}]: {excerpt(str(number))} is negative; give a number >= 0"
            )
    if weights:
        numbers = normalised(numbers, where)
    try:
        return Distribution(tuple(numbers), name)
    except InputError as error:
        mend = (
            "; correct it, or add --weights if these are counts" if "sum to" in str(error) else ""
        )
        raise type(error)(f"{source.name}: {error}{mend}") from None


def normalised(numbers: Sequence[Fraction], where: str) -> tuple[Fraction, ...]:
    """The numbers divided by their sum, *exact*.

    Args:
        numbers: weights >= 0.
        where: their name in messages.

    Raises:
        InputError: if the sum is not positive.
    """
    common = common_denominator(numbers, where)
    scaled = [number.numerator * (common // number.denominator) for number in numbers]
    total = sum(scaled)
    if total <= 0:
        raise InputError(f"{where}: the weights sum to {total}; give at least one that is not 0")
    return tuple(Fraction(weight, total) for weight in scaled)
