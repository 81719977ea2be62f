"""Golay pairs, Turyn-type and base sequences, T-sequences and Williamson rows, by definition."""

import numpy as np
import pytest

from combinatorics.hadamard.base_sequences import (
    base_sequences,
    base_sequences_from_golay,
    base_sequences_from_turyn_type,
    turyn_type_sequences,
)
from combinatorics.hadamard.golay import (
    complex_golay_pair,
    golay_lengths,
    golay_pair,
    is_complex_golay_length,
    is_golay_length,
)
from combinatorics.hadamard.stored import stored_rows
from combinatorics.hadamard.t_sequences import plan_t_sequences, t_sequences
from combinatorics.hadamard.williamson import (
    plan_williamson_rows,
    quadratic_extension_pair,
    williamson_rows,
)
from combinatorics.number_theory import is_prime_power
from verify.kernel.errors import InputError

STORED_TURYN_TYPE = [key[0] for key in stored_rows("turyn_type_sequences")]
T_LENGTHS = [t for t in range(2, 122) if plan_t_sequences(t) and t != 67]


def aperiodic(sequence):
    """The autocorrelations at shifts 1, 2, ..., padded to 256 places."""
    entries = [int(entry) for entry in sequence]
    sums = [
        sum(a * b for a, b in zip(entries, entries[shift:], strict=False))
        for shift in range(1, len(entries))
    ]
    return np.array(sums + [0] * (300 - len(sums)))


def periodic(sequence):
    sequence = sequence.astype(np.int64)
    return np.array([int(np.dot(sequence, np.roll(sequence, s))) for s in range(len(sequence))])


@pytest.mark.parametrize("length", [1, 2, 4, 8, 10, 16, 20, 26, 32, 40, 52, 80, 100, 104, 260])
def test_golay_pairs_have_complementary_autocorrelations(length):
    pair = golay_pair(length)
    assert pair.shape == (2, length)
    assert set(np.abs(pair).ravel().tolist()) == {1}
    assert not (aperiodic(pair[0]) + aperiodic(pair[1])).any()


def test_golay_lengths_are_those_that_are_built():
    listed = golay_lengths()
    assert sorted(g for g in listed if g <= 2000) == [
        g for g in range(1, 2001) if is_golay_length(g)
    ]
    products = {2**a * 10**b * 26**c for a in range(62) for b in range(19) for c in range(14)}
    assert listed == {product for product in products if product < 2**62}


@pytest.mark.parametrize("length", [0, -2, 3, 14, 34, 130])
def test_other_golay_lengths_are_refused(length):
    with pytest.raises(InputError, match="Golay length"):
        golay_pair(length)


@pytest.mark.parametrize("length", [1, 2, 3, 5, 6, 10, 11, 13, 18, 22, 30, 50, 78, 110, 156, 176])
def test_complex_golay_pairs_have_complementary_hermitian_autocorrelations(length):
    power = [1, 1j, -1, -1j]
    first, second = ([power[e] for e in row] for row in complex_golay_pair(length).tolist())
    assert len(first) == len(second) == length
    for shift in range(1, length):
        total = sum(
            row[i] * row[i + shift].conjugate()
            for row in (first, second)
            for i in range(length - shift)
        )
        assert total == 0


def test_complex_golay_lengths_not_built_are_refused():
    assert not is_complex_golay_length(7)
    assert not is_complex_golay_length(9)
    with pytest.raises(InputError, match="complex Golay length 7"):
        complex_golay_pair(7)


@pytest.mark.parametrize("n", STORED_TURYN_TYPE)
def test_turyn_type_sequences(n):
    x, y, z, w = turyn_type_sequences(n)
    assert (x.size, y.size, z.size, w.size) == (n, n, n, n - 1)
    total = aperiodic(x) + aperiodic(y) + 2 * aperiodic(z) + 2 * aperiodic(w)
    assert not total.any()


def test_turyn_type_sequences_not_stored_are_refused():
    with pytest.raises(InputError, match="Turyn-type length 34"):
        turyn_type_sequences(34)


