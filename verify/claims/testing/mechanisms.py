"""What single mechanisms do: staircase columns, the laws of SPR, merged outputs and symbols."""

from fractions import Fraction
from itertools import pairwise, product
from typing import Any

import sympy as sp

from solvers.testing.mechanism import randomized_block_response
from verify.claims.claim import Claim, Exhaustive, Randomised, Symbolic
from verify.claims.domain import boxed, listed
from verify.claims.families import kernels, likelihood_pairs, set_partitions
from verify.claims.proof import Identity, Statement, nonnegative
from verify.claims.testing.definitions import (
    LEVELS,
    RATIONAL,
    best_partition_value,
    divergence,
    output_law,
    set_score,
    sorted_pair,
)
from verify.kernel.channel import Channel
from verify.kernel.ldp import largest_column_ratio

__all__ = ["CLAIMS"]

_GHAZI = "Ghazi 2026"
_KOV = "Kairouz, Oh, Viswanath 2016, Theorem 2"


def _staircase_parts(column: Any, level: Fraction) -> tuple[list[tuple[Fraction, Any]], Fraction]:
    """Weights of level sets and the constant left over: q = sum w (1 + c 1[S]) + rest."""
    steps = sorted(set(column), reverse=True)
    c, parts = level - 1, []
    for high, low in pairwise(steps):
        members = tuple(x for x, q in enumerate(column) if q >= high)
        parts.append((Fraction(high - low) / c, members))
    return parts, min(column) - sum((w for w, _ in parts), Fraction(0))


def _decomposes(column: Any, allowed: Fraction) -> str:
    """Whether a column with max <= allowed * min is a mixture of staircase columns at E = 2."""
    level = Fraction(2)
    if max(column) > allowed * min(column):
        return ""
    parts, rest = _staircase_parts(column, level)
    for x, entry in enumerate(column):
        total = rest + sum((w * (level if x in s else 1) for w, s in parts), Fraction(0))
        if total != entry:
            return f"the parts add up to {total} at input {x}"
    return "" if rest >= 0 else f"the constant part is {rest}"


def _staircase_statements(bound: str = "E") -> tuple[Statement, ...]:
    """Sorted columns q_1 >= ... >= q_k with q_1 <= E q_k, for k = 2..6."""
    found: list[Statement] = []
    c, m, slack = sp.symbols("c m slack", nonnegative=True)
    for k in range(2, 7):
        d = sp.symbols(f"d1:{k}", nonnegative=True)  # q_i - q_(i+1)
        q = [m + sum(d[i:]) for i in range(k)]
        spread = sum(d)
        rest = m - spread / c
        for x in range(k):
            mixture = sum(d[i] / c * (1 + c * int(x <= i)) for i in range(k - 1)) + rest
            found.append(Identity(f"entry {x + 1} of {k}", mixture, q[x], (m, *d)))
    # q_1 <= E q_k says spread = c m - slack; under E^2 it would be c (c + 2) m - slack
    spread_at = c * m - slack if bound == "E" else c * (c + 2) * m - slack
    constant = sp.cancel((m - spread_at / c) * c)
    found.append(nonnegative("constant part", constant, nonnegative=(c, m, slack)))
    return tuple(found)


def _law_statements(gain: int = 1) -> tuple[Statement, ...]:
    E, s, p, x, y = sp.symbols("E s p x y", positive=True)
    c = E - gain
    kept, other = E / (E + s - 1), 1 / (E + s - 1)
    law = p * kept + (1 - p) * other
    return (
        Identity("output law", law, (1 + c * p) / (E + s - 1), (p, 1 - p, E - 1)),
        Identity("the row sums to 1", kept + (s - 1) * other, sp.Integer(1)),
        Identity(
            "chi2 score",
            (x / (E + s - 1) - y / (E + s - 1)) ** 2 / (y / (E + s - 1)),
            (x - y) ** 2 / y / (E + s - 1),
        ),
    )


def _response_is_private(instance: Any, stretch: Fraction = Fraction(1)) -> str:
    (k, level) = instance
    for blocks in set_partitions(list(range(k))):
        ratio = largest_column_ratio(randomized_block_response(blocks, k, level)).exp_epsilon
        expected = level * stretch if len(blocks) > 1 else Fraction(1)
        if ratio != expected:
            return f"blocks {blocks}: the largest column ratio is {ratio}, not {expected}"
    return ""


def _processing(instance: Any, *, rises: bool = False) -> str:
    rows, pair = instance
    channel = Channel(rows)
    for p, q in (pair, pair[::-1]):
        left, right = output_law(channel.rows, p), output_law(channel.rows, q)
        merged = [[a + b, *rest] for a, b, *rest in (left, right)]
        for name in RATIONAL:
            if any((x > 0) != (y > 0) for x, y in zip(left, right, strict=True)):
                continue
            fine, coarse = divergence(name, left, right), divergence(name, *merged)
            if (fine > coarse) if rises else (coarse > fine):
                return f"{name}: {fine} before and {coarse} after merging outputs 0 and 1"
    return ""


