"""What every command prints: one JSON object or a table on standard output, the rest on stderr."""

import sys
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn

import typer

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from rich.console import RenderableType

    from verify.kernel.certificate import Certificate
    from verify.kernel.verdict import Status, Verdict

__all__ = [
    "EXIT_CODES",
    "NOT_WRITTEN",
    "WrittenCertificate",
    "conclude",
    "conclude_undecided",
    "decide",
    "exit_code",
    "note",
    "print_digest",
    "print_digests",
    "print_json",
    "print_table",
    "working",
]

EXIT_CODES = {"ACCEPTED": 0, "REJECTED": 1, "MALFORMED": 2, "UNDECIDED": 3}
"""The exit code of each verdict; MALFORMED is what ``check`` says of a file it cannot read."""


@dataclass(frozen=True, slots=True)
class WrittenCertificate:
    """Where a certificate was written, and what tells its bytes from all others.

    Args:
        path: the file, or None if none was written.
        sha256: the SHA-256 of its bytes in hexadecimal.
    """

    path: str | None = None
    sha256: str | None = None

    def keys(self) -> dict[str, object]:
        """The keys of the JSON object that every command has."""
        return {"certificate": self.path, "sha256": self.sha256}


NOT_WRITTEN = WrittenCertificate()


def exit_code(status: "Status") -> int:
    """0 accepted, 1 rejected, 3 undecided."""
    return EXIT_CODES[status.value]


def note(text: str) -> None:
    """Say something that is not the result, on standard error."""
    sys.stderr.write(text + "\n")


def print_json(content: Mapping[str, object]) -> None:
    """Print one JSON object, ASCII only, on standard output."""
    import json

    sys.stdout.write(json.dumps(content, indent=1) + "\n")


def print_table(renderable: "RenderableType") -> None:
    """Print text or tables on standard output; in a pipe they are 110 columns wide."""
    import io

    from rich.console import Console

    width = None if sys.stdout.isatty() else 110
    page = io.StringIO()
    Console(file=page, width=width, no_color=True).print(renderable)
    encoding = sys.stdout.encoding or "utf-8"
    lines = (line.rstrip() for line in page.getvalue().splitlines())
    text = "\n".join(lines).encode(encoding, "replace").decode(encoding)
    sys.stdout.write(text + "\n")


def print_digest(path: str, sha256: str) -> None:
    """Print a SHA-256 as ``sha256sum --tag`` does, so that ``sha256sum --check`` understands it."""
    from verify.report import printable

    sys.stdout.write(f"SHA256 ({printable(path)}) = {sha256}\n")


def print_digests(results: Iterable[Mapping[str, object]]) -> None:
    """Print the SHA-256 of each file that was read, and say where it is not the canonical one."""
    for result in results:
        if result["sha256"] is not None:
            print_digest(str(result["file"]), str(result["sha256"]))
        if result["canonical"] is False:
            note(f"{result['file']}: is not in canonical form: other bytes, another SHA-256")


def conclude(
    status: "Status",
    json_object: Mapping[str, object],
    table: "Callable[[], RenderableType]",
    *,
    json: bool,
    quiet: bool,
) -> NoReturn:
    """Print the outcome in the form asked for and leave with the exit code of the verdict.

    Args:
        status: the answer.
        json_object: what ``--json`` prints.
        table: makes what is printed otherwise; called only then.
        json: whether ``--json`` was given; it wins over ``quiet``.
        quiet: whether ``--quiet`` was given.
    """
    if json:
        print_json(json_object)
    elif not quiet:
        print_table(table())
        if json_object.get("sha256") is not None:
            print_digest(str(json_object["certificate"]), str(json_object["sha256"]))
    raise typer.Exit(exit_code(status))


def conclude_undecided(claim: str, reason: str, seconds: float, *, json: bool) -> NoReturn:
    """Say that no proof was found either way, and leave with exit code 3."""
    if json:
        print_json(
            {
                "claim": claim,
                "verdict": "UNDECIDED",
                "reason": reason,
                **NOT_WRITTEN.keys(),
                "seconds": round(seconds, 3),
            }
        )
    else:
        note(f"exactdp: undecided: {reason}")
    raise typer.Exit(EXIT_CODES["UNDECIDED"])


@contextmanager
def working(message: str, *, quiet: bool = False) -> Iterator[None]:
    """Show on a terminal that work is going on; nothing in a pipe."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    from rich.console import Console

    with Console(stderr=True).status(message):
        yield


def decide(certificate: "Certificate", path: "Path | None") -> "tuple[Verdict, WrittenCertificate]":
    """The kernel's verdict, and the file that ``--certificate`` names if it was written."""
    from verify.canonical_form import encode
    from verify.certify import check, content_digest, write_certificate

    if path is None:
        return check(certificate), NOT_WRITTEN
    verdict = write_certificate(certificate, path)
    if verdict.is_accepted:
        return verdict, WrittenCertificate(str(path), content_digest(encode(certificate)))
    note(f"no certificate was written: the verdict is {verdict.status.value}")
    return verdict, NOT_WRITTEN
