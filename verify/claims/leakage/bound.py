"""The tight Dobrushin bound min(1, (E-1)/(E(1-Nc)+1)) and the channel that attains it."""

from fractions import Fraction
from typing import Any

import sympy as sp

from solvers.epsilon import Epsilon
from solvers.leakage.contraction import dobrushin_coefficient
from solvers.leakage.dobrushin import (
    attaining_kernel,
    dobrushin_at_leakage,
    dobrushin_bound,
    dobrushin_certificate,
)
from solvers.leakage.worst_leakage import worst_exp_leakage
from solvers.linear_program import solve_linear_program
from verify.claims.claim import Claim, Exhaustive, Randomised, Symbolic
from verify.claims.domain import boxed
from verify.claims.leakage.definitions import (
    contraction,
    kernel_domain,
    leakage_at,
    least_masses,
    vertices,
)
from verify.claims.proof import Identity, Statement, nonnegative
from verify.kernel.certificate import check_certificate
from verify.kernel.channel import Channel
from verify.kernel.contraction import check_dobrushin_bound
from verify.kernel.ldp import largest_column_ratio

__all__ = ["CLAIMS"]

_PAPER = "Grosse, Saeidian, Oechtering, Skoglund 2026"
_LEVELS = (Fraction(1), Fraction(3, 2), Fraction(2), Fraction(3), Fraction(8))
_SETTINGS = boxed(
    "N = 2..{size}, five c, E = 1, 3/2, 2, 3, 8",
    lambda size: (
        [(n, c) for n in range(2, size + 1) for c in (Fraction(0), *least_masses(n))],
        _LEVELS,
    ),
)


def _own_leakage(rows: Any, *, as_ldp: bool = False) -> str:
    n, eta = len(rows), contraction(rows)
    for c in least_masses(n):
        leak = max(leakage_at(rows, prior) for prior in vertices(n, c))
        bound = (leak - 1) / (leak + 1) if as_ldp else dobrushin_at_leakage(n, c, leak)
        if eta > bound:
            return f"c = {c}: contraction {eta} over the bound {bound} at leakage {leak}"
    return ""


def _attained(instance: Any, *, no_coin: bool = False) -> str:
    (n, c), level = instance
    rows = attaining_kernel(n, c, Epsilon.from_exp(level)).rows
    if no_coin:
        rows = (*rows[:-1], rows[0])
    eta = dobrushin_at_leakage(n, c, level)
    found = contraction(rows)
    leak = worst_exp_leakage(Channel(rows), c)
    if found != eta:
        return f"the channel contracts by {found}, the bound is {eta}"
    return "" if leak <= level else f"the channel leaks {leak}, over {level}"


def _attained_statements(slip: int = 0) -> tuple[Statement, ...]:
    """Both constraints of the two-output channel are equalities at eta = (E-1)/(E(1-Nc)+1)."""
    E, N, c = sp.symbols("E N c", positive=True)
    eta = (E - 1 + slip) / (E * (1 - N * c) + 1)
    high, low = (1 + eta) / 2, (1 - eta) / 2
    right = E * (c * N / 2 + (1 - N * c) * low)
    return (Identity("column of answer 1", high, right, (E - 1, 1 - N * c)),)


def _dual_statements(sign: int = 1) -> tuple[Statement, ...]:
    """The multipliers u = 1/(E(1-Nc)+1) of the linear program are feasible and give the bound."""
    E, N, c = sp.symbols("E N c", positive=True)
    u = 1 / (E * (1 - N * c) + 1)
    return (
        Identity("first dual row", u + E * (1 - N * c) * u, sp.Integer(1), (E - 1, 1 - N * c)),
        Identity("value", (E - 1) * u, (E - sign) / (E * (1 - N * c) + 1), (E - 1, 1 - N * c)),
    )


