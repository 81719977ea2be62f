"""Options of the commands that build designs, and where the design goes: a file or the terminal."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from combinatorics.interchange import Content

__all__ = [
    "FormatOption",
    "NoBuildOption",
    "OutOption",
    "chosen_format",
    "deliver",
    "require_place",
]

OutOption = Annotated[
    str | None,
    typer.Option("--out", metavar="FILE", help="Write the design; - is standard output."),
]
FormatOption = Annotated[
    str | None,
    typer.Option("--format", metavar="F", help="json, csv, dtrs, sage, gap, magma or npy."),
]
NoBuildOption = Annotated[
    bool, typer.Option("--no-build", help="Only say whether and how it is built.")
]

_SUFFIXES = {
    ".csv": "csv",
    ".g": "gap",
    ".gap": "gap",
    ".json": "json",
    ".m": "magma",
    ".magma": "magma",
    ".npy": "npy",
    ".sage": "sage",
    ".xml": "dtrs",
}


def require_place(out: str | None, form: str | None, *, json: bool) -> None:
    """Refuses, before any work, outputs that cannot be written or would mix on standard output.

    Raises:
        InputError: for an unknown format, an unwritable place, or a mix.
    """
    from combinatorics.interchange import FORMATS
    from verify.kernel.errors import InputError
    from verify.output_file import require_writable

    if form is not None and form not in FORMATS:
        raise InputError(f"--format: {form!r} is unknown; known: {', '.join(FORMATS)}")
    if out not in {None, "-"}:
        require_writable(str(out))
    elif json and (out == "-" or form is not None):
        raise InputError("--json and the design would share standard output: give --out FILE")


def chosen_format(out: str | None, form: str | None) -> str:
    """The format asked for, else that of the file's name, else JSON."""
    suffix = "" if out is None else Path(out).suffix.lower()
    return form or _SUFFIXES.get(suffix, "json")


def deliver(content: "Content", out: str | None, form: str | None) -> str | None:
    """Writes the design where it is wanted; the place, or None if nothing was asked for."""
    from combinatorics.interchange import written
    from verify.output_file import write_atomically

    if out is None and form is None:
        return None
    text = written(content, chosen_format(out, form))
    if out is None or out == "-":
        sys.stdout.flush()
        sys.stdout.buffer.write(text)
        return "-"
    write_atomically(out, text)
    return out
