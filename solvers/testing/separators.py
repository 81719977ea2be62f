"""Separators for a dual witness: ratios between the places where a symbol enters or leaves A(t).

A(t) = {x : g_t.p_x > l_x} is defined in ``verify.kernel.optimality``. Divided by w_x = P0(x)+P1(x),
with s_x = P0(x)/w_x and m_x = l_x/w_x, a symbol is active where g_t.(s, 1-s) > m; the left side
rises up to t = s/(1-s) and falls from there on. The separators are hints: the kernel believes none.

They stand in certificates, so they must not depend on how a machine rounds its floats: each
transition is located on a fixed grid, the numbers with 48 binary digits, by signs that the kernel's
arithmetic decides. Floats only say where to look first. A separator is the number with the fewest
digits in the middle between two neighbouring transitions.
"""

from collections.abc import Callable, Iterable, Iterator
from fractions import Fraction
from itertools import pairwise
from math import isfinite

import numpy as np

from solvers.testing.objective import Floats, Objective
from solvers.testing.portable_functions import exp, log
from verify.kernel.divergence import Divergence
from verify.kernel.sweep import Triple

__all__ = [
    "active_sets",
    "exact_transitions",
    "find_separators",
    "transition_ratios",
    "transitions_by_symbol",
]

_BISECTIONS = 60
_DIGITS = 48


def transitions_by_symbol(
    objective: Objective, exp_epsilon: float, shares: tuple[Floats, Floats], m: Floats
) -> tuple[Floats, Floats]:
    """The ratios t in [1/E, E] where each symbol enters and leaves A(t), in float64.

    Both are the ratio at which it comes closest if it never enters; not a number where it is in
    from the beginning, or to the end.

    Args:
        shares: P0/(P0 + P1) and P1/(P0 + P1) of k symbols, each rounded from its exact value.
        m: multipliers over P0 + P1, for the normalised h of the objective.
    """
    low, high = -log(exp_epsilon), log(exp_epsilon)
    s0, s1 = shares
    with np.errstate(divide="ignore"):
        peak = np.clip(log(s0) - log(s1), low, high)

    def excess(log_t: Floats) -> Floats:
        g0, g1 = objective.gradient(exp(log_t))
        value: Floats = g0 * s0 + g1 * s1 - m
        return value

    is_active = excess(peak) > 0
    found = []
    for end in (low, high):
        outside, inside = np.full_like(peak, end), peak.copy()
        crosses = excess(outside) <= 0
        for _ in range(_BISECTIONS):
            middle = (outside + inside) / 2
            positive = excess(middle) > 0
            inside = np.where(positive, middle, inside)
            outside = np.where(positive, outside, middle)
        crossing = np.where(crosses, (outside + inside) / 2, np.nan)
        found.append(exp(np.where(is_active, crossing, peak)))
    return found[0], found[1]


def transition_ratios(transitions: tuple[Floats, Floats]) -> Floats:
    """The numbers among those of ``transitions_by_symbol``, each once, in rising order."""
    ratios: Floats = np.unique(np.concatenate(transitions))
    return ratios[np.isfinite(ratios)]


def find_separators(
    divergence: Divergence,
    exp_epsilon: Fraction,
    symbols: Iterable[Triple],
    guesses: tuple[Floats, Floats],
    *,
    bits: int,
) -> tuple[Fraction, ...]:
    """Rationals between the transitions that the grid tells apart, strictly rising.

    Args:
        divergence: the kernel's.
        exp_epsilon: E.
        symbols: (P0, P1, l) of each symbol, with P0 + P1 > 0.
        guesses: from ``transitions_by_symbol``; the result does not depend on them, its cost does.
        bits: the precision of the signs.
    """
    cells: set[int] = set()
    for symbol, enters, leaves in zip(symbols, *(g.tolist() for g in guesses), strict=True):
        cells.update(_cells(divergence, exp_epsilon, symbol, (enters, leaves), bits))
    ordered = sorted(cells)
    return tuple(_point(_shortest(low + 1, high)) for low, high in pairwise(ordered))


