"""Mutants are refused, equivalent matrices are accepted, answers agree with each other."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from combinatorics.construction import Exists, Impossible, Unknown
from combinatorics.hadamard import (
    OPEN_ORDERS,
    hadamard_existence,
    hadamard_matrix,
    is_hadamard,
    is_regular,
    is_skew,
    is_symmetric,
    regular_hadamard_matrix,
    skew_hadamard_existence,
    skew_hadamard_matrix,
)
from combinatorics.incidence_matrix import hadamard_from_signs
from verify.kernel.design import check_hadamard

ORDERS = st.sampled_from(range(4, 240, 4))


@settings(deadline=None)
@given(ORDERS, st.data())
def test_a_flipped_sign_is_refused(n, data):
    matrix = hadamard_matrix(n).matrix.copy()
    i, j = (data.draw(st.integers(0, n - 1)) for _ in range(2))
    matrix[i, j] *= -1
    assert not is_hadamard(matrix)
    verdict = check_hadamard(hadamard_from_signs(matrix))
    assert not verdict.is_accepted
    assert i in verdict.details["rows"]


@settings(deadline=None)
@given(ORDERS, st.data())
def test_other_entries_and_shapes_are_refused(n, data):
    matrix = hadamard_matrix(n).matrix.copy()
    assert not is_hadamard(matrix[:, :-1])
    assert not is_hadamard(matrix[0])
    matrix[data.draw(st.integers(0, n - 1)), 0] = data.draw(st.sampled_from([0, 2, -3]))
    assert not is_hadamard(matrix)


@settings(deadline=None)
@given(ORDERS, st.randoms(use_true_random=False))
def test_equivalent_matrices_are_accepted(n, random):
    matrix = hadamard_matrix(n).matrix
    rows, columns = list(range(n)), list(range(n))
    random.shuffle(rows)
    random.shuffle(columns)
    signs = np.array([random.choice([-1, 1]) for _ in range(n)], dtype=np.int8)
    changed = (matrix[rows][:, columns] * signs).T
    assert is_hadamard(changed)
    assert check_hadamard(hadamard_from_signs(changed)).is_accepted


@settings(deadline=None)
@given(st.sampled_from([4, 12, 20, 28, 36, 52, 92, 100, 156]), st.data())
def test_skewness_breaks_with_one_sign(n, data):
    matrix = skew_hadamard_matrix(n).matrix.copy()
    assert is_skew(matrix)
    matrix[data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n - 1))] *= -1
    assert not is_skew(matrix)


@settings(deadline=None)
@given(st.sampled_from([4, 16, 36, 64, 100, 144, 196]), st.data())
def test_regularity_breaks_with_one_sign(n, data):
    matrix = regular_hadamard_matrix(n).matrix.copy()
    assert is_regular(matrix)
    matrix[data.draw(st.integers(0, n - 1)), data.draw(st.integers(0, n - 1))] *= -1
    assert not is_regular(matrix)


@settings(deadline=None)
@given(st.integers(1, 2**62))
def test_answers_follow_the_residue(n):
    answer = hadamard_existence(n)
    if n > 2 and n % 4:
        assert isinstance(answer, Impossible)
    else:
        assert isinstance(answer, Exists | Unknown)


@settings(deadline=None)
@given(st.integers(1, 500))
def test_products_of_known_orders_are_known(m):
    if 4 * m not in OPEN_ORDERS:
        assert isinstance(hadamard_existence(8 * m), Exists)
        assert isinstance(hadamard_existence(48 * m), Exists)


@settings(deadline=None)
@given(st.integers(1, 2**50))
def test_a_skew_order_is_a_hadamard_order_and_doubles(n):
    if isinstance(skew_hadamard_existence(4 * n), Exists):
        assert isinstance(hadamard_existence(4 * n), Exists)
        assert isinstance(skew_hadamard_existence(8 * n), Exists)


def test_a_matrix_with_equal_rows_is_not_hadamard():
    assert not is_hadamard(np.ones((2, 2), dtype=np.int8))
    assert not is_symmetric(np.array([[1, 1], [-1, 1]], dtype=np.int8))
