"""Hostile channels, contraction coefficients and leakages."""

from fractions import Fraction
from itertools import combinations
from math import gcd

from tests.attack.hostile.registry import (
    THREE,
    certificate,
    hostile,
    primes,
    uniform,
)


def channel(rows, leakage=()):
    claim = {"rows": rows, "level": THREE, "exp_epsilon": "1", "dobrushin_coefficient": "0"}
    return certificate("channel", claim | {"leakage": list(leakage)}, {})


@hostile
def square_channel(size):
    n = int((size / 8) ** 0.5)
    return channel([uniform(n)] * n)


@hostile
def tall_channel(size):
    return channel([["1/2", "1/2"]] * (size // 15))


@hostile
def flat_channel(size):
    return channel([uniform(64)] * (size // 560))


@hostile
def many_leakages(size):
    n = int((size / 8) ** 0.5)
    return channel([uniform(n)] * n, [[f"1/{n * (x + 2)}", "1"] for x in range(32)])


@hostile
def coprime_rows(size):
    rows = [[f"1/{p}", f"{p - 1}/{p}"] for p in primes(size // 35)]
    return channel(rows, [[f"1/{len(rows)}", "2"]] * 32)


@hostile
def long_entries(size):
    whole = 10**3990 + 7
    return channel([[f"1/{whole}", f"{whole - 1}/{whole}"]] * (size // 12_000))


@hostile
def contraction_at_many_gamma(size):
    rows = [uniform(8)] * (size // 60)
    gammas = [[str(x + 1), "0"] for x in range(16)]
    return certificate("contraction", {"rows": rows, "e_gamma": gammas}, {})


@hostile
def contraction_at_long_gamma(size):
    gammas = [[str(Fraction(10**3000 + x, 10**2999 + 7)), "0"] for x in range(16)]
    rows = [uniform(20)] * (size // 150)
    return certificate("contraction", {"rows": rows, "e_gamma": gammas}, {})


def leakage(rows, level):
    n = len(rows)
    claim = {"inputs": n, "c": f"1/{2 * n}", "level": level, "lower": "0", "upper": "1"}
    witness = {"rows": rows, "pair": [0, 1], "exp_leakage": "3", "multipliers": ["1"] * 3}
    return certificate("leakage", claim, witness)


@hostile
def coprime_column(size):
    return leakage([[f"1/{p}", f"{p - 1}/{p}"] for p in primes(size // 35)], {"nats": "1"})


@hostile
def tall_leakage(size):
    level = {"nats": str(Fraction(10**3990 + 1, 10**3990))}
    return leakage([["1/2", "1/2"]] * (size // 15), level)


@hostile
def priors_of_long_mass(size):
    """The c of all leakages together have some 2000 bits; an honest one has ten."""
    n = size // 14
    return channel(
        [[f"1/{n}"] * n], [[f"1/{2 ** (60 + x // 8) + 2 * x + 1}", "1"] for x in range(32)]
    )


def one_row_at_long_gamma(n, count):
    """No pair of rows, but every entry is multiplied by gamma."""
    long = 10**3980
    row = [f"1/{n}"] * (n - 2) + [str(Fraction(1, n) - Fraction(1, long + 7))]
    gammas = [[str(1 + Fraction(x + 1, 10**3990 + 7)), "0"] for x in range(count)]
    rest = 1 - sum(map(Fraction, row), Fraction(0))
    return certificate("contraction", {"rows": [[*row, str(rest)]], "e_gamma": gammas}, {})


@hostile
def contraction_of_one_row(size):
    return one_row_at_long_gamma(size // 14, 16)


PERIOD = 2**61 - 1
"""Integers that differ by a multiple of it have one hash."""


@hostile
def denominators_of_one_hash(size):
    return channel([[f"1/{5 + (x + 1) * PERIOD}" for x in range(size // 28)]])


@hostile
def short_denominators_of_one_hash(size):
    """Products of two of some factors: many of one hash, and a short common denominator."""
    factors, x = [], 2
    while len(factors) < min((size / 25) ** 0.5, 200):
        factor = x * PERIOD + 1
        if all(gcd(factor, other) == 1 for other in factors):
            factors.append(factor)
        x += 1
    products = [x * y for x, y in combinations(factors, 2)] or [2]
    rest = str(1 - sum((Fraction(1, number) for number in products), Fraction(0)))
    row = [*(f"1/{number}" for number in products), rest]
    gammas = [[str(x + 1), "0"] for x in range(16)]
    return certificate("contraction", {"rows": [row], "e_gamma": gammas}, {})


def long_columns(size):
    """A first column of a ratio of thousands of digits, with which many others are compared."""
    n, big, next_big = size // 14, 10**3900 + 7, 10**3900 + 9
    first, second = Fraction(big // 4, big), Fraction(next_big // 3, next_big)
    row = [str(first), str(Fraction(7, 8) - first), *[f"1/{8 * n}"] * n]
    return [row, [str(second), str(1 - second), *["0"] * n]]


@hostile
def leakage_of_a_long_prior(size):
    rows, c = long_columns(size), Fraction(2**2046 - 1, 2**2047 + 1)
    claim = {"inputs": 2, "c": str(c), "level": {"exp_epsilon": "9"}, "lower": "0", "upper": "1"}
    witness = {"rows": rows, "pair": [0, 1], "exp_leakage": "9", "multipliers": ["1"] * 3}
    return certificate("leakage", claim, witness)
