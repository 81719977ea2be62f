"""Whether a 2-(v, k, lambda) design exists: built here, forbidden by a theorem, or unknown here."""

from combinatorics.balanced_design import block_design_plans
from combinatorics.construction import Existence, Exists, Unknown
from combinatorics.obstruction import design_obstruction, is_symmetric, spelled, undecided_factor
from combinatorics.symmetric.registry import require_parameters

__all__ = ["KNOWLEDGE_DATE", "existence"]

KNOWLEDGE_DATE = "2026-11"
"""Year and month up to which the literature was searched for what is unknown here."""

_IN_LITERATURE = {
    (71, 21, 6): "Janko and Tran van Trung 1985",
    (105, 40, 15): "Janko 1999",
    (189, 48, 12): "Janko 1997",
}
"""Symmetric designs that are published but have no construction here."""


def existence(v: int, k: int, lambda_: int) -> Existence:
    """Whether a 2-(v, k, lambda) design exists, answered without building it.

    Theorems about difference sets or designs with a given group are not used: they forbid no
    design.

    Args:
        v: number of points, at most 1000 bits.
        k: points on a block, 2 <= k < v.
        lambda_: blocks on two points, at least 1.

    Returns:
        ``Exists`` with the construction that is used here, ``Impossible`` with its theorem, or
        ``Unknown`` with its date; the last is never a claim that there is none.

    Raises:
        InputError: unless 2 <= k < v and lambda >= 1.
        LimitError: for longer parameters.

    >>> existence(7, 3, 1).construction.name
    'Singer, q = 2, d = 2'
    >>> existence(43, 7, 1).theorem
    'Bruck-Ryser-Chowla theorem (Chowla and Ryser 1950)'
    >>> existence(157, 13, 1).as_of
    '2026-11'
    """
    require_parameters(v, k, lambda_)
    broken = design_obstruction(v, k, lambda_)
    if broken is not None:
        return broken
    plan = next(block_design_plans(v, k, lambda_), None)
    if plan is not None:
        return Exists(plan.construction)
    complement = (v, v - k, v - 2 * k + lambda_)
    published = _IN_LITERATURE.get((v, k, lambda_)) or _IN_LITERATURE.get(complement)
    if published:
        note = f"it exists ({published}), but no construction of it is here"
        return Unknown(KNOWLEDGE_DATE, note, in_literature=True)
    return Unknown(KNOWLEDGE_DATE, _open_note(v, k, lambda_))


def _open_note(v: int, k: int, lambda_: int) -> str:
    note = "no construction is known here, and no theorem here forbids it"
    factor = undecided_factor(v, k, lambda_) if is_symmetric(v, k, lambda_) else None
    if factor is not None:
        note += f"; the Bruck-Ryser-Chowla condition is open at the factors of {spelled(factor)}"
    return note
