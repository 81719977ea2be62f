"""How much a channel leaks over the priors with masses >= c, and what LDP says of it."""

from fractions import Fraction
from typing import Any

import sympy as sp

from solvers.leakage.conversion import exp_ldp_of_leakage, exp_leakage_of_ldp
from solvers.leakage.pointwise import exp_maximal_leakage, pointwise_maximal_leakage
from solvers.leakage.profile import leakage_profile
from solvers.leakage.worst_leakage import worst_exp_leakage
from verify.claims.claim import Claim, Exhaustive, Randomised, Symbolic, spell
from verify.claims.leakage.definitions import (
    interior_priors,
    kernel_domain,
    leakage_at,
    least_masses,
    vertices,
)
from verify.claims.proof import Identity, Statement, nonnegative
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.exact import INFINITE
from verify.kernel.ldp import largest_column_ratio

__all__ = ["CLAIMS"]

_PAPER = "Grosse, Saeidian, Oechtering, Skoglund 2026"
_SMALL = kernel_domain((2, 2), (2, 3), (3, 2), (3, 3))


def _vertex_formula(rows: Any, *, without_rest: bool = False) -> str:
    n = len(rows)
    for c in least_masses(n):
        worst = max(leakage_at(rows, prior) for prior in vertices(n, c))
        if without_rest:
            columns = [col for col in zip(*rows, strict=True) if max(col)]
            claimed = max(max(col) * n / sum(col) for col in columns)
        else:
            claimed = worst_exp_leakage(Channel(rows), c)
        if claimed != worst:
            return f"c = {c}: {claimed} by the formula, {worst} over the vertices"
    return ""


def _interior(rows: Any, *, uniform_is_worst: bool = False) -> str:
    n = len(rows)
    for c in least_masses(n):
        worst = worst_exp_leakage(Channel(rows), c)
        if uniform_is_worst:
            worst = leakage_at(rows, [Fraction(1, n)] * n)
        for prior in interior_priors(n, c, 4):
            found = leakage_at(rows, prior)
            if worst is not INFINITE and found > worst:
                return f"c = {c}: the prior {spell(prior)} leaks {found}, over {worst}"
    return ""


def _merging(rows: Any, *, keeps: bool = False) -> str:
    """Merging the first two outputs lets no more leak."""
    merged = [[row[0] + row[1], *row[2:]] for row in rows]
    for c in least_masses(len(rows)):
        before = worst_exp_leakage(Channel(rows), c)
        after = worst_exp_leakage(Channel(merged), c)
        if (before != after) if keeps else (after > before):  # type: ignore[operator]
            return f"c = {c}: {before} before, {after} after merging outputs 0 and 1"
    return ""


def _from_ldp(rows: Any, *, sharper: bool = False) -> str:
    channel = Channel(rows)
    level = largest_column_ratio(channel).exp_epsilon
    if not isinstance(level, Fraction):
        return ""
    n = len(rows)
    for c in least_masses(n):
        bound = exp_leakage_of_ldp(2 * c / (1 + c) if sharper else c, level)
        found = worst_exp_leakage(channel, c)
        if found > bound:  # type: ignore[operator]
            return f"c = {c}, E = {level}: leaks {found}, over {bound}"
    return ""


def _to_ldp(rows: Any, *, halved: bool = False) -> str:
    channel = Channel(rows)
    ratio = largest_column_ratio(channel).exp_epsilon
    for c in least_masses(len(rows)):
        leak = worst_exp_leakage(channel, c)
        bound = exp_ldp_of_leakage(len(rows), c, leak)  # type: ignore[arg-type]
        if halved and isinstance(bound, Fraction):
            bound = (bound + 1) / 2
        if bound is not INFINITE and (ratio is INFINITE or ratio > bound):
            return f"c = {c}: leaks {leak}, yet the column ratio is {ratio}, over {bound}"
    return ""


def _ldp_statements(sign: int = 1) -> tuple[Statement, ...]:
    """One entry E times the others attains E/(1 + c (E-1)); leakage grows from it nowhere."""
    E, c, N, h = sp.symbols("E c N h", positive=True)
    total, rest = E + N - 1, 1 - N * c
    return (
        Identity("attained", E / (c * total + rest), E / (1 + sign * c * (E - 1)), (E - 1,)),
        nonnegative(
            "a larger column sum leaks less",
            E / (c * total + rest) - E / (c * (total + h) + rest),
            positive=(E, c, h, 1 + c * (E - 1), 1 + c * (E - 1) + c * h),
            multiplier=(1 + c * (E - 1), 1 + c * (E - 1) + c * h),
        ),
    )


