"""The sets of symbols that a proof of optimality must check, all 2^k subsets covered by few sets.

Letters as in ``verify.kernel.optimality``: with c = E - 1, L + c l(S) + t >= mu(S) is to hold for
every set S of symbols x with masses p_x = (P0(x), P1(x)) and multipliers l_x.

mu(S) = g.(1, 1) + c sum over S of g.p_x for the right subgradient
g of h at the ratio t* of S, which lies in [1/E, E]. So mu(S) - L - c l(S) is at most the same with
S replaced by A(t*) = {x : g_t*.p_x > l_x}, which is at most mu(A) - L - c l(A). Only the sets A(t),
1/E <= t <= E, need a check, each with or without symbols where the two sides are equal. As a
function of t, g_t.p_x rises up to the ratio P0(x)/P1(x) and falls after it. So between two
neighbouring separators x is taken in if g_t.p_x >= l_x at both ends, and out if g_t.p_x <= l_x at
the first end and the function falls from there, or at the second and it has only risen up to there;
otherwise x is ambiguous and both choices are checked. Where f is linear between the two, g_t stays
the same; both its entries are monotone in t, so equal exact ends show that, and then A(t) is known.
Every A(t) is thus among the sets checked, whatever the separators are: bad ones can only make a
true claim fail. A corner of f is a separator with both its subgradients; nothing lies between the
two, and the A(t) of the right one is that of what comes after it.
"""

from bisect import bisect_left
from collections.abc import Sequence
from fractions import Fraction
from itertools import chain, groupby, pairwise
from operator import add
from typing import Any

from verify.kernel.distribution import over_common_denominator
from verify.kernel.divergence import Divergence, Gradient
from verify.kernel.errors import require_limit

__all__ = ["Triple", "add_triples", "candidate_sets", "spread_symbols"]

MAX_AMBIGUOUS = 12
"""Most symbols of undecided membership between two separators."""
MAX_WORK = 6 << 24
"""The most work of one kind: sets, symbols, separators or blocks times that of an evaluation."""
MAX_SIGNS = 3 << 32
"""The same for pairs of a symbol and a separator."""
SHORTEST = 4096
"""What an evaluation costs beside the length of its numbers, in bits."""

Rationals = Sequence[Fraction]
Triple = tuple[Any, ...]
"""P0, P1 and the multiplier of a symbol or of a set, as rationals or over one denominator."""
Points = list[tuple[Fraction, Gradient]]
"""Ratios in rising order, each with a subgradient."""
NOTHING: Triple = (0, 0, 0)


def add_triples(first: Triple, second: Triple) -> Triple:
    """The sums of the three entries."""
    return tuple(map(add, first, second))


def spread_symbols(
    pairs: Sequence[tuple[Fraction, Fraction]], shares: Rationals, knots: Rationals, ls: Rationals
) -> list[Triple]:
    """The knots with the masses of all symbols split between the two next to them."""
    between = [NOTHING] * len(knots)
    for share, (a, b) in zip(shares, pairs, strict=True):
        i = bisect_left(knots, share, 1)  # knots[i - 1] < share <= knots[i], or share = 0, i = 1
        between[i] = add_triples(between[i], (a, b, 0))
    symbols: list[Triple] = [(0, 0, lam) for lam in ls]
    for i, (low, high) in enumerate(pairwise(knots)):
        a, b, _ = between[i + 1]
        upper = (a - low * (a + b)) / (high - low)
        lower = a + b - upper
        symbols[i] = add_triples(symbols[i], (low * lower, (1 - low) * lower, 0))
        symbols[i + 1] = add_triples(symbols[i + 1], (high * upper, (1 - high) * upper, 0))
    return symbols


