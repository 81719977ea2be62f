"""Singer difference sets, hyperplanes of PG(d, q), and the Gordon-Mills-Welch sets of their kind.

The parameters are v = (q^(d+1)-1)/(q-1), k = (q^d-1)/(q-1), lambda = (q^(d-1)-1)/(q-1); the group
is cyclic. ``alpha`` is a primitive element of GF(q^(d+1)), Tr a relative trace.
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
from combinatorics.finite_field import FiniteField
from combinatorics.number_theory import prime_power
from verify.kernel.errors import InputError
from verify.kernel.incidence import DifferenceSet

__all__ = [
    "GORDON_MILLS_WELCH",
    "SINGER",
    "gordon_mills_welch_difference_set",
    "singer_difference_set",
]


def singer_difference_set(q: int, d: int) -> DifferenceSet:
    """The exponents i modulo v with Tr(alpha^i) = 0, the trace being from GF(q^(d+1)) to GF(q).

    Args:
        q: a prime power.
        d: at least 2; q^(d+1) at most ``MAX_FIELD_ORDER``.

    Raises:
        InputError: for other arguments.
        LimitError: for a field over the limit.

    Reference: Singer (1938), A theorem in finite projective geometry.

    >>> singer_difference_set(2, 2).elements
    (1, 2, 4)
    """
    if d < 2:
        raise InputError(f"d = {d}: a Singer difference set needs d >= 2")
    field = FiniteField(q ** (d + 1))
    v = (q ** (d + 1) - 1) // (q - 1)
    return abelian_difference_set((v,), np.flatnonzero(field.trace(field.exp[:v], q) == 0))


def singer_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The pair (q, d) with these parameters."""
    n = k - lambda_
    for d in range(2, max(n, 1).bit_length() + 1):
        q = integer_root(n, d - 1)
        if q is None or q < 2 or k * (q - 1) != q**d - 1 or v != q * k + 1:
            continue
        if prime_power(q) is not None:
            yield q, d


def gordon_mills_welch_difference_set(q: int, s: int, r: int, u: int) -> DifferenceSet:
    """The i modulo v with Tr_1(Tr_2(alpha^i)^u) = 0 along GF(q) < GF(q^s) < GF(q^(sr)).

    Args:
        q: a prime power.
        s: degree of the middle field over GF(q), at least 2.
        r: degree of the large field over the middle one, at least 2.
        u: an exponent coprime to q^s - 1; a power of the characteristic gives the Singer set.

    Raises:
        InputError: for other arguments.
        LimitError: for a field over the limit.

    Reference: Gordon, Mills and Welch (1962), Some new difference sets.
    """
    if s < 2 or r < 2:
        raise InputError(f"s = {s}, r = {r}: both degrees are at least 2")
    if gcd(u, q**s - 1) != 1:
        raise InputError(f"u = {u} is not coprime to q^s - 1 = {q**s - 1}")
    field = FiniteField(q ** (s * r))
    v = (q ** (s * r) - 1) // (q - 1)
    powers = field.power(field.trace(field.exp[:v], q**s), u)
    # Elements of the middle field: their trace is the sum of conjugates within it.
    total = conjugate = powers
    for _ in range(s - 1):
        conjugate = field.power(conjugate, q)
        total = field.add(total, conjugate)
    return abelian_difference_set((v,), np.flatnonzero(total == 0))


def gordon_mills_welch_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The quadruples (q, s, r, u), u the least exponent of each class that is not Singer's."""
    for q, d in singer_arguments(v, k, lambda_):
        if d + 1 > 64 or q ** (d + 1) > 2**64:
            continue
        for s in range(2, (d + 1) // 2 + 1):
            if (d + 1) % s:
                continue
            for u in _new_exponents(q, s):
                yield q, s, (d + 1) // s, u


def _new_exponents(q: int, s: int) -> Iterator[int]:
    """The least member u > 1 of each coset of <p> among the units modulo q^s - 1."""
    decomposition = prime_power(q)
    p = decomposition[0] if decomposition else q
    modulus, seen = q**s - 1, set[int]()
    for u in range(1, min(modulus, 10_000)):
        if u in seen or gcd(u, modulus) != 1:
            continue
        member = u
        while member not in seen:
            seen.add(member)
            member = member * p % modulus
        if u > 1:
            yield u


SINGER = DifferenceSetFamily(
    "Singer", "Singer 1938", ("q", "d"), singer_arguments, singer_difference_set
)
GORDON_MILLS_WELCH = DifferenceSetFamily(
    "Gordon-Mills-Welch",
    "Gordon, Mills and Welch 1962",
    ("q", "s", "r", "u"),
    gordon_mills_welch_arguments,
    gordon_mills_welch_difference_set,
)
