"""The largest weighted hockey-stick divergence w(G) E_G, and Bayes advantages over priors.

With prior p on the first hypothesis the Bayes error is B(p) = sum min(p M0, (1 - p) M1), and the
advantage of the data over the prior alone is I(p) = min(p, 1 - p) - B(p) = p E_G(M0||M1) with
G = (1 - p)/p. Here phi(l, d) = w(l) s(l) d with s = 1 over l = G, or s = l over l = p.

**Bound.** Let F be proved bounds on the best s(l) D_l, and let the weight w >= 0 have
w'' >= -K between x and y, h = y - x. For x <= l <= y on one side of the corner (G = 1, p = 1/2)
and every channel, phi(l, D_l) is at most the largest product of two linear functions over [x, y]:
the chord of w, raised by K h^2/8, and the chord from F(x) to F(y).
Proof. A function whose second derivative is at least -K is at most its chord plus K h^2/8. For each
channel s(l) D_l is convex on each side of the corner: E_G = sum (M0 - G M1)_+ - (1 - G)_+, where
the sum is convex in G and the rest linear on each side of 1; and I(p) = min(p, 1 - p) - B(p), where
B is a sum of least values of linear functions, so concave, and the rest is linear on each side of
1/2. Both factors are not negative.

Reference: DeGroot 1962 (the advantage); the bound is proved above.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

from solvers.testing.one_parameter_family import FamilyCell, OneParameterFamily
from verify.kernel.errors import InputError
from verify.kernel.exact import as_rational, excerpt
from verify.kernel.interval import Interval

__all__ = [
    "Weight",
    "bayes_advantage_family",
    "polynomial_weight",
    "weighted_hockey_stick_family",
]


@dataclass(frozen=True, slots=True)
class Weight:
    """A weight over the parameters of a family.

    Args:
        value: w(l) >= 0, *exact*.
        concavity: (x, y) to a number K >= 0 with w'' >= -K between x and y; 0 for a convex w. It
            must be proved: nothing checks it.
    """

    value: Callable[[Fraction], Fraction]
    concavity: Callable[[Fraction, Fraction], Fraction]


def polynomial_weight(coefficients: Iterable[object]) -> Weight:
    """w(l) = sum of c_i l^i for l > 0, with -w'' bounded by its negative terms.

    Args:
        coefficients: c_0, c_1, ..., exact numbers of either sign.

    >>> weight = polynomial_weight([0, 1, -1])
    >>> weight.value(Fraction(1, 2)), weight.concavity(Fraction(0), Fraction(1))
    (Fraction(1, 4), Fraction(2, 1))
    """
    exact = [as_rational(c, f"coefficients[{i}]") for i, c in enumerate(coefficients)]

    def value(x: Fraction) -> Fraction:
        return sum((c * x**i for i, c in enumerate(exact)), Fraction(0))

    def concavity(x: Fraction, y: Fraction) -> Fraction:
        falling = ((i, -c) for i, c in enumerate(exact) if i >= 2 and c < 0)
        return sum((i * (i - 1) * c * y ** (i - 2) for i, c in falling), Fraction(0))

    return Weight(value, concavity)


def weighted_hockey_stick_family(weight: Weight, low: object, high: object) -> OneParameterFamily:
    """The family of w(G) E_G for low <= G <= high.

    Raises:
        InputError: for a weight that is no ``Weight``, such as a plain function, whose values alone
            prove no bound; unless 0 < low < high; or, once solved, where the weight is negative.
    """
    first, last = as_rational(low, "low"), as_rational(high, "high")
    if first <= 0:
        raise InputError(f"low: {first} is not > 0")
    return _family(
        f"w(G) E_G for {first} <= G <= {last}",
        (first, last, Fraction(1)),
        weight,
        lambda gamma: f"e-gamma:{gamma}",
        lambda gamma: Fraction(1),
    )


def bayes_advantage_family(weight: Weight, low: object, high: object) -> OneParameterFamily:
    """The family of w(p) I(p) for priors low <= p <= high of the first hypothesis.

    Raises:
        InputError: for a weight that is no ``Weight``; unless 0 < low < high < 1; or, once
            solved, where the weight is negative.
    """
    first, last = as_rational(low, "low"), as_rational(high, "high")
    if first <= 0 or last >= 1:
        raise InputError(f"priors: {first}..{last} is not strictly between 0 and 1")
    return _family(
        f"w(p) I(p) for {first} <= p <= {last}",
        (first, last, Fraction(1, 2)),
        weight,
        lambda prior: f"e-gamma:{(1 - prior) / prior}",
        lambda prior: prior,
    )


def _family(
    name: str,
    places: tuple[Fraction, Fraction, Fraction],
    weight: Weight,
    divergence: Callable[[Fraction], str],
    scale: Callable[[Fraction], Fraction],
) -> OneParameterFamily:
    """The family with places (low, high, corner)."""
    low, high, corner = places
    if not isinstance(weight, Weight):
        raise InputError(
            f"weight: {excerpt(weight)} says nothing of its second derivative, and without a bound "
            "on it nothing is proved; give polynomial_weight([c0, c1, ...]) or "
            "Weight(value, concavity)"
        )

    def factor(parameter: Fraction) -> Fraction:
        found = weight.value(parameter)
        if found < 0:
            raise InputError(f"weight: {found} at {parameter} is negative")
        return found * scale(parameter)

    def cell(part: FamilyCell) -> Fraction | None:
        if part.left is None or part.right is None:
            return None
        x, y = part.left.parameter, part.right.parameter
        rise = weight.concavity(x, y) * (y - x) ** 2 / 8
        weights = weight.value(x) + rise, weight.value(y) + rise
        bounds = tuple(scale(p.parameter) * p.divergence.upper for p in (part.left, part.right))
        return _largest_product(weights, (bounds[0], bounds[1]))

    return OneParameterFamily(
        name=name,
        low=low,
        high=high,
        divergence=divergence,
        value=lambda parameter, found: Interval.exactly(factor(parameter) * found),
        cell=cell,
        value_float=lambda parameter, found: float(factor(parameter)) * found,
        stops=(corner,) if low <= corner <= high else (),
    )


def _largest_product(
    first: tuple[Fraction, Fraction], second: tuple[Fraction, Fraction]
) -> Fraction:
    """The largest product over [0, 1] of the linear functions with these values at 0 and 1.

    (a + r t)(f + s t) has its only stationary point at t = -(a s + f r)/(2 r s), a maximum where
    r s < 0, with the value -(a s - f r)^2/(4 r s).
    """
    (a, b), (f, g) = first, second
    r, s = b - a, g - f
    ends = max(a * f, b * g)
    if r * s < 0 and 0 < -(a * s + f * r) / (2 * r * s) < 1:
        return max(ends, -((a * s - f * r) ** 2) / (4 * r * s))
    return ends
