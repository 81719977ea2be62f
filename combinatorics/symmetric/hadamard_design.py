"""Designs from Hadamard matrices.

Letters: H has order 4m (Hadamard designs) or 4t² (Menon designs). A matrix is *normalised* when
its first row and column are +1; negating rows and columns brings every matrix to that form.
"""

import numpy as np
from numpy.typing import NDArray

from combinatorics.incidence_matrix import design_from_incidence, sign_matrix
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign, HadamardMatrix

__all__ = ["hadamard_2_design", "hadamard_3_design", "menon_design", "normalised"]


def normalised(matrix: HadamardMatrix) -> NDArray[np.int8]:
    """The signs of the matrix after negating rows and columns: first row and column +1."""
    signs = sign_matrix(matrix)
    signs *= signs[0]
    signs *= signs[:, :1].copy()
    return signs


def hadamard_2_design(matrix: HadamardMatrix) -> BlockDesign:
    """The symmetric 2-(4m-1, 2m-1, m-1) design of a Hadamard matrix of order 4m >= 8.

    The matrix is normalised, its first row and column are left out, and +1 becomes 1.

    Raises:
        InputError: for a matrix of another order.

    Reference: Todd (1933); Beth, Jungnickel and Lenz (1999), theorem I.9.8.
    """
    signs = _require_order(matrix)
    return design_from_incidence((signs[1:, 1:] == 1).astype(np.int8))


def hadamard_3_design(matrix: HadamardMatrix) -> BlockDesign:
    """The 3-(4m, 2m, m-1) design of a Hadamard matrix of order 4m >= 8.

    Points are the columns; each row but the first of the normalised matrix gives the block of its
    +1 and the block of its -1.

    Raises:
        InputError: for a matrix of another order.

    Reference: Beth, Jungnickel and Lenz (1999), theorem I.9.9.
    """
    signs = _require_order(matrix)
    halves = np.concatenate([signs[1:] == 1, signs[1:] == -1])
    return design_from_incidence(halves.T.astype(np.int8))


def _require_order(matrix: HadamardMatrix) -> NDArray[np.int8]:
    if matrix.order % 4 or matrix.order < 8:
        raise InputError(
            f"Hadamard matrix of order {matrix.order}: designs need a multiple of 4 "
            "that is at least 8"
        )
    return normalised(matrix)


def menon_design(matrix: HadamardMatrix) -> BlockDesign:
    """The symmetric (4t², 2t² - t, t² - t) design of a regular Hadamard matrix of order 4t².

    Regular: all rows have the same sum 2t or -2t. The rarer sign becomes 1.

    Raises:
        InputError: for a matrix that is not regular.

    Reference: Menon (1962).
    """
    signs = sign_matrix(matrix)
    sums = signs.sum(axis=1, dtype=np.int64)
    if (sums != sums[0]).any() or sums[0] == 0:
        raise InputError(
            f"rows 0 and {int(np.argmax(sums != sums[0]))} have sums {sums[0]} and "
            f"{sums[np.argmax(sums != sums[0])]}: a Menon design needs equal sums"
        )
    rarer = -1 if sums[0] > 0 else 1
    return design_from_incidence((signs == rarer).T.astype(np.int8))
