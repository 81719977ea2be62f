"""The one module that imports flint: exact rationals and balls, with the precision always explicit.

A ball (``arb``) encloses a real number. Comparing balls with ``<`` is certain when true and says
nothing when false; ``max`` and ``sorted`` of Python must not be used on them, ``arb.max`` may.
"""

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from fractions import Fraction
from threading import RLock

import flint
from flint import acb, arb, arb_mat, arb_series, fmpq, fmpq_mat

__all__ = [
    "acb",
    "arb",
    "arb_mat",
    "arb_series",
    "ball",
    "ball_bounds",
    "fmpq",
    "fmpq_mat",
    "fraction",
    "rational",
    "solve_rational",
    "working_precision",
]

_LOCK = RLock()


@contextmanager
def working_precision(bits: int) -> Iterator[None]:
    """Balls are computed with ``bits`` bits inside the block; one thread at a time.

    flint keeps its precision in one global place, so the block holds a lock.
    """
    with _LOCK:
        before = flint.ctx.prec
        flint.ctx.prec = bits
        try:
            yield
        finally:
            flint.ctx.prec = before


def rational(number: Fraction | int) -> fmpq:
    """The same rational as an ``fmpq``."""
    return fmpq(number.numerator, number.denominator)


def fraction(number: fmpq) -> Fraction:
    """The same rational as a ``Fraction``."""
    return Fraction(int(number.p), int(number.q))


def ball(number: Fraction | int) -> arb:
    """A ball that encloses the rational at the working precision."""
    return arb(rational(number))


def _dyadic(exact: arb) -> Fraction:
    mantissa, exponent = exact.man_exp()
    return Fraction(int(mantissa)) * Fraction(2) ** int(exponent)


def ball_bounds(number: arb) -> tuple[Fraction, Fraction]:
    """The rational end points (lower, upper) of a finite ball.

    Raises:
        ValueError: for a ball that is not finite.
    """
    if not number.is_finite():
        raise ValueError("the ball is not finite")
    middle, radius = _dyadic(number.mid()), _dyadic(number.rad())
    return middle - radius, middle + radius


def solve_rational(
    matrix: Sequence[Sequence[Fraction]], right_side: Sequence[Fraction]
) -> list[Fraction]:
    """The exact solution of a square rational system.

    Raises:
        ZeroDivisionError: for a singular matrix.
    """
    a = fmpq_mat([[rational(entry) for entry in row] for row in matrix])
    b = fmpq_mat([[rational(entry)] for entry in right_side])
    return [fraction(entry) for entry in a.solve(b).entries()]
