"""Optimal private testing, proved without the theorem that found it: weak duality over all sets.

A channel is E-LDP when any two entries of a column differ at most by the factor E; c = E - 1. The
pair (P0, P1) on k symbols passes through a channel Q to (M0, M1), and D_f(M0||M1) is to be large.
h is the perspective of f; p_x = (P0(x), P1(x)); mu(S) = h(1 + c P0(S), 1 + c P1(S)) for a set S.

**Bound.** Let numbers l_x and t >= 0 satisfy L + c l(S) + t >= mu(S) for EVERY set S, with
L = sum l_x. A column q with least entry m is m plus a mixture of indicators of its level sets:
q = sum_i w_i (1 + c 1[S_i]) + r with sum_i w_i = (max q - m)/c and r = m - sum_i w_i >= 0. As h is
sublinear and h(1, 1) = 0, D_f <= sum w mu(S) over all columns. Rows sum to 1, so with W = sum w and
R = sum r: sum w (L + c l(S)) = L (1 - R). Hence D_f <= L (1 - R) + t W.
- t = 0: D_f <= L (1 - R) <= L, as L >= 0.
- at most n columns: c (sum of w in column j) = max_x (q_j(x) - m_j), which is at most the sum of
  q(x) - m over all columns, 1 - W - R. Added up over n columns, (c + n) W + n R <= n. Hence
  D_f <= (L + t n/(c + n)) (1 - R) <= L + t n/(c + n), as that is >= 0.
- E = 1: columns are constant and D_f = 0.

**All sets in polynomial time.** mu(S) = g.(1, 1) + c sum over S of g.p_x for the right subgradient
g of h at the ratio t* of S, which lies in [1/E, E]. So mu(S) - L - c l(S) is at most the same with
S replaced by A(t*) = {x : g_t*.p_x > l_x}, which is at most mu(A) - L - c l(A). Only the sets A(t),
1/E <= t <= E, need a check, each with or without symbols where the two sides are equal. As a
function of t, g_t.p_x rises up to the ratio P0(x)/P1(x) and falls after it. So between two
neighbouring separators x is taken in if g_t.p_x >= l_x at both ends, and out if g_t.p_x <= l_x at
an end and the function falls from there; otherwise x is ambiguous and both choices are checked.
Every A(t) is thus among the sets checked, whatever the separators are: bad ones can only make a
true claim fail. A corner of f is a separator with both its subgradients.

Symbols with no mass are dropped, and symbols with equal ratio P0/P1 are merged, their l added:
both leave the attainable pairs (M0, M1) unchanged (a mixture of the rows of merged symbols does
what they did together, and is E-LDP with the same number of outputs).

**Knots.** A long alphabet may be replaced by a few knots, rising shares s = P0/(P0 + P1) from 0 to
1: the mass (a, b) of a symbol between two knots is split into alpha (s, 1 - s) at the lower and
beta (s', 1 - s') at the upper one, alpha, beta >= 0. The pair (P0, P1) comes from the new pair by a
channel (a knot turns into the symbols that gave it mass, in proportion), so every pair (M0, M1)
attainable before is attainable from the knots, at the same E and number of outputs: a bound for
the knots holds for the symbols.

Reference: the linear program over sets is Kairouz, Oh, Viswanath 2016; the sweep and the row for
few outputs are proved above.
"""

from bisect import bisect_left
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import accumulate, chain, pairwise

from verify.kernel.channel import MAX_CELLS, Channel
from verify.kernel.distribution import Distribution, common_denominator, over_common_denominator
from verify.kernel.divergence import Divergence, Gradient, enclose_divergence
from verify.kernel.errors import InputError, LimitError
from verify.kernel.exact import Infinity
from verify.kernel.interval import Interval
from verify.kernel.ldp import check_ldp
from verify.kernel.verdict import Verdict, accepted, rejected, undecided

__all__ = [
    "DualWitness",
    "TestingProblem",
    "Triple",
    "candidate_sets",
    "check_lower_bound",
    "check_upper_bound",
    "dual_symbols",
    "merged_problem",
    "randomized_block_response",
]

MAX_AMBIGUOUS = 12
"""Most symbols of undecided membership between two separators."""
MAX_WORK = 1 << 25
"""Most bits that one check evaluates: sets, symbols or separators times the length of a number."""

Triple = tuple[Fraction, Fraction, Fraction]
"""P0, P1 and the multiplier of a symbol or of a set."""
_NOTHING: Triple = (Fraction(0), Fraction(0), Fraction(0))


