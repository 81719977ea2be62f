"""Equivalence of difference sets in an abelian group: D' = phi(D) + g, phi an automorphism."""

from dataclasses import dataclass

import numpy as np

from combinatorics.difference_sets.multiplier import abelian_group_of, translation_between
from combinatorics.finite_field import Elements
from verify.kernel.incidence import DifferenceSet

__all__ = ["Equivalence", "are_equivalent", "equivalence", "inequivalent_difference_sets"]


@dataclass(frozen=True, slots=True, eq=False)
class Equivalence:
    """An automorphism phi and a translation g with D' = phi(D) + g.

    Args:
        automorphism: the images of the group elements.
        translation: g.
    """

    automorphism: Elements
    translation: int


def equivalence(first: DifferenceSet, second: DifferenceSet) -> Equivalence | None:
    """How the second set arises from the first, or None if they are not equivalent; *exact*.

    Args:
        first: a subset of an abelian group.
        second: a subset of the same group, written by the same cyclic factors.

    Raises:
        LimitError: if the group has too many automorphisms.
    """
    group = abelian_group_of(first)
    if group != abelian_group_of(second) or len(first.elements) != len(second.elements):
        return None
    elements = np.array(first.elements, dtype=np.int64)
    target = np.array(second.elements, dtype=np.int64)
    for images in group.automorphisms():
        translation = translation_between(group, images[elements], target)
        if translation is not None:
            return Equivalence(images, translation)
    return None


def are_equivalent(first: DifferenceSet, second: DifferenceSet) -> bool:
    """Whether an automorphism and a translation take one set to the other."""
    return equivalence(first, second) is not None


def inequivalent_difference_sets(sets: list[DifferenceSet]) -> list[DifferenceSet]:
    """The first set of each equivalence class, in the order given."""
    chosen: list[DifferenceSet] = []
    for candidate in sets:
        if not any(are_equivalent(candidate, other) for other in chosen):
            chosen.append(candidate)
    return chosen
