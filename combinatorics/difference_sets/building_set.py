"""Building sets and the McFarland and Spence difference sets made of them.

A covering extended building set of an abelian group G: subsets B_1, ..., B_h ("blocks") such that
for every nonprincipal character of G exactly one block has a nonzero sum, of modulus m; h-1 blocks
have a elements and one has a+m or a-m. In every abelian group that contains G with index h, the
blocks moved to the h cosets of G form a difference set with k = ah+m or ah-m and n = m^2.

Reference: Davis and Jedwab (1997), A unifying construction for difference sets, theorem 2.4.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations
from math import prod

import numpy as np
from numpy.typing import NDArray

from combinatorics.abelian_group import AbelianGroup
from combinatorics.difference_sets.family import (
    Arguments,
    DifferenceSetFamily,
    abelian_difference_set,
    integer_root,
)
from combinatorics.finite_field import Elements
from combinatorics.number_theory import prime_power
from combinatorics.projective_geometry import class_labels
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import DifferenceSet

__all__ = [
    "MCFARLAND",
    "SPENCE",
    "BuildingSet",
    "difference_set_in_extension",
    "is_covering_building_set",
    "mcfarland_building_set",
    "mcfarland_difference_set",
    "spence_building_set",
    "spence_difference_set",
]

_MAX_INCIDENCES = 2**24


@dataclass(frozen=True, slots=True)
class BuildingSet:
    """Subsets of an abelian group.

    Args:
        orders: the group Z_n1 x Z_n2 x ...
        blocks: boolean array of shape (h, order of the group), one row a block.
        modulus: the claimed modulus m.
    """

    orders: tuple[int, ...]
    blocks: NDArray[np.bool_]
    modulus: int

    def difference_set(self, cofactor: tuple[int, ...]) -> DifferenceSet:
        """The difference set in G x K, K = Z_c1 x Z_c2 x ... of order h.

        Raises:
            InputError: if the order of K is not the number of blocks.
        """
        h = len(self.blocks)
        if prod(cofactor) != h:
            raise InputError(f"cofactor {cofactor}: a group of order {h} is needed, one block each")
        elements = np.flatnonzero(self.blocks.T.reshape(-1))  # the index is g * h + coset
        return abelian_difference_set((*self.orders, *(c for c in cofactor if c > 1)), elements)


def is_covering_building_set(building_set: BuildingSet) -> bool:
    """Whether the blocks form a covering extended building set, *exact*, by counting differences.

    One block is nonzero at each character if the products B_i B_j^(-1), i != j, are constant on
    the group; the moduli are m if the sum of the B_i B_i^(-1) is m^2 plus a constant.
    """
    group = AbelianGroup(building_set.orders)
    blocks = [np.flatnonzero(row) for row in building_set.blocks]

    def quotients(left: Elements, right: Elements) -> Elements:
        differences = group.sub(left[:, None], right[None, :])
        return np.bincount(differences.reshape(-1), minlength=group.order)

    for left, right in combinations(blocks, 2):
        if len(set(quotients(left, right).tolist())) > 1:
            return False
    total = sum((quotients(block, block) for block in blocks), np.zeros(group.order, np.int64))
    total[0] -= building_set.modulus**2
    return len(set(total.tolist())) == 1


def difference_set_in_extension(
    building_set: BuildingSet, group: AbelianGroup, embedding: Elements
) -> DifferenceSet:
    """The difference set in any abelian group that contains G with index h.

    Args:
        building_set: the blocks, subsets of G.
        group: the larger group.
        embedding: the images of the elements of G under an injective homomorphism.

    Raises:
        InputError: if the embedding is none, or its index is not h.
    """
    h, size = building_set.blocks.shape
    if group.order != h * size or len(set(embedding.tolist())) != size:
        raise InputError(f"the embedding must be injective, into a group of order {h * size}")
    small = AbelianGroup(building_set.orders)
    a = small.elements()
    sums = small.add(a[:, None], a[None, :])
    if (embedding[sums] != group.add(embedding[:, None], embedding[None, :])).any():
        raise InputError("the embedding must be a homomorphism")
    covered = np.zeros(group.order, dtype=bool)
    parts = []
    for block in building_set.blocks:
        representative = int(np.argmin(covered))
        covered[group.add(embedding, representative)] = True
        parts.append(group.add(embedding[block], representative))
    return abelian_difference_set(group.orders, np.concatenate(parts))


def _hyperplanes(q: int, length: int) -> tuple[tuple[int, ...], NDArray[np.bool_]]:
    """GF(q)^length as an additive group, and its linear hyperplanes, one a row."""
    decomposition = prime_power(q)
    if decomposition is None:
        raise InputError(f"q = {q} is not a prime power")
    p, n = decomposition
    if length * q.bit_length() > 64 or q**length * (q**length - 1) // (q - 1) > _MAX_INCIDENCES:
        raise LimitError(f"q = {q}, {length} coordinates: over {_MAX_INCIDENCES} incidences")
    hyperplanes: NDArray[np.bool_] = class_labels(length, q) == 0
    return (p,) * (n * length), hyperplanes


def mcfarland_building_set(q: int, d: int) -> BuildingSet:
    """The hyperplanes of GF(q)^(d+1) and the empty set: m = a = q^d, the last block a - m."""
    if d < 1:
        raise InputError(f"d = {d}: a McFarland difference set needs d >= 1")
    orders, hyperplanes = _hyperplanes(q, d + 1)
    empty = np.zeros((1, hyperplanes.shape[1]), dtype=bool)
    return BuildingSet(orders, np.vstack([hyperplanes, empty]), q**d)


def mcfarland_difference_set(
    q: int, d: int, cofactor: tuple[int, ...] | None = None
) -> DifferenceSet:
    """The McFarland difference set in GF(q)^(d+1) x K.

    With N = (q^(d+1)-1)/(q-1): v = q^(d+1)(N+1), k = q^d N, lambda = q^d (q^d-1)/(q-1).

    Args:
        q: a prime power.
        d: at least 1.
        cofactor: orders of the cyclic factors of K, of order N + 1; by default K is cyclic.

    Reference: McFarland (1973), A family of difference sets in non-cyclic groups.

    >>> len(mcfarland_difference_set(2, 1).elements)
    6
    """
    building_set = mcfarland_building_set(q, d)
    return building_set.difference_set(cofactor or (len(building_set.blocks),))


def mcfarland_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The (q, d), at most one for each d, with n = q^(2d)."""
    for d in range(1, max(k - lambda_, 1).bit_length() // 2 + 1):
        q = integer_root(k - lambda_, 2 * d)
        if q is None or q < 2:
            continue
        count = (q ** (d + 1) - 1) // (q - 1)
        if (v, k) != (q ** (d + 1) * (count + 1), q**d * count):
            continue
        if lambda_ * (q - 1) == q**d * (q**d - 1) and prime_power(q) is not None:
            yield q, d


def spence_building_set(d: int) -> BuildingSet:
    """The hyperplanes of GF(3)^(d+1), the first one complemented: m = a = 3^d, its size a + m."""
    if d < 1:
        raise InputError(f"d = {d}: a Spence difference set needs d >= 1")
    orders, hyperplanes = _hyperplanes(3, d + 1)
    hyperplanes[0] = ~hyperplanes[0]
    return BuildingSet(orders, hyperplanes, 3**d)


def spence_difference_set(d: int, cofactor: tuple[int, ...] | None = None) -> DifferenceSet:
    """The Spence difference set in GF(3)^(d+1) x K.

    With N = (3^(d+1)-1)/2: v = 3^(d+1) N, k = 3^d (3^(d+1)+1)/2, lambda = 3^d (3^d+1)/2.

    Args:
        d: at least 1.
        cofactor: orders of the cyclic factors of K, of order N; by default K is cyclic.

    Reference: Spence (1977), A family of difference sets.
    """
    building_set = spence_building_set(d)
    return building_set.difference_set(cofactor or (len(building_set.blocks),))


def spence_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The d with n = 3^(2d)."""
    for d in range(1, max(k - lambda_, 1).bit_length() // 3 + 1):
        a, count = 3**d, (3 ** (d + 1) - 1) // 2
        if (v, k, lambda_) == (3 * a * count, a * (count + 1), a * (a + 1) // 2):
            yield (d,)


MCFARLAND = DifferenceSetFamily(
    "McFarland", "McFarland 1973", ("q", "d"), mcfarland_arguments, mcfarland_difference_set
)
SPENCE = DifferenceSetFamily(
    "Spence", "Spence 1977", ("d",), spence_arguments, spence_difference_set
)
