"""Golay pairs: two sequences whose aperiodic autocorrelations add to zero.

Real pairs have entries +1 and -1 and are built for every length 2^a 10^b 26^c. Complex pairs have
entries 1, i, -1, -i and Hermitian autocorrelations; they are held as exponents of i, modulo 4.
A complex length here is 2^a c_1 ... c_k with c_i in {3, 5, 11, 13} and k - 1 <= a.
"""

from functools import cache

import numpy as np

from combinatorics.hadamard.sign_matrix import SignMatrix, parse_signs
from combinatorics.hadamard.stored import stored_rows
from verify.kernel.errors import InputError

__all__ = [
    "complex_golay_pair",
    "golay_lengths",
    "golay_pair",
    "is_complex_golay_length",
    "is_golay_length",
]

_POWER = {"1": 0, "i": 1, "-": 2, "j": 3}


def _factors(length: int, odd_primes: tuple[int, ...]) -> tuple[int, tuple[int, ...]] | None:
    """The exponent of 2 and the odd prime factors, or None when there are other primes."""
    if length < 1:
        return None
    twos = (length & -length).bit_length() - 1
    rest, found = length >> twos, []
    for prime in odd_primes:
        while rest % prime == 0:
            rest //= prime
            found.append(prime)
    return (twos, tuple(found)) if rest == 1 else None


def is_golay_length(length: int) -> bool:
    """Whether the length is 2^a 10^b 26^c, so that a real pair is built here."""
    factors = _factors(length, (5, 13))
    return factors is not None and factors[0] >= len(factors[1])


@cache
def golay_lengths() -> frozenset[int]:
    """Every length 2^a 10^b 26^c below 2^62."""
    odd = [5**b * 13**c << (b + c) for b in range(19) for c in range(14)]
    return frozenset(part << a for part in odd for a in range(62) if part << a < 2**62)


def is_complex_golay_length(length: int) -> bool:
    """Whether the length is 2^a times k of the numbers 3, 5, 11, 13, with k - 1 <= a."""
    factors = _factors(length, (3, 5, 11, 13))
    return factors is not None and factors[0] >= len(factors[1]) - 1


def golay_pair(length: int) -> SignMatrix:
    """A real Golay pair, shape (2, length).

    With P = (C + D)/2 and Q = (C - D)/2 of disjoint support, the pair A (x) P + B (x) Q and
    A (x) Q* - B (x) P* (* reversed) has the product of the two lengths.

    Raises:
        InputError: when the length is not 2^a 10^b 26^c.

    Reference: Turyn, Journal of Combinatorial Theory A 16 (1974).
    """
    factors = _factors(length, (5, 13))
    if factors is None or factors[0] < len(factors[1]):
        raise InputError(f"Golay length {length} is not 2^a 10^b 26^c: no pair is built here")
    twos, odd = factors
    primitives = [*(2 * prime for prime in odd), *[2] * (twos - len(odd))]
    pair = np.ones((2, 1), dtype=np.int8)
    for factor in primitives:
        c, d = parse_signs(stored_rows("golay_pairs")[(factor,)])
        p, q = (c + d) // 2, (c - d) // 2
        a, b = pair
        pair = np.stack([np.kron(a, p) + np.kron(b, q), np.kron(a, q[::-1]) - np.kron(b, p[::-1])])
    return pair


def complex_golay_pair(length: int) -> SignMatrix:
    """A complex Golay pair as exponents of i modulo 4, shape (2, length).

    Raises:
        InputError: when the length is not a product that is built here.

    Reference: Craigen, Holzmann and Kharaghani, Discrete Mathematics 252 (2002).
    """
    factors = _factors(length, (3, 5, 11, 13))
    if factors is None or factors[0] < len(factors[1]) - 1:
        raise InputError(f"complex Golay length {length}: no pair is built here")
    twos, odd = factors
    real = golay_pair(2 ** (twos - max(len(odd) - 1, 0)))
    pair = _real_times_complex(real, _primitive_exponents(odd[0])) if odd else 1 - real
    for prime in odd[1:]:
        pair = _complex_times_complex(pair, _primitive_exponents(prime))
    return pair


def _primitive_exponents(length: int) -> SignMatrix:
    rows = stored_rows("complex_golay_pairs")[(length,)]
    return np.array([[_POWER[character] for character in row] for row in rows], dtype=np.int8)


def _real_times_complex(real: SignMatrix, pair: SignMatrix) -> SignMatrix:
    """The pair C (x) P + D (x) Q, C (x) Q* - D (x) P* with P, Q from the real pair (A, B)."""
    a = 1 - real[0]  # signs as exponents of i: +1 is 0, -1 is 2
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
