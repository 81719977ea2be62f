"""Strict reading of the objects in a certificate: every key required, every number canonical."""

from collections.abc import Mapping
from fractions import Fraction

from verify.kernel.errors import CertificateError
from verify.kernel.exact import excerpt, parse_canonical

__all__ = [
    "Claim",
    "read_index_lists",
    "read_indices",
    "read_integer",
    "read_list",
    "read_object",
    "read_pairs",
    "read_rationals",
    "read_rows",
    "read_string",
    "require_form",
]

Claim = Mapping[str, object]
"""The claim or the witness of a certificate: a JSON object."""


def require_form(holds: object, message: str) -> None:
    """CertificateError with the message, unless what a well formed certificate satisfies holds."""
    if not holds:
        raise CertificateError(message)


def read_object(value: object, keys: set[str] | None, where: str) -> Claim:
    """The value as an object with exactly these keys (any keys for None).

    Raises:
        CertificateError: for another type, a missing key or an unknown one.
    """
    if not isinstance(value, Mapping):
        raise CertificateError(f"{where}: must be an object")
    if keys is None or value.keys() == keys:
        return value
    if missing := keys - value.keys():
        raise CertificateError(f"{where}: lacks the key {min(missing)!r}")
    unknown = min(map(str, value.keys() - keys))
    raise CertificateError(f"{where}: has the unknown key {excerpt(unknown)}")


def read_list(value: object, where: str) -> list[object]:
    """The value as a list, or CertificateError."""
    if not isinstance(value, list):
        raise CertificateError(f"{where}: must be a list")
    return value


def read_string(value: object, where: str) -> str:
    """The value as text, or CertificateError."""
    if not isinstance(value, str):
        raise CertificateError(f"{where}: must be text")
    return value


def read_integer(value: object, where: str, low: int, high: int) -> int:
    """The value as an integer in low..high, or CertificateError."""
    if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
        raise CertificateError(f"{where}: {excerpt(value)} is not an integer in {low}..{high}")
    return value


def read_rationals(value: object, where: str) -> tuple[Fraction, ...]:
    """The value as a list of canonical rationals, or CertificateError."""
    items = enumerate(read_list(value, where))
    return tuple(parse_canonical(item, f"{where}[{i}]") for i, item in items)


def read_rows(value: object, where: str) -> tuple[tuple[Fraction, ...], ...]:
    """The value as a list of lists of canonical rationals, or CertificateError."""
    rows = enumerate(read_list(value, where))
    return tuple(read_rationals(row, f"{where}[{i}]") for i, row in rows)


def read_pairs(value: object, where: str, low: int, high: int) -> tuple[tuple[Fraction, ...], ...]:
    """The value as a list of low..high pairs of canonical rationals, or CertificateError."""
    pairs = read_rows(value, where)
    form = low <= len(pairs) <= high and all(len(pair) == 2 for pair in pairs)
    require_form(form, f"{where}: must be a list of {low}..{high} pairs")
    return pairs


def read_indices(value: object, where: str, size: int) -> tuple[int, ...]:
    """The value as a list of integers in 0..size-1, or CertificateError."""
    items = enumerate(read_list(value, where))
    return tuple(read_integer(item, f"{where}[{i}]", 0, size - 1) for i, item in items)


def read_index_lists(value: object, where: str, size: int) -> tuple[tuple[int, ...], ...]:
    """The value as a list of lists of integers in 0..size-1, or CertificateError."""
    lists = enumerate(read_list(value, where))
    return tuple(read_indices(items, f"{where}[{i}]", size) for i, items in lists)
