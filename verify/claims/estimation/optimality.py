"""No unbiased private scheme does better: the bound, and when it is met."""

from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp
from flint import fmpq, fmpq_mat

from verify.claims.claim import Claim, Exhaustive, Symbolic
from verify.claims.domain import boxed, listed
from verify.claims.estimation.definitions import LEVELS, channel_rows, named_blocks, scheme_domain
from verify.claims.families import compositions, nonempty_subsets
from verify.claims.proof import Identity, Statement
from verify.kernel.estimation import risk_lower_bound

__all__ = ["CLAIMS"]

_PARK = "Park, Nam, Lee 2023; Ye, Barg 2018"
_GENTLE = "Gentle 2025 (optimal protocols are block designs)"


def _spread(column: Any) -> Fraction:
    """|c|^2 - v for the column scaled to mean 1."""
    v, total = len(column), sum(column)
    return Fraction(v * v * sum(x * x for x in column), total**2) - v


def _largest_spread(v: int, level: Fraction) -> Fraction:
    return max(v * k * (v - k) * (level - 1) ** 2 / (k * level + v - k) ** 2 for k in range(1, v))


def _column_bound(column: Any, *, binary_k: bool = False) -> str:
    """|c|^2 - v <= max_k v k (v-k) (E-1)^2/(kE+v-k)^2 at the column's own ratio E."""
    level, v = Fraction(max(column), min(column)), len(column)
    bound = _largest_spread(v, level)
    if binary_k:
        bound = v * (v - 1) * (level - 1) ** 2 / (level + v - 1) ** 2
    found = _spread(column)
    return "" if found <= bound else f"spread {found} over {bound} at E = {level}"


def _set_statements(slip: int = 0) -> tuple[Statement, ...]:
    """|c|^2 - v at a set of k points, and trace bound = M."""
    E, v, k = sp.symbols("E v k", positive=True)
    w = k * E + v - k
    spread = v**2 * (k * E**2 + (v - k)) / w**2 - v
    stated = v * k * (v - k) * (E - 1) ** 2 / w**2
    risk = (v - 1) ** 2 * w**2 / (v * k * (v - k) * (E - 1) ** 2)
    hypotheses = (E - 1, v - k, k - 1, v - 2)
    return (
        Identity("spread of a set", spread, stated * (1 + slip), hypotheses),
        Identity("(v-1)^2/spread is the risk", (v - 1) ** 2 / stated, risk, hypotheses),
    )


def _information_inverse(rows: Any) -> Fraction | None:
    """Tr A^-1 - 1/v at the uniform law, A = sum m_y c_y c_y^T; None when A is singular."""
    v = len(rows)
    matrix = [[Fraction(0)] * v for _ in range(v)]
    for column in zip(*rows, strict=True):
        mass = sum(column, Fraction(0)) / v
        if not mass:
            continue
        c = [q / mass for q in column]
        for x, z in product(range(v), repeat=2):
            matrix[x][z] += mass * c[x] * c[z]
    entries = [[fmpq(a.numerator, a.denominator) for a in row] for row in matrix]
    a = fmpq_mat(entries)
    if a.det() == 0:
        return None
    inverse = a.inv()
    trace = sum((inverse[i, i] for i in range(v)), fmpq(0))
    return Fraction(int(trace.p), int(trace.q)) - Fraction(1, v)


def _staircase(weights: Any, v: int, level: Fraction) -> list[list[Fraction]] | None:
    """The channel with these weights on the high sets, if it covers every input equally."""
    sets = nonempty_subsets(v)
    chosen = [(w, s) for w, s in zip(weights, sets, strict=True) if w]
    cover = {sum(w for w, s in chosen if x in s) for x in range(v)}
    if len(cover) != 1 or cover == {0}:
        return None
    total = sum(w for w, _ in chosen) + (level - 1) * cover.pop()
    return [[w * (level if x in s else 1) / total for w, s in chosen] for x in range(v)]


def _no_better(instance: Any, *, raised: bool = False) -> str:
    """Tr A^-1 - 1/v >= M for every staircase channel."""
    weights, level = instance
    v = (len(weights) + 1).bit_length() - 1
    rows = _staircase(weights, v, level)
    found = _information_inverse(rows) if rows is not None else None
    if found is None:
        return ""
    least, _ = risk_lower_bound(v, level)
    bound = least * Fraction(101, 100) if raised else least
    return "" if found >= bound else f"n risk {found} below {bound}"


def _necessary(instance: Any, *, sizes_only: bool = False) -> str:
    """Equality exactly when all high sets have optimal sizes and cover pairs equally."""
    weights, level = instance
    v = (len(weights) + 1).bit_length() - 1
    rows = _staircase(weights, v, level)
    found = _information_inverse(rows) if rows is not None else None
    least, optimal = risk_lower_bound(v, level)
    chosen = [(w, s) for w, s in zip(weights, nonempty_subsets(v), strict=True) if w]
    pairs = {
        sum(w / _norm(len(s), v, level) for w, s in chosen if x in s and z in s)
        for x, z in product(range(v), repeat=2)
        if x < z
    }
    is_design = all(len(s) in optimal for _, s in chosen) and (sizes_only or len(pairs) == 1)
    if rows is None:
        return ""
    attains = found is not None and found == least
    return "" if attains == is_design else f"optimal: {attains}, a block design: {is_design}"


