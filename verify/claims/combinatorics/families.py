"""The designs and difference sets that can be built here, by parameters, and subsets of groups."""

from collections.abc import Iterator
from functools import cache, lru_cache
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import NDArray

from combinatorics.abelian_group import abelian_groups
from combinatorics.difference_sets.registry import constructed_difference_set, family_members
from combinatorics.incidence_matrix import incidence_matrix
from combinatorics.symmetric.registry import symmetric_design, symmetric_design_plans
from verify.claims.domain import Domain, Orbit, listed
from verify.kernel.incidence import BlockDesign, DifferenceSet

__all__ = [
    "Triple",
    "built_design",
    "built_difference_set",
    "difference_set_triples",
    "pair_counts",
    "subsets_of_groups",
    "symmetric_triples",
]

Triple = tuple[int, int, int]


@cache
def _admissible(largest: int) -> tuple[Triple, ...]:
    """All (v, k, lambda) with lambda (v-1) = k (k-1) and 2 <= k <= v/2, v up to a bound."""
    return tuple(
        (v, k, k * (k - 1) // (v - 1))
        for v in range(4, largest + 1)
        for k in range(2, v // 2 + 1)
        if k * (k - 1) % (v - 1) == 0
    )


@cache
def _symmetric(largest: int) -> tuple[Triple, ...]:
    return tuple(
        t for t in _admissible(largest) if next(symmetric_design_plans(*t), None) is not None
    )


@cache
def _difference_sets(largest: int) -> tuple[Triple, ...]:
    return tuple(t for t in _admissible(largest) if next(family_members(*t), None) is not None)


symmetric_triples = listed("symmetric designs that can be built, v <= {size}", _symmetric)
difference_set_triples = listed(
    "parameters of difference sets that can be built, v <= {size}",
    _difference_sets,
)


@lru_cache(maxsize=512)
def built_design(triple: Triple) -> BlockDesign:
    """The design that is built for these parameters."""
    return symmetric_design(*triple).design


@lru_cache(maxsize=512)
def built_difference_set(triple: Triple) -> DifferenceSet:
    """The difference set that is built for these parameters."""
    return constructed_difference_set(*triple).difference_set


def pair_counts(design: BlockDesign) -> tuple[NDArray[np.int64], set[int], set[int], set[int]]:
    """N N^T, its diagonal entries, its other entries, and the block sizes."""
    matrix = incidence_matrix(design).astype(np.int64)
    product = matrix @ matrix.T
    off = product[~np.eye(design.v, dtype=bool)]
    sizes = {block.bit_count() for block in design.blocks}
    return product, set(np.diag(product).tolist()), set(off.tolist()), sizes


def _translates(orders: tuple[int, ...], members: tuple[int, ...]) -> set[tuple[int, ...]]:
    group_order = int(np.prod(orders))
    residues = np.array(np.unravel_index(np.array(members, dtype=np.int64), orders)).T
    shifts = np.array(np.unravel_index(np.arange(group_order), orders)).T
    moved = (residues[None, :, :] + shifts[:, None, :]) % np.array(orders)
    weights = np.array([int(np.prod(orders[i + 1 :])) for i in range(len(orders))])
    return {tuple(sorted(row)) for row in (moved @ weights).tolist()}


def _orders(largest: int, *, cyclic: bool) -> list[tuple[int, ...]]:
    groups = [g for n in range(3, largest + 1) for g in abelian_groups(n)]
    return [
        (g.order,) if g.exponent == g.order else tuple(g.orders)
        for g in groups
        if not cyclic or g.exponent == g.order
    ]


def subsets_of_groups(*, cyclic: bool = False) -> Domain:
    """The nonempty subsets of the abelian groups of order 3 up to the size, up to translation."""

    def orbits(size: int) -> Iterator[Orbit]:
        for orders in _orders(size, cyclic=cyclic):
            n = int(np.prod(orders))
            for k in range(1, n + 1):
                yield from _subsets(orders, n, k)

    def total(size: int) -> int:
        return sum(2 ** int(np.prod(orders)) - 1 for orders in _orders(size, cyclic=cyclic))

    kind = "cyclic" if cyclic else "abelian"
    return Domain(f"subsets of {kind} groups of order 3..{{size}}", orbits, total)


def _subsets(orders: tuple[int, ...], n: int, k: int) -> Iterator[tuple[Any, int]]:
    """One k-subset of each translation orbit, the least, with the size of the orbit."""
    for rest in combinations(range(1, n), k - 1):
        members = (0, *rest)
        images = _translates(orders, members)
        if members == min(images):
            yield (orders, members), len(images)
