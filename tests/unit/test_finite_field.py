"""Finite fields: field laws on all of small fields, tables and traces of large ones."""

import numpy as np
import pytest
from flint import fq_default_ctx

from combinatorics.finite_field import MAX_FIELD_ORDER, FiniteField, smallest_primitive_root
from combinatorics.number_theory import prime_power
from verify.kernel.errors import InputError, LimitError

SMALL = [2, 3, 4, 5, 7, 8, 9, 16, 25, 27, 49]


@pytest.mark.parametrize("q", SMALL)
def test_field_laws(q):
    field = FiniteField(q)
    a = field.elements()
    x, y, z = (axis.reshape(-1) for axis in np.meshgrid(a, a, a[: min(q, 9)]))
    assert (field.add(x, y) == field.add(y, x)).all()
    assert (field.add(field.add(x, y), z) == field.add(x, field.add(y, z))).all()
    assert (field.mul(field.mul(x, y), z) == field.mul(x, field.mul(y, z))).all()
    left = field.mul(x, field.add(y, z))
    assert (left == field.add(field.mul(x, y), field.mul(x, z))).all()
    assert (field.add(a, field.neg(a)) == 0).all()
    assert (field.mul(a[1:], field.inverse(a[1:])) == 1).all()
    assert (field.sub(field.add(x, y), y) == x).all()


@pytest.mark.parametrize("q", SMALL)
def test_powers_and_logarithms(q):
    field = FiniteField(q)
    a = field.elements()
    product = np.ones_like(a)
    for n in range(2 * q):
        assert (field.power(a, n) == product).all()
        product = field.mul(product, a)
    assert (field.power(a[1:], -3) == field.inverse(field.power(a[1:], 3))).all()
    assert sorted(field.exp) == list(range(1, q))
    assert (field.exp[field.log[1:]] == a[1:]).all()
    assert int(field.log[field.primitive_element]) == 1 % (q - 1)


@pytest.mark.parametrize("q", [8, 9, 27, 125, 343])
def test_multiplication_agrees_with_flint(q):
    field = FiniteField(q)
    context = fq_default_ctx(field.p, field.degree)
    rng = np.random.default_rng(q)
    for a, b in rng.integers(0, q, (50, 2)):
        product = context(field.digits(a).tolist()) * context(field.digits(b).tolist())
        coefficients = [int(c) for c in product.to_list()]
        assert int(field.mul(a, b)) == int(field.from_digits(coefficients))


@pytest.mark.parametrize(("q", "subfields"), [(64, [2, 4, 8, 64]), (81, [3, 9, 81]), (49, [7, 49])])
def test_traces_are_linear_onto_the_subfield(q, subfields):
    field = FiniteField(q)
    a = field.elements()
    for subfield_q in subfields:
        trace = field.trace(a, subfield_q)
        inside = np.flatnonzero(field.power(a, subfield_q) == a)
        assert set(np.unique(trace)) == set(inside)
        assert set(np.bincount(trace)[inside]) == {q // subfield_q}
        b = field.primitive_element
        assert (field.trace(field.add(a, b), subfield_q) == field.add(trace, trace[b])).all()


@pytest.mark.parametrize("q", [5, 9, 13, 25, 27])
def test_characters(q):
    field = FiniteField(q)
    a = field.elements()
    squares = {int(field.mul(x, x)) for x in a[1:]}
    assert {int(x) for x in a if field.quadratic_character(x) == 1} == squares
    assert set(field.cyclotomic_class(0, 2).tolist()) == squares
    for e in range(1, q):
        if (q - 1) % e == 0:
            classes = [set(field.cyclotomic_class(i, e).tolist()) for i in range(e)]
            assert set().union(*classes) == set(range(1, q))
            assert sum(map(len, classes)) == q - 1
            chi = field.multiplicative_character(a, e)
            assert all((chi[list(c)] == i).all() for i, c in enumerate(classes))
            assert chi[0] == -1
    sums = np.exp(2j * np.pi * field.additive_character(a[:, None], a[None, :]) / field.p)
    assert np.allclose(sums @ sums.conj().T, q * np.eye(q))


def test_every_field_of_prime_power_order_up_to_two_thousand_has_a_primitive_root():
    for q in range(2, 2001):
        if prime_power(q) is not None:
            assert len(np.unique(FiniteField(q).exp)) == q - 1


@pytest.mark.slow
def test_every_proper_prime_power_up_to_the_limit():
    for q in range(4, MAX_FIELD_ORDER + 1):
        decomposition = prime_power(q)
        if decomposition is not None and decomposition[1] > 1:
            assert len(np.unique(FiniteField(q).exp)) == q - 1


def test_a_large_field():
    field = FiniteField(3**12)
    assert set(np.bincount(field.trace(field.elements()))) == {3**11}


def test_primitive_roots_modulo_primes():
    assert [smallest_primitive_root(p) for p in (2, 3, 5, 7, 11, 23, 41, 191)] == [
        1, 2, 2, 3, 2, 5, 6, 19,
    ]  # fmt: skip


@pytest.mark.parametrize("q", [0, 1, 6, 12, 100, -5])
def test_orders_that_are_no_prime_powers_are_refused(q):
    with pytest.raises(InputError, match="not a prime power"):
        FiniteField(q)


def test_misuse_is_refused():
    with pytest.raises(LimitError):
        FiniteField(2**21)
    with pytest.raises(InputError, match="subfield"):
        FiniteField(64).trace(1, 16)
    with pytest.raises(InputError, match="even"):
        FiniteField(8).quadratic_character(1)
    with pytest.raises(InputError, match="divide"):
        FiniteField(8).cyclotomic_class(0, 3)
    with pytest.raises(ZeroDivisionError):
        FiniteField(8).inverse([1, 0])
    with pytest.raises(ZeroDivisionError):
        FiniteField(8).power(0, -1)
    with pytest.raises(ValueError, match="read-only"):
        FiniteField(8).exp[0] = 5


@pytest.mark.parametrize("q", [3.0, "9", None])
def test_an_order_that_is_no_integer_is_refused(q):
    with pytest.raises(InputError, match="not an integer"):
        FiniteField(q)
