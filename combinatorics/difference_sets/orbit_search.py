"""All difference sets of an abelian group that are fixed by a group of multipliers.

If gcd(k, v) = 1 every set has a translate that all its multipliers fix, and any single multiplier
fixes a translate in any case. That translate is a union of orbits of x -> tx, so the search runs
over unions of orbits; with multipliers that a theorem guarantees it finds all sets.
"""

from math import gcd

import numpy as np
from numpy.typing import NDArray

from combinatorics.abelian_group import AbelianGroup
from combinatorics.difference_sets.equivalence import inequivalent_difference_sets
from combinatorics.difference_sets.family import abelian_difference_set
from combinatorics.difference_sets.multiplier import guaranteed_multipliers
from combinatorics.finite_field import Elements
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import DifferenceSet

__all__ = [
    "MAX_ORBITS",
    "classified_difference_sets",
    "difference_sets_fixed_by",
    "multiplier_orbits",
]

MAX_ORBITS = 48
"""Most orbits whose unions are searched."""
_CHUNK = 4096
Counts = NDArray[np.int32]


def multiplier_orbits(group: AbelianGroup, multipliers: tuple[int, ...]) -> list[Elements]:
    """The orbits of x -> tx on the group, t in the group of units that is given, largest first."""
    orbits, seen = [], np.zeros(group.order, dtype=bool)
    images = np.stack([group.multiple(group.elements(), t) for t in multipliers])
    for x in range(group.order):
        if not seen[x]:
            orbits.append(np.unique(images[:, x]))
            seen[orbits[-1]] = True
    return sorted(orbits, key=len, reverse=True)


def difference_sets_fixed_by(
    group: AbelianGroup, k: int, lambda_: int, multipliers: tuple[int, ...]
) -> list[DifferenceSet]:
    """Every (v, k, lambda) difference set D with tD = D for all t given, *exact* and complete.

    Args:
        group: the group.
        k: number of elements.
        lambda_: with k(k-1) = lambda(v-1).
        multipliers: a group of units modulo the exponent.

    Raises:
        LimitError: for more than ``MAX_ORBITS`` orbits.
    """
    orbits = multiplier_orbits(group, multipliers)
    if len(orbits) > MAX_ORBITS:
        raise LimitError(f"{len(orbits)} orbits of multipliers: over the limit of {MAX_ORBITS}")
    search = _OrbitUnions(group, orbits, k, lambda_)
    return [
        abelian_difference_set(
            group.orders, np.concatenate([orbits[i] for i in np.flatnonzero(row)])
        )
        for row in search.solutions()
    ]


class _OrbitUnions:
    """Unions of orbits with the autocorrelation of a difference set, counted on orbits."""

    def __init__(self, group: AbelianGroup, orbits: list[Elements], k: int, lambda_: int) -> None:
        self.k, self.sizes = k, [len(orbit) for orbit in orbits]
        self.target = np.full(len(orbits), lambda_, dtype=np.int32)
        label = np.zeros(group.order, dtype=np.int64)
        for i, orbit in enumerate(orbits):
            label[orbit] = i
        self.target[label[0]] = k
        # cross[i, j, r]: pairs of orbits i and j whose difference is a fixed element of orbit r.
        self.cross = np.zeros((len(orbits),) * 3, dtype=np.int32)
        for r, orbit in enumerate(orbits):
            moved = label[group.add(group.elements(), orbit[0])]
            pairs = np.bincount(moved * len(orbits) + label, minlength=len(orbits) ** 2)
            self.cross[:, :, r] = pairs.reshape(len(orbits), len(orbits))

    def solutions(self) -> NDArray[np.bool_]:
        """The selections of orbits, one a row."""
        count = len(self.sizes)
        remaining = np.cumsum([0, *self.sizes[::-1]])[::-1]
        found = [np.zeros((0, count), dtype=bool)]
        start = (np.zeros((1, count), dtype=bool), np.zeros((1, count), dtype=np.int32))
        pending = [(0, *start)]
        while pending:
            depth, chosen, counts = pending.pop()
            if depth == count:
                found.append(chosen[(counts == self.target).all(axis=1)])
                continue
            with_orbit = self._with_orbit(depth, chosen, counts)
            for rows, row_counts in ((chosen, counts), with_orbit):
                size = rows @ np.array(self.sizes)
                kept = (size <= self.k) & (size + remaining[depth + 1] >= self.k)
                kept &= (row_counts <= self.target).all(axis=1)
                alive = np.flatnonzero(kept)
                for i in range(0, len(alive), _CHUNK):
                    part = alive[i : i + _CHUNK]
                    pending.append((depth + 1, rows[part], row_counts[part]))
        return np.concatenate(found)

    def _with_orbit(
        self, i: int, chosen: NDArray[np.bool_], counts: Counts
    ) -> tuple[NDArray[np.bool_], Counts]:
        added = chosen.astype(np.int32) @ (self.cross[i] + self.cross[:, i])
        extended = chosen.copy()
        extended[:, i] = True
        return extended, counts + added + self.cross[i, i]


def classified_difference_sets(group: AbelianGroup, k: int, lambda_: int) -> list[DifferenceSet]:
    """One (v, k, lambda) difference set of each equivalence class, by guaranteed multipliers.

    Returns:
        The classes, *exact* and complete; empty if there is no difference set.

    Raises:
        InputError: if no theorem guarantees a multiplier other than 1; the search along normal
            subgroups needs none.
        LimitError: for more than ``MAX_ORBITS`` orbits.
    """
    multipliers = guaranteed_multipliers(group.order, k, lambda_, group.exponent)
    if gcd(k, group.order) != 1:
        multipliers = max((_cyclic(t, group.exponent) for t in multipliers), key=len)
    if len(multipliers) == 1 and group.exponent > 2:
        raise InputError(f"({group.order}, {k}, {lambda_}): no theorem guarantees a multiplier")
    sets = difference_sets_fixed_by(group, k, lambda_, multipliers)
    return inequivalent_difference_sets(_up_to_units(group, sets))


def _cyclic(t: int, modulus: int) -> tuple[int, ...]:
    powers, power = [1 % modulus], t % modulus
    while power != 1 % modulus:
        powers.append(power)
        power = power * t % modulus
    return tuple(powers)


def _up_to_units(group: AbelianGroup, sets: list[DifferenceSet]) -> list[DifferenceSet]:
    """One set for each orbit under x -> tx, t coprime to the exponent."""
    remaining = {candidate.elements: candidate for candidate in sets}
    chosen = []
    while remaining:
        candidate = next(iter(remaining.values()))
        chosen.append(candidate)
        for t in group.multiplier_units():
            image = np.sort(group.multiple(np.array(candidate.elements), t))
            remaining.pop(tuple(image.tolist()), None)
    return chosen
