"""Finite abelian groups as products of cyclic groups: arithmetic, characters, automorphisms.

The elements of Z_n1 x ... x Z_nm are mixed-radix indices, n1 leading, as in the kernel's
``CyclicProduct``; every operation takes integers or arrays of indices. ``e`` is the exponent.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import gcd, lcm, prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from combinatorics.number_theory import factorize
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import CyclicProduct, require_integer

__all__ = ["MAX_AUTOMORPHISMS", "AbelianGroup", "abelian_groups"]

Elements = NDArray[np.int64]

MAX_AUTOMORPHISMS = 2_000_000
"""Most automorphisms that are listed."""


@dataclass(frozen=True, slots=True)
class AbelianGroup:
    """The group Z_n1 x ... x Z_nm.

    Args:
        orders: n1, ..., nm, each at least 1.

    >>> group = AbelianGroup((2, 4))
    >>> int(group.add(7, 6)), group.exponent, group.automorphism_count
    (1, 4, 8)
    """

    orders: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse orders that are not positive integers, and groups too large to index."""
        CyclicProduct(self.orders)

    @property
    def cyclic_product(self) -> CyclicProduct:
        """The same group, in the kernel's form."""
        return CyclicProduct(self.orders)

    def index(self, residues: Sequence[int]) -> int:
        """The element with these coordinates.

        Raises:
            InputError: for another number of coordinates, or one that is not between 0 and n - 1.
        """
        if len(residues) != len(self.orders):
            raise InputError(f"{len(residues)} residues for {len(self.orders)} cyclic factors")
        index = 0
        for n, residue in zip(self.orders, residues, strict=True):
            index = index * n + require_integer(residue, 0, n - 1, "residue")
        return index

    @property
    def order(self) -> int:
        """The number of elements."""
        return prod(self.orders)

    @property
    def exponent(self) -> int:
        """The least common multiple of the orders of elements."""
        return lcm(*self.orders)

    def elements(self) -> Elements:
        """All indices 0, ..., order - 1; 0 is the neutral element."""
        return np.arange(self.order, dtype=np.int64)

    def residues(self, a: ArrayLike) -> Elements:
        """Coordinates in a new last axis of length m."""
        coordinates = np.unravel_index(np.asarray(a, dtype=np.int64), self.orders or (1,))
        return np.stack(coordinates, axis=-1).astype(np.int64)

    def indices(self, residues: ArrayLike) -> Elements:
        """The elements with these coordinates in the last axis, each reduced modulo its order."""
        reduced = np.asarray(residues, dtype=np.int64) % np.array(self.orders or (1,))
        result: Elements = reduced @ self._weights()
        return result

    def _weights(self) -> Elements:
        orders = self.orders or (1,)
        return np.array([prod(orders[i + 1 :]) for i in range(len(orders))], dtype=np.int64)

    def add(self, a: ArrayLike, b: ArrayLike) -> Elements:
        """The sum a + b."""
        return self.indices(self.residues(a) + self.residues(b))

    def sub(self, a: ArrayLike, b: ArrayLike) -> Elements:
        """The difference a - b."""
        return self.indices(self.residues(a) - self.residues(b))

    def multiple(self, a: ArrayLike, t: int) -> Elements:
        """The multiple ta, t any integer."""
        return self.indices(self.residues(a) * (t % self.exponent))

    def element_orders(self) -> Elements:
        """The order of every element, shape (order,)."""
        orders = np.array(self.orders or (1,), dtype=np.int64)
        coordinate_orders = orders // np.gcd(self.residues(self.elements()), orders)
        result: Elements = np.lcm.reduce(coordinate_orders, axis=-1)
        return result

    def character(self, c: ArrayLike, a: ArrayLike) -> Elements:
        """The exponent t modulo e with chi_c(a) = exp(2 pi i t/e); c runs over the elements."""
        scale = np.array([self.exponent // n for n in self.orders or (1,)], dtype=np.int64)
        products = self.residues(c) * self.residues(a) * scale
        result: Elements = products.sum(axis=-1) % self.exponent
        return result

    def character_sums_float(self, elements: ArrayLike) -> NDArray[np.complex128]:
        """The sums of every character over a multiset of elements, in float64, shape (order,)."""
        counts = np.bincount(np.asarray(elements, dtype=np.int64), minlength=self.order)
        transform = np.fft.fftn(counts.reshape(self.orders or (1,)))
        return np.asarray(transform.conj().reshape(-1), dtype=np.complex128)

    @property
    def elementary_divisors(self) -> tuple[int, ...]:
        """The prime powers of the primary decomposition, ascending: an isomorphism invariant."""
        parts = [p**e for n in self.orders for p, e in factorize(n).primes]
        return tuple(sorted(parts))

    @property
    def automorphism_count(self) -> int:
        """The order of the automorphism group, *exact*.

        Reference: Hillar and Rhea (2007), Automorphisms of finite abelian groups, theorem 4.1.
        """
        by_prime: dict[int, list[int]] = {}
        for n in self.orders:
            for p, e in factorize(n).primes:
                by_prime.setdefault(p, []).append(e)
        return prod(_primary_automorphisms(p, sorted(es)) for p, es in by_prime.items())

    def automorphisms(self) -> Iterator[Elements]:
        """Every automorphism once, as the array of the images of 0, ..., order - 1.

        Raises:
            LimitError: if there are more than ``MAX_AUTOMORPHISMS``.
        """
        if self.automorphism_count > MAX_AUTOMORPHISMS:
            raise LimitError(
                f"{self.orders}: {self.automorphism_count} automorphisms are over the limit of "
                f"{MAX_AUTOMORPHISMS}"
            )
        yield from self._extended(np.zeros(1, dtype=np.int64), 0, self.element_orders())

    def _extended(
        self, images: Elements, factor: int, element_orders: Elements
    ) -> Iterator[Elements]:
        """Automorphisms that send the elements of the first factors to ``images``, in order.

        An automorphism is a choice of an element of order n_i for each factor, such that the
        cyclic groups of these elements form a direct sum.
        """
        if factor == len(self.orders):
            yield images
            return
        n = self.orders[factor]
        taken = np.zeros(self.order, dtype=bool)
        taken[images] = True
        for x in np.flatnonzero(element_orders == n):
            multiples = self.indices(self.residues(x) * np.arange(n)[:, None])
            if not taken[multiples[1:]].any():
                extended = self.add(images[:, None], multiples[None, :]).reshape(-1)
                yield from self._extended(extended, factor + 1, element_orders)

    def multiplier_units(self) -> tuple[int, ...]:
        """The integers t from 1 to e with gcd(t, e) = 1: x -> tx is an automorphism."""
        return tuple(t for t in range(1, self.exponent + 1) if gcd(t, self.exponent) == 1)


def _primary_automorphisms(p: int, exponents: Sequence[int]) -> int:
    """Automorphisms of Z_{p^e1} x ... x Z_{p^en}, e1 <= ... <= en."""
    n = len(exponents)
    last = [max(j for j in range(n) if exponents[j] == e) + 1 for e in exponents]
    first = [min(j for j in range(n) if exponents[j] == e) + 1 for e in exponents]
    count = prod(p ** last[k] - p**k for k in range(n))
    shift = sum(exponents[j] * (n - last[j]) for j in range(n))
    shift += sum((exponents[i] - 1) * (n - first[i] + 1) for i in range(n))
    return int(count * p**shift)


def _partitions(total: int, largest: int) -> Iterator[tuple[int, ...]]:
    if total == 0:
        yield ()
    for part in range(min(total, largest), 0, -1):
        for rest in _partitions(total - part, part):
            yield (part, *rest)


def abelian_groups(order: int) -> tuple[AbelianGroup, ...]:
    """One group for each isomorphism type of that order, by prime-power factors.

    >>> [group.orders for group in abelian_groups(12)]
    [(4, 3), (2, 2, 3)]
    """
    types: list[tuple[int, ...]] = [()]
    for p, e in factorize(order).primes:
        parts = [tuple(p**i for i in partition) for partition in _partitions(e, e)]
        types = [(*known, *part) for known in types for part in parts]
    return tuple(AbelianGroup(orders) for orders in types)
