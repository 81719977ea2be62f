"""Every family at small orders, checked by the kernel and for its own property."""

import numpy as np
import pytest

from combinatorics.hadamard import is_hadamard, is_regular, is_skew, is_symmetric
from combinatorics.hadamard.arrays import eight_circulant_array
from combinatorics.hadamard.conference import (
    is_conference,
    mathon_conference,
    plan_symmetric_conference,
)
from combinatorics.hadamard.kharaghani import kharaghani
from combinatorics.hadamard.miyamoto import miyamoto
from combinatorics.hadamard.paley import (
    bordered,
    jacobsthal_matrix,
    paley_1,
    paley_2,
    paley_symmetric,
)
from combinatorics.hadamard.planning import plan_hadamard
from combinatorics.hadamard.propus import plan_propus
from combinatorics.hadamard.regular import (
    half_line_matrix,
    half_lines,
    menon_matrix,
    steiner_matrix_196,
    twin_prime_power_matrix,
)
from combinatorics.hadamard.sign_matrix import group_matrix
from combinatorics.hadamard.skew import plan_skew, skew_doubling, spence_matrix
from combinatorics.hadamard.stored import stored_rows
from combinatorics.hadamard.supplementary_difference_sets import (
    plan_skew_supplementary_difference_sets,
    plan_supplementary_difference_sets,
)
from combinatorics.hadamard.sylvester import kronecker, sylvester
from combinatorics.hadamard.szekeres import plan_szekeres, plan_szekeres_pair, szekeres_matrix
from combinatorics.hadamard.williamson import (
    plan_t_sequences_with_williamson,
    plan_williamson_matrix,
)
from combinatorics.hadamard.yamada import yamada_from_conference, yamada_from_skew
from combinatorics.incidence_matrix import hadamard_from_signs
from combinatorics.number_theory import is_prime_power
from verify.kernel.design import check_hadamard

PALEY_1 = [q for q in range(3, 132, 4) if is_prime_power(q)]
PALEY_2 = [q for q in range(5, 102, 4) if is_prime_power(q)]


def require_hadamard(matrix, order):
    assert matrix.dtype == np.int8
    assert matrix.shape == (order, order)
    verdict = check_hadamard(hadamard_from_signs(matrix))
    assert verdict.is_accepted, verdict.reason


@pytest.mark.parametrize("exponent", range(8))
def test_sylvester(exponent):
    matrix = sylvester(2**exponent)
    require_hadamard(matrix, 2**exponent)
    assert is_symmetric(matrix)


def test_kronecker_of_three():
    require_hadamard(kronecker(paley_1(3), paley_2(5), sylvester(2)), 96)


@pytest.mark.parametrize("q", PALEY_1)
def test_paley_1_is_skew_and_has_a_symmetric_form(q):
    require_hadamard(paley_1(q), q + 1)
    assert is_skew(paley_1(q))
    require_hadamard(paley_symmetric(q), q + 1)
    assert is_symmetric(paley_symmetric(q))


@pytest.mark.parametrize("q", PALEY_2)
def test_paley_2_is_symmetric(q):
    require_hadamard(paley_2(q), 2 * q + 2)
    assert is_symmetric(paley_2(q))


@pytest.mark.parametrize("m", [1, 3, 7, 15, 19, 23, 25, 29, 33, 37, 39, 43, 63])
def test_williamson(m):
    require_hadamard(plan_williamson_matrix(4 * m).build(), 4 * m)


@pytest.mark.parametrize("n", [24, 36, 60, 84, 140, 188, 236, 260, 268, 324, 428, 476])
def test_t_sequences_with_williamson(n):
    require_hadamard(plan_t_sequences_with_williamson(n).build(), n)


@pytest.mark.parametrize("moduli", list(stored_rows("supplementary_difference_sets")))
def test_every_stored_quadruple_of_sets_has_constant_correlation(moduli):
    rows = stored_rows("supplementary_difference_sets")[moduli]
    signs = np.array([[1 if c == "+" else -1 for c in row] for row in rows], dtype=np.int64)
    moved = np.stack([group_matrix(row, moduli) for row in signs])  # a(y - x) at place (x, y)
    correlation = np.einsum("kxy,ky->x", moved, signs)
    assert correlation[0] == 4 * signs.shape[1]
    assert not correlation[1:].any()


@pytest.mark.parametrize("n", [28, 76, 148, 156, 172, 196, 324, 412, 508, 676])
def test_supplementary_difference_sets(n):
    require_hadamard(plan_supplementary_difference_sets(n).build(), n)


@pytest.mark.parametrize("m", [key[0] for key in stored_rows("good_matrices")])
def test_good_matrices_are_skew(m):
    matrix = plan_skew_supplementary_difference_sets(4 * m).build()
    require_hadamard(matrix, 4 * m)
    assert is_skew(matrix)


@pytest.mark.parametrize("q", [5, 9, 13, 17, 25, 29, 37, 41, 49, 73])
def test_miyamoto(q):
    conference = plan_symmetric_conference(q + 1).build()
    require_hadamard(miyamoto(conference, plan_hadamard(q - 1).build()), 4 * q)


def test_miyamoto_takes_a_conference_matrix_that_is_not_normalised():
    rng = np.random.default_rng(1)
    signs = rng.choice(np.array([-1, 1], dtype=np.int8), 14)
    conference = signs[:, None] * plan_symmetric_conference(14).build() * signs[None, :]
    require_hadamard(miyamoto(conference, plan_hadamard(12).build()), 52)


