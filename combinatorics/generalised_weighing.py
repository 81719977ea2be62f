"""Balanced generalised weighing matrices over cyclic groups, from projective spaces.

A BGW(w, k, mu) over Z_g has k nonzero entries in every row, and for two different rows the
quotients of entries at common nonzero places take each of the g values mu/g times. Zero is
written -1 and the group additively, as exponents 0, ..., g-1.
"""

import numpy as np

from combinatorics.finite_field import Elements, FiniteField
from combinatorics.projective_geometry import inner_products, projective_points
from verify.kernel.errors import InputError

__all__ = [
    "ZERO",
    "balanced_generalised_weighing_matrix",
    "is_balanced_generalised_weighing_matrix",
]

ZERO = -1
"""The entry that stands for zero."""


def balanced_generalised_weighing_matrix(q: int, m: int, g: int) -> Elements:
    """The classical BGW(w, q^(m-1), q^(m-1)-q^(m-2)) over Z_g, w = (q^m-1)/(q-1).

    Entry (i, j) is the discrete logarithm of x_i.x_j modulo g for the points of PG(m-1, q).

    Args:
        q: a prime power.
        m: at least 2.
        g: a divisor of q - 1.

    Returns:
        Shape (w, w), symmetric, entries -1 to g-1.

    Raises:
        InputError: if q is not a prime power, g does not divide q - 1, or m < 2.

    Reference: Jungnickel and Tonchev (1999), Perfect codes and balanced generalized weighing
    matrices.
    """
    field = FiniteField(q)
    if m < 2:
        raise InputError(f"m = {m}: a balanced generalised weighing matrix needs m >= 2")
    if g < 1 or (q - 1) % g:
        raise InputError(f"g = {g} does not divide q - 1 = {q - 1}")
    points = projective_points(m - 1, q)
    return field.multiplicative_character(inner_products(q, points, points), g)


def is_balanced_generalised_weighing_matrix(matrix: Elements, g: int) -> bool:
    """Whether all rows have equally many nonzero entries and all pairs balanced quotients."""
    nonzero = matrix != ZERO
    if len(set(nonzero.sum(axis=1).tolist())) != 1 or matrix.min() < ZERO or matrix.max() >= g:
        return False
    counts = set()
    for i in range(len(matrix)):
        for j in range(i):
            common = nonzero[i] & nonzero[j]
            quotients = (matrix[i, common] - matrix[j, common]) % g
            counts.update(np.bincount(quotients, minlength=g).tolist())
    return len(counts) <= 1
