"""Which points lie on which blocks: designs, groups, difference sets and sign matrices.

A set of points is an ``int`` used as a bitset: bit ``j`` says whether point ``j`` belongs to it.
Letters: ``v`` points, ``b`` blocks. Every object is valid once built; whether it is a design, a
difference set or a Hadamard matrix is decided in ``design``.
"""

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import prod

from verify.kernel.errors import InputError, require, require_limit
from verify.kernel.exact import excerpt

__all__ = ["BlockDesign", "CayleyTable", "CyclicProduct", "DifferenceSet", "HadamardMatrix"]

MAX_CELLS = 2**26
"""Most cells (points times blocks) of an incidence structure, entries of a sign matrix."""
MAX_POINTS = 2**22
"""Most points of a design, columns of a matrix, elements of an abelian group."""
MAX_TURNED_BITS = 2**39
"""Most bits that are moved to count differences: for each of k elements, of the order of the group
plus 4096 bits, 7 times for each cyclic factor and 2 times for each binary digit of k."""
MAX_TABLE_ORDER = 256
"""Largest group that is given by its Cayley table: the group laws cost its third power."""
MAX_PAIRS = 2**26
"""Most ordered pairs of elements whose quotients are counted."""


def require_integer(value: object, lowest: int, highest: int, where: str) -> int:
    """The value, if it is an ``int`` with lowest <= value <= highest."""
    if type(value) is not int or not lowest <= value <= highest:
        raise InputError(f"{where}: {excerpt(value)} is not an integer from {lowest} to {highest}")
    return value


def require_subset(items: Iterable[object], size: int, where: str) -> tuple[int, ...]:
    """The items, if they are different integers from 0 to size-1."""
    members = tuple(require_integer(item, 0, size - 1, where) for item in items)
    require(len(set(members)) == len(members), f"{where} is repeated")
    return members


def _require_bitsets(rows: tuple[int, ...], width: int, where: str) -> None:
    """InputError unless every row is a bitset of points 0 to width - 1; LimitError for its size."""
    require_integer(width, 1, MAX_POINTS, f"width of a {where}")
    require_limit(len(rows) * width, MAX_CELLS, "cells")
    for index, row in enumerate(rows):
        # a shifted negative number is not 0
        require(type(row) is int and not row >> width, f"{where} {index}: not a bitset of {width}")


def bitset(points: Iterable[int], width: int) -> int:
    """The set of points from 0 to width - 1 as an integer."""
    digits = bytearray(b"0") * width  # one digit a point: a sum of powers costs width for each
    for point in points:
        digits[-1 - point] = 49
    return int(digits, 2)


def transpose(rows: tuple[int, ...], width: int) -> tuple[int, ...]:
    """The columns of a 0/1 matrix as bitsets of its rows; ``width`` is the number of columns."""
    # A column is spelled by one digit of every row's binary spelling: fast, no test of single bits.
    spelled = [format(row, f"0{width}b")[::-1] for row in reversed(rows)]
    return tuple(int("".join(column), 2) for column in zip(*spelled, strict=True))


@dataclass(frozen=True, slots=True)
class BlockDesign:
    """Points 0 to v-1 and a list of blocks, repeated blocks allowed.

    Args:
        v: number of points, at least 1.
        blocks: one bitset a block.

    Raises:
        InputError: for a point out of range.
        LimitError: for more than ``MAX_CELLS`` incidence cells.

    >>> BlockDesign(3, (0b011, 0b101, 0b110)).v
    3
    """

    v: int
    blocks: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse what is no incidence structure."""
        _require_bitsets(self.blocks, self.v, "block")


@dataclass(frozen=True, slots=True)
class HadamardMatrix:
    """A square matrix of +1 and -1, each row the bitset of its places of -1.

    Args:
        order: number of rows and of columns.
        rows: one bitset a row.

    Raises:
        InputError: for a matrix that is not square.
        LimitError: for more than ``MAX_CELLS`` entries.
    """

    order: int
    rows: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse what is no square matrix."""
        _require_bitsets(self.rows, self.order, "row")
        require(len(self.rows) == self.order, f"{len(self.rows)} rows: not square")