def _mean_leakage(rows: Any, *, largest: bool = False) -> str:
    """The mean of exp l(X -> Y) is the sum of the column maxima, under every full prior."""
    n, channel = len(rows), Channel(rows)
    expected = exp_maximal_leakage(channel)
    for prior in interior_priors(n, Fraction(1, 2 * n), 2):
        law = [
            sum((p * q for p, q in zip(prior, col, strict=True)), Fraction(0))
            for col in zip(*rows, strict=True)
        ]
        leaks = [
            max(col) / mass if mass else Fraction(0)
            for col, mass in zip(zip(*rows, strict=True), law, strict=True)
        ]
        found = (
            max(leaks)
            if largest
            else sum((m * x for m, x in zip(law, leaks, strict=True)), Fraction(0))
        )
        if found != expected:
            return f"prior {spell(prior)}: {found} is not the sum {expected} of the column maxima"
        if pointwise_maximal_leakage(channel, Distribution(prior)).worst != max(leaks):
            return f"prior {spell(prior)}: the solver finds another worst leakage"
    return ""


def _profile(rows: Any, *, at_zero: bool = False) -> str:
    """The piecewise profile equals the definition at every c of the grid."""
    channel = Channel(rows)
    profile = leakage_profile(channel)
    for c in least_masses(len(rows)):
        found = profile.exp_leakage(c / 2 if at_zero else c)
        worst = max(leakage_at(rows, prior) for prior in vertices(len(rows), c))
        if found != worst:
            return f"c = {c}: {found} by the profile, {worst} by the definition"
    return ""


def _drawn() -> Any:
    from verify import strategies as st  # noqa: PLC0415 - Hypothesis is slow to import

    return st.channels(min_inputs=2, max_inputs=6, max_outputs=6).map(lambda k: k.rows)


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "leakage.vertex-formula",
        "the worst leakage over c is max_y max K/(c sum K + (1-Nc) min K)",
        f"{_PAPER}, definition of (epsilon, c)-PML",
        "channels up to 3 x 3, c = 1/4N, 1/2N, 3/4N, 1/N, against the extreme priors",
        "the uniform prior gives it",
        (
            Exhaustive(
                _SMALL,
                _vertex_formula,
                lambda rows: _vertex_formula(rows, without_rest=True),
                size=4,
            ),
            Randomised(
                _drawn, _vertex_formula, lambda rows: _vertex_formula(rows, without_rest=True)
            ),
        ),
    ),
    Claim(
        "leakage.priors-inside",
        "no prior with masses >= c leaks more than the worst extreme prior",
        f"{_PAPER}, definition of (epsilon, c)-PML",
        "channels up to 3 x 3, priors in quarter steps of the simplex",
        "no prior leaks more than the uniform one",
        (
            Exhaustive(
                _SMALL, _interior, lambda rows: _interior(rows, uniform_is_worst=True), size=3
            ),
        ),
    ),
    Claim(
        "leakage.merging-outputs",
        "merging two outputs raises no worst leakage",
        f"{_PAPER}, reduction to binary outputs",
        "channels up to 3 x 3",
        "merging two outputs leaves the worst leakage unchanged",
        (
            Exhaustive(
                kernel_domain((2, 3), (3, 3)),
                _merging,
                lambda rows: _merging(rows, keeps=True),
                size=4,
            ),
        ),
    ),
    Claim(
        "leakage.of-ldp",
        "an E-LDP channel leaks at most E/(1 + c (E-1)) over c, and one column reaches it",
        f"{_PAPER}, relation to LDP",
        "symbolic: attained for every N, E, c; channels up to 3 x 3",
        "an E-LDP channel leaks at most E/(1 + 2c/(1+c) (E-1))",
        (
            Symbolic(_ldp_statements, lambda: _ldp_statements(-1)),
            Exhaustive(
                _SMALL, _from_ldp, lambda rows: _from_ldp(rows, sharper=True), size=4, smallest=2
            ),
        ),
    ),
    Claim(
        "leakage.to-ldp",
        "a channel that leaks log E over c has column ratio at most E(1-(N-1)c)/(1-(N-1)cE)",
        f"{_PAPER}, relation to LDP (converse)",
        "channels up to 3 x 3",
        "half way between 1 and that ratio bounds it",
        (Exhaustive(_SMALL, _to_ldp, lambda rows: _to_ldp(rows, halved=True), size=4, smallest=2),),
    ),
    Claim(
        "leakage.maximal-leakage",
        "the mean of exp l(X -> Y) is the sum of column maxima under every full prior",
        "Issa, Wagner, Kamath 2020, Theorem 1",
        "channels up to 3 x 3, priors inside the simplex",
        "the largest exp l(X -> Y) is that sum",
        (
            Exhaustive(
                _SMALL, _mean_leakage, lambda rows: _mean_leakage(rows, largest=True), size=3
            ),
        ),
    ),
    Claim(
        "leakage.profile",
        "the piecewise rational profile c -> exp_leakage equals the definition",
        f"{_PAPER}, leakage profile",
        "channels up to 3 x 3 at four c",
        "the profile at c/2 does",
        (Exhaustive(_SMALL, _profile, lambda rows: _profile(rows, at_zero=True), size=3),),
    ),
)
