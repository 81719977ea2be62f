"""Binette's inequality and the strong data-processing constants that follow from it."""

from collections.abc import Callable
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from solvers.leakage.binette import binette_constant, extremal_pair, parse_measure
from solvers.leakage.output_ratio import kernel_output_ratio
from verify.claims.claim import Claim, Exhaustive, Symbolic
from verify.claims.domain import boxed, listed
from verify.claims.families import compositions, kernels, likelihood_pairs
from verify.claims.leakage.definitions import (
    as_channel_pair,
    contraction,
    least_masses,
    total_variation,
)
from verify.claims.proof import Identity, Statement, nonnegative
from verify.kernel.channel import Channel
from verify.kernel.exact import Infinity
from verify.kernel.ldp import largest_column_ratio

__all__ = ["CLAIMS"]

_BINETTE = "Binette 2019, Theorem 1"
_PAPER = "Grosse, Saeidian, Oechtering, Skoglund 2026"
_F: dict[str, Callable[[Fraction], Fraction]] = {
    "tv": lambda t: abs(t - 1) / 2,
    "chi2": lambda t: (t - 1) ** 2,
    "reverse-chi2": lambda t: (t - 1) ** 2 / t,
    "lecam": lambda t: (t - 1) ** 2 / (t + 1),
}


def _value(name: str, p: Any, q: Any) -> Fraction:
    """D_f(P||Q) where q has full support on the support of p, and f is finite at the ratios."""
    terms = (y * _F[name](x / y) for x, y in zip(p, q, strict=True) if y)
    return sum(terms, Fraction(0))


def _ratios(p: Any, q: Any) -> tuple[Fraction, Fraction] | None:
    """The extreme ratios of P to Q, if all are finite and positive."""
    pairs = [(x, y) for x, y in zip(p, q, strict=True) if x or y]
    if any(not x or not y for x, y in pairs):
        return None
    ratios = [x / y for x, y in pairs]
    return min(ratios), max(ratios)


def _binette(pair: Any, *, scale: Fraction = Fraction(1)) -> str:
    for p, q in (pair, pair[::-1]):
        ratios = _ratios(p, q)
        if ratios is None or ratios[0] == 1:
            continue
        m, M = ratios
        d = total_variation(p, q)
        for name, f in _F.items():
            bound = d * (f(m) / (1 - m) + f(M) / (M - 1)) * scale
            value = _value(name, p, q)
            if value > bound:
                return f"{name}: {value} over {bound}, ratios in [{m}, {M}], TV {d}"
    return ""


def _extremal_statements(slip: int = 0) -> tuple[Statement, ...]:
    """The law with ratios m, 1, M has TV d and the largest divergence, for any f(m), f(M)."""
    m, M, d, f, g = sp.symbols("m M d f g", positive=True)
    low, high = d / (1 - m), d / (M - 1)  # masses of Q at the ratios m and M
    return (
        Identity("P sums to 1", m * low + M * high + (1 - low - high), sp.Integer(1), (1 - m,)),
        Identity("TV", (1 - m) * low, d, (1 - m,)),
        Identity(
            "divergence",
            low * f + high * g + slip * d,
            d * (f / (1 - m) + g / (M - 1)),
            (1 - m, M - 1),
        ),
    )


def _chord_statements(sign: int = 1) -> tuple[Statement, ...]:
    """chi2, Le Cam and reverse chi2 lie below their chords on [m, 1] and [1, M]."""
    a, b = sp.symbols("a b", positive=True)  # 1 - t = a, t - m = b on [m, 1]; mirrored above
    m = sp.Symbol("m", positive=True)
    t = m + b
    found: list[Statement] = []
    one = a + b + m  # is 1 on the lower side
    chord = a / (a + b)  # weight of m in t = chord * m + (1 - chord) * 1
    chi2 = (a + b) ** 2 * chord - a**2
    found.append(nonnegative("chi2 below 1", sign * chi2, positive=(a, b)))
    lecam = ((a + b) ** 2 / (m + one)) * chord - a**2 / (t + one)
    found.append(
        nonnegative(
            "Le Cam below 1",
            sign * lecam,
            positive=(a, b, m, m + one, t + one),
            multiplier=(m + one, t + one),
        )
    )
    reverse = ((a + b) ** 2 / m) * chord - a**2 / t
    found.append(
        nonnegative(
            "reverse chi2 below 1", sign * reverse, positive=(a, b, m, t), multiplier=(m, t)
        )
    )
    high = sp.Symbol("high", positive=True)  # above 1: t = 1 + a, M = 1 + a + high
    above = (a + high) ** 2 * a / (a + high) - a**2
    found.append(nonnegative("chi2 above 1", sign * above, positive=(a, high)))
    return tuple(found)