@pytest.mark.parametrize("q", [5, 13, 29, 37, 53, 61, 101, 109, 125])
def test_yamada_from_skew(q):
    skew = plan_skew((q + 3) // 2).build()
    signs = np.random.default_rng(q).choice(np.array([-1, 1], dtype=np.int8), skew.shape[0])
    switched = signs[:, None] * skew * signs[None, :]
    require_hadamard(yamada_from_skew(q, switched), 4 * q + 8)


@pytest.mark.parametrize("q", [17, 73, 97])
def test_yamada_from_conference(q):
    conference = plan_symmetric_conference((q + 3) // 2).build()
    require_hadamard(yamada_from_conference(q, conference), 4 * q + 8)


@pytest.mark.parametrize(("a", "b"), [(1, 1), (1, 2), (3, 4), (5, 6), (3, 11), (13, 18), (10, 22)])
def test_kharaghani(a, b):
    require_hadamard(kharaghani(a, b), 8 * (a + b))


def test_eight_circulants_of_order_1():
    require_hadamard(eight_circulant_array(np.ones((8, 1), dtype=np.int8)), 8)


@pytest.mark.parametrize("q", [5, 13, 25, 29, 37, 61, 101, 125, 169])
def test_szekeres_whiteman_is_skew(q):
    # 125 = 5 mod 8; 25 and 169 are squares of primes 5 mod 8
    matrix = plan_szekeres(2 * q + 2).build()
    require_hadamard(matrix, 2 * q + 2)
    assert is_skew(matrix)


@pytest.mark.parametrize("v", [3, 5, 7, 9, 11, 13, 15, 19, 21, 29, 31, 33, 183])
def test_szekeres_pair_in_a_cyclic_group(v):
    matrix = szekeres_matrix(plan_szekeres_pair(v).build(), (v,))
    require_hadamard(matrix, 2 * v + 2)
    assert is_skew(matrix)


@pytest.mark.parametrize("q", [3, 5, 13])
def test_spence_is_skew(q):
    v = q * q + q + 1
    matrix = spence_matrix(q, plan_szekeres_pair(v).build())
    require_hadamard(matrix, 4 * v)
    assert is_skew(matrix)


def test_skew_doubling():
    matrix = skew_doubling(paley_1(11))
    require_hadamard(matrix, 24)
    assert is_skew(matrix)


@pytest.mark.parametrize("q", [3, 5, 7, 9, 11, 17, 23, 25])
def test_twin_prime_powers_are_regular_and_symmetric(q):
    matrix = twin_prime_power_matrix(q)
    require_hadamard(matrix, (q + 1) ** 2)
    assert is_regular(matrix)
    assert is_symmetric(matrix)
    if q % 4 == 3:
        assert (np.diag(matrix) == 1).all()
    assert matrix[0].sum() == q + 1


@pytest.mark.parametrize("q", [3, 5, 11, 13])
def test_half_lines_are_regular(q):
    matrix = half_line_matrix(q)
    require_hadamard(matrix, 4 * q * q)
    assert is_regular(matrix)
    assert matrix[0].sum() == 2 * q


@pytest.mark.parametrize("q", [3, 5, 11, 13, 17, 19])
def test_half_lines_partition_the_nonzero_elements(q):
    lines = half_lines(q)
    assert lines.shape == (2 * q + 2, (q - 1) // 2)
    assert sorted(lines.ravel().tolist()) == list(range(1, q * q))


@pytest.mark.parametrize("t", [3, 9, 25])
def test_menon_difference_sets_give_regular_matrices(t):
    matrix = menon_matrix(t)
    assert is_hadamard(matrix)
    assert is_regular(matrix)
    assert matrix[0].sum() == 2 * t


def test_steiner_matrix_is_regular_and_symmetric():
    matrix = steiner_matrix_196()
    require_hadamard(matrix, 196)
    assert is_regular(matrix)
    assert is_symmetric(matrix)
    assert matrix[0].sum() == 14


@pytest.mark.parametrize("q", [5, 7, 9, 13, 25, 27])
def test_jacobsthal_matrix(q):
    matrix = jacobsthal_matrix(q).astype(int)
    ones = np.ones((q, q), dtype=int)
    assert np.array_equal(matrix @ matrix.T, q * np.eye(q, dtype=int) - ones)
    assert np.array_equal(matrix, matrix.T if q % 4 == 1 else -matrix.T)


@pytest.mark.parametrize("n", [2, 6, 10, 14, 18, 26, 30, 38, 46, 50, 442])
def test_symmetric_conference(n):
    matrix = plan_symmetric_conference(n).build()
    assert is_conference(matrix)
    assert is_symmetric(matrix)


def test_mathon_takes_a_conference_matrix_that_is_not_normalised():
    smaller = plan_symmetric_conference(6).build().copy()
    smaller[2] *= -1
    smaller[:, 2] *= -1
    matrix = mathon_conference(3, smaller)
    assert is_conference(matrix)
    assert is_symmetric(matrix)


def test_is_conference_refuses_a_flipped_sign_and_a_diagonal():
    matrix = plan_symmetric_conference(14).build()
    flipped = matrix.copy()
    flipped[2, 5] *= -1
    assert not is_conference(flipped)
    assert not is_conference(matrix + np.eye(14, dtype=np.int8))
    assert not is_conference(matrix[:, :13])


@pytest.mark.parametrize("m", [key[0] for key in stored_rows("propus_rows")])
def test_propus_is_symmetric(m):
    matrix = plan_propus(4 * m).build()
    require_hadamard(matrix, 4 * m)
    assert is_symmetric(matrix)


def test_bordered():
    assert bordered(0, 1, -1, np.full((1, 1), 7)).tolist() == [[0, 1], [-1, 7]]
