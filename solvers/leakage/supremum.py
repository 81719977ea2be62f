"""The largest Dobrushin coefficient at a leakage by linear programming: the bound's cross-check.

Variables are the entries K(y|x) of a channel with N inputs and a given number of outputs, and the
extremes M_y >= K(y|x) >= m_y of its columns; the leakage over priors with masses >= c is at most
log(E) when M_y <= E (c sum_x K(y|x) + (1 - Nc) m_y). By symmetry TV(K_0, K_1) = K_0(A) - K_1(A)
for the first outputs A is maximised, for each size of A. No formula of the bound is used.

HiGHS proposes a basis; the vertex and the multipliers of that basis are computed in rationals, and
the value is returned only if both are feasible, which proves it optimal.
"""

from dataclasses import dataclass
from fractions import Fraction

import numpy as np
from highspy import HighsBasisStatus, kHighsInf
from highspy._core import _Highs as Highs  # its subclass prints a banner on standard output

from solvers.backend import solve_rational
from solvers.leakage.dobrushin import require_least_mass
from verify.kernel.errors import InputError, LimitError

__all__ = ["largest_coefficient_by_linear_program"]

_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class _Program:
    """Maximise objective.x for x >= 0, rows.x <= right side; the last rows hold with equality."""

    objective: list[Fraction]
    rows: list[list[Fraction]]
    right_side: list[Fraction]
    n_equalities: int


def largest_coefficient_by_linear_program(
    n_inputs: int, n_outputs: int, c: object, exp_leakage: Fraction
) -> Fraction:
    """The largest Dobrushin coefficient of a channel of this size and worst leakage, *exact*.

    Args:
        n_inputs: N >= 2.
        n_outputs: at least 2.
        c: the least mass of a prior, in [0, 1/N].
        exp_leakage: E >= 1, rational.

    Returns:
        The optimum, proved by an exact vertex and exact multipliers.

    Raises:
        InputError: for arguments out of range.
        ArithmeticError: if HiGHS proposes a basis that is not exactly optimal.

    Cost: one linear program with N m + 2 m variables for each size of the set of outputs.

    >>> largest_coefficient_by_linear_program(2, 3, "1/8", Fraction(3))
    Fraction(8, 13)
    """
    mass = require_least_mass(n_inputs, c)
    if n_outputs < 2 or exp_leakage < 1:
        raise InputError("the program needs at least 2 outputs and exp_leakage >= 1")
    if n_inputs * n_outputs > 400:
        raise LimitError("the program is over the limit of 400 entries")
    return max(
        _optimum(_program(n_inputs, n_outputs, mass, exp_leakage, size))
        for size in range(1, n_outputs)
    )


def _program(n: int, n_outputs: int, c: Fraction, exp_leakage: Fraction, size: int) -> _Program:
    n_entries = n * n_outputs
    width = n_entries + 2 * n_outputs
    rows: list[list[Fraction]] = []

    def add(coefficients: dict[int, Fraction]) -> None:
        rows.append([coefficients.get(j, _ZERO) for j in range(width)])

    for y in range(n_outputs):
        high, low = n_entries + y, n_entries + n_outputs + y
        entries = [x * n_outputs + y for x in range(n)]
        for entry in entries:
            add({entry: _ONE, high: -_ONE})
            add({entry: -_ONE, low: _ONE})
        leakage = dict.fromkeys(entries, -exp_leakage * c)
        add({**leakage, high: _ONE, low: -exp_leakage * (1 - n * c)})
    n_inequalities = len(rows)
    for x in range(n):
        add({x * n_outputs + y: _ONE for y in range(n_outputs)})
    objective = [_ZERO] * width
    for y in range(size):
        objective[y], objective[n_outputs + y] = _ONE, -_ONE
    return _Program(objective, rows, [_ZERO] * n_inequalities + [_ONE] * n, n)


def _basis(program: _Program) -> tuple[list[int], list[int]]:
    """The basic variables and the rows with a basic slack that HiGHS ends with."""
    n_rows, width = len(program.rows), len(program.objective)
    matrix = np.array([[float(entry) for entry in row] for row in program.rows])
    upper = np.array([float(entry) for entry in program.right_side])
    lower = np.full(n_rows, -kHighsInf)
    lower[n_rows - program.n_equalities :] = upper[n_rows - program.n_equalities :]
    solver = Highs()
    solver.setOptionValue("output_flag", False)  # noqa: FBT003 - the name of the option says it
    for entry in program.objective:
        solver.addCol(-float(entry), 0.0, kHighsInf, 0, np.array([], dtype=np.int32), [])
    for row, low, high in zip(matrix, lower, upper, strict=True):
        index = np.flatnonzero(row).astype(np.int32)
        solver.addRow(low, high, len(index), index, row[index])
    solver.setOptionValue("presolve", "off")
    # The number of threads is left alone: HiGHS keeps one scheduler for the whole process and
    # refuses to run with another number than its first user chose.
    solver.run()
    basis, basic = solver.getBasis(), HighsBasisStatus.kBasic
    columns = [j for j in range(width) if basis.col_status[j] == basic]
    return columns, [i for i in range(n_rows) if basis.row_status[i] == basic]


def _optimum(program: _Program) -> Fraction:
    """The value at the proposed basis, once vertex and multipliers are seen to be feasible."""
    columns, slacks = _basis(program)
    tight = sorted(set(range(len(program.rows))) - set(slacks))
    square = [[program.rows[i][j] for j in columns] for i in tight]
    basic = solve_rational(square, [program.right_side[i] for i in tight])
    transposed = [list(column) for column in zip(*square, strict=True)]
    duals = solve_rational(transposed, [program.objective[j] for j in columns])
    vertex = [_ZERO] * len(program.objective)
    for j, value in zip(columns, basic, strict=True):
        vertex[j] = value
    multipliers = [_ZERO] * len(program.rows)
    for i, value in zip(tight, duals, strict=True):
        multipliers[i] = value
    if not _is_optimal(program, vertex, multipliers):
        raise ArithmeticError("the basis that HiGHS proposes is not exactly optimal")
    return _dot(program.objective, vertex)


def _dot(a: list[Fraction], b: list[Fraction]) -> Fraction:
    return sum((x * y for x, y in zip(a, b, strict=True) if x and y), _ZERO)


def _is_optimal(program: _Program, vertex: list[Fraction], multipliers: list[Fraction]) -> bool:
    """Whether the vertex is feasible, the multipliers are, and the two values agree."""
    n_inequalities = len(program.rows) - program.n_equalities
    for i, row in enumerate(program.rows):
        slack = program.right_side[i] - _dot(row, vertex)
        if slack < 0 or (slack and i >= n_inequalities):
            return False
    priced = (
        _dot(list(column), multipliers) >= price
        for column, price in zip(zip(*program.rows, strict=True), program.objective, strict=True)
    )
    return (
        min(vertex) >= 0
        and min(multipliers[:n_inequalities]) >= 0
        and all(priced)
        and _dot(program.objective, vertex) == _dot(program.right_side, multipliers)
    )
