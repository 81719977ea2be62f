"""Whether some group has a (v, k, lambda) difference set: built here, forbidden, or unknown."""

from combinatorics.abelian_group import abelian_groups
from combinatorics.construction import Existence, Exists, Impossible, Unknown
from combinatorics.design_existence import KNOWLEDGE_DATE
from combinatorics.difference_sets.registry import difference_set_construction
from combinatorics.number_theory import factorize
from combinatorics.obstruction import design_obstruction, is_symmetric, spelled
from combinatorics.self_conjugacy import difference_set_obstruction
from combinatorics.symmetric.registry import require_parameters
from verify.kernel.errors import InputError

__all__ = ["difference_set_existence"]

_MAX_ABELIAN_ORDER = 10**9
"""Largest order for which all abelian groups are gone through."""


def difference_set_existence(v: int, k: int, lambda_: int) -> Existence:
    """Whether some group of order v has a (v, k, lambda) difference set, without building one.

    A difference set gives a symmetric design, so theorems on designs forbid it too. Theorems on
    abelian groups forbid it only when every group of that order is abelian; otherwise they are
    named in the note of ``Unknown``.

    Args:
        v: order of the group.
        k: size, 2 <= k <= v - 2.
        lambda_: how often each element but the identity is a quotient, at least 1.

    Raises:
        InputError: for parameters outside these bounds.
        LimitError: for v over 1000 bits.

    >>> difference_set_existence(7, 3, 1).construction.name
    'Singer, q = 2, d = 2'
    """
    require_parameters(v, k, lambda_)
    if k > v - 2:
        raise InputError(f"k = {spelled(k)}: a difference set needs 2 <= k <= v - 2")
    if not is_symmetric(v, k, lambda_):
        return Impossible(
            "double counting",
            f"k (k - 1) = {spelled(k * (k - 1))}, but lambda (v - 1) = "
            f"{spelled(lambda_ * (v - 1))}",
        )
    broken = design_obstruction(v, k, lambda_)
    if broken is not None:
        return broken
    construction = difference_set_construction(v, k, lambda_)
    if construction is not None:
        return Exists(construction)
    return _without_construction(v, k, lambda_)


def _without_construction(v: int, k: int, lambda_: int) -> Existence:
    note = "no construction is known here, and no theorem here forbids it in every group"
    if v > _MAX_ABELIAN_ORDER:
        return Unknown(KNOWLEDGE_DATE, note)
    broken = [difference_set_obstruction(group.orders, k, lambda_) for group in abelian_groups(v)]
    excluded = [theorem for theorem in broken if theorem is not None]
    if len(excluded) == len(broken):
        if _all_groups_abelian(v):
            return Impossible(excluded[0].theorem, excluded[0].reason)
        note = f"no abelian group of order {v} has one ({excluded[0].theorem})"
    elif excluded:
        note += f"; {len(excluded)} of {len(broken)} abelian groups are excluded"
    return Unknown(KNOWLEDGE_DATE, note)


def _all_groups_abelian(v: int) -> bool:
    """Whether every group of order v is abelian.

    That is so exactly when v is free of cubes and no prime power p^i, i at most its exponent in
    v, is 1 modulo another prime that divides v.

    Reference: Dickson (1905), Definitions of a group and a field by independent postulates.
    """
    factors = factorize(v).primes
    return all(e <= 2 for _, e in factors) and all(
        (p**i - 1) % q for p, e in factors for i in range(1, e + 1) for q, _ in factors if q != p
    )
