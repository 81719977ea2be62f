"""Szekeres pairs, and the skew Hadamard matrices of order 2v + 2 that they make.

A pair is two subsets of size (v-1)/2 of an abelian group of odd order v whose matrices P, Q (-1 on
the set, +1 off it) satisfy PP' + QQ' = (2v+2)I - 2J; of x and -x, x != 0, one is in the first set.
"""

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from combinatorics.finite_field import FiniteField
from combinatorics.hadamard.recipe import Family, Recipe
from combinatorics.hadamard.sign_matrix import SignMatrix, group_matrix
from combinatorics.number_theory import prime_power
from verify.kernel.errors import InputError

__all__ = ["plan_szekeres", "plan_szekeres_pair", "szekeres_matrix", "szekeres_pair_functions"]


def _signs_on(elements: NDArray[np.integer], size: int) -> SignMatrix:
    function = np.ones(size, dtype=np.int8)
    function[elements] = -1
    return function


def szekeres_matrix(pair: SignMatrix, moduli: tuple[int, ...]) -> SignMatrix:
    """The skew Hadamard matrix of order 2v + 2 of a Szekeres pair.

    Args:
        pair: the two functions, -1 on the sets and +1 off them, shape (2, v), the skew one first.
        moduli: of the group, elements numbered lexicographically.

    Reference: Szekeres, L'Enseignement Mathematique 15 (1969); Whiteman, Pacific Journal of
    Mathematics 38 (1971).
    """
    a, b = (group_matrix(row, moduli) for row in pair)
    v = a.shape[0]
    matrix = np.ones((2 * v + 2, 2 * v + 2), dtype=np.int8)
    matrix[1, 0] = -1
    matrix[1, 2 + v :] = -1
    matrix[2:, 0] = -1
    matrix[2 : 2 + v, 1] = -1
    matrix[2:, 2:] = np.block([[a, b], [-b.T, a.T]])
    return matrix


def _cyclotomic_pair(q: int) -> SignMatrix:
    """Unions of cyclotomic classes: of order 4 for q = 5 mod 8, else of order 8."""
    field = FiniteField(q)
    order, first, second = (4, (0, 1), (0, 3)) if q % 8 == 5 else (8, (0, 1, 2, 3), (0, 1, 6, 7))
    sets = (
        np.concatenate([field.cyclotomic_class(i, order) for i in chosen])
        for chosen in (first, second)
    )
    return np.stack([_signs_on(elements, q) for elements in sets])


def _residue_pair(v: int) -> SignMatrix:
    """The pair in Z_v for 2v + 1 = p prime: where g^(2i) - 1 and g^(2i) + 1 are squares mod p."""
    field = FiniteField(2 * v + 1)
    squares = field.exp[::2]
    first = field.quadratic_character(field.sub(squares, 1)) == 1
    second = field.quadratic_character(field.add(squares, 1)) == 1
    if np.count_nonzero(second) != (v - 1) // 2:
        second = ~second
    return np.where(np.stack([first, second]), -1, 1).astype(np.int8)


def _square_pair(v: int) -> SignMatrix:
    """The squares of Z_v twice, v = 3 mod 4 a prime."""
    function = _signs_on(FiniteField(v).cyclotomic_class(0, 2), v)
    return np.stack([function, function])


_CYCLOTOMIC = Family(
    "cyclotomic Szekeres pair",
    "Szekeres, L'Enseignement Mathematique 15 (1969); "
    "Whiteman, Pacific Journal of Mathematics 38 (1971)",
    ("q",),
    _cyclotomic_pair,
)
_RESIDUE = Family(
    "Szekeres pair of residues",
    "Szekeres, L'Enseignement Mathematique 15 (1969)",
    ("v",),
    _residue_pair,
)
_SQUARES = Family(
    "Paley difference set twice",
    "Spence, Canadian Journal of Mathematics 27 (1975)",
    ("v",),
    _square_pair,
)


def _is_cyclotomic(q: int) -> bool:
    decomposition = prime_power(q)
    if decomposition is None:
        return False
    p, exponent = decomposition
    return q % 8 == 5 or (p % 8 == 5 and exponent % 4 == 2)


@lru_cache(maxsize=2**14)
def plan_szekeres_pair(v: int) -> Recipe | None:
    """A recipe for a Szekeres pair in the cyclic group Z_v, or None if none is known here."""
    decomposition, above = prime_power(v), prime_power(2 * v + 1)
    if decomposition == (v, 1) and v % 8 == 5:
        return Recipe(_CYCLOTOMIC, v, (v,))
    if decomposition == (v, 1) and v % 4 == 3:
        return Recipe(_SQUARES, v, (v,))
    if v % 2 and above == (2 * v + 1, 1):
        return Recipe(_RESIDUE, v, (v,))
    return None


def szekeres_pair_functions(v: int) -> SignMatrix:
    """A Szekeres pair in Z_v as two functions, -1 on the sets, shape (2, v).

    Raises:
        InputError: when no construction in Z_v is known here.
    """
    recipe = plan_szekeres_pair(v)
    if recipe is None:
        raise InputError(f"Szekeres pair in Z_{v}: no construction is known here")
    return recipe.build()


def _szekeres_whiteman(q: int) -> SignMatrix:
    field = FiniteField(q)
    return szekeres_matrix(_cyclotomic_pair(q), (field.p,) * field.degree)


_SZEKERES_WHITEMAN = Family("Szekeres-Whiteman", _CYCLOTOMIC.reference, ("q",), _szekeres_whiteman)


def plan_szekeres(n: int) -> Recipe | None:
    """The recipe of the skew Hadamard matrix of order n = 2(q+1), or None."""
    if n % 4 == 0 and _is_cyclotomic(n // 2 - 1):
        return Recipe(_SZEKERES_WHITEMAN, n, (n // 2 - 1,))
    return None
