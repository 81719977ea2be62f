"""The last pivots of a linear program in high precision, from the basis of a float solver.

Least cost.z subject to rows a_i.z >= b_i (some with equality), z free. A basis is a list of as many
rows as unknowns; its vertex z makes them equalities, and its prices y express the cost as a
combination of them. It is optimal when no row is violated at z and no price of an inequality is
negative. Float tolerances leave a few violations of either kind, and a few pivots remove them. The
result is a proposal; nothing rests on it.
"""

from collections.abc import Sequence
from fractions import Fraction

from solvers.backend import arb, arb_mat, ball, working_precision

__all__ = ["improve_basis"]

_MOST_PIVOTS = 400


def improve_basis(
    rows: Sequence[tuple[Sequence[Fraction], Fraction]],
    cost: Sequence[Fraction],
    basis: Sequence[int],
    equalities: frozenset[int],
    *,
    bits: int,
) -> list[int] | None:
    """An optimal basis reached from the given one; None when the pivots fail.

    Args:
        rows: pairs (a_i, b_i).
        cost: one coefficient for each unknown.
        basis: indices of as many rows as unknowns.
        equalities: indices of rows that hold with equality and stay in the basis.
        bits: the working precision.

    Cost: one inverse, then O(n^2 + n len(rows)) a pivot.
    """
    with working_precision(bits):
        try:
            return _Pivots(rows, cost, list(basis), equalities, bits).run()
        except ZeroDivisionError:
            return None


class _Pivots:
    def __init__(
        self,
        rows: Sequence[tuple[Sequence[Fraction], Fraction]],
        cost: Sequence[Fraction],
        basis: list[int],
        equalities: frozenset[int],
        bits: int,
    ) -> None:
        self._left = arb_mat([[ball(entry) for entry in a] for a, _ in rows])
        self._right = arb_mat([[ball(b)] for _, b in rows])
        self._cost = arb_mat([[ball(entry) for entry in cost]])
        self._basis, self._equalities = basis, equalities
        self._tiny = arb(2) ** (-bits // 2)
        n = len(cost)
        square = arb_mat([[self._left[i, j] for j in range(n)] for i in basis])
        self._inverse = square.inv().mid()

    def run(self) -> list[int] | None:
        for _ in range(_MOST_PIVOTS):
            right = arb_mat([[self._right[i, 0]] for i in self._basis])
            slack = self._left * (self._inverse * right) - self._right
            prices = (self._cost * self._inverse).entries()
            violated = self._most_negative(slack.entries(), set(self._basis))
            if violated is not None:
                row = arb_mat([[self._left[violated, j] for j in range(len(prices))]])
                if not self._enter(violated, (row * self._inverse).entries(), prices):
                    return None
                continue
            free = {j for j, i in enumerate(self._basis) if i in self._equalities}
            leaving = self._most_negative(prices, free)
            if leaving is None:
                return self._basis
            if not self._leave(leaving, slack.entries()):
                return None
        return None

    def _most_negative(self, values: Sequence[arb], ignored: set[int]) -> int | None:
        worst, place = -self._tiny, None
        for i, value in enumerate(values):
            if i not in ignored and value < worst:
                worst, place = value, i
        return place

    def _enter(self, row: int, weights: Sequence[arb], prices: Sequence[arb]) -> bool:
        """Dual step: the violated row replaces the one whose price falls to zero first."""
        best, place = None, None
        for j, weight in enumerate(weights):
            if weight > self._tiny and self._basis[j] not in self._equalities:
                ratio = prices[j] / weight
                if best is None or ratio < best:
                    best, place = ratio, j
        if place is None:
            return False
        self._replace(place, row, weights)
        return True

    def _leave(self, place: int, slack: Sequence[arb]) -> bool:
        """Primal step: along the edge that leaves the row, up to the first row in the way."""
        n = len(self._basis)
        edge = arb_mat([[self._inverse[j, place]] for j in range(n)])
        speed = (self._left * edge).entries()
        inside = set(self._basis)
        best, entering = None, None
        for i, rate in enumerate(speed):
            if i not in inside and rate < -self._tiny:
                step = slack[i] / -rate
                if best is None or step < best:
                    best, entering = step, i
        if entering is None:
            return False
        row = arb_mat([[self._left[entering, j] for j in range(n)]])
        self._replace(place, entering, (row * self._inverse).entries())
        return True

    def _replace(self, place: int, row: int, weights: Sequence[arb]) -> None:
        """Exchange one row of the basis and update the inverse by a matrix of rank one."""
        n = len(self._basis)
        column = arb_mat([[self._inverse[j, place]] for j in range(n)])
        change = [w - 1 if j == place else w for j, w in enumerate(weights)]
        factor = arb_mat([[entry / weights[place] for entry in change]])
        self._inverse = (self._inverse - column * factor).mid()
        self._basis[place] = row