def _ties(pair: Any, *, merge_unequal: bool = False) -> str:
    """Whether merging symbols of equal ratio leaves the optimum as it is."""
    p, q = sorted_pair(pair)
    for i in range(len(p) - 1):
        if not merge_unequal and p[i] * q[i + 1] != p[i + 1] * q[i]:
            continue
        merged = [[*law[:i], law[i] + law[i + 1], *law[i + 2 :]] for law in (p, q)]
        for name, level in product(RATIONAL, LEVELS[:3]):
            before = best_partition_value(name, level, p, q)
            after = best_partition_value(name, level, merged[0], merged[1])
            if before != after:
                return f"{name}, E = {level}: {before} before and {after} after merging at {i}"
    return ""


def _column_score(instance: Any, *, reverse: bool = False) -> str:
    """Sublinearity: a private column scores at most what its staircase parts score."""
    column, pair = instance
    level = Fraction(2)
    if max(column) > level * min(column):
        return ""
    parts, _ = _staircase_parts(column, level)
    p, q = pair
    x, y = (sum((a * b for a, b in zip(law, column, strict=True)), Fraction(0)) for law in pair)
    for name, score in RATIONAL.items():
        bound = sum((w * set_score(score, level, p, q, s) for w, s in parts), Fraction(0))
        value = score(x, y)
        if (value < bound) if reverse else (value > bound):
            return f"{name}: the column scores {value}, its parts {bound}"
    return ""


def _strategy() -> Any:
    from verify import strategies as st  # noqa: PLC0415 - Hypothesis is slow to import

    pairs = st.distribution_pairs(max_symbols=5, max_denominator=40)
    return pairs.map(lambda pair: (pair[0].masses, pair[1].masses))


_COLUMNS = listed(
    "columns of 2 to 4 inputs with integer entries 1..{size}",
    lambda size: (c for k in (2, 3, 4) for c in product(range(1, size + 1), repeat=k)),
)
_COLUMN_PAIRS = boxed(
    "columns of 3 inputs with entries 1..{size}, with pairs of distributions over 3",
    lambda size: (
        list(product(range(1, size + 1), repeat=3)),
        [pair for pair, _ in likelihood_pairs(3).orbits(3)],
    ),
)

CLAIMS: tuple[Claim, ...] = (
    Claim(
        "testing.staircase-decomposition",
        "every column with ratio at most E is a nonnegative mixture of staircase columns",
        _KOV,
        "symbolic: up to 6 inputs; exhaustive: integer columns at E = 2",
        "the same holds for columns with ratio at most E^2",
        (
            Symbolic(_staircase_statements, lambda: _staircase_statements("E^2")),
            Exhaustive(
                _COLUMNS,
                lambda column: _decomposes(column, Fraction(2)),
                lambda column: _decomposes(column, Fraction(4)),
                size=8,
                smallest=2,
            ),
        ),
    ),
    Claim(
        "testing.staircase-sublinear",
        "a private column scores at most the sum of the scores of its staircase parts",
        f"{_KOV}; the step from columns to the linear program",
        "integer columns of 3 inputs at E = 2, rational divergences",
        "a private column scores at least what its staircase parts score",
        (
            Exhaustive(
                _COLUMN_PAIRS,
                _column_score,
                lambda instance: _column_score(instance, reverse=True),
                size=4,
                smallest=2,
            ),
        ),
    ),
    Claim(
        "testing.spr-output-law",
        "s-ary randomized response over blocks has output laws (1 + (E-1) P(B))/(E + s - 1)",
        f"{_GHAZI}, the interval score",
        "every E, s and mass",
        "the output laws are (1 + (E-2) P(B))/(E + s - 1)",
        (Symbolic(_law_statements, lambda: _law_statements(2)),),
    ),
    Claim(
        "testing.spr-private",
        "randomized response over s >= 2 blocks has the largest column ratio E, exactly",
        f"{_GHAZI}, the mechanism",
        "all partitions of up to 6 symbols",
        "the largest column ratio is E^2",
        (
            Exhaustive(
                boxed(
                    "alphabets of 1..{size} symbols, all partitions, 4 levels",
                    lambda size: (range(1, size + 1), LEVELS),
                ),
                _response_is_private,
                lambda instance: _response_is_private(instance, instance[1]),
                size=6,
            ),
        ),
    ),
    Claim(
        "testing.merging-outputs",
        "merging two outputs of a channel raises no f-divergence between the output laws",
        "Csiszar 1967 (data processing)",
        "channels with 2 inputs and 3 outputs, rational divergences",
        "merging two outputs lowers no f-divergence",
        (
            Exhaustive(
                boxed(
                    "channels 2 x 3 with entries multiples of 1/{size}, pairs over 3",
                    lambda size: (
                        [k for k, _ in kernels(2, 3).orbits(size)],
                        [pair for pair, _ in likelihood_pairs(2).orbits(3)],
                    ),
                ),
                _processing,
                lambda instance: _processing(instance, rises=True),
                size=4,
                smallest=2,
            ),
        ),
    ),
    Claim(
        "testing.ties",
        "merging symbols of equal likelihood ratio leaves the optimum unchanged",
        f"{_GHAZI}, sorting",
        "pairs on up to 4 symbols, rational divergences, E = 3/2, 2, 3",
        "merging neighbours of unequal likelihood ratio leaves the optimum unchanged",
        (
            Exhaustive(
                likelihood_pairs(4),
                _ties,
                lambda pair: _ties(pair, merge_unequal=True),
                size=5,
                batch=16,
            ),
            Randomised(_strategy, _ties, lambda pair: _ties(pair, merge_unequal=True), examples=60),
        ),
    ),
)
