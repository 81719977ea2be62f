"""Symmetric designs from the parallel classes of affine geometries.

Letters: AG(d, q) has q^d points and r = (q^d - 1)/(q - 1) parallel classes of q hyperplanes;
l_i(x) is the label of the hyperplane of class i on the point x. W is a balanced generalised
weighing matrix of side w = (r^m - 1)/(r - 1) over the nonzero elements of GF(r).
"""

import numpy as np
from numpy.typing import NDArray

from combinatorics.finite_field import Elements
from combinatorics.generalised_weighing import balanced_generalised_weighing_matrix
from combinatorics.incidence_matrix import design_from_incidence, incidence_matrix
from combinatorics.number_theory import is_prime_power
from combinatorics.projective_geometry import class_labels, inner_products, projective_points
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign

__all__ = [
    "brouwer_design",
    "rajkundlia_mitchell_ionin_design",
    "substituted",
    "wallis_design",
    "weighing_matrix",
]

Matrix = NDArray[np.int8]


def wallis_design(q: int, d: int) -> BlockDesign:
    """The design with McFarland's parameters from one affine geometry and a Latin square.

    With A_0 = 0 and A_i(x, y) = 1 where l_i(x) = l_i(y), the block matrix of the A_L(i,j) for a
    Latin square L of order r + 1, here L(i, j) = j - i.

    Args:
        q: a prime power.
        d: at least 2.

    Returns:
        A symmetric (q^d (r+1), q^(d-1) r, q^(d-1) (q^(d-1) - 1)/(q - 1)) design.

    Reference: Wallis (1971), Construction of strongly regular graphs using affine designs.
    """
    _require_dimension(d)
    labels = class_labels(d, q)
    classes = (labels[:, :, None] == labels[:, None, :]).astype(np.int8)
    return design_from_incidence(substituted(_latin_square(len(labels) + 1) - 1, classes))


def _latin_square(n: int) -> Elements:
    return (np.arange(n)[None, :] - np.arange(n)[:, None]) % n


def _require_dimension(d: int) -> None:
    if d < 2:
        raise InputError(f"d = {d}: the construction needs an affine geometry with d >= 2")


def substituted(pattern: Elements, blocks: Matrix) -> Matrix:
    """The matrix in which entry t of the pattern is replaced by block t, and -1 by zeros."""
    zero = np.zeros((1, *blocks.shape[1:]), dtype=np.int8)
    cells = np.concatenate([blocks, zero])[pattern]
    rows, columns = pattern.shape[0] * blocks.shape[1], pattern.shape[1] * blocks.shape[2]
    return np.ascontiguousarray(cells.transpose(0, 2, 1, 3)).reshape(rows, columns)


def weighing_matrix(q: int, m: int, g: int) -> Elements:
    """The balanced generalised weighing matrix over Z_g from PG(m-1, q); for m = 1 it is (0)."""
    if m == 1:
        return np.zeros((1, 1), dtype=np.int64)
    return balanced_generalised_weighing_matrix(q, m, g)


def rajkundlia_mitchell_ionin_design(q: int, d: int, m: int) -> BlockDesign:
    """The symmetric (1 + q r w, r^m, r^(m-1) (r - 1)/q) design, r and q prime powers.

    Its residual part replaces entry s of W, taken modulo q, by the incidence of AG(d, q) with all
    labels shifted by s; its derived part gives a point of AG(m, r) the hyperplanes of PG(d-1, q)
    on its labels, q times each.

    Args:
        q: a prime power.
        d: at least 2, with r = (q^d - 1)/(q - 1) a prime power.
        m: at least 1.

    Raises:
        InputError: if r is not a prime power, d < 2 or m < 1.

    Reference: Rajkundlia (1983); Mitchell (1979); Ionin (1998).
    """
    _require_dimension(d)
    r = (q**d - 1) // (q - 1)
    if m < 1 or not is_prime_power(r):
        raise InputError(f"q = {q}, d = {d}, m = {m}: r = {r} must be a prime power and m >= 1")
    labels = class_labels(d, q)
    shifts = np.arange(q)
    shifted = (labels.T[None, :, :, None] + shifts[:, None, None, None]) % q
    blocks = (shifted == shifts).reshape(q, q**d, r * q).astype(np.int8)
    points = projective_points(d - 1, q)
    on_hyperplane = np.repeat(inner_products(q, points, points) == 0, q, axis=1)
    return _with_derived_part(substituted(weighing_matrix(r, m, q), blocks), on_hyperplane, r, m)


def _with_derived_part(residual: Matrix, rows: NDArray[np.bool_], r: int, m: int) -> BlockDesign:
    """The residual part, row l_j(y) of ``rows`` for every point y and class j, and a last block."""
    labels = class_labels(m, r) if m > 1 else np.arange(r)[None, :]
    derived = rows[labels.T].reshape(r**m, -1)
    incidence = np.zeros((len(residual) + r**m, residual.shape[1] + 1), dtype=np.int8)
    incidence[: len(residual), :-1] = residual
    incidence[len(residual) :, :-1] = derived
    incidence[len(residual) :, -1] = 1
    return design_from_incidence(incidence)


def brouwer_design(base: BlockDesign, m: int) -> BlockDesign:
    """The symmetric (1 + 2 r w, r^m, r^(m-1) (r - 1)/2) design from a Hadamard 2-design.

    With X and Z the residual and the derived part of the base, entry +1 of W under the quadratic
    character is replaced by X and -1 by its complement.

    Args:
        base: a symmetric (2r + 1, r, (r - 1)/2) design, r an odd prime power.
        m: at least 1.

    Raises:
        InputError: if r is not an odd prime power or m < 1.

    Reference: Brouwer (1983), An infinite series of symmetric designs.
    """
    r = (base.v - 1) // 2
    if m < 1 or r % 2 == 0 or not is_prime_power(r):
        raise InputError(f"r = {r}, m = {m}: r must be an odd prime power and m >= 1")
    incidence = incidence_matrix(base)
    outside, inside = (incidence[incidence[:, 0] == side, 1:] for side in (0, 1))
    pair = np.stack([outside, 1 - outside])
    return _with_derived_part(substituted(weighing_matrix(r, m, 2), pair), inside == 1, r, m)