def _threshold_statements(two: int = 2) -> tuple[Statement, ...]:
    """(E-1) - (E(1-Nc)+1) = E N c - 2: the bound reaches 1 exactly at E = 2/(Nc)."""
    E, N, c = sp.symbols("E N c", positive=True)
    return (
        Identity("E - 1 reaches the denominator", (E - 1) - (E * (1 - N * c) + 1), E * N * c - two),
    )


def _threshold(instance: Any, *, halved: bool = False) -> str:
    (n, c), _ = instance
    if not c:
        return ""
    at = (1 if halved else 2) / (n * c)
    for factor, expected in ((Fraction(1), True), (Fraction(999, 1000), False)):
        level = at * factor
        reaches = level >= 1 and dobrushin_at_leakage(n, c, level) == 1
        if reaches != (expected and level >= 1):
            return (
                f"E = {level}: the bound is {dobrushin_at_leakage(n, c, max(level, Fraction(1)))}"
            )
    return ""


def _limit_statements(sign: int = 1) -> tuple[Statement, ...]:
    E, N, c, h = sp.symbols("E N c h", positive=True)
    room = sp.Symbol("room", positive=True)  # 1 - N (c + h)
    bound = (E - 1) / (E * (1 - N * c) + 1)
    lower = (E - 1) / (E * (room + N * h) + 1)
    higher = (E - 1) / (E * room + 1)
    s = sp.Symbol("s", positive=True)  # E - 1
    return (
        Identity("c = 0", bound.subs(c, 0), (E - 1) / (E + sign)),
        Identity("Nc = 1", bound.subs(c, 1 / N), E - 1),
        nonnegative(
            "grows with c",
            sign * (higher - lower).subs(E, 1 + s),
            positive=(s, N, h, room, (1 + s) * room + 1, (1 + s) * (room + N * h) + 1),
            multiplier=((1 + s) * room + 1, (1 + s) * (room + N * h) + 1),
        ),
    )


def _conversion_statements(shift: int = 0) -> tuple[Statement, ...]:
    """The bound at E' = E/(1+c(E-1)) is at least (E-1)/(E+1), with equality at N = 2.

    The difference has the sign of (N - 2) c (E - 1).
    """
    c, s, m = sp.symbols("c s m", positive=True)  # s = E - 1, m = N - 2
    room = sp.Symbol("room", positive=True)  # 1 - Nc
    E, N = s + 1, m + 2
    leak = E / (1 + c * s)
    bound = (leak - 1) / (leak * (1 - N * c) + 1)
    ldp = s / (E + 1)
    denominator = E * (1 - N * c) + 1 + c * s
    return (
        Identity(
            "difference",
            (bound - ldp) * denominator * (E + 1),
            s * ((1 - c) * (E + 1) - denominator),
            (1 - N * c,),
        ),
        Identity("its sign", (1 - c) * (E + 1) - denominator, (N - 2 + shift) * c * E),
        nonnegative("which is nonnegative", (m - 3 * shift) * c * E, positive=(m, c, s, room)),
    )


def _ldp_contraction(rows: Any, *, sharper: bool = False) -> str:
    level = largest_column_ratio(Channel(rows)).exp_epsilon
    if not isinstance(level, Fraction):
        return ""
    eta = contraction(rows)
    bound = (level - 1) / (level + (2 if sharper else 1))
    return "" if eta <= bound else f"E = {level}: contraction {eta} over {bound}"


def _definition(rows: Any, *, mean: bool = False) -> str:
    """The kernel's coefficient is the largest TV of two rows, which contracts every pair."""
    eta = dobrushin_coefficient(Channel(rows))
    if mean:
        n = len(rows)
        gaps = [
            sum((abs(a - b) for a, b in zip(x, y, strict=True)), Fraction(0)) / 2
            for x in rows
            for y in rows
        ]
        eta = sum(gaps, Fraction(0)) / (n * (n - 1))
    found = contraction(rows)
    return "" if found == eta else f"the coefficient is {eta}, the farthest rows are {found} apart"


