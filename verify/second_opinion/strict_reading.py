"""Strict reading of a certificate: every key required, every number canonical, none twice.

Written from ``verify/FORMAT.md`` alone. What the page refuses raises `MalformedError`; what is well
formed but larger than this checker takes on raises `OutOfReachError`.
"""

import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import gcd
from typing import NoReturn

__all__ = [
    "CertificateFile",
    "Level",
    "MalformedError",
    "OutOfReachError",
    "TooWideError",
    "demand",
    "integer",
    "integer_lists",
    "level",
    "listing",
    "mapping",
    "probabilities",
    "rational",
    "rationals",
    "read_certificate",
    "require_reach",
    "stochastic_rows",
]

MAX_BYTES = 1 << 26
"""Longest file of the format."""
MAX_DIGITS = 4000
"""Longest numerator, denominator or integer, in decimal digits."""
MAX_NATS = 10_000
"""Highest level in nats of the format."""

_CANONICAL = re.compile(r"(-?)(0|[1-9][0-9]*)(?:/([1-9][0-9]*))?", re.ASCII)

Content = Mapping[str, object]
"""A JSON object."""


class MalformedError(ValueError):
    """The file is not a certificate of the format; one line says why."""


class OutOfReachError(ValueError):
    """The certificate is larger or finer than this checker works with; it has no opinion."""


class TooWideError(OutOfReachError):
    """An enclosure settles nothing at this precision; more bits may."""


@dataclass(frozen=True, slots=True)
class CertificateFile:
    """What a certificate file says, its claim and witness still as JSON objects.

    Args:
        kind: one of the kinds of the format.
        claim: what is asserted.
        witness: the numbers that prove it.
    """

    kind: str
    claim: Content
    witness: Content


@dataclass(frozen=True, slots=True)
class Level:
    """A privacy level: exactly one of E = exp(epsilon) >= 1 and epsilon >= 0 in nats."""

    exp_epsilon: Fraction | None
    nats: Fraction | None


def demand(holds: object, message: str) -> None:
    """MalformedError with the message unless the condition holds."""
    if not holds:
        raise MalformedError(message)


def require_reach(size: int, limit: int, what: str) -> None:
    """OutOfReachError if the size is over the limit."""
    if size > limit:
        raise OutOfReachError(f"{what}: over this checker's limit of {limit}")


def _pairs(pairs: list[tuple[str, object]]) -> dict[str, object]:
    keys = [key for key, _ in pairs]
    demand(len(set(keys)) == len(keys), "a key stands twice in one object")
    return dict(pairs)


def _no_fraction(text: str) -> NoReturn:
    raise MalformedError(f"the number {text[:20]!r} is no integer; rationals are text")


def _digits(text: str) -> int:
    demand(len(text) <= MAX_DIGITS, f"an integer has {len(text)} characters")
    return int(text)


def read_certificate(content: bytes) -> CertificateFile:
    """The certificate in the bytes of a file.

    Raises:
        MalformedError: for anything but one JSON object with the keys of the format.
    """
    demand(len(content) <= MAX_BYTES, "the file is longer than 64 MiB")
    reader = json.JSONDecoder(
        object_pairs_hook=_pairs,
        parse_float=_no_fraction,
        parse_constant=_no_fraction,
        parse_int=_digits,
    )
    try:
        found = reader.decode(content.decode("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError) as error:
        raise MalformedError(f"no JSON in UTF-8: {error}") from None
    except RecursionError:
        raise MalformedError("the objects are nested too deeply") from None
    parts = ("format", "version", "kind", "claim", "witness", "provenance")
    top = mapping(found, parts, "the file")
    demand(top["format"] == "exactdp-certificate", "format: is another one")
    demand(type(top["version"]) is int and top["version"] == 1, "version: is not 1")
    kind = top["kind"]
    if not isinstance(kind, str):
        raise MalformedError("kind: is no text")
    claim, witness, _ = (mapping(top[name], None, name) for name in parts[3:])
    return CertificateFile(kind, claim, witness)


def mapping(value: object, keys: Iterable[str] | None, where: str) -> Content:
    """The object, which has exactly these keys (any, for None)."""
    if not isinstance(value, dict):
        raise MalformedError(f"{where}: is no object")
    if keys is not None:
        odd = sorted(set(keys) ^ set(value))
        demand(not odd, f"{where}: lacks, or should not have, {ascii(odd[:1])[:60]}")
    return value


def listing(value: object, where: str) -> list[object]:
    """The list."""
    if not isinstance(value, list):
        raise MalformedError(f"{where}: is no list")
    return value


def integer(value: object, where: str, least: int, most: int | None = None) -> int:
    """The integer, at least ``least`` and at most ``most``; true and false are none."""
    if type(value) is not int or value < least or (most is not None and value > most):
        raise MalformedError(f"{where}: is no integer in the range of the format")
    return value


def integer_lists(value: object, where: str, size: int) -> list[list[int]]:
    """A list of lists of indices 0..size-1."""
    lists = (listing(part, where) for part in listing(value, where))
    return [[integer(item, where, 0, size - 1) for item in part] for part in lists]


def rational(value: object, where: str) -> Fraction:
    """The rational whose canonical text this is: p or p/q, lowest terms, q > 1."""
    found = _CANONICAL.fullmatch(value) if isinstance(value, str) else None
    if found is None:
        raise MalformedError(f"{where}: is no canonical rational in text")
    sign, numerator, denominator = found.groups()
    demand(max(len(numerator), len(denominator or "")) <= MAX_DIGITS, f"{where}: is too long")
    p, q = int(numerator), int(denominator or 1)
    lowest = q != 1 if denominator else p or not sign
    demand(lowest and gcd(p, q) == 1, f"{where}: is not in lowest terms")
    return Fraction(-p if sign else p, q)


def rationals(value: object, where: str) -> list[Fraction]:
    """A list of canonical rationals."""
    return [rational(item, where) for item in listing(value, where)]


def level(value: object, where: str = "level") -> Level:
    """The privacy level; one above ``MAX_NATS`` is over the limit of the format."""
    content = mapping(value, None, where)
    demand(set(content) in ({"exp_epsilon"}, {"nats"}), f"{where}: needs exp_epsilon or nats")
    ((name, text),) = content.items()
    number = rational(text, where)
    if name == "nats":
        demand(number >= 0, f"{where}: epsilon is negative")
        demand(number <= MAX_NATS, f"{where}: is above {MAX_NATS} nats")
        return Level(None, number)
    demand(number >= 1, f"{where}: exp_epsilon is below 1")
    return Level(number, None)


def probabilities(value: object, where: str) -> list[Fraction]:
    """A list of rationals >= 0 with sum 1."""
    masses = rationals(value, where)
    demand(masses and min(masses) >= 0 and sum(masses) == 1, f"{where}: is no distribution")
    return masses


def stochastic_rows(value: object, where: str) -> list[list[Fraction]]:
    """A channel: rows of one length, each a distribution."""
    rows = [probabilities(row, where) for row in listing(value, where)]
    demand(rows and {len(row) for row in rows} == {len(rows[0])}, f"{where}: is no channel")
    return rows
