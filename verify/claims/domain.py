"""Finite families of instances, enumerated up to symmetry with exact counts.

A domain yields one representative of each orbit together with the number of instances in the orbit.
The sum of these numbers must be the size of the whole family, which is known by a formula of its
own: so an enumeration that misses or repeats an orbit is found out at every run.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import product
from typing import Any

__all__ = ["Domain", "Orbit", "boxed", "listed", "union"]

Orbit = tuple[Any, int]
"""A representative and the number of instances that it stands for."""


@dataclass(frozen=True, slots=True)
class Domain:
    """Instances by size.

    Args:
        text: what the instances are, with ``{size}`` where the size stands.
        orbits: a size to representatives with the sizes of their orbits, simplest first.
        total: a size to the number of instances, by a formula.
        everything: a size to every instance, without the use of symmetry; for comparison.
        canonical: an instance to the representative of its orbit.
        nested: whether a larger size only adds instances at the end.
    """

    text: str
    orbits: Callable[[int], Iterator[Orbit]]
    total: Callable[[int], int]
    everything: Callable[[int], Iterator[Any]] | None = None
    canonical: Callable[[Any], Any] | None = None
    nested: bool = False

    def describe(self, size: int) -> str:
        """The text for one size."""
        return self.text.format(size=size)


def listed(text: str, instances: Callable[[int], Iterable[Any]]) -> Domain:
    """A domain given by a list, without symmetry."""

    def orbits(size: int) -> Iterator[Orbit]:
        return ((instance, 1) for instance in instances(size))

    return Domain(text, orbits, lambda size: sum(1 for _ in instances(size)), nested=True)


def boxed(text: str, axes: Callable[[int], tuple[Iterable[Any], ...]]) -> Domain:
    """A domain that is a product of lists; the last runs fastest."""

    def orbits(size: int) -> Iterator[Orbit]:
        return ((instance, 1) for instance in product(*axes(size)))

    def total(size: int) -> int:
        count = 1
        for axis in axes(size):
            count *= len(list(axis))
        return count

    return Domain(text, orbits, total)


def union(text: str, *parts: Domain) -> Domain:
    """The disjoint union of domains, one after the other."""

    def orbits(size: int) -> Iterator[Orbit]:
        for part in parts:
            yield from part.orbits(size)

    return Domain(text, orbits, lambda size: sum(part.total(size) for part in parts))
