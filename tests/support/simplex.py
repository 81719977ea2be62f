"""An exact linear program solver over the rationals, for oracles; shares no code with the project.

Revised simplex in `Fraction`s. The column with the largest reduced cost enters as long as the
objective grows; after a pivot without progress Bland's rule takes over until it grows again, so
the method cannot cycle.
"""

from fractions import Fraction

ZERO = Fraction(0)


def _inverse(matrix):
    """The inverse of a square matrix of fractions, by Gauss-Jordan elimination."""
    n = len(matrix)
    work = [list(row) + [Fraction(int(i == j)) for j in range(n)] for i, row in enumerate(matrix)]
    for i in range(n):
        pivot = next(r for r in range(i, n) if work[r][i])
        work[i], work[pivot] = work[pivot], work[i]
        scale = 1 / work[i][i]
        work[i] = [entry * scale for entry in work[i]]
        for r in range(n):
            if r != i and work[r][i]:
                factor = work[r][i]
                work[r] = [a - factor * b for a, b in zip(work[r], work[i], strict=True)]
    return [row[n:] for row in work]


def _dot(a, b):
    return sum((x * y for x, y in zip(a, b, strict=True) if x and y), ZERO)


def maximise(objective, columns, right_side, basis):
    """The optimum of max c.x subject to sum_j x_j columns[j] = right_side and x >= 0.

    ``basis`` lists the column numbers of a feasible basis. Returns (value, duals).
    """
    n = len(right_side)
    basis = list(basis)
    inverse = _inverse([[columns[j][i] for j in basis] for i in range(n)])
    solution = [_dot(row, right_side) for row in inverse]
    if any(x < 0 for x in solution):
        raise ValueError("the starting basis is not feasible")
    careful = False
    while True:
        weights = [objective[j] for j in basis]
        duals = [_dot(weights, [inverse[i][r] for i in range(n)]) for r in range(n)]
        gains = ((objective[j] - _dot(duals, column), j) for j, column in enumerate(columns))
        better = [(gain, j) for gain, j in gains if gain > 0]
        if not better:
            return _dot(weights, solution), duals
        entering = better[0][1] if careful else max(better, key=lambda pair: pair[0])[1]
        direction = [_dot(row, columns[entering]) for row in inverse]
        steps = [(solution[i] / d, basis[i], i) for i, d in enumerate(direction) if d > 0]
        if not steps:
            raise ValueError("the program is unbounded")
        step, _, leaving = min(steps)
        careful = not step
        solution = [x - step * d for x, d in zip(solution, direction, strict=True)]
        solution[leaving] = step
        scale = 1 / direction[leaving]
        inverse[leaving] = [entry * scale for entry in inverse[leaving]]
        for i in range(n):
            if i != leaving and direction[i]:
                factor = direction[i]
                inverse[i] = [
                    a - factor * b for a, b in zip(inverse[i], inverse[leaving], strict=True)
                ]
        basis[leaving] = entering
