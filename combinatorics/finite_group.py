"""Small finite groups by their multiplication tables: normal subgroups and automorphisms.

Elements are 0, ..., n-1 with 0 the identity; table[x, y] = xy. Meant for orders up to some hundred.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from combinatorics.abelian_group import MAX_AUTOMORPHISMS, AbelianGroup
from combinatorics.finite_field import Elements
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import MAX_TABLE_ORDER, CayleyTable

__all__ = ["FiniteGroup", "abelian_table", "permutation_group", "split_metacyclic_group"]

Mask = NDArray[np.bool_]


@dataclass(frozen=True, slots=True, eq=False)
class FiniteGroup:
    """A group by its table, trusted to satisfy the group laws; ``cayley_table`` has them checked.

    Args:
        table: shape (n, n).
    """

    table: Elements

    @property
    def order(self) -> int:
        """The number of elements."""
        return len(self.table)

    @property
    def cayley_table(self) -> CayleyTable:
        """The same group in the kernel's form, with the group laws checked."""
        return CayleyTable(tuple(tuple(row) for row in self.table.tolist()))

    @property
    def inverses(self) -> Elements:
        """The inverse of every element, shape (n,)."""
        inverses: Elements = np.argmin(self.table, axis=1)
        return inverses

    def element_orders(self) -> Elements:
        """The order of every element, shape (n,)."""
        powers = np.arange(self.order)
        orders: Elements = np.ones(self.order, dtype=np.int64)
        while powers.any():
            orders = orders + (powers != 0)
            powers = np.where(powers == 0, 0, self.table[powers, np.arange(self.order)])
        return orders

    def generated(self, generators: Sequence[int]) -> Mask:
        """The subgroup that some elements generate."""
        mask = np.zeros(self.order, dtype=bool)
        mask[0] = True
        size = 0
        while mask.sum() > size:
            size = int(mask.sum())
            for g in generators:
                mask[self.table[mask, g]] = True
        return mask

    def normal_subgroups(self) -> list[Mask]:
        """All normal subgroups, by order: the joins of normal closures of single elements."""
        inverses, found = self.inverses, dict[bytes, Mask]()
        closures = []
        for x in range(self.order):
            conjugates = np.unique(self.table[self.table[:, x], inverses])
            closures.append(self.generated(conjugates.tolist()))
        pending = [self.generated([])]
        while pending:
            subgroup = pending.pop()
            if subgroup.tobytes() in found:
                continue
            found[subgroup.tobytes()] = subgroup
            for closure in closures:
                if (closure & ~subgroup).any():
                    # The product of two normal subgroups is a subgroup.
                    product = np.zeros(self.order, dtype=bool)
                    product[self.table[np.ix_(subgroup, closure)].reshape(-1)] = True
                    pending.append(product)
        return sorted(found.values(), key=lambda mask: int(mask.sum()))

    def cosets(self, subgroup: Mask) -> Elements:
        """The number of the coset of every element, numbered by least elements; shape (n,)."""
        label = np.full(self.order, -1, dtype=np.int64)
        count = 0
        for x in range(self.order):
            if label[x] < 0:
                label[self.table[x, subgroup]] = count
                count += 1
        return label

    def quotient(self, normal_subgroup: Mask) -> "FiniteGroup":
        """The quotient by a normal subgroup, its elements numbered as the cosets."""
        label = self.cosets(normal_subgroup)
        _, representatives = np.unique(label, return_index=True)
        return FiniteGroup(label[self.table[np.ix_(representatives, representatives)]])

    def _generators(self) -> list[int]:
        orders, generators = self.element_orders(), list[int]()
        mask = self.generated([])
        while not mask.all():
            outside = np.flatnonzero(~mask)
            generators.append(int(outside[np.argmax(orders[outside])]))
            mask = self.generated(generators)
        return generators

    def automorphisms(self) -> Elements:
        """Every automorphism, as the images of 0, ..., n-1; shape (count, n).

        Raises:
            LimitError: if there are more than ``MAX_AUTOMORPHISMS``.
        """
        generators, orders = self._generators(), self.element_orders()
        candidates = [np.flatnonzero(orders == orders[g]).tolist() for g in generators]
        start = np.full(self.order, -1, dtype=np.int64)
        start[0] = 0
        images = []
        for image in self._extended(start, generators, candidates):
            images.append(image)
            if len(images) > MAX_AUTOMORPHISMS:
                raise LimitError(f"more than {MAX_AUTOMORPHISMS} automorphisms")
        return np.array(images, dtype=np.int64)

    def _extended(
        self, images: Elements, generators: list[int], candidates: list[list[int]]
    ) -> Iterator[Elements]:
        """The automorphisms above a homomorphism on the generators without candidates left."""
        if not candidates:
            yield images
            return
        known = generators[: len(generators) - len(candidates) + 1]
        used = set(images.tolist())
        for candidate in candidates[0]:
            if candidate not in used:
                extended = self._homomorphism(images, known, candidate)
                if extended is not None:
                    yield from self._extended(extended, generators, candidates[1:])

    def _homomorphism(
        self, images: Elements, generators: list[int], candidate: int
    ) -> Elements | None:
        """The injective extension to the group of all these generators, or None."""
        extended = images.copy()
        extended[generators[-1]] = candidate
        frontier = np.flatnonzero(extended >= 0)
        while len(frontier):
            fresh = []
            for g in generators:
                products = self.table[frontier, g]
                expected = self.table[extended[frontier], extended[g]]
                known = extended[products] >= 0
                if (extended[products[known]] != expected[known]).any():
                    return None
                extended[products[~known]] = expected[~known]
                fresh.append(products[~known])
            frontier = np.unique(np.concatenate(fresh))
        values = extended[extended >= 0]
        return extended if len(np.unique(values)) == len(values) else None


