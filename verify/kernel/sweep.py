"""The sets of symbols that a proof of optimality must check, all 2^k subsets covered by O(k) sets.

Letters as in ``verify.kernel.optimality``: with c = E - 1, L + c l(S) + t >= mu(S) is to hold for
every set S of symbols x with masses p_x = (P0(x), P1(x)) and multipliers l_x.

mu(S) = g.(1, 1) + c sum over S of g.p_x for the right subgradient
g of h at the ratio t* of S, which lies in [1/E, E]. So mu(S) - L - c l(S) is at most the same with
S replaced by A(t*) = {x : g_t*.p_x > l_x}, which is at most mu(A) - L - c l(A). Only the sets A(t),
1/E <= t <= E, need a check, each with or without symbols where the two sides are equal. As a
function of t, g_t.p_x rises up to the ratio P0(x)/P1(x) and falls after it. So between two
neighbouring separators x is taken in if g_t.p_x >= l_x at both ends, and out if g_t.p_x <= l_x at
an end and the function falls from there; otherwise x is ambiguous and both choices are checked.
Every A(t) is thus among the sets checked, whatever the separators are: bad ones can only make a
true claim fail. A corner of f is a separator with both its subgradients.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from fractions import Fraction
from itertools import accumulate, pairwise

from verify.kernel.distribution import common_denominator
from verify.kernel.divergence import Divergence, Gradient
from verify.kernel.errors import require_limit

__all__ = [
    "MAX_AMBIGUOUS",
    "MAX_WORK",
    "NOTHING",
    "Triple",
    "add_triples",
    "candidate_sets",
    "spread_symbols",
]

MAX_AMBIGUOUS = 12
"""Most symbols of undecided membership between two separators."""
MAX_WORK = 1 << 25
"""Most bits that one check evaluates: sets, symbols or separators times the length of a number."""

Triple = tuple[Fraction, Fraction, Fraction]
"""P0, P1 and the multiplier of a symbol or of a set."""
Points = list[tuple[Fraction, Gradient]]
"""Ratios in rising order, each with a subgradient."""
NOTHING: Triple = (Fraction(0), Fraction(0), Fraction(0))


def add_triples(first: Triple, second: Triple) -> Triple:
    """The sums of the three entries."""
    return (first[0] + second[0], first[1] + second[1], first[2] + second[2])


def spread_symbols(
    pairs: Sequence[tuple[Fraction, Fraction]],
    shares: Sequence[Fraction],
    knots: Sequence[Fraction],
    multipliers: Sequence[Fraction],
) -> list[Triple]:
    """The knots with the masses of all symbols split between the two next to them."""
    zero = Fraction(0)
    between = [NOTHING] * len(knots)
    for share, (a, b) in zip(shares, pairs, strict=True):
        i = bisect_left(knots, share, 1)  # knots[i - 1] < share <= knots[i], or share = 0, i = 1
        between[i] = add_triples(between[i], (a, b, zero))
    symbols = [(zero, zero, lam) for lam in multipliers]
    for i, (low, high) in enumerate(pairwise(knots)):
        a, b, _ = between[i + 1]
        upper = (a - low * (a + b)) / (high - low)
        lower = a + b - upper
        symbols[i] = add_triples(symbols[i], (low * lower, (1 - low) * lower, zero))
        symbols[i + 1] = add_triples(symbols[i + 1], (high * upper, (1 - high) * upper, zero))
    return symbols


def _points(
    divergence: Divergence, exp_epsilon: Fraction, separators: Sequence[Fraction], bits: int
) -> Points:
    """The separators and corners from 1/E to E with their subgradients.

    A corner has two entries in a row, the left subgradient and the right one, and the right one
    twice when it is the last.
    """
    first, last, kinks = 1 / exp_epsilon, exp_epsilon, set(divergence.kinks)
    inside = {t for t in {*separators, *kinks} if first < t < last}
    points: Points = []
    for t in (first, *sorted(inside), last):
        if t in kinks and t > first and divergence.left_gradient:
            points.append((t, divergence.left_gradient(t, bits)))
        points.append((t, divergence.gradient(t, bits)))
    if last in kinks:
        points.append(points[-1])
    return points


def _still_cells(points: Points) -> set[int]:
    """Cells i such that A(t) is the same set from point i up to point i + 1, the latter left out.

    Nothing lies between the two sides of a corner: the A(t) of the right one is that of the cell
    after it, so the last cell is no such cell. Where f is linear, g_t stays the same; both
    its entries are monotone in t, so equal ends show that.
    """
    last = len(points) - 2
    return {
        i
        for i, ((t, before), (u, after)) in enumerate(pairwise(points))
        if (t == u and i < last) or (before == after and all(g.is_exact for g in before))
    }


def _first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """An index i with i = high or holds(i) seen true, and i = low or holds(i - 1) seen false."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return high