def _bracket_statements(two: int = 2) -> tuple[Statement, ...]:
    """f(1/E)/(1 - 1/E) + f(E)/(E - 1): KL, chi2, TV, and Hellinger with s = e^(epsilon/4)."""
    E, L, s = sp.symbols("E L s", positive=True)  # L = log E

    def bracket(low: Any, high: Any, at: Any = E) -> Any:
        return low / (1 - 1 / at) + high / (at - 1)

    return (
        Identity("KL", bracket(-L / E, E * L), L * (two - 1), (E - 1,)),
        Identity("chi2", bracket((1 - 1 / E) ** 2, (E - 1) ** 2), E - 1 / E, (E - 1,)),
        Identity("TV", bracket((1 - 1 / E) / 2, (E - 1) / 2), sp.Integer(1), (E - 1,)),
        Identity(
            "Hellinger",
            bracket((1 - s**-2) ** 2, (s**2 - 1) ** 2, s**4),
            two * (s**2 - 1) / (s**2 + 1),
            (s - 1,),
        ),
        Identity(
            "Le Cam",
            bracket((1 - E) ** 2 / E / (1 + E), (E - 1) ** 2 / (E + 1)),
            two * (E - 1) / (E + 1),
            (E - 1,),
        ),
    )


def _extremal(instance: Any, *, doubled: bool = False) -> str:
    """The solver's extremal pair reaches the constant, for rational divergences."""
    name, ratio, share = instance
    measure = parse_measure(name)
    d = share * (ratio - 1) / (ratio + 1)
    p, q = extremal_pair(d, ratio)
    value = _value(name, p.masses, q.masses)
    expected = binette_constant(measure, ratio).lower * d * (2 if doubled else 1)
    return "" if value == expected else f"the pair has {value}, the constant gives {expected}"


def _through(rows: Any, law: Any) -> list[Fraction]:
    return [
        sum((p * q for p, q in zip(law, column, strict=True)), Fraction(0))
        for column in zip(*rows, strict=True)
    ]


def _strong_processing(instance: Any, *, scale: Fraction = Fraction(1)) -> str:
    """D_f(PK||QK) <= eta TV(P, Q) (f(1/R)/(1-1/R) + f(R)/(R-1)) for P, Q with masses >= c."""
    rows, (a, b) = instance
    n = len(rows)
    channel, eta = Channel(rows), contraction(rows)
    for c in least_masses(n)[:3]:
        ratio = kernel_output_ratio(channel, c)
        if isinstance(ratio, Infinity) or ratio == 1:
            continue
        p, q = (tuple(c + (1 - n * c) * x for x in law) for law in (a, b))
        left, right = _through(rows, p), _through(rows, q)
        d = total_variation(p, q)
        for name, f in _F.items():
            bound = scale * eta * d * (f(1 / ratio) / (1 - 1 / ratio) + f(ratio) / (ratio - 1))
            value = _value(name, left, right)
            if value > bound:
                return f"{name}, c = {c}: {value} over {bound}"
    return ""


def _processing(instance: Any, *, squared: bool = False) -> str:
    """D_f(PK||QK) <= eta D_f(P||Q)."""
    rows, (p, q) = instance
    if any(not x or not y for x, y in zip(p, q, strict=True)):
        return ""
    eta = contraction(rows)
    for name in _F:
        bound = (eta**2 if squared else eta) * _value(name, p, q)
        value = _value(name, _through(rows, p), _through(rows, q))
        if value > bound:
            return f"{name}: {value} over {bound}"
    return ""


def _chi2_contraction(instance: Any, *, power: int = 2) -> str:
    """chi2, its mirror and Le Cam contract by ((E-1)/(E+1))^2 through an E-LDP channel."""
    rows, (p, q) = instance
    level = largest_column_ratio(Channel(rows)).exp_epsilon
    if not isinstance(level, Fraction) or any(not x or not y for x, y in zip(p, q, strict=True)):
        return ""
    for name in ("chi2", "reverse-chi2", "lecam"):
        bound = ((level - 1) / (level + 1)) ** power * _value(name, p, q)
        value = _value(name, _through(rows, p), _through(rows, q))
        if value > bound:
            return f"{name}, E = {level}: {value} over {bound}"
    return ""


def _squared_tv(instance: Any, *, any_inputs: bool = False) -> str:
    """chi2(PK||QK) <= (E-1)^2 max(1/E, 2/(E+2)) TV^2; for two inputs 1/E alone."""
    rows, (p, q) = instance
    level = largest_column_ratio(Channel(rows)).exp_epsilon
    if not isinstance(level, Fraction) or level == 1:
        return ""
    alone = any_inputs or len(rows) == 2
    factor = 1 / level if alone else max(1 / level, 2 / (level + 2))
    bound = (level - 1) ** 2 * factor * total_variation(p, q) ** 2
    value = _value("chi2", _through(rows, p), _through(rows, q))
    return "" if value <= bound else f"E = {level}: {value} over {bound}"


def _laws(n: int, steps: int) -> list[Any]:
    laws = [tuple(Fraction(x, steps) for x in law) for law in compositions(steps, n)]
    return [(p, q) for p, q in product(laws, repeat=2) if p != q]


