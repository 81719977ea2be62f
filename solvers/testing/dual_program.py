"""The linear program of a dual witness, in float64, by cutting planes (HiGHS).

Unknowns: m_x = l_x / (P0(x) + P1(x)) for the k symbols in likelihood-ratio order, L = sum of l_x,
and t >= 0 when the number of outputs is limited. Least L (+ t n/(E - 1 + n)) subject to
L + (E - 1) l(S) + t >= mu(S) for the sets S listed so far. Two ways to keep it tame:

- m convex in s = P0/(P0+P1): then every A(t) is an interval of the order, and the intervals imply
  all sets. Nearly always this costs nothing.
- m in a box around such a solution, with the sets A(t) it violates added one round after another.

Everything is in units of the optimum, so that HiGHS' absolute tolerances mean something.

Symmetric problems have many optima, and which one HiGHS meets depends on the last bits of its
arithmetic. So that a certificate does not, ``settle`` turns to the optimum that is least for a
second cost without symmetries: a row with a positive price holds with equality at every optimum.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np
from highspy import HighsBasisStatus, HighsModelStatus, HighsStatus, kHighsInf
from highspy._core import _Highs as Highs  # its subclass prints a banner on standard output
from numpy.typing import NDArray

from solvers.testing.objective import Floats

__all__ = ["DualProgram", "FloatDual", "Row"]

_TOLERANCE = 1e-9
_POSITIVE_PRICE = 1e-10
_STEP = (5**0.5 - 1) / 2


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the program.

    Args:
        kind: ``set``, the constraint of a set; ``convex``, m(x) + bend <= the chord from x - 1 to
            x + 1;
            ``sum``, L = sum of l; ``limit``, t >= 0; ``flat``, m(x) >= the least multiplier that a
            float basis leaves undetermined: 0 for the normalised h.
        members: the symbols of the set, or (x-1, x, x+1), or (x,).
        bend: of a convex row, in units of the optimum.
    """

    kind: str
    members: tuple[int, ...] = ()
    bend: float = 0.0


@dataclass(frozen=True, slots=True)
class FloatDual:
    """A float solution with the rows that hold with equality in its basis.

    Args:
        m: k multipliers over P0 + P1, in units of the optimum.
        output_multiplier: t, in units of the optimum.
        active: the rows that hold with equality, as many as unknowns; None when the box of
            ``restrict`` is in the way.
    """

    m: Floats
    output_multiplier: float
    active: tuple[Row, ...] | None


