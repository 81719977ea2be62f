"""Optima in closed form: E_gamma, total variation, l_r and Renyi."""

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from solvers.testing.closed_form import e_gamma_optimum
from verify.claims.claim import Claim, Exhaustive, Symbolic
from verify.claims.domain import boxed
from verify.claims.families import kernels, likelihood_pairs, set_partitions
from verify.claims.proof import Identity, Statement, nonnegative
from verify.claims.testing.definitions import (
    LEVELS,
    best_partition_value,
    both_ways,
    divergence,
    output_law,
    partition_value,
    sorted_pair,
    subset_program,
)
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.ldp import largest_column_ratio

__all__ = ["CLAIMS"]

_GHAZI = "Ghazi 2026"
_GAMMAS = {"e-gamma:1/2": Fraction(1, 2), "tv": Fraction(1), "e-gamma:2": Fraction(2)}


def _total_variation(p: Any, q: Any) -> Fraction:
    return sum((max(a - b, Fraction(0)) for a, b in zip(p, q, strict=True)), Fraction(0))


def _closed_form(pair: Any, *, without_offset: bool = False) -> str:
    """The closed form of E_gamma against the linear program."""
    p, q = sorted_pair(pair)
    for (name, gamma), level in product(_GAMMAS.items(), LEVELS):
        optimum = subset_program(name, level, p, q)
        claimed = e_gamma_optimum(Distribution(p), Distribution(q), gamma, level)
        if without_offset:
            inner = divergence(name, p, q)
            claimed = max((level - 1) * inner, Fraction(0)) / (level + 1)
        if claimed != optimum:
            return f"gamma = {gamma}, E = {level}: claimed {claimed}, optimum {optimum}"
    return ""


def _bit(pair: Any, *, at_one: bool = False) -> str:
    """Randomized response on the bit P0 >= gamma P1 reaches the optimum of E_gamma."""
    p, q = sorted_pair(pair)
    for (name, gamma), level in product(_GAMMAS.items(), LEVELS):
        cut = Fraction(1) if at_one else gamma
        high = [x for x in range(len(p)) if p[x] >= cut * q[x]]
        low = [x for x in range(len(p)) if x not in high]
        blocks = [block for block in (high, low) if block]
        reached = partition_value(name, level, p, q, blocks) if len(blocks) == 2 else Fraction(0)
        optimum = best_partition_value(name, level, p, q)
        if max(reached, Fraction(0)) != optimum:
            return f"gamma = {gamma}, E = {level}: the bit reaches {reached}, optimum {optimum}"
    return ""


def _bit_statements(wrong: int = 0) -> tuple[Statement, ...]:
    """What the bit of excess D = sum (P0 - g P1)_+ leaves, for g >= 1."""
    E, D, g, b = sp.symbols("E D g b", nonnegative=True)
    c = E - 1 + wrong
    # the block where P0 > g P1 has masses (g b + D, b); the other block scores 0 beside it
    score = (1 + c * (g * b + D)) - g * (1 + c * b)
    return (
        Identity(
            "E_gamma of the bit",
            score / (E + 1),
            ((E - 1) * D - (g - 1)) / (E + 1),
            (E - 1, g - 1),
        ),
    )


def _tv_contraction(instance: Any, *, factor: int = 1) -> str:
    """TV after any private channel is at most (E-1)/(E+1) times TV before."""
    rows, pair = instance
    channel = Channel(rows)
    level = largest_column_ratio(channel).exp_epsilon
    if not isinstance(level, Fraction):
        return ""
    after = _total_variation(*(output_law(rows, law) for law in pair))
    bound = (level - 1) / (level + factor) * _total_variation(*pair)
    return "" if after <= bound else f"E = {level}: {after} exceeds {bound}"


def _norms(instance: Any, *, half: bool = False) -> str:
    """|M0 - M1|_r^r <= 2 ((E-1)/(E+1))^r TV^r for any private channel."""
    rows, pair = instance
    level = largest_column_ratio(Channel(rows)).exp_epsilon
    if not isinstance(level, Fraction):
        return ""
    left, right = (output_law(rows, law) for law in pair)
    for r in (1, 2, 3):
        norm = sum((abs(a - b) ** r for a, b in zip(left, right, strict=True)), Fraction(0))
        bound = (1 if half else 2) * ((level - 1) / (level + 1) * _total_variation(*pair)) ** r
        if norm > bound:
            return f"r = {r}, E = {level}: the norm to the power r is {norm}, over {bound}"
    return ""


def _norm_of_bit(pair: Any, *, ternary: bool = False) -> str:
    """The bit P0 >= P1 is best for every l_r among all partitions."""
    p, q = sorted_pair(pair)
    for r, level in product((1, 2, 3), LEVELS):
        best = Fraction(0)
        for blocks in set_partitions(list(range(len(p)))):
            gaps = [abs(sum(p[x] - q[x] for x in block)) ** r for block in blocks]
            factor = ((level - 1) / (level + len(blocks) - 1)) ** r
            if not ternary or len(blocks) > 2:
                best = max(best, factor * sum(gaps))
        claimed = 2 * ((level - 1) / (level + 1) * _total_variation(p, q)) ** r
        if claimed != best:
            return f"r = {r}, E = {level}: claimed {claimed}, best partition {best}"
    return ""