@dataclass(frozen=True, slots=True)
class CyclicProduct:
    """The abelian group Z_n1 x Z_n2 x ...; its elements are mixed-radix indices, n1 leading.

    >>> CyclicProduct((2, 4)).quotient_counts((0, 7))
    [2, 0, 0, 0, 0, 1, 0, 1]
    """

    orders: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse orders that are not positive integers."""
        require_limit(len(self.orders), 64, "cyclic factors")
        for n in self.orders:
            require_integer(n, 1, MAX_POINTS, "order of a cyclic factor")
        require_limit(self.order, MAX_POINTS, "group elements")

    @property
    def order(self) -> int:
        """The number of elements."""
        return prod(self.orders)

    def quotient_counts(self, elements: Sequence[int]) -> list[int]:
        """How often each group element is a difference of two of the ``elements``, all different.

        The set less each of its elements, all added up: bit g of the i-th counter is the i-th
        binary digit of the count of g. To subtract from one coordinate is to turn every run of
        ``block`` bits by so many places.

        Raises:
            LimitError: for more than ``MAX_TURNED_BITS``.
        """
        places, block, k = [], self.order, len(elements)
        turned = k * (7 * sum(n > 1 for n in self.orders) + 2 * k.bit_length())
        require_limit(turned * (self.order + 4096), MAX_TURNED_BITS, "differences: bits turned")
        for n in self.orders:  # with the first bit of every run
            places.append((block, block // n, int("1".zfill(block) * (self.order // block), 2)))
            block //= n
        members, counters = bitset(elements, self.order), [0]
        for y in elements:
            carry = members
            for block, weight, ones in places:
                if shift := y % block // weight * weight:
                    low = carry & (ones << shift) - ones
                    carry = (carry ^ low) >> shift | low << block - shift
            for i, digits in enumerate(counters):
                counters[i], carry = digits ^ carry, digits & carry
            if carry:
                counters.append(carry)
        return list(transpose(tuple(counters), self.order))


@dataclass(frozen=True, slots=True)
class CayleyTable:
    """A finite group by its multiplication table: ``rows[x][y]`` is xy and 0 is the identity.

    Raises:
        InputError: for a table that is not that of a group.
        LimitError: for more than ``MAX_TABLE_ORDER`` elements.
    """

    rows: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        """Refuse a table without the group laws."""
        require_limit(self.order, MAX_TABLE_ORDER, "elements of a Cayley table")
        indices = list(range(self.order))
        for index, line in enumerate([*self.rows, *zip(*self.rows, strict=False)] or [()]):
            integers = {*map(type, line)} == {int}
            if not integers or sorted(line) != indices or line[0] != index % self.order:
                raise InputError(f"Cayley table, line {index}: no permutation that begins with it")
        for g in indices:
            for x, row in enumerate(self.rows):
                if self.rows[row[g]] != tuple([row[gy] for gy in self.rows[g]]):
                    raise InputError(f"Cayley table: (xg)y is not x(gy) for x = {x}, g = {g}")

    @property
    def order(self) -> int:
        """The number of elements."""
        return len(self.rows)

    def quotient_counts(self, elements: Sequence[int]) -> list[int]:
        """How often each group element is x times the inverse of y for x, y in ``elements``."""
        inverses = [self.rows[y].index(0) for y in elements]
        counts = Counter(self.rows[x][inverse] for x in elements for inverse in inverses)
        return [counts[element] for element in range(self.order)]


@dataclass(frozen=True, slots=True)
class DifferenceSet:
    """A subset of a finite group, by the indices of its elements.

    Args:
        group: the group.
        elements: different indices between 0 and the order of the group minus 1.

    Raises:
        InputError: for an element out of range or repeated.
        LimitError: for more than ``MAX_PAIRS`` ordered pairs.
    """

    group: CyclicProduct | CayleyTable
    elements: tuple[int, ...]

    def __post_init__(self) -> None:
        """Refuse what is no subset of a group."""
        require_limit(len(self.elements) ** 2, MAX_PAIRS, "pairs of a difference set")
        require_subset(self.elements, self.group.order, "difference set: element")
