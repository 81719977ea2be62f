"""Menon-Hadamard difference sets in all abelian 2-groups up to Turyn's exponent bound.

An abelian group of order 2^(2a+2) has one exactly when its exponent is at most 2^(a+2). The
construction runs over sections A/B of one group: B < A subgroups, sets of A that are unions of
cosets of B. With U/B = Z_2^2 and U_1, U_2, U_3 between B and U, every character of A/B that is
nonprincipal on U is principal on exactly one U_i.

*Relative part* R(A, B, N), N/B of order 2: a set with one coset of B in each coset of N, all of
whose sums have the largest modulus at characters nonprincipal on N and vanish at the other
nonprincipal ones. It is the union of R(L, U_1, U) and a translate of R(L, U_2, U) off L, where L
has index 2 in A and N, U_1, U_2 are the three groups below U.

*Menon part* M(A, B): with G of index 4 in A, the four cosets of G take translates of M(G, U) and of
R(G, U_i, U), i = 1, 2, 3.

Reference: Kraemer (1993), Proof of a conjecture on Hadamard 2-groups; Davis and Jedwab (1997).
"""

from collections.abc import Iterator
from itertools import combinations

import numpy as np
from numpy.typing import NDArray

from combinatorics.abelian_group import AbelianGroup
from combinatorics.difference_sets.family import abelian_difference_set
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import DifferenceSet

__all__ = ["has_menon_difference_set", "menon_two_group_difference_set"]

_MAX_ORDER = 4096
Mask = NDArray[np.bool_]


