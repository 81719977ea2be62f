"""The testing problem from its definitions, in rationals; shares no code with the solvers.

E = e^epsilon, c = E - 1. A set S of symbols as the high set of an output has the output laws
u = 1 + c P0(S), w = 1 + c P1(S) and the score w f(u/w).
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from typing import Any

from solvers.linear_program import solve_linear_program
from verify.claims.families import nonempty_subsets

__all__ = [
    "LEVELS",
    "RATIONAL",
    "best_partition_value",
    "both_ways",
    "contiguous_partitions",
    "divergence",
    "output_law",
    "partition_value",
    "perspective",
    "ratio_order",
    "sorted_pair",
    "subset_program",
]

LEVELS = (Fraction(3, 2), Fraction(2), Fraction(3), Fraction(10))
"""The E that the exhaustive claims run over."""

Score = Callable[[Fraction, Fraction], Fraction]
_ZERO = Fraction(0)


def _e_gamma(gamma: Fraction) -> Score:
    offset = max(1 - gamma, _ZERO)
    return lambda x, y: max(x - gamma * y, _ZERO) - offset * y


RATIONAL: dict[str, Score] = {
    "tv": _e_gamma(Fraction(1)),
    "chi2": lambda x, y: (x - y) ** 2 / y,
    "reverse-chi2": lambda x, y: (x - y) ** 2 / x,
    "lecam": lambda x, y: (x - y) ** 2 / (x + y),
    "e-gamma:1/2": _e_gamma(Fraction(1, 2)),
    "e-gamma:2": _e_gamma(Fraction(2)),
    "cubic": lambda x, y: x**3 / y**2 - y,
    "reverse-cubic": lambda x, y: y**3 / x**2 - x,
}
"""y f(x/y) for divergences that are rational at rationals; the family is closed under swapping."""


def perspective(name: str) -> Score:
    """(x, y) to y f(x/y)."""
    return RATIONAL[name]


def both_ways(holds: Callable[[Any], str]) -> Callable[[Any], str]:
    """The statement of a pair and of the swapped pair, where swapping does not keep it."""
    return lambda pair: holds(pair) or holds(pair[::-1])


def divergence(name: str, p: Sequence[Fraction], q: Sequence[Fraction]) -> Fraction:
    """D_f(P||Q) of laws in which no symbol has mass under one law only."""
    return sum((RATIONAL[name](x, y) for x, y in zip(p, q, strict=True) if x or y), _ZERO)


def output_law(rows: Sequence[Sequence[Fraction]], p: Sequence[Fraction]) -> list[Fraction]:
    """The law of the output of a channel."""
    columns = zip(*rows, strict=True)
    return [sum((a * q for a, q in zip(p, column, strict=True)), _ZERO) for column in columns]


def ratio_order(p0: Sequence[Fraction], p1: Sequence[Fraction]) -> list[int]:
    """The symbols with mass, by increasing P0/P1."""
    massive = [x for x in range(len(p0)) if p0[x] + p1[x]]
    return sorted(massive, key=lambda x: p0[x] / (p0[x] + p1[x]))


def sorted_pair(pair: Any) -> tuple[list[Fraction], list[Fraction]]:
    """The two laws in likelihood-ratio order, without the symbols that have no mass."""
    p0, p1 = pair
    order = ratio_order(p0, p1)
    return [p0[x] for x in order], [p1[x] for x in order]


def contiguous_partitions(k: int) -> Iterator[list[tuple[int, int]]]:
    """Every way to cut 0..k-1 into intervals [a, b)."""

    def cut(start: int) -> Iterator[list[tuple[int, int]]]:
        if start == k:
            yield []
        for end in range(start + 1, k + 1):
            for rest in cut(end):
                yield [(start, end), *rest]

    return cut(0)


def set_score(
    score: Score, level: Fraction, p: Sequence[Fraction], q: Sequence[Fraction], s: Iterable[int]
) -> Fraction:
    """The score of a high set."""
    members, c = list(s), level - 1
    u, w = (1 + c * sum((law[x] for x in members), _ZERO) for law in (p, q))
    return score(u, w)


def partition_value(
    name: str,
    level: Fraction,
    p: Sequence[Fraction],
    q: Sequence[Fraction],
    blocks: Sequence[Iterable[int]],
) -> Fraction:
    """The divergence that randomized response over the blocks leaves."""
    score = RATIONAL[name]
    total = sum((set_score(score, level, p, q, block) for block in blocks), _ZERO)
    return total / (level + len(blocks) - 1)


def best_partition_value(
    name: str,
    level: Fraction,
    p: Sequence[Fraction],
    q: Sequence[Fraction],
    outputs: int | None = None,
) -> Fraction:
    """The largest value of a contiguous partition of laws in likelihood-ratio order (SPR)."""
    score, k = RATIONAL[name], len(p)
    values = {
        (a, b): set_score(score, level, p, q, range(a, b))
        for a in range(k)
        for b in range(a + 1, k + 1)
    }
    return max(
        sum((values[cell] for cell in cells), _ZERO) / (level + len(cells) - 1)
        for cells in contiguous_partitions(k)
        if outputs is None or len(cells) <= outputs
    )


def subset_program(
    name: str,
    level: Fraction,
    p: Sequence[Fraction],
    q: Sequence[Fraction],
    subsets: Sequence[tuple[int, ...]] | None = None,
) -> Fraction:
    """The optimum over staircase channels: max sum theta_S mu(S), each row sum theta_S Q_S(x) = 1.

    Args:
        name: the divergence.
        level: E > 1.
        p: P0.
        q: P1.
        subsets: the allowed high sets; all nonempty ones by default. The set of all symbols is a
            constant column.
    """
    k = len(p)
    sets = tuple(subsets) if subsets is not None else tuple(nonempty_subsets(k))
    gains = [set_score(RATIONAL[name], level, p, q, s) for s in sets]
    return solve_linear_program(gains, _columns(k, sets, level), [Fraction(1)] * k).value


@lru_cache(maxsize=256)
def _columns(
    k: int, sets: tuple[tuple[int, ...], ...], level: Fraction
) -> tuple[tuple[Fraction, ...], ...]:
    one = Fraction(1)
    return tuple(tuple(level if x in s else one for s in sets) for x in range(k))
