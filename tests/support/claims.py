"""Whether the claim of a certificate is true, found without the project's code."""

from fractions import Fraction
from itertools import product

import mpmath

from tests.support import oracle
from tests.support.all_subsets import merge, smallest_slack

MARGIN = Fraction(1, 10**70)


def exact(texts):
    """A list of numbers in text as fractions."""
    return [Fraction(text) for text in texts]


def exp_of_level(level):
    """E of a level: exact, or exp(nats) to about 85 digits."""
    if "exp_epsilon" in level:
        return Fraction(level["exp_epsilon"])
    with mpmath.workdps(oracle.DIGITS):
        return oracle.to_fraction(mpmath.exp(oracle.to_mpf(Fraction(level["nats"]))))


def as_fraction(value):
    """An oracle's value as a fraction."""
    return value if isinstance(value, Fraction) else oracle.to_fraction(value)


def margin_of(claim):
    """How far from the truth the oracle may be: 0 where everything is rational."""
    exact_level = "exp_epsilon" in claim["level"]
    return Fraction(0) if exact_level and oracle.is_rational(claim["divergence"]) else MARGIN


def is_true_testing_claim(claim):
    """Whether the optimum over all private channels lies in [lower, upper]."""
    p, q, E = exact(claim["p0"]), exact(claim["p1"]), exp_of_level(claim["level"])
    if sum(p) != 1 or sum(q) != 1 or min(p) < 0 or min(q) < 0 or E < 1:
        return False
    best = as_fraction(oracle.best_contiguous(p, q, E, claim["divergence"], claim["outputs"]))
    margin = margin_of(claim)
    return Fraction(claim["lower"]) - margin <= best <= Fraction(claim["upper"]) + margin


def flaw_of_testing_witness(claim, witness):
    """Why blocks and multipliers do not prove both bounds, by all 2^k sets; empty if they do."""
    p, q, name = exact(claim["p0"]), exact(claim["p1"]), claim["divergence"]
    low, high = exact(witness["exp_epsilon"])
    margin, E, n = margin_of(claim), exp_of_level(claim["level"]), claim["outputs"]
    if not 1 <= low <= E + margin or high < E - margin:
        return "the rationals do not enclose exp(epsilon)"
    if sorted(x for block in witness["blocks"] for x in block) != list(range(len(p))):
        return "the blocks are no partition"
    if n is not None and len(witness["blocks"]) > n:
        return "too many outputs"
    reached = as_fraction(oracle.value_of(witness["blocks"], p, q, low, name))
    if reached + margin < Fraction(claim["lower"]):
        return "the mechanism does not reach lower"
    multipliers, t = exact(witness["multipliers"]), Fraction(witness["output_multiplier"])
    if t < 0 or (n is None and t):
        return "the output multiplier has a wrong sign or place"
    bound = sum(multipliers) + (t * n / (high - 1 + n) if n is not None else 0)
    if bound < 0 or as_fraction(oracle.reported(name, bound)) > Fraction(claim["upper"]) + margin:
        return "the multipliers do not add up"
    slack, mask = smallest_slack(name, high, merge(p, q, multipliers), t)
    return "" if slack >= -margin else f"set {mask:b} violates its constraint"


def is_true_channel_claim(claim):
    """Whether every number of a channel claim is right and the channel is private at its level."""
    rows, E = [exact(row) for row in claim["rows"]], exp_of_level(claim["level"])
    if any(sum(row) != 1 or min(row) < 0 for row in rows):
        return False
    ratio = Fraction(1)
    for y, (row, other) in product(range(len(rows[0])), product(rows, rows)):
        if row[y] and not other[y]:
            return False
        if other[y]:
            ratio = max(ratio, row[y] / other[y])
    contraction = max(
        sum(abs(a - b) for a, b in zip(u, w, strict=True)) / 2 for u in rows for w in rows
    )
    return (
        claim["exp_epsilon"] == str(ratio)
        and Fraction(claim["dobrushin_coefficient"]) == contraction
        and ratio <= E
        and all(_leaks(rows, *exact(pair)) for pair in claim["leakage"])
    )


def _leaks(rows, c, exp_leakage):
    """Whether the worst vertex of the priors with masses >= c leaks exactly this much."""
    n, worst = len(rows), Fraction(1)
    if not 0 <= n * c <= 1:
        return False
    for y, corner in product(range(len(rows[0])), range(n)):
        column = [row[y] for row in rows]
        mass = c * sum(column) + (1 - n * c) * column[corner]
        if mass:
            worst = max(worst, max(column) / mass)
    return worst == exp_leakage
