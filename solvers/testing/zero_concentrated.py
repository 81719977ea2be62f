"""Concentrated privacy loss: rho(M0, M1) = max over 1 <= a <= A of D_a(M0||M1)/a, D_a Renyi's.

A pair is (rho, A)-truncated concentrated when D_a <= rho a for 1 < a < A; zero-concentrated when so
for all a > 1. Made large over private channels, it is what an attacker with the best private view
learns in that measure. D_a is log G(a)/(a - 1) with G(a) = sum M0^a M1^(1-a) = 1 + a (a - 1) d for
the power divergence d of order a, and D_1 is kl; so this is the largest value of the family of
power divergences with phi(a, d) = log(1 + a (a - 1) d)/(a (a - 1)), and phi(1, d) = d.

**Bound.** Let B be the proved bounds on D_a/a over all channels, R, e and z those on the likelihood
ratios, their logarithms and the spread of these (``RatioRange``), 1 <= x <= a <= y, h = y - x, and
V = min(z^2/4, y B(y) max(2 R^2, c(y e))) with c(w) = 2 + 4 w/3 + w^2. For every private channel
D_a/a is at most y B(y)/x and at most max(B(x), B(y)) + V^2 h^2/48.

Proof. D_a does not fall as a rises (van Erven, Harremoes 2014): the first. For the second let
K = log G and u = log M0/M1, |u| <= e. As K(0) = K(1) = 0, D_a/a = K(a)/(a (a - 1)) is the divided
difference K[0, 1, a], whose second derivative in a is 2 K[0, 1, a, a, a] = K''''/12 at some place
in [0, a]. K'' and K'''' are the variance s and the fourth cumulant m - 3 s^2 of u under the law
M0^b M1^(1-b)/G; m >= s^2, so K'''' >= -2 s^2. With s <= V over [0, y] the second derivative is at
least -V^2/6, and the function at most its chord plus V^2 h^2/48.
It remains to show s <= V. First, s <= z^2/4. Next, s <= sum M1 r^b u^2/G with r = e^u.
The power divergence of order b has f(r) = integral from 0 to u of (e^u - e^v) e^((b-1) v) dv. Let
b >= 1. For u < 0, f >= e^u e^((b-1) u) u^2/2 = r^b u^2/2, because e^v - e^u >= e^u (v - u). For
u > 0 use e^u - e^v >= e^v (u - v): f >= (e^w - 1 - w)/b^2 with w = b u, and w^2 e^w <=
c(w) (e^w - 1 - w), since e^w (2 + 4 w/3) >= (1 + w) c(w): both sides agree up to w^3, and the left
one has no negative terms. So r^b u^2 <= c(b e) f(r) and, with the power divergence d, s <=
c(b e) d/G = c(b e) (1 - 1/G)/(b (b - 1)) <= c(b e) K/(b (b - 1)) = c(b e) D_b/b <= c(y e) y B(y).
For 0 <= b <= 1 take the f of order 1: r^b u^2 = r^(b-1) (r u^2) <= 2 R f(r) for u < 0, and
r^b u^2 <= r u^2 <= c(e) f(r) <= 2 R f(r) for u > 0. As G = sum M0 r^(b-1) >= 1/R, s <= 2 R^2 D_1.

**Beyond A.** D_a/a <= e/A for a >= A, with e as above or epsilon. If that is at most the optimum
for [1, A], the optimum is the same for all a >= 1.

Reference: Bun, Steinke 2016 and Bun, Dwork, Rothblum, Steinke 2018 (the notions); the bound is
proved above.
"""

from fractions import Fraction

import numpy as np

from solvers.testing.one_parameter_family import BITS, FamilyCell, OneParameterFamily
from verify.kernel.errors import InputError
from verify.kernel.exact import as_rational
from verify.kernel.interval import Interval, enclose_log

__all__ = ["zero_concentrated_family"]


def zero_concentrated_family(high: object, low: object = 1) -> OneParameterFamily:
    """The family of D_a/a for low <= a <= high.

    Args:
        high: the largest order A, an exact number.
        low: the least order, at least 1.

    Raises:
        InputError: unless 1 <= low < high.
    """
    first, last = as_rational(low, "low"), as_rational(high, "high")
    if first < 1:
        raise InputError(f"low: {first} is less than 1; orders begin at 1")
    return OneParameterFamily(
        name=f"D_a/a for {first} <= a <= {last}",
        low=first,
        high=last,
        divergence=lambda order: f"alpha:{order}",
        value=_value,
        cell=_cell,
        value_float=_value_float,
    )


def _value(order: Fraction, divergence: Fraction) -> Interval:
    scale = order * (order - 1)
    if not scale:
        return Interval.exactly(divergence)
    spare = 2 * order.denominator.bit_length()  # the division by scale costs as much
    return enclose_log(1 + scale * divergence, BITS + spare).scaled(1 / scale)


def _value_float(order: Fraction, divergence: float) -> float:
    scale = float(order * (order - 1))
    return float(np.log1p(scale * divergence) / scale) if scale else divergence


def _cell(cell: FamilyCell) -> Fraction | None:
    """The bound of the module; a closed interval has both points."""
    if cell.left is None or cell.right is None:
        return None
    x, y, ratios = cell.left.parameter, cell.right.parameter, cell.range
    first, last = cell.left.value.upper, cell.right.value.upper
    w = y * ratios.log
    steepness = max(2 * ratios.ratio**2, 2 + 4 * w / 3 + w * w)
    variance = min(ratios.spread**2 / 4, y * last * steepness)
    return min(y * last / x, max(first, last) + (variance * (y - x)) ** 2 / 48)
