"""Which recipe makes a Hadamard matrix of a given order, cheapest first.

Orders are products: n = ab with a from a direct construction and b planned in the same way. A
first pass uses only Sylvester's and Paley's matrices, whose recipes are decided by one primality
test; a second pass uses every construction.
"""

from collections.abc import Callable
from functools import lru_cache

import numpy as np

from combinatorics.hadamard.conference import plan_conference_doubling, plan_symmetric_conference
from combinatorics.hadamard.divisors import divisors
from combinatorics.hadamard.kharaghani import plan_kharaghani
from combinatorics.hadamard.miyamoto import miyamoto
from combinatorics.hadamard.paley import plan_paley_1, plan_paley_2, plan_paley_symmetric
from combinatorics.hadamard.propus import plan_propus
from combinatorics.hadamard.recipe import Family, Recipe
from combinatorics.hadamard.regular import plan_twin_prime_powers
from combinatorics.hadamard.skew import plan_skew
from combinatorics.hadamard.supplementary_difference_sets import plan_supplementary_difference_sets
from combinatorics.hadamard.sylvester import plan_product, plan_sylvester
from combinatorics.hadamard.williamson import (
    plan_t_sequences_with_williamson,
    plan_williamson_matrix,
)
from combinatorics.hadamard.yamada import yamada_from_conference, yamada_from_skew
from combinatorics.number_theory import is_prime_power

__all__ = ["plan_conference", "plan_hadamard", "plan_symmetric"]

_MIYAMOTO = Family(
    "Miyamoto", "Miyamoto, Journal of Combinatorial Theory A 57 (1991)", (), miyamoto
)
_YAMADA = "Yamada, Journal of the Australian Mathematical Society A 46 (1989)"
_YAMADA_SKEW = Family("Yamada 4(q+2)", _YAMADA, ("q",), yamada_from_skew)
_YAMADA_CONFERENCE = Family("Yamada 4(q+2)", _YAMADA, ("q",), yamada_from_conference)


def _plan_miyamoto(n: int) -> Recipe | None:
    q = n // 4
    if n % 16 != 4 or not is_prime_power(q):
        return None
    conference, smaller = plan_symmetric_conference(q + 1), plan_hadamard(q - 1)
    return conference and smaller and Recipe(_MIYAMOTO, n, (), (conference, smaller))


def _plan_yamada(n: int) -> Recipe | None:
    q = n // 4 - 2
    if n % 4 or q % 4 != 1 or not is_prime_power(q):
        return None
    if q % 8 == 5:
        skew = plan_skew((q + 3) // 2)
        return skew and Recipe(_YAMADA_SKEW, n, (q,), (skew,))
    conference = plan_symmetric_conference((q + 3) // 2)
    return conference and Recipe(_YAMADA_CONFERENCE, n, (q,), (conference,))


_SKEW_CORE = Family(
    "skew Hadamard matrix without its diagonal",
    "Belevitch, Annales de la Société scientifique de Bruxelles 82 (1968)",
    (),
    lambda skew: skew - np.eye(skew.shape[0], dtype=np.int8),
)
_CONFERENCE_1 = Family(
    "zero of order 1", "Belevitch (1968)", (), lambda: np.zeros((1, 1), dtype=np.int8)
)

_Planner = Callable[[int], Recipe | None]
_PALEY_ORDERS: tuple[_Planner, ...] = (plan_sylvester, plan_paley_1, plan_paley_2)
_ALL: tuple[_Planner, ...] = (
    *_PALEY_ORDERS,
    plan_supplementary_difference_sets,
    plan_williamson_matrix,
    _plan_yamada,
    _plan_miyamoto,
    plan_t_sequences_with_williamson,
    plan_kharaghani,
    plan_skew,
)

_SYMMETRIC: tuple[_Planner, ...] = (
    plan_sylvester,
    plan_paley_symmetric,
    plan_paley_2,
    plan_conference_doubling,
    plan_propus,
    plan_twin_prime_powers,
)


@lru_cache(maxsize=2**14)
def _plan_direct(n: int, planners: tuple[_Planner, ...]) -> Recipe | None:
    recipes = (planner(n) for planner in planners)
    return next((recipe for recipe in recipes if recipe is not None), None)


@lru_cache(maxsize=2**14)
def _plan_with(n: int, planners: tuple[_Planner, ...]) -> Recipe | None:
    direct = _plan_direct(n, planners)
    if direct is not None:
        return direct
    for a in divisors(n):
        b = n // a
        if (a == 2 or a % 4 == 0) and b % 4 == 0 and a <= b:
            left = _plan_direct(a, planners)
            right = left and _plan_with(b, planners)
            if left and right:
                return plan_product(left, right)
    return None


def plan_hadamard(n: int) -> Recipe | None:
    """A recipe for a Hadamard matrix of order n, or None if none is known here.

    Nothing is built: the cost is that of factoring n and of primality tests.
    """
    if n < 1 or (n > 2 and n % 4):
        return None
    return _plan_with(n, _PALEY_ORDERS) or _plan_with(n, _ALL)


def plan_symmetric(n: int) -> Recipe | None:
    """A recipe for a symmetric Hadamard matrix of order n, or None if none is known here."""
    if n < 1 or (n > 2 and n % 4):
        return None
    return _plan_with(n, _SYMMETRIC)


def plan_conference(n: int) -> Recipe | None:
    """A recipe for a conference matrix of order n, symmetric or skew, or None if none is known."""
    if n == 1:
        return Recipe(_CONFERENCE_1, n)
    skew = plan_skew(n) if n % 4 == 0 else None
    return plan_symmetric_conference(n) if skew is None else Recipe(_SKEW_CORE, n, (), (skew,))
