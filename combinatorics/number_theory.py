"""Integers: bounded factoring, prime powers and the Hilbert symbol.

The Hilbert symbol (a, b)_p is +1 if z² = a x² + b y² has a nonzero solution in the p-adic
numbers, else -1. Integers too large to factor are factored as far as is cheap; what is left is
returned as a cofactor, never guessed.
"""

from dataclasses import dataclass
from functools import lru_cache
from math import isqrt

from flint import fmpz

__all__ = [
    "Factorization",
    "factorize",
    "hilbert_symbol",
    "is_prime_power",
    "is_square",
    "prime_power",
]

_FULL_FACTORING_BITS = 160
"""Integers up to this size are factored completely, in well under a second."""
_SMOOTH_BITS = 20
"""Size of the prime factors that are looked for in larger integers."""


@dataclass(frozen=True, slots=True)
class Factorization:
    """A positive integer as a product of prime powers and a cofactor.

    Args:
        primes: pairs (prime, exponent), ascending.
        cofactor: what is left, 1 when the factorization is complete; coprime to every prime.
    """

    primes: tuple[tuple[int, int], ...]
    cofactor: int = 1

    @property
    def is_complete(self) -> bool:
        """Whether every prime factor is known."""
        return self.cofactor == 1


@lru_cache(maxsize=4096)
def factorize(n: int) -> Factorization:
    """The prime factors of n >= 1, *exact*; the cofactor is 1 for every n below 2^160.

    >>> factorize(360).primes
    ((2, 3), (3, 2), (5, 1))
    """
    if n < 1:
        raise ValueError(f"n = {n} has no factorization: give a positive integer")
    complete = n.bit_length() <= _FULL_FACTORING_BITS
    factors = fmpz(n).factor() if complete else fmpz(n).factor_smooth(_SMOOTH_BITS)
    primes: list[tuple[int, int]] = []
    cofactor = 1
    for factor, exponent in factors:
        if factor.is_prime():
            primes.append((int(factor), int(exponent)))
        else:
            cofactor *= int(factor) ** int(exponent)
    return Factorization(tuple(sorted(primes)), cofactor)


@lru_cache(maxsize=65536)
def prime_power(n: int) -> tuple[int, int] | None:
    """The pair (p, e) with n = p^e, p prime and e >= 1, or None; *exact* for every size of n.

    >>> prime_power(343), prime_power(12)
    ((7, 3), None)
    """
    if n < 2:
        return None
    for exponent in range(n.bit_length(), 0, -1):
        base, exact = _root(n, exponent)
        if exact and fmpz(base).is_prime():
            return base, exponent
    return None


def _root(n: int, exponent: int) -> tuple[int, bool]:
    base = int(fmpz(n).root(exponent))
    return base, base**exponent == n


def is_prime_power(n: int) -> bool:
    """Whether n = p^e with p prime and e >= 1."""
    return prime_power(n) is not None


def is_square(n: int) -> bool:
    """Whether n is the square of an integer."""
    return n >= 0 and isqrt(n) ** 2 == n


def hilbert_symbol(a: int, b: int, p: int) -> int:
    """The Hilbert symbol (a, b)_p of nonzero integers at a prime p, +1 or -1.

    Reference: Serre, A Course in Arithmetic (1973), chapter III, theorem 1.

    >>> hilbert_symbol(-1, -1, 2), hilbert_symbol(2, 3, 3)
    (-1, -1)
    """
    if a == 0 or b == 0:
        raise ValueError(f"the Hilbert symbol ({a}, {b})_{p} is not defined: give nonzero integers")
    s, u = _valuation(a, p)
    t, w = _valuation(b, p)
    if p == 2:
        exponent = _epsilon(u) * _epsilon(w) + s * _omega(w) + t * _omega(u)
        return -1 if exponent % 2 else 1
    sign = -1 if s % 2 and t % 2 and p % 4 == 3 else 1
    if t % 2:
        sign *= _legendre(u, p)
    if s % 2:
        sign *= _legendre(w, p)
    return sign


def _valuation(a: int, p: int) -> tuple[int, int]:
    exponent = 0
    while a % p == 0:
        a //= p
        exponent += 1
    return exponent, a


def _epsilon(u: int) -> int:
    return (u - 1) // 2 % 2


def _omega(u: int) -> int:
    return (u * u - 1) // 8 % 2


def _legendre(u: int, p: int) -> int:
    residue = pow(u % p, (p - 1) // 2, p)
    return 1 if residue == 1 else -1
