"""Hostile couplings."""

import json
from fractions import Fraction

from tests.attack.hostile.registry import (
    THREE,
    certificate,
    hostile,
    primes,
)
from verify.kernel.interval import enclose_exp


def round_of(rate, level, delta="1/1000"):
    content = {"rate": rate, "sign": 1, "accepts": "at-least", "box": level, "delta": delta}
    return content | {"crossover": "1/4", "released": False, "monotone": False}


def coupling(rounds):
    claim = {"epsilon": {"nats": "1"}, "total": "1", "shared_rate": "1", "tail": None}
    claim |= {"levels": [[content] for content in rounds]}
    return certificate("coupling", claim, {"shared_shift": "1", "shifts": [["2"]] * len(rounds)})


@hostile
def coupling_of_levels(size):
    level = {"nats": "9999/10000"}
    return coupling([round_of(f"1/{x + 2}", level) for x in range(size // 220)])


@hostile
def coupling_of_coprime_rates(size):
    return coupling([round_of(f"1/{p}", THREE) for p in primes(size // 220, 10**6)])


@hostile
def coupling_at_full_precision(size):
    """Every purification is decided by the last bits of e only."""
    grid = 1 << 4000
    low = enclose_exp(Fraction(1), 4090).lower
    E = Fraction(low.numerator * grid // low.denominator - 1, grid)
    content = round_of("1", {"nats": "1"}, str((E - 1) / 2))
    return coupling([content] * (size // (len(json.dumps(content)) + 20)))
