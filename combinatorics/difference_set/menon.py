"""Menon-Hadamard difference sets: v = 4t^2, k = 2t^2 - t, lambda = t^2 - t.

A set D is Menon exactly when the function -1 on D, +1 off D has all character sums of modulus 2t;
such functions multiply: on the product of two groups the parameters t multiply to 2 t1 t2.
"""

from collections.abc import Iterator
from math import isqrt, prod

import numpy as np
from numpy.typing import NDArray

from combinatorics.difference_set.family import (
    Arguments,
    DifferenceSetFamily,
    abelian_difference_set,
    complement_difference_set,
)
from combinatorics.projective_geometry import class_labels
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import CyclicProduct, DifferenceSet

__all__ = [
    "MENON_HADAMARD",
    "menon_bent_difference_set",
    "menon_hadamard_difference_set",
    "menon_product_difference_set",
    "menon_turyn_difference_set",
    "orthogonal_quadruple",
]

_MAX_ORDER = 2**20
SMALL_GROUPS = ((2, 2), (4,))


def menon_bent_difference_set(m: int) -> DifferenceSet:
    """The (x, y) in GF(2)^m x GF(2)^m with x.y = 1: the support of a bent function, t = 2^(m-1).

    Reference: Dillon (1974), Elementary Hadamard difference sets.

    >>> len(menon_bent_difference_set(2).elements)
    6
    """
    if m < 1:
        raise InputError(f"m = {m}: a bent function needs 2m >= 2 variables")
    if 4**m > _MAX_ORDER:
        raise LimitError(f"2^{2 * m} group elements: over the limit of {_MAX_ORDER}")
    x = np.arange(2**m)
    inside = np.bitwise_count(x[:, None] & x[None, :]) % 2 == 1
    return abelian_difference_set((2,) * (2 * m), np.flatnonzero(inside.reshape(-1)))


def orthogonal_quadruple(b: int) -> NDArray[np.int64]:
    """Four functions +1/-1 on Z_3^(2b), with q = 3^b.

    Their sums are all q, and every nonprincipal character has a nonzero sum, 2q or -2q, with
    exactly one of them. For b = 1 they are -1 on the four lines through 0.

    Returns:
        Shape (4, 9^b).

    Reference: Turyn (1984), A special class of Williamson matrices and difference sets.
    """
    lines = np.where(class_labels(2, 3) == 0, -1, 1).astype(np.int64)
    quadruple = lines
    for _ in range(b - 1):
        quadruple = _composed(quadruple, lines)
    return quadruple


def _composed(first: NDArray[np.int64], second: NDArray[np.int64]) -> NDArray[np.int64]:
    """The quadruple on the product of the two groups; each sum and difference is 0, 2 or -2."""
    a0, a1, a2, a3 = first
    b0, b1, b2, b3 = second
    pairs = [
        (a0 + a1, b0, a0 - a1, b1),
        (a0 + a1, b2, a1 - a0, b3),
        (a2 + a3, b1, a2 - a3, b0),
        (a2 + a3, b3, a3 - a2, b2),
    ]
    return np.stack([(np.kron(w, x) + np.kron(y, z)) // 2 for w, x, y, z in pairs])


def menon_turyn_difference_set(b: int, small: tuple[int, ...] = (2, 2)) -> DifferenceSet:
    """A Menon difference set in H x Z_3^(2b), H = Z_2^2 or Z_4, t = 3^b; order 36 for b = 1.

    Reference: Turyn (1984), A special class of Williamson matrices and difference sets.

    >>> len(menon_turyn_difference_set(1).elements)
    15
    """
    if b < 1 or small not in SMALL_GROUPS:
        raise InputError(f"b = {b}, H = {small}: b >= 1 and H = (2, 2) or (4,) are needed")
    if 4 * 9**b > _MAX_ORDER:
        raise LimitError(f"4 * 9^{b} group elements: over the limit of {_MAX_ORDER}")
    signs = orthogonal_quadruple(b)
    signs[0] = -signs[0]
    return abelian_difference_set((*small, *(3,) * (2 * b)), np.flatnonzero(signs.reshape(-1) < 0))


def menon_product_difference_set(first: DifferenceSet, second: DifferenceSet) -> DifferenceSet:
    """The pairs with exactly one coordinate in its set, complemented to at most half the group.

    Args:
        first: a Menon difference set in an abelian group, parameter t1.
        second: the same, parameter t2; the product has t = 2 t1 t2.

    Reference: Menon (1962), On difference sets whose parameters satisfy a certain relation.
    """
    masks = []
    for factor in (first, second):
        if not isinstance(factor.group, CyclicProduct):
            raise InputError("the product construction needs abelian groups")
        mask = np.zeros(factor.group.order, dtype=bool)
        mask[list(factor.elements)] = True
        masks.append((factor.group.orders, mask))
    (left_orders, left), (right_orders, right) = masks
    inside = (left[:, None] ^ right[None, :]).reshape(-1)
    product = abelian_difference_set((*left_orders, *right_orders), np.flatnonzero(inside))
    return complement_difference_set(product) if 2 * inside.sum() > inside.size else product


def menon_hadamard_difference_set(t: int) -> DifferenceSet:
    """A Menon difference set for t = 2^a 3^b >= 2, in Z_2^2 x Z_3^(2b) x Z_2^(2a).

    Raises:
        InputError: if t has another prime factor.
        LimitError: if the group is over the limit.
    """
    a, b = _smooth_exponents(t)
    if t < 2 or 2**a * 3**b != t:
        raise InputError(f"t = {t}: built for t = 2^a 3^b >= 2 only")
    if 4 * t * t > _MAX_ORDER:
        raise LimitError(f"4t^2 = {4 * t * t} group elements: over the limit of {_MAX_ORDER}")
    if b == 0:
        return menon_bent_difference_set(a + 1)
    odd_part = menon_turyn_difference_set(b)
    return menon_product_difference_set(odd_part, menon_bent_difference_set(a)) if a else odd_part


def _smooth_exponents(t: int) -> tuple[int, int]:
    exponents = []
    for p in (2, 3):
        exponent = 0
        while t > 0 and t % p == 0:
            t, exponent = t // p, exponent + 1
        exponents.append(exponent)
    return exponents[0], exponents[1]


def menon_hadamard_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The t = 2^a 3^b >= 2 with v = 4t^2."""
    if v < 16 or v % 4:
        return
    t = isqrt(v // 4)
    if (v, k, lambda_) == (4 * t * t, 2 * t * t - t, t * t - t):
        a, b = _smooth_exponents(t)
        if prod((2**a, 3**b)) == t:
            yield (t,)


MENON_HADAMARD = DifferenceSetFamily(
    "Menon-Hadamard",
    "Menon 1962; Dillon 1974; Turyn 1984",
    ("t",),
    menon_hadamard_arguments,
    menon_hadamard_difference_set,
)
