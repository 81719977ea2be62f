"""The joint range of the output laws: the steps of the proof that SPR suffices.

R_l(P0, P1) is the set of pairs (M0, M1) that private channels with l outputs reach. Its support
function at weights (a_y, b_y) is the largest sum of a_y M0(y) + b_y M1(y).
"""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement, permutations, product
from typing import Any

import sympy as sp

from solvers.linear_program import solve_linear_program
from verify.claims.claim import Claim, Exhaustive, Symbolic
from verify.claims.domain import Domain, boxed, union
from verify.claims.families import interval_weights, likelihood_pairs, nonempty_subsets
from verify.claims.proof import Identity, Statement
from verify.claims.testing.definitions import (
    LEVELS,
    both_ways,
    contiguous_partitions,
    sorted_pair,
    subset_program,
)

__all__ = ["CLAIMS"]

_GHAZI = "Ghazi 2026"
_LEVEL = Fraction(6)
Interval = tuple[int, int]


def _intervals(k: int) -> list[Interval]:
    return list(combinations(range(k + 1), 2))


def _contiguous_sets(pair: Any, *, prefixes: bool = False) -> str:
    """Whether intervals of the likelihood-ratio order suffice as high sets."""
    p, q = sorted_pair(pair)
    k = len(p)
    sets = [tuple(range(a, b)) for a, b in _intervals(k)]
    if prefixes:
        sets = [s for s in sets if 0 in s or k - 1 in s]
    for name, level in product(("chi2", "lecam", "cubic", "e-gamma:2"), LEVELS[1:3]):
        narrow = subset_program(name, level, p, q, sets)
        wide = subset_program(name, level, p, q)
        if narrow != wide:
            return f"{name}, E = {level}: {narrow} with these sets, {wide} with all"
    return ""


def _paths(weights: dict[Interval, int], k: int) -> list[tuple[int, list[Interval]]] | None:
    """Integer weights on partitions into intervals that add up to the weights, or None.

    Intervals [a, b) are arcs from a to b. Where every point is covered equally, as much weight ends
    at a place as starts there: a flow from 0 to k, which is a sum of paths.
    """
    left, found = dict(weights), []
    while any(left.values()):
        path, place = [], 0
        while place < k:
            arc = next((x for x in sorted(left) if x[0] == place and left[x]), None)
            if arc is None:
                return None
            path.append(arc)
            place = arc[1]
        amount = min(left[arc] for arc in path)
        for arc in path:
            left[arc] -= amount
        found.append((amount, path))
    return found


def _cover(weights: dict[Interval, int], k: int) -> set[int]:
    return {sum(w for (a, b), w in weights.items() if a <= x < b) for x in range(k)}


def _is_mixture(instance: Sequence[int], k: int, *, whole_only: bool = False) -> str:
    """Whether a contiguous staircase channel is the convex combination of SPR that is produced."""
    weights = dict(zip(_intervals(k), instance, strict=True))
    cover = _cover(weights, k)
    if len(cover) != 1 or cover == {0}:
        return ""
    paths = _paths(weights, k)
    if paths is None:
        return "the weights are no sum of partitions"
    if whole_only and len(paths) > 1:
        return f"{len(paths)} partitions are needed"
    c, total = _LEVEL - 1, sum(weights.values()) + (_LEVEL - 1) * cover.pop()
    # In the channel each column with high set S has least entry w_S / total; SPR with s blocks has
    # least entry 1/(c + s), so a path of amount t has the share t (c + s)/total.
    shares = [amount * (c + len(path)) / total for amount, path in paths]
    for arc, weight in weights.items():
        least = sum(
            (
                share / (c + len(path))
                for share, (_, path) in zip(shares, paths, strict=True)
                if arc in path
            ),
            Fraction(0),
        )
        if least != Fraction(weight) / total:
            return f"the combination has weight {least} on {arc}"
    return "" if sum(shares) == 1 else f"the shares add up to {sum(shares)}"


def _set_weights(k: int) -> Domain:
    return boxed(
        f"weights 0..{{size}} on the {2**k - 1} nonempty sets of {k} points",
        lambda size: tuple(range(size + 1) for _ in range(2**k - 1)),
    )