def abelian_table(group: AbelianGroup) -> FiniteGroup:
    """The table of an abelian group, elements numbered by mixed-radix indices."""
    if group.order > MAX_TABLE_ORDER:
        raise LimitError(f"a table of {group.order} elements: over the limit of {MAX_TABLE_ORDER}")
    a = group.elements()
    return FiniteGroup(group.add(a[:, None], a[None, :]))


def permutation_group(generators: Sequence[Sequence[int]]) -> FiniteGroup:
    """The group that permutations of 0, ..., d-1 generate; the product xy maps i to x[y[i]].

    Raises:
        InputError: if a generator is not a permutation.
        LimitError: for more than ``MAX_TABLE_ORDER`` elements.

    >>> permutation_group([(1, 2, 0), (1, 0, 2)]).order
    6
    """
    degree = len(generators[0]) if generators else 0
    for generator in generators:
        if sorted(generator) != list(range(degree)):
            raise InputError(f"{tuple(generator)} is not a permutation of 0 to {degree - 1}")
    elements = [tuple(range(degree))]
    number = {elements[0]: 0}
    for element in elements:  # grows while it is walked
        for generator in generators:
            product = tuple(element[i] for i in generator)
            if product not in number:
                number[product] = len(elements)
                elements.append(product)
        if len(elements) > MAX_TABLE_ORDER:
            raise LimitError(f"a permutation group of over {MAX_TABLE_ORDER} elements")
    rows = [[number[tuple(x[i] for i in y)] for y in elements] for x in elements]
    return FiniteGroup(np.array(rows, dtype=np.int64))


def split_metacyclic_group(n: int, m: int, t: int) -> FiniteGroup:
    """The semidirect product of Z_n by Z_m: pairs with (a, i)(b, j) = (a + t^i b, i + j).

    Raises:
        InputError: unless t^m = 1 modulo n.
    """
    if n < 1 or m < 1 or pow(t, m, n) != 1 % n:
        raise InputError(f"t = {t}: t^{m} must be 1 modulo {n}")
    x = np.arange(n * m)
    a, i = np.divmod(x, m)
    powers = np.array([pow(t, exponent, n) for exponent in range(m)])
    first = (a[:, None] + powers[i][:, None] * a[None, :]) % n
    return FiniteGroup(first * m + (i[:, None] + i[None, :]) % m)
