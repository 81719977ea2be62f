"""The building sets of Chen and of Davis and Jedwab at every character, in Gaussian integers.

The transforms here share no code with the construction: all character sums of a group of exponent
2 or 4 at once, one cyclic factor after the other.
"""

import numpy as np
import pytest

from combinatorics.difference_sets import constructed_difference_set, difference_set_construction
from combinatorics.difference_sets.chen import chen_building_set, chen_parameters
from combinatorics.difference_sets.davis_jedwab import davis_jedwab_building_set
from combinatorics.finite_field import FiniteField
from verify.kernel.errors import LimitError


def _transform(rows, orders):
    """Real and imaginary parts of all character sums of integer rows, exact."""
    re = rows.astype(np.int64)
    im = np.zeros_like(re)
    shape, before, after = re.shape, 1, re.shape[1]
    for order in orders:
        after //= order
        a = re.reshape(shape[0], before, order, after)
        b = im.reshape(shape[0], before, order, after)
        real, imaginary = [], []
        for c in range(order):
            x, y = 0, 0
            for g in range(order):
                u, w = a[:, :, g], b[:, :, g]
                for _ in range(c * g * (4 // order) % 4):
                    u, w = -w, u  # times i
                x, y = x + u, y + w
            real.append(x)
            imaginary.append(y)
        re = np.stack(real, axis=2).reshape(shape)
        im = np.stack(imaginary, axis=2).reshape(shape)
        before *= order
    return re, im


def _require_covering(building_set, q, d):
    v, k, lambda_ = chen_parameters(q, d)
    h, m = (q ** (2 * d) - 1) // (q**2 - 1), q ** (2 * d - 1)
    a = 2 * m * (q - 1)
    assert building_set.blocks.shape == (h, 4 * q ** (2 * d)) == (h, v // h)
    assert sorted(building_set.blocks.sum(axis=1).tolist()) == [a] * (h - 1) + [a + m]
    assert k == a * h + m
    assert lambda_ == k - m * m
    assert building_set.modulus == m
    re, im = _transform(building_set.blocks, building_set.orders)
    norms = (re * re + im * im)[:, 1:]
    assert set(np.unique(norms).tolist()) <= {0, m * m}
    assert ((norms != 0).sum(axis=0) == 1).all()


BINARY = [(2, 1), (2, 2), (2, 3), (2, 4), (4, 1), (4, 2), (8, 1), (8, 2), (16, 1), (32, 1)]


@pytest.mark.parametrize("small", [(2, 2), (4,)])
@pytest.mark.parametrize(("q", "d"), BINARY)
def test_powers_of_two_cover_every_character(q, d, small):
    _require_covering(chen_building_set(q, d, small), q, d)


@pytest.mark.slow
@pytest.mark.parametrize("small", [(2, 2), (4,)])
@pytest.mark.parametrize(("q", "d"), [(2, 5), (4, 3)])
def test_larger_powers_of_two_cover_every_character(q, d, small):
    _require_covering(chen_building_set(q, d, small), q, d)


@pytest.mark.parametrize("d", range(4))
def test_davis_jedwab_groups_with_more_factors_four_cover_every_character(d):
    for fours in range(2, d + 3 if d else 2, 2):
        building_set = davis_jedwab_building_set(d, fours)
        assert building_set.orders.count(4) == fours
        _require_covering(building_set, 2, d + 1)


@pytest.mark.slow
@pytest.mark.parametrize("fours", [0, 1, 2, 4, 6])
def test_davis_jedwab_order_1396736(fours):
    _require_covering(davis_jedwab_building_set(4, fours), 2, 5)


def _quotient_counts(building_set):
    """How often each element of G x Z_h is a quotient, shape (h, |G|), for elementary G.

    On G the pairs are counted by the transform, which is its own inverse but for |G|; on Z_h each
    difference of two cosets is gone through.
    """
    blocks = building_set.blocks
    h, size = blocks.shape
    sums, _ = _transform(blocks, building_set.orders)
    products = np.stack([(sums * np.roll(sums, -shift, axis=0)).sum(axis=0) for shift in range(h)])
    counts, _ = _transform(products, building_set.orders)
    assert not (counts % size).any()
    return counts // size


@pytest.mark.parametrize(("q", "d"), [(2, 2), (2, 3), (2, 4), (4, 2), (8, 2)])
def test_every_quotient_occurs_lambda_times(q, d):
    _v, k, lambda_ = chen_parameters(q, d)
    counts = _quotient_counts(chen_building_set(q, d))
    assert counts[0, 0] == k
    counts[0, 0] = lambda_
    assert (counts == lambda_).all()


def test_a_spoiled_block_is_seen():
    building_set = chen_building_set(4, 2)
    building_set.blocks[3, 5] ^= True
    assert len(np.unique(_quotient_counts(building_set))) > 2


@pytest.mark.parametrize(("q", "d"), [(2, 4), (8, 2), (4, 3), (16, 2), (2, 6), (64, 5)])
def test_sets_too_large_to_be_checked_are_refused_with_their_size(q, d):
    _v, k, _lambda = parameters = chen_parameters(q, d)
    assert difference_set_construction(*parameters) is not None
    with pytest.raises(LimitError, match=f"{k * k} pairs"):
        constructed_difference_set(*parameters)


@pytest.mark.parametrize(("order", "bits"), [(8, 2), (32, 4), (128, 6), (512, 4)])
def test_differences_of_the_shifts_are_onto(order, bits):
    # what the proof uses: y -> P((c - c') y) is onto for c != c', P the lowest bits.
    field = FiniteField(order)
    images = field.mul(field.elements()[1:, None], field.elements()) % 2**bits
    assert all((np.bincount(row, minlength=2**bits) == order >> bits).all() for row in images)
