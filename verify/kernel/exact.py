"""Exact rationals: the one door through which numbers enter, and their canonical spelling.

Grammar of a number in text (ASCII only): an optional minus sign, then digits ``12``, a quotient
``12/34`` or a decimal ``1.25`` with an optional exponent ``1.25e-3``. A decimal is exact: ``0.1``
is 1/10. The canonical spelling is ``p`` or ``p/q`` in lowest terms with q > 1.
"""

import re
from decimal import Decimal
from enum import StrEnum
from fractions import Fraction
from numbers import Rational

from verify.kernel.errors import CertificateError, InexactNumberError, InputError, LimitError

__all__ = ["INFINITE", "Extended", "Infinity", "as_rational", "parse_canonical", "rational_text"]

MAX_DIGITS = 4000
"""Longest numerator or denominator, in decimal digits, that the kernel reads or writes."""

_TOO_LARGE = 10**MAX_DIGITS

_NUMBER = re.compile(
    r"-?(?:(?P<whole>[0-9]+)(?:/(?P<denominator>[0-9]+))?"
    r"|(?P<decimal>(?:[0-9]+\.[0-9]*|\.?[0-9]+)(?:[eE](?P<exponent>[+-]?[0-9]+))?))"
)


class Infinity(StrEnum):
    """The value +infinity, kept apart from every rational."""

    INFINITE = "inf"


INFINITE = Infinity.INFINITE
Extended = Fraction | Infinity
"""A nonnegative rational or +infinity."""


def excerpt(value: object) -> str:
    """The value as text short enough for a one-line message."""
    text = value if isinstance(value, str) else f"<{type(value).__name__}>"
    if isinstance(value, int | Fraction) and max(abs(value.numerator), value.denominator) < 10**60:
        text = str(value)
    return repr(text) if len(text) <= 40 else f"{text[:30]!r}... ({len(text)} characters)"


def as_rational(value: object, where: str = "value") -> Fraction:
    """The rational that an int, Fraction, Decimal or text denotes, *exact*.

    Args:
        value: an integer or rational number of any library registered with ``numbers``, a finite
            ``Decimal``, or text of the module's grammar.
        where: the name of the place, for error messages.

    Raises:
        InexactNumberError: for a float, a bool or any other type.
        InputError: for text outside the grammar or a zero denominator.
        LimitError: for more than ``MAX_DIGITS`` digits.

    >>> as_rational("0.1") + as_rational("2/5")
    Fraction(1, 2)
    """
    if isinstance(value, str | Decimal):
        return _parse(str(value), where)
    if isinstance(value, bool) or not isinstance(value, Rational):
        mend = "give an int, a Fraction or text such as '1/3' or '0.1'"
        raise InexactNumberError(f"{where}: {type(value).__name__} is not an exact number; {mend}")
    if type(value) is not Fraction:  # a Fraction is in lowest terms: no second division
        value = Fraction(int(value.numerator), int(value.denominator))
    return _within_limit(value, where)


def _within_limit(number: Fraction, where: str) -> Fraction:
    """The number, or LimitError when it is too long."""
    if max(abs(number.numerator), number.denominator) >= _TOO_LARGE:
        raise LimitError(f"{where}: over the limit of {MAX_DIGITS} digits")
    return number


def _parse(text: str, where: str) -> Fraction:
    """The rational that a text of the module's grammar spells."""
    match, shown = _NUMBER.fullmatch(text), excerpt(text)
    if match is None:
        raise InputError(f"{where}: {shown} is not a number such as 3, '2/7' or 0.25")
    exponent = match["exponent"] or "0"
    longest = max(len(match[part] or "") for part in ("whole", "denominator", "decimal"))
    if longest > MAX_DIGITS or len(exponent) > 6 or abs(int(exponent)) > MAX_DIGITS:
        raise LimitError(f"{where}: over the limit of {MAX_DIGITS} digits or exponent: {shown}")
    if match["denominator"] is not None and not match["denominator"].strip("0"):
        raise InputError(f"{where}: {shown} has denominator zero")
    return _within_limit(Fraction(text), where)


def rational_text(number: Extended) -> str:
    """The canonical spelling ``p`` or ``p/q`` of a rational; ``inf`` for INFINITE.

    Raises:
        LimitError: for more than ``MAX_DIGITS`` digits.
    """
    return str(number if isinstance(number, Infinity) else _within_limit(number, "a result"))


def parse_canonical(text: object, where: str = "value") -> Fraction:
    """The rational whose canonical spelling is ``text``.

    Raises:
        CertificateError: for any other spelling, such as ``2/4``, ``-0``, ``1.0`` or a number
            that is not text.
    """
    number = as_rational(text, where) if isinstance(text, str) else None
    if number is None or rational_text(number) != text:
        shown = f"{excerpt(text)} is not text of a rational in lowest terms such as '2/7'"
        raise CertificateError(f"{where}: {shown}")
    return number
