"""Four supplementary difference sets in an abelian group, in the Goethals-Seidel array.

The sets are held as functions, -1 on the set and +1 off it, whose periodic autocorrelations add
to zero. If the first function is skew, a(0) = 1 and a(-x) = -a(x), so is the matrix.
"""

from functools import cache
from math import prod

import numpy as np

from combinatorics.hadamard.arrays import goethals_seidel_array
from combinatorics.hadamard.recipe import Family, Recipe
from combinatorics.hadamard.sign_matrix import SignMatrix, negation, parse_signs
from combinatorics.hadamard.stored import stored_rows

__all__ = [
    "plan_skew_supplementary_difference_sets",
    "plan_supplementary_difference_sets",
]


def _from_storage(moduli: tuple[int, ...]) -> SignMatrix:
    rows = parse_signs(stored_rows("supplementary_difference_sets")[moduli])
    return goethals_seidel_array(rows, moduli)


def _from_good_matrices(m: int) -> SignMatrix:
    return goethals_seidel_array(parse_signs(stored_rows("good_matrices")[(m,)]), (m,))


_SETS = Family(
    "Goethals-Seidel with supplementary difference sets",
    "Goethals and Seidel, Journal of the Australian Mathematical Society 11 (1970); "
    "Djokovic, Golubitsky and Kotsireas, Journal of Combinatorial Designs 22 (2014)",
    ("moduli",),
    _from_storage,
)
_GOOD = Family(
    "good matrices",
    "Szekeres, A note on skew type orthogonal +-1 matrices (1988); Djokovic, JCMCC 14 (1993)",
    ("m",),
    _from_good_matrices,
)


def _is_skew_function(row: str, moduli: tuple[int, ...]) -> bool:
    function = parse_signs((row,))[0]
    opposite = -function
    opposite[0] = function[0]
    return bool(function[0] == 1 and np.array_equal(function[negation(moduli)], opposite))


@cache
def _recipes(*, skew: bool) -> dict[int, Recipe]:
    recipes: dict[int, Recipe] = {}
    for moduli, rows in stored_rows("supplementary_difference_sets").items():
        if not skew or _is_skew_function(rows[0], moduli):
            order = 4 * prod(moduli)
            recipes[order] = Recipe(_SETS, order, (moduli,))
    for (m,) in stored_rows("good_matrices"):
        recipes[4 * m] = Recipe(_GOOD, 4 * m, (m,))
    return recipes


def plan_supplementary_difference_sets(n: int) -> Recipe | None:
    """The recipe of stored sets for order n, or None."""
    return _recipes(skew=False).get(n)


def plan_skew_supplementary_difference_sets(n: int) -> Recipe | None:
    """The recipe of stored sets with a skew first function for order n, or None."""
    return _recipes(skew=True).get(n)
