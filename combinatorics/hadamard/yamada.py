"""Yamada's matrices of order 4(q+2), q = 1 mod 4 a prime power."""

import numpy as np

from combinatorics.hadamard.miyamoto import quadrupled_blocks
from combinatorics.hadamard.sign_matrix import SignMatrix, circulant
from combinatorics.hadamard.williamson import quadratic_extension_pair

__all__ = ["yamada_from_conference", "yamada_from_skew"]

_CORNER = np.ones((4, 4), dtype=np.int8) - 2 * np.eye(4, dtype=np.int8)
_ROW = np.array([[1, 1, 1, 1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]], dtype=np.int8)
_COLUMN = np.array(
    [[-1, -1, -1, -1], [1, -1, 1, -1], [1, 1, -1, -1], [1, -1, -1, 1]], dtype=np.int8
)


def yamada_from_skew(q: int, skew: SignMatrix) -> SignMatrix:
    """The Hadamard matrix of order 4(q+2) for q = 5 mod 8.

    Args:
        q: a prime power.
        skew: skew Hadamard matrix of order (q+3)/2.

    Reference: Yamada, Journal of the Australian Mathematical Society A 46 (1989).
    """
    return _yamada(q, _core(skew, np.eye(skew.shape[0], dtype=np.int8)), 1)


def yamada_from_conference(q: int, conference: SignMatrix) -> SignMatrix:
    """The Hadamard matrix of order 4(q+2) for q = 1 mod 8.

    Args:
        q: a prime power.
        conference: symmetric conference matrix of order (q+3)/2.

    Reference: Yamada, Journal of the Australian Mathematical Society A 46 (1989).
    """
    return _yamada(q, _core(conference, np.zeros_like(conference)), -1)


def _core(matrix: SignMatrix, diagonal: SignMatrix) -> SignMatrix:
    """S: the matrix without its diagonal, first row made +1, without first row and column."""
    signs = np.where(matrix[0] < 0, -1, 1).astype(np.int8)
    return (signs[:, None] * (matrix - diagonal) * signs[None, :])[1:, 1:]


def _yamada(q: int, s: SignMatrix, sign: int) -> SignMatrix:
    n = (q + 1) // 2
    a, b = (circulant(row) for row in quadratic_extension_pair(q))
    unit, zero = np.eye(n, dtype=np.int8), np.zeros((n, n), dtype=np.int8)
    signed = sign * s
    u = np.block(
        [
            [unit, zero, s, s],
            [zero, unit, s, -s],
            [signed, signed, unit, zero],
            [signed, -signed, zero, unit],
        ]
    )
    v = np.block(
        [[a, b, unit, unit], [b, -a, unit, -unit], [unit, -unit, -a, b], [unit, unit, -b, -a]]
    )
    size = q + 2
    matrix = np.empty((4, size, 4, size), dtype=np.int8)
    matrix[:, 1:, :, 1:] = quadrupled_blocks(u, v)
    matrix[:, 0, :, 0] = _CORNER
    matrix[:, 0, :, 1:] = _ROW[:, :, None]
    matrix[:, 1:, :, 0] = _COLUMN[:, None, :]
    return matrix.reshape(4 * size, 4 * size)
