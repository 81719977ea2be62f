"""The contraction coefficient of chi2, which is that of KL and of every operator convex divergence.

It is reached by two inputs: the largest over pairs of rows P, Q and weights b of
g(b) = b (1-b) sum (P - Q)^2/(b P + (1-b) Q) = 1 - sum P Q/(b P + (1-b) Q).
Each term PQ/(bP + (1-b)Q) is convex in b, so g is concave: a bisection on the sign of
g'(b) = sum P Q (P - Q)/(b P + (1-b) Q)^2 keeps the maximum between two points, where g is at least
its values and at most its tangents.

Reference: Choi, Ruskai, Seneta 1994 (equal for operator convex f); Ordentlich, Polyanskiy 2020
(reached by two inputs).
"""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

import numpy as np

from verify.kernel.channel import Channel
from verify.kernel.interval import Interval

__all__ = ["Chi2Contraction", "chi2_contraction"]


@dataclass(frozen=True, slots=True)
class Chi2Contraction:
    """The contraction coefficient of chi2 and KL with the pair of inputs that reaches it.

    Args:
        coefficient: *encloses* the coefficient; exact where the optimum is at a checked weight.
        first: x.
        second: x'.
        weight: a near-optimal weight b of the first input.
    """

    coefficient: Interval
    first: int
    second: int
    weight: Fraction


def chi2_contraction(channel: Channel, bits: int = 96) -> Chi2Contraction:
    """The largest ratio D(PK||QK)/D(P||Q) for D = chi2, KL and every operator convex divergence.

    Args:
        channel: K, any number of inputs.
        bits: the enclosure is narrower than about 2**-bits.

    Returns:
        An *enclosure*. Total variation of a pair bounds its value above, so most pairs of a channel
        with one clear optimum are skipped.

    Reference: the module's.

    >>> found = chi2_contraction(Channel((("3/4", "1/4"), ("1/4", "3/4")))).coefficient
    >>> found.lower <= Fraction(1, 4) <= found.upper
    True
    """
    best = Chi2Contraction(Interval.exactly(0), 0, 0, Fraction(1, 2))
    scaled = [_integer_row(row) for row in channel.rows]
    upper, seen = Fraction(0), set()
    for distance, x, other in _pairs_by_distance(channel):
        if distance <= best.coefficient.lower:
            break
        law = _law_of_pair(scaled[x], scaled[other])
        if law in seen:
            continue
        seen.add(law)
        enclosure, weight = _two_inputs(channel.rows[x], channel.rows[other], bits)
        upper = max(upper, enclosure.upper)
        if enclosure.lower > best.coefficient.lower:
            best = Chi2Contraction(enclosure, x, other, weight)
    return Chi2Contraction(
        Interval(best.coefficient.lower, max(upper, best.coefficient.upper)),
        best.first,
        best.second,
        best.weight,
    )


def _pairs_by_distance(channel: Channel) -> Iterator[tuple[Fraction, int, int]]:
    """An upper bound on the total variation of each pair of rows, the largest first."""
    rows = np.array([[float(entry) for entry in row] for row in channel.rows])
    distance = np.array([np.abs(row - rows).sum(axis=1) for row in rows]) / 2
    distance += 2.0**-52 * (rows.shape[1] + 4)  # above all rounding of entries, terms and sums
    first, second = np.triu_indices(len(rows), 1)
    for i in np.argsort(-distance[first, second], kind="stable").tolist():
        x, other = int(first[i]), int(second[i])
        if channel.rows[x] != channel.rows[other]:
            yield Fraction(float(distance[x, other])), x, other


def _integer_row(row: tuple[Fraction, ...]) -> tuple[int, list[int]]:
    common = lcm(*(entry.denominator for entry in row))
    return common, [entry.numerator * (common // entry.denominator) for entry in row]


def _law_of_pair(p: tuple[int, list[int]], q: tuple[int, list[int]]) -> tuple[object, ...]:
    """What two pairs of rows share when they are equal up to the order of inputs and outputs."""
    ways = ((a[0], b[0], *sorted(zip(a[1], b[1], strict=True))) for a, b in ((p, q), (q, p)))
    return min(ways)


_Law = tuple[tuple[Fraction, Fraction], ...]


def _two_inputs(
    first: tuple[Fraction, ...], second: tuple[Fraction, ...], bits: int
) -> tuple[Interval, Fraction]:
    """Encloses the maximum of g on [0, 1], with a weight near the place where it is reached."""
    common = tuple((p, q) for p, q in zip(first, second, strict=True) if p and q)
    if all(p == q for p, q in common):
        # Only disjoint parts differ: g is constant.
        return Interval.exactly(1 - sum((p for p, _ in common), Fraction(0))), Fraction(1, 2)
    scale = 2 * bits + 16
    low, high = Fraction(0), Fraction(1)
    ends = [(b, _value(common, b, scale), _slope(common, b, scale)) for b in (low, high)]
    for _ in range(bits // 2 + 8):
        middle = (low + high) / 2
        slope = _slope(common, middle, scale)
        ends.append((middle, _value(common, middle, scale), slope))
        if slope.lower <= 0 <= slope.upper:
            break  # flat to within the rounding: this tangent bounds g on all of [0, 1]
        low, high = (low, middle) if slope.upper < 0 else (middle, high)
    lower, weight = max((value.lower, b) for b, value, _ in ends)
    upper = min(
        value.upper + max(slope.upper * (high - b), slope.lower * (low - b), Fraction(0))
        for b, value, slope in ends
    )
    return Interval(lower, max(lower, upper)), weight


def _value(common: _Law, b: Fraction, scale: int) -> Interval:
    """Encloses g(b), rounding each term to the grid of 2**-scale; exact terms stay on it."""
    return Interval.exactly(1) + _rounded_sum(
        (p * q / (b * p + (1 - b) * q) for p, q in common), scale
    ).scaled(-1)


def _slope(common: _Law, b: Fraction, scale: int) -> Interval:
    return _rounded_sum((p * q * (p - q) / (b * p + (1 - b) * q) ** 2 for p, q in common), scale)


def _rounded_sum(terms: Iterable[Fraction], scale: int) -> Interval:
    below = above = 0
    for term in terms:
        scaled = (term.numerator << scale) // term.denominator
        below += scaled
        above += scaled + (scaled * term.denominator != term.numerator << scale)
    return Interval(Fraction(below, 1 << scale), Fraction(above, 1 << scale))
