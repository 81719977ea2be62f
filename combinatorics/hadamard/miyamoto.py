"""Miyamoto's matrices of order 4q from a conference matrix and a smaller Hadamard matrix."""

import numpy as np

from combinatorics.hadamard.sign_matrix import SignMatrix

__all__ = ["miyamoto", "quadrupled_blocks"]

_CORNER = np.array([[1, 1, 1, 1], [-1, 1, 1, -1], [-1, -1, 1, 1], [-1, 1, -1, 1]], dtype=np.int8)


def quadrupled_blocks(u: SignMatrix, v: SignMatrix) -> SignMatrix:
    """The blocks T_ij = [[U+V, U-V], [U-V, U+V]]_ij of two 4 x 4 block matrices.

    Args:
        u: shape (4m, 4m), and at every place exactly one of u, v is nonzero.
        v: shape (4m, 4m).

    Returns:
        Shape (4, 2m, 4, 2m): block row, row, block column, column.
    """
    m = u.shape[0] // 4
    total = (u + v).reshape(4, m, 4, m)
    difference = (u - v).reshape(4, m, 4, m)
    upper = np.concatenate([total, difference], axis=3)
    lower = np.concatenate([difference, total], axis=3)
    return np.concatenate([upper, lower], axis=1)


def miyamoto(conference: SignMatrix, hadamard: SignMatrix) -> SignMatrix:
    """The Hadamard matrix of order 4q.

    Args:
        conference: symmetric conference matrix of order q+1, q = 1 mod 4.
        hadamard: Hadamard matrix of order q-1.

    Reference: Miyamoto, Journal of Combinatorial Theory A 57 (1991).
    """
    m = hadamard.shape[0] // 2
    c1, c2, c4 = _quarters_of_core(conference)
    k1, k2, k3, k4 = hadamard[:m, :m], hadamard[:m, m:], -hadamard[m:, :m], hadamard[m:, m:]
    unit, zero = np.eye(m, dtype=np.int8), np.zeros((m, m), dtype=np.int8)
    u = np.block(
        [[c1, c2, zero, zero], [c2.T, c4, zero, zero], [zero, zero, c1, c2], [zero, zero, c2.T, c4]]
    )
    v = np.block(
        [
            [unit, zero, k1, k2],
            [zero, unit, k3, k4],
            [k1.T, k3.T, unit, zero],
            [k2.T, k4.T, zero, unit],
        ]
    )
    return _bordered_blocks(quadrupled_blocks(u, v) * _CORNER[:, None, :, None])


def _quarters_of_core(conference: SignMatrix) -> tuple[SignMatrix, SignMatrix, SignMatrix]:
    """C1, C2, C4 of the core, rows and columns ordered by the signs of its first row."""
    signs = np.where(conference[0] < 0, -1, 1).astype(np.int8)
    core = (signs[:, None] * conference * signs[None, :])[1:, 1:]
    first, last = np.flatnonzero(core[0] > 0), np.flatnonzero(core[0] < 0)
    return -core[np.ix_(first, first)], core[np.ix_(first, last)], core[np.ix_(last, last)]


def _bordered_blocks(interior: SignMatrix) -> SignMatrix:
    """Each block gets a first row and column: the corner sign off, -1 on the block diagonal."""
    size = interior.shape[1] + 1
    matrix = np.empty((4, size, 4, size), dtype=np.int8)
    matrix[:, 1:, :, 1:] = interior
    border = np.where(np.eye(4, dtype=bool), -1, _CORNER)
    matrix[:, 0, :, 1:] = border[:, :, None]
    matrix[:, 1:, :, 0] = border[:, None, :]
    matrix[:, 0, :, 0] = _CORNER
    return matrix.reshape(4 * size, 4 * size)
