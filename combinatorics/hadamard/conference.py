"""Conference matrices: C of order n, zero on the diagonal, +-1 off it, with C C' = (n-1)I.

Up to signs of rows and columns C is symmetric when n = 2 mod 4 and skew when n = 0 mod 4.
"""

from functools import lru_cache

import numpy as np
from flint import fmpz
from numpy.typing import NDArray

from combinatorics.finite_field import FiniteField
from combinatorics.hadamard.paley import bordered, jacobsthal_matrix, symmetric_from_conference
from combinatorics.hadamard.recipe import Family, Recipe
from combinatorics.hadamard.sign_matrix import SignMatrix
from combinatorics.number_theory import factorize, is_prime_power

__all__ = [
    "is_conference",
    "is_sum_of_two_squares",
    "mathon_conference",
    "plan_conference_doubling",
    "plan_symmetric_conference",
]


def is_conference(matrix: SignMatrix) -> bool:
    """Whether the matrix is square, 0 on and +-1 off the diagonal, with C C' = (n-1)I, *exact*."""
    if matrix.ndim != 2 or matrix.shape[0] != matrix.shape[1] or not matrix.size:
        return False
    order = matrix.shape[0]
    unit = np.eye(order, dtype=np.int8)
    if order >= 2**24 or not np.array_equal(np.abs(matrix), 1 - unit):
        return False
    entries = matrix.astype(np.float32)  # exact: sums of fewer than 2^24 signs
    return bool(np.array_equal(entries @ entries.T, (order - 1) * unit.astype(np.float32)))


def is_sum_of_two_squares(m: int) -> bool:
    """Whether m >= 1 is a sum of two squares: primes 3 mod 4 divide it to even powers."""
    return all(p % 4 != 3 or exponent % 2 == 0 for p, exponent in factorize(m).primes)


def _paley_conference(q: int) -> SignMatrix:
    """[[0, e], [e', Q]] of order q+1, q = 1 mod 4 a prime power."""
    return bordered(0, 1, 1, jacobsthal_matrix(q))


_PALEY_CONFERENCE = Family(
    "Paley conference matrix",
    "Paley, Journal of Mathematics and Physics 12 (1933)",
    ("q",),
    _paley_conference,
)


def mathon_conference(q: int, smaller: SignMatrix) -> SignMatrix:
    """The symmetric conference matrix of order q²(q+2) + 1, q = 3 mod 4 a prime power.

    The core has p = q + 2 block rows of the q² points of the affine plane AG(2, q). Every block
    row i numbers the q + 1 parallel classes by the other block rows, class (j - i) mod p for j,
    and l_c(x) is the line of class c on x. The block (i, j), i < j, is e_ij F[l(x), l(y)] with
    F = I + Q, Q the Jacobsthal matrix of GF(q), e the core of the smaller conference matrix; the
    block (j, i) is its transpose. The diagonal block is the sum over classes of s_c (A_c - I),
    A_c[x, y] = 1 if x, y lie on one line of class c, with s_c = 1 for the first half of the
    classes and -1 for the others. Then F F' = (q+1)I - J, F J = J, and s of class (j, i) is minus
    s of class (i, j): these give core² = q² p I - J.

    Args:
        q: a prime power, 3 mod 4.
        smaller: symmetric conference matrix of order q + 3.

    Reference: Mathon, Canadian Journal of Mathematics 30 (1978).
    """
    p, labels = q + 2, _line_labels(q)
    signs = np.where(smaller[0] < 0, -1, 1).astype(np.int8)
    outer = (signs[:, None] * smaller * signs[None, :])[1:, 1:]
    inner = jacobsthal_matrix(q) + np.eye(q, dtype=np.int8)
    core = np.empty((p, q * q, p, q * q), dtype=np.int8)
    diagonal = _two_class_matrix(labels)
    for i in range(p):
        core[i, :, i, :] = diagonal
        for j in range(i + 1, p):
            block = outer[i, j] * inner[labels[j - i - 1][:, None], labels[p + i - j - 1][None, :]]
            core[i, :, j, :], core[j, :, i, :] = block, block.T
    return bordered(0, 1, 1, core.reshape(p * q * q, p * q * q))


def _line_labels(q: int) -> NDArray[np.int64]:
    """For each of the q + 1 parallel classes of AG(2, q) the line on each point: (q+1, q²)."""
    field = FiniteField(q)
    x, y = np.divmod(np.arange(q * q), q)
    slopes = [field.sub(y, field.mul(slope, x)) for slope in range(q)]
    return np.stack([*slopes, x])


def _two_class_matrix(labels: NDArray[np.int64]) -> SignMatrix:
    """+1 for points joined by a line of the first half of the classes, -1 for the other half."""
    joined = labels[:, :, None] == labels[:, None, :]
    half = labels.shape[0] // 2
    first, second = joined[:half].sum(axis=0), joined[half:].sum(axis=0)
    return np.asarray(first - second, dtype=np.int8)


_ORDER_2 = Family(
    "conference matrix of order 2",
    _PALEY_CONFERENCE.reference,
    (),
    lambda: np.array([[0, 1], [1, 0]], dtype=np.int8),
)
_MATHON = Family(
    "Mathon conference matrix",
    "Mathon, Canadian Journal of Mathematics 30 (1978)",
    ("q",),
    mathon_conference,
)
_DOUBLING = Family(
    "double of a symmetric conference matrix",
    "Paley, Journal of Mathematics and Physics 12 (1933)",
    (),
    symmetric_from_conference,
)


@lru_cache(maxsize=2**14)
def plan_symmetric_conference(n: int) -> Recipe | None:
    """A recipe for a symmetric conference matrix of order n, or None if none is known here."""
    if n % 4 != 2:
        return None
    if n == 2:
        return Recipe(_ORDER_2, n)
    if is_prime_power(n - 1):
        return Recipe(_PALEY_CONFERENCE, n, (n - 1,))
    return _plan_mathon(n)


def _plan_mathon(n: int) -> Recipe | None:
    q = int(fmpz(n - 1).root(3))  # q³ < q²(q+2) < (q+1)³
    if q % 4 != 3 or q * q * (q + 2) != n - 1 or not is_prime_power(q):
        return None
    smaller = plan_symmetric_conference(q + 3)
    return smaller and Recipe(_MATHON, n, (q,), (smaller,))


def plan_conference_doubling(n: int) -> Recipe | None:
    """The recipe of the symmetric Hadamard matrix of order n from a conference matrix, or None."""
    smaller = plan_symmetric_conference(n // 2) if n % 8 == 4 else None
    return smaller and Recipe(_DOUBLING, n, (), (smaller,))
