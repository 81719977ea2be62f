"""Difference sets that are unions of cyclotomic classes of GF(q) in its additive group.

C_i is the class g^(i+ej) of order e. An element of GF(p^n) is its own index in Z_p x ... x Z_p.
"""

from collections.abc import Iterator
from math import isqrt

import numpy as np

from combinatorics.difference_sets.family import (
    Arguments,
    DifferenceSetFamily,
    abelian_difference_set,
)
from combinatorics.finite_field import Elements, FiniteField
from combinatorics.number_theory import is_prime_power, is_square, prime_power
from verify.kernel.errors import InputError
from verify.kernel.incidence import DifferenceSet

__all__ = [
    "HALL_SEXTIC",
    "OCTIC",
    "OCTIC_WITH_ZERO",
    "PALEY",
    "QUARTIC",
    "QUARTIC_WITH_ZERO",
    "hall_sextic_difference_set",
    "octic_difference_set",
    "octic_with_zero_difference_set",
    "paley_difference_set",
    "quartic_difference_set",
    "quartic_with_zero_difference_set",
]


def _additive(field: FiniteField, elements: Elements) -> DifferenceSet:
    return abelian_difference_set((field.p,) * field.degree, elements)


def _is_prime(q: int) -> bool:
    return prime_power(q) == (q, 1)


def _is_odd_square(n: int) -> bool:
    return n % 2 == 1 and is_square(n)


def _require(condition: bool, q: int, family: str, needs: str) -> None:
    if not condition:
        raise InputError(f"q = {q}: the {family} difference set needs {needs}")


def paley_difference_set(q: int) -> DifferenceSet:
    """The nonzero squares of GF(q): a (q, (q-1)/2, (q-3)/4) difference set, q = 3 mod 4.

    Reference: Paley (1933), On orthogonal matrices.

    >>> paley_difference_set(7).elements
    (1, 2, 4)
    """
    _require(q % 4 == 3 and is_prime_power(q), q, "Paley", "a prime power q = 3 mod 4")
    field = FiniteField(q)
    return _additive(field, field.cyclotomic_class(0, 2))


def paley_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The order q = v."""
    if v % 4 == 3 and (2 * k, 4 * lambda_) == (v - 1, v - 3) and is_prime_power(v):
        yield (v,)


def quartic_difference_set(q: int) -> DifferenceSet:
    """The fourth powers modulo a prime q = 4t^2 + 1, t odd: (q, t^2, (t^2-1)/4).

    Reference: Chowla (1944), A property of biquadratic residues.
    """
    _require(_is_prime(q) and _is_odd_square((q - 1) // 4), q, "quartic", "a prime 4t^2+1, t odd")
    field = FiniteField(q)
    return _additive(field, field.cyclotomic_class(0, 4))


def quartic_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The order q = v = 4k + 1, k an odd square above 1."""
    if v == 4 * k + 1 and k > 1 and k - 1 == 4 * lambda_ and _is_odd_square(k) and _is_prime(v):
        yield (v,)


