"""Separators for a dual witness: ratios between the places where a symbol enters or leaves A(t).

A(t) = {x : g_t.p_x > l_x} is defined in ``verify.kernel.optimality``. Divided by w_x = P0(x)+P1(x),
with s_x = P0(x)/w_x and m_x = l_x/w_x, a symbol is active where g_t.(s, 1-s) > m; the left side
rises up to t = s/(1-s) and falls from there on. The separators are hints: the kernel believes none.
"""

from collections.abc import Callable, Iterable
from fractions import Fraction

import numpy as np

from solvers.testing.objective import Floats, Objective
from verify.kernel.divergence import Divergence
from verify.kernel.sweep import Triple

__all__ = ["active_sets", "exact_transitions", "find_separators", "transition_ratios"]

_BISECTIONS = 60


def transition_ratios(
    objective: Objective, exp_epsilon: float, shares: tuple[Floats, Floats], m: Floats
) -> Floats:
    """The ratios t in [1/E, E] where a symbol enters or leaves A(t), or comes closest to it.

    Args:
        shares: P0/(P0 + P1) and P1/(P0 + P1) of k symbols, each rounded from its exact value.
        m: multipliers over P0 + P1, for the normalised h of the objective.

    Returns:
        At most 2k ratios in rising order, unmerged.
    """
    low, high = -np.log(exp_epsilon), np.log(exp_epsilon)
    s0, s1 = shares
    with np.errstate(divide="ignore"):
        peak = np.clip(np.log(s0) - np.log(s1), low, high)

    def excess(log_t: Floats) -> Floats:
        g0, g1 = objective.gradient(np.exp(log_t))
        value: Floats = g0 * s0 + g1 * s1 - m
        return value

    is_active = excess(peak) > 0
    found = [peak[~is_active]]
    for end in (low, high):
        outside, inside = np.full_like(peak, end), peak.copy()
        crosses = is_active & (excess(outside) <= 0)
        for _ in range(_BISECTIONS):
            middle = (outside + inside) / 2
            positive = excess(middle) > 0
            inside = np.where(positive, middle, inside)
            outside = np.where(positive, outside, middle)
        found.append(((outside + inside) / 2)[crosses])
    ratios: Floats = np.exp(np.sort(np.concatenate(found)))
    return ratios


def find_separators(transitions: Floats) -> tuple[Fraction, ...]:
    """Rationals between neighbouring transitions, strictly rising.

    Args:
        transitions: ratios in rising order.
    """
    middles = np.sqrt(transitions[1:] * transitions[:-1])
    apart = middles[(middles > transitions[:-1]) & (middles < transitions[1:])]
    return tuple(Fraction(float(t)) for t in np.unique(apart))


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
    objective: Objective, transitions: Floats, shares: tuple[Floats, Floats], m: Floats
) -> Floats:
    """The sets A(t) at ratios between the transitions, as rows of 0 and 1 over the k symbols."""
    t = np.concatenate([transitions[:1], np.sqrt(transitions[1:] * transitions[:-1])])
    g0, g1 = objective.gradient(t)
    active = g0[:, None] * shares[0] + g1[:, None] * shares[1] > m
    sets: Floats = np.unique(active, axis=0).astype(np.float64)
    return sets
