"""Regular Hadamard matrices: all row and column sums equal.

The sums are then 2t with n = 4t²; (J - H)/2 is a symmetric (4t², 2t² - t, t² - t) design.
"""

from functools import lru_cache
from math import isqrt

import numpy as np
from numpy.typing import NDArray

from combinatorics.difference_sets.menon import menon_turyn_difference_set
from combinatorics.difference_sets.orthogonal_quadruple import has_orthogonal_quadruple
from combinatorics.finite_field import FiniteField
from combinatorics.hadamard.arrays import goethals_seidel_array
from combinatorics.hadamard.divisors import divisors
from combinatorics.hadamard.paley import bordered, jacobsthal_matrix
from combinatorics.hadamard.recipe import Family, Recipe
from combinatorics.hadamard.sign_matrix import SignMatrix
from combinatorics.hadamard.sylvester import plan_product, plan_sylvester
from combinatorics.incidence_matrix import development, incidence_matrix
from combinatorics.number_theory import is_prime_power

__all__ = [
    "half_line_matrix",
    "half_lines",
    "menon_matrix",
    "plan_regular",
    "plan_twin_prime_powers",
    "steiner_matrix_196",
    "twin_prime_power_matrix",
]


def twin_prime_power_matrix(q: int) -> SignMatrix:
    """The regular symmetric Hadamard matrix of order (q+1)², q and q+2 odd prime powers.

    With the Jacobsthal matrices S, T of GF(q), GF(q+2) and K = S (x) T + I (x) (J-I) - J (x) I,
    H = [[-1, e], [e', K]] is Hadamard: K e = e, and the cross terms cancel because one of S, T is
    symmetric and the other skew. For z = (1, e (x) f) with f of sum -1, H z = H' z = -(q+1) z; so
    -H with the signs z on rows and columns is regular. Permuting the columns by x -> -x in the
    factor of the skew one makes K symmetric; f even keeps z invariant.

    Reference: Stanton and Sprott, Canadian Journal of Mathematics 10 (1958), for the core; Wallis
    and Whiteman, Bulletin of the Australian Mathematical Society 7 (1972).
    """
    p = q + 2
    unit_q, unit_p = np.eye(q, dtype=np.int8), np.eye(p, dtype=np.int8)
    core = np.kron(jacobsthal_matrix(q), jacobsthal_matrix(p))
    core += np.kron(unit_q, 1 - unit_p) - np.kron(np.ones_like(unit_q), unit_p)
    left, right = np.arange(q), np.arange(p)
    if q % 4 == 3:
        left = _negatives(q)
    else:
        right = _negatives(p)
    core = core[:, (left[:, None] * p + right[None, :]).reshape(-1)]
    signs = np.concatenate([[1], np.tile(_even_signs(p), q)]).astype(np.int8)
    return -signs[:, None] * bordered(-1, 1, 1, core) * signs[None, :]


def _negatives(q: int) -> NDArray[np.int64]:
    field = FiniteField(q)
    return field.neg(field.elements())


