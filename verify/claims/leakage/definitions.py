"""Leakage and contraction from their definitions; shares no code with the kernel or the solvers.

A channel is a tuple of rows; c is the least mass of a prior, here in quarters of 1/N.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations
from typing import Any

from verify.claims.domain import Domain, boxed
from verify.claims.families import compositions, kernels

__all__ = [
    "as_channel_pair",
    "contraction",
    "interior_priors",
    "kernel_domain",
    "leakage_at",
    "least_masses",
    "total_variation",
    "vertices",
]

_ZERO = Fraction(0)


def least_masses(n: int) -> list[Fraction]:
    """The c that the claims run over: 1/4N, 1/2N, 3/4N, 1/N."""
    return [Fraction(j, 4 * n) for j in range(1, 5)]


def vertices(n: int, c: Fraction) -> list[tuple[Fraction, ...]]:
    """The extreme priors with masses >= c."""
    return [tuple(c + (1 - n * c) * (x == i) for x in range(n)) for i in range(n)]


def interior_priors(n: int, c: Fraction, steps: int) -> Iterator[tuple[Fraction, ...]]:
    """The priors c + (1 - Nc) (multiples of 1/steps)."""
    for law in compositions(steps, n):
        yield tuple(c + (1 - n * c) * Fraction(a, steps) for a in law)


def leakage_at(rows: Sequence[Sequence[Fraction]], prior: Sequence[Fraction]) -> Fraction:
    """Max over outputs of max_x K(y|x) / P_Y(y), for a prior with full support."""
    worst = Fraction(1)
    for column in zip(*rows, strict=True):
        mass = sum((p * q for p, q in zip(prior, column, strict=True)), _ZERO)
        if mass:
            worst = max(worst, max(column) / mass)
    return worst


def total_variation(p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    """Half the l_1 distance."""
    return sum((abs(a - b) for a, b in zip(p, q, strict=True)), _ZERO) / 2


def contraction(rows: Sequence[Sequence[Fraction]]) -> Fraction:
    """The largest total variation distance of two rows."""
    return max((total_variation(a, b) for a, b in combinations(rows, 2)), default=_ZERO)


def kernel_domain(*shapes: tuple[int, int]) -> Domain:
    """Channels of several shapes, up to the order of inputs and of outputs."""
    parts = [kernels(n, m) for n, m in shapes]
    names = ", ".join(f"{n} x {m}" for n, m in shapes)

    def orbits(size: int) -> Iterator[tuple[Any, int]]:
        for part in parts:
            yield from part.orbits(size)

    return Domain(
        f"channels {names} with entries multiples of 1/{{size}}",
        orbits,
        lambda size: sum(part.total(size) for part in parts),
    )


def as_channel_pair(n: int, m: int, steps: int) -> Domain:
    """Channels with pairs of input laws, both laws multiples of 1/steps."""
    return boxed(
        f"channels {n} x {m} with entries multiples of 1/{{size}}, laws in steps 1/{steps}",
        lambda size: (
            [rows for rows, _ in kernels(n, m).orbits(size)],
            [
                (_law(a, steps), _law(b, steps))
                for a in compositions(steps, n)
                for b in compositions(steps, n)
                if a != b
            ],
        ),
    )


def _law(weights: Sequence[int], steps: int) -> tuple[Fraction, ...]:
    return tuple(Fraction(w, steps) for w in weights)
