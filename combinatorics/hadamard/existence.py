"""Which orders have Hadamard and conference matrices: built here, impossible, or unknown here.

No answer builds a matrix. "Unknown" states a date and is never a claim that none exists.
"""

from collections.abc import Callable
from math import isqrt

from combinatorics.construction import Existence, Exists, Impossible, Unknown
from combinatorics.hadamard.conference import is_sum_of_two_squares
from combinatorics.hadamard.planning import plan_conference, plan_hadamard, plan_symmetric
from combinatorics.hadamard.recipe import Recipe
from combinatorics.hadamard.regular import plan_regular
from combinatorics.hadamard.skew import plan_skew
from combinatorics.number_theory import is_prime_power
from verify.kernel.errors import InputError, LimitError
from verify.kernel.exact import excerpt

__all__ = [
    "KNOWLEDGE_DATE",
    "MAX_PLANNED_ORDER",
    "OPEN_ORDERS",
    "conference_existence",
    "hadamard_existence",
    "order_text",
    "regular_hadamard_existence",
    "skew_hadamard_existence",
    "symmetric_hadamard_existence",
]

KNOWLEDGE_DATE = "2026-11"
"""Year and month up to which the literature was searched for what is unknown here."""

OPEN_ORDERS = (668, 716, 892, 1132, 1244, 1388, 1436, 1676, 1772, 1916, 1948, 1964)
"""The orders up to 2000 for which no Hadamard matrix was known at ``KNOWLEDGE_DATE``."""

_CLAIMED_SKEW = (356, 476, 712, 952)
"""Skew orders claimed in public records of 2026 (356, 476 and their doubles), not rebuilt here."""

MAX_PLANNED_ORDER = 2**62
"""Orders above are not planned: factoring them may take long."""


def order_text(n: object) -> str:
    """An order as text short enough for a one-line message."""
    return excerpt(n).strip("'")


def _require_order(n: int, what: str, planned: tuple[int, ...] = (0,)) -> None:
    if type(n) is not int or n < 1:
        raise InputError(f"{what}: order {order_text(n)} is not a positive integer")
    if n > MAX_PLANNED_ORDER and n % 4 in planned:
        raise LimitError(
            f"{what}: an order of {n.bit_length()} bits is over the limit of 2^62 that is planned"
        )


def _forbidden_size(n: int) -> Impossible | None:
    if n in {1, 2} or n % 4 == 0:
        return None
    return Impossible(
        "Hadamard 1893: the order of a Hadamard matrix is 1, 2 or a multiple of 4",
        f"the order is {n % 4} mod 4",
    )


def _answer(
    n: int,
    plan: Callable[[int], Recipe | None],
    what: str,
    remark: str = "",
    *,
    in_literature: bool = False,
) -> Existence:
    recipe = plan(n)
    if recipe is not None:
        return Exists(recipe.construction)
    note = f"no construction of a {what} of order {order_text(n)} is known to this program{remark}"
    return Unknown(KNOWLEDGE_DATE, note, in_literature)


def hadamard_existence(n: int) -> Existence:
    """Whether a Hadamard matrix of order n exists, answered without building it.

    Returns:
        Exists with the construction that ``hadamard_matrix`` carries out; Impossible unless n is
        1, 2 or a multiple of 4; Unknown otherwise, with its date.

    Raises:
        InputError: if n is not a positive integer.
        LimitError: for multiples of 4 above ``MAX_PLANNED_ORDER``.

    >>> hadamard_existence(12).construction.name
    'Paley I(q=11)'
    >>> hadamard_existence(668).as_of
    '2026-11'
    """
    what = "Hadamard matrix"
    _require_order(n, what)
    remark = "; the order was open in the literature too" if n in OPEN_ORDERS else ""
    return _forbidden_size(n) or _answer(n, plan_hadamard, what, remark)


def skew_hadamard_existence(n: int) -> Existence:
    """Whether a Hadamard matrix of order n with H + H' = 2I exists, without building it.

    Raises:
        InputError, LimitError: as ``hadamard_existence``.
    """
    what = "skew Hadamard matrix"
    _require_order(n, what)
    claimed = n in _CLAIMED_SKEW
    remark = "; one is claimed in public records of late 2026" if claimed else ""
    return _forbidden_size(n) or _answer(n, plan_skew, what, remark, in_literature=claimed)


def symmetric_hadamard_existence(n: int) -> Existence:
    """Whether a symmetric Hadamard matrix of order n exists, without building it.

    Raises:
        InputError, LimitError: as ``hadamard_existence``.
    """
    what = "symmetric Hadamard matrix"
    _require_order(n, what)
    return _forbidden_size(n) or _answer(n, plan_symmetric, what)


def regular_hadamard_existence(n: int) -> Existence:
    """Whether a Hadamard matrix of order n with constant row sums exists, without building it.

    Raises:
        InputError, LimitError: as ``hadamard_existence``.
    """
    what = "regular Hadamard matrix"
    _require_order(n, what)
    forbidden = _forbidden_size(n)
    if forbidden is not None:
        return forbidden
    root = isqrt(n)
    if root * root != n:
        return Impossible(
            "counting: H e = s e and H H' = nI give s² = n, so the order is a square",
            f"{order_text(n)} is not a square",
        )
    t = root // 2
    published = is_prime_power(t) and (t % 4 == 1 or t % 8 == 3)
    remark = "; Xia and Liu (1991, 1996) prove that one exists" if published else ""
    return _answer(n, plan_regular, what, remark, in_literature=published)


def conference_existence(n: int) -> Existence:
    """Whether a conference matrix of order n exists, without building it.

    Raises:
        InputError, LimitError: as ``hadamard_existence``.
    """
    what = "conference matrix"
    _require_order(n, what, (0, 2))
    if n % 2 and n > 1:
        return Impossible(
            "parity: two rows of a conference matrix share n - 2 places of signs, so n is even",
            "the order is odd",
        )
    if n % 4 == 2 and not is_sum_of_two_squares(n - 1):
        return Impossible(
            "Raghavarao 1960; van Lint and Seidel 1966: for order n = 2 mod 4, n - 1 is a sum of "
            "two squares",
            f"{order_text(n - 1)} is not a sum of two squares",
        )
    return _answer(n, plan_conference, what)