def _even_signs(p: int) -> SignMatrix:
    """A function f on GF(p) with values +1, -1, f(-y) = f(y) and sum -1."""
    negatives = _negatives(p)
    representatives = np.flatnonzero(np.arange(p) < negatives)  # one of each pair y, -y
    signs = np.ones(p, dtype=np.int8)
    chosen = representatives[: (representatives.size + 1) // 2]
    signs[chosen] = signs[negatives[chosen]] = -1
    signs[0] = 1 if representatives.size % 2 else -1
    return signs


_PRIMITIVE_CONSTANT = {3: 1, 5: 3, 11: 3, 13: 11, 17: 7, 19: 5}
"""The b for which w² = w + b makes w a primitive element of GF(q²), by q."""

_ONE_SEQUENCE = {
    3: "0+++",
    11: "0++++--+-+++",
    19: "0++++++----+-++-+-+-",
}
"""q = 3 mod 8: one choice of half-lines, with its shifts by multiples of (q+1)/4."""

_TWO_SETS = {
    5: ((0, 3, 4, 6, 8), (0, 2, 6, 9, 10)),
    13: (
        (0, 1, 4, 7, 10, 12, 13, 14, 16, 17, 18, 24, 25),
        (0, 2, 3, 4, 10, 11, 14, 15, 18, 21, 24, 26, 27),
    ),
    17: (
        (0, 1, 2, 3, 4, 6, 14, 15, 17, 21, 22, 23, 30, 31, 32, 33, 34),
        (3, 4, 5, 12, 13, 14, 15, 16, 18, 19, 20, 21, 22, 24, 32, 33, 35),
    ),
}
"""q = 1 mod 4: two choices of half-lines, each with its shift by (q+1)/2."""


def half_lines(q: int) -> NDArray[np.intp]:
    """The half-lines L_i = {w^(i + 2(q+1)t)} of GF(q²), as indices in Z_q x Z_q.

    Args:
        q: one of the primes with a stored primitive element w, w² = w + b.

    Returns:
        Shape (2(q+1), (q-1)/2); the pair (x, y) for x + yw is numbered qx + y.
    """
    constant = _PRIMITIVE_CONSTANT[q]
    powers, (x, y) = [], (1, 0)
    for _ in range(q * q - 1):
        powers.append(q * x + y)
        x, y = constant * y % q, (x + y) % q
    return np.array(powers).reshape((q - 1) // 2, 2 * (q + 1)).T


def _chosen_half_lines(q: int) -> list[list[int]]:
    """The numbers of the half-lines in each of the four sets."""
    lines = 2 * (q + 1)
    if q in _TWO_SETS:
        shifts = (0, (q + 1) // 2)
        return [[(i + k) % lines for i in chosen] for chosen in _TWO_SETS[q] for k in shifts]
    offset = {"+": 0, "-": q + 1}
    chosen = [i + offset[sign] for i, sign in enumerate(_ONE_SEQUENCE[q]) if sign != "0"]
    return [[(i + k * (q + 1) // 4) % lines for i in chosen] for k in range(4)]


def half_line_matrix(q: int) -> SignMatrix:
    """The regular Hadamard matrix of order 4q² from four sets of half-lines of GF(q²).

    Each set is a union of q half-lines; the four functions have row sum q, so the
    Goethals-Seidel array with its first q² columns negated has row and column sums 2q.

    Reference: Xia and Liu, Journal of Combinatorial Theory A 58 (1991).
    """
    lines = half_lines(q)
    functions = np.ones((4, q * q), dtype=np.int8)
    for function, chosen in zip(functions, _chosen_half_lines(q), strict=True):
        function[lines[chosen]] = -1
    matrix = goethals_seidel_array(functions, (q, q))
    matrix[:, : q * q] *= -1
    return matrix


_STEINER_BLOCKS = ((0, 10, 27, 28, 31, 43, 50), (0, 11, 20, 25, 49, 55, 57))
"""Base blocks modulo 91 of a 2-(91, 7, 1) design, with the short orbit of 0, 13, ..., 78."""


def steiner_matrix_196() -> SignMatrix:
    """The regular symmetric Hadamard matrix of order 196 from a 2-(91, 7, 1) design.

    The Seidel matrix of the 195 blocks (-1 when they meet) and an isolated vertex has S² = 195 I
    - 2S up to sign; switched at one full orbit of 91 blocks its row sums are all 13, and S + I is
    the matrix.

    Reference: Goethals and Seidel, Canadian Journal of Mathematics 22 (1970); Mathon and Rosa,
    Annals of Discrete Mathematics 26 (1985), for the design.
    """
    points = [[(x + shift) % 91 for x in block] for block in _STEINER_BLOCKS for shift in range(91)]
    points += [[shift + 13 * i for i in range(7)] for shift in range(13)]
    incidence = np.zeros((195, 91), dtype=np.int8)
    np.put_along_axis(incidence, np.array(points), 1, axis=1)
    meet = (incidence @ incidence.T > 0).astype(np.int8)
    seidel = bordered(1, 1, 1, 1 - 2 * meet + 2 * np.eye(195, dtype=np.int8))
    signs = np.ones(196, dtype=np.int8)
    signs[1:92] = -1
    return signs[:, None] * seidel * signs[None, :]


_ORDER_4 = Family(
    "J - 2I",
    "Menon, Proceedings of the AMS 13 (1962)",
    (),
    lambda: 1 - 2 * np.eye(4, dtype=np.int8),
)
_TWIN = Family(
    "twin prime powers",
    "Stanton and Sprott, Canadian Journal of Mathematics 10 (1958); "
    "Wallis and Whiteman, Bulletin of the Australian Mathematical Society 7 (1972)",
    ("q",),
    twin_prime_power_matrix,
)
_HALF_LINES = Family(
    "half-lines",
    "Xia and Liu, Journal of Combinatorial Theory A 58 (1991)",
    ("q",),
    half_line_matrix,
)
_STEINER = Family(
    "Steiner graph of a 2-(91, 7, 1) design",
    "Goethals and Seidel, Canadian Journal of Mathematics 22 (1970)",
    (),
    steiner_matrix_196,
)


def plan_twin_prime_powers(n: int) -> Recipe | None:
    """The recipe of a regular symmetric matrix of order n = (q+1)², q and q+2 prime powers."""
    root = isqrt(n)
    if root % 2 or root * root != n or not (is_prime_power(root - 1) and is_prime_power(root + 1)):
        return None
    return Recipe(_TWIN, n, (root - 1,))


@lru_cache(maxsize=2**14)
def menon_matrix(t: int) -> SignMatrix:
    """The regular Hadamard matrix of order 4t², t = 3^b u² with an odd u.

    It is -1 where y - x lies in a Menon difference set: all sums are 4t² - 2(2t² - t) = 2t.

    Reference: Menon, Proceedings of the American Mathematical Society 13 (1962).
    """
    design = development(menon_turyn_difference_set(t))
    return 1 - 2 * incidence_matrix(design)


_MENON = Family(
    "Menon difference set",
    "Menon (1962); Turyn (1984); Wilson and Xiang (1997); Chen (1997)",
    ("t",),
    menon_matrix,
)


def plan_regular(n: int) -> Recipe | None:
    """A recipe for a regular Hadamard matrix of order n, or None if none is known here."""
    if n == 1:
        return plan_sylvester(1)
    t = isqrt(n) // 2
    if t < 1 or 4 * t * t != n:
        return None
    return _plan_primitive(t) or _plan_product(t)


def _plan_primitive(t: int) -> Recipe | None:
    n = 4 * t * t
    if t == 1:
        return Recipe(_ORDER_4, n)
    if t == 7:
        return Recipe(_STEINER, n)
    twin = plan_twin_prime_powers(n)
    if twin is not None:
        return twin
    if t in _PRIMITIVE_CONSTANT:
        return Recipe(_HALF_LINES, n, (t,))
    return Recipe(_MENON, n, (t,)) if t > 1 and has_orthogonal_quadruple(t) else None


def _plan_product(t: int) -> Recipe | None:
    """The product of orders 4r² and 4s² with 2rs = t."""
    if t % 2:
        return None
    for r in divisors(t // 2):
        left = _plan_primitive(r)
        right = left and plan_regular(4 * (t // 2 // r) ** 2)
        if left and right:
            return plan_product(left, right)
    return None
