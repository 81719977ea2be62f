"""Translates of a difference set: a draw is a subtraction, decoding is a correlation.

The points are elements of an abelian group G, the blocks are D + g for g in G. Block D + g holds x
exactly when x - g lies in D, so a uniform block on x is g = x - d for a uniform d in D, and the
number of reports on which x lies is the sum of the counts of x - d over d in D.

Symbols are the first v elements of G (a truncated design), or lie all in D (*derived*) or all
outside D (*residual*); in the last two cases the block D itself is left out.
"""

from dataclasses import dataclass, field
from enum import Enum
from math import prod

import numpy as np
import scipy.fft
from numpy.typing import NDArray

from combinatorics.abelian_group import AbelianGroup
from combinatorics.incidence_matrix import bitsets_of_rows
from combinatorics.operations import block_points
from solvers.estimation.random_words import Integers, Words
from solvers.estimation.risk import Parameters
from solvers.estimation.structure import BlockWitness, Reports, drawn_places, tallied
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign, CyclicProduct, DifferenceSet

__all__ = ["Part", "TranslateStructure"]

_LIMB_BITS = 16
_FEW = 8
_CHUNK_CELLS = 2**20


class Part(Enum):
    """Which points of the development of a difference set are symbols."""

    TRUNCATED = "truncated"
    DERIVED = "derived"
    RESIDUAL = "residual"


def _correlated(orders: tuple[int, ...], counts: Integers, elements: Integers) -> Integers:
    """The sums of counts[x - d] over the given elements d, for every x, *exact*.

    Counts are split into limbs of 16 bits. Entries of one product are below 2^16 |D|, and the error
    of a transform of length V is of the order of 2^-53 log V times the Euclidean norms, 2^16 V at
    most: below 1/4 for every V <= 2^26, so rounding is exact.
    """
    shape = orders or (1,)
    if len(elements) <= _FEW:
        group = AbelianGroup(orders)
        everything = group.elements()
        rows = [counts[group.sub(everything, int(d))] for d in elements]
        direct: Integers = np.sum(rows, axis=0, dtype=np.int64)
        return direct
    indicator = np.zeros(len(counts))
    indicator[elements] = 1.0
    spectrum = scipy.fft.rfftn(indicator.reshape(shape))
    total = np.zeros(len(counts), dtype=np.int64)
    for shift in range(0, int(counts.max(initial=0)).bit_length(), _LIMB_BITS):
        limb = (counts >> shift & (1 << _LIMB_BITS) - 1).astype(np.float64)
        product = scipy.fft.rfftn(limb.reshape(shape)) * spectrum
        sums = np.rint(scipy.fft.irfftn(product, s=shape)).astype(np.int64)
        total += sums.reshape(-1) << shift
    return total


