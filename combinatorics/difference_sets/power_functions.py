"""Difference sets from images and zeros of polynomials over GF(2^m) and GF(3^m).

In GF(2^m)^x and GF(3^m)^x/{1, -1} they have the parameters of Singer sets without being equivalent
to them in general; in the additive group of GF(3^m) those of Paley sets. The cyclic groups are
written by discrete logarithms to a primitive element alpha.
"""

from collections.abc import Iterator
from math import gcd

import numpy as np

from combinatorics.difference_sets.family import (
    Arguments,
    DifferenceSetFamily,
    abelian_difference_set,
    integer_root,
)
from combinatorics.finite_field import MAX_FIELD_ORDER, Elements, FiniteField
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import DifferenceSet

__all__ = [
    "DILLON_DOBBERTIN",
    "DING_YUAN",
    "HELLESETH_KUMAR_MARTINSEN",
    "LIN",
    "MASCHIETTI",
    "dillon_dobbertin_difference_set",
    "ding_yuan_difference_set",
    "helleseth_kumar_martinsen_difference_set",
    "hyperoval_exponents",
    "lin_difference_set",
    "maschietti_difference_set",
]


def _field(p: int, m: int) -> FiniteField:
    if m * p.bit_length() > 64 or p**m > MAX_FIELD_ORDER:
        raise LimitError(f"GF({p}^{m}): over the limit of {MAX_FIELD_ORDER} elements")
    return FiniteField(p**m)


def _logarithms_of_nonzero(field: FiniteField, values: Elements) -> DifferenceSet:
    nonzero = np.unique(values)
    return abelian_difference_set((field.q - 1,), field.log[nonzero[nonzero != 0]])


def dillon_dobbertin_difference_set(m: int, k: int) -> DifferenceSet:
    """The nonzero values of (x+1)^e + x^e + 1 on GF(2^m), e = 4^k - 2^k + 1.

    Its parameters are (2^m-1, 2^(m-1)-1, 2^(m-2)-1).

    Args:
        m: at least 3.
        k: coprime to m, 1 <= k < m/2; k = 1 gives the Singer set.

    Reference: Dillon and Dobbertin (2004), New cyclic difference sets with Singer parameters.
    """
    if m < 3 or not 1 <= k < m / 2 or gcd(k, m) != 1:
        raise InputError(f"m = {m}, k = {k}: needs m >= 3 and k < m/2 coprime to m")
    field = _field(2, m)
    x, exponent = field.elements(), 4**k - 2**k + 1
    values = field.power(x ^ 1, exponent) ^ field.power(x, exponent) ^ 1
    return _logarithms_of_nonzero(field, values)


def dillon_dobbertin_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The (m, k), k >= 2, with v = 2^m - 1."""
    m = _binary_singer_degree(v, k, lambda_)
    for exponent in range(2, (m + 1) // 2):
        if gcd(exponent, m) == 1:
            yield m, exponent


def _binary_singer_degree(v: int, k: int, lambda_: int) -> int:
    """The m >= 3 with v = 2^m - 1, or 0."""
    m = v.bit_length() if v > 0 else 0
    fits = m >= 3 and (v, k, lambda_) == (2**m - 1, 2 ** (m - 1) - 1, 2 ** (m - 2) - 1)
    return m if fits else 0


def hyperoval_exponents(m: int) -> dict[str, int]:
    """Exponents k, m odd, for which the x^k form a hyperoval of PG(2, 2^m), by name.

    Reference: Glynn (1983), Two new sequences of ovals in finite Desarguesian planes of even order.
    """
    if m < 3 or m % 2 == 0:
        raise InputError(f"m = {m}: hyperoval exponents are listed for odd m >= 3")
    sigma = 2 ** ((m + 1) // 2)
    gamma = 2 ** ((3 * m + 1) // 4 if m % 4 == 1 else (m + 1) // 4)
    return {"translation": 2, "Segre": 6, "Glynn I": sigma + gamma, "Glynn II": 3 * sigma + 4}


def maschietti_difference_set(m: int, k: int) -> DifferenceSet:
    """The nonzero values of x^k + x on GF(2^m), m odd, k a hyperoval exponent.

    Its parameters are (2^m-1, 2^(m-1)-1, 2^(m-2)-1); k = 2 gives the Singer set.

    Args:
        m: odd, at least 3.
        k: one of ``hyperoval_exponents(m)``.

    Reference: Maschietti (1998), Difference sets and hyperovals.
    """
    if k not in hyperoval_exponents(m).values():
        raise InputError(f"k = {k} is none of the hyperoval exponents {hyperoval_exponents(m)}")
    field = _field(2, m)
    return _logarithms_of_nonzero(field, field.power(field.elements(), k) ^ field.elements())


def maschietti_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The (m, k), m >= 5 odd, k not the translation exponent."""
    m = _binary_singer_degree(v, k, lambda_)
    if m >= 5 and m % 2:
        for exponent in sorted(set(hyperoval_exponents(m).values()) - {2}):
            yield m, exponent


