"""Numbers for readers: exact ones as text, to 12 digits in tables; enclosures rounded outwards.

In JSON an exact number is the text ``p/q`` and an enclosed one the pair ``lower``, ``upper``.
"""

from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction

from verify.kernel.exact import Extended
from verify.kernel.interval import Interval, enclose_log

__all__ = [
    "digits",
    "enclosure_digits",
    "enclosure_object",
    "exact_text",
    "log_ratio",
]

DIGITS = 12
"""Significant digits of a number in a table."""
_LOG_BITS = 128
_SHORT = 24


def digits(number: Extended, rounding: str = ROUND_HALF_EVEN) -> str:
    """The number to 12 significant digits, correctly rounded."""
    if not isinstance(number, Fraction):
        return "infinite"
    context = Context(prec=DIGITS, rounding=rounding, Emin=-999999, Emax=999999)
    quotient = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    if not quotient:
        return "0"
    return f"{quotient.normalize(context):{'f' if -6 <= quotient.adjusted() < 15 else 'e'}}"


def exact_text(number: Extended) -> str:
    """12 digits of an exact number, and the number itself where it is short."""
    if not isinstance(number, Fraction):
        return digits(number)
    if number.denominator == 1:
        return str(number) if abs(number) < 10**DIGITS else digits(number)
    if max(abs(number.numerator), number.denominator) >= 10**_SHORT:
        return digits(number)
    text = str(number)
    return f"{digits(number)} = {text}" if len(text) <= _SHORT else digits(number)


def enclosure_digits(enclosure: Interval | Extended) -> str:
    """The enclosure rounded outwards; one number where it is exact."""
    if not isinstance(enclosure, Interval):
        return exact_text(enclosure)
    if enclosure.is_exact:
        return exact_text(enclosure.lower)
    low, high = digits(enclosure.lower, ROUND_FLOOR), digits(enclosure.upper, ROUND_CEILING)
    return f"{low} .. {high}"


def enclosure_object(enclosure: Interval | Extended) -> dict[str, str]:
    """The pair ``lower``, ``upper`` as texts ``p/q`` or ``inf``."""
    if isinstance(enclosure, Interval):
        return {"lower": str(enclosure.lower), "upper": str(enclosure.upper)}
    return {"lower": str(enclosure), "upper": str(enclosure)}


def log_ratio(exp_epsilon: Extended) -> Interval | Extended:
    """Encloses epsilon, the logarithm of e^epsilon; INFINITE where it is."""
    if isinstance(exp_epsilon, Fraction):
        return enclose_log(exp_epsilon, _LOG_BITS)
    return exp_epsilon
