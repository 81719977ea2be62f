"""Every family of difference sets, and the difference set with given parameters.

The parameters of a set are also looked for as those of a complement, (v, v-k, v-2k+lambda).
"""

from collections.abc import Iterator
from dataclasses import dataclass

from combinatorics.construction import Construction
from combinatorics.difference_sets.building_set import MCFARLAND, SPENCE
from combinatorics.difference_sets.chen import CHEN
from combinatorics.difference_sets.cyclotomic import (
    HALL_SEXTIC,
    OCTIC,
    OCTIC_WITH_ZERO,
    PALEY,
    QUARTIC,
    QUARTIC_WITH_ZERO,
)
from combinatorics.difference_sets.davis_jedwab import DAVIS_JEDWAB
from combinatorics.difference_sets.family import (
    Arguments,
    ConstructedDifferenceSet,
    DifferenceSetFamily,
    complement_difference_set,
)
from combinatorics.difference_sets.menon import MENON_HADAMARD
from combinatorics.difference_sets.power_functions import (
    DILLON_DOBBERTIN,
    DING_YUAN,
    HELLESETH_KUMAR_MARTINSEN,
    LIN,
    MASCHIETTI,
)
from combinatorics.difference_sets.singer import GORDON_MILLS_WELCH, SINGER
from combinatorics.difference_sets.sporadic import SPORADIC
from combinatorics.difference_sets.twin_prime import TWIN_PRIME_POWER, WHITEMAN
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import MAX_PAIRS, DifferenceSet

__all__ = [
    "FAMILIES",
    "FamilyMember",
    "constructed_difference_set",
    "difference_set",
    "difference_set_construction",
    "family_members",
    "is_difference_set_constructible",
]

FAMILIES: tuple[DifferenceSetFamily, ...] = (
    SINGER,
    PALEY,
    QUARTIC,
    QUARTIC_WITH_ZERO,
    OCTIC,
    OCTIC_WITH_ZERO,
    TWIN_PRIME_POWER,
    WHITEMAN,
    MCFARLAND,
    SPENCE,
    MENON_HADAMARD,
    DAVIS_JEDWAB,
    CHEN,
    *SPORADIC,
    HALL_SEXTIC,
    GORDON_MILLS_WELCH,
    DILLON_DOBBERTIN,
    MASCHIETTI,
    LIN,
    HELLESETH_KUMAR_MARTINSEN,
    DING_YUAN,
)
"""The families, those that reach new parameters first."""


@dataclass(frozen=True, slots=True)
class FamilyMember:
    """A difference set that can be built, without building it.

    Args:
        family: the family.
        arguments: the arguments of its ``build``.
        is_complement: whether the complement of the member is meant.
    """

    family: DifferenceSetFamily
    arguments: Arguments
    is_complement: bool

    @property
    def construction(self) -> Construction:
        """Name and reference."""
        construction = self.family.construction(self.arguments)
        if not self.is_complement:
            return construction
        return Construction(f"complement of {construction.name}", construction.reference)

    def build(self) -> DifferenceSet:
        """The difference set."""
        member = self.family.build(*self.arguments)
        return complement_difference_set(member) if self.is_complement else member


def _require_parameters(v: int, k: int, lambda_: int) -> None:
    for name, value in (("v", v), ("k", k), ("lambda", lambda_)):
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(f"{name} = {value!r} is not an integer")
    if not (lambda_ >= 1 and 2 <= k <= v - 2):
        raise InputError(f"({v}, {k}, {lambda_}): needs lambda >= 1 and 2 <= k <= v - 2")
    if k * (k - 1) != lambda_ * (v - 1):
        raise InputError(f"({v}, {k}, {lambda_}): k(k-1) = {k * (k - 1)} is not lambda(v-1)")


def family_members(v: int, k: int, lambda_: int) -> Iterator[FamilyMember]:
    """Every family member with these parameters, in the order of ``FAMILIES``, unbuilt.

    Raises:
        InputError: for parameters that fail k(k-1) = lambda(v-1).
    """
    _require_parameters(v, k, lambda_)
    for family in FAMILIES:
        for arguments in family.arguments(v, k, lambda_):
            yield FamilyMember(family, arguments, is_complement=False)
        for arguments in family.arguments(v, v - k, v - 2 * k + lambda_):
            yield FamilyMember(family, arguments, is_complement=True)


def is_difference_set_constructible(v: int, k: int, lambda_: int) -> bool:
    """Whether a family has these parameters; answers at once, whatever the size."""
    return difference_set_construction(v, k, lambda_) is not None


def difference_set_construction(v: int, k: int, lambda_: int) -> Construction | None:
    """How a set with these parameters would be built, or None; answers at once."""
    member = next(family_members(v, k, lambda_), None)
    return None if member is None else member.construction


def constructed_difference_set(
    v: int, k: int, lambda_: int, *, family: str | None = None
) -> ConstructedDifferenceSet:
    """A (v, k, lambda) difference set with its provenance.

    Args:
        v: order of the group.
        k: number of elements.
        lambda_: how often each element but the identity is a quotient.
        family: name of the family to take it from; by default the first that has one.

    Raises:
        InputError: for parameters that fail k(k-1) = lambda(v-1), or that no family has.
        LimitError: for a set too large to be checked.
    """
    members = family_members(v, k, lambda_)
    chosen = (m for m in members if family is None or m.family.name == family)
    member = next(chosen, None)
    if member is None:
        where = "no family" if family is None else f"no family named {family!r}"
        raise InputError(f"({v}, {k}, {lambda_}): {where} has these parameters")
    if k * k > MAX_PAIRS:
        raise LimitError(
            f"({v}, {k}, {lambda_}): {k * k} pairs of elements are over the limit of {MAX_PAIRS}"
        )
    return ConstructedDifferenceSet(member.build(), member.construction)


def difference_set(v: int, k: int, lambda_: int) -> DifferenceSet:
    """A (v, k, lambda) difference set; ``constructed_difference_set`` adds its provenance.

    >>> difference_set(7, 3, 1).elements
    (1, 2, 4)
    """
    return constructed_difference_set(v, k, lambda_).difference_set