def _points(divergence: Divergence, E: Fraction, separators: Rationals, bits: int) -> Points:
    """The separators and corners from 1/E to E, rising, each with a subgradient.

    A corner has two entries in a row, the left subgradient and the right one, and the right one
    twice when it is the last.
    """
    first, kinks, points = 1 / E, divergence.kinks, []
    inside = sorted(t for t in (*separators, *kinks) if first < t < E)
    for t in (first, *(t for t, _ in groupby(inside)), E):
        if t in kinks and t > first and divergence.left_gradient:
            points.append((t, divergence.left_gradient(t, bits)))
        points.append((t, divergence.gradient(t, bits)))
    return points + points[-1:] if E in kinks else points


def _signs(gradient: Gradient, symbols: Sequence[Triple]) -> list[tuple[bool, bool]]:
    """For each symbol (in integers over any one denominator) whether surely g.p >= l, and <= l."""
    (g0, g1), widths = gradient, [g.upper - g.lower for g in gradient]
    (l0, l1, w0, w1), d = over_common_denominator((g0.lower, g1.lower, *widths), "g")
    return [
        ((x := l0 * a + l1 * b - lam * d) >= 0, x + w0 * a + w1 * b <= 0) for a, b, lam in symbols
    ]


def work_limits(divergence: Divergence, E: Fraction, common: int, bits: int) -> tuple[int, int]:
    """How long the numbers of one evaluation are, and how many ``MAX_WORK`` allows.

    Args:
        divergence: D_f; each term of a mixture is evaluated for itself.
        E: exp(epsilon).
        common: a denominator as long as those of the masses and of what goes with them.
        bits: the precision.
    """
    length = bits + (E.numerator * common).bit_length() + 4 * len(divergence.name) + SHORTEST
    work = (length + length**2 // 2**12 + bits**2 // 32) * len(divergence.name.split("+"))
    return length, MAX_WORK // work


def candidate_sets(
    divergence: Divergence, E: Fraction, symbols: list[Triple], separators: Rationals, bits: int
) -> list[Triple] | None:
    """(P0(S), P1(S), l(S)) for a family of sets S that holds every A(t), 1/E <= t <= E.

    Args:
        divergence: D_f.
        E: exp(epsilon).
        symbols: from ``dual_symbols``; those with no mass count for nothing.
        separators: hints.
        bits: the precision.

    Returns:
        None if the separators leave more than ``MAX_AMBIGUOUS`` symbols undecided between two, or
        sets to check over ``MAX_WORK``.

    Raises:
        LimitError: if the symbols and separators are over ``MAX_WORK`` or ``MAX_SIGNS``, or all
            separators over 2^17 characters.
    """
    flat, common = over_common_denominator([*chain(*symbols)], "p0, p1, multipliers")
    require_limit(sum(len(str(t)) for t in separators), 2**17, "separators: digits")
    length, most = work_limits(divergence, E, common, bits)
    require_limit(len(symbols) + len(separators), most, f"separators: numbers of {length} bits")
    require_limit(len(symbols) * len(separators) * length, MAX_SIGNS, "symbols times separators")
    massive = [s for s in zip(flat[::3], flat[1::3], flat[2::3], strict=True) if s[0] + s[1]]
    n_sets, family = 0, []
    points = _points(divergence, E, separators, bits)
    for (t, g, first), (u, h, second) in pairwise((t, g, _signs(g, massive)) for t, g in points):
        if t == u and g != h:
            continue  # the two sides of a corner
        n, d, m, e = t.numerator, t.denominator, u.numerator, u.denominator
        certain, extras = (0, 0, 0), []
        still = g == h and g[0].is_exact and g[1].is_exact
        for symbol, (above, below), later in zip(massive, first, second, strict=True):
            a, b, _ = symbol
            if above and (later[0] or still):
                certain = add_triples(certain, symbol)
            elif not (still or (below and n * b >= d * a) or (later[1] and m * b <= e * a)):
                extras.append(symbol)
        n_sets += 1 << len(extras)
        if len(extras) > MAX_AMBIGUOUS or n_sets > most:
            return None
        sums = [certain]
        for extra in extras:
            sums += [add_triples(partial, extra) for partial in sums]
        family += sums
    return [tuple(Fraction(n, common) for n in triple) for triple, _ in groupby(sorted(family))]
