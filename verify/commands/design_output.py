"""What the commands about designs share: options, the end of a run, and the files they write."""

import json
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

if TYPE_CHECKING:
    from combinatorics.certification import DesignClaim
    from combinatorics.interchange import Content
    from verify.kernel.verdict import Verdict

__all__ = [
    "CertificateOption",
    "FormatOption",
    "JsonOption",
    "NoBuildOption",
    "OutOption",
    "checked_certificate",
    "content_lines",
    "fail",
    "finish",
    "write_content",
]

JsonOption = Annotated[bool, typer.Option("--json", help="Print one JSON object.")]
OutOption = Annotated[
    Path | None, typer.Option("--out", help="File to write; - is standard output.")
]
FormatOption = Annotated[
    str | None, typer.Option("--format", help="json, csv, dtrs, sage, gap, magma or npy.")
]
CertificateOption = Annotated[
    Path | None, typer.Option("--certificate", help="Write the certificate, once it is accepted.")
]

NoBuildOption = Annotated[
    bool, typer.Option("--no-build", help="Only say whether and how it is built.")
]

_SUFFIXES = {".json": "json", ".csv": "csv", ".npy": "npy", ".xml": "dtrs", ".sage": "sage",
             ".g": "gap", ".gap": "gap", ".m": "magma", ".magma": "magma"}  # fmt: skip

_MAX_SHOWN = 2000
"""Longest text of a design, in characters, that is shown when nothing is asked for."""


def fail(message: object) -> NoReturn:
    """One line on standard error, exit code 2."""
    typer.echo(f"error: {message}", err=True)
    raise typer.Exit(2)


def finish(result: Mapping[str, object], lines: list[str], code: int, *, as_json: bool) -> None:
    """The result as one JSON object or as lines for a reader, and the exit code."""
    typer.echo(json.dumps(result) if as_json else "\n".join(lines))
    raise typer.Exit(code)


def checked_certificate(claim: "DesignClaim", path: Path | None) -> "Verdict":
    """The kernel's verdict; the certificate is written only when it is ACCEPTED."""
    from combinatorics.interchange import write_bytes
    from verify.kernel.certificate import check_certificate, encode

    verdict = check_certificate(claim.certificate)
    if path is not None and verdict.is_accepted:
        write_bytes(path, encode(claim.certificate))
    return verdict


def write_content(
    content: "Content", out: Path | None, form: str | None, *, as_json: bool
) -> dict[str, object]:
    """Writes the content to a file or standard output; the keys that the result gets for it.

    Raises:
        InputError: for an unknown format, or two things that would share standard output.
    """
    from combinatorics.interchange import write_bytes, written
    from combinatorics.interchange.json_text import content_object
    from verify.kernel.errors import InputError

    if out is not None and str(out) != "-":
        write_bytes(out, written(content, form or _SUFFIXES.get(out.suffix, "json")))
        return {"file": str(out)}
    if as_json:
        if form not in {None, "json"}:
            raise InputError(f"--json and --format {form} share standard output: give --out FILE")
        return {"file": None, "design": content_object(content)}
    if out is None and form is None:
        return {"file": None}
    data = written(content, form or "json")
    sys.stdout.buffer.write(data)
    sys.stdout.buffer.flush()
    return {"file": "-"}


def content_lines(content: "Content") -> list[str]:
    """The blocks, base blocks or rows for a reader, or how to get them when they are many."""
    from combinatorics.interchange import written

    text = written(content, "json").decode("ascii").rstrip()
    if len(text) > _MAX_SHOWN:
        return ["use --out FILE or --format FORMAT to get the design itself"]
    return text.splitlines()
