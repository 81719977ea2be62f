"""Bruck-Ryser-Chowla by Hilbert symbols against the ternary quadratic solver of sympy."""

from sympy import symbols
from sympy.solvers.diophantine.diophantine import diop_ternary_quadratic_normal

from combinatorics.obstruction import bruck_ryser_chowla
from tests.benchmarks.symmetric_designs import reference_rows

X, Y, Z = symbols("x y z", integer=True)


def test_the_conic_of_every_odd_triple():
    seen = {True: 0, False: 0}
    for v, k, lambda_, _ in reference_rows():
        if v % 2 == 0 or v > 400:
            continue
        n, signed = k - lambda_, lambda_ if v % 4 == 1 else -lambda_
        solution = diop_ternary_quadratic_normal(Z**2 - n * X**2 - signed * Y**2)
        solvable = solution[0] is not None
        assert (bruck_ryser_chowla(v, k, lambda_) is None) == solvable, (v, k, lambda_)
        seen[solvable] += 1
    assert min(seen.values()) > 50
