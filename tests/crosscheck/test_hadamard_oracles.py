"""Matrices against oracles that share no code: SciPy, SymPy, and the definitions in integers."""

import numpy as np
import pytest
from scipy.linalg import hadamard as scipy_hadamard
from sympy import jacobi_symbol, primerange

from combinatorics.hadamard import hadamard_matrix, is_hadamard
from combinatorics.hadamard.arrays import goethals_seidel_array
from combinatorics.hadamard.paley import jacobsthal_matrix
from combinatorics.hadamard.sign_matrix import circulant, group_matrix, negation
from combinatorics.hadamard.sylvester import sylvester


@pytest.mark.parametrize("exponent", range(9))
def test_sylvester_is_that_of_scipy(exponent):
    assert np.array_equal(sylvester(2**exponent), scipy_hadamard(2**exponent))


@pytest.mark.parametrize("p", [*primerange(3, 60)])
def test_jacobsthal_matrix_of_a_prime_has_legendre_symbols(p):
    expected = [[jacobi_symbol((x - y) % p, p) for y in range(p)] for x in range(p)]
    assert np.array_equal(jacobsthal_matrix(p), np.array(expected, dtype=int))


@pytest.mark.parametrize("n", [1, 2, 4, 12, 28, 92, 156, 184, 188, 236, 260, 292])
def test_exact_check_agrees_with_python_integers(n):
    matrix = hadamard_matrix(n).matrix
    rows = matrix.tolist()
    products = {
        (i, j): sum(a * b for a, b in zip(rows[i], rows[j], strict=True))
        for i in range(n)
        for j in range(i, n)
    }
    by_definition = all(value == n * (i == j) for (i, j), value in products.items())
    assert by_definition
    assert is_hadamard(matrix)


def test_circulant_is_the_group_matrix_of_a_cyclic_group():
    row = np.array([5, 7, 1, 0, 2], dtype=np.int8)
    expected = [[row[(j - i) % 5] for j in range(5)] for i in range(5)]
    assert circulant(row).tolist() == expected
    assert group_matrix(row, (5,)).tolist() == expected


@pytest.mark.parametrize("moduli", [(1,), (4,), (3, 5), (2, 3, 4), (3, 3, 3)])
def test_group_matrix_and_negation_follow_the_group(moduli):
    elements = list(np.ndindex(*moduli))
    function = np.random.default_rng(5).integers(-9, 9, len(elements)).astype(np.int8)
    value = dict(zip(elements, function.tolist(), strict=True))
    matrix, negatives = group_matrix(function, moduli), negation(moduli)
    for i, x in enumerate(elements):
        opposite = tuple(-a % m for a, m in zip(x, moduli, strict=True))
        assert elements[negatives[i]] == opposite
        for j, y in enumerate(elements):
            difference = tuple((b - a) % m for a, b, m in zip(x, y, moduli, strict=True))
            assert matrix[i, j] == value[difference]


def test_goethals_seidel_array_has_the_blocks_of_its_definition():
    rng = np.random.default_rng(3)
    rows = rng.choice(np.array([-1, 1], dtype=np.int8), (4, 7))
    a, b, c, d = (circulant(row) for row in rows)
    r = np.fliplr(np.eye(7, dtype=np.int8))
    r = np.roll(r, 1, axis=1)  # the permutation y -> -y of Z_7
    expected = np.block(
        [
            [a, b @ r, c @ r, d @ r],
            [-b @ r, a, d.T @ r, -c.T @ r],
            [-c @ r, -d.T @ r, a, b.T @ r],
            [-d @ r, c.T @ r, -b.T @ r, a],
        ]
    )
    assert np.array_equal(goethals_seidel_array(rows, (7,)), expected)
