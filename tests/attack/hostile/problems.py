"""Hostile problems of private testing."""

import random
from fractions import Fraction
from math import gcd

from tests.attack.hostile.registry import (
    THREE,
    certificate,
    hostile,
    random_law,
    uniform,
)

MIXTURE = "+".join(sorted(f"{i}*alpha:{2 * i + 1}/2" for i in range(1, 17)))


def problem_certificate(p0, p1, divergence, exp_epsilon=None, /, **witness):
    k, level = len(p0), {"exp_epsilon": exp_epsilon} if exp_epsilon else THREE
    claim = {"p0": p0, "p1": p1, "level": level, "divergence": divergence, "outputs": None}
    base = {
        "exp_epsilon": [exp_epsilon or "3"] * 2,
        "blocks": [list(range(k))],
        "multipliers": ["1"] * k,
    }
    base |= {"output_multiplier": "0", "separators": [], "bits": 64}
    return certificate("testing", claim | {"lower": "-1", "upper": "9" * 30}, base | witness)


def separators(n, spacing=Fraction(8, 3)):
    return [str(Fraction(1, 3) + spacing * Fraction(2 * x + 1, 2 * n)) for x in range(n)]


def many_separators(size, divergence, bits):
    given = separators(size // 24)
    laws = random_law(4, 1), random_law(4, 2)
    ls = ["3/10"] * 4
    return problem_certificate(*laws, divergence, separators=given, bits=bits, multipliers=ls)


@hostile
def separators_kl(size):
    return many_separators(size, "kl", 8)


@hostile
def separators_power(size):
    return many_separators(size, "alpha:1/3", 64)


@hostile
def separators_of_a_mixture(size):
    return many_separators(size, MIXTURE, 64)


@hostile
def separators_at_full_precision(size):
    return many_separators(size, "js", 4096)


def interleaved(k, n, divergence, bits, level="3"):
    """Symbols and separators in turn, so that about k/n symbols are undecided in every cell.

    Multipliers of 1 are too large for any set to violate its constraint, and every symbol is a
    block: the costs of pairs, of sets and of blocks meet in one certificate.
    """
    rng = random.Random(k)
    second = [rng.randrange(10**6, 2 * 10**6) for _ in range(k)]
    first = [int(y * Fraction(k + 3 * x, 2 * k)) for x, y in enumerate(second)]
    p0, p1 = ([Fraction(x, sum(law)) for x in law] for law in (first, second))
    ratios = sorted(x / y for x, y in zip(p0, p1, strict=True))
    places = sorted({i * k // n for i in range(n)} - {k - 1})
    between = {(ratios[i] + ratios[i + 1]).limit_denominator(10**7) / 2 for i in places}
    parts = {"blocks": [[x] for x in range(k)], "multipliers": ["1"] * k}
    parts["separators"] = [str(t) for t in sorted(between)]
    return problem_certificate(
        [*map(str, p0)], [*map(str, p1)], divergence, level, bits=bits, **parts
    )


@hostile
def symbols_and_separators(size):
    n = max(size // 190, 1)
    return interleaved(3 * n, n, "kl", 32)


@hostile
def symbols_and_separators_power(size):
    n = max(size // 190, 1)
    return interleaved(3 * n, n, "alpha:1/3", 32)


@hostile
def symbols_and_separators_rational(size):
    n = max(size // 200, 1)
    return interleaved(3 * n, n, "alpha:31", 32)


@hostile
def symbols_and_separators_at_a_long_level(size):
    n = max(size // 160, 1)
    return interleaved(4 * n // 3, n, "chi2", 32, f"{3 * 10**3000 + 7}/{10**3000}")


def ambiguous(size, divergence, bits):
    """Cells in which many symbols, whose multipliers lie between the two ends, are undecided."""
    k = 12
    laws = random_law(k, 5, 10**6), random_law(k, 6, 10**6)
    given = separators(min(7, size // 24))
    ls = [
        str(Fraction(a) * Fraction(1, 20) - Fraction(b) * Fraction(1, 20))
        for a, b in zip(*laws, strict=True)
    ]
    return problem_certificate(*laws, divergence, separators=given, multipliers=ls, bits=bits)


@hostile
def ambiguous_symbols(size):
    return ambiguous(size, "kl", 16)


@hostile
def ambiguous_power(size):
    return ambiguous(size, "alpha:1/3", 64)


@hostile
def long_masses(size):
    big = 10**3900 + 7
    k = size // 12_000
    p0 = [f"1/{big}"] * (k - 1) + [f"{big - k + 1}/{big}"]
    ls = [f"1/{10**3900 + 9}"] * k
    given = separators(100)
    return problem_certificate(p0, p0, "js", multipliers=ls, bits=512, separators=given)


@hostile
def many_blocks(size):
    k = size // 32
    blocks = [[x] for x in range(k)]
    return problem_certificate(uniform(k), uniform(k), "kl", blocks=blocks)


def every_symbol_a_block(k, divergence, bits=64, level=None):
    """Each block costs an evaluation; the sum of rationals would have k denominators."""
    blocks, laws = [[x] for x in range(k)], (random_law(k, 11), random_law(k, 12))
    return problem_certificate(*laws, divergence, level, blocks=blocks, bits=bits)


@hostile
def blocks_rational(size):
    return every_symbol_a_block(size // 44, "alpha:31")


@hostile
def blocks_of_a_mixture(size):
    return every_symbol_a_block(size // 44, MIXTURE)


@hostile
def blocks_at_full_precision(size):
    return every_symbol_a_block(size // 44, "js", 4096)


@hostile
def blocks_at_a_long_level(size):
    return every_symbol_a_block(size // 44, "chi2", level=f"{3 * 10**3990 + 7}/{10**3990}")


@hostile
def symbols_at_full_precision(size):
    k = size // 40
    return problem_certificate(random_law(k, 7), random_law(k, 8), "js", bits=4096)


@hostile
def many_knots(size):
    n, k = size // 40, 1000
    knots = ["0", *[str(Fraction(x, n)) for x in range(1, n)], "1"]
    ls = ["1"] * (n + 1)
    return problem_certificate(
        random_law(k, 9), random_law(k, 10), "kl", knots=knots, multipliers=ls
    )


def long_separators(n):
    """Ratios of 4000 digits between 1/3 and 3."""
    return [str(Fraction(1 + 3 * (x + 1), n + 2) + Fraction(1, 10**3980 + 7)) for x in range(n)]


@hostile
def symbols_and_long_separators(size):
    k = size // 40
    return problem_certificate(
        random_law(k, 15), random_law(k, 16), "chi2", separators=long_separators(16)[:15], bits=64
    )


@hostile
def weights_of_thousands_of_digits(size):
    """Sixteen of them have a common denominator that no limit on one number knows of."""
    name = "+".join(
        sorted(f"{Fraction(10**3990 + 2 * x + 2, 10**3990 + 2 * x + 1)}*kl" for x in range(16))
    )
    return every_symbol_a_block(size // 44, name)


PERIOD = 2**61 - 1
"""Numbers that differ by a multiple of it have one hash: sets of them would take their square."""


@hostile
def separators_of_one_hash(size):
    """Beyond exp(epsilon), so that none is used."""
    given = [str(5 + (x + 1) * PERIOD) for x in range(size // 24)]
    return problem_certificate(["1/3", "2/3"], ["2/3", "1/3"], "tv", bits=8, separators=given)


@hostile
def shares_of_one_hash(size):
    rng, pairs, share = random.Random(1), [], 123456789012345677
    while len(pairs) < size // 100:
        whole = rng.randrange(PERIOD // 2, PERIOD)
        part = share * whole % PERIOD
        if 0 < part < whole and gcd(part, whole) == 1:
            pairs.append((part, whole - part))
    sums = [sum(column) for column in zip(*pairs, strict=True)]
    laws = [
        [str(Fraction(mass, max(sums) + 1)) for mass in (*column, max(sums) + 1 - total)]
        for column, total in zip(zip(*pairs, strict=True), sums, strict=True)
    ]
    blocks = [list(range(len(pairs) + 1))]
    return problem_certificate(*laws, "tv", blocks=blocks, multipliers=["0"] * len(blocks[0]))
