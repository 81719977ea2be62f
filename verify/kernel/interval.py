"""Rational intervals, with exp, log and square root enclosed by integer arithmetic.

An `Interval` holds every value that the quantity it stands for may have. So `a.upper < b.lower`
proves that the quantity of a is below that of b, and its negation proves nothing. `bits` asks for
an absolute error of at most 2**-bits (relative for exp).
"""

from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from math import isqrt

from verify.kernel.errors import LimitError, require, require_limit

__all__ = ["Interval", "enclose_exp", "enclose_log", "enclose_power", "enclose_sqrt"]

MAX_BITS = 4096
"""Largest precision that the kernel works with."""
MAX_EXACT_BITS = 8192
"""How much longer than the square of its base a power is that is computed exactly, in bits."""


@dataclass(frozen=True, slots=True)
class Interval:
    """The closed interval [lower, upper] of rationals.

    Raises:
        InputError: if lower > upper.
    """

    lower: Fraction
    upper: Fraction

    def __post_init__(self) -> None:
        """Refuse an empty interval."""
        require(self.lower <= self.upper, "an interval needs lower <= upper")

    @classmethod
    def exactly(cls, value: Fraction | int) -> "Interval":
        """The interval that holds one rational."""
        return cls(Fraction(value), Fraction(value))

    def __add__(self, other: "Interval") -> "Interval":
        """Encloses every sum."""
        return Interval(self.lower + other.lower, self.upper + other.upper)

    def scaled(self, factor: Fraction | int) -> "Interval":
        """Encloses every product with one rational of either sign."""
        ends = (self.lower * factor, self.upper * factor)
        return Interval(min(ends), max(ends))

    def rounded(self, bits: int) -> "Interval":
        """Encloses the interval, with ends that are multiples of 2**-bits."""
        lower, upper = self.lower * 2**bits // 1, -(-self.upper * 2**bits // 1)
        return Interval(Fraction(lower, 2**bits), Fraction(upper, 2**bits))

    @property
    def is_exact(self) -> bool:
        """Whether the interval holds one value only."""
        return self.lower == self.upper


def _require_bits(bits: int) -> None:
    """LimitError for a precision out of range."""
    if not 8 <= bits <= MAX_BITS:
        raise LimitError(f"precision of {bits} bits is outside 8..{MAX_BITS}")


def _atanh_scaled(t: Fraction, scale: int) -> tuple[int, int]:
    """Integers (s, n) with s <= atanh(t) 2**scale <= s + 3n + 3, for 0 <= t <= 1/3.

    With T = floor(t 2**P), U = floor(T**2 / 2**P) and p_(j+1) = floor(p_j U / 2**P), the error
    e_j = t**(2j+1) 2**P - p_j satisfies e_0 < 1 and e_(j+1) <= e_j/9 + 5/3 * 3**-(2j+1) + 1 < 2.
    Each of the n terms p_j/(2j+1) is floored once more, so it lacks less than 3; the terms left
    out when p_n = 0 start below 2 and fall by 9, so they lack less than 3 together.
    """
    power = (t.numerator << scale) // t.denominator
    square = power * power >> scale
    total = index = 0
    while power:
        total += power // (2 * index + 1)
        power = power * square >> scale
        index += 1
    return total, index


@lru_cache(maxsize=64)
def _log2_scaled(scale: int) -> tuple[int, int]:
    """Integers (lower, upper) that enclose log(2) 2**scale, by log 2 = 2 atanh(1/3)."""
    total, terms = _atanh_scaled(Fraction(1, 3), scale)
    return 2 * total, 2 * (total + 3 * terms + 3)


