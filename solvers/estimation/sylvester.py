"""Hadamard response: the structure of Sylvester's matrix, decoded by the fast Hadamard transform.

Points and blocks are the nonzero vectors of GF(2)^m as integers; the block y holds the point x when
x.y, the parity of the bits of x & y, is 0. It is the symmetric (2^m - 1, 2^(m-1) - 1, 2^(m-2) - 1)
design of the hyperplanes of PG(m - 1, 2).
"""

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from combinatorics.incidence_matrix import bitsets_of_rows
from combinatorics.operations import block_points
from solvers.estimation.random_words import Integers, Words
from solvers.estimation.risk import Parameters
from solvers.estimation.structure import BlockWitness, Reports, drawn_places, tallied
from verify.kernel.errors import LimitError
from verify.kernel.incidence import BlockDesign

__all__ = ["SylvesterStructure", "hadamard_transform"]

_MAX_EXPONENT = 26


def hadamard_transform(vector: Integers) -> Integers:
    """The sums of (-1)^(x.y) vector[y], for every x, *exact*; the length is a power of two.

    Cost: O(n log n).

    >>> hadamard_transform(np.array([1, 2, 3, 4])).tolist()
    [10, -2, -4, 0]
    """
    result = vector.astype(np.int64)
    half = 1
    while half < result.size:
        pairs = result.reshape(-1, 2, half)
        result = np.stack([pairs[:, 0] + pairs[:, 1], pairs[:, 0] - pairs[:, 1]], axis=1)
        half *= 2
    return result.reshape(-1)


@dataclass(frozen=True, slots=True)
class SylvesterStructure:
    """The least Sylvester design with at least v points, truncated to v.

    Args:
        v: the number of symbols; symbol s is the point s + 1.

    Raises:
        LimitError: for v of 2^26 or more.
    """

    v: int
    parameters: Parameters = field(init=False)

    def __post_init__(self) -> None:
        """Find the order."""
        if self.v.bit_length() > _MAX_EXPONENT:
            raise LimitError(f"{self.v} symbols: over the limit of 2^{_MAX_EXPONENT}")
        half = max(2, 1 << self.v.bit_length() - 1)
        parameters = Parameters(self.v, 2 * half - 1, half - 1, half // 2 - 1)
        object.__setattr__(self, "parameters", parameters)

    @property
    def name(self) -> str:
        """Hadamard response, with its order."""
        return f"Hadamard response, order {self.parameters.b + 1}"

    @property
    def block_size(self) -> int | None:
        """That of the hyperplanes; None when points are left out."""
        return self.parameters.r if self.parameters.b == self.v else None

    def fingerprint(self) -> bytes:
        """The order and v."""
        return self.name.encode() + str(self.v).encode()

    def draw(self, symbols: Integers, inside: NDArray[np.bool_], words: Words) -> Reports:
        """Uniform nonzero y with x.y = 0, or with x.y = 1."""
        r = self.parameters.r
        places = drawn_places(inside, r, r + 1, words)
        points = symbols + 1
        # A bit at the lowest place of x decides the parity; the other bits of y are free.
        low = points & -points
        free = places + inside  # y = 0 is no block
        spread = (free & ~(low - 1)) << 1 | free & low - 1
        parity = np.bitwise_count(points & spread) & 1
        reports: Reports = (spread | low * (parity == inside)) - 1
        return reports

    def tally(self, reports: Reports) -> Integers:
        """Counts of blocks."""
        return tallied(reports, self.parameters.b)

    @property
    def tally_size(self) -> int:
        """One count a block."""
        return self.parameters.b

    def point_counts(self, tally: Integers) -> Integers:
        """(n + transform)/2 at the points 1 to v."""
        transform = hadamard_transform(np.concatenate([[0], tally]))
        counts: Integers = (int(tally.sum()) + transform[1 : self.v + 1]) // 2
        return counts

    def block_design(self) -> BlockDesign:
        """The hyperplanes, restricted to the symbols."""
        points, blocks = np.arange(1, self.v + 1), np.arange(1, self.parameters.b + 1)
        parity = np.bitwise_count(blocks[:, None] & points[None, :]) & 1
        return BlockDesign(self.v, bitsets_of_rows(parity == 0))

    def witness(self) -> BlockWitness:
        """All blocks."""
        return BlockWitness(self.v, [block_points(x) for x in self.block_design().blocks], [])
