"""Paley's matrices from the quadratic character chi of GF(q), q an odd prime power.

Q = (chi(x - y)) is symmetric for q = 1 mod 4 and skew for q = 3 mod 4; Q Q' = qI - J, Q J = 0.
"""

import numpy as np

from combinatorics.finite_field import FiniteField
from combinatorics.hadamard.recipe import Family, Recipe
from combinatorics.hadamard.sign_matrix import SignMatrix, group_matrix, negation
from combinatorics.number_theory import is_prime_power

__all__ = [
    "PALEY_1",
    "bordered",
    "jacobsthal_matrix",
    "paley_1",
    "paley_2",
    "paley_symmetric",
    "plan_paley_1",
    "plan_paley_2",
    "plan_paley_symmetric",
    "symmetric_from_conference",
]

_PALEY = "Paley, Journal of Mathematics and Physics 12 (1933)"


def jacobsthal_matrix(q: int) -> SignMatrix:
    """Q = (chi(x - y)), shape (q, q), rows and columns in the order of the field's integers."""
    field = FiniteField(q)
    chi = np.asarray(field.quadratic_character(field.elements()), dtype=np.int8)
    return group_matrix(chi, (field.p,) * field.degree).T


def bordered(corner: int, row: int, column: int, interior: SignMatrix) -> SignMatrix:
    """The matrix with a constant first row and a constant first column around an interior."""
    size = interior.shape[0] + 1
    matrix = np.empty((size, size), dtype=np.int8)
    matrix[0, 1:], matrix[1:, 0], matrix[0, 0] = row, column, corner
    matrix[1:, 1:] = interior
    return matrix


def paley_1(q: int) -> SignMatrix:
    """The skew Hadamard matrix I + [[0, 1], [-1, Q]] of order q+1, q = 3 mod 4 a prime power.

    Reference: Paley, Journal of Mathematics and Physics 12 (1933).
    """
    core = bordered(0, 1, -1, jacobsthal_matrix(q))
    return core + np.eye(q + 1, dtype=np.int8)


def paley_2(q: int) -> SignMatrix:
    """The symmetric Hadamard matrix of order 2(q+1), q = 1 mod 4 a prime power.

    With the conference matrix C = [[0, 1], [1, Q]]: C (x) [[1, 1], [1, -1]] + I (x) [[1, -1],
    [-1, -1]].

    Reference: Paley, Journal of Mathematics and Physics 12 (1933).
    """
    return symmetric_from_conference(bordered(0, 1, 1, jacobsthal_matrix(q)))


def symmetric_from_conference(conference: SignMatrix) -> SignMatrix:
    """The symmetric Hadamard matrix of order 2n of a symmetric conference matrix of order n."""
    unit = np.eye(conference.shape[0], dtype=np.int8)
    plus = np.array([[1, 1], [1, -1]], dtype=np.int8)
    minus = np.array([[1, -1], [-1, -1]], dtype=np.int8)
    return np.kron(conference, plus) + np.kron(unit, minus)


def paley_symmetric(q: int) -> SignMatrix:
    """The symmetric Hadamard matrix of order q+1, q = 3 mod 4 a prime power.

    Paley's matrix with its rows but the first negated and its columns permuted by y -> -y; the
    interior becomes -(chi(x + y) + [x + y = 0]).

    Reference: Paley, Journal of Mathematics and Physics 12 (1933).
    """
    field = FiniteField(q)
    reverse = negation((field.p,) * field.degree)
    interior = (jacobsthal_matrix(q) + np.eye(q, dtype=np.int8))[:, reverse]
    return bordered(1, 1, 1, -interior)


PALEY_1 = Family("Paley I", _PALEY, ("q",), paley_1)
_PALEY_2 = Family("Paley II", _PALEY, ("q",), paley_2)
_PALEY_SYMMETRIC = Family("symmetric Paley I", _PALEY, ("q",), paley_symmetric)


def plan_paley_1(n: int) -> Recipe | None:
    """The recipe of Paley I for order n, or None."""
    if n % 4 == 0 and is_prime_power(n - 1):
        return Recipe(PALEY_1, n, (n - 1,))
    return None


def plan_paley_2(n: int) -> Recipe | None:
    """The recipe of Paley II for order n, or None."""
    if n % 8 == 4 and is_prime_power(n // 2 - 1):
        return Recipe(_PALEY_2, n, (n // 2 - 1,))
    return None


def plan_paley_symmetric(n: int) -> Recipe | None:
    """The recipe of the symmetric form of Paley I for order n, or None."""
    if n % 4 == 0 and is_prime_power(n - 1):
        return Recipe(_PALEY_SYMMETRIC, n, (n - 1,))
    return None