@dataclass(frozen=True, slots=True)
class TestingProblem:
    """Tell P0 from P1, both on k symbols, through a private channel.

    Args:
        p0: the law of the input under the first hypothesis.
        p1: the law under the second.
        divergence: D_f, to be made large between the two laws of the output.
        outputs: the largest number of outputs of the channel, or None for any number.

    Raises:
        InputError: if the alphabets differ in size or outputs < 1.
    """

    p0: Distribution
    p1: Distribution
    divergence: Divergence
    outputs: int | None = None

    def __post_init__(self) -> None:
        """Refuse two alphabets or a channel without outputs."""
        if len(self.p0) != len(self.p1):
            raise InputError(f"p0 has {len(self.p0)} symbols, p1 has {len(self.p1)}")
        if self.outputs is not None and self.outputs < 1:
            raise InputError(f"outputs: {self.outputs} is less than 1")


@dataclass(frozen=True, slots=True)
class DualWitness:
    """The numbers that prove an upper bound.

    Args:
        multipliers: l_x, one for each of the k symbols (knots, if there are any); 0 for one with
            no mass.
        output_multiplier: t >= 0; 0 when the number of outputs is not limited.
        separators: strictly increasing rationals, hints only.
        knots: none, or strictly increasing shares P0/(P0 + P1) from 0 to 1.
    """

    multipliers: tuple[Fraction, ...]
    output_multiplier: Fraction = Fraction(0)
    separators: tuple[Fraction, ...] = ()
    knots: tuple[Fraction, ...] = ()


def randomized_block_response(
    blocks: Sequence[Sequence[int]], alphabet_size: int, exp_epsilon: Fraction
) -> Channel:
    """The channel that reports the block of the input by s-ary randomized response.

    Args:
        blocks: s lists of symbols that together hold each of 0..alphabet_size-1 once.
        exp_epsilon: E, the likelihood of the true block against any other.

    Raises:
        InputError: if the blocks are not a partition into nonempty parts.
        LimitError: if the channel has more than ``MAX_CELLS`` entries.
    """
    if alphabet_size * len(blocks) > MAX_CELLS:
        raise LimitError(f"blocks: give a channel over the limit of {MAX_CELLS} entries")
    place = _places(blocks, alphabet_size)
    other = 1 / (exp_epsilon + len(blocks) - 1)
    rows = [[other] * len(blocks) for _ in range(alphabet_size)]
    for symbol, j in place.items():
        rows[symbol][j] = exp_epsilon * other
    return Channel(tuple(map(tuple, rows)))


def _places(blocks: Sequence[Sequence[int]], alphabet_size: int) -> dict[int, int]:
    place = {symbol: j for j, block in enumerate(blocks) for symbol in block}
    n_listed = sum(map(len, blocks))
    if not all(blocks) or n_listed != alphabet_size or set(place) != set(range(alphabet_size)):
        raise InputError(f"blocks: are not a partition of the symbols 0..{alphabet_size - 1}")
    return place


def merged_problem(problem: TestingProblem, blocks: Sequence[Sequence[int]]) -> TestingProblem:
    """The problem of a party that learns the block of its symbol and no more.

    A private channel for it, after the block, is one for ``problem`` with the same output laws.

    Raises:
        InputError: if the blocks are not a partition of the symbols into nonempty parts.
    """
    _places(blocks, len(problem.p0))
    laws = []
    for law in (problem.p0, problem.p1):
        parts, common = over_common_denominator(law.masses, law.name)
        sums = (Fraction(sum(parts[x] for x in block), common) for block in blocks)
        laws.append(Distribution(tuple(sums)))
    return TestingProblem(laws[0], laws[1], problem.divergence, problem.outputs)


def check_lower_bound(
    problem: TestingProblem, exp_epsilon: Fraction, channel: Channel, lower: Fraction, bits: int
) -> Verdict:
    """Whether the channel is log(exp_epsilon)-LDP, fits the problem and reaches ``lower``."""
    private = check_ldp(channel, exp_epsilon)
    if not private.is_accepted:
        return private
    if problem.outputs is not None and channel.n_outputs > problem.outputs:
        return rejected(f"the mechanism has {channel.n_outputs} outputs")
    laws = channel.output_law(problem.p0), channel.output_law(problem.p1)
    value = enclose_divergence(problem.divergence, *laws, bits=bits)
    if isinstance(value, Infinity) or value.lower >= lower:
        return accepted("the mechanism reaches the lower bound", value=value)
    if value.upper < lower:
        return rejected("the mechanism does not reach the lower bound", value=value)
    return undecided(f"the value of the mechanism is not separated from lower at {bits} bits")


