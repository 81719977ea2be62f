"""Exact sampling: real numbers as infinite bit strings, read only as far as a decision needs.

The law that is sampled, with no approximation: let U be uniform on (0, 1), the number whose binary
digits are an endless sequence of fair independent bits. `exponential_log` stands for ln U, so that
-ln(U)/rate is exponential. `draw_poisson` returns the least n with U <= P[Po(mean) <= n], where the
mean is a real number known through balls that shrink on demand, itself a function of such U. Every
comparison is settled by balls that do not overlap; while they overlap more bits are drawn. A run
ends with probability 1, after 2^-k-rare events k more bits; the only assumption is a fair source.
"""

import math
import secrets
from collections.abc import Callable
from fractions import Fraction

from solvers.backend import arb, working_precision

__all__ = ["BitSource", "LazyUniform", "draw_poisson", "system_bits"]

BitSource = Callable[[int], int]
"""k -> an integer of k fair bits."""

_FIRST_BITS = 64


def system_bits(count: int) -> int:
    """Fair bits from the operating system's cryptographic generator."""
    return secrets.randbits(count)


class LazyUniform:
    """A uniform real number in (0, 1) whose bits are drawn when they are needed."""

    __slots__ = ("_source", "count", "value")

    def __init__(self, source: BitSource) -> None:
        self._source = source
        self.value = 0
        self.count = 0

    def extend(self, count: int) -> None:
        """Know at least so many bits."""
        more = count - self.count
        if more > 0:
            self.value = self.value << more | self._source(more)
            self.count = count

    def ball(self, bits: int) -> arb:
        """Encloses the number to 2^-bits, not more often than needed below 2^-bits near 0."""
        self.extend(bits)
        while self.value == 0:  # keep the logarithm finite: reveal the leading zeros
            self.extend(self.count + 64)
        half = -self.count - 1
        return arb((2 * self.value + 1, half), (1, half))

    def log_ball(self, bits: int) -> arb:
        """Encloses the logarithm at the working precision; -log is exponential of rate 1."""
        return self.ball(bits).log()

    def is_below(self, threshold: Fraction) -> bool:
        """Whether the number is below a rational, decided by comparing integers."""
        numerator, denominator = threshold.numerator, threshold.denominator
        bits = _FIRST_BITS
        while True:
            self.extend(bits)
            scaled = numerator << self.count
            if (self.value + 1) * denominator <= scaled:
                return True
            if self.value * denominator >= scaled:
                return False
            bits *= 2


def draw_poisson(mean: Callable[[int], arb], source: BitSource) -> int:
    """A Poisson number with a mean that is enclosed to any precision.

    Args:
        mean: bits -> a ball with the mean, computed with so many bits.
        source: where the bits come from.

    Returns:
        the least n with U <= P[Po(mean) <= n] for a uniform U, *exact* in law.

    Cost: one incomplete gamma function, tens of microseconds for means up to a thousand.
    """
    uniform = LazyUniform(source)
    bits = _FIRST_BITS
    while True:
        with working_precision(bits):
            number = _invert(mean(bits), uniform.ball(bits))
        if number is not None:
            return number
        bits *= 2


def _invert(mean: arb, uniform: arb) -> int | None:
    """The Poisson quantile of the uniform ball; None when the balls do not decide it."""
    if uniform <= (-mean).exp():
        return 0
    if not mean.is_finite() or not mean > 0:
        return None
    number = _normal_guess(float(mean), float(uniform))
    cumulative = mean.gamma_upper(arb(number + 1), regularized=1)
    mass = (mean.log() * number - mean - arb(number + 1).lgamma()).exp()
    while True:
        if uniform <= cumulative:
            if number == 0 or uniform > cumulative - mass:
                return number
            if not uniform <= cumulative - mass:
                return None
            cumulative, mass = cumulative - mass, mass * number / mean
            number -= 1
        elif uniform > cumulative:
            number += 1
            mass = mass * mean / number
            cumulative = cumulative + mass
        else:
            return None


_QUANTILE = (2.515517, 0.802853, 0.010328, 1.432788, 0.189269, 0.001308)


def _normal_guess(mean: float, uniform: float) -> int:
    """A starting point: the Cornish-Fisher quantile; its error costs time only."""
    small = min(max(min(uniform, 1 - uniform), 1e-300), 0.5)
    t = math.sqrt(-2 * math.log(small))
    c0, c1, c2, d1, d2, d3 = _QUANTILE
    z = t - (c0 + t * (c1 + t * c2)) / (1 + t * (d1 + t * (d2 + t * d3)))
    z = -z if uniform < 0.5 else z
    return max(0, math.floor(mean + math.sqrt(mean) * z + (z * z - 1) / 6 + 0.5))
