"""What a scheme needs of a regular pairwise balanced structure, and the structure given by blocks.

Letters: v symbols (points), b outputs (blocks), r blocks on every point, lambda_ on every two. A
structured design answers without an incidence matrix; ``ExplicitStructure`` stores one row of b
integers a point.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from combinatorics.incidence_matrix import incidence_matrix
from combinatorics.operations import block_points
from solvers.estimation.random_words import Integers, Words, uniform_below
from solvers.estimation.risk import Parameters
from verify.kernel.design import check_pairwise_balanced
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign

__all__ = ["BlockWitness", "ExplicitStructure", "Reports", "Structure", "drawn_places", "tallied"]

Reports = NDArray[Any]
"""Integers in [0, b): int64, or Python integers in an object array when b is over 2^63."""


@dataclass(frozen=True, slots=True)
class BlockWitness:
    """Blocks in the form that certificates hold.

    Args:
        points: the number of points of the design; its first v are the symbols.
        base_blocks: lists of points.
        generators: maps of the points whose products move the base blocks to all blocks.
    """

    points: int
    base_blocks: Sequence[Sequence[int]]
    generators: Sequence[Sequence[int]]


class Structure(Protocol):
    """A regular pairwise balanced structure that can draw blocks and count points."""

    @property
    def name(self) -> str:
        """What it is, in a few words."""

    @property
    def parameters(self) -> Parameters:
        """v, b, r and lambda."""

    @property
    def block_size(self) -> int | None:
        """The k of a block design; None where blocks have different sizes."""

    def fingerprint(self) -> bytes:
        """Equal for structures whose reports mean the same."""

    def draw(self, symbols: Integers, inside: NDArray[np.bool_], words: Words) -> Reports:
        """Uniform blocks on each symbol, where ``inside``, else off it."""

    def tally(self, reports: Reports) -> Integers:
        """Counts that add up over reports: of blocks, or of points."""

    @property
    def tally_size(self) -> int:
        """The length of a tally."""

    def point_counts(self, tally: Integers) -> Integers:
        """For every symbol the number of reports on which it lies, *exact*."""

    def block_design(self) -> BlockDesign:
        """The blocks, in the order of the reports, on the v symbols."""

    def witness(self) -> BlockWitness:
        """The blocks, for a certificate."""


def drawn_places(inside: NDArray[np.bool_], r: int, others: int, words: Words) -> Integers:
    """A uniform place below r where ``inside``, below ``others`` elsewhere."""
    places = np.empty(len(inside), dtype=np.int64)
    n_inside = int(inside.sum())
    places[inside] = uniform_below(words, n_inside, r)
    places[~inside] = uniform_below(words, len(inside) - n_inside, others)
    return places


def tallied(reports: Reports, b: int) -> Integers:
    """How often each block was reported."""
    return np.bincount(reports, minlength=b)


@dataclass(frozen=True, slots=True)
class ExplicitStructure:
    """A structure given by all its blocks.

    Args:
        name: what it is.
        design: blocks on v points.

    Raises:
        InputError: if it is not regular and pairwise balanced; names the first violation.
    """

    name: str
    design: BlockDesign
    parameters: Parameters = field(init=False)
    _places: NDArray[np.int32] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Check the balance and list for every point its blocks, then the others."""
        if self.design.v < 2 or not self.design.blocks:
            raise InputError(f"{self.name}: needs two points and a block")
        r = sum(block & 1 for block in self.design.blocks)
        lambda_ = sum(block & 3 == 3 for block in self.design.blocks)
        balanced = check_pairwise_balanced(self.design, r, lambda_)
        if not balanced.is_accepted:
            raise InputError(f"{self.name}: not regular and pairwise balanced: {balanced.reason}")
        parameters = Parameters(self.design.v, len(self.design.blocks), r, lambda_)
        object.__setattr__(self, "parameters", parameters)
        matrix = incidence_matrix(self.design)
        places = np.empty(matrix.shape, dtype=np.int32)
        for row, incident in zip(places, matrix, strict=True):
            row[:r], row[r:] = np.flatnonzero(incident), np.flatnonzero(incident == 0)
        object.__setattr__(self, "_places", places)

    @property
    def block_size(self) -> int | None:
        """The size that all blocks have, if they do."""
        sizes = {block.bit_count() for block in self.design.blocks}
        return sizes.pop() if len(sizes) == 1 else None

    def fingerprint(self) -> bytes:
        """The blocks themselves."""
        return f"{self.design.v}:{','.join(map(hex, self.design.blocks))}".encode()

    def draw(self, symbols: Integers, inside: NDArray[np.bool_], words: Words) -> Reports:
        """Uniform blocks, by the stored places."""
        b, r = self.parameters.b, self.parameters.r
        places = drawn_places(inside, r, b - r, words)
        places[~inside] += r
        return self._places[symbols, places].astype(np.int64)

    def tally(self, reports: Reports) -> Integers:
        """Counts of blocks."""
        return tallied(reports, self.parameters.b)

    @property
    def tally_size(self) -> int:
        """One count a block."""
        return self.parameters.b

    def point_counts(self, tally: Integers) -> Integers:
        """The counts of the r blocks on each point, added."""
        counts: Integers = tally[self._places[:, : self.parameters.r]].sum(axis=1)
        return counts

    def block_design(self) -> BlockDesign:
        """The design given."""
        return self.design

    def witness(self) -> BlockWitness:
        """All blocks, no generators."""
        return BlockWitness(self.design.v, [block_points(x) for x in self.design.blocks], [])
