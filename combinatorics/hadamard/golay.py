"""Golay pairs: two sequences whose aperiodic autocorrelations add to zero.

Real pairs have entries +1 and -1 and are built for every length 2^a 10^b 26^c. Complex pairs have
entries 1, i, -1, -i and Hermitian autocorrelations; they are held as exponents of i, modulo 4.
A complex length here is g 2^(k-1) c_1 ... c_k with g a real length and c_i in {3, 5, 11, 13}.
"""

from functools import lru_cache

import numpy as np

from combinatorics.hadamard.sign_matrix import SignMatrix, parse_signs
from combinatorics.hadamard.stored import stored_rows
from verify.kernel.errors import InputError

__all__ = ["complex_golay_pair", "golay_pair", "is_complex_golay_length", "is_golay_length"]

_PRIMITIVE = (2, 10, 26)
_COMPLEX_PRIMITIVE = (3, 5, 11, 13)
_POWER = {"1": 0, "i": 1, "-": 2, "j": 3}


@lru_cache(maxsize=2**14)
def _golay_factors(length: int) -> tuple[int, ...] | None:
    """Primitive lengths with this product, or None when there are none."""
    if length == 1:
        return ()
    for primitive in reversed(_PRIMITIVE):
        if length > 0 and length % primitive == 0:
            rest = _golay_factors(length // primitive)
            if rest is not None:
                return (primitive, *rest)
    return None


def is_golay_length(length: int) -> bool:
    """Whether the length is 2^a 10^b 26^c, so that a real pair is built here."""
    return _golay_factors(length) is not None


def golay_pair(length: int) -> SignMatrix:
    """A real Golay pair, shape (2, length).

    With P = (C + D)/2 and Q = (C - D)/2 of disjoint support, the pair A (x) P + B (x) Q and
    A (x) Q* - B (x) P* (* reversed) has the product of the two lengths.

    Raises:
        InputError: when the length is not 2^a 10^b 26^c.

    Reference: Turyn, Journal of Combinatorial Theory A 16 (1974).
    """
    factors = _golay_factors(length)
    if factors is None:
        raise InputError(f"Golay length {length} is not 2^a 10^b 26^c: no pair is built here")
    pair = np.ones((2, 1), dtype=np.int8)
    for factor in factors:
        c, d = parse_signs(stored_rows("golay_pairs")[(factor,)])
        p, q = (c + d) // 2, (c - d) // 2
        a, b = pair
        pair = np.stack([np.kron(a, p) + np.kron(b, q), np.kron(a, q[::-1]) - np.kron(b, p[::-1])])
    return pair


@lru_cache(maxsize=2**14)
def _complex_factors(length: int) -> tuple[int, tuple[int, ...]] | None:
    """A real length g and complex primitives c_i with g 2^(k-1) c_1 ... c_k = length."""
    if is_golay_length(length):
        return length, ()
    for primitive in _COMPLEX_PRIMITIVE:
        if length % primitive == 0:
            rest = length // primitive
            if is_golay_length(rest):
                return rest, (primitive,)
            inner = _complex_factors(rest // 2) if rest % 2 == 0 else None
            if inner is not None and inner[1]:
                return inner[0], (*inner[1], primitive)
    return None


def is_complex_golay_length(length: int) -> bool:
    """Whether a complex pair of this length is built here."""
    return length > 0 and _complex_factors(length) is not None


def complex_golay_pair(length: int) -> SignMatrix:
    """A complex Golay pair as exponents of i modulo 4, shape (2, length).

    Raises:
        InputError: when the length is not a product that is built here.

    Reference: Craigen, Holzmann and Kharaghani, Discrete Mathematics 252 (2002).
    """
    factors = _complex_factors(length) if length > 0 else None
    if factors is None:
        raise InputError(f"complex Golay length {length}: no pair is built here")
    real, primitives = factors
    pair = _real_exponents(golay_pair(real))
    if primitives:
        first, *others = primitives
        pair = _real_times_complex(golay_pair(real), _primitive_exponents(first))
        for primitive in others:
            pair = _complex_times_complex(pair, _primitive_exponents(primitive))
    return pair


def _real_exponents(pair: SignMatrix) -> SignMatrix:
    """Signs as exponents of i: +1 is 0, -1 is 2."""
    return 1 - pair


def _primitive_exponents(length: int) -> SignMatrix:
    rows = stored_rows("complex_golay_pairs")[(length,)]
    return np.array([[_POWER[character] for character in row] for row in rows], dtype=np.int8)


def _real_times_complex(real: SignMatrix, pair: SignMatrix) -> SignMatrix:
    """The pair C (x) P + D (x) Q, C (x) Q* - D (x) P* with P, Q from the real pair (A, B)."""
    a = _real_exponents(real)[0]
    equal = real[0] == real[1]
    c, d = (row[:, None] for row in pair)
    first = np.where(equal, c, d) + a
    second = np.where(equal[::-1], d + 2, c) + a[::-1]
    return np.stack([first.reshape(-1), second.reshape(-1)]) % 4


def _complex_times_complex(left: SignMatrix, right: SignMatrix) -> SignMatrix:
    """The pair A (x) P + B (x) Q, A (x) Q* - B (x) P* with P = (C, 0), Q = (0, D)."""
    a, b = (row[:, None] for row in left)
    c, d = right
    first = np.concatenate([a + c, b + d], axis=1)
    second = np.concatenate([a - d[::-1], b + 2 - c[::-1]], axis=1)
    return np.stack([first.reshape(-1), second.reshape(-1)]) % 4
