"""Hostile channels, contraction coefficients and leakages."""

from fractions import Fraction

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
    """The c of all leakages together have some 4000 bits; an honest one has ten."""
    n = size // 14
    return channel([[f"1/{n}"] * n], [[f"1/{2 ** (100 + x) + 1}", "1"] for x in range(32)])


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
