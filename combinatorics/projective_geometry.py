"""Points, hyperplanes and parallel classes of PG(d, q) and AG(d, q).

A point of PG(d, q) is a vector of d+1 field elements whose first nonzero coordinate is 1; the same
vectors name the hyperplanes, h.x = 0. A point of AG(d, q) is a vector of length d; the parallel
class of h, a point of PG(d-1, q), has the hyperplanes h.x = c, c in GF(q).
"""

import numpy as np
from numpy.typing import NDArray

from combinatorics.finite_field import Elements, FiniteField
from combinatorics.incidence_matrix import bitsets_of_rows
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import MAX_CELLS, BlockDesign

__all__ = [
    "affine_points",
    "class_labels",
    "class_matrix",
    "inner_products",
    "point_hyperplane_design",
    "projective_points",
]


def _require_dimension(q: int, length: int, least: int) -> FiniteField:
    field = FiniteField(q)
    if length < least:
        raise InputError(f"dimension {length} is below {least}")
    if length * q.bit_length() > 64 or q**length > MAX_CELLS:
        raise LimitError(f"{q}^{length} vectors: over the limit of {MAX_CELLS}")
    return field


def affine_points(d: int, q: int) -> Elements:
    """All vectors of GF(q)^d in lexicographic order, shape (q^d, d)."""
    _require_dimension(q, d, 1)
    indices = np.unravel_index(np.arange(q**d), (q,) * d)
    return np.stack(indices, axis=-1).astype(np.int64)


def projective_points(d: int, q: int) -> Elements:
    """The points of PG(d, q), d >= 0, shape ((q^(d+1)-1)/(q-1), d+1), in lexicographic order."""
    _require_dimension(q, d + 1, 1)
    parts = []
    for leading in range(d, -1, -1):  # zeros before the leading 1, then anything
        tail = affine_points(d - leading, q) if leading < d else np.zeros((1, 0), dtype=np.int64)
        head = np.zeros((len(tail), leading + 1), dtype=np.int64)
        head[:, leading] = 1
        parts.append(np.hstack([head, tail]))
    return np.vstack(parts)


def inner_products(q: int, left: Elements, right: Elements) -> Elements:
    """The matrix of x.y over GF(q) for the rows x of ``left`` and y of ``right``."""
    field = FiniteField(q)
    if field.degree == 1:
        residues: Elements = left @ right.T % q
        return residues
    total = np.zeros((len(left), len(right)), dtype=np.int64)
    for coordinate in range(left.shape[1]):
        product = field.mul(left[:, coordinate, None], right[None, :, coordinate])
        total = field.add(total, product)
    return total


def point_hyperplane_design(d: int, q: int) -> BlockDesign:
    """The symmetric design of points and hyperplanes of PG(d, q), d >= 2.

    Its parameters are ((q^(d+1)-1)/(q-1), (q^d-1)/(q-1), (q^(d-1)-1)/(q-1)).
    """
    _require_dimension(q, d, 2)
    points = projective_points(d, q)
    return BlockDesign(len(points), bitsets_of_rows(inner_products(q, points, points) == 0))


def class_labels(d: int, q: int) -> Elements:
    """The label h.x of the hyperplane on x in every parallel class h of AG(d, q).

    Returns:
        Shape ((q^d-1)/(q-1), q^d): a row for each point h of PG(d-1, q), a column for each point x
        of AG(d, q), entries 0 to q-1.
    """
    return inner_products(q, projective_points(d - 1, q), affine_points(d, q))


def class_matrix(labels: Elements) -> NDArray[np.int8]:
    """The 0/1 matrix that says which points share a hyperplane of the class with these labels."""
    same: NDArray[np.bool_] = labels[:, None] == labels[None, :]
    return same.astype(np.int8)
