"""Brute force over all 2^k sets of symbols: do given multipliers prove an upper bound?

The constraint of every set S is L + c l(S) + t >= mu(S), with L the sum of the multipliers l. All
sets are screened in float64; those whose slack is not clearly positive or negative are settled in
fractions (rational divergences) or with ``DIGITS`` digits. Shares no code with the project.
"""

from dataclasses import dataclass
from fractions import Fraction

import mpmath
import numpy as np

from tests.support import oracle

DOUBT = 1e-11
_FLOAT_F = {
    "tv": lambda u, w: np.maximum(u - w, 0),
    "chi2": lambda u, w: (u - w) ** 2 / w,
    "reverse-chi2": lambda u, w: (u - w) ** 2 / u,
    "lecam": lambda u, w: (u - w) ** 2 / (u + w),
    "kl": lambda u, w: u * np.log(u / w),
    "reverse-kl": lambda u, w: w * np.log(w / u),
    "hellinger": lambda u, w: 2 * w - 2 * np.sqrt(u * w),
    "js": lambda u, w: (u * np.log(2 * u / (u + w)) + w * np.log(2 * w / (u + w))) / 2,
}


@dataclass(frozen=True)
class Symbols:
    """The symbols with mass, those of equal likelihood ratio merged: P0, P1 and multipliers."""

    p: list[Fraction]
    q: list[Fraction]
    multipliers: list[Fraction]


def merge(p, q, multipliers):
    """Drop the symbols without mass and add up those of equal likelihood ratio."""
    groups = {}
    for a, b, lam in zip(p, q, multipliers, strict=True):
        if a or b:
            group = groups.setdefault((a / b if b else None), [Fraction(0)] * 3)
            groups[a / b if b else None] = [x + y for x, y in zip(group, (a, b, lam), strict=True)]
    return Symbols(*(list(column) for column in zip(*groups.values(), strict=True)))


def _sums(values, kind):
    """The sums over all subsets, indexed by bit mask."""
    sums = np.zeros(1, dtype=kind)
    for value in values:
        sums = np.concatenate([sums, sums + kind(value)])
    return sums


def score(name, u, w):
    """The perspective of f as the multipliers see it: with the same f as the kernel documents."""
    if "*" in name:
        return oracle.weighted_sum(name, lambda part: score(part, u, w))
    if name.startswith("e-gamma"):
        gamma = Fraction(name.partition(":")[2])
        return max(u - gamma * w, Fraction(0)) - max(1 - gamma, Fraction(0)) * w
    if name == "tv":
        return max(u - w, Fraction(0))
    if oracle.is_rational(name):
        return oracle.score(name, u, w)
    with mpmath.workdps(oracle.DIGITS):
        value = oracle.score(name, u, w)
        linear = {"kl": u - w, "reverse-kl": w - u, "hellinger": w - u, "renyi:1": u - w}.get(
            name, Fraction(0)
        )
        return oracle.to_fraction(value + oracle.to_mpf(linear))


def _float_scores(name, u, w):
    if "*" in name:
        parts = oracle.parts_of(name)
        return sum(float(weight) * _float_scores(part, u, w) for weight, part in parts)
    if name.startswith("e-gamma"):
        gamma = float(Fraction(name.partition(":")[2]))
        return np.maximum(u - gamma * w, 0) - max(1 - gamma, 0) * w
    family, _, order = name.partition(":")
    if name == "renyi:1":
        return _FLOAT_F["kl"](u, w)
    if family in {"alpha", "renyi"}:
        a = float(Fraction(order))
        return w * ((u / w) ** a - 1 - a * (u / w - 1)) / (a * (a - 1))
    return _FLOAT_F[name](u, w)


def slack_of(name, E, symbols, mask, t):
    """L + c l(S) + t - mu(S) for the set with this bit mask, exact or to about 85 digits."""
    c, total = E - 1, sum(symbols.multipliers, Fraction(0))
    inside = [i for i in range(len(symbols.p)) if mask >> i & 1]
    a, b, lam = (
        sum((column[i] for i in inside), Fraction(0))
        for column in (symbols.p, symbols.q, symbols.multipliers)
    )
    return total + c * lam + t - score(name, 1 + c * a, 1 + c * b)


def smallest_slack(name, E, symbols, t=Fraction(0)):
    """The smallest slack over all sets; exact (or to 85 digits) whenever it is near zero or below.

    Returns (slack, mask).
    """
    c = float(E - 1)
    u, w, lam = (
        _sums(map(float, column), float) for column in (symbols.p, symbols.q, symbols.multipliers)
    )
    total = float(sum(symbols.multipliers, Fraction(0)))
    scores = _float_scores(name, 1 + c * u, 1 + c * w)
    slack = total + c * lam + float(t) - scores
    scale = 1 + abs(total) + float(t) + c * sum(map(abs, map(float, symbols.multipliers)))
    doubt = DOUBT * (scale + np.abs(scores).max() + c)
    near = np.flatnonzero(slack <= slack.min() + 2 * doubt)
    near = near[:1] if E == 1 else near  # all sets have the same slack
    return min((slack_of(name, E, symbols, int(mask), t), int(mask)) for mask in near)
