"""Menon-Hadamard difference sets: v = 4t^2, k = 2t^2 - t, lambda = t^2 - t.

A set D is Menon exactly when the function -1 on D, +1 off D has all character sums of modulus 2t;
such functions multiply: on the product of two groups the parameters t multiply to 2 t1 t2.
"""

from collections.abc import Iterator
from math import isqrt

import numpy as np

from combinatorics.difference_sets.family import (
    Arguments,
    DifferenceSetFamily,
    abelian_difference_set,
    complement_difference_set,
)
from combinatorics.difference_sets.orthogonal_quadruple import (
    has_orthogonal_quadruple,
    orthogonal_quadruple,
)
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import CyclicProduct, DifferenceSet

__all__ = [
    "MENON_HADAMARD",
    "menon_bent_difference_set",
    "menon_hadamard_difference_set",
    "menon_product_difference_set",
    "menon_turyn_difference_set",
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


def menon_turyn_difference_set(q: int, small: tuple[int, ...] = (2, 2)) -> DifferenceSet:
    """A Menon difference set with t = q = 3^b u^2 in H x K, H = Z_2^2 or Z_4, K of odd order q^2.

    K is a product of groups Z_3^2 and Z_p^4; q = 3 gives order 36.

    Raises:
        InputError: for another q or H.
        LimitError: if the group is over the limit.

    Reference: Turyn (1984), A special class of Williamson matrices and difference sets; Xia (1992);
    Wilson and Xiang (1997); Chen (1997).

    >>> len(menon_turyn_difference_set(3).elements)
    15
    """
    if q < 3 or small not in SMALL_GROUPS:
        raise InputError(f"q = {q}, H = {small}: q >= 3 and H = (2, 2) or (4,) are needed")
    if q * q > _MAX_ORDER // 4:
        raise LimitError(f"4q^2 = {4 * q * q} group elements: over the limit of {_MAX_ORDER}")
    quadruple = orthogonal_quadruple(q)
    signs = quadruple.signs.copy()
    signs[0] = -signs[0]
    return abelian_difference_set(
        (*small, *quadruple.orders), np.flatnonzero(signs.reshape(-1) < 0)
    )


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
    """A Menon difference set for t = 2^a 3^b u^2 >= 2 with an odd u.

    The group is Z_2^2 x K x Z_2^(2a), K a product of groups Z_3^2 and Z_p^4.

    Raises:
        InputError: for another t.
        LimitError: if the group is over the limit.
    """
    a, odd = _two_part(t)
    if t < 2 or not has_orthogonal_quadruple(odd):
        raise InputError(f"t = {t}: built for t = 2^a 3^b u^2 >= 2 with an odd u")
    if t * t > _MAX_ORDER // 4:
        raise LimitError(f"4t^2 = {4 * t * t} group elements: over the limit of {_MAX_ORDER}")
    if odd == 1:
        return menon_bent_difference_set(a + 1)
    odd_part = menon_turyn_difference_set(odd)
    return menon_product_difference_set(odd_part, menon_bent_difference_set(a)) if a else odd_part


def _two_part(t: int) -> tuple[int, int]:
    """The (a, odd) with t = 2^a odd."""
    a = (t & -t).bit_length() - 1 if t > 0 else 0
    return a, t >> a


def menon_hadamard_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The t = 2^a 3^b u^2 >= 2 with v = 4t^2."""
    if v < 16 or v % 4:
        return
    t = isqrt(v // 4)
    fits = (v, k, lambda_) == (4 * t * t, 2 * t * t - t, t * t - t)
    if fits and has_orthogonal_quadruple(_two_part(t)[1]):
        yield (t,)


MENON_HADAMARD = DifferenceSetFamily(
    "Menon-Hadamard",
    "Menon 1962; Dillon 1974; Turyn 1984; Wilson and Xiang 1997; Chen 1997",
    ("t",),
    menon_hadamard_arguments,
    menon_hadamard_difference_set,
)
