"""Chernoff information C(M0, M1) = -log min over 0 <= a <= 1 of g(a), g(a) = sum M0^a M1^(1-a).

It is the exponent of the least Bayes error of a test on many samples. For 0 < a < 1, 1 - g(a) =
a (1 - a) D_a with the power divergence D_a of order a, so C is the largest value of the family of
these with phi(a, d) = -log(1 - a (1 - a) d): see ``solvers.testing.one_parameter_family`` for the
theorem. At a = 0 and a = 1 the value is 0, so the interval is open.

**Bound.** Write F = a (1 - a) D for the proved bounds on 1 - g over all channels at the points of a
cover. For every channel -log g(a) is at most
- -log(1 - f) with f = F(x)/(1 - x) for all a <= x, and with f = F(x)/x for all a >= x;
- for x <= a <= y and M = max(F(x), F(y)), the smallest of
  -log(1 - s t/(s + t)), s = F(x)/x, t = F(y)/(1 - y);
  -log(1 - M) + v (y - x)^2/8, where 4 v is the square of the spread of log M0/M1;
  -log(1 - M - R^m D (y - x)^2/4), m the larger of |x - 1/2| and |y - 1/2|, D a proved bound on
  D_(1/2) over all channels, and R one on the likelihood ratios (``RatioRange``).

Proof. Let phi = 1 - g. g is convex with g(0) = g(1) = 1 for a private channel. For a >= x, the
chord from 0 to a lies above g(x): g(x) <= 1 - x/a + (x/a) g(a), that is phi(a) <= (a/x) phi(x) <=
a s. From the other side phi(a) <= (1 - a) t for a <= y. Up to y the second bound is at most t, and
from x on the first is at most s. In between, the smaller of the two is largest where
a s = (1 - a) t, with the value s t/(s + t).
For the other bounds let r = M0/M1, which lies in [1/R, R] at each output, and u = log r. A function
whose second derivative is at most K on [x, y] lies above its chord less K (a - x)(y - a)/2, of
which the last part is at most K (y - x)^2/8. For log g the second derivative is the variance of u
under the law M0^a M1^(1-a)/g, at most v. For g it is sum M1 r^a u^2, and
u^2 r^(1/2) <= 4 (r^(1/2) - 1)^2 because |u|/4 <= sinh(|u|/4); so it is at most
R^|a - 1/2| 4 sum (sqrt M0 - sqrt M1)^2 = R^|a - 1/2| 2 D_(1/2).

The first kind of bound covers wide cells at the ends; the others are of second order, so that a few
dozen points prove a relative gap of 1e-12.

Reference: the theorem and the bound are proved above; Chernoff 1952 (the exponent).
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from fractions import Fraction

import numpy as np

from solvers.epsilon import Epsilon
from solvers.testing.alphabet import order_alphabet
from solvers.testing.baselines import binary_cuts
from solvers.testing.chernoff_information import enclose_chernoff_information
from solvers.testing.family_solution import FamilySolution, solve_family
from solvers.testing.objective import Floats
from solvers.testing.one_parameter_family import (
    BITS,
    FamilyCell,
    FamilyPoint,
    FloatScore,
    OneParameterFamily,
    family_enclosure,
)
from solvers.testing.renyi import renamed, through_randomized_response
from solvers.testing.solve import TestingSolution, UnprovedError
from verify.kernel.certificate import Certificate
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError
from verify.kernel.exact import Infinity, parse_canonical
from verify.kernel.interval import Interval, enclose_log, enclose_power
from verify.kernel.verdict import accepted

__all__ = ["CHERNOFF", "chernoff_enclosure", "solve_chernoff"]

_HALF = Fraction(1, 2)
_FAR = 0.5


def _value(order: Fraction, divergence: Fraction) -> Interval:
    """Encloses -log(1 - a (1 - a) d)."""
    affinity = 1 - order * (1 - order) * divergence
    if affinity <= 0:
        raise UnprovedError("the bound on a power divergence is too weak")
    return enclose_log(affinity, BITS).scaled(-1)


def _value_float(order: Fraction, divergence: float) -> float:
    gap = float(order * (1 - order)) * divergence
    return float(-np.log1p(-gap)) if gap < _FAR else float("nan")


def _far(order: Fraction) -> tuple[FloatScore, Callable[[float], float]]:
    """Scores that add up to -g, which keep the digits of a small g."""
    a = float(order)

    def score(d: Floats, x: Floats, y: Floats) -> Floats:
        affinity: Floats = -np.exp(a * np.log(x) + (1 - a) * np.log(y))
        return affinity

    return score, lambda best: float(-np.log(-best))


def _information(gap: Fraction) -> Fraction | None:
    """An upper bound on -log(1 - gap); None if it is infinite."""
    return -enclose_log(1 - gap, BITS).lower if gap < 1 else None


def _cell(cell: FamilyCell) -> Fraction | None:
    """The bound of the module; None if there is none."""
    left, right = cell.left, cell.right
    slopes = []
    if left is not None:
        slopes.append((1 - left.parameter) * left.divergence.upper)  # F(x)/x
    if right is not None:
        slopes.append(right.parameter * right.divergence.upper)  # F(y)/(1 - y)
    product, total = slopes[0] * slopes[-1], sum(slopes)
    crossing = slopes[0] if len(slopes) == 1 else product / total if total else Fraction(0)
    found = [_information(crossing)]
    if left is not None and right is not None:
        found += _second_order(left, right, cell)
    return min((bound for bound in found if bound is not None), default=None)


def _second_order(left: FamilyPoint, right: FamilyPoint, cell: FamilyCell) -> list[Fraction | None]:
    x, y = left.parameter, right.parameter
    middle, width = cell.stops[_HALF].divergence.upper, (y - x) ** 2
    most = max(p.parameter * (1 - p.parameter) * p.divergence.upper for p in (left, right))
    from_variance = max(left.value.upper, right.value.upper) + cell.range.spread**2 * width / 32
    exponent = max(abs(x - _HALF), abs(y - _HALF))
    steepness = enclose_power(cell.range.ratio, exponent, BITS).upper
    return [from_variance, _information(most + steepness * middle * width / 4)]


CHERNOFF = OneParameterFamily(
    name="chernoff",
    low=Fraction(0),
    high=Fraction(1),
    divergence=lambda order: f"alpha:{order}",
    value=_value,
    cell=_cell,
    value_float=_value_float,
    stops=(_HALF,),
    is_open=True,
    far=_far,
)
"""The family whose largest value is the Chernoff information."""


def chernoff_enclosure(certificates: Sequence[Certificate]) -> Interval:
    """Encloses the largest Chernoff information of a private channel, by the bound above.

    Args:
        certificates: of kind ``testing``, for one problem at one level and increasing orders
            ``alpha:a``, 0 < a < 1, with a = 1/2 among them. The mechanism of each gives a lower
            bound, and all together prove the upper one.

    Raises:
        InputError: if they are for different problems or other orders.
        UnprovedError: if the kernel does not accept one of them.
    """
    return family_enclosure(CHERNOFF, [_order(c) for c in certificates], certificates)


def _order(certificate: Certificate) -> Fraction:
    family, _, order = str(certificate.claim.get("divergence")).partition(":")
    if certificate.kind != "testing" or family != "alpha":
        raise InputError("certificates: must be of kind testing and divergence alpha:a")
    number = parse_canonical(order, "order")
    if not 0 < number < 1:
        raise InputError(f"certificates: the order {number} is not between 0 and 1")
    return number


def solve_chernoff(
    p0: Distribution, p1: Distribution, epsilon: Epsilon, outputs: int | None
) -> TestingSolution:
    """The channel with the largest Chernoff information.

    Returns:
        A solution whose ``supporting`` certificates prove the value by ``chernoff_enclosure``, and
        whose ``certificate`` is the one of them at the best order a. The gap is stated as in
        ``solve_family``.

    Raises:
        UnprovedError: if no proof was found.
    """
    return _as_testing(solve_family(p0, p1, epsilon, CHERNOFF, outputs))


def _as_testing(found: FamilySolution) -> TestingSolution:
    """The solution in the form of an f-divergence, with baselines."""
    proof, problem = found.best, found.best.problem
    alphabet = order_alphabet(problem.p0, problem.p1)
    partitions = {
        "binary": alphabet.blocks(binary_cuts(alphabet)),
        "randomized_response": tuple((x,) for x in range(len(problem.p0))),
    }
    baselines: Mapping[str, Interval | Infinity] = {
        name: enclose_chernoff_information(
            *through_randomized_response(problem.p0, problem.p1, blocks, proof.exp_epsilon)
        )
        for name, blocks in partitions.items()
    } | {"non_private": enclose_chernoff_information(problem.p0, problem.p1)}
    return replace(
        proof,
        problem=replace(problem, divergence=renamed(problem.divergence, "chernoff")),
        value_lower=found.value_lower,
        value_upper=found.value_upper,
        is_unique=None,
        baselines=baselines,
        verdict=accepted(
            f"the kernel accepts {len(found.certificates)} certificates of power divergences, "
            "which together prove that the best chernoff lies between lower and upper"
        ),
        supporting=found.certificates,
    )
