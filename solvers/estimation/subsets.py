"""The complete design: every k-subset of the symbols is an output (subset selection).

A subset c_1 < ... < c_k is reported as its rank in colexicographic order, the sum of the binomials
(c_i choose i), an integer below b = (v choose k) of any size. Aggregates count points, not blocks.
"""

from dataclasses import dataclass, field
from itertools import combinations
from math import comb

import numpy as np
from numpy.typing import NDArray

from solvers.estimation.random_words import Integers, Words, uniform_below
from solvers.estimation.risk import Parameters
from solvers.estimation.structure import BlockWitness, Reports
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import MAX_CELLS, BlockDesign

__all__ = ["SubsetStructure"]

_CHUNK_CELLS = 2**22
_MAX_BINOMIALS = 2**21
"""Most binomials that a table of ranks holds."""
_WORD = 2**63


@dataclass(frozen=True, slots=True)
class SubsetStructure:
    """All k-subsets of v symbols.

    Args:
        v: the number of symbols.
        k: the size of a subset, 1 to v - 1.

    Raises:
        InputError: for another k.
        LimitError: for a table of ranks over the limit.
    """

    v: int
    k: int
    parameters: Parameters = field(init=False)
    _binomials: NDArray[np.object_] = field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        """Tabulate (c choose i) for c < v, i <= k."""
        v, k = self.v, self.k
        if not 1 <= k < v:
            raise InputError(f"subset selection: k = {k} is not in 1..{v - 1}")
        if v * k > _MAX_BINOMIALS:
            raise LimitError(f"subset selection: v k = {v * k} is over the limit {_MAX_BINOMIALS}")
        smaller = comb(v - 2, k - 2) if k > 1 else 0
        parameters = Parameters(v, comb(v, k), comb(v - 1, k - 1), smaller)
        object.__setattr__(self, "parameters", parameters)
        table = np.zeros((v, k + 1), dtype=object)
        table[:, 0] = 1
        for c in range(1, v):  # Pascal's rule
            table[c, 1:] = table[c - 1, 1:] + table[c - 1, :-1]
        is_small = parameters.b < _WORD
        object.__setattr__(self, "_binomials", table.astype(np.int64) if is_small else table)

    @property
    def name(self) -> str:
        """Subset selection, with its size."""
        return f"subset selection, k = {self.k}"

    @property
    def block_size(self) -> int:
        """The size of the subsets."""
        return self.k

    def fingerprint(self) -> bytes:
        """Both numbers."""
        return f"subsets {self.v} {self.k}".encode()

    def draw(self, symbols: Integers, inside: NDArray[np.bool_], words: Words) -> Reports:
        """Ranks of uniform subsets with the symbol, where ``inside``, else without it."""
        step = max(1, _CHUNK_CELLS // self.v)
        parts = [
            self._drawn(symbols[i : i + step], inside[i : i + step], words)
            for i in range(0, len(symbols), step)
        ]
        return np.concatenate(parts) if parts else np.zeros(0, self._binomials.dtype)

    def _drawn(self, symbols: Integers, inside: NDArray[np.bool_], words: Words) -> Reports:
        """By a partial shuffle of the other symbols: k of them, or k - 1 and the symbol."""
        n, others = len(symbols), self.v - 1
        pool = np.tile(np.arange(others, dtype=np.int32), (n, 1))
        users = np.arange(n)
        for place in range(self.k):
            chosen = place + uniform_below(words, n, others - place)
            pool[users, chosen], pool[:, place] = pool[:, place].copy(), pool[users, chosen].copy()
        subset = pool[:, : self.k].astype(np.int64)
        subset += subset >= symbols[:, None]  # back to all symbols, without one's own
        subset[inside, -1] = symbols[inside]
        subset.sort(axis=1)
        ranks: Reports = self._binomials[subset, np.arange(1, self.k + 1)].sum(axis=1)
        return ranks

    def _members(self, reports: Reports) -> Integers:
        """The subsets of some ranks, shape (n, k), largest first."""
        rest = np.array(reports, dtype=self._binomials.dtype)
        columns = []
        for i in range(self.k, 0, -1):
            column = self._binomials[:, i]
            largest = np.searchsorted(column, rest, side="right") - 1
            columns.append(largest)
            rest = rest - column[largest]
        return np.stack(columns, axis=1)

    def tally(self, reports: Reports) -> Integers:
        """Counts of points."""
        step = max(1, _CHUNK_CELLS // self.k)
        counts = np.zeros(self.v, dtype=np.int64)
        for start in range(0, len(reports), step):
            members = self._members(reports[start : start + step])
            counts += np.bincount(members.reshape(-1), minlength=self.v)
        return counts

    @property
    def tally_size(self) -> int:
        """One count a symbol."""
        return self.v

    def point_counts(self, tally: Integers) -> Integers:
        """The tally itself."""
        return tally

    def block_design(self) -> BlockDesign:
        """All subsets in colexicographic order.

        Raises:
            LimitError: for more than ``MAX_CELLS`` cells.
        """
        if self.v * self.parameters.b > MAX_CELLS:
            raise LimitError(f"{self.name} of {self.v}: over the limit of {MAX_CELLS} cells")
        subsets = combinations(range(self.v), self.k)
        return BlockDesign(self.v, tuple(sorted(sum(1 << x for x in s) for s in subsets)))

    def witness(self) -> BlockWitness:
        """One subset, moved by a cycle and a transposition, which generate all permutations."""
        if self.v * self.parameters.b > MAX_CELLS:
            raise LimitError(f"{self.name} of {self.v}: over the limit of {MAX_CELLS} cells")
        cycle = [*range(1, self.v), 0]
        swap = [1, 0, *range(2, self.v)]
        return BlockWitness(self.v, [list(range(self.k))], [cycle, swap])
