"""Matrices with entries +1 and -1: parsing, group matrices, and the exact definition of Hadamard.

H of order n is Hadamard when H H' = nI, skew when also H + H' = 2I, regular when all row and
column sums are equal. For a function a on an abelian group, M(a)[x, y] = a(y - x); on a cyclic
group that is the circulant with first row a.
"""

import numpy as np
from numpy.lib.stride_tricks import sliding_window_view
from numpy.typing import NDArray

__all__ = [
    "SignMatrix",
    "circulant",
    "group_matrix",
    "is_hadamard",
    "is_regular",
    "is_skew",
    "is_symmetric",
    "negation",
    "parse_signs",
]

SignMatrix = NDArray[np.int8]
"""Small integers, mostly +1 and -1; weighing and conference matrices also hold 0."""

_SIGN = {"+": 1, "-": -1, "0": 0}


def parse_signs(rows: tuple[str, ...]) -> SignMatrix:
    """The rows written with the characters + - 0, as a matrix of shape (rows, length)."""
    return np.array([[_SIGN[character] for character in row] for row in rows], dtype=np.int8)


def circulant(row: SignMatrix) -> SignMatrix:
    """The circulant with entry a[j - i] at place (i, j), for a first row a of shape (m,)."""
    doubled = np.concatenate([row[1:], row])
    return sliding_window_view(doubled, row.size)[::-1]


def negation(moduli: tuple[int, ...]) -> NDArray[np.intp]:
    """The index of -y at place y, for the product of cyclic groups of these moduli."""
    negatives = np.zeros(1, dtype=np.intp)
    for modulus in moduli:
        cyclic = -np.arange(modulus) % modulus
        negatives = (negatives[:, None] * modulus + cyclic[None, :]).reshape(-1)
    return negatives


def group_matrix(function: SignMatrix, moduli: tuple[int, ...]) -> SignMatrix:
    """M(a) for a function a on a product of cyclic groups, of shape (v, v).

    Elements are numbered lexicographically: the last coordinate runs fastest.
    """
    first, *rest = moduli
    if not rest:
        return circulant(function)
    blocks = np.stack([group_matrix(part, tuple(rest)) for part in function.reshape(first, -1)])
    residues = np.arange(first)
    arranged = blocks[(residues[None, :] - residues[:, None]) % first]
    matrix: SignMatrix = arranged.transpose(0, 2, 1, 3).reshape(function.size, function.size)
    return matrix


def is_hadamard(matrix: SignMatrix) -> bool:
    """Whether the matrix is square with entries +1, -1 and H H' = nI, *exact*.

    The inner products are sums of n signs; float32 holds every integer up to 2^24 exactly, so
    the answer is exact for n < 2^24, far above any matrix that fits in memory.
    """
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        return False
    order = matrix.shape[0]
    if order >= 2**24 or not np.all(np.abs(matrix) == 1):
        return False
    signs = matrix.astype(np.float32)
    gram = signs @ signs.T
    gram[np.diag_indices(order)] -= order
    return not gram.any()


def is_skew(matrix: SignMatrix) -> bool:
    """Whether H + H' = 2I, *exact*."""
    return bool(np.array_equal(matrix + matrix.T, 2 * np.eye(matrix.shape[0], dtype=np.int8)))


def is_symmetric(matrix: SignMatrix) -> bool:
    """Whether H = H', *exact*."""
    return bool(np.array_equal(matrix, matrix.T))


def is_regular(matrix: SignMatrix) -> bool:
    """Whether all row sums and column sums are one and the same integer, *exact*."""
    rows = matrix.sum(axis=1, dtype=np.int64)
    columns = matrix.sum(axis=0, dtype=np.int64)
    return bool(np.all(rows == rows[0]) and np.all(columns == rows[0]))
