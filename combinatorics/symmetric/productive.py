"""Symmetric designs by substituting matrices for the entries of a generalised weighing matrix.

A *productive family* is a cyclic sequence M(0), ..., M(g-1) of incidence matrices of symmetric
(v, k, lambda) designs such that M(s) M(t)^T depends on s - t only and the sum of all M(t) is a
multiple of the all-one matrix J. If Q = k²/(k - lambda) is a prime power and g divides Q - 1, then
replacing the entries of the weighing matrix W over Z_g of side w = (Q^m - 1)/(Q - 1) by the M(t)
gives a symmetric (v w, k Q^(m-1), lambda Q^(m-1)) design: two rows in one block row meet as in M,
and in different block rows every quotient occurs equally often, so their product is constant.

Two families are made here. Both split M into a part that is constant on cells and a part with
zero row sums in every cell, and move the two parts by different orthogonal matrices.
"""

from math import isqrt

import numpy as np
from numpy.typing import NDArray

from combinatorics.incidence_matrix import (
    design_from_incidence,
    hadamard_from_signs,
    sign_matrix,
)
from combinatorics.number_theory import is_prime_power
from combinatorics.projective_geometry import class_labels
from combinatorics.symmetric.affine import substituted, weighing_matrix
from combinatorics.symmetric.hadamard_design import normalised
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign, HadamardMatrix

__all__ = [
    "bush_type_hadamard",
    "bush_type_sequence",
    "parallel_class_sequence",
    "productive_design",
]

Sequence = NDArray[np.int8]
"""The matrices of a productive family, shape (g, v, v)."""


def productive_design(sequence: Sequence, m: int) -> BlockDesign:
    """The symmetric (v w, k Q^(m-1), lambda Q^(m-1)) design of a productive family.

    Args:
        sequence: the M(t), shape (g, v, v).
        m: at least 1; for m = 1 the design M(0).

    Raises:
        InputError: if Q is not a prime power with g | Q - 1, or m < 1.

    Reference: Ionin (1999), Building symmetric designs with building sets.
    """
    g, v, _ = sequence.shape
    k = int(sequence[0, 0].sum())
    order = k - k * (k - 1) // (v - 1)
    q, remainder = divmod(k * k, order)
    if m < 1 or remainder or not is_prime_power(q) or (q - 1) % g:
        raise InputError(
            f"m = {m}, k²/(k - lambda) = {k * k}/{order}, g = {g}: the quotient must be a prime "
            "power that is 1 modulo g, and m >= 1"
        )
    return design_from_incidence(substituted(weighing_matrix(q, m, g), sequence))


def bush_type_hadamard(matrix: HadamardMatrix) -> HadamardMatrix:
    """The Bush-type Hadamard matrix of order b² from a Hadamard matrix of order b, b even.

    Cells of side b: J on the diagonal, cells with zero row and column sums off it.

    Raises:
        InputError: for a matrix of odd order.

    Reference: Kharaghani (1985), New class of weighing matrices.
    """
    b = matrix.order
    if b % 2:
        raise InputError(f"order {b}: a Bush-type matrix needs a Hadamard matrix of even order")
    rows = normalised(matrix)
    cells = rows[:, :, None] * rows[:, None, :]
    square = (np.arange(b)[None, :] - np.arange(b)[:, None]) % b
    signs = substituted(square, cells)
    return hadamard_from_signs(signs)


def bush_type_sequence(matrix: HadamardMatrix, sign: int) -> Sequence:
    """The productive family of a Bush-type Hadamard matrix of order 4u², with g = 4u.

    M(t) = (((J + sign I) P^t) x J + K (N^t x I)) / 2, where K is the matrix without its diagonal
    cells, P the cyclic and N the negacyclic shift of side 2u, and x the Kronecker product.

    Args:
        matrix: a Bush-type matrix with cells of side b = 2u.
        sign: -1 for k = 2u² - u and Q = (2u - 1)², +1 for k = 2u² + u and Q = (2u + 1)².

    Returns:
        Shape (4u, 4u², 4u²), entries 0 and 1.

    Reference: Kharaghani (2000), On the twin designs with the Ionin-type parameters.
    """
    b = isqrt(matrix.order)
    ones, eye = np.ones((b, b), dtype=np.int64), np.eye(b, dtype=np.int64)
    off_diagonal = sign_matrix(matrix).astype(np.int64) - np.kron(eye, ones)
    cyclic = np.roll(eye, 1, axis=1)
    negacyclic = cyclic.copy()
    negacyclic[b - 1, 0] = -1
    matrices = []
    for t in range(2 * b):
        constant = (ones + sign * eye) @ np.linalg.matrix_power(cyclic, t)
        moved = off_diagonal @ np.kron(np.linalg.matrix_power(negacyclic, t), eye)
        matrices.append((np.kron(constant, ones) + moved) // 2)
    return np.array(matrices, dtype=np.int8)


def parallel_class_sequence(q: int, d: int, kind: str, *, complemented: bool = False) -> Sequence:
    """The productive family of a McFarland or Spence design, from the parallel classes of AG(d, q).

    Cell (i, j) of M(0) belongs to class j - i modulo the number h of classes: the matrix
    [l_c(x) = l_c(y)] of class c. M(t) moves all cells t places to the right; a cell that passes
    the last column comes back with its labels shifted by one. Over the period g = q h every cell
    takes every class and shift, so the sum of the M(t) is the same multiple of J in every cell.

    M(s) M(t)^T depends on s - t only: the product of two cells of one column is a constant for
    different classes, and for one class it depends on the class and on the difference of the
    shifts. Column j of M(s) in row i has class j - s - i, shifted -floor((j - s)/h) times. With s,
    t and j raised by one, classes and the difference of the shifts stay, also where j = h - 1
    becomes column 0: both shifts are then one less. For s = t the product is that of the McFarland
    or Spence design. For example q = 3, d = 2 gives g = 15 and Q = 12²/9 = 16: from (45, 12, 3) the
    symmetric (765, 192, 48) design.

    Args:
        q: a prime power; 3 for Spence.
        d: at least 2.
        kind: ``mcfarland`` adds an empty class, ``spence`` complements the first class.
        complemented: whether to take J - M(t).

    Returns:
        Shape (q h, q^d h, q^d h), entries 0 and 1.

    Raises:
        InputError: for another kind, or Spence with q other than 3.

    Reference: Ionin (1999), Building symmetric designs with building sets.
    """
    if kind not in {"mcfarland", "spence"} or (kind == "spence" and q != 3) or d < 2:
        raise InputError(f"{kind}, q = {q}, d = {d}: give mcfarland, or spence with q = 3; d >= 2")
    labels = class_labels(d, q)
    shifts = np.arange(q)[:, None, None, None]
    cells = (labels[None, :, :, None] + shifts) % q == labels[None, :, None, :]
    if kind == "mcfarland":
        cells = np.concatenate([np.zeros_like(cells[:, :1]), cells], axis=1)
    else:
        cells[:, 0] = ~cells[:, 0]
    if complemented:
        cells = ~cells
    h = cells.shape[1]
    flat = cells.reshape(q * h, *cells.shape[2:]).astype(np.int8)
    start, column = np.arange(h)[:, None], np.arange(h)[None, :]
    matrices = []
    for t in range(q * h):
        source = (column - t) % h
        wraps = (source + t - column) // h
        matrices.append(substituted(wraps % q * h + (source - start) % h, flat))
    return np.array(matrices, dtype=np.int8)
