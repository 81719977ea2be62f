from itertools import product

import pytest

from combinatorics.number_theory import (
    factorize,
    hilbert_symbol,
    is_prime_power,
    is_square,
    prime_power,
)


def test_factorize_small():
    assert factorize(1).primes == ()
    assert factorize(360).primes == ((2, 3), (3, 2), (5, 1))


@pytest.mark.parametrize("n", [0, -7])
def test_factorize_refuses(n):
    with pytest.raises(ValueError, match="positive"):
        factorize(n)


def test_factorize_leaves_what_is_too_large():
    p, q = 2**521 - 1, 2**607 - 1
    found = factorize(p * q * 7**3)
    assert found.primes == ((7, 3),)
    assert found.cofactor == p * q
    assert not found.is_complete


def test_prime_power_by_sieve():
    powers = set()
    for p in range(2, 2000):
        if all(p % d for d in range(2, int(p**0.5) + 1)):
            n = p
            while n < 2000:
                powers.add(n)
                n *= p
    assert {n for n in range(-3, 2000) if is_prime_power(n)} == powers


def test_prime_power_of_huge_numbers():
    assert prime_power(3**1001) == (3, 1001)
    assert prime_power((2**127 - 1) ** 5) == (2**127 - 1, 5)
    assert prime_power(6**100) is None


def test_is_square():
    assert [n for n in range(-4, 30) if is_square(n)] == [0, 1, 4, 9, 16, 25]


def test_hilbert_symbol_needs_nonzero():
    with pytest.raises(ValueError, match="nonzero"):
        hilbert_symbol(0, 3, 5)


@pytest.mark.parametrize("p", [2, 3, 5])
def test_hilbert_symbol_by_counting_solutions(p):
    # A solution modulo p^e with a coordinate prime to p lifts when p^e is large for valuations
    # of at most 1 (Hensel), and scaling makes that coordinate 1.
    modulus = {2: 2**6, 3: 3**4, 5: 5**3}[p]
    values = [x for x in range(-10, 11) if x and x % p**2]
    residues = range(modulus)
    squares = {z * z % modulus for z in residues}
    for a, b in product(values, repeat=2):
        forms = [(a + b * y * y) % modulus in squares for y in residues]
        forms += [(a * x * x + b) % modulus in squares for x in residues]
        shifted = {b * y * y % modulus for y in residues}
        forms += [(1 - a * x * x) % modulus in shifted for x in residues]
        assert (hilbert_symbol(a, b, p) == 1) == any(forms), (a, b, p)