def _renyi(pair: Any, other: str | None = None) -> str:
    """The partition that is best for the power divergence is best for Renyi of that order.

    Orders 2 and 3: sum M0^a M1^(1-a) of the laws themselves, compared as rationals.
    """
    p, q = sorted_pair(pair)
    k, level = len(p), Fraction(3)
    for order, name in ((2, "chi2"), (3, "cubic")):
        sums = {}
        for blocks in set_partitions(list(range(k))):
            laws = [
                [
                    (1 + (level - 1) * sum(law[x] for x in b)) / (level + len(blocks) - 1)
                    for b in blocks
                ]
                for law in (p, q)
            ]
            key = tuple(map(tuple, blocks))
            sums[key] = sum(
                (u**order / w ** (order - 1) for u, w in zip(*laws, strict=True)), Fraction(0)
            )
        chosen = max(sums, key=lambda key: partition_value(other or name, level, p, q, key))
        if sums[chosen] != max(sums.values()):
            return f"order {order}: {chosen} is not the best partition"
    return ""


def _renyi_statements(sign: int = 1) -> tuple[Statement, ...]:
    """exp((a-1) D_a) = 1 + D_f with f(t) = t^a - 1; here a = 2..4 and three outputs."""
    found: list[Statement] = []
    m = sp.symbols("m1:4", positive=True)
    n = sp.symbols("n1:4", positive=True)
    for a in (2, 3, 4):
        power = sum(x**a * y ** (1 - a) for x, y in zip(m, n, strict=True))
        perspective = sum(y * ((x / y) ** a - 1) for x, y in zip(m, n, strict=True))
        found.append(Identity(f"order {a}", power, sign * sum(n) + perspective, m + n))
    return tuple(found)


def _increasing_statements(sign: int = 1) -> tuple[Statement, ...]:
    """(E-1)/(E+1) grows with E, and so does every term of the score."""
    E, h = sp.symbols("E h", positive=True)
    difference = (E + h - 1) / (E + h + 1) - (E - 1) / (E + 1)
    return (
        nonnegative(
            "(E-1)/(E+1) grows",
            sign * difference,
            positive=(E, h, E + 1, E + h + 1),
            multiplier=(E + 1, E + h + 1),
        ),
    )


_KERNEL_PAIRS = boxed(
    "channels 2 x 3 with entries multiples of 1/{size}, pairs on 2 symbols",
    lambda size: (
        [k for k, _ in kernels(2, 3).orbits(size)],
        [pair for pair, _ in likelihood_pairs(2).orbits(4)],
    ),
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "testing.e-gamma-closed-form",
        "the largest E_gamma is [(E-1) E_gamma(P0||P1) - |gamma-1|]_+/(E+1)",
        f"{_GHAZI}, E_gamma",
        "symbolic for the bit; against the exact linear program for k = 3, gamma = 1/2, 1, 2",
        "the largest E_gamma is (E-1)/(E+1) times E_gamma(P0||P1)",
        (
            Symbolic(_bit_statements, lambda: _bit_statements(1)),
            Exhaustive(
                likelihood_pairs(3),
                _closed_form,
                lambda pair: _closed_form(pair, without_offset=True),
                size=7,
            ),
        ),
    ),
    Claim(
        "testing.e-gamma-bit",
        "randomized response on the bit P0 >= gamma P1 reaches the optimum of E_gamma",
        f"{_GHAZI}, E_gamma",
        "pairs on 4 symbols, gamma = 1/2, 1, 2, four E",
        "the bit P0 >= P1 does for every gamma",
        (Exhaustive(likelihood_pairs(4), _bit, lambda pair: _bit(pair, at_one=True), size=5),),
    ),
    Claim(
        "testing.tv-contraction",
        "no E-private channel keeps more than (E-1)/(E+1) of the total variation",
        f"{_GHAZI}, E_gamma at gamma = 1; Kairouz, Oh, Viswanath 2016",
        "channels 2 x 3, pairs on 2 symbols, at the channels' own E; the factor grows with E",
        "no E-private channel keeps more than (E-1)/(E+2) of the total variation",
        (
            Symbolic(_increasing_statements, lambda: _increasing_statements(-1)),
            Exhaustive(
                _KERNEL_PAIRS,
                _tv_contraction,
                lambda instance: _tv_contraction(instance, factor=2),
                size=6,
                smallest=2,
            ),
        ),
    ),
    Claim(
        "testing.l-r-bound",
        "|M0 - M1|_r is at most 2^(1/r) (E-1)/(E+1) TV(P0, P1) for every private channel",
        f"{_GHAZI}, l_r distance",
        "channels 2 x 3, r = 1, 2, 3",
        "the same without the factor 2^(1/r)",
        (
            Exhaustive(
                _KERNEL_PAIRS,
                _norms,
                lambda instance: _norms(instance, half=True),
                size=6,
                smallest=2,
            ),
        ),
    ),
    Claim(
        "testing.l-r-binary",
        "the TV-optimal binary mechanism is best for l_r among all partitions and labels",
        f"{_GHAZI}, l_r distance",
        "pairs on 4 symbols, r = 1, 2, 3, four E",
        "a partition into three or more blocks is as good",
        (
            Exhaustive(
                likelihood_pairs(4),
                _norm_of_bit,
                lambda pair: _norm_of_bit(pair, ternary=True),
                size=5,
                batch=16,
            ),
        ),
    ),
    Claim(
        "testing.renyi-reduction",
        "the partition that is best for t^a - 1 is best for the Renyi divergence of order a",
        f"{_GHAZI}, Renyi",
        "symbolic for orders 2, 3, 4; all partitions of 4 symbols at orders 2, 3",
        "the partition that is best for total variation is",
        (
            Symbolic(_renyi_statements, lambda: _renyi_statements(-1)),
            Exhaustive(
                likelihood_pairs(4),
                both_ways(_renyi),
                lambda pair: _renyi(pair, "tv"),
                size=4,
                batch=16,
            ),
        ),
    ),
)