@dataclass(frozen=True, slots=True)
class TranslateStructure:
    """The translates of a difference set in an abelian group, on some of its points.

    Args:
        name: what it is.
        difference_set: D, in a product of cyclic groups.
        v: the number of symbols: the first v points of the part.
        part: which points are symbols.

    Raises:
        InputError: for a set that is no difference set, another group, or too many symbols.
    """

    name: str
    difference_set: DifferenceSet
    v: int
    part: Part = Part.TRUNCATED
    parameters: Parameters = field(init=False)
    _orders: tuple[int, ...] = field(init=False, repr=False, compare=False)
    _inside: Integers = field(init=False, repr=False, compare=False)
    _outside: Integers = field(init=False, repr=False, compare=False)
    _points: Integers = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the difference property and list D, its complement and the symbols' points."""
        group = self.difference_set.group
        if not isinstance(group, CyclicProduct):
            raise InputError(f"{self.name}: translates need a product of cyclic groups")
        orders, order = group.orders, group.order
        member = np.zeros(order, dtype=np.int64)
        member[list(self.difference_set.elements)] = 1
        inside, outside = np.flatnonzero(member), np.flatnonzero(member == 0)
        negated = AbelianGroup(orders).multiple(inside, -1)
        coincidences = _correlated(orders, member, negated)[1:]
        if len(coincidences) and (coincidences != coincidences[0]).any():
            raise InputError(f"{self.name}: not a difference set: quotients occur unequally often")
        lambda_ = int(coincidences[0]) if len(coincidences) else 0
        sources = {Part.TRUNCATED: np.arange(order), Part.DERIVED: inside, Part.RESIDUAL: outside}
        points = sources[self.part]
        if not 2 <= self.v <= len(points):
            raise InputError(f"{self.name}: has {len(points)} points; give 2 to that many symbols")
        fewer = int(self.part is Part.DERIVED)
        b, r = order - self._omits_block, len(inside) - fewer
        object.__setattr__(self, "parameters", Parameters(self.v, b, r, lambda_ - fewer))
        object.__setattr__(self, "_orders", orders)
        object.__setattr__(self, "_inside", inside)
        object.__setattr__(self, "_outside", outside)
        object.__setattr__(self, "_points", points[: self.v])

    @property
    def _omits_block(self) -> int:
        return int(self.part is not Part.TRUNCATED)

    @property
    def block_size(self) -> int | None:
        """That of the whole part; None when it is truncated."""
        k, lambda_ = len(self._inside), self.parameters.lambda_
        whole = {
            Part.TRUNCATED: (len(self._inside) + len(self._outside), k),
            Part.DERIVED: (k, lambda_ + 1),
            Part.RESIDUAL: (len(self._outside), k - lambda_),
        }
        points, size = whole[self.part]
        return size if self.v == points else None

    def fingerprint(self) -> bytes:
        """The set, its group, the part and v."""
        return f"{self._orders}:{self.part.value}:{self.v}:{self._inside.tolist()}".encode()

    def draw(self, symbols: Integers, inside: NDArray[np.bool_], words: Words) -> Reports:
        """The blocks x - d for a uniform d in D, or in its complement."""
        b, r = self.parameters.b, self.parameters.r
        places = drawn_places(inside, r, b - r, words)
        points = self._points[symbols]
        if self._omits_block:  # the block 0 is x - x: skip the place of x among its own kind
            kind = self._inside if self.part is Part.DERIVED else self._outside
            own = inside if self.part is Part.DERIVED else ~inside
            places += own & (places >= np.searchsorted(kind, points))
        # Both lists in one table: the elements of D, then the others.
        table = np.concatenate([self._inside, self._outside])
        offsets = table[np.where(inside, places, places + len(self._inside))]
        return self._subtracted(points, offsets) - self._omits_block

    def _subtracted(self, points: Integers, offsets: Integers) -> Integers:
        if len(self._orders) == 1:
            difference = points - offsets
            difference[difference < 0] += self._orders[0]
            return difference
        return AbelianGroup(self._orders).sub(points, offsets)

    def tally(self, reports: Reports) -> Integers:
        """Counts of blocks."""
        return tallied(reports, self.parameters.b)

    @property
    def tally_size(self) -> int:
        """One count a block."""
        return self.parameters.b

    def point_counts(self, tally: Integers) -> Integers:
        """The counts correlated with D, at the symbols."""
        counts = np.concatenate([np.zeros(self._omits_block, dtype=np.int64), tally])
        return _correlated(self._orders, counts, self._inside)[self._points]

    def block_design(self) -> BlockDesign:
        """The translates, restricted to the symbols."""
        group = AbelianGroup(self._orders)
        member = np.zeros(group.order, dtype=bool)
        member[self._inside] = True
        blocks = group.elements()[self._omits_block :, None]
        step = max(1, _CHUNK_CELLS // (self.v * max(1, len(self._orders))))
        rows: list[int] = []
        for start in range(0, len(blocks), step):
            mask = member[group.sub(self._points[None, :], blocks[start : start + step])]
            rows += bitsets_of_rows(mask)
        return BlockDesign(self.v, tuple(rows))

    def witness(self) -> BlockWitness:
        """D with the translations by 1 in every cyclic factor; all blocks for the other parts."""
        if self._omits_block:
            return BlockWitness(self.v, [block_points(x) for x in self.block_design().blocks], [])
        group = AbelianGroup(self._orders)
        steps = [prod(self._orders[i + 1 :]) for i in range(len(self._orders))]
        maps = [group.add(group.elements(), step).tolist() for step in steps]
        return BlockWitness(group.order, [self._inside.tolist()], maps)