def _cells(symbol: Triple, points: Points) -> tuple[int, int, int, int]:
    """Cells (p, q, r, s): the symbol may be active for p <= i < s and surely is for q <= i < r.

    Cell i lies between the points i and i + 1; active means g_t.p_x > l_x. Up to point ``peak`` the
    left side rises with t, from there on it falls, so the two answers that ``_first`` has seen at a
    border hold for all points beyond it; nothing is assumed of points it did not look at.
    """
    a, b, lam = symbol
    n = len(points)

    def not_negative(i: int) -> bool:
        g0, g1 = points[i][1]
        return g0.lower * a + g1.lower * b >= lam

    def not_positive(i: int) -> bool:
        g0, g1 = points[i][1]
        return g0.upper * a + g1.upper * b <= lam

    peak = _first(0, n, lambda i: points[i][0] * b > a)
    start = _first(0, peak, lambda i: not not_positive(i))  # <= 0 up to point start - 1
    active = _first(start, peak, not_negative)  # >= 0 from point active to peak - 1
    end = _first(peak, n, not_positive)  # <= 0 from point end on
    passive = _first(peak, end, lambda i: not not_negative(i))  # >= 0 from peak to passive - 1
    first, last = max(start - 1, 0), min(end, n - 1)
    sure = min(active, last)
    return first, sure, max(passive - 1, sure), last


def candidate_sets(
    divergence: Divergence,
    exp_epsilon: Fraction,
    symbols: Sequence[Triple],
    separators: Sequence[Fraction],
    bits: int,
) -> set[Triple] | None:
    """(P0(S), P1(S), l(S)) for a family of sets S that holds every A(t), 1/E <= t <= E.

    Args:
        divergence: D_f.
        exp_epsilon: E.
        symbols: from ``dual_symbols``; those with no mass count for nothing.
        separators: hints.
        bits: the precision.

    Returns:
        None if the separators leave more than ``MAX_AMBIGUOUS`` symbols undecided between two, or
        sets to check over ``MAX_WORK``.

    Raises:
        LimitError: if the symbols and separators are over ``MAX_WORK``.
    """
    numbers = (exp_epsilon, *(number for symbol in symbols for number in symbol))
    length = bits + common_denominator(numbers, "p0, p1, multipliers").bit_length()
    most = MAX_WORK // length
    require_limit(len(symbols) + len(separators), most, f"separators: numbers of {length} bits")
    points = _points(divergence, exp_epsilon, separators, bits)
    n_cells, n_ambiguous, still = len(points) - 1, 0, _still_cells(points)
    steps = [NOTHING] * (n_cells + 1)
    ambiguous: list[list[Triple]] = [[] for _ in range(n_cells)]
    for symbol in (symbol for symbol in symbols if symbol[0] + symbol[1]):
        first, sure, unsure, last = _cells(symbol, points)
        unclear = [i for i in (*range(first, sure), *range(unsure, last)) if i not in still]
        n_ambiguous += len(unclear)
        if n_ambiguous > MAX_AMBIGUOUS * n_cells:
            return None
        for i in unclear:
            ambiguous[i].append(symbol)
        steps[sure] = add_triples(steps[sure], symbol)
        steps[unsure] = add_triples(steps[unsure], (-symbol[0], -symbol[1], -symbol[2]))
    if max(map(len, ambiguous)) > MAX_AMBIGUOUS or sum(1 << len(a) for a in ambiguous) > most:
        return None
    family: set[Triple] = set()
    for certain, extras in zip(accumulate(steps, add_triples), ambiguous, strict=False):
        sums = [certain]
        for extra in extras:
            sums += [add_triples(partial, extra) for partial in sums]
        family.update(sums)
    return family
