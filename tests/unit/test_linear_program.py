"""Exact linear programs against HiGHS, and the errors."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.optimize import linprog

from solvers.linear_program import InfeasibleError, UnboundedError, solve_linear_program
from verify.kernel.errors import InputError

NUMBERS = st.fractions(-4, 5, max_denominator=4)


@st.composite
def programs(draw):
    n, m = draw(st.integers(1, 7)), draw(st.integers(1, 4))
    rows = [[draw(NUMBERS) for _ in range(n)] for _ in range(m)]
    if draw(st.booleans()):
        rows[-1] = rows[0]
    point = [draw(st.integers(0, 3)) for _ in range(n)]
    right = [sum(a * x for a, x in zip(row, point, strict=True)) for row in rows]
    if draw(st.integers(0, 4)) == 0:
        right[0] += 1
    return [draw(NUMBERS) for _ in range(n)], rows, right


@given(programs())
def test_optimum_is_that_of_highs(program):
    objective, rows, right = program
    reference = linprog(
        [-float(c) for c in objective],
        A_eq=[[float(a) for a in row] for row in rows],
        b_eq=[float(b) for b in right],
    )
    try:
        solution = solve_linear_program(objective, rows, right)
    except InfeasibleError:
        assert reference.status in (2, 4)
    except UnboundedError:
        assert reference.status in (3, 4)
    else:
        assert reference.status == 0
        assert float(solution.value) == pytest.approx(-reference.fun, abs=1e-6)
        assert all(x >= 0 for x in solution.point)
        assert solution.value == sum(
            b * y for b, y in zip(right, solution.multipliers, strict=True)
        )


def test_degenerate_and_ragged_programs():
    beale = [
        [Fraction(1, 4), -8, -1, 9, 1, 0, 0],
        [Fraction(1, 2), -12, Fraction(-1, 2), 3, 0, 1, 0],
        [0, 0, 1, 0, 0, 0, 1],
    ]
    solution = solve_linear_program(
        [Fraction(3, 4), -20, Fraction(1, 2), -6, 0, 0, 0], beale, [0, 0, 1]
    )
    assert solution.value == Fraction(5, 4)
    with pytest.raises(InputError):
        solve_linear_program([1, 2], [[1]], [1])
