"""Hadamard matrices and the designs that they are."""

from collections.abc import Iterator
from functools import lru_cache
from itertools import product
from typing import Any

import numpy as np
from numpy.typing import NDArray

from combinatorics.construction import Exists
from combinatorics.hadamard import hadamard_matrix
from combinatorics.hadamard.existence import hadamard_existence
from combinatorics.incidence_matrix import bitsets_of_rows, hadamard_from_signs
from combinatorics.symmetric.hadamard_design import hadamard_2_design, hadamard_3_design
from verify.claims.claim import Claim, Exhaustive
from verify.claims.combinatorics.families import subsets_of_groups
from verify.claims.domain import Domain, listed
from verify.kernel.design import check_design, check_hadamard
from verify.kernel.incidence import BlockDesign

__all__ = ["CLAIMS"]

Signs = NDArray[np.int8]


@lru_cache(maxsize=64)
def _normalised(order: int) -> Signs:
    """The matrix that is built for an order, first row and column made +1."""
    signs = np.array(hadamard_matrix(order).matrix, dtype=np.int8)
    signs = signs * signs[0]
    normal: Signs = signs * signs[:, :1]
    return normal


def _bordered(instance: Any) -> Signs:
    """The matrix with first row and column +1 whose core is circulant with +1 on a subset."""
    (n,), members = instance
    core = -np.ones((n, n), dtype=np.int8)
    for shift in range(n):
        core[shift, [(x + shift) % n for x in members]] = 1
    signs = np.ones((n + 1, n + 1), dtype=np.int8)
    signs[1:, 1:] = core
    return signs


def _is_two_design(signs: Signs) -> bool:
    m = len(signs) // 4
    core = BlockDesign(len(signs) - 1, bitsets_of_rows(signs[1:, 1:] > 0))
    return check_design(core, 2 * m - 1, m - 1).is_accepted


def _is_three_design(signs: Signs) -> bool:
    m = len(signs) // 4
    rows = bitsets_of_rows(signs[1:] > 0)
    everything = (1 << len(signs)) - 1
    blocks = tuple(x for row in rows for x in (row, everything ^ row))
    return check_design(BlockDesign(len(signs), blocks), 2 * m, m - 1, 3).is_accepted


def _equivalence(signs: Signs, *, weights_only: bool = False) -> str:
    """Hadamard exactly when the core is a 2-design exactly when the extension is a 3-design."""
    hadamard = check_hadamard(hadamard_from_signs(signs)).is_accepted
    two, three = _is_two_design(signs), _is_three_design(signs)
    if weights_only:
        two = three = bool((signs[1:].sum(axis=1) == 0).all())
    if hadamard == two == three:
        return ""
    return f"Hadamard: {hadamard}, 2-design: {two}, 3-design: {three}"


def _circulants() -> Domain:
    subsets = subsets_of_groups(cyclic=True)

    def orbits(size: int) -> Iterator[tuple[Any, int]]:
        for (orders, members), weight in subsets.orbits(size):
            if orders[0] % 4 == 3 and orders[0] > 3:
                yield (orders, members), weight

    return Domain(
        "bordered circulant sign matrices of order 8, 12, .. up to {size} + 1",
        orbits,
        lambda size: sum(2**n - 1 for n in range(7, size + 1, 4)),
    )


def _flipped(instance: Any) -> Signs:
    order, i, j = instance
    signs = _normalised(order).copy()
    if i:
        signs[i, j] *= -1
    return signs


def _flips(size: int) -> list[Any]:
    found: list[Any] = []
    for order in range(8, size + 1, 4):
        found += [(order, 0, 0), *product((order,), range(1, order), range(1, order))]
    return found


def _designs_of(order: int, *, larger: bool = False) -> str:
    """The solver's 2-design and 3-design of every matrix built."""
    built = hadamard_matrix(order).matrix
    verdict = check_hadamard(hadamard_from_signs(built))
    m = order // 4 + (1 if larger else 0)
    if verdict.is_accepted and order >= 8:
        matrix = hadamard_from_signs(built)
        verdict = check_design(hadamard_2_design(matrix), 2 * m - 1, m - 1)
        if verdict.is_accepted:
            verdict = check_design(hadamard_3_design(matrix), 2 * m, m - 1, 3)
    return "" if verdict.is_accepted else verdict.reason