def enclose_log(x: Fraction, bits: int) -> Interval:
    """Encloses the natural logarithm of a positive rational to within 2**-bits.

    x = 2**k m with 1 <= m < 2, and log m = 2 atanh((m-1)/(m+1)) with argument at most 1/3.

    Raises:
        InputError: if x <= 0.
        LimitError: if bits is outside 8..MAX_BITS.

    >>> enclose_log(Fraction(1), 64) == Interval.exactly(0)
    True
    """
    _require_bits(bits)
    require(x > 0, "log needs a positive argument")
    if x <= 1:
        return enclose_log(1 / x, bits).scaled(-1) if x < 1 else Interval.exactly(0)
    shift = x.numerator.bit_length() - x.denominator.bit_length()
    shift -= x < 1 << shift
    scale = bits + 2 * bits.bit_length() + shift.bit_length() + 8
    mantissa = x / (1 << shift)
    total, terms = _atanh_scaled((mantissa - 1) / (mantissa + 1), scale)
    low2, high2 = _log2_scaled(scale)
    lower, upper = 2 * total + shift * low2, 2 * (total + 3 * terms + 3) + shift * high2
    return Interval(Fraction(lower, 1 << scale), Fraction(upper, 1 << scale))


def _exp_scaled(r: int, scale: int) -> tuple[int, int]:
    """Integers (s, n) with s <= exp(r 2**-scale) 2**scale <= s + 2n + 4, for 0 <= r < 2**scale.

    The terms p_(n+1) = floor(p_n r / 2**scale / (n+1)) lack e_n with e_0 = 0, e_1 = 0 and
    e_(n+1) <= e_n/(n+1) + 1 <= 2; those left out when p_n = 0 start below 2 and at least halve.
    """
    total, term, index = 0, 1 << scale, 0
    while term:
        total += term
        index += 1
        term = (term * r >> scale) // index
    return total, index


def enclose_exp(x: Fraction, bits: int) -> Interval:
    """Encloses exp(x) for a rational x, to a relative error of 2**-bits.

    x = k log 2 + r with 0 <= r < 1, and exp r by its Taylor series.

    Raises:
        LimitError: if |x| > 10000 or bits is outside 8..MAX_BITS.
    """
    _require_bits(bits)
    require_limit(-(-abs(x) // 1), 10_000, "exp: the size of its argument")
    if x == 0:
        return Interval.exactly(1)
    scale = bits + 2 * bits.bit_length() + 32
    low2, high2 = _log2_scaled(scale)
    scaled = (x.numerator << scale) // x.denominator
    near, far = (high2, low2) if scaled >= 0 else (low2, high2)
    k = scaled // near  # so that 0 <= low: k has the sign of x, and k near >= k log 2
    low, high = scaled - k * near, scaled + 1 - k * far
    (low_sum, _), (high_sum, terms) = _exp_scaled(low, scale), _exp_scaled(high, scale)
    factor = Fraction(2) ** (k - scale)
    return Interval(low_sum * factor, (high_sum + 2 * terms + 4) * factor)


def enclose_sqrt(x: Fraction, bits: int) -> Interval:
    """Encloses the square root of a rational x >= 0 to within 2**-bits; exact for a square.

    Raises:
        InputError: if x < 0.
        LimitError: if bits is outside 8..MAX_BITS.
    """
    _require_bits(bits)
    require(x >= 0, "a square root needs a nonnegative argument")
    numerator, denominator = isqrt(x.numerator), isqrt(x.denominator)
    if (numerator * numerator, denominator * denominator) == (x.numerator, x.denominator):
        return Interval.exactly(Fraction(numerator, denominator))
    root = isqrt((x.numerator << 2 * bits) // x.denominator)
    return Interval(Fraction(root, 1 << bits), Fraction(root + 1, 1 << bits))


def enclose_power(base: Fraction, exponent: Fraction, bits: int) -> Interval:
    """Encloses base**exponent for base > 0, to a relative error of 2**(2-bits).

    Exact for an integer exponent, unless the power is longer by ``MAX_EXACT_BITS`` than a square.

    Raises:
        InputError: if base <= 0.
        LimitError: if the power or its inverse is beyond exp(10000), or for bits out of range.
    """
    length = max(base.numerator, base.denominator).bit_length()
    if base > 0 and exponent.denominator == 1 and length * (abs(exponent) - 2) <= MAX_EXACT_BITS:
        return Interval.exactly(base**exponent.numerator)
    log = enclose_log(base, bits + exponent.numerator.bit_length()).scaled(exponent)
    return Interval(enclose_exp(log.lower, bits).lower, enclose_exp(log.upper, bits).upper)
