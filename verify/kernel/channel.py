"""A channel: a row-stochastic matrix of rationals, rows[x][y] = P(Y = y | X = x)."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction

from verify.kernel.distribution import require_row
from verify.kernel.errors import require, require_limit

__all__ = ["MAX_CELLS", "Channel"]

MAX_CELLS = 4_000_000
"""Largest number of matrix entries that the kernel works with."""


@dataclass(frozen=True, slots=True, init=False)
class Channel:
    """A channel with N inputs and m outputs; valid once built.

    Args:
        rows: N rows of m probabilities each (int, Fraction or exact text); each sums to exactly 1.

    Raises:
        InputError: for no rows, ragged rows, negative entries or a row sum other than 1.
        InexactNumberError: for floats.

    >>> Channel((("3/4", "1/4"), ("1/4", "3/4"))).n_outputs
    2
    """

    rows: tuple[tuple[Fraction, ...], ...]

    def __init__(self, rows: Iterable[Iterable[object]]) -> None:
        """Read the rows exactly and check that each is a distribution of one length."""
        raw = tuple(map(tuple, rows))
        require(raw, "rows: is empty; a channel needs at least one input")
        require_limit(sum(map(len, raw)), MAX_CELLS, "rows: entries")
        width = len(raw[0])
        for x, row in enumerate(raw):
            require(len(row) == width, f"rows[{x}]: has {len(row)} entries, not {width} as rows[0]")
        exact = tuple(require_row(row, f"rows[{x}]") for x, row in enumerate(raw))
        object.__setattr__(self, "rows", exact)

    @property
    def n_inputs(self) -> int:
        """The number N of rows."""
        return len(self.rows)

    @property
    def n_outputs(self) -> int:
        """The number m of columns."""
        return len(self.rows[0])

    def columns(self) -> Iterator[tuple[Fraction, ...]]:
        """The columns in order, each with N entries."""
        return zip(*self.rows, strict=True)
