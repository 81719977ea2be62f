"""The divisors of an integer, over which products of orders are planned."""

from functools import lru_cache

from combinatorics.number_theory import factorize

__all__ = ["divisors"]


@lru_cache(maxsize=4096)
def divisors(n: int) -> tuple[int, ...]:
    """The positive divisors of n >= 1, ascending.

    >>> divisors(12)
    (1, 2, 3, 4, 6, 12)
    """
    found = [1]
    for prime, exponent in factorize(n).primes:
        found = [d * prime**e for d in found for e in range(exponent + 1)]
    return tuple(sorted(found))
