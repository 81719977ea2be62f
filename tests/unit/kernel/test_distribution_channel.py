"""Distributions and channels are valid once built, and refuse everything else by name."""

from dataclasses import FrozenInstanceError
from fractions import Fraction

import pytest
from hypothesis import given

from tests.support.instances import channels, distributions
from verify.kernel.channel import MAX_CELLS, Channel
from verify.kernel.distribution import (
    MAX_ALPHABET,
    MAX_DENOMINATOR_BITS,
    Distribution,
    common_denominator,
)
from verify.kernel.errors import InexactNumberError, InputError, LimitError

HALF = Fraction(1, 2)


def test_masses_of_every_exact_type_become_fractions():
    law = Distribution(("1/4", "0.25", HALF, 0))
    assert law.masses == (Fraction(1, 4), Fraction(1, 4), HALF, Fraction(0))
    assert len(law) == 4
    with pytest.raises(FrozenInstanceError):
        law.masses = ()


@pytest.mark.parametrize(
    ("masses", "message"),
    [
        ((), "p0: is empty"),
        (("1/2", "-1/2", "1"), r"p0\[1\]: '-1/2' is negative"),
        (("1/2", "1/3"), "p0: the probabilities sum to '5/6', not 1"),
        ((1, 1), "p0: the probabilities sum to '2', not 1"),
        ((0, 0), "sum to '0'"),
        (("1/2", "0.500000000001"), "sum to '1000000000001/1000000000000'"),
        ((1, "1e-3000"), "sum to another value"),
        (("1/2", "x"), r"p0\[1\]: 'x' is not a number"),
    ],
)
def test_bad_masses_are_refused_by_place(masses, message):
    with pytest.raises(InputError, match=message) as caught:
        Distribution(masses, "p0")
    assert len(str(caught.value)) < 200


@pytest.mark.parametrize("bad", [0.5, True, None, float("nan")])
def test_inexact_masses_are_refused(bad):
    with pytest.raises(InexactNumberError, match=r"distribution\[1\]"):
        Distribution(("1/2", bad))


def test_too_many_or_too_fine_masses_are_over_the_limit():
    with pytest.raises(LimitError):
        Distribution((0,) * (MAX_ALPHABET + 1))
    fine = [Fraction(1, 3**n) for n in (1, 5)] + [Fraction(1, 10**3900 + i) for i in range(1, 9)]
    with pytest.raises(LimitError, match="common denominator"):
        Distribution(tuple(fine))
    with pytest.raises(LimitError, match="here"):
        common_denominator([Fraction(1, 1 << MAX_DENOMINATOR_BITS)], "here")


@given(distributions(max_size=9))
def test_any_normalised_list_is_a_distribution(masses):
    assert Distribution(masses).masses == masses
    assert sum(Distribution(tuple(map(str, masses))).masses) == 1


@pytest.mark.parametrize(
    ("rows", "message"),
    [
        ((), "rows: is empty"),
        (((),), r"rows\[0\]: is empty"),
        (((1,), (HALF, HALF)), r"rows\[1\]: has 2 entries, not 1 as rows\[0\]"),
        (((HALF, HALF), (HALF, "0.6")), r"rows\[1\]: the probabilities sum to '11/10'"),
        (((HALF, HALF), (2, -1)), r"rows\[1\]\[1\]: '-1' is negative"),
        ((("3/4", "3/4"), ("1/4", "1/4")), r"rows\[0\]: the probabilities sum to '3/2'"),
        (((HALF, "0.500000000001"),), r"rows\[0\]: .* sum"),
    ],
)
def test_bad_rows_are_refused_by_place(rows, message):
    with pytest.raises(InputError, match=message):
        Channel(rows)


def test_a_float_matrix_is_refused():
    with pytest.raises(InexactNumberError, match=r"rows\[0\]\[0\]"):
        Channel(((0.5, 0.5), (0.5, 0.5)))


def test_too_many_cells_are_over_the_limit():
    row = (0,) * (MAX_CELLS // 100 + 1)
    with pytest.raises(LimitError):
        Channel((row,) * 100)


@given(channels())
def test_columns_and_sizes(rows):
    channel = Channel(rows)
    assert list(channel.columns()) == [tuple(row[y] for row in rows) for y in range(len(rows[0]))]
    assert (channel.n_inputs, channel.n_outputs) == (len(rows), len(rows[0]))
