"""Schemes from their definition: blocks, channel rows, estimators; shares no code with the solver.

Output y has weight E from input x when x lies on block y, else 1; D = rE + b - r.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import Any

from combinatorics.incidence_matrix import development
from verify.claims.domain import boxed
from verify.kernel.incidence import CyclicProduct, DifferenceSet

__all__ = [
    "LEVELS",
    "Blocks",
    "channel_rows",
    "count_law",
    "exact_risk",
    "hits",
    "named_blocks",
    "numbers",
    "scheme_domain",
]

LEVELS = (Fraction(3, 2), Fraction(2), Fraction(3), Fraction(8))
Blocks = tuple[int, tuple[tuple[int, ...], ...]]
"""v and the blocks."""


def _complete(v: int, k: int) -> Blocks:
    return v, tuple(combinations(range(v), k))


def _cyclic(v: int, base: Sequence[int]) -> Blocks:
    design = development(DifferenceSet(CyclicProduct((v,)), tuple(base)))
    points = [tuple(x for x in range(v) if block >> x & 1) for block in design.blocks]
    return v, tuple(points)


def _without_last(blocks: Blocks, deleted: int) -> Blocks:
    v = blocks[0] - deleted
    return v, tuple(tuple(x for x in block if x < v) for block in blocks[1])


def named_blocks() -> dict[str, Blocks]:
    """Structures by name: complete, cyclic symmetric, truncated, doubled."""
    found = {f"complete({v},{k})": _complete(v, k) for v in range(2, 7) for k in range(1, v)}
    fano = _cyclic(7, (1, 2, 4))
    found["symmetric(7,3,1)"] = fano
    found["symmetric(11,5,2)"] = _cyclic(11, (1, 3, 4, 5, 9))
    found["symmetric(13,4,1)"] = _cyclic(13, (0, 1, 3, 9))
    found["symmetric(7,4,2)"] = _cyclic(7, (0, 3, 5, 6))
    found["doubled(7,3,1)"] = (7, fano[1] * 2)
    found["complete(7,3)"] = _complete(7, 3)
    for v in (4, 5, 6):
        found[f"truncated(7,3,1) to {v}"] = _without_last(fano, 7 - v)
    found["truncated(13,4,1) to 10"] = _without_last(found["symmetric(13,4,1)"], 3)
    return found


scheme_domain = boxed(
    "designs and truncated designs on up to {size} points, four E",
    lambda size: ([name for name, blocks in named_blocks().items() if blocks[0] <= size], LEVELS),
)


def numbers(blocks: Blocks) -> tuple[int, int, int, int, set[int]]:
    """v, b, r, lambda and the block sizes."""
    v, found = blocks
    r = sum(0 in block for block in found)
    lam = sum(0 in block and 1 in block for block in found)
    return v, len(found), r, lam, {len(block) for block in found}


def channel_rows(blocks: Blocks, level: Fraction) -> list[list[Fraction]]:
    """The channel."""
    v, found = blocks
    weights = [[level if x in block else Fraction(1) for block in found] for x in range(v)]
    return [[w / sum(row) for w in row] for row in weights]


def hits(blocks: Blocks, level: Fraction) -> tuple[Fraction, Fraction]:
    """(alpha, beta): a symbol lies on its own report, and on that of another symbol."""
    rows = channel_rows(blocks, level)
    on = [y for y, block in enumerate(blocks[1]) if 0 in block]
    return sum((rows[0][y] for y in on), Fraction(0)), sum((rows[1][y] for y in on), Fraction(0))


def count_law(blocks: Blocks, level: Fraction, prior: Any, n: int) -> dict[int, Fraction]:
    """The law of N_0, the number of n reports whose block holds symbol 0, by enumeration."""
    rows = channel_rows(blocks, level)
    law: Counter[int] = Counter({0: 1})
    single = Counter[int]()
    for x, mass in enumerate(prior):
        for y, block in enumerate(blocks[1]):
            single[int(0 in block)] += mass * rows[x][y]
    for _ in range(n):
        after: Counter[int] = Counter()
        for (a, p), (b, q) in product(law.items(), single.items()):
            after[a + b] += p * q
        law = after
    return dict(law)  # type: ignore[arg-type]


def exact_risk(blocks: Blocks, level: Fraction, prior: Any, n: int) -> tuple[Fraction, list[Any]]:
    """The mean squared error of the canonical estimator and its mean, by enumerating n reports."""
    v, found = blocks
    alpha, beta = hits(blocks, level)
    rows = channel_rows(blocks, level)
    output = [
        sum((m * row[y] for m, row in zip(prior, rows, strict=True)), Fraction(0))
        for y in range(len(found))
    ]
    risk, mean = Fraction(0), [Fraction(0)] * v
    for reports in product(range(len(found)), repeat=n):
        chance = Fraction(1)
        for y in reports:
            chance *= output[y]
        for x in range(v):
            share = Fraction(sum(x in found[y] for y in reports), n)
            estimate = (share - beta) / (alpha - beta)
            mean[x] += chance * estimate
            risk += chance * (estimate - prior[x]) ** 2
    return risk, mean