def _orders(size: int) -> list[int]:
    return [n for n in range(4, size + 1, 4) if isinstance(hadamard_existence(n), Exists)]


def _three_rows(order: int, step: int = 4) -> str:
    """Three orthogonal rows of signs of length n > 2 exist exactly when 4 divides n."""
    if order <= 2:
        return ""
    first = np.ones(order, dtype=np.int64)
    second = np.array([1] * (order // 2) + [-1] * (order - order // 2), dtype=np.int64)
    found = False
    if first @ second == 0:
        bits = (np.arange(1 << order)[:, None] >> np.arange(order)) & 1
        rows = 1 - 2 * bits.astype(np.int64)
        found = bool(((rows @ first == 0) & (rows @ second == 0)).any())
    return "" if found == (order % step == 0) else f"three orthogonal rows: {found}"


def _kronecker(instance: Any, *, with_ones: bool = False) -> str:
    left, right = instance
    second = np.ones((right, right), dtype=np.int8) if with_ones else _normalised(right)
    product_ = np.kron(_normalised(left), second)
    verdict = check_hadamard(hadamard_from_signs(product_))
    return "" if verdict.is_accepted else verdict.reason


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "combinatorics.hadamard-designs",
        "a normalised matrix is Hadamard iff its core is a 2-design iff it gives a 3-design",
        "Todd 1933; Beth, Jungnickel, Lenz 1999, I.9",
        "all bordered circulants of order 8, 12, 16; all single flips of built matrices up to 16",
        "it is Hadamard iff every row but the first has as many +1 as -1",
        (
            Exhaustive(
                _circulants(),
                lambda instance: _equivalence(_bordered(instance)),
                lambda instance: _equivalence(_bordered(instance), weights_only=True),
                size=11,
                smallest=7,
            ),
            Exhaustive(
                listed("built matrices of order 8..{size}, at most one entry flipped", _flips),
                lambda instance: _equivalence(_flipped(instance)),
                lambda instance: (
                    _equivalence(_flipped(instance))
                    if instance[1]
                    else _designs_of(instance[0], larger=True)
                ),
                size=16,
                smallest=8,
            ),
        ),
    ),
    Claim(
        "combinatorics.hadamard-built",
        "every matrix that is built is Hadamard and gives its 2-design and 3-design",
        "the constructions' own sources",
        "all orders up to 64 for which a construction is known",
        "the designs have the parameters of the next order",
        (
            Exhaustive(
                listed("orders up to {size} with a construction", _orders),
                _designs_of,
                lambda order: _designs_of(order, larger=True),
                size=64,
                smallest=8,
                batch=4,
            ),
        ),
    ),
    Claim(
        "combinatorics.hadamard-order",
        "three orthogonal rows of n > 2 signs exist exactly when 4 divides n",
        "Hadamard 1893",
        "all rows of length up to 16, the first two normalised",
        "they exist exactly when 2 divides n",
        (
            Exhaustive(
                listed("lengths 1..{size}", lambda size: range(1, size + 1)),
                _three_rows,
                lambda order: _three_rows(order, 2),
                size=16,
                smallest=3,
                batch=2,
            ),
        ),
    ),
    Claim(
        "combinatorics.kronecker",
        "the Kronecker product of Hadamard matrices is one",
        "Sylvester 1867",
        "all pairs of built orders up to 20",
        "the Kronecker product with the matrix of ones is",
        (
            Exhaustive(
                listed(
                    "pairs of orders up to {size}",
                    lambda size: product((1, 2, *_orders(size)), repeat=2),
                ),
                _kronecker,
                lambda instance: _kronecker(instance, with_ones=True),
                size=20,
                smallest=4,
                batch=8,
            ),
        ),
    ),
)
