"""Difference sets in products of two fields: twin prime powers and Whiteman's generalisation."""

from collections.abc import Iterator
from math import gcd, isqrt

import numpy as np

from combinatorics.difference_sets.family import (
    Arguments,
    DifferenceSetFamily,
    abelian_difference_set,
)
from combinatorics.finite_field import Elements, FiniteField
from combinatorics.number_theory import factorize, is_prime_power, is_square, prime_power
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import DifferenceSet

__all__ = [
    "TWIN_PRIME_POWER",
    "WHITEMAN",
    "twin_prime_power_difference_set",
    "whiteman_difference_set",
]

_MAX_FACTOR = 4096
"""Largest prime power whose square is still tabulated."""


def twin_prime_power_difference_set(q: int) -> DifferenceSet:
    """The (x, y) with chi(x)chi(y) = 1 and the (x, 0), in GF(q) x GF(q+2).

    Its parameters are v = q(q+2), k = (v-1)/2, lambda = (v-3)/4.

    Args:
        q: an odd prime power such that q + 2 is a prime power.

    Reference: Stanton and Sprott (1958), A family of difference sets.

    >>> len(twin_prime_power_difference_set(3).elements)
    7
    """
    if q % 2 == 0 or not (is_prime_power(q) and is_prime_power(q + 2)):
        raise InputError(f"q = {q}: q and q + 2 must be odd prime powers")
    if q > _MAX_FACTOR:
        raise LimitError(f"q = {q}: a group of {q * (q + 2)} elements is over the limit")
    first, second = FiniteField(q), FiniteField(q + 2)
    product = np.multiply.outer(
        first.quadratic_character(first.elements()), second.quadratic_character(second.elements())
    )
    inside = product == 1
    inside[:, 0] = True
    orders = (first.p,) * first.degree + (second.p,) * second.degree
    return abelian_difference_set(orders, np.flatnonzero(inside.reshape(-1)))


def twin_prime_power_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The q with v = q(q+2)."""
    if v < 15 or (2 * k, 4 * lambda_) != (v - 1, v - 3) or not is_square(v + 1):
        return
    q = isqrt(v + 1) - 1
    if q % 2 and is_prime_power(q) and is_prime_power(q + 2):
        yield (q,)


def whiteman_difference_set(p: int) -> DifferenceSet:
    """The powers 1, g, ..., g^(d-1) and 0, q, ..., (p-1)q modulo pq, with q = 3p + 2.

    Here g is a primitive root of both primes and d = (p-1)(q-1)/4 the order of g modulo pq. The
    units have several subgroups <g> of this kind; the one that gives a difference set is found by
    counting differences. Parameters: v = pq, k = (v-1)/4, lambda = (v-5)/16.

    Args:
        p: a prime such that q = 3p+2 is prime, gcd(p-1, q-1) = 4 and (pq-1)/4 is an odd square.

    Reference: Whiteman (1962), A family of difference sets.
    """
    q = 3 * p + 2
    v = p * q
    if next(whiteman_arguments(v, (v - 1) // 4, (v - 5) // 16), None) is None:
        raise InputError(
            f"p = {p}: p and 3p + 2 must be primes with gcd(p - 1, 3p + 1) = 4 and (pq - 1)/4 an "
            "odd square"
        )
    if q > _MAX_FACTOR:
        raise LimitError(f"p = {p}: a group of {v} elements is over the limit")
    tried = set[int]()
    for g in range(2, v):
        if g in tried or not (_is_primitive_root(g, p) and _is_primitive_root(g, q)):
            continue
        powers = _powers(g, (p - 1) * (q - 1) // 4, v)
        tried.update(powers.tolist())
        elements = np.concatenate([powers, q * np.arange(p)])
        if _has_constant_autocorrelation(elements, v, (v - 5) // 16):
            return abelian_difference_set((v,), elements)
    raise ArithmeticError(f"p = {p}: no common primitive root gives a difference set")


def _is_primitive_root(g: int, p: int) -> bool:
    return g % p != 0 and all(pow(g, (p - 1) // r, p) != 1 for r, _ in factorize(p - 1).primes)


def _powers(g: int, count: int, modulus: int) -> Elements:
    powers = [1]
    for _ in range(count - 1):
        powers.append(powers[-1] * g % modulus)
    return np.array(powers, dtype=np.int64)


def _has_constant_autocorrelation(elements: Elements, v: int, lambda_: int) -> bool:
    counts = np.zeros(v, dtype=np.int64)
    for x in elements:
        counts += np.bincount((x - elements) % v, minlength=v)
    return bool((counts[1:] == lambda_).all())


def whiteman_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The p with v = p(3p+2)."""
    if v != 4 * k + 1 or v != 16 * lambda_ + 5 or k % 2 == 0 or not is_square(k):
        return
    root = isqrt(3 * v + 1)  # v = p(3p+2) means (3p+1)^2 = 3v + 1
    p, remainder = divmod(root - 1, 3)
    if root * root != 3 * v + 1 or remainder:
        return
    primes = prime_power(p) == (p, 1) and prime_power(3 * p + 2) == (3 * p + 2, 1)
    if primes and gcd(p - 1, 3 * p + 1) == 4:
        yield (p,)


TWIN_PRIME_POWER = DifferenceSetFamily(
    "twin prime power",
    "Stanton and Sprott 1958",
    ("q",),
    twin_prime_power_arguments,
    twin_prime_power_difference_set,
)
WHITEMAN = DifferenceSetFamily(
    "Whiteman", "Whiteman 1962", ("p",), whiteman_arguments, whiteman_difference_set
)
