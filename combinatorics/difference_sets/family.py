"""What a family of difference sets is, and the small operations that all families share.

A (v, k, lambda) difference set in a group of order v has k elements, and every element but the
identity is a quotient of exactly lambda ordered pairs of them; n = k - lambda is its order.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import ArrayLike

from combinatorics.construction import Construction
from verify.kernel.incidence import CyclicProduct, DifferenceSet

__all__ = [
    "ConstructedDifferenceSet",
    "DifferenceSetFamily",
    "abelian_difference_set",
    "complement_difference_set",
    "integer_root",
]

Arguments = tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ConstructedDifferenceSet:
    """A difference set and what it was built by."""

    difference_set: DifferenceSet
    construction: Construction


@dataclass(frozen=True, slots=True)
class DifferenceSetFamily:
    """A family: for which parameters it has a member, and how to build it.

    Args:
        name: the family's name.
        reference: author and year.
        letters: names of the arguments of ``build``, for the text of a construction.
        arguments: yields the arguments of every member with parameters (v, k, lambda).
        build: the member with given arguments.
    """

    name: str
    reference: str
    letters: tuple[str, ...]
    arguments: Callable[[int, int, int], Iterator[Arguments]]
    build: Callable[..., DifferenceSet]

    def is_applicable(self, v: int, k: int, lambda_: int) -> bool:
        """Whether the family has a member with exactly these parameters, without building it."""
        return next(self.arguments(v, k, lambda_), None) is not None

    def construction(self, arguments: Arguments) -> Construction:
        """Name, arguments and reference of a member."""
        values = [f"{letter} = {x}" for letter, x in zip(self.letters, arguments, strict=True)]
        return Construction(", ".join([self.name, *values]), self.reference)


def abelian_difference_set(orders: Iterable[int], elements: ArrayLike) -> DifferenceSet:
    """The subset of Z_n1 x Z_n2 x ... with these indices, sorted."""
    indices = np.sort(np.asarray(elements, dtype=np.int64)).tolist()
    return DifferenceSet(CyclicProduct(tuple(orders)), tuple(indices))


def complement_difference_set(difference_set: DifferenceSet) -> DifferenceSet:
    """The other elements of the group: a (v, v-k, v-2k+lambda) difference set."""
    inside = set(difference_set.elements)
    group = difference_set.group
    return DifferenceSet(group, tuple(x for x in range(group.order) if x not in inside))


def integer_root(n: int, exponent: int) -> int | None:
    """The integer r >= 1 with r^exponent = n, or None."""
    if n < 1:
        return None
    low, high = 1, 1 << (n.bit_length() // exponent + 1)
    while low < high:
        middle = (low + high + 1) // 2
        if middle**exponent <= n:
            low = middle
        else:
            high = middle - 1
    return low if low**exponent == n else None