def _norm(size: int, v: int, level: Fraction) -> Fraction:
    """The mass of a column with this high set, per unit of weight."""
    return size * level + v - size


def _attained(instance: Any, *, every_size: bool = False) -> str:
    """Block designs of an optimal block size meet the bound, others do not."""
    name, level = instance
    blocks = named_blocks()[name]
    sizes = {len(block) for block in blocks[1]}
    if len(sizes) != 1:
        return ""
    least, optimal = risk_lower_bound(blocks[0], level)
    found = _information_inverse(channel_rows(blocks, level))
    expected = every_size or sizes <= set(optimal)
    return "" if (found == least) == expected else f"n risk {found}, the bound is {least}"


def _identifiable(instance: Any, *, one_less: bool = False) -> str:
    """A channel with b < v outputs has no unbiased estimator: its rows are dependent."""
    rows, level = instance
    v, b = len(rows), len(rows[0])
    weights = [[1 + (level - 1) * x for x in row] for row in rows]
    normal = [[Fraction(x) / sum(row) for x in row] for row in weights]
    independent = _information_inverse(normal) is not None
    limit = v + 1 if one_less else v
    return f"{b} outputs identify {v} symbols" if independent and b < limit else ""


def _sign_tables(size: int) -> list[Any]:
    return [
        rows
        for v in range(2, size + 1)
        for b in range(2, v + 1)
        for rows in product(product((0, 1), repeat=b), repeat=v)
        if all(any(row) for row in rows) and rows[0] <= rows[-1]
    ]


def _three_points(size: int) -> list[Any]:
    return list(product(range(size + 1), repeat=7))


def _four_points(size: int) -> list[Any]:
    """Weights on pairs and triples of four points: twelve combinations at most."""
    found = []
    for total in range(1, size + 1):
        for weights in compositions(total, 6):
            full = [0] * 15
            pairs = [m for m in range(1, 16) if m.bit_count() == 2]
            for mask, w in zip(pairs, weights, strict=True):
                full[mask - 1] = w
            found.append(tuple(full))
    return found


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "estimation.column-bound",
        "|c|^2 - v of a private column is at most that of the best set of k points",
        f"{_PARK}, lower bound (section 2.6 of the proof: convexity)",
        "symbolic for sets; integer columns of 2 to 4 inputs",
        "it is at most that of a single point",
        (
            Symbolic(_set_statements, lambda: _set_statements(1)),
            Exhaustive(
                listed(
                    "columns of 2 to 4 inputs with entries 1..{size}",
                    lambda size: [
                        c for v in (2, 3, 4) for c in product(range(1, size + 1), repeat=v)
                    ],
                ),
                _column_bound,
                lambda c: _column_bound(c, binary_k=True),
                size=7,
                smallest=2,
                batch=256,
            ),
        ),
    ),
    Claim(
        "estimation.lower-bound",
        "n times the risk of no unbiased private scheme is below M, by the information bound",
        f"{_PARK}, lower bound M",
        "all staircase channels on 3 symbols with weights 0..2, on 4 symbols with pairs",
        "it is at least 1.01 M",
        (
            Exhaustive(
                boxed(
                    "weights 0..{size} on the sets of 3 points, four E",
                    lambda size: (_three_points(size), LEVELS),
                ),
                _no_better,
                lambda i: _no_better(i, raised=True),
                size=2,
                batch=512,
            ),
            Exhaustive(
                boxed(
                    "weights adding up to at most {size} on the pairs of 4 points, four E",
                    lambda size: (_four_points(size), LEVELS),
                ),
                _no_better,
                lambda i: _no_better(i, raised=True),
                size=6,
                batch=256,
            ),
        ),
    ),
    Claim(
        "estimation.bound-attained",
        "a block design meets M exactly when its block size is in K*",
        f"{_PARK}, theorem on exact optimality",
        "designs on up to 13 points, four E, by the inverse information matrix",
        "every block design meets M",
        (
            Exhaustive(
                scheme_domain,
                _attained,
                lambda i: _attained(i, every_size=True),
                size=13,
                smallest=2,
                batch=8,
            ),
        ),
    ),
    Claim(
        "estimation.designs-necessary",
        "a staircase channel meets M exactly when its high sets are a weighted block design",
        f"{_GENTLE}; derived",
        "all staircase channels on 4 symbols with pairs as high sets, E = 5/4, 3/2",
        "optimal sizes of the high sets suffice",
        (
            Exhaustive(
                boxed(
                    "weights adding up to at most {size} on the pairs of 4 points, E = 5/4, 3/2",
                    lambda size: (_four_points(size), (Fraction(5, 4), Fraction(3, 2))),
                ),
                _necessary,
                lambda i: _necessary(i, sizes_only=True),
                size=6,
                batch=256,
            ),
        ),
    ),
    Claim(
        "estimation.fisher",
        "every unbiased scheme on v symbols needs at least v outputs",
        f"{_PARK}; Fisher 1940",
        "all two-level channels with up to 3 symbols and outputs, four E",
        "it needs at least v + 1 outputs",
        (
            Exhaustive(
                boxed(
                    "0/1 tables of up to {size} rows, four E",
                    lambda size: (_sign_tables(size), LEVELS),
                ),
                _identifiable,
                lambda i: _identifiable(i, one_less=True),
                size=3,
                smallest=2,
                batch=256,
            ),
        ),
    ),
)
