"""The families of small instances that the claims run over, up to symmetry, with their sizes.

Pairs of distributions: permuting the symbols and swapping the two laws are symmetries; common
factors are divided out, so a pair with denominators dividing N is met once.
Channels: permuting inputs and permuting outputs are symmetries.
"""

from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from itertools import combinations_with_replacement, permutations, product
from math import comb, factorial, prod
from typing import Any

from verify.claims.domain import Domain, Orbit

__all__ = [
    "compositions",
    "interval_weights",
    "kernels",
    "likelihood_pairs",
    "nonempty_subsets",
    "set_partitions",
]


def compositions(total: int, parts: int) -> Iterator[tuple[int, ...]]:
    """The tuples of nonnegative integers with this sum and length.

    >>> list(compositions(1, 2))
    [(0, 1), (1, 0)]
    """
    if parts == 1:
        yield (total,)
        return
    for first in range(total + 1):
        for rest in compositions(total - first, parts - 1):
            yield (first, *rest)


def likelihood_pairs(k: int) -> Domain:
    """Pairs (P0, P1) on k symbols with denominators dividing the size."""

    def orbits(size: int) -> Iterator[Orbit]:
        for symbols in _pair_multisets(size, size, k, (0, 0)):
            swapped = tuple(sorted((b, a) for a, b in symbols))
            if symbols <= swapped:
                weight = _arrangements(symbols) * (1 if symbols == swapped else 2)
                yield _laws(symbols, size), weight

    def everything(size: int) -> Iterator[Any]:
        laws = list(compositions(size, k))
        for a, b in product(laws, repeat=2):
            yield _laws(tuple(zip(a, b, strict=True)), size)

    def canonical(pair: Any) -> Any:
        symbols = tuple(sorted(zip(*pair, strict=True)))
        swapped = tuple(sorted((b, a) for a, b in symbols))
        return tuple(zip(*min(symbols, swapped), strict=True))

    text = f"pairs of distributions on {k} symbols with denominators dividing {{size}}"
    return Domain(text, orbits, lambda size: comb(size + k - 1, k - 1) ** 2, everything, canonical)


def _laws(symbols: Sequence[tuple[int, int]], size: int) -> Any:
    return tuple(tuple(Fraction(x, size) for x in law) for law in zip(*symbols, strict=True))


def _pair_multisets(
    a: int, b: int, k: int, least: tuple[int, int]
) -> Iterator[tuple[tuple[int, int], ...]]:
    """Nondecreasing k-tuples of pairs, each at least ``least``, that add up to (a, b)."""
    if k == 1:
        if (a, b) >= least:
            yield ((a, b),)
        return
    for x in range(least[0], a // k + 1):
        for y in range(least[1] if x == least[0] else 0, b + 1):
            for rest in _pair_multisets(a - x, b - y, k - 1, (x, y)):
                yield ((x, y), *rest)


def _arrangements(items: Sequence[Any]) -> int:
    """The number of orders of a multiset."""
    return factorial(len(items)) // prod(factorial(n) for n in Counter(items).values())


def kernels(n: int, m: int) -> Domain:
    """Channels with n inputs and m outputs, entries multiples of 1/size."""

    def orbits(size: int) -> Iterator[Orbit]:
        rows = list(compositions(size, m))
        for chosen in combinations_with_replacement(rows, n):
            images = {
                tuple(sorted(tuple(row[y] for y in order) for row in chosen))
                for order in permutations(range(m))
            }
            if chosen == min(images):
                yield _channel(chosen, size), sum(map(_arrangements, images))

    def everything(size: int) -> Iterator[Any]:
        for chosen in product(compositions(size, m), repeat=n):
            yield _channel(chosen, size)

    def canonical(channel: Any) -> Any:
        return min(
            tuple(sorted(tuple(row[y] for y in order) for row in channel))
            for order in permutations(range(m))
        )

    text = f"channels with {n} inputs and {m} outputs, entries multiples of 1/{{size}}"
    return Domain(text, orbits, lambda size: comb(size + m - 1, m - 1) ** n, everything, canonical)


def _channel(rows: Sequence[Sequence[int]], size: int) -> Any:
    return tuple(tuple(Fraction(x, size) for x in row) for row in rows)


def set_partitions(items: Sequence[Any]) -> Iterator[list[list[Any]]]:
    """Every partition of a list into nonempty blocks."""
    if not items:
        yield []
        return
    first, rest = items[0], items[1:]
    for partition in set_partitions(rest):
        yield [[first], *partition]
        for i, block in enumerate(partition):
            yield [*partition[:i], [first, *block], *partition[i + 1 :]]


def nonempty_subsets(k: int) -> list[tuple[int, ...]]:
    """The nonempty subsets of 0..k-1, by bit mask."""
    return [tuple(x for x in range(k) if mask >> x & 1) for mask in range(1, 1 << k)]


def interval_weights(k: int) -> Domain:
    """Integer weights up to the size on the intervals of 0..k-1 that cover every point equally."""

    def orbits(size: int) -> Iterator[Orbit]:
        for weights in product(range(size + 1), repeat=k * (k + 1) // 2):
            yield weights, 1

    text = f"weights 0..{{size}} on the {k * (k + 1) // 2} intervals of {k} points"
    return Domain(text, orbits, lambda size: (size + 1) ** (k * (k + 1) // 2))
