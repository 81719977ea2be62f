"""Separators for a dual witness: ratios between the places where a symbol enters or leaves A(t).

A(t) = {x : g_t.p_x > l_x} is defined in ``verify.kernel.optimality``. Divided by w_x = P0(x)+P1(x),
with s_x = P0(x)/w_x and m_x = l_x/w_x, a symbol is active where g_t.(s, 1-s) > m; the left side
rises up to t = s/(1-s) and falls from there on. The separators are hints: the kernel believes none.

They stand in certificates, so they must not depend on how a machine rounds its floats: each
transition is located on a fixed grid, the numbers with 48 binary digits (more where all ratios of
blocks are close to 1), by signs that the kernel's arithmetic decides. Floats only say where to look
first. A separator is the number with the fewest
digits in the middle between two neighbouring transitions.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise
from math import frexp, lcm

import numpy as np

from solvers.testing.objective import Floats
from solvers.testing.scaled_problem import ScaledProblem
from verify.kernel.divergence import Divergence
from verify.kernel.sweep import Triple

__all__ = [
    "Directions",
    "active_sets",
    "exact_transitions",
    "find_separators",
    "transition_logs",
]

_BISECTIONS = 60
_DIGITS = 48
_BLURRED_DIGITS = 16
_SHARPENINGS = 3
_LARGEST_LOSS = 1e100
_HUGE = Fraction(10) ** 300
Guesses = Sequence[Fraction | None]


@dataclass(frozen=True, slots=True)
class Directions:
    """The symbols over their masses P0 + P1, each number rounded from its exact value.

    Args:
        difference: (P0 - P1)/(P0 + P1), in the units of the problem, shape (k,).
        first: P0/(P0 + P1).
        second: P1/(P0 + P1).
    """

    difference: Floats
    first: Floats
    second: Floats


def transition_logs(
    problem: ScaledProblem, symbols: Directions, m: Floats
) -> tuple[Floats, Floats]:
    """The log t in [-log E, log E] where each symbol enters and leaves A(t), in float64.

    Both are the logarithm at which it comes closest if it never enters; not a number where it is in
    from the beginning, or to the end.

    Args:
        problem: in whose units all numbers are.
        symbols: k of them.
        m: multipliers over P0 + P1, for the normalised h of the objective.
    """
    reach = problem.log_range
    peak = np.clip(problem.logs(symbols.difference, symbols.first, symbols.second), -reach, reach)

    def excess(u: Floats) -> Floats:
        d, x, y = symbols.difference, symbols.first, symbols.second
        return problem.objective.tangent_value(u, d, x, y) - m

    is_active = excess(peak) > 0
    found = []
    steps = _BISECTIONS + frexp(max(1.0, reach / problem.resolution))[1]
    for end in (-reach, reach):
        outside, inside = np.full_like(peak, end), peak.copy()
        crosses = excess(outside) <= 0
        for _ in range(steps):
            middle = (outside + inside) / 2
            positive = excess(middle) > 0
            inside = np.where(positive, middle, inside)
            outside = np.where(positive, outside, middle)
        crossing = np.where(crosses, (outside + inside) / 2, np.nan)
        found.append(np.where(is_active, crossing, peak))
    return found[0], found[1]


def find_separators(
    divergence: Divergence,
    exp_epsilon: Fraction,
    symbols: Iterable[Triple],
    guesses: tuple[Guesses, Guesses],
    *,
    bits: int,
    closeness: int = 0,
) -> tuple[Fraction, ...]:
    """Rationals between the transitions that the grid tells apart, strictly rising.

    Args:
        divergence: the kernel's.
        exp_epsilon: E.
        symbols: (P0, P1, l) of each symbol, with P0 + P1 > 0.
        guesses: about where each symbol enters and leaves, or None where there is no telling; the
            result does not depend on them, its cost does.
        bits: the precision of the signs.
        closeness: how many binary digits the grid is finer.
    """
    grid, cells = _Grid(_DIGITS + closeness), set[int]()
    for symbol, enters, leaves in zip(symbols, *guesses, strict=True):
        cells.update(_cells(grid, divergence, exp_epsilon, symbol, (enters, leaves), bits))
    ordered = sorted(cells)
    return tuple(grid.point(_shortest(low + 1, high)) for low, high in pairwise(ordered))


def _cells(
    grid: "_Grid",
    divergence: Divergence,
    exp_epsilon: Fraction,
    symbol: Triple,
    guesses: tuple[Fraction | None, Fraction | None],
    bits: int,
) -> Iterator[int]:
    """The places on the grid just below the transitions of a symbol, or below its peak."""
    is_active = _activity(divergence, symbol, bits)
    peak = _peak(symbol, exp_epsilon)
    first, top, last = map(grid.place, (1 / exp_epsilon, peak, exp_epsilon))
    if not is_active(peak):
        yield top
        return
    excess = _excess(divergence, symbol, bits)
    enters, leaves = (
        None if guess is None else _sharpened(excess, grid, (top, grid.place(guess)), side)
        for guess, side in zip(guesses, (-1, 1), strict=True)
    )
    if not is_active(1 / exp_epsilon):
        yield _last(lambda i: not is_active(grid.point(i)), first, top + 1, enters)
    if not is_active(exp_epsilon):
        yield _last(lambda i: is_active(grid.point(i)), top, last + 1, leaves)


def _excess(divergence: Divergence, symbol: Triple, bits: int) -> Callable[[Fraction], Fraction]:
    a, b, lam = symbol

    def excess(t: Fraction) -> Fraction:
        g0, g1 = (g.lower for g in divergence.gradient(t, bits))
        left: Fraction = g0 * a + g1 * b - lam
        return left

    return excess


def _sharpened(
    excess: Callable[[Fraction], Fraction], grid: "_Grid", places: tuple[int, int], side: int
) -> int:
    """A better guess where the excess g_t.p_x - l_x is lost in the noise of floats.

    That is close to the peak, where the excess falls off as the square of the distance.

    Args:
        excess: of a symbol.
        grid: where the peak and the guess have ``places``.
        side: 1 above the peak, -1 below it.
    """
    peak, guess = places
    width = max(abs(guess - peak), grid.blurred)
    if width > grid.blurred:
        return guess
    height = excess(grid.point(peak))
    if height <= 0:
        return guess
    for _ in range(_SHARPENINGS):
        lost = 1 - _quotient(excess(grid.point(peak + side * width)), height)
        if not 0 < lost < _LARGEST_LOSS:
            return guess
        width = min(round(width * Fraction(lost**-0.5)), grid.blurred)  # beyond floats
    return peak + side * width


def _quotient(a: Fraction, b: Fraction) -> float:
    """a/b for b > 0, at most 1e300 in size."""
    shift = b.denominator.bit_length() - b.numerator.bit_length()
    scale = Fraction(2) ** shift
    return float(max(min(a * scale, _HUGE), -_HUGE)) / float(b * scale)


def _activity(divergence: Divergence, symbol: Triple, bits: int) -> Callable[[Fraction], bool]:
    common = lcm(*(number.denominator for number in symbol))
    a, b, lam = (int(number * common) for number in symbol)

    def is_active(t: Fraction) -> bool:
        g0, g1 = (g.lower for g in divergence.gradient(t, bits))
        d0, d1 = g0.denominator, g1.denominator
        inside: bool = g0.numerator * a * d1 + g1.numerator * b * d0 > lam * d0 * d1
        return inside

    return is_active


def _peak(symbol: Triple, exp_epsilon: Fraction) -> Fraction:
    """The ratio in [1/E, E] that is closest to P0/P1."""
    a, b, _ = symbol
    return min(max(a / b, 1 / exp_epsilon), exp_epsilon) if b else exp_epsilon


def _last(holds: Callable[[int], bool], low: int, high: int, guess: int | None) -> int:
    """The last i in low..high-1 with holds(i), where it holds at low and does not at high.

    It is looked for around the guess, in strides that double.
    """
    start, stride = low if guess is None else guess, 1
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


class _Grid:
    """The positive numbers with a given count of binary digits after the first, in order."""

    def __init__(self, digits: int) -> None:
        self._digits, self._ones = digits, 1 << digits
        self.blurred = 1 << digits - _BLURRED_DIGITS

    def place(self, t: Fraction) -> int:
        """The place of the largest grid point that is at most t > 0."""
        power = t.numerator.bit_length() - t.denominator.bit_length()
        power -= t < Fraction(2) ** power
        return power * self._ones + int((t / Fraction(2) ** power - 1) * self._ones)

    def point(self, place: int) -> Fraction:
        """The grid point at that place: 1 is at 0, and 2^n at n 2^digits."""
        power, rest = divmod(place, self._ones)
        return Fraction(self._ones + rest, self._ones) * Fraction(2) ** power


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
    problem: ScaledProblem, transitions: tuple[Floats, Floats], symbols: Directions, m: Floats
) -> Floats:
    """The sets A(t) at 1/E, between the transitions and at E, as rows of 0 and 1 over k symbols."""
    logs = np.unique(np.concatenate(transitions))
    logs, ends = logs[np.isfinite(logs)], problem.log_range
    u = np.concatenate([[-ends], (logs[1:] + logs[:-1]) / 2, [ends]])[:, None]
    d, x, y = symbols.difference, symbols.first, symbols.second
    active = problem.objective.tangent_value(u, d, x, y) > m
    sets: Floats = np.unique(active, axis=0).astype(np.float64)
    return sets