def check_upper_bound(
    problem: TestingProblem, exp_epsilon: Fraction, witness: DualWitness, upper: Fraction, bits: int
) -> Verdict:
    """Whether the witness proves that no log(exp_epsilon)-LDP channel exceeds ``upper``.

    Raises:
        LimitError: if k symbols and n separators of that length are over ``MAX_WORK``.

    Cost: O((k + n) log n) rational operations and O(k + n) enclosures for n separators.
    """
    t, outputs, divergence = witness.output_multiplier, problem.outputs, problem.divergence
    if t < 0 or (outputs is None and t):
        return rejected("the output multiplier must be >= 0, and 0 without a limit on outputs")
    knots = witness.knots
    if knots and (knots[0] or knots[-1] != 1 or any(s >= u for s, u in pairwise(knots))):
        return rejected("the knots do not rise from 0 to 1")
    symbols = dual_symbols(problem, witness)
    if any(lam for a, b, lam in symbols if not a + b):
        return rejected("a symbol with no mass has a multiplier other than 0")
    sets = candidate_sets(divergence, exp_epsilon, symbols, witness.separators, bits)
    if sets is None:
        return rejected("the separators are too coarse: too many symbols are undecided between two")
    total = sum(witness.multipliers, Fraction(0))
    c = exp_epsilon - 1
    bound = total if outputs is None else total + t * outputs / (c + outputs)
    claimed: Interval | Infinity = Interval.exactly(bound)
    if bound >= 0 and divergence.reported:
        claimed = divergence.reported(Interval.exactly(bound), bits)
    if bound < 0 or isinstance(claimed, Infinity) or claimed.lower > upper:
        return rejected("the multipliers do not add up to the claimed upper bound", bound=bound)
    for a, b, lam in sets:
        mu = divergence.perspective(1 + c * a, 1 + c * b, bits)
        slack = total + c * lam + t
        if isinstance(mu, Infinity) or slack < mu.lower:
            return rejected("a set violates its constraint", masses=(a, b))
        if slack < mu.upper:
            return undecided(f"the constraint of a set is not decided at {bits} bits")
    if claimed.upper > upper:
        return undecided(f"the bound is not separated from upper at {bits} bits")
    return accepted("every set of symbols satisfies its constraint", bound=bound)


def dual_symbols(problem: TestingProblem, witness: DualWitness) -> list[Triple]:
    """(P0, P1, l) of the symbols of equal ratio P0/P1 added up, or of the knots if there are any.

    Raises:
        LimitError: if the numbers to be added are over ``MAX_WORK``.
    """
    pairs = list(zip(problem.p0.masses, problem.p1.masses, strict=True))
    numbers = chain(*pairs, () if witness.knots else witness.multipliers)
    length = common_denominator(numbers, "p0, p1, multipliers").bit_length()
    if len(pairs) * length > MAX_WORK:
        raise LimitError(f"p0, p1: the check is over the limit of {MAX_WORK} bits")
    shares = [a / (a + b) if a + b else Fraction(-1) for a, b in pairs]
    if witness.knots:
        return _spread(pairs, shares, witness.knots, witness.multipliers)
    merged: dict[Fraction, Triple] = {}
    for share, (a, b), lam in zip(shares, pairs, witness.multipliers, strict=True):
        merged[share] = _plus(merged.get(share, _NOTHING), (a, b, lam))
    return list(merged.values())


def _spread(
    pairs: Sequence[tuple[Fraction, Fraction]],
    shares: Sequence[Fraction],
    knots: Sequence[Fraction],
    multipliers: Sequence[Fraction],
) -> list[Triple]:
    """The knots with the masses of all symbols split between the two next to them."""
    zero = Fraction(0)
    between = [_NOTHING] * len(knots)
    for share, (a, b) in zip(shares, pairs, strict=True):
        i = bisect_left(knots, share, 1)  # knots[i - 1] < share <= knots[i], or share = 0, i = 1
        between[i] = _plus(between[i], (a, b, zero))
    symbols = [(zero, zero, lam) for lam in multipliers]
    for i, (low, high) in enumerate(pairwise(knots)):
        a, b, _ = between[i + 1]
        upper = (a - low * (a + b)) / (high - low)
        lower = a + b - upper
        symbols[i] = _plus(symbols[i], (low * lower, (1 - low) * lower, zero))
        symbols[i + 1] = _plus(symbols[i + 1], (high * upper, (1 - high) * upper, zero))
    return symbols


def _plus(first: Triple, second: Triple) -> Triple:
    return (first[0] + second[0], first[1] + second[1], first[2] + second[2])


def _points(
    divergence: Divergence, exp_epsilon: Fraction, separators: Sequence[Fraction], bits: int
) -> list[tuple[Fraction, Gradient]]:
    """The separators and corners from 1/E to E with their subgradients.

    A corner has two entries in a row, the left subgradient and the right one, and the right one
    twice when it is the last.
    """
    first, last, kinks = 1 / exp_epsilon, exp_epsilon, set(divergence.kinks)
    inside = {t for t in {*separators, *kinks} if first < t < last}
    points = []
    for t in (first, *sorted(inside), last):
        if t in kinks and t > first and divergence.left_gradient:
            points.append((t, divergence.left_gradient(t, bits)))
        points.append((t, divergence.gradient(t, bits)))
    if last in kinks:
        points.append(points[-1])
    return points


