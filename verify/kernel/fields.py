"""Strict reading of the objects in a certificate: every key required, every number canonical."""

from collections.abc import Callable, Mapping
from typing import Any

from verify.kernel.errors import CertificateError
from verify.kernel.exact import excerpt, parse_canonical

__all__ = ["Claim", "Reader", "read", "require_form"]

Claim = Mapping[str, object]
"""The claim or the witness of a certificate: a JSON object."""
Reader = Callable[[object, str], Any]
"""Makes the JSON value at a named place into what it stands for, or raises CertificateError."""


def require_form(holds: object, message: str) -> None:
    """CertificateError with the message, unless what a well formed certificate satisfies holds."""
    if not holds:
        raise CertificateError(message)


def read(value: object, where: str, keys: str, /, **readers: Reader) -> list[Any]:
    """What stands at the keys of an object that has exactly these keys, in their order.

    Args:
        value: the object.
        where: its place.
        keys: the keys, parted by spaces.
        readers: for keys that do not hold a canonical rational.

    Raises:
        CertificateError: for another type, a missing key or an unknown one, or by a reader.
    """
    content, names = mapping(value, where), keys.split()
    for name in names:
        require_form(name in content, f"{where}: lacks the key {name!r}")
    for name in content:
        require_form(name in names, f"{where}: has the unknown key {excerpt(name)}")
    return [readers.get(name, parse_canonical)(content[name], f"{where}.{name}") for name in names]


def of_type(kind: type, name: str) -> Reader:
    """The reader of a value of this type of JSON, in the words of the name."""

    def read_value(value: object, where: str) -> object:
        """The value, or CertificateError."""
        require_form(isinstance(value, kind), f"{where}: must be {name}")
        return value

    return read_value


mapping = of_type(Mapping, "an object")
text = of_type(str, "text")
flag = of_type(bool, "true or false")
anything = of_type(object, "anything")


def integer(low: int, high: int) -> Reader:
    """The reader of an integer in low..high."""

    def read_integer(value: object, where: str) -> int:
        """The integer, or CertificateError."""
        if not isinstance(value, int) or isinstance(value, bool) or not low <= value <= high:
            raise CertificateError(f"{where}: {excerpt(value)} is not an integer in {low}..{high}")
        return value

    return read_integer


def list_of(reader: Reader, low: int = 0, high: int | None = None) -> Reader:
    """The reader of a list of low..high (or more, for None) items that another reader takes."""

    def read_list(value: object, where: str) -> tuple[Any, ...]:
        """The items as their reader makes them, or CertificateError."""
        if not isinstance(value, list) or len(value) < low or len(value) > (high or len(value)):
            bounds = "" if high is None else f" of {low}..{high} items"
            raise CertificateError(f"{where}: must be a list{bounds}")
        return tuple(reader(item, f"{where}[{i}]") for i, item in enumerate(value))

    return read_list
