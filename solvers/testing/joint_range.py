"""The joint range: all pairs (M0, M1) of output laws that private channels make of (P0, P1).

For at most L labelled outputs it is a polytope in 2 L coordinates. Its vertices are reached by
Sort-Partition-Randomize mechanisms with at most L blocks, each block with a label of its own.

Whether a given pair belongs to it is decided without that theorem, by a linear program over the
channels: with m_y the least entry of column y, Q(y|x) = m_y + s_xy, s_xy + r_xy = (E - 1) m_y and
all of m, s, r >= 0. A pair inside comes with the channel; a pair outside with a linear function and
the multipliers of the constraints that bound it over all channels by less than its value at the
pair. `check_membership` decides either proof by a few sums.

Reference: Ghazi 2026 (the extreme points); the proof of membership is linear programming duality.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations, pairwise, permutations

from solvers.linear_program import LinearAnswer, solve_linear_program
from solvers.output_law import output_law
from solvers.testing.alphabet import order_alphabet
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InputError, LimitError
from verify.kernel.ldp import largest_column_ratio
from verify.kernel.privacy_level import PrivacyLevel
from verify.kernel.verdict import Status

__all__ = [
    "Membership",
    "RangeVertex",
    "Separation",
    "check_membership",
    "joint_range_membership",
    "joint_range_vertices",
]

MAX_CANDIDATES = 3000
_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class RangeVertex:
    """A vertex of the joint range.

    Args:
        m0: its first law, on L labels.
        m1: its second law.
        blocks: the symbols that each label stands for; empty for a label never reported.
    """

    m0: tuple[Fraction, ...]
    m1: tuple[Fraction, ...]
    blocks: tuple[tuple[int, ...], ...]


@dataclass(frozen=True, slots=True)
class Separation:
    """A linear function g0.M0 + g1.M1 that no private channel brings above ``bound``.

    Args:
        g0: L coefficients.
        g1: L coefficients.
        bound: less than the value at the pair that is separated.
        row_prices: k multipliers of the rows of the channel.
        ratio_prices: k rows of L multipliers of s + r = (E - 1) m.
    """

    g0: tuple[Fraction, ...]
    g1: tuple[Fraction, ...]
    bound: Fraction
    row_prices: tuple[Fraction, ...]
    ratio_prices: tuple[tuple[Fraction, ...], ...]


@dataclass(frozen=True, slots=True)
class Membership:
    """Whether a pair is in the joint range, with the proof: exactly one of the two is given.

    Args:
        channel: a private channel with these output laws.
        separation: a linear function that keeps the pair out.
    """

    channel: Channel | None
    separation: Separation | None

    @property
    def is_inside(self) -> bool:
        """Whether the pair belongs to the joint range."""
        return self.channel is not None


def joint_range_vertices(
    p0: Distribution, p1: Distribution, exp_epsilon: Fraction, outputs: int
) -> tuple[RangeVertex, ...]:
    """The vertices of the joint range for ``outputs`` labels, *exact*, each once.

    Args:
        exp_epsilon: E >= 1.
        outputs: L >= 1, the number of labels.

    Raises:
        InputError: for E < 1, L < 1 or laws on different alphabets.
        LimitError: for more than ``MAX_CANDIDATES`` mechanisms.

    Cost: a linear program with 2 L + 1 rows for each mechanism with labels.
    """
    if exp_epsilon < 1 or outputs < 1 or len(p0) != len(p1):
        raise InputError("joint range: needs E >= 1, outputs >= 1 and laws on one alphabet")
    candidates: dict[tuple[Fraction, ...], RangeVertex] = {}
    for vertex in _labelled_mechanisms(p0, p1, exp_epsilon, outputs):
        candidates.setdefault((*vertex.m0, *vertex.m1), vertex)
        if len(candidates) > MAX_CANDIDATES:
            raise LimitError(f"joint range: over the limit of {MAX_CANDIDATES} mechanisms")
    points = list(candidates)
    extreme = [p for p in points if not _is_mixture(p, [q for q in points if q != p])]
    return tuple(candidates[point] for point in extreme)


def _labelled_mechanisms(
    p0: Distribution, p1: Distribution, exp_epsilon: Fraction, outputs: int
) -> Iterator[RangeVertex]:
    alphabet = order_alphabet(p0, p1)
    k, c = len(alphabet), exp_epsilon - 1
    first, second = alphabet.prefix_sums()
    for n_blocks in range(1, min(k, outputs) + 1):
        bottom = c + n_blocks
        for inner in combinations(range(1, k), n_blocks - 1):
            cuts = (0, *inner, k)
            blocks = alphabet.blocks(cuts)
            for labels in permutations(range(outputs), n_blocks):
                m0, m1 = [_ZERO] * outputs, [_ZERO] * outputs
                named: list[tuple[int, ...]] = [()] * outputs
                for label, block, (i, j) in zip(labels, blocks, pairwise(cuts), strict=True):
                    m0[label] = (1 + c * (first[j] - first[i])) / bottom
                    m1[label] = (1 + c * (second[j] - second[i])) / bottom
                    named[label] = block
                yield RangeVertex(tuple(m0), tuple(m1), tuple(named))


def _is_mixture(point: Sequence[Fraction], others: Sequence[Sequence[Fraction]]) -> bool:
    """Whether the point is a convex combination of the others."""
    if not others:
        return False
    rows = [list(coordinate) for coordinate in zip(*others, strict=True)]
    rows.append([_ONE] * len(others))
    solution = solve_linear_program([_ZERO] * len(others), rows, [*point, _ONE])
    return solution.answer is LinearAnswer.OPTIMAL


def joint_range_membership(
    p0: Distribution,
    p1: Distribution,
    exp_epsilon: Fraction,
    m0: Distribution,
    m1: Distribution,
) -> Membership:
    """Whether some log(exp_epsilon)-LDP channel turns (P0, P1) into (M0, M1), with a proof.

    Args:
        exp_epsilon: E >= 1.
        m0: the first output law, on L labels.
        m1: the second.

    Raises:
        InputError: for E < 1 or laws whose alphabets do not fit.
    """
    if exp_epsilon < 1 or len(p0) != len(p1) or len(m0) != len(m1):
        raise InputError("joint range: needs E >= 1 and pairs of laws on one alphabet each")
    k, n, c = len(p0), len(m0), exp_epsilon - 1
    width = n + 2 * k * n  # m, then s, then r, the last two row by row
    rows: list[list[Fraction]] = []
    for x in range(k):
        for y in range(n):
            row = [_ZERO] * width
            row[y], row[n + x * n + y], row[n + (k + x) * n + y] = -c, _ONE, _ONE
            rows.append(row)
    rows += [_channel_row({x: _ONE}, range(n), k, n) for x in range(k)]
    for law in (p0, p1):
        weights = dict(enumerate(law.masses))
        rows += [_channel_row(weights, [y], k, n) for y in range(n)]
    right = [_ZERO] * (k * n) + [_ONE] * k + [*m0.masses, *m1.masses]
    solution = solve_linear_program([_ZERO] * width, rows, right)
    if solution.answer is LinearAnswer.OPTIMAL:
        found = solution.x
        entries = [tuple(found[y] + found[n + x * n + y] for y in range(n)) for x in range(k)]
        return Membership(Channel(tuple(entries)), None)
    return Membership(None, _separation([-price for price in solution.prices], k, n))


def _channel_row(
    weights: dict[int, Fraction], labels: Sequence[int], k: int, n: int
) -> list[Fraction]:
    """The coefficients of sum over x and y of weights[x] Q(y|x), Q = m + s."""
    row = [_ZERO] * (n + 2 * k * n)
    for x, weight in weights.items():
        for y in labels:
            row[y] += weight
            row[n + x * n + y] += weight
    return row


def _separation(prices: Sequence[Fraction], k: int, n: int) -> Separation:
    ratio = tuple(tuple(prices[x * n : (x + 1) * n]) for x in range(k))
    rest = prices[k * n :]
    row_prices = tuple(rest[:k])
    g0, g1 = tuple(rest[k : k + n]), tuple(rest[k + n :])
    return Separation(g0, g1, -sum(row_prices, _ZERO), row_prices, ratio)


def check_membership(
    membership: Membership,
    p0: Distribution,
    p1: Distribution,
    exp_epsilon: Fraction,
    m0: Distribution,
    m1: Distribution,
) -> bool:
    """Whether the proof holds, by direct sums.

    A channel must be private and have the two output laws. For a separation, every channel has
    g0.M0 + g1.M1 + sum of row prices = sum over columns of m_y (...) + s_xy (...) + r_xy (...),
    whose coefficients must all be <= 0.
    """
    channel, wall = membership.channel, membership.separation
    if channel is not None:
        laws = output_law(channel, p0).masses, output_law(channel, p1).masses
        allowed = PrivacyLevel(exp_epsilon=exp_epsilon).allows(
            largest_column_ratio(channel).exp_epsilon
        )
        return allowed is Status.ACCEPTED and laws == (m0.masses, m1.masses)
    if wall is None:
        return False
    c, k, n = exp_epsilon - 1, len(p0), len(m0)
    for y in range(n):
        gain = [
            wall.row_prices[x] + wall.g0[y] * p0.masses[x] + wall.g1[y] * p1.masses[x]
            for x in range(k)
        ]
        prices = [wall.ratio_prices[x][y] for x in range(k)]
        if sum(gain, _ZERO) - c * sum(prices, _ZERO) > 0:
            return False
        if any(price > 0 or price + g > 0 for price, g in zip(prices, gain, strict=True)):
            return False
    value = sum((g * m for g, m in zip(wall.g0, m0.masses, strict=True)), _ZERO)
    value += sum((g * m for g, m in zip(wall.g1, m1.masses, strict=True)), _ZERO)
    return value > wall.bound and wall.bound == -sum(wall.row_prices, _ZERO)
