"""Rational enclosures of exp, log, square roots and powers at rationals, by python-flint's balls.

Every function returns two rationals (lower, upper) with the number between them, equal where it is
rational and found to be so. Reference: Johansson 2017 (Arb, ball arithmetic).
"""

from collections.abc import Callable
from fractions import Fraction

from flint import arb, ctx, fmpq

from verify.second_opinion.strict_reading import Level, OutOfReachError

__all__ = ["Bounds", "enclose_exp", "enclose_level", "enclose_log", "enclose_power"]

Bounds = tuple[Fraction, Fraction]
"""Lower and upper rational of an enclosure."""
MAX_INTEGER_POWER = 64
"""Largest order, in absolute value, at which a power is computed as a rational."""


def _ball(number: Fraction) -> arb:
    return arb(fmpq(number.numerator, number.denominator))


def _dyadic(ball: arb) -> Fraction:
    mantissa, exponent = (int(part) for part in ball.man_exp())
    if abs(exponent) > 1 << 20:
        raise OutOfReachError("a number is too large or too small to be enclosed")
    return Fraction(mantissa) * Fraction(2) ** exponent


def _bounds(evaluate: Callable[[], arb], bits: int) -> Bounds:
    before = ctx.prec
    ctx.prec = bits
    try:
        ball = evaluate()
        if not ball.is_finite():
            raise OutOfReachError(f"a number has no finite enclosure at {bits} bits")
        middle, radius = _dyadic(ball.mid()), _dyadic(ball.rad())
    finally:
        ctx.prec = before
    return middle - radius, middle + radius


def enclose_exp(number: Fraction, bits: int) -> Bounds:
    """Encloses exp(number); equal ends at 0.

    >>> low, high = enclose_exp(Fraction(1), 64)
    >>> Fraction(271828, 100000) < low < high < Fraction(271829, 100000)
    True
    """
    if not number:
        return Fraction(1), Fraction(1)
    return _bounds(lambda: _ball(number).exp(), bits)


def enclose_log(number: Fraction, bits: int) -> Bounds:
    """Encloses log(number) for a number > 0; equal ends at 1."""
    if number == 1:
        return Fraction(0), Fraction(0)
    return _bounds(lambda: _log(number), bits)


def _log(number: Fraction) -> arb:
    """The logarithm; by the difference from 1 where that keeps the digits of a small one."""
    if Fraction(1, 2) < number < 2:
        return _ball(number - 1).log1p()
    return _ball(number).log()


def _power(base: Fraction, order: Fraction) -> arb:
    return (_ball(order) * _log(base)).exp()


def enclose_power(base: Fraction, order: Fraction, bits: int) -> Bounds:
    """Encloses base**order for a base > 0; equal ends for small integer orders."""
    if base == 1 or (order.denominator == 1 and abs(order) <= MAX_INTEGER_POWER):
        exact = base ** int(order) if base != 1 else base
        return exact, exact
    low, high = _bounds(lambda: _power(base, order), bits)
    return max(low, Fraction(0)), high


def enclose_level(level: Level, bits: int) -> Bounds:
    """Encloses E = exp(epsilon); equal ends where E is given, or epsilon = 0."""
    if level.exp_epsilon is not None:
        return level.exp_epsilon, level.exp_epsilon
    return enclose_exp(level.nats or Fraction(0), bits)