def _cells(
    divergence: Divergence,
    exp_epsilon: Fraction,
    symbol: Triple,
    guesses: tuple[float, float],
    bits: int,
) -> Iterator[int]:
    """The places on the grid just below the transitions of a symbol, or below its peak."""
    is_active = _activity(divergence, symbol, bits)
    peak = _peak(symbol, exp_epsilon)
    top, first, last = _place(peak), _place(1 / exp_epsilon), _place(exp_epsilon) + 1
    if not is_active(peak):
        yield top
        return
    if not is_active(1 / exp_epsilon):
        yield _last(lambda i: not is_active(_point(i)), first, top + 1, guesses[0])
    if not is_active(exp_epsilon):
        yield _last(lambda i: is_active(_point(i)), top, last, guesses[1])


def _activity(divergence: Divergence, symbol: Triple, bits: int) -> Callable[[Fraction], bool]:
    a, b, lam = symbol

    def is_active(t: Fraction) -> bool:
        g0, g1 = divergence.gradient(t, bits)
        inside: bool = g0.lower * a + g1.lower * b > lam
        return inside

    return is_active


def _peak(symbol: Triple, exp_epsilon: Fraction) -> Fraction:
    """The ratio in [1/E, E] that is closest to P0/P1."""
    a, b, _ = symbol
    return min(max(a / b, 1 / exp_epsilon), exp_epsilon) if b else exp_epsilon


def _last(holds: Callable[[int], bool], low: int, high: int, guess: float) -> int:
    """The last i in low..high-1 with holds(i), where it holds at low and does not at high.

    It is looked for around the guess, in strides that double.
    """
    start, stride = _place(Fraction(guess)) if isfinite(guess) and guess > 0 else low, 1
    while low < start < high:
        if holds(start):
            low, start = start, start + stride
        else:
            high, start = start, start - stride
        stride *= 2
    while high - low > 1:
        middle = (low + high) // 2
        low, high = (middle, high) if holds(middle) else (low, middle)
    return low


def _place(t: Fraction) -> int:
    """The place of the largest grid point that is at most t > 0."""
    power = t.numerator.bit_length() - t.denominator.bit_length()
    power -= t < Fraction(2) ** power
    return (power << _DIGITS) + int((t / Fraction(2) ** power - 1) * (1 << _DIGITS))


def _point(place: int) -> Fraction:
    """The grid point at that place: 1 is at 0, and 2^n at n 2^48."""
    power, rest = place >> _DIGITS, place & (1 << _DIGITS) - 1
    return Fraction((1 << _DIGITS) + rest, 1 << _DIGITS) * Fraction(2) ** power


def _shortest(low: int, high: int) -> int:
    """The place in the middle half of low..high whose point has the fewest digits."""
    quarter = (high - low) // 4
    low, high = low + quarter, high - quarter
    shift = (low - 1 ^ high).bit_length() - 1
    return high >> shift << shift


def exact_transitions(
    divergence: Divergence, exp_epsilon: Fraction, symbols: Iterable[Triple], *, bits: int
) -> list[Fraction]:
    """The same ratios for the kernel's h to ``bits`` bits, for multipliers that the grid blurs.

    Args:
        symbols: (P0, P1, l) of each symbol.

    Returns:
        The ratios in rising order, without repetitions.
    """
    found: set[Fraction] = set()
    for symbol in symbols:
        is_active, peak = _activity(divergence, symbol, 2 * bits), _peak(symbol, exp_epsilon)
        if not is_active(peak):
            found.add(peak)
            continue
        for end in (1 / exp_epsilon, exp_epsilon):
            if not is_active(end):
                found.add(_bisected(end, peak, is_active, bits))
    return sorted(found)


def _bisected(
    outside: Fraction, inside: Fraction, is_active: Callable[[Fraction], bool], bits: int
) -> Fraction:
    for _ in range(bits):
        middle = (outside + inside) / 2
        if is_active(middle):
            inside = middle
        else:
            outside = middle
    return (outside + inside) / 2


def active_sets(
    objective: Objective, transitions: Floats, shares: tuple[Floats, Floats], m: Floats
) -> Floats:
    """The sets A(t) at ratios between the transitions, as rows of 0 and 1 over the k symbols."""
    t = np.concatenate([transitions[:1], np.sqrt(transitions[1:] * transitions[:-1])])
    g0, g1 = objective.gradient(t)
    active = g0[:, None] * shares[0] + g1[:, None] * shares[1] > m
    sets: Floats = np.unique(active, axis=0).astype(np.float64)
    return sets