def has_menon_difference_set(orders: tuple[int, ...]) -> bool:
    """Whether the abelian 2-group Z_n1 x Z_n2 x ... has a Menon difference set, *exact*.

    Raises:
        InputError: for a group whose order is not a power of 2.

    Reference: Turyn (1965); Kraemer (1993).

    >>> has_menon_difference_set((8, 2)), has_menon_difference_set((16,))
    (True, False)
    """
    group = AbelianGroup(orders)
    exponent_of_two = group.order.bit_length() - 1
    if group.order != 2**exponent_of_two:
        raise InputError(f"{orders}: the order {group.order} is not a power of 2")
    fits = exponent_of_two >= 2 and exponent_of_two % 2 == 0
    return fits and group.exponent <= 2 ** (exponent_of_two // 2 + 1)


def menon_two_group_difference_set(orders: tuple[int, ...]) -> DifferenceSet:
    """A Menon difference set in the abelian 2-group Z_n1 x Z_n2 x ...

    Args:
        orders: powers of 2 with product 2^(2a+2), each at most 2^(a+2).

    Raises:
        InputError: for a group that has none: Turyn's bound, or an order that is not 4^(a+1).
        LimitError: for a group of order over 4096.

    >>> len(menon_two_group_difference_set((8, 2)).elements)
    6
    """
    group = AbelianGroup(orders)
    order = group.order
    a = (order.bit_length() - 3) // 2
    if order < 4 or order != 4 ** (a + 1):
        raise InputError(f"{orders}: the order {order} is not 4^(a+1), a >= 0")
    if not has_menon_difference_set(orders):
        raise InputError(f"{orders}: exponent over Turyn's bound {2 ** (a + 2)}: no difference set")
    if order > _MAX_ORDER:
        raise LimitError(f"{orders}: {order} group elements, over the limit of {_MAX_ORDER}")
    sections = _Sections(group)
    everything = np.ones(order, dtype=bool)
    found = sections.menon(everything, group.elements() == 0)
    if found is None:
        raise ArithmeticError(f"{orders}: no chain of subgroups found")
    return abelian_difference_set(orders, np.flatnonzero(found))


class _Sections:
    """The search for chains of subgroups in one group; subgroups are boolean masks."""

    def __init__(self, group: AbelianGroup) -> None:
        self.group = group
        elements = group.elements()
        self.sums = group.add(elements[:, None], elements[None, :])
        self.doubles = np.diagonal(self.sums)
        self.failed: set[tuple[bytes, ...]] = set()

    def translate(self, mask: Mask, g: int) -> Mask:
        moved = np.zeros_like(mask)
        moved[self.sums[g][mask]] = True
        return moved

    def index_two(self, top: Mask, bottom: Mask) -> Iterator[Mask]:
        """The subgroups of index 2 in ``top`` that contain ``bottom`` and the doubles of top."""
        kernel = self._generated(bottom, np.flatnonzero(top)[:0])
        doubled = np.unique(self.doubles[top])
        kernel = self._generated(kernel, doubled)
        basis: list[int] = []
        spanned = kernel
        while (spanned != top).any():
            basis.append(int(np.argmax(top & ~spanned)))
            spanned = spanned | self.translate(spanned, basis[-1])
        for chosen in range(1, 2 ** len(basis)):
            odd = [g for i, g in enumerate(basis) if chosen >> i & 1]
            even = [g for i, g in enumerate(basis) if not chosen >> i & 1]
            yield self._generated(kernel, np.array([*even, *(self.sums[odd[0], g] for g in odd)]))

    def _generated(self, subgroup: Mask, generators: NDArray[np.int64]) -> Mask:
        for g in generators.tolist():
            power = int(g)
            while not subgroup[power]:
                # Adding cosets until a power of g falls into the subgroup.
                subgroup = subgroup | self.translate(subgroup, power)
                power = int(self.doubles[power])
        return subgroup

    def involutions(self, top: Mask, bottom: Mask) -> Iterator[Mask]:
        """The subgroups of ``top`` that contain ``bottom`` with index 2."""
        candidates = top & ~bottom & bottom[self.doubles]
        while candidates.any():
            subgroup = bottom | self.translate(bottom, int(np.argmax(candidates)))
            yield subgroup
            candidates = candidates & ~subgroup

    def relative(self, top: Mask, bottom: Mask, forbidden: Mask) -> Mask | None:
        """R(top, bottom, forbidden), or None if no chain of subgroups gives it."""
        if top.sum() == forbidden.sum():
            return bottom
        key = (top.tobytes(), bottom.tobytes(), forbidden.tobytes())
        if key in self.failed:
            return None
        for first in self.involutions(top, bottom):
            if (first == forbidden).all():
                continue
            joined = self._generated(forbidden, np.flatnonzero(first))
            second = joined & ~(first | forbidden) | bottom
            for half in self.index_two(top, joined):
                left = self.relative(half, first, joined)
                right = None if left is None else self.relative(half, second, joined)
                if left is not None and right is not None:
                    return left | self.translate(right, int(np.argmax(top & ~half)))
        self.failed.add(key)
        return None

    def menon(self, top: Mask, bottom: Mask) -> Mask | None:
        """M(top, bottom), or None if no chain of subgroups gives it."""
        index = int(top.sum()) // int(bottom.sum())
        if index == 1:
            return np.zeros_like(top)
        if index == 4:
            return bottom
        for half in self.index_two(top, bottom):
            for quarter in self.index_two(half, bottom):
                found = self._menon_parts(top, quarter, bottom)
                if found is not None:
                    return found
        return None

    def _menon_parts(self, top: Mask, quarter: Mask, bottom: Mask) -> Mask | None:
        for first, second in combinations(list(self.involutions(quarter, bottom)), 2):
            joined = self._generated(first, np.flatnonzero(second))
            third = joined & ~(first | second) | bottom
            parts = [self.menon(quarter, joined)]
            for middle in (first, second, third):
                if parts[-1] is None:
                    break
                parts.append(self.relative(quarter, middle, joined))
            complete = [part for part in parts if part is not None]
            if len(complete) == 4:
                return self._placed(top, quarter, complete)
        return None

    def _placed(self, top: Mask, quarter: Mask, parts: list[Mask]) -> Mask:
        placed, covered = np.zeros_like(top), ~top
        for part in parts:
            representative = int(np.argmin(covered))
            placed |= self.translate(part, representative)
            covered = covered | self.translate(quarter, representative)
        return placed
