"""Linear programs over the rationals, solved exactly: maximise c.x subject to A x = b, x >= 0.

A dense two-phase simplex method on ``fmpq`` entries. The column with the largest reduced cost
enters while the objective grows; after a pivot without progress Bland's rule (1977) takes over
until it grows again, so the method ends. The answer carries its own proof, which is checked before
it is returned: x and prices y with A x = b, x >= 0, y A >= c and c.x = y.b; or, when there is no x,
a Farkas vector y with y A >= 0 and y.b < 0; or a ray z >= 0 with A z = 0 and c.z > 0.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from fractions import Fraction

from solvers.backend import fmpq, fraction, rational

__all__ = ["LinearAnswer", "LinearSolution", "solve_linear_program"]

Row = Sequence[Fraction]


class LinearAnswer(Enum):
    """The three answers to a linear program."""

    OPTIMAL = "optimal"
    INFEASIBLE = "infeasible"
    UNBOUNDED = "unbounded"


@dataclass(frozen=True, slots=True)
class LinearSolution:
    """The answer with its proof, all *exact*.

    Args:
        answer: OPTIMAL, INFEASIBLE or UNBOUNDED.
        value: the optimum; 0 unless OPTIMAL.
        x: n optimal values; a ray when UNBOUNDED; empty when INFEASIBLE.
        prices: m dual values; a Farkas vector when INFEASIBLE; empty when UNBOUNDED.
    """

    answer: LinearAnswer
    value: Fraction
    x: tuple[Fraction, ...]
    prices: tuple[Fraction, ...]


def solve_linear_program(objective: Row, rows: Sequence[Row], right_side: Row) -> LinearSolution:
    """The exact optimum of max objective.x subject to rows x = right_side, x >= 0.

    Args:
        objective: n coefficients.
        rows: m rows of n coefficients.
        right_side: m numbers.

    Raises:
        ValueError: for lengths that do not fit.

    Cost: O(m (n + m)) rational operations a pivot.

    >>> one = Fraction(1)
    >>> solve_linear_program([one, 2 * one], [[one, one]], [3 * one]).value
    Fraction(6, 1)
    """
    if len(rows) != len(right_side) or any(len(row) != len(objective) for row in rows):
        raise ValueError("linear program: the rows, the right side and the objective do not fit")
    table = _Table(rows, right_side)
    table.improve([fmpq(0)] * len(objective), fmpq(-1))
    if table.infeasibility():
        prices = tuple(table.prices(fmpq(-1)))
        return _checked(
            LinearSolution(LinearAnswer.INFEASIBLE, Fraction(0), (), prices),
            objective,
            rows,
            right_side,
        )
    table.expel()
    costs = [rational(c) for c in objective]
    ray = table.improve(costs, fmpq(0))
    if ray is not None:
        answer = LinearSolution(LinearAnswer.UNBOUNDED, Fraction(0), tuple(ray), ())
        return _checked(answer, objective, rows, right_side)
    x = tuple(table.solution())
    value = sum((c * v for c, v in zip(objective, x, strict=True) if v), Fraction(0))
    answer = LinearSolution(LinearAnswer.OPTIMAL, value, x, tuple(table.prices(fmpq(0))))
    return _checked(answer, objective, rows, right_side)


class _Table:
    """The simplex tableau: m rows over n columns, m artificial columns and the right side."""

    def __init__(self, rows: Sequence[Row], right_side: Row) -> None:
        self._m, self._n = len(rows), len(rows[0]) if rows else 0
        self._signs = [-1 if b < 0 else 1 for b in right_side]
        self._rows: list[list[fmpq]] = []
        for i, (row, b, sign) in enumerate(zip(rows, right_side, self._signs, strict=True)):
            artificial = [fmpq(int(i == j)) for j in range(self._m)]
            entries = [rational(sign * entry) for entry in row]
            self._rows.append([*entries, *artificial, rational(sign * b)])
        self._basis = [self._n + i for i in range(self._m)]
        self._costs: list[fmpq] = []

    def improve(self, costs: Sequence[fmpq], artificial_cost: fmpq) -> list[Fraction] | None:
        """Pivot to the optimum for these costs; a ray if there is none."""
        full = [*costs, *[artificial_cost] * self._m, fmpq(0)]
        reduced = full[:]
        for row, column in zip(self._rows, self._basis, strict=True):
            cost = full[column]
            if cost:
                reduced = [r - cost * entry for r, entry in zip(reduced, row, strict=True)]
        self._costs = reduced
        careful = False
        while True:
            entering = self._entering(careful=careful)
            if entering is None:
                return None
            leaving = self._leaving(entering)
            if leaving is None:
                return self._ray(entering)
            before = self._costs[-1]
            self._pivot(leaving, entering)
            careful = self._costs[-1] == before

    def _entering(self, *, careful: bool) -> int | None:
        best, place = fmpq(0), None
        for j in range(self._n):
            cost = self._costs[j]
            if cost > best:
                if careful:
                    return j
                best, place = cost, j
        return place

    def _leaving(self, column: int) -> int | None:
        best: tuple[fmpq, int] | None = None
        place = None
        for i, row in enumerate(self._rows):
            if row[column] > 0:
                candidate = (row[-1] / row[column], self._basis[i])
                if best is None or candidate < best:
                    best, place = candidate, i
        return place

    def _pivot(self, place: int, column: int) -> None:
        row = self._rows[place]
        scale = row[column]
        row = [entry / scale for entry in row]
        self._rows[place] = row
        used = [(j, entry) for j, entry in enumerate(row) if entry]
        for other in (*self._rows[:place], *self._rows[place + 1 :], self._costs):
            factor = other[column]
            if factor:
                for j, entry in used:
                    other[j] -= factor * entry
        self._basis[place] = column

    def _ray(self, column: int) -> list[Fraction]:
        ray = [Fraction(0)] * self._n
        ray[column] = Fraction(1)
        for row, basic in zip(self._rows, self._basis, strict=True):
            if basic < self._n:
                ray[basic] = -fraction(row[column])
        return ray

    def infeasibility(self) -> bool:
        """Whether an artificial variable is positive."""
        pairs = zip(self._rows, self._basis, strict=True)
        return any(basic >= self._n and row[-1] for row, basic in pairs)

    def expel(self) -> None:
        """Take artificial variables out of the basis; drop rows that say nothing."""
        for place in range(self._m - 1, -1, -1):
            if self._basis[place] < self._n:
                continue
            row = self._rows[place]
            column = next((j for j in range(self._n) if row[j]), None)
            if column is None:
                del self._rows[place], self._basis[place]
            else:
                self._pivot(place, column)

    def solution(self) -> list[Fraction]:
        """The values of the n variables."""
        x = [Fraction(0)] * self._n
        for row, basic in zip(self._rows, self._basis, strict=True):
            x[basic] = fraction(row[-1])
        return x

    def prices(self, artificial_cost: fmpq) -> list[Fraction]:
        """The dual values, from the reduced costs of the artificial columns."""
        reduced = self._costs[self._n : self._n + self._m]
        return [
            sign * fraction(artificial_cost - cost)
            for sign, cost in zip(self._signs, reduced, strict=True)
        ]


def _dot(first: Row, second: Row) -> Fraction:
    pairs = zip(first, second, strict=True)
    return sum((a * b for a, b in pairs if a and b), Fraction(0))


def _checked(
    found: LinearSolution, objective: Row, rows: Sequence[Row], right_side: Row
) -> LinearSolution:
    """The solution, once its proof has been checked in exact arithmetic."""
    by_column = list(zip(*rows, strict=True))
    sums = [_dot(row, found.x) for row in rows] if found.x else []
    if found.answer is LinearAnswer.OPTIMAL:
        good = (
            all(v >= 0 for v in found.x)
            and sums == list(right_side)
            and all(_dot(a, found.prices) >= c for a, c in zip(by_column, objective, strict=True))
            and _dot(found.prices, right_side) == found.value
        )
    elif found.answer is LinearAnswer.INFEASIBLE:
        good = _dot(found.prices, right_side) < 0 and all(
            _dot(column, found.prices) >= 0 for column in by_column
        )
    else:
        good = all(v >= 0 for v in found.x) and not any(sums) and _dot(objective, found.x) > 0
    if not good:
        raise ArithmeticError("linear program: the proof of the answer does not hold")
    return found
