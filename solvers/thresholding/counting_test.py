"""The counting test: which of two Poisson means, a factor gamma apart, does a count come from?

A count K >= ``count`` says "high". With L = ln(1/tail), P[Po(high_mean) < count] <= tail and
P[Po(high_mean / gamma) >= count] <= tail. Two calibrations: closed form by the Chernoff bound with
equal exponents, and the least mean by exact Poisson quantiles, which never needs more.
"""

import math
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache

from scipy.special import gammainccinv, gammaincinv

from solvers.backend import arb, ball, ball_bounds, working_precision

__all__ = [
    "CountingTest",
    "chernoff_test",
    "meets_tails",
    "poisson_tails",
    "quantile_test",
    "round_significant",
]

_BITS = 192
_GRID = 1 << 40
_SMALLEST_TAIL = Fraction(1, 10**290)


@dataclass(frozen=True, slots=True)
class CountingTest:
    """K >= count says that the mean is high.

    Args:
        count: the least count that says "high", >= 1.
        high_mean: a mean that is found high except with probability at most the tail.
        gamma: high_mean / gamma is found low except with probability at most the tail.
    """

    count: int
    high_mean: Fraction
    gamma: Fraction

    @property
    def low_mean(self) -> Fraction:
        """high_mean / gamma."""
        return self.high_mean / self.gamma


def round_significant(number: arb, *, up: bool, bits: int = 128) -> Fraction:
    """A dyadic rational beside the positive ball, above or below all of it, to a relative 2^-bits.

    The ball should be narrower than that.
    """
    lower, upper = ball_bounds(number)
    value = upper if up else lower
    shift = bits + value.denominator.bit_length() - value.numerator.bit_length()
    scaled = value * Fraction(2) ** shift
    return Fraction(math.ceil(scaled) if up else math.floor(scaled)) / Fraction(2) ** shift


def chernoff_test(log_tail: arb, gamma: Fraction) -> CountingTest:
    """The closed form: high_mean = L / h, count = ceil(tau high_mean).

    tau = (1 - 1/gamma) / ln gamma and h = tau ln tau - tau + 1 give both tails the exponent L.

    Args:
        log_tail: L = ln(1/tail), a ball.
        gamma: ratio of the means.
    """
    factor, tau = _chernoff_constants(gamma)
    mean = log_tail / factor
    return CountingTest(_ceiling(tau * mean), round_significant(mean, up=True), gamma)


def _ceiling(number: arb) -> int:
    return math.ceil(ball_bounds(number)[1])


@lru_cache(maxsize=64)
def _chernoff_constants(gamma: Fraction) -> tuple[arb, arb]:
    with working_precision(_BITS):
        tau = ball(1 - 1 / gamma) / ball(gamma).log()
        return tau * tau.log() - tau + 1, tau


def poisson_tails(count: int, mean: Fraction) -> tuple[arb, arb]:
    """Encloses P[Po(mean) < count] and P[Po(mean) >= count], count >= 1."""
    upper = ball(mean).gamma_upper(arb(count), regularized=1)
    return upper, 1 - upper


def meets_tails(test: CountingTest, tail: Fraction) -> bool:
    """Whether both tails are certainly at most ``tail``; the low mean with 2^-64 to spare."""
    with working_precision(_BITS):
        low_mean = test.low_mean * (1 + Fraction(1, 1 << 64))
        miss = poisson_tails(test.count, test.high_mean)[0]
        return bool(miss <= ball(tail)) and bool(
            poisson_tails(test.count, low_mean)[1] <= ball(tail)
        )


@lru_cache(maxsize=4096)
def quantile_test(tail: Fraction, gamma: Fraction) -> CountingTest:
    """The test with the least count, and for it the least high mean on a grid of 2^-40.

    The ratio of the means at which both tails are met falls with the count, so the least count
    gives the least rate. Both tails are certified by enclosed Poisson sums; when floats are too
    coarse to find the test, the closed form is returned.

    Args:
        tail: the failure probability of each side, in (0, 1/2).
        gamma: ratio of the means, > 1.
    """
    with working_precision(_BITS):
        fallback = chernoff_test(-ball(tail).log(), gamma)
    if tail < _SMALLEST_TAIL:
        return fallback
    level, ratio = float(tail), float(gamma)
    low, high = 0, fallback.count  # the least count lies in (low, high]
    while high - low > 1:
        middle = (low + high) // 2
        needed = float(gammainccinv(middle, level))
        if needed <= ratio * float(gammaincinv(middle, level)):
            high = middle
        else:
            low = middle
    for count in (high, high + 1):
        test = _certified_test(count, tail, gamma)
        if test is not None and test.high_mean <= fallback.high_mean:
            return test
    return fallback


def _certified_test(count: int, tail: Fraction, gamma: Fraction) -> CountingTest | None:
    """The least high mean of the grid for this count, if both tails are met."""
    units = math.floor(float(gammainccinv(count, float(tail))) * _GRID) - 2
    step = 1
    while not _high_enough(count, Fraction(units + step, _GRID), tail):
        step *= 2
    below = step // 2 if step > 1 else 0
    while step - below > 1:
        middle = (below + step) // 2
        if _high_enough(count, Fraction(units + middle, _GRID), tail):
            step = middle
        else:
            below = middle
    test = CountingTest(count, Fraction(units + step, _GRID), gamma)
    return test if meets_tails(test, tail) else None


def _high_enough(count: int, mean: Fraction, tail: Fraction) -> bool:
    with working_precision(_BITS):
        return bool(poisson_tails(count, mean)[0] <= ball(tail))