class DualProgram:
    """The program for one problem; rows are added and it is solved again from the last basis."""

    def __init__(self, w: Floats, gaps: Floats, c: float, outputs: int | None) -> None:
        """Start with no set constraints.

        Args:
            w: P0 + P1 of k symbols.
            gaps: the k - 1 steps of P0/w from symbol to symbol, > 0.
            c: E - 1 > 0.
            outputs: the largest number of outputs, or None.
        """
        self.rows: list[Row] = []
        self.sets: dict[tuple[int, ...], float] = {}
        self._lows: list[float] = []
        self._k, self._w, self._gaps, self._c = len(w), w, gaps, c
        self._columns = [self._k] if outputs is None else [self._k, self._k + 1]
        self._highs = Highs()
        self._highs.setOptionValue("output_flag", False)  # noqa: FBT003
        self._highs.setOptionValue("primal_feasibility_tolerance", _TOLERANCE)
        self._highs.setOptionValue("dual_feasibility_tolerance", _TOLERANCE)
        for _ in range(self._k + len(self._columns)):
            self._highs.addVar(-kHighsInf, kHighsInf)
        self._highs.changeColCost(self._k, 1.0)
        # The unknowns m are scaled by c/E, so that small and large E look alike.
        index, values = np.arange(self._k + 1), np.append(w, -c / (1 + c))
        self._add(Row("sum"), 0.0, 0.0, index, values)
        if outputs is not None:
            # t is in units of E, the size it has when a further output is worth something.
            self._highs.changeColCost(self._k + 1, outputs * (1 + c) / (c + outputs))
            self._add(Row("limit"), 0.0, kHighsInf, np.array([self._k + 1]), np.ones(1))

    def _add(
        self, row: Row, low: float, high: float, columns: NDArray[np.int64], values: Floats
    ) -> None:
        keep = values != 0
        index, entries = columns[keep].astype(np.int32), values[keep]
        if self._highs.addRow(low, high, len(entries), index, entries) != HighsStatus.kError:
            self._lows.append(low)
            self.rows.append(row)  # HiGHS refuses coefficients beyond its range

    def require_convexity(self, bends: Floats) -> None:
        """Add m(x) + bend <= the chord from x - 1 to x + 1, for every inner symbol.

        Args:
            bends: k numbers >= 0 in units of the optimum. Positive ones keep m from being straight
                over many symbols, which would all enter or leave A(t) at one t.
        """
        gaps = self._gaps
        scale = self._c / (1 + self._c)
        for x in range(1, self._k - 1):
            left = gaps[x] / (gaps[x - 1] + gaps[x])
            columns = np.array([x - 1, x, x + 1])
            values = np.array([left, -1.0, 1 - left])
            row = Row("convex", (x - 1, x, x + 1), float(bends[x]))
            self._add(row, scale * row.bend, kHighsInf, columns, values)

    def require_set(self, members: Iterable[int], mu: float) -> bool:
        """Add the constraint of a set; False if it is there already.

        Args:
            members: the symbols of the set.
            mu: its score in units of the optimum.
        """
        key = tuple(int(x) for x in members)
        if key in self.sets:
            return False
        self.sets[key] = mu
        e = 1 + self._c
        columns = np.array([*key, *self._columns], dtype=np.int64)
        values = np.append(self._w[list(key)], [1 / e, 1.0][: len(self._columns)])
        self._add(Row("set", key), mu / e, kHighsInf, columns, values)
        return True

    def restrict(self, centre: Floats, radius: float) -> None:
        """Keep m within ``radius`` of ``centre``."""
        scale = self._c / (1 + self._c)
        for x in range(self._k):
            low, high = scale * (centre[x] - radius), scale * (centre[x] + radius)
            self._highs.changeColBounds(x, low, high)

    def settle(self) -> None:
        """After ``solve``: keep to its optima, and look for the one with the least second cost.

        The second cost of m_x is w_x times 1 plus the fractional part of x times an irrational.
        """
        prices = np.abs(np.array(self._highs.getSolution().row_dual))
        for i in np.flatnonzero(prices > _POSITIVE_PRICE):
            self._highs.changeRowBounds(int(i), self._lows[i], self._lows[i])
        for column in self._columns:
            self._highs.changeColCost(column, 0.0)
        fractions = np.arange(1, self._k + 1) * _STEP % 1.0
        for x, cost in enumerate(self._w * (1 + fractions)):
            self._highs.changeColCost(x, float(cost))

    def solve(self) -> FloatDual | None:
        """The solution for the rows so far; None if HiGHS finds none."""
        self._highs.run()
        if self._highs.getModelStatus() != HighsModelStatus.kOptimal:
            return None
        values = np.array(self._highs.getSolution().col_value)
        t = float(values[self._k + 1]) * (1 + self._c) if len(self._columns) > 1 else 0.0
        m = values[: self._k] * (1 + self._c) / self._c
        return FloatDual(m, t, self._active())

    def _active(self) -> tuple[Row, ...] | None:
        basis, basic = self._highs.getBasis(), HighsBasisStatus.kBasic
        if len(basis.row_status) != len(self.rows):
            return None  # HiGHS has solved the program without leaving a basis
        pairs = zip(self.rows, basis.row_status, strict=True)
        active = [row for row, status in pairs if status != basic]
        for x, status in enumerate(basis.col_status):
            if status == HighsBasisStatus.kZero and x < self._k:
                active.append(Row("flat", (x,)))
            elif status != basic:
                return None
        return tuple(active)
