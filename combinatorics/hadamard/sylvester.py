"""Sylvester's matrices of order 2^k, and the Kronecker product of Hadamard matrices."""

from functools import reduce

import numpy as np

from combinatorics.hadamard.recipe import Family, Recipe
from combinatorics.hadamard.sign_matrix import SignMatrix

__all__ = ["kronecker", "plan_product", "plan_sylvester", "sylvester"]

_SYLVESTER_1867 = "Sylvester, Philosophical Magazine 34 (1867)"


def sylvester(order: int) -> SignMatrix:
    """The symmetric matrix of order 2^k with entries (-1)^(x.y).

    Args:
        order: a power of two.

    Reference: Sylvester, Philosophical Magazine 34 (1867).
    """
    matrix = np.ones((1, 1), dtype=np.int8)
    while matrix.shape[0] < order:
        matrix = np.block([[matrix, matrix], [matrix, -matrix]])
    return matrix


def kronecker(*factors: SignMatrix) -> SignMatrix:
    """The Kronecker product: Hadamard, symmetric or regular when all factors are.

    Reference: Sylvester, Philosophical Magazine 34 (1867).
    """
    return reduce(np.kron, factors)


_SYLVESTER = Family("Sylvester", _SYLVESTER_1867, ("order",), sylvester)
_PRODUCT = Family("Kronecker product", _SYLVESTER_1867, (), kronecker)


def plan_sylvester(n: int) -> Recipe | None:
    """The recipe of Sylvester's matrix for order n, or None when n is not a power of two."""
    return Recipe(_SYLVESTER, n, (n,)) if n & (n - 1) == 0 else None


def plan_product(left: Recipe, right: Recipe) -> Recipe:
    """The recipe of a Kronecker product: products are flattened, Sylvester's factors joined."""
    factors = [*_factors(left), *_factors(right)]
    power = 1
    for factor in factors:
        power *= factor.order if factor.family is _SYLVESTER else 1
    others = [factor for factor in factors if factor.family is not _SYLVESTER]
    first = [Recipe(_SYLVESTER, power, (power,))] if power > 1 else []
    return Recipe(_PRODUCT, left.order * right.order, (), (*first, *others))


def _factors(recipe: Recipe) -> tuple[Recipe, ...]:
    return recipe.parts if recipe.family is _PRODUCT else (recipe,)
