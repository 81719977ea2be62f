"""Designs from the bytes of a file in any known format, and back to bytes."""

from collections.abc import Callable

from combinatorics.interchange.algebra_systems import gap_text, magma_text, sage_text
from combinatorics.interchange.document import Content, DesignDocument
from combinatorics.interchange.dtrs import dtrs_text, parse_dtrs
from combinatorics.interchange.json_text import json_text, parse_json
from combinatorics.interchange.matrix_file import csv_text, npy_bytes, parse_csv, parse_npy
from verify.kernel.errors import InputError, LimitError

__all__ = ["FORMATS", "MAX_FILE_BYTES", "parse_design", "written"]

MAX_FILE_BYTES = 2**28
"""Longest file that is read."""

_WRITERS: dict[str, Callable[[Content], str]] = {
    "json": json_text,
    "csv": csv_text,
    "dtrs": dtrs_text,
    "sage": sage_text,
    "gap": gap_text,
    "magma": magma_text,
}

FORMATS = (*_WRITERS, "npy")
"""The formats that are written; json, csv, dtrs and npy are read as well."""


def parse_design(data: bytes) -> DesignDocument:
    """The design in the bytes of a JSON, CSV, NumPy or DTRS file, told apart by how they begin.

    Raises:
        InputError: in one line, naming what is wrong and where.
        LimitError: for a file or a design over a stated limit.
    """
    if len(data) > MAX_FILE_BYTES:
        raise LimitError(f"the file has {len(data)} bytes, over the limit of {MAX_FILE_BYTES}")
    if data.startswith(b"\x93NUMPY"):
        return parse_npy(data)
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        raise InputError(f"the file is neither UTF-8 text nor a NumPy array: {error}") from None
    start = text.lstrip()[:1]
    if start == "<":
        return parse_dtrs(data.strip())
    if start in {"{", "["}:
        return parse_json(text)
    return parse_csv(text)


def written(content: Content, form: str) -> bytes:
    """The bytes of a file in one of ``FORMATS``.

    Raises:
        InputError: for an unknown format, or a content that the format cannot hold.
    """
    if form == "npy":
        return npy_bytes(content)
    if form not in _WRITERS:
        raise InputError(f"format {form!r} is unknown; known: {', '.join(FORMATS)}")
    return _WRITERS[form](content).encode("utf-8")
