"""Symmetric Hadamard matrices of order 4m from four circulants, two of them equal.

If A is symmetric and AA' + 2BB' + DD' = 4mI, then the array [[A, BR, BR, DR], [BR, D'R, -A, -B'R],
[BR, -A, -D'R, B'R], [DR, -B'R, B'R, -A]] is a symmetric Hadamard matrix (R is y -> -y).
"""

from functools import cache

import numpy as np

from combinatorics.hadamard.recipe import Family, Recipe
from combinatorics.hadamard.sign_matrix import SignMatrix, circulant, negation, parse_signs
from combinatorics.hadamard.stored import stored_rows

__all__ = ["plan_propus", "propus_array"]

_SOURCE = "Seberry and Balonin, Australasian Journal of Combinatorics 69 (2017)"


def propus_array(rows: SignMatrix) -> SignMatrix:
    """The symmetric matrix of order 4m.

    Args:
        rows: first rows of A, B, D, shape (3, m).

    Reference: Seberry and Balonin, Australasian Journal of Combinatorics 69 (2017).
    """
    a, b, d = (circulant(row) for row in rows)
    reverse = negation((rows.shape[1],))
    br, dr, bt, dt = (x[:, reverse] for x in (b, d, b.T, d.T))
    return np.block([[a, br, br, dr], [br, dt, -a, -bt], [br, -a, -dt, bt], [dr, -bt, bt, -a]])


_PROPUS = Family(
    "propus",
    _SOURCE,
    ("m",),
    lambda m: propus_array(parse_signs(stored_rows("propus_rows")[(m,)])),
)


@cache
def _recipes() -> dict[int, Recipe]:
    return {4 * m: Recipe(_PROPUS, 4 * m, (m,)) for (m,) in stored_rows("propus_rows")}


def plan_propus(n: int) -> Recipe | None:
    """The recipe of stored rows for order n, or None."""
    return _recipes().get(n)
