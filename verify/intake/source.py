"""Where input comes from: a file or standard input, read whole and within a limit."""

import os
import stat
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from enum import Enum
from pathlib import Path

from verify.kernel.errors import InputError, LimitError

__all__ = ["MAX_BYTES", "Notation", "Source", "read_source", "require_one_standard_input"]

MAX_BYTES = 1 << 27
"""Longest input that is read, in bytes."""

_DESCRIPTORS = ("/dev/stdin", "/dev/fd/", "/proc/")
"""How the names of open files begin."""


class Notation(Enum):
    """How an input is written."""

    JSON = "json"
    CSV = "csv"
    NPY = "npy"


@dataclass(frozen=True, slots=True)
class Source:
    """The bytes of one input and its name in messages.

    Args:
        name: the path as the user gave it, or ``standard input``.
        content: all the bytes; not empty.
    """

    name: str
    content: bytes

    @property
    def notation(self) -> Notation:
        """By the file's ending; for any other ending, and standard input, by the first bytes."""
        ending = Path(self.name).suffix.lower()
        if ending in {".json", ".csv", ".npy"}:
            return Notation(ending[1:])
        if self.content.startswith(b"\x93NUMPY"):
            return Notation.NPY
        start = self.content[:1024].removeprefix(b"\xef\xbb\xbf").lstrip()
        return Notation.JSON if start.startswith((b"{", b"[")) else Notation.CSV

    def text(self) -> str:
        """The content as text.

        Raises:
            InputError: if it is not UTF-8.
        """
        try:
            return self.content.decode("utf-8-sig")
        except UnicodeDecodeError as error:
            raise InputError(
                f"{self.name}: byte {error.start} is not UTF-8 text; save the file as UTF-8"
            ) from None


def read_source(path: str | os.PathLike[str], *, max_bytes: int = MAX_BYTES) -> Source:
    """The content of a file, or of standard input for ``-``.

    Raises:
        InputError: for a directory, a missing, unreadable or empty file, and for a FIFO or socket,
            unless it is one that the program was started with, such as ``/dev/stdin``.
        LimitError: for more than ``max_bytes``.
    """
    if path == "-":
        if sys.stdin is None:
            raise InputError("standard input: is closed; name a file")
        return _within("standard input", sys.stdin.buffer.read(max_bytes + 1), max_bytes)
    name = str(path)
    if not name:
        raise InputError(
            "the name of the input file is empty; name a file, or - for standard input"
        )
    try:
        status = Path(path).stat()
        if stat.S_ISDIR(status.st_mode):
            raise InputError(f"{name}: is a directory; name a file in it")
        is_read = stat.S_ISREG(status.st_mode) or stat.S_ISCHR(status.st_mode)
        if not is_read and not _is_open_already(name):
            raise InputError(f"{name}: is not a regular file; name one, or - for standard input")
        if status.st_size > max_bytes:
            raise LimitError(_too_long(name, max_bytes))
        with Path(path).open("rb") as file:
            content = file.read(max_bytes + 1)
    except FileNotFoundError:
        raise InputError(f"{name}: does not exist; check the path") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"{name}: cannot be read ({reason}); name a readable file") from None
    return _within(name, content, max_bytes)


def require_one_standard_input(paths: Iterable[str | None]) -> None:
    """Refuse inputs of which more than one is ``-``, before any of them is read.

    Raises:
        InputError: if two are standard input.
    """
    if list(paths).count("-") > 1:
        raise InputError("-: standard input holds one thing only; name files for the others")


def _is_open_already(name: str) -> bool:
    """Whether it names a descriptor, as process substitution does: nobody else is waited for."""
    places = os.path.abspath(name), os.path.realpath(name)  # noqa: PTH100 - links stay links
    return any(place.startswith(_DESCRIPTORS) for place in places)


def _within(name: str, content: bytes, max_bytes: int) -> Source:
    if len(content) > max_bytes:
        raise LimitError(_too_long(name, max_bytes))
    if not content.strip():
        raise InputError(f"{name}: is empty; see --help for what it should hold")
    return Source(name, content)


def _too_long(name: str, max_bytes: int) -> str:
    return f"{name}: is over the limit of {max_bytes >> 20} MiB; give a smaller file"