_CHANNELS = listed(
    "channels 2 x 3 and 3 x 2, 3 x 3 with entries multiples of 1/{size}, pairs of laws",
    lambda size: [
        (rows, pair)
        for n, m in ((2, 3), (3, 2), (3, 3))
        for rows, _ in kernels(n, m).orbits(size)
        for pair in _laws(n, 3)
    ],
)
_RESPONSE = listed(
    "channels 2 x 3 with entries multiples of 1/5, and 3-ary responses at E = 2..{size}",
    lambda size: [
        *[(rows, pair) for rows, _ in kernels(2, 3).orbits(5) for pair in _laws(2, 4)],
        *[(_response(level), pair) for level in range(2, size + 1) for pair in _laws(3, 4)],
    ],
)


def _response(level: int) -> tuple[tuple[Fraction, ...], ...]:
    return tuple(
        tuple(Fraction(level if x == y else 1, level + 2) for y in range(3)) for x in range(3)
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "leakage.binette",
        "D_f <= TV (f(m)/(1-m) + f(M)/(M-1)) for laws with ratios in [m, M]",
        _BINETTE,
        "the chords symbolically for chi2, its mirror and Le Cam; pairs on 3 and 4 symbols",
        "the same with nine tenths of the constant",
        (
            Symbolic(_chord_statements, lambda: _chord_statements(-1)),
            Exhaustive(
                likelihood_pairs(3),
                _binette,
                lambda pair: _binette(pair, scale=Fraction(9, 10)),
                size=10,
                smallest=3,
            ),
            Exhaustive(
                likelihood_pairs(4),
                _binette,
                lambda pair: _binette(pair, scale=Fraction(9, 10)),
                size=7,
                smallest=4,
            ),
        ),
    ),
    Claim(
        "leakage.binette-extremal",
        "the three-point law with ratios m, 1, M has the largest divergence at its TV",
        _BINETTE,
        "symbolic for all m, M, TV and f; rational divergences at ratios up to 9",
        "it has twice as much",
        (
            Symbolic(_extremal_statements, lambda: _extremal_statements(1)),
            Exhaustive(
                boxed(
                    "four divergences, ratios 2..{size}, three TV",
                    lambda size: (
                        tuple(_F),
                        [Fraction(r) for r in range(2, size + 1)],
                        (Fraction(1, 3), Fraction(1, 2), Fraction(1)),
                    ),
                ),
                _extremal,
                lambda instance: _extremal(instance, doubled=True),
                size=9,
                smallest=2,
            ),
        ),
    ),
    Claim(
        "leakage.binette-brackets",
        "the constants are epsilon, 2 tanh(epsilon/4), e^eps - e^-eps, 1 and 2 tanh(epsilon/2)",
        f"{_PAPER}, extension to f-divergences",
        "symbolic for KL, Hellinger, chi2, TV, Le Cam",
        "they are 2 epsilon, 3 tanh(epsilon/4), ...",
        (Symbolic(_bracket_statements, lambda: _bracket_statements(3)),),
    ),
    Claim(
        "leakage.strong-data-processing",
        "D_f(PK||QK) <= eta TV(P,Q) times Binette's constant at the output ratio R",
        f"{_PAPER}, strong data processing",
        "channels up to 3 x 3 in thirds, laws in thirds, three c, four divergences",
        "the same with half the constant",
        (
            Exhaustive(
                _CHANNELS,
                _strong_processing,
                lambda instance: _strong_processing(instance, scale=Fraction(1, 2)),
                size=3,
                smallest=2,
                batch=256,
            ),
        ),
    ),
    Claim(
        "leakage.data-processing",
        "D_f(PK||QK) <= eta D_f(P||Q) with the Dobrushin coefficient eta, for every f",
        "Cohen, Kempermann, Zbaganu 1998",
        "channels 3 x 2 in quarters, laws in fifths",
        "the same with eta squared",
        (
            Exhaustive(
                as_channel_pair(3, 2, 5),
                _processing,
                lambda instance: _processing(instance, squared=True),
                size=4,
                smallest=2,
                batch=256,
            ),
        ),
    ),
    Claim(
        "leakage.chi2-contraction",
        "chi2, its mirror and Le Cam contract by ((E-1)/(E+1))^2 through E-LDP channels",
        "Asoodeh, Zhang 2024",
        "channels 3 x 2 in fifths, laws in fifths",
        "they contract by ((E-1)/(E+1))^4",
        (
            Exhaustive(
                as_channel_pair(3, 2, 5),
                _chi2_contraction,
                lambda instance: _chi2_contraction(instance, power=4),
                size=5,
                smallest=2,
                batch=256,
            ),
        ),
    ),
    Claim(
        "leakage.squared-tv",
        "chi2 <= (E-1)^2 max(1/E, 2/(E+2)) TV^2; for two inputs (E-1)^2/E TV^2",
        "the proof in solvers.leakage.data_processing; Asoodeh, Zhang 2024",
        "channels 2 x 3 in fifths; ternary randomized response at E = 2..9",
        "(E-1)^2/E TV^2 for any number of inputs",
        (
            Exhaustive(
                _RESPONSE,
                _squared_tv,
                lambda instance: _squared_tv(instance, any_inputs=True),
                size=9,
                smallest=2,
                batch=256,
            ),
        ),
    ),
)