def quartic_with_zero_difference_set(q: int) -> DifferenceSet:
    """Zero and the fourth powers modulo a prime q = 4t^2 + 9, t odd: (q, t^2+3, (t^2+3)/4).

    Reference: Lehmer (1953), On residue difference sets.
    """
    holds = _is_prime(q) and q > 9 and (q - 9) % 4 == 0 and _is_odd_square((q - 9) // 4)
    _require(holds, q, "quartic with zero", "a prime 4t^2+9, t odd")
    field = FiniteField(q)
    return _additive(field, np.append(field.cyclotomic_class(0, 4), 0))


def quartic_with_zero_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The order q = v = 4(k-3) + 9, k - 3 an odd square."""
    if v == 4 * k - 3 and k == 4 * lambda_ and k > 3 and _is_odd_square(k - 3) and _is_prime(v):
        yield (v,)


def octic_difference_set(q: int) -> DifferenceSet:
    """The eighth powers modulo a prime q = 8a^2+1 = 64b^2+9, a and b odd: (q, a^2, b^2).

    Reference: Lehmer (1953), On residue difference sets.
    """
    holds = next(octic_arguments(q, (q - 1) // 8, (q - 9) // 64), None) is not None
    _require(holds, q, "octic", "a prime 8a^2+1 = 64b^2+9 with a, b odd")
    field = FiniteField(q)
    return _additive(field, field.cyclotomic_class(0, 8))


def octic_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The order q = v = 8k + 1 = 64 lambda + 9."""
    squares = _is_odd_square(k) and lambda_ > 0 and _is_odd_square(lambda_)
    if v == 8 * k + 1 == 64 * lambda_ + 9 and squares and _is_prime(v):
        yield (v,)


def octic_with_zero_difference_set(q: int) -> DifferenceSet:
    """Zero and the eighth powers modulo a prime q = 8a^2+49 = 64b^2+441, a odd, b even.

    Its parameters are (q, a^2+7, b^2+7); the first prime is 26041.

    Reference: Lehmer (1953), On residue difference sets.
    """
    k, lambda_ = (q - 1) // 8 + 1, (q - 441) // 64 + 7
    holds = next(octic_with_zero_arguments(q, k, lambda_), None) is not None
    _require(holds, q, "octic with zero", "a prime 8a^2+49 = 64b^2+441, a odd, b even")
    field = FiniteField(q)
    return _additive(field, np.append(field.cyclotomic_class(0, 8), 0))


def octic_with_zero_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The order q = v = 8(k-7) + 49 = 64(lambda-7) + 441."""
    if v != 8 * (k - 7) + 49 or v != 64 * (lambda_ - 7) + 441 or lambda_ < 7:
        return
    b = isqrt(lambda_ - 7)
    if _is_odd_square(k - 7) and b % 2 == 0 and b * b == lambda_ - 7 and _is_prime(v):
        yield (v,)


def hall_sextic_difference_set(p: int) -> DifferenceSet:
    """C_0, C_1 and C_3 of order 6 modulo a prime p = 4x^2 + 27, with 3 in C_1.

    Its parameters are (p, (p-1)/2, (p-3)/4).

    Reference: Hall (1956), A survey of difference sets.
    """
    holds = next(hall_sextic_arguments(p, (p - 1) // 2, (p - 3) // 4), None) is not None
    _require(holds, p, "Hall sextic", "a prime 4x^2+27, 1 mod 6")
    field = FiniteField(p)
    # The classes named by another primitive root h with 3 in C_1: C_i(h) = C_(ui)(g), u a unit.
    u = 1 if field.log[3] % 6 == 1 else 5
    classes = [field.cyclotomic_class(u * i % 6, 6) for i in (0, 1, 3)]
    return _additive(field, np.concatenate(classes))


def hall_sextic_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The prime p = v."""
    if (2 * k, 4 * lambda_) != (v - 1, v - 3) or v <= 27 or v % 6 != 1 or (v - 27) % 4:
        return
    if is_square((v - 27) // 4) and _is_prime(v):
        yield (v,)


PALEY = DifferenceSetFamily("Paley", "Paley 1933", ("q",), paley_arguments, paley_difference_set)
QUARTIC = DifferenceSetFamily(
    "quartic", "Chowla 1944", ("q",), quartic_arguments, quartic_difference_set
)
QUARTIC_WITH_ZERO = DifferenceSetFamily(
    "quartic with zero",
    "Lehmer 1953",
    ("q",),
    quartic_with_zero_arguments,
    quartic_with_zero_difference_set,
)
OCTIC = DifferenceSetFamily("octic", "Lehmer 1953", ("q",), octic_arguments, octic_difference_set)
OCTIC_WITH_ZERO = DifferenceSetFamily(
    "octic with zero",
    "Lehmer 1953",
    ("q",),
    octic_with_zero_arguments,
    octic_with_zero_difference_set,
)
HALL_SEXTIC = DifferenceSetFamily(
    "Hall sextic", "Hall 1956", ("p",), hall_sextic_arguments, hall_sextic_difference_set
)
