"""exp, expm1, log and log1p in float64, with the same bits on every machine.

The functions of a C library or of NumPy differ in the last bit from one processor to the next, and
a search that compares such numbers may end at another of two equally good witnesses. These use
sums, products, quotients and powers of two only, which IEEE 754 rounds in one way. Their relative
error is below 2^-50; nothing that is certified rests on that.

With k = rint(x / log 2) and r = x - k log 2, exp x = 2^k exp r and exp r is summed as a power
series. With x = 2^k (1 + f), sqrt(1/2) <= 1 + f < sqrt 2 and s = f/(2 + f), log(1 + f) =
2 atanh s = f - (f^2/2 - s (f^2/2 + R)), R = 2 s^2/3 + 2 s^4/5 + ..., and log x adds k log 2.
"""

from collections.abc import Sequence
from math import factorial

import numpy as np
from numpy.typing import ArrayLike, NDArray

__all__ = ["exp", "expm1", "log", "log1p"]

Floats = NDArray[np.float64]
_LOG2 = float.fromhex("0x1.62e42fefa39efp-1")
_LOG2_HIGH = float.fromhex("0x1.62e42fee00000p-1")
"""The first 32 digits of log 2, so that its product with an exponent is exact."""
_LOG2_LOW = float.fromhex("0x1.a39ef35793c76p-33")
_ROOT_HALF = float.fromhex("0x1.6a09e667f3bcdp-1")
_EXP_TERMS = [1 / factorial(n) for n in range(14, 1, -1)]
_LOG_TERMS = [2 / n for n in range(21, 1, -2)]
_LARGEST = 1100.0
"""From there on, exp is infinite or zero."""
_DIGITS = 60


def _series(terms: Sequence[float], x: Floats) -> Floats:
    """The polynomial with these coefficients, the highest first, without temporary arrays."""
    value = np.full_like(x, terms[0])
    for term in terms[1:]:
        value *= x
        value += term
    return value


def _reduced(x: Floats) -> tuple[Floats, NDArray[np.intc]]:
    """(exp(r) - 1, k) for x = k log 2 + r."""
    clipped = np.clip(np.where(np.isnan(x), 0.0, x), -_LARGEST, _LARGEST)
    k = np.rint(clipped / _LOG2)
    r = (clipped - k * _LOG2_HIGH) - k * _LOG2_LOW
    series = _series(_EXP_TERMS, r)
    series *= r * r
    series += r
    return series, k.astype(np.intc)


def exp(x: ArrayLike) -> Floats:
    """The exponential, elementwise."""
    given = np.asarray(x, dtype=np.float64)
    rest, k = _reduced(given)
    value: Floats = np.where(np.isnan(given), given, np.ldexp(1 + rest, k))[()]
    return value


def expm1(x: ArrayLike) -> Floats:
    """The exponential less 1, without cancellation near 0, elementwise."""
    given = np.asarray(x, dtype=np.float64)
    rest, k = _reduced(given)
    small = np.clip(k, -_DIGITS, _DIGITS)
    near = np.ldexp(rest, small) + (np.ldexp(1.0, small) - 1)
    far = np.ldexp(1 + rest, np.where(k > _DIGITS, k, 0).astype(np.intc))
    value = np.where(k > _DIGITS, far, np.where(k < -_DIGITS, -1.0, near))
    answer: Floats = np.where(np.isnan(given), given, value)[()]
    return answer


def log(x: ArrayLike) -> Floats:
    """The natural logarithm, elementwise; -infinity at 0, not a number below."""
    given = np.asarray(x, dtype=np.float64)
    usable = (given > 0) & (given < np.inf)
    m, k = np.frexp(np.where(usable, given, 1.0))
    low = m < _ROOT_HALF
    f, power = np.where(low, 2 * m, m) - 1, (k - low).astype(np.float64)
    s = f / (2 + f)
    square, half = s * s, f * f / 2
    tail = _series(_LOG_TERMS, square)
    tail *= square
    tail += half
    tail *= s
    tail += power * _LOG2_LOW
    value = power * _LOG2_HIGH - ((half - tail) - f)
    special = np.where(given == 0, -np.inf, np.where(given > 0, given, np.nan))
    answer: Floats = np.where(usable, value, special)[()]
    return answer


def log1p(x: ArrayLike) -> Floats:
    """log(1 + x) without cancellation near 0, elementwise; -infinity at -1."""
    given = np.asarray(x, dtype=np.float64)
    usable = (given > -1) & (given < np.inf)
    z = np.where(usable, given, 0.0)
    whole = 1 + z
    value = log(whole) + (z - (whole - 1)) / whole
    special = np.where(given == -1, -np.inf, np.where(given > -1, given, np.nan))
    answer: Floats = np.where(usable, value, special)[()]
    return answer
