"""The linear program of a dual witness, in float64, by cutting planes (HiGHS).

Unknowns: m_x = l_x / (P0(x) + P1(x)) for the k symbols in likelihood-ratio order, L = sum of l_x,
and t >= 0 when the number of outputs is limited. Least L (+ t n/(E - 1 + n)) subject to
L + (E - 1) l(S) + t >= mu(S) for the sets S listed so far. Two ways to keep it tame:

- m convex in s = P0/(P0+P1): then every A(t) is an interval of the order, and the intervals imply
  all sets. Nearly always this costs nothing.
- m in a box around such a solution, with the sets A(t) it violates added one round after another.

Everything is in units of the optimum, so that HiGHS' absolute tolerances mean something.
"""

from collections.abc import Iterable
from dataclasses import dataclass

import highspy
import numpy as np
from numpy.typing import NDArray

from solvers.testing.objective import Floats

__all__ = ["DualProgram", "FloatDual", "Row"]

_TOLERANCE = 1e-9


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the program: the constraint of a set, convexity at a symbol, or L = sum of l.

    Args:
        members: the symbols of the set, or (x-1, x, x+1); empty for the sum.
        kind: ``set``, ``convex`` or ``sum``.
    """

    kind: str
    members: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class FloatDual:
    """A float solution with the rows that hold with equality in its basis.

    Args:
        m: k multipliers over P0 + P1, in units of the optimum.
        output_multiplier: t, in units of the optimum.
        bound: the objective, in units of the optimum.
        active: the rows that hold with equality in the basis.
        at_bound: the unknowns that are not basic: m_x is x, L is k, t is k + 1. Together with
            ``active`` as many as there are unknowns.
    """

    m: Floats
    output_multiplier: float
    bound: float
    active: tuple[Row, ...]
    at_bound: tuple[int, ...]


class DualProgram:
    """The program for one problem; rows are added and it is solved again from the last basis."""

    def __init__(self, w: Floats, s: Floats, c: float, outputs: int | None) -> None:
        """Start with no set constraints.

        Args:
            w: P0 + P1 of k symbols.
            s: P0/w, rising.
            c: E - 1 > 0.
            outputs: the largest number of outputs, or None.
        """
        self._k, self._w, self._s, self._c = len(w), w, s, c
        self._rows: list[Row] = []
        self.sets: dict[tuple[int, ...], float] = {}
        self._highs = highspy.Highs()  # type: ignore[no-untyped-call]
        self._highs.setOptionValue("output_flag", False)  # noqa: FBT003
        self._highs.setOptionValue("primal_feasibility_tolerance", _TOLERANCE)
        self._highs.setOptionValue("dual_feasibility_tolerance", _TOLERANCE)
        infinity = highspy.kHighsInf
        for _ in range(self._k + 1):
            self._highs.addVar(-infinity, infinity)
        self._highs.changeColCost(self._k, 1.0)
        self._has_limit = outputs is not None
        if outputs is not None:
            self._highs.addVar(0.0, infinity)
            self._highs.changeColCost(self._k + 1, outputs / (c + outputs))
        # The unknowns m are scaled by c/E, so that small and large E look alike.
        coefficients = np.append(w, -c / (1 + c))
        self._add(Row("sum"), 0.0, 0.0, np.arange(self._k + 1), coefficients)

    def _add(
        self, row: Row, low: float, high: float, columns: NDArray[np.int64], values: Floats
    ) -> None:
        keep = values != 0
        index, entries = columns[keep].astype(np.int32), values[keep]
        self._highs.addRow(low, high, len(entries), index, entries)
        self._rows.append(row)

    def require_convexity(self) -> None:
        """Add m(x) <= the chord from x - 1 to x + 1, for every inner symbol."""
        gaps = np.diff(self._s)
        for x in range(1, self._k - 1):
            left = gaps[x] / (gaps[x - 1] + gaps[x])
            columns = np.array([x - 1, x, x + 1])
            values = np.array([left, -1.0, 1 - left])
            self._add(Row("convex", (x - 1, x, x + 1)), 0.0, highspy.kHighsInf, columns, values)

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
        extra = [self._k, self._k + 1] if self._has_limit else [self._k]
        columns = np.array([*key, *extra], dtype=np.int64)
        values = np.append(self._w[list(key)], [1 / e] * len(extra))
        self._add(Row("set", key), mu / e, highspy.kHighsInf, columns, values)
        return True

    def restrict(self, centre: Floats, radius: float) -> None:
        """Keep m within ``radius`` of ``centre``."""
        scale = self._c / (1 + self._c)
        for x in range(self._k):
            low, high = scale * (centre[x] - radius), scale * (centre[x] + radius)
            self._highs.changeColBounds(x, low, high)

    def solve(self) -> FloatDual | None:
        """The solution for the rows so far; None if HiGHS finds none."""
        self._highs.run()
        if self._highs.getModelStatus() != highspy.HighsModelStatus.kOptimal:
            return None
        values = np.array(self._highs.getSolution().col_value)
        basis = self._highs.getBasis()
        basic = highspy.HighsBasisStatus.kBasic
        active = tuple(
            row for row, status in zip(self._rows, basis.row_status, strict=True) if status != basic
        )
        at_bound = tuple(x for x, status in enumerate(basis.col_status) if status != basic)
        m = values[: self._k] * (1 + self._c) / self._c
        t = float(values[self._k + 1]) if self._has_limit else 0.0
        return FloatDual(m, t, float(self._highs.getObjectiveValue()), active, at_bound)