@pytest.mark.parametrize(
    "sequences",
    [base_sequences_from_golay(g) for g in (1, 2, 4, 10, 26)]
    + [base_sequences_from_turyn_type(n) for n in (2, 6, 20, 36)],
)
def test_base_sequences_sum_to_zero(sequences):
    long, short = sequences
    assert (np.abs(long) == 1).all()
    assert (np.abs(short) == 1).all()
    total = sum(aperiodic(row) for row in [*long, *short])
    assert not total.any()


@pytest.mark.parametrize("m", [*(key[0] for key in stored_rows("base_sequences")), 16, 20, 26])
def test_base_sequences_of_neighbouring_lengths(m):
    long, short = base_sequences(m)
    assert long.shape == (2, m + 1)
    assert short.shape == (2, m)
    assert (np.abs(long) == 1).all()
    assert (np.abs(short) == 1).all()
    assert not sum(aperiodic(row) for row in [*long, *short]).any()


def test_base_sequences_not_known_here_are_refused():
    with pytest.raises(InputError, match="base sequences of lengths 38 and 37"):
        base_sequences(37)


@pytest.mark.parametrize("t", T_LENGTHS)
def test_t_sequences_are_disjoint_and_complementary(t):
    rows = t_sequences(t)
    assert rows.shape == (4, t)
    assert (np.abs(rows).sum(axis=0) == 1).all()
    assert not sum(aperiodic(row) for row in rows).any()


@pytest.mark.parametrize("t", [key[0] for key in stored_rows("t_sequences")])
def test_every_stored_quadruple_is_t_sequences(t):
    rows = np.array([["-0+".index(c) - 1 for c in row] for row in stored_rows("t_sequences")[(t,)]])
    assert (np.abs(rows).sum(axis=0) == 1).all()
    assert not sum(aperiodic(row) for row in rows).any()


def test_t_matrices_of_order_67():
    rows = t_sequences(67)
    assert (np.abs(rows).sum(axis=0) == 1).all()
    assert not sum(periodic(row) for row in rows)[1:].any()


def test_t_sequences_cover_the_lengths_that_known_orders_need():
    needed = [3, 5, 7, 9, 11, 13, 17, 19, 47, 59, 67, 71, 83, 89, 101, 107, 401]
    assert all(plan_t_sequences(t) for t in needed)
    with pytest.raises(InputError, match="T-sequences of length 97"):
        t_sequences(97)


PRIME_POWERS = [q for q in range(5, 260, 4) if is_prime_power(q)]


def test_there_are_32_prime_powers_below_260():
    assert len(PRIME_POWERS) == 32


@pytest.mark.parametrize("q", PRIME_POWERS)
def test_quadratic_extension_pair(q):
    a, b = quadratic_extension_pair(q)
    assert a[0] == 0
    assert (np.abs(a[1:]) == 1).all()
    assert (np.abs(b) == 1).all()
    assert np.array_equal(a[1:], a[:0:-1])
    assert np.array_equal(b[1:], b[:0:-1])
    total = periodic(a) + periodic(b)
    assert total[0] == q
    assert not total[1:].any()


@pytest.mark.parametrize("m", [m for m in range(1, 100) if plan_williamson_rows(m)])
def test_williamson_rows_are_symmetric_and_complementary(m):
    rows = williamson_rows(m)
    assert rows.shape == (4, m)
    assert (np.abs(rows) == 1).all()
    assert all(np.array_equal(row[1:], row[:0:-1]) for row in rows)
    total = sum(periodic(row) for row in rows)
    assert total[0] == 4 * m
    assert not total[1:].any()


@pytest.mark.parametrize("m", [35, 47, 53, 59])
def test_orders_without_williamson_matrices_are_refused(m):
    # An exhaustive search (Holzmann, Kharaghani and Tayfeh-Rezaie 2008) found none for these m.
    with pytest.raises(InputError, match=f"order {m}"):
        williamson_rows(m)
