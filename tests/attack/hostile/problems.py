"""Hostile problems of private testing."""

from fractions import Fraction

from tests.attack.hostile.registry import (
    THREE,
    certificate,
    hostile,
    random_law,
    uniform,
)


def testing_certificate(p0, p1, divergence, **witness):
    k = len(p0)
    claim = {"p0": p0, "p1": p1, "level": THREE, "divergence": divergence, "outputs": None}
    base = {"exp_epsilon": ["3", "3"], "blocks": [list(range(k))], "multipliers": ["1"] * k}
    base |= {"output_multiplier": "0", "separators": [], "bits": 64}
    return certificate("testing", claim | {"lower": "-1", "upper": "9" * 30}, base | witness)


def separators(n, spacing=Fraction(8, 3)):
    return [str(Fraction(1, 3) + spacing * Fraction(2 * x + 1, 2 * n)) for x in range(n)]


def many_separators(size, divergence, bits):
    given = separators(size // 24)
    laws = random_law(4, 1), random_law(4, 2)
    ls = ["3/10"] * 4
    return testing_certificate(*laws, divergence, separators=given, bits=bits, multipliers=ls)


@hostile
def separators_kl(size):
    return many_separators(min(size, 600_000), "kl", 8)


@hostile
def separators_power(size):
    return many_separators(min(size, 500_000), "alpha:1/3", 64)


@hostile
def separators_at_full_precision(size):
    return many_separators(min(size, 1400), "js", 4096)


@hostile
def symbols_and_separators(size, k=1300, divergence="kl"):
    k = min(k, size // 40)
    laws = random_law(k, 3), random_law(k, 4)
    given = separators(min(1300, size // 24))
    ls = ["1/1000"] * k
    return testing_certificate(*laws, divergence, separators=given, multipliers=ls, bits=32)


@hostile
def symbols_power(size):
    return symbols_and_separators(size, 1000, "alpha:1/3")


def ambiguous(size, divergence, bits):
    """Cells in which many symbols, whose multipliers lie between the two ends, are undecided."""
    k = 12
    laws = random_law(k, 5, 10**6), random_law(k, 6, 10**6)
    given = separators(min(7, size // 24))
    ls = [
        str(Fraction(a) * Fraction(1, 20) - Fraction(b) * Fraction(1, 20))
        for a, b in zip(*laws, strict=True)
    ]
    return testing_certificate(*laws, divergence, separators=given, multipliers=ls, bits=bits)


@hostile
def ambiguous_symbols(size):
    return ambiguous(size, "kl", 16)


@hostile
def ambiguous_power(size):
    return ambiguous(size, "alpha:1/3", 64)


@hostile
def long_masses(size):
    big = 10**3900 + 7
    k = min(20, size // 12_000)
    p0 = [f"1/{big}"] * (k - 1) + [f"{big - k + 1}/{big}"]
    ls = [f"1/{10**3900 + 9}"] * k
    given = separators(100)
    return testing_certificate(p0, p0, "js", multipliers=ls, bits=4096, separators=given)


@hostile
def many_blocks(size):
    k = size // 32
    blocks = [[x] for x in range(k)]
    return testing_certificate(uniform(k), uniform(k), "kl", blocks=blocks)


@hostile
def symbols_at_full_precision(size):
    k = min(4000, size // 40)
    return testing_certificate(random_law(k, 7), random_law(k, 8), "js", bits=4096)


@hostile
def many_knots(size):
    n, k = size // 40, 1000
    knots = ["0", *[str(Fraction(x, n)) for x in range(1, n)], "1"]
    ls = ["1"] * (n + 1)
    return testing_certificate(
        random_law(k, 9), random_law(k, 10), "kl", knots=knots, multipliers=ls
    )
