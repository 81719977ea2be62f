"""Exact rational linear programs: maximise c.x subject to A x = b and x >= 0, with a proof.

The simplex method in two phases on an integer tableau: all entries share one denominator, the last
pivot, and every division is exact (Edmonds 1967, Bareiss 1968). The column of largest reduced cost
enters while the objective grows; after a pivot without progress Bland's rule takes over until it
grows again, so the method ends. The answer is then checked from scratch: the point is feasible, the
multipliers y satisfy A'y >= c, and c.x = b.y.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from verify.kernel.errors import InputError

__all__ = ["InfeasibleError", "LinearSolution", "UnboundedError", "solve_linear_program"]

Rational = Fraction | int


class InfeasibleError(InputError):
    """No x >= 0 satisfies the equations."""


class UnboundedError(InputError):
    """The objective grows without bound."""


@dataclass(frozen=True, slots=True)
class LinearSolution:
    """An optimum with its proof.

    Args:
        value: the largest c.x, *exact*.
        point: an x that attains it.
        multipliers: y with A'y >= c and b.y = value.
    """

    value: Fraction
    point: tuple[Fraction, ...]
    multipliers: tuple[Fraction, ...]


def solve_linear_program(
    objective: Sequence[Rational],
    rows: Sequence[Sequence[Rational]],
    right_side: Sequence[Rational],
) -> LinearSolution:
    """The largest c.x subject to A x = b and x >= 0, *exact*.

    Args:
        objective: c, n numbers.
        rows: A, m rows of n numbers.
        right_side: b, m numbers.

    Raises:
        InputError: for ragged data.
        InfeasibleError: if no x >= 0 satisfies A x = b.
        UnboundedError: if there is no largest value.

    >>> solve_linear_program([1, 2, 0], [[1, 1, 1]], [3]).value
    Fraction(6, 1)
    """
    n = len(objective)
    if len(rows) != len(right_side) or any(len(row) != n for row in rows):
        raise InputError(f"a program in {n} variables needs rows of {n} numbers and a right side")
    scales, tableau = _integer_rows(rows, right_side)
    table = _Tableau(tableau, n)
    table.find_feasible()
    weight = lcm(*(Fraction(c).denominator for c in objective))
    table.maximise([int(c * weight) for c in objective])
    point = table.point()
    multipliers = [y * scale / weight for y, scale in zip(table.multipliers(), scales, strict=True)]
    value = _dot(objective, point)
    _require_optimal(objective, rows, right_side, point, multipliers)
    return LinearSolution(value, tuple(point), tuple(multipliers))


def _dot(left: Sequence[Rational], right: Sequence[Rational]) -> Fraction:
    return sum((Fraction(x) * y for x, y in zip(left, right, strict=True) if x and y), Fraction(0))


def _integer_rows(
    rows: Sequence[Sequence[Rational]], right_side: Sequence[Rational]
) -> tuple[list[Fraction], list[list[int]]]:
    """The factors that make each equation integral with a right side >= 0, and the equations."""
    scales, integral = [], []
    for row, right in zip(rows, right_side, strict=True):
        factor = lcm(*(Fraction(x).denominator for x in (*row, right)))
        factor = -factor if right < 0 else factor
        scales.append(Fraction(factor))
        integral.append([int(x * factor) for x in (*row, right)])
    return scales, integral


class _Tableau:
    """Equations in basic form over one denominator, an artificial variable for each."""

    def __init__(self, equations: list[list[int]], n: int) -> None:
        self.n, self.m = n, len(equations)
        units = [[int(i == j) for j in range(self.m)] for i in range(self.m)]
        self.rows = [eq[:-1] + unit + eq[-1:] for eq, unit in zip(equations, units, strict=True)]
        self.basis = [n + i for i in range(self.m)]
        self.denominator = 1
        self.costs: list[int] = []

    def find_feasible(self) -> None:
        """Drive the artificial variables to zero."""
        self._price([0] * self.n + [-1] * self.m)
        self._improve(self.n)
        if self.costs[-1]:
            raise InfeasibleError("the equations have no solution x >= 0")
        for i, j in enumerate(self.basis):
            if j >= self.n:
                entering = next((c for c in range(self.n) if self.rows[i][c]), None)
                if entering is not None:
                    self._pivot(i, entering)

    def maximise(self, objective: list[int]) -> None:
        """Improve from a feasible basis until no column prices out."""
        self._price(objective + [0] * self.m)
        self._improve(self.n)

    def _price(self, objective: list[int]) -> None:
        """Reduced costs: denominator * (c - c_B B^-1 A), the last entry minus the value."""
        self.costs = [c * self.denominator for c in (*objective, 0)]
        for i, j in enumerate(self.basis):
            if objective[j]:
                weight = objective[j]
                self.costs = [c - weight * x for c, x in zip(self.costs, self.rows[i], strict=True)]

    def _improve(self, allowed: int) -> None:
        careful = False
        while True:
            better = [j for j in range(allowed) if self.costs[j] > 0]
            if not better:
                return
            j = better[0] if careful else max(better, key=self.costs.__getitem__)
            leaving = self._leaving(j)
            careful = not self.rows[leaving][-1]
            self._pivot(leaving, j)

    def _leaving(self, j: int) -> int:
        """The row of the smallest ratio; an artificial at zero leaves whenever it can."""
        best: tuple[Fraction, int, int] | None = None
        for i, row in enumerate(self.rows):
            blocked = self.basis[i] >= self.n and row[-1] == 0 and row[j]
            if row[j] > 0 or blocked:
                candidate = (Fraction(row[-1], abs(row[j])), self.basis[i], i)
                best = candidate if best is None or candidate < best else best
        if best is None:
            raise UnboundedError("the objective has no largest value")
        return best[2]

    def _pivot(self, r: int, j: int) -> None:
        pivot_row = self.rows[r]
        if pivot_row[j] < 0:
            pivot_row = [-x for x in pivot_row]
            self.rows[r] = pivot_row
        pivot, old = pivot_row[j], self.denominator

        def reduced(row: list[int]) -> list[int]:
            factor = row[j]
            if not factor:
                return [x * pivot // old for x in row] if pivot != old else row
            return [(x * pivot - factor * y) // old for x, y in zip(row, pivot_row, strict=True)]

        self.rows = [row if i == r else reduced(row) for i, row in enumerate(self.rows)]
        self.costs = reduced(self.costs)
        self.denominator, self.basis[r] = pivot, j

    def point(self) -> list[Fraction]:
        """The basic solution."""
        x = [Fraction(0)] * self.n
        for i, j in enumerate(self.basis):
            if j < self.n:
                x[j] = Fraction(self.rows[i][-1], self.denominator)
        return x

    def multipliers(self) -> list[Fraction]:
        """The multipliers of the equations: minus the reduced costs of the artificials."""
        return [Fraction(-c, self.denominator) for c in self.costs[self.n : self.n + self.m]]


def _require_optimal(
    objective: Sequence[Rational],
    rows: Sequence[Sequence[Rational]],
    right_side: Sequence[Rational],
    point: Sequence[Fraction],
    multipliers: Sequence[Fraction],
) -> None:
    feasible = all(x >= 0 for x in point) and all(
        _dot(row, point) == right for row, right in zip(rows, right_side, strict=True)
    )
    columns = zip(*rows, strict=True)
    priced = all(
        _dot(column, multipliers) >= cost for column, cost in zip(columns, objective, strict=True)
    )
    if not (feasible and priced and _dot(objective, point) == _dot(right_side, multipliers)):
        raise ArithmeticError("the simplex method ended without an optimum; this is a defect")
