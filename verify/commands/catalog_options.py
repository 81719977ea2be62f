"""Options of the commands about the catalog: where it is, and which entries are wanted."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from combinatorics.catalog import Kind, Selection, Status

__all__ = [
    "ConstructionOption",
    "DatabaseOption",
    "IndexOption",
    "KindsOption",
    "MaxPointsOption",
    "MinPointsOption",
    "SizeOption",
    "StatusesOption",
    "WaitOption",
    "database",
    "read_kinds",
    "read_selection",
]

DatabaseOption = Annotated[
    Path | None,
    typer.Option("--db", metavar="FILE", help="The catalog; by default in your data folder."),
]
WaitOption = Annotated[
    float,
    typer.Option("--wait", metavar="S", min=0, help="Seconds to wait for another writer."),
]
KindsOption = Annotated[
    list[str] | None,
    typer.Option(
        "--kind",
        metavar="KIND",
        help="symmetric, derived, residual, difference-set or hadamard; repeatable.",
    ),
]
StatusesOption = Annotated[
    list[str] | None,
    typer.Option(
        "--status",
        metavar="STATUS",
        help="constructed, constructible, impossible, unknown or refused; repeatable.",
    ),
]
MinPointsOption = Annotated[
    int | None, typer.Option("--min-v", metavar="V", help="Fewest points, or least order.")
]
MaxPointsOption = Annotated[
    int | None, typer.Option("--max-v", metavar="V", help="Most points, or largest order.")
]
SizeOption = Annotated[int | None, typer.Option("--k", metavar="K", help="Points on a block.")]
IndexOption = Annotated[
    int | None, typer.Option("--lambda", metavar="LAMBDA", help="Blocks on two points.")
]
ConstructionOption = Annotated[
    str | None, typer.Option("--construction", metavar="TEXT", help="Text in the recipe.")
]

_LARGEST = 2**63 - 1


def database(path: Path | None) -> Path:
    """The catalog that ``--db`` names, or that of the user."""
    from combinatorics.catalog import default_path

    return default_path() if path is None else path


def read_kinds(kinds: list[str] | None) -> "tuple[Kind, ...]":
    """The kinds that ``--kind`` names.

    Raises:
        InputError: for an unknown one.
    """
    from combinatorics.catalog import Kind
    from verify.kernel.errors import InputError

    for kind in kinds or ():
        if kind not in set(Kind):
            raise InputError(f"--kind: {kind!r} is unknown; known: {', '.join(Kind)}")
    return tuple(map(Kind, kinds or ()))


def _read_statuses(statuses: list[str] | None) -> "tuple[Status, ...]":
    from combinatorics.catalog import Status
    from verify.kernel.errors import InputError

    for status in statuses or ():
        if status not in set(Status):
            raise InputError(f"--status: {status!r} is unknown; known: {', '.join(Status)}")
    return tuple(map(Status, statuses or ()))


def read_selection(
    kinds: list[str] | None,
    statuses: list[str] | None,
    min_v: int | None,
    max_v: int | None,
    k: int | None,
    lambda_: int | None,
    construction: str | None,
) -> "Selection":
    """The entries that the options ask for.

    Raises:
        InputError: for an unknown kind or status, or a number out of range.
    """
    from combinatorics.catalog import Selection
    from verify.kernel.errors import InputError
    from verify.kernel.exact import excerpt

    named = (("--min-v", min_v), ("--max-v", max_v), ("--k", k), ("--lambda", lambda_))
    for option, value in named:
        if value is not None and not 0 <= value <= _LARGEST:
            raise InputError(
                f"{option}: {excerpt(value)} is out of range; give a number below 2^63"
            )
    return Selection(
        kinds=read_kinds(kinds),
        statuses=_read_statuses(statuses),
        min_v=min_v,
        max_v=max_v,
        k=k,
        lambda_=lambda_,
        construction=construction,
    )