def _still_cells(points: Sequence[tuple[Fraction, Gradient]]) -> set[int]:
    """Cells i such that A(t) is the same set from point i up to point i + 1, the latter left out.

    Nothing lies between the two sides of a corner: the A(t) of the right one is that of the cell
    after it, so the last cell is no such cell. Where f is linear, g_t stays the same; both
    its entries are monotone in t, so equal ends show that.
    """
    last = len(points) - 2
    return {
        i
        for i, ((t, before), (u, after)) in enumerate(pairwise(points))
        if (t == u and i < last) or (before == after and all(g.is_exact for g in before))
    }


def _minus(first: Triple, second: Triple) -> Triple:
    return (first[0] - second[0], first[1] - second[1], first[2] - second[2])


def _first(low: int, high: int, holds: Callable[[int], bool]) -> int:
    """An index i with i = high or holds(i) seen true, and i = low or holds(i - 1) seen false."""
    while low < high:
        middle = (low + high) // 2
        if holds(middle):
            high = middle
        else:
            low = middle + 1
    return high


def _cells(
    symbol: Triple, points: Sequence[tuple[Fraction, Gradient]]
) -> tuple[int, int, int, int]:
    """Cells (p, q, r, s): the symbol may be active for p <= i < s and surely is for q <= i < r.

    Cell i lies between the points i and i + 1; active means g_t.p_x > l_x. Up to point ``peak`` the
    left side rises with t, from there on it falls, so the two answers that ``_first`` has seen at a
    border hold for all points beyond it; nothing is assumed of points it did not look at.
    """
    a, b, lam = symbol
    n = len(points)

    def not_negative(i: int) -> bool:
        g0, g1 = points[i][1]
        return g0.lower * a + g1.lower * b >= lam

    def not_positive(i: int) -> bool:
        g0, g1 = points[i][1]
        return g0.upper * a + g1.upper * b <= lam

    peak = _first(0, n, lambda i: points[i][0] * b > a)
    start = _first(0, peak, lambda i: not not_positive(i))  # <= 0 up to point start - 1
    active = _first(start, peak, not_negative)  # >= 0 from point active to peak - 1
    end = _first(peak, n, not_positive)  # <= 0 from point end on
    passive = _first(peak, end, lambda i: not not_negative(i))  # >= 0 from peak to passive - 1
    first, last = max(start - 1, 0), min(end, n - 1)
    sure = min(active, last)
    return first, sure, max(passive - 1, sure), last


def candidate_sets(
    divergence: Divergence,
    exp_epsilon: Fraction,
    symbols: Sequence[Triple],
    separators: Sequence[Fraction],
    bits: int,
) -> set[Triple] | None:
    """(P0(S), P1(S), l(S)) for a family of sets S that holds every A(t), 1/E <= t <= E.

    Args:
        divergence: D_f.
        exp_epsilon: E.
        symbols: from ``dual_symbols``; those with no mass count for nothing.
        separators: hints.
        bits: the precision.

    Returns:
        None if the separators leave more than ``MAX_AMBIGUOUS`` symbols undecided between two, or
        sets to check over ``MAX_WORK``.

    Raises:
        LimitError: if the symbols and separators are over ``MAX_WORK``.
    """
    numbers = (exp_epsilon, *(number for symbol in symbols for number in symbol))
    length = bits + common_denominator(numbers, "p0, p1, multipliers").bit_length()
    most = MAX_WORK // length
    if len(symbols) + len(separators) > most:
        raise LimitError(f"separators: the check is over the limit of {MAX_WORK} bits")
    points = _points(divergence, exp_epsilon, separators, bits)
    n_cells, n_ambiguous = len(points) - 1, 0
    still = _still_cells(points)
    steps = [_NOTHING] * (n_cells + 1)
    ambiguous: list[list[Triple]] = [[] for _ in range(n_cells)]
    for symbol in symbols:
        if not symbol[0] + symbol[1]:
            continue
        first, sure, unsure, last = _cells(symbol, points)
        unclear = [i for i in (*range(first, sure), *range(unsure, last)) if i not in still]
        n_ambiguous += len(unclear)
        if n_ambiguous > MAX_AMBIGUOUS * n_cells:
            return None
        for i in unclear:
            ambiguous[i].append(symbol)
        steps[sure] = _plus(steps[sure], symbol)
        steps[unsure] = _minus(steps[unsure], symbol)
    if max(map(len, ambiguous)) > MAX_AMBIGUOUS or sum(1 << len(a) for a in ambiguous) > most:
        return None
    family: set[Triple] = set()
    for certain, extras in zip(accumulate(steps, _plus), ambiguous, strict=False):
        sums = [certain]
        for extra in extras:
            sums += [_plus(partial, extra) for partial in sums]
        family.update(sums)
    return family
