"""Separators for a dual witness: ratios between the places where a symbol enters or leaves A(t).

A(t) = {x : g_t.p_x > l_x} is defined in ``verify.kernel.optimality``. Divided by w_x = P0(x)+P1(x),
with s_x = P0(x)/w_x and m_x = l_x/w_x, a symbol is active where g_t.(s, 1-s) > m; the left side
rises up to t = s/(1-s) and falls from there on. The separators are hints: the kernel believes none.
"""

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from fractions import Fraction

import numpy as np

from solvers.testing.objective import Floats
from solvers.testing.scaled_problem import ScaledProblem
from verify.kernel.divergence import Divergence
from verify.kernel.optimality import Triple

__all__ = [
    "Directions",
    "active_sets",
    "exact_transitions",
    "find_separators",
    "transition_logs",
]

_BISECTIONS = 60


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


def transition_logs(problem: ScaledProblem, symbols: Directions, m: Floats) -> Floats:
    """The log t in [-log E, log E] where a symbol enters or leaves A(t), or comes closest to it.

    Args:
        problem: in whose units all numbers are.
        symbols: k of them.
        m: multipliers over P0 + P1, for the normalised h of the objective.

    Returns:
        At most 2k logarithms in rising order, unmerged.
    """
    reach = problem.log_range
    peak = np.clip(problem.logs(symbols.difference, symbols.first, symbols.second), -reach, reach)

    def excess(u: Floats) -> Floats:
        d, x, y = symbols.difference, symbols.first, symbols.second
        return problem.objective.tangent_value(u, d, x, y) - m

    is_active = excess(peak) > 0
    found = [peak[~is_active]]
    steps = _BISECTIONS + int(np.log2(max(1.0, reach / problem.resolution)))
    for end in (-reach, reach):
        outside, inside = np.full_like(peak, end), peak.copy()
        crosses = is_active & (excess(outside) <= 0)
        for _ in range(steps):
            middle = (outside + inside) / 2
            positive = excess(middle) > 0
            inside = np.where(positive, middle, inside)
            outside = np.where(positive, outside, middle)
        found.append(((outside + inside) / 2)[crosses])
    logs: Floats = np.sort(np.concatenate(found))
    return logs


def find_separators(problem: ScaledProblem, transitions: Floats) -> tuple[Fraction, ...]:
    """Rationals between neighbouring transitions, strictly rising.

    Args:
        problem: in whose units the transitions are.
        transitions: logarithms of ratios in rising order.
    """
    middles = (transitions[1:] + transitions[:-1]) / 2
    apart = middles[(middles > transitions[:-1]) & (middles < transitions[1:])]
    return tuple(sorted({problem.ratio(float(u)) for u in apart}))


def exact_transitions(
    divergence: Divergence, exp_epsilon: Fraction, symbols: Iterable[Triple], *, bits: int
) -> list[Fraction]:
    """The same ratios for the kernel's h to ``bits`` bits, for multipliers that floats blur.

    Args:
        symbols: (P0, P1, l) of each symbol.

    Returns:
        The ratios in rising order, without repetitions.
    """
    found: set[Fraction] = set()
    for a, b, lam in symbols:
        peak = min(max(a / b, 1 / exp_epsilon), exp_epsilon) if b else exp_epsilon

        def is_active(t: Fraction, a: Fraction = a, b: Fraction = b, lam: Fraction = lam) -> bool:
            g0, g1 = divergence.gradient(t, 2 * bits)
            return g0.lower * a + g1.lower * b > lam

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
    problem: ScaledProblem, transitions: Floats, symbols: Directions, m: Floats
) -> Floats:
    """The sets A(t) at 1/E, between the transitions and at E, as rows of 0 and 1 over k symbols."""
    ends, middles = problem.log_range, (transitions[1:] + transitions[:-1]) / 2
    u = np.concatenate([[-ends], middles, [ends]])[:, None]
    d, x, y = symbols.difference, symbols.first, symbols.second
    active = problem.objective.tangent_value(u, d, x, y) > m
    sets: Floats = np.unique(active, axis=0).astype(np.float64)
    return sets
