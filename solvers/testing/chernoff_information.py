"""The Chernoff information of two given laws, enclosed.

g(a) = sum P^a Q^(1-a) is convex on (0, 1); with its limits g(0) = Q(P > 0) and g(1) = P(Q > 0) it
is so on [0, 1]. Let x < a < y with g(x) >= g(a) <= g(y). Then the minimum lies in [x, y]; as g is
above the line through (a, g(a)) and (y, g(y)) to the left of a, and above that through (x, g(x))
and (a, g(a)) to its right, the minimum is at least g(a) less the larger of
(g(y) - g(a)) (a - x)/(y - a) and (g(x) - g(a)) (y - a)/(a - x). At an end, such as a = 0 with
0 < y < z and g(0) <= g(y), the line through y and z does the same to the left of y.
"""

from fractions import Fraction

import numpy as np
from numpy.typing import NDArray

from solvers.testing.portable_functions import expm1, log, log1p
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError
from verify.kernel.exact import INFINITE, Infinity
from verify.kernel.interval import Interval, enclose_log, enclose_power

__all__ = ["enclose_affinity", "enclose_chernoff_information", "least_affinity_order"]

_STEPS = tuple(Fraction(1, 1 << n) for n in range(34, 1, -4))
_BISECTIONS = 60
_NEAR = 0.03
_N_TERMS = 12

Floats = NDArray[np.float64]


def enclose_affinity(p: Distribution, q: Distribution, order: Fraction, bits: int) -> Interval:
    """Encloses g(order), its limit at the orders 0 and 1."""
    total = Interval.exactly(0)
    for x, y in zip(p.masses, q.masses, strict=True):
        if x and y:
            total += enclose_power(x / y, order, bits).scaled(y)
    return total


def least_affinity_order(d: Floats, p: Floats, q: Floats, excess: float = 0.0) -> float:
    """The order in [0, 1] at which g is least, in float64, for masses p > 0 and q > 0.

    Args:
        d: the differences p - q, which may be known more precisely than p.
        p: the masses of the first law, up to a factor.
        q: the masses of the second law, up to the same factor.
        excess: the sum of d.
    """
    z = d / q
    log_ratio = np.where(z > -_NEAR, log1p(np.maximum(z, -_NEAR)), log(p) - log(q))
    far = np.where(np.abs(z) < _NEAR, 1.0, z)
    near = np.where(np.abs(z) < _NEAR, z, 0.0)
    series = np.zeros_like(near)
    for n in range(_N_TERMS, 1, -1):  # log(1 + z) - z
        series = series * near + (-1) ** (n - 1) / n
    rest = np.where(np.abs(z) < _NEAR, series * near * near, log_ratio - far)
    low, high = 0.0, 1.0
    for _ in range(_BISECTIONS):
        middle = (low + high) / 2
        # g' = sum q r^a log r = sum q ((r^a - 1) log r + log r - (r - 1)) + sum of d
        slope = np.sum(q * (expm1(middle * log_ratio) * log_ratio + rest)) + excess
        low, high = (middle, high) if slope < 0 else (low, middle)
    return (low + high) / 2


def enclose_chernoff_information(
    p: Distribution, q: Distribution, *, bits: int = 128
) -> Interval | Infinity:
    """Encloses -log of the least g(a), usually to 1e-18; INFINITE if no symbol has both masses.

    Raises:
        InputError: if the alphabets differ in size.
    """
    if len(p) != len(q):
        raise InputError(f"the two distributions have {len(p)} and {len(q)} symbols")
    if not any(x and y for x, y in zip(p.masses, q.masses, strict=True)):
        return INFINITE
    shared = [(x - y, x, y) for x, y in zip(p.masses, q.masses, strict=True) if x and y]
    d, x, y = (np.array([float(entries[i]) for entries in shared]) for i in range(3))
    found = least_affinity_order(d, x, y, float(sum(entries[0] for entries in shared)))
    order = Fraction(round(found * (1 << 40)), 1 << 40)
    if not _least_affinity(p, q, order, _STEPS[0], bits)[0]:
        order = _least_affinity_order_enclosed(p, q, bits)  # floats have lost the slope
    for step in _STEPS:
        low, high = _least_affinity(p, q, order, step, bits)
        if low > 0:
            return Interval(
                max(-enclose_log(high, bits).upper, Fraction(0)), -enclose_log(low, bits).lower
            )
    raise ArithmeticError("the least affinity was not bracketed")


def _least_affinity_order_enclosed(p: Distribution, q: Distribution, bits: int) -> Fraction:
    """An order within half the first step of the least g, or where enclosures tell no more.

    g is convex: if g(m + h) < g(m - h), it is least above m - h, and mirrored.
    """
    low, high, h = Fraction(0), Fraction(1), _STEPS[0] / 8
    while high - low > 4 * h:
        middle = (low + high) / 2
        before, after = (enclose_affinity(p, q, middle + n * h, 2 * bits) for n in (-1, 1))
        if after.upper < before.lower:
            low = middle - h
        elif before.upper < after.lower:
            high = middle + h
        else:
            return middle
    return (low + high) / 2


def _least_affinity(
    p: Distribution, q: Distribution, order: Fraction, step: Fraction, bits: int
) -> tuple[Fraction, Fraction]:
    """Bounds on the least g; the lower is 0 if the step does not bracket the minimum."""
    if order < step or order > 1 - step:
        end = Fraction(0) if order < step else Fraction(1)
        inward = step if order < step else -step
        here, near, far = (enclose_affinity(p, q, end + n * inward, 2 * bits) for n in (0, 1, 2))
        if near.lower < here.upper:
            return Fraction(0), here.upper
        return near.lower - max(far.upper - near.lower, Fraction(0)), here.upper
    low, here, high = (enclose_affinity(p, q, order + n * step, 2 * bits) for n in (-1, 0, 1))
    if min(low.lower, high.lower) < here.upper and not (low.is_exact and here.is_exact):
        return Fraction(0), here.upper
    return 2 * here.lower - max(low.upper, high.upper), here.upper