def _splits_into_partitions(instance: Sequence[int], most_points: int) -> str:
    """The same without contiguity: false for k = 3, where {01}, {12}, {02} cover equally."""
    k = len(instance).bit_length()
    if k > most_points:
        return ""
    weights = {s: w for s, w in zip(nonempty_subsets(k), instance, strict=True) if w}
    cover = {sum(w for s, w in weights.items() if x in s) for x in range(k)}
    if len(cover) != 1 or cover == {0}:
        return ""
    exact = [
        sets
        for n in range(1, k + 1)
        for sets in combinations(weights, n)
        if sorted(x for s in sets for x in s) == list(range(k))
    ]
    return "" if exact else "no partition is made of these sets"


def _merge_statements(slip: int = 0) -> tuple[Statement, ...]:
    """Merged outputs of s-ary SPR as a mixture of (s-1)-ary SPR and a constant channel."""
    c, s, p, q = sp.symbols("c s p q", positive=True)
    share = (c + s - 1 - slip) / (c + s)
    return (
        Identity(
            "the merged output",
            (1 + c * p) / (c + s) + (1 + c * q) / (c + s),
            share * (1 + c * (p + q)) / (c + s - 1) + 1 / (c + s),
            (s - 3,),
        ),
        Identity("another output", (1 + c * p) / (c + s), share * (1 + c * p) / (c + s - 1)),
        Identity("the shares", share + 1 / (c + s), sp.Integer(1)),
    )


@cache
def _private_program(
    k: int, n: int
) -> tuple[tuple[tuple[Fraction, ...], ...], tuple[Fraction, ...]]:
    """The equations of the E-private channels from k symbols to n outputs.

    Variables: least entries m_y, excesses s_xy, slacks t_xy; sum_y m_y + s_xy = 1 and
    s_xy + t_xy = c m_y.
    """
    c, width = _LEVEL - 1, n + 2 * k * n
    rows: list[tuple[Fraction, ...]] = []
    for x in range(k):
        excess = {n + x * n + y for y in range(n)}
        rows.append(tuple(Fraction(j < n or j in excess) for j in range(width)))
    for x, y in product(range(k), range(n)):
        row = [Fraction(0)] * width
        row[n + x * n + y], row[n + k * n + x * n + y], row[y] = Fraction(1), Fraction(1), -c
        rows.append(tuple(row))
    return tuple(rows), (Fraction(1),) * k + (Fraction(0),) * (k * n)


def _support(p: Sequence[Fraction], q: Sequence[Fraction], weights: Any) -> Fraction:
    """The support function of the joint range, by the program over ALL channels."""
    k, n = len(p), len(weights)
    rows, right = _private_program(k, n)
    gain = [[a * p[x] + b * q[x] for a, b in weights] for x in range(k)]
    least = [sum((gain[x][y] for x in range(k)), Fraction(0)) for y in range(n)]
    zeros = [Fraction(0)] * (k * n)
    objective = [*least, *(gain[x][y] for x in range(k) for y in range(n)), *zeros]
    return solve_linear_program(objective, rows, right).value


def _best_labelled(
    p: Sequence[Fraction], q: Sequence[Fraction], weights: Any, most_blocks: int
) -> Fraction:
    """The same over SPR with at most ``most_blocks`` blocks and any labels of the blocks."""
    n, c = len(weights), _LEVEL - 1
    values = []
    for cells in contiguous_partitions(len(p)):
        s = len(cells)
        if s > most_blocks:
            continue
        laws = [[(1 + c * sum(law[a:b])) / (c + s) for a, b in cells] for law in (p, q)]
        for labels in permutations(range(n), s):
            chosen = [weights[y] for y in labels]
            terms = zip(chosen, *laws, strict=True)
            values.append(sum((a * u + b * w for (a, b), u, w in terms), Fraction(0)))
    return max(values)


def _joint_range(instance: Any, *, fewer: int = 0) -> str:
    pair, weights = instance
    p, q = sorted_pair(pair)
    every = _support(p, q, weights)
    spr = _best_labelled(p, q, weights, len(weights) - fewer)
    return "" if every == spr else f"{every} over all channels, {spr} over SPR"