def _ternary_zeros(m: int, exponent: int) -> DifferenceSet:
    """The i modulo (3^m-1)/2 with Tr(alpha^i + alpha^(ei)) = 0."""
    field = _field(3, m)
    v = (3**m - 1) // 2
    x = field.exp[:v]
    traces = field.trace(field.add(x, field.power(x, exponent)))
    return abelian_difference_set((v,), np.flatnonzero(traces == 0))


def lin_difference_set(m: int) -> DifferenceSet:
    """The i modulo (3^m-1)/2 with Tr(alpha^i + alpha^(ei)) = 0, e = 2*3^((m-1)/2) + 1.

    Its parameters are those of the Singer set of GF(3^m), m odd.

    Reference: Lin (1998); Arasu, Dillon and Player (2015), Character sum factorizations yield
    sequences with ideal two-level autocorrelation.
    """
    if m < 3 or m % 2 == 0:
        raise InputError(f"m = {m}: a Lin difference set needs odd m >= 3")
    return _ternary_zeros(m, 2 * 3 ** ((m - 1) // 2) + 1)


def helleseth_kumar_martinsen_difference_set(m: int) -> DifferenceSet:
    """The i modulo (3^m-1)/2 with Tr(alpha^i + alpha^(ei)) = 0, m = 3j, e = 9^j - 3^j + 1.

    Its parameters are those of the Singer set of GF(3^m).

    Reference: Helleseth, Kumar and Martinsen (2001), A new family of ternary sequences with ideal
    two-level autocorrelation function.
    """
    if m < 3 or m % 3:
        raise InputError(f"m = {m}: a Helleseth-Kumar-Martinsen difference set needs 3 to divide m")
    return _ternary_zeros(m, 9 ** (m // 3) - 3 ** (m // 3) + 1)


def _ternary_singer_degree(v: int, k: int, lambda_: int) -> int:
    """The m >= 3 with v = (3^m-1)/2, k = (3^(m-1)-1)/2, lambda = (3^(m-2)-1)/2, or 0."""
    power = 2 * v + 1
    for m in range(3, power.bit_length() if power > 0 else 0):
        if integer_root(power, m) == 3:
            fits = 2 * k + 1 == 3 ** (m - 1) and 2 * lambda_ + 1 == 3 ** (m - 2)
            return m if fits else 0
    return 0


def lin_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The odd m with v = (3^m-1)/2."""
    m = _ternary_singer_degree(v, k, lambda_)
    if m % 2:
        yield (m,)


def helleseth_kumar_martinsen_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The m divisible by 3 with v = (3^m-1)/2."""
    m = _ternary_singer_degree(v, k, lambda_)
    if m and m % 3 == 0:
        yield (m,)


def ding_yuan_difference_set(m: int, sign: int = 1) -> DifferenceSet:
    """The values of x^10 + sign x^6 - x^2 at nonzero x, in the additive group of GF(3^m), m odd.

    Its parameters are (3^m, (3^m-1)/2, (3^m-3)/4).

    Args:
        m: odd, at least 3.
        sign: 1 or -1.

    Reference: Ding and Yuan (2006), A family of skew Hadamard difference sets.
    """
    if m < 3 or m % 2 == 0 or sign not in (1, -1):
        raise InputError(f"m = {m}, sign = {sign}: needs odd m >= 3 and a sign 1 or -1")
    field = _field(3, m)
    x = field.elements()[1:]
    middle = field.mul(field.power(x, 6), sign % 3)
    values = field.sub(field.add(field.power(x, 10), middle), field.power(x, 2))
    return abelian_difference_set((3,) * m, np.unique(values))


def ding_yuan_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The (m, sign) with v = 3^m, m odd."""
    if v < 27 or (2 * k, 4 * lambda_) != (v - 1, v - 3):
        return
    for m in range(3, v.bit_length(), 2):
        if integer_root(v, m) == 3:
            yield m, 1
            yield m, -1


DILLON_DOBBERTIN = DifferenceSetFamily(
    "Dillon-Dobbertin",
    "Dillon and Dobbertin 2004",
    ("m", "k"),
    dillon_dobbertin_arguments,
    dillon_dobbertin_difference_set,
)
MASCHIETTI = DifferenceSetFamily(
    "Maschietti", "Maschietti 1998", ("m", "k"), maschietti_arguments, maschietti_difference_set
)
LIN = DifferenceSetFamily("Lin", "Lin 1998", ("m",), lin_arguments, lin_difference_set)
HELLESETH_KUMAR_MARTINSEN = DifferenceSetFamily(
    "Helleseth-Kumar-Martinsen",
    "Helleseth, Kumar and Martinsen 2001",
    ("m",),
    helleseth_kumar_martinsen_arguments,
    helleseth_kumar_martinsen_difference_set,
)
DING_YUAN = DifferenceSetFamily(
    "Ding-Yuan",
    "Ding and Yuan 2006",
    ("m", "sign"),
    ding_yuan_arguments,
    ding_yuan_difference_set,
)
