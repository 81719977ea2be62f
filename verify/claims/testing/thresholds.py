"""The levels at which binary and k-ary randomized response are optimal, located exactly.

The value of a partition is a rational function of E. Two partitions change places at the roots of
a polynomial, which are isolated exactly: they are algebraic numbers.
"""

from fractions import Fraction
from functools import cache
from typing import Any

from flint import fmpq, fmpq_poly

from verify.claims.claim import Claim, Exhaustive
from verify.claims.families import likelihood_pairs
from verify.claims.testing.definitions import (
    best_partition_value,
    both_ways,
    contiguous_partitions,
    partition_value,
    sorted_pair,
)
from verify.claims.testing.real_roots import largest_root_above, sign_near, smallest_root_above

__all__ = ["CLAIMS", "exact_thresholds"]

_GHAZI = "Kairouz, Oh, Viswanath 2016 (Theorems 6, 7); Ghazi 2026"
_C = fmpq_poly([0, 1])
"""The variable c = E - 1."""


def _q(x: Fraction) -> fmpq:
    return fmpq(x.numerator, x.denominator)


def _merged(pair: Any) -> tuple[list[Fraction], list[Fraction]]:
    """The laws in likelihood-ratio order with equal ratios merged."""
    p, q = sorted_pair(pair)
    laws: tuple[list[Fraction], list[Fraction]] = ([], [])
    for a, b in zip(p, q, strict=True):
        if laws[0] and a * laws[1][-1] == b * laws[0][-1]:
            laws[0][-1] += a
            laws[1][-1] += b
        else:
            laws[0].append(a)
            laws[1].append(b)
    return laws


def _value(p: Any, q: Any, cells: Any, *, lecam: bool) -> tuple[fmpq_poly, fmpq_poly]:
    """The value of a partition as a quotient of polynomials in c, the denominator positive."""
    top, bottom = fmpq_poly([0]), fmpq_poly([1])
    for a, b in cells:
        u, w = sum(p[a:b], Fraction(0)), sum(q[a:b], Fraction(0))
        numerator = (_C * _q(u - w)) * (_C * _q(u - w))
        denominator = fmpq_poly([2, _q(u + w)]) if lecam else fmpq_poly([1, _q(w)])
        top, bottom = top * denominator + numerator * bottom, bottom * denominator
    return top, bottom * fmpq_poly([len(cells), 1])


def _binary_cells(p: Any, q: Any, *, lecam: bool) -> list[tuple[int, int]]:
    """The cut between P0 < P1 and P0 > P1; a symbol with P0 = P1 goes where it serves better."""
    k = len(p)
    below = sum(a < b for a, b in zip(p, q, strict=True))
    upto = sum(a <= b for a, b in zip(p, q, strict=True))
    cuts = [cut for cut in {below, upto} if 0 < cut < k]
    if not cuts:
        return [(0, k)]
    choices = [[(0, cut), (cut, k)] for cut in cuts]
    first, last = choices[0], choices[-1]
    top, bottom = _value(p, q, first, lecam=lecam)
    other, below_line = _value(p, q, last, lecam=lecam)
    difference = top * below_line - other * bottom
    return first if not difference or sign_near(difference, at_zero=True) > 0 else last


def _differences(p: Any, q: Any, chosen: Any, *, lecam: bool) -> list[fmpq_poly]:
    """Polynomials in c that are >= 0 exactly where the chosen partition is at least as good."""
    top, bottom = _value(p, q, chosen, lecam=lecam)
    others = (_value(p, q, cells, lecam=lecam) for cells in contiguous_partitions(len(p)))
    return [top * b - t * bottom for t, b in others if top * b != t * bottom]


@cache
def exact_thresholds(pair: Any, lecam: bool) -> tuple[Fraction | None, Fraction | None]:
    """Rationals just below the end of the binary range and just above the start of the k-ary one.

    None where the range is all E > 1. Each is within 2^-40 of an algebraic number at which the
    optimal partition changes.

    Raises:
        ArithmeticError: if a range is empty.
    """
    p, q = _merged(pair)
    binary = _differences(p, q, _binary_cells(p, q, lecam=lecam), lecam=lecam)
    if any(sign_near(poly, at_zero=True) < 0 for poly in binary):
        raise ArithmeticError("binary response is not optimal near epsilon = 0")
    finest = [(i, i + 1) for i in range(len(p))]
    is_finite = lecam or all(q)
    response = _differences(p, q, finest, lecam=lecam) if is_finite else []
    if any(sign_near(poly, at_zero=False) < 0 for poly in response):
        raise ArithmeticError("k-ary response is not optimal for large epsilon")
    ends = [root for poly in binary if (root := smallest_root_above(poly)) is not None]
    starts = [root for poly in response if (root := largest_root_above(poly)) is not None]
    return min(ends, default=None), max(starts, default=None)


def _both_thresholds(pair: Any, *, binary_up_to: Fraction | None = None) -> str:
    p, q = _merged(pair)
    for name in ("chi2", "lecam"):
        try:
            end, start = exact_thresholds(pair, name == "lecam")
        except ArithmeticError as error:
            return f"{name}: {error}"
        low = binary_up_to or (Fraction(2) if end is None else end)
        cells = [range(a, b) for a, b in _binary_cells(p, q, lecam=name == "lecam")]
        for c in (low / 3, low):
            reached = partition_value(name, 1 + c, p, q, cells)
            if reached != best_partition_value(name, 1 + c, p, q):
                return f"{name}: binary response is not optimal at E = {1 + c}"
        if name == "chi2" and not all(q):
            continue
        high = Fraction(1) if start is None else start
        for c in (high, 3 * high):
            reached = partition_value(name, 1 + c, p, q, [[x] for x in range(len(p))])
            if reached != best_partition_value(name, 1 + c, p, q):
                return f"{name}: k-ary response is not optimal at E = {1 + c}"
    return ""


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "testing.thresholds",
        "binary response is optimal up to some E > 1, k-ary from some E on if D_f is finite",
        _GHAZI,
        "pairs on 3 and 4 symbols, chi2 and Le Cam; both levels located as algebraic numbers",
        "binary response is optimal up to E = 21",
        (
            Exhaustive(
                likelihood_pairs(3),
                both_ways(_both_thresholds),
                lambda pair: _both_thresholds(pair, binary_up_to=Fraction(20)),
                size=6,
                batch=16,
            ),
            Exhaustive(
                likelihood_pairs(4),
                both_ways(_both_thresholds),
                lambda pair: _both_thresholds(pair, binary_up_to=Fraction(20)),
                size=4,
                batch=8,
            ),
        ),
    ),
)