def _functionals(outputs: int, values: Iterable[int]) -> list[Any]:
    """Weights (a_y, b_y) of the outputs, up to the order of the outputs."""
    points = list(product(values, repeat=2))
    return [w for w in combinations_with_replacement(points, outputs) if len(set(w)) > 1]


def _joint_domain(k: int, outputs: int, values: Sequence[int]) -> Domain:
    return boxed(
        f"pairs on {k} symbols with denominators dividing {{size}}, up to symmetry, times "
        f"{len(_functionals(outputs, values))} functionals on {outputs} outputs",
        lambda size: (
            [pair for pair, _ in likelihood_pairs(k).orbits(size)],
            _functionals(outputs, values),
        ),
    )


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "testing.high-sets-contiguous",
        "the program over all high sets and the one over likelihood-ratio intervals agree",
        f"{_GHAZI}, proof step 1",
        "pairs on 4 symbols, four rational divergences, E = 2, 3",
        "intervals at the ends of the order suffice",
        (
            Exhaustive(
                likelihood_pairs(4),
                both_ways(_contiguous_sets),
                lambda pair: _contiguous_sets(pair, prefixes=True),
                size=4,
                batch=8,
            ),
        ),
    ),
    Claim(
        "testing.contiguous-staircase-is-mixture",
        "a contiguous staircase channel is a convex combination of SPR, which is produced",
        f"{_GHAZI}, proof step 2",
        "all integer weights on the intervals of 3 and 4 points, E = 6",
        "a single SPR suffices",
        (
            Exhaustive(
                interval_weights(3),
                lambda weights: _is_mixture(weights, 3),
                lambda weights: _is_mixture(weights, 3, whole_only=True),
                size=4,
                batch=1024,
            ),
            Exhaustive(
                interval_weights(4),
                lambda weights: _is_mixture(weights, 4),
                lambda weights: _is_mixture(weights, 4, whole_only=True),
                size=2,
                batch=4096,
            ),
        ),
    ),
    Claim(
        "testing.two-sets-cover",
        "without contiguity, sets of 2 points that cover equally contain a partition",
        f"{_GHAZI}, why proof step 1 comes first",
        "all weights 0..3 on the nonempty sets of 2 points",
        "the same for sets of 3 points",
        (
            Exhaustive(
                union(
                    "weights 0..{size} on the nonempty sets of 2 and of 3 points",
                    _set_weights(2),
                    _set_weights(3),
                ),
                lambda weights: _splits_into_partitions(weights, 2),
                lambda weights: _splits_into_partitions(weights, 3),
                size=3,
                batch=256,
            ),
        ),
    ),
    Claim(
        "testing.merged-spr",
        "merging outputs of s-ary SPR gives a mixture of (s-1)-ary SPR and a constant channel",
        f"{_GHAZI}, proof step 3",
        "every s, E and masses",
        "the same with the share (E + s - 3)/(E + s - 1) for the (s-1)-ary one",
        (Symbolic(_merge_statements, lambda: _merge_statements(1)),),
    ),
    Claim(
        "testing.joint-range",
        "the support function of R_l over all channels is that of SPR with at most l blocks",
        f"{_GHAZI}, output-limited optimum",
        "k = 3 with 2 and 3 outputs, k = 4 with 2, E = 6",
        "SPR with at most l - 1 blocks reaches it",
        (
            Exhaustive(
                _joint_domain(3, 2, (-1, 0, 2)),
                _joint_range,
                lambda instance: _joint_range(instance, fewer=1),
                size=4,
            ),
            Exhaustive(
                _joint_domain(3, 3, (0, 2, 3)),
                _joint_range,
                lambda instance: _joint_range(instance, fewer=1),
                size=3,
                batch=16,
            ),
            Exhaustive(
                _joint_domain(4, 2, (-1, 1)),
                _joint_range,
                lambda instance: _joint_range(instance, fewer=1),
                size=3,
                batch=16,
            ),
        ),
    ),
)