def _supremum(instance: Any, *, lowered: bool = False) -> str:
    (n, c), level = instance
    eta = dobrushin_at_leakage(n, c, level)
    if lowered:
        eta = eta * Fraction(9, 10)
    for outputs in (2, 3, 4):
        found = max(_program(n, outputs, size, c, level) for size in range(1, outputs // 2 + 1))
        if found != eta:
            return f"{outputs} outputs: the linear program gives {found}, the formula {eta}"
    return ""


def _program(n: int, outputs: int, size: int, c: Fraction, level: Fraction) -> Fraction:
    """Max sum over the first outputs of K(y|0) - K(y|1) over channels that leak at most log E.

    K(y|x) = m_y + s_xy with s_xy + t_xy = d_y, so that column y lies in [m_y, m_y + d_y]; the
    leakage is m_y + d_y + slack_y = E (c (N m_y + sum_x s_xy) + (1 - Nc) m_y).
    """
    cells = [(x, y) for x in range(n) for y in range(outputs)]
    names = [("m", y) for y in range(outputs)] + [("d", y) for y in range(outputs)]
    names += [(kind, cell) for kind in ("s", "t") for cell in cells]  # type: ignore[misc]
    names += [("slack", y) for y in range(outputs)]
    place = {name: i for i, name in enumerate(names)}
    rows: list[list[Fraction]] = []
    right: list[Fraction] = []

    def equation(terms: list[tuple[Any, Fraction | int]], value: int) -> None:
        row = [Fraction(0)] * len(names)
        for name, factor in terms:
            row[place[name]] += factor
        rows.append(row)
        right.append(Fraction(value))

    for x in range(n):
        equation([((k, y if k == "m" else (x, y)), 1) for y in range(outputs) for k in "ms"], 1)
    for x, y in cells:
        equation([(("s", (x, y)), 1), (("t", (x, y)), 1), (("d", y), -1)], 0)
    for y in range(outputs):
        spread: list[tuple[Any, Fraction | int]] = [(("s", (x, y)), -level * c) for x in range(n)]
        own: list[tuple[Any, Fraction | int]] = [(("m", y), 1 - level), (("d", y), 1)]
        equation([*own, (("slack", y), 1), *spread], 0)
    objective = [Fraction(0)] * len(names)
    for y in range(size):
        objective[place["s", (0, y)]], objective[place["s", (1, y)]] = Fraction(1), Fraction(-1)  # type: ignore[index]
    return solve_linear_program(objective, rows, right).value


def _proved(instance: Any, *, lowered: bool = False) -> str:
    (n, c), level = instance
    bound = dobrushin_bound(n, c, Epsilon.from_exp(level))
    if not lowered:
        verdict = check_certificate(dobrushin_certificate(bound))
        return "" if verdict.is_accepted else verdict.reason
    u = 1 / (level * (1 - n * c) + 1)
    claimed = bound.upper - Fraction(1, 1000)
    verdict = check_dobrushin_bound(n, c, level, (u, u, Fraction(0)), claimed)
    return "" if verdict.is_accepted else f"bound {claimed}: {verdict.reason}"


def _drawn() -> Any:
    from verify import strategies as st  # noqa: PLC0415 - Hypothesis is slow to import

    return st.channels(min_inputs=2, max_inputs=7, min_outputs=2, max_outputs=6).map(
        lambda channel: channel.rows
    )


_KERNELS = kernel_domain((2, 2), (2, 3), (3, 2), (3, 3), (4, 2))

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "leakage.dobrushin-definition",
        "the kernel's Dobrushin coefficient is the largest total variation of two rows",
        "Dobrushin 1956",
        "channels up to 4 x 2 and 3 x 3",
        "it is the mean over pairs of rows",
        (Exhaustive(_KERNELS, _definition, lambda rows: _definition(rows, mean=True), size=4),),
    ),
    Claim(
        "leakage.dobrushin-bound",
        "a channel contracts at most by min(1, (E-1)/(E(1-Nc)+1)) at its own leakage E over c",
        f"{_PAPER}, main theorem",
        "channels up to 4 x 2 and 3 x 3, four c; the dual program symbolically",
        "a channel contracts at most by (E-1)/(E+1) at its own leakage E",
        (
            Symbolic(_dual_statements, lambda: _dual_statements(2)),
            Exhaustive(_KERNELS, _own_leakage, lambda k: _own_leakage(k, as_ldp=True), size=5),
            Randomised(_drawn, _own_leakage, lambda k: _own_leakage(k, as_ldp=True)),
        ),
    ),
    Claim(
        "leakage.dobrushin-attained",
        "a two-output channel attains the bound, for even and odd N and every c <= 1/N",
        f"{_PAPER}, achievability",
        "symbolic for the constraints; N = 2..9 with five c and five E",
        "for odd N the coin input may copy another input",
        (
            Symbolic(_attained_statements, lambda: _attained_statements(1)),
            Exhaustive(
                _SETTINGS,
                _attained,
                lambda instance: _attained(instance, no_coin=True),
                size=9,
                smallest=2,
            ),
        ),
    ),
    Claim(
        "leakage.binary-outputs-suffice",
        "the largest contraction with 2, 3 and 4 outputs is the same, by exact linear programs",
        f"{_PAPER}, reduction to binary outputs",
        "N = 2..4, five c, five E",
        "it is nine tenths of the bound",
        (
            Exhaustive(
                _SETTINGS,
                _supremum,
                lambda instance: _supremum(instance, lowered=True),
                size=4,
                smallest=2,
                batch=4,
            ),
        ),
    ),
    Claim(
        "leakage.dual-certificate",
        "the kernel accepts the certificate of the bound at every setting",
        f"{_PAPER}, main theorem by weak duality",
        "N = 2..9, five c, five E",
        "the kernel accepts a bound lower by 1/1000",
        (
            Exhaustive(
                _SETTINGS,
                _proved,
                lambda instance: _proved(instance, lowered=True),
                size=9,
                smallest=2,
            ),
        ),
    ),
    Claim(
        "leakage.threshold",
        "the bound is 1 exactly from E = 2/(Nc) on",
        f"{_PAPER}, threshold",
        "symbolic for all N, c; N = 2..9",
        "the bound is 1 exactly from E = 1/(Nc) on",
        (
            Symbolic(_threshold_statements, lambda: _threshold_statements(1)),
            Exhaustive(
                _SETTINGS,
                _threshold,
                lambda instance: _threshold(instance, halved=True),
                size=9,
                smallest=2,
            ),
        ),
    ),
    Claim(
        "leakage.limits",
        "the bound grows with c, from (E-1)/(E+1) at c = 0 to E - 1 at c = 1/N",
        f"{_PAPER}, LDP limit and uniform prior",
        "symbolic for all N, c, E",
        "it falls with c",
        (Symbolic(_limit_statements, lambda: _limit_statements(-1)),),
    ),
    Claim(
        "leakage.ldp-contraction",
        "an E-LDP channel contracts total variation at most by (E-1)/(E+1)",
        "Kairouz, Oh, Viswanath 2016; the limit c -> 0",
        "channels up to 4 x 2 and 3 x 3",
        "at most by (E-1)/(E+2)",
        (
            Exhaustive(
                _KERNELS,
                _ldp_contraction,
                lambda rows: _ldp_contraction(rows, sharper=True),
                size=5,
                smallest=2,
            ),
        ),
    ),
    Claim(
        "leakage.conversion-gains-nothing",
        "the leakage that LDP guarantees proves no contraction below (E-1)/(E+1); equal at N = 2",
        "derived; Grosse, Saeidian, Oechtering, Skoglund 2026",
        "symbolic for all N >= 2, c, E",
        "the two are equal at N = 1",
        (Symbolic(_conversion_statements, lambda: _conversion_statements(1)),),
    ),
)
