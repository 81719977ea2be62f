"""Hypothesis strategies for exact property tests of private mechanisms; for your own tests too.

Everything drawn is exact and valid: `Distribution`, `Channel` and `BlockDesign` of the kernel, with
rational entries, and shrinks towards few symbols, small denominators and equal masses. A property
test of a home-made mechanism takes ten lines; when it fails, Hypothesis prints a smallest instance,
and the kernel names the output and the two inputs that break the promise::

    from hypothesis import given
    from verify import strategies as st
    from verify.audit import audit_sampler

    def my_subset_selection(x, rng, k=4):          # the code under test, E = 3
        if rng.bernoulli("1/2"):
            return x
        return rng.randbelow(k)                    # a slip: the truth may be drawn again

    def test_subset_selection_is_private():
        audit_sampler(my_subset_selection, inputs=range(4), exp_epsilon=3).require_private()

The failing call says: output 0 is 5 times likelier from input 0 than from 1; proved, E = 3.
With drawn instances, in the same spirit::

    @given(st.private_channels(exp_epsilon=3))
    def test_my_post_processing_keeps_privacy(channel):
        assert certify_channel(my_post_processing(channel), 3).verdict.is_accepted
"""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations

from hypothesis import strategies as st
from hypothesis.strategies import DrawFn, SearchStrategy

from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.exact import as_rational
from verify.kernel.incidence import BlockDesign, bitset

__all__ = [
    "ThresholdingInstance",
    "ThresholdingRound",
    "block_designs",
    "channels",
    "distribution_pairs",
    "distributions",
    "exp_epsilons",
    "private_channels",
    "rationals",
    "staircase_channels",
    "thresholding_instances",
]

_DIFFERENCE_SETS = {
    3: (0,),
    7: (1, 2, 4),
    11: (1, 3, 4, 5, 9),
    13: (0, 1, 3, 9),
    15: (0, 1, 2, 4, 5, 8, 10),
    21: (0, 1, 4, 14, 16),
    31: (1, 5, 11, 24, 25, 27),
}
"""Cyclic difference sets by order: Singer and Paley; their translates are symmetric designs."""


def rationals(
    lowest: object = 0, highest: object = 1, *, max_denominator: int = 100
) -> SearchStrategy[Fraction]:
    """Rationals in [lowest, highest], the ends included often.

    Args:
        lowest: an exact number.
        highest: an exact number.
        max_denominator: of the rationals between the ends, unless an end has a larger one.
    """
    low, high = as_rational(lowest, "lowest"), as_rational(highest, "highest")
    finest = max(max_denominator, low.denominator, high.denominator)
    inside = st.fractions(low, high, max_denominator=finest)
    return st.one_of(inside, st.sampled_from((low, high)))


def exp_epsilons(*, largest: object = 20) -> SearchStrategy[Fraction]:
    """E = e^epsilon, rational, from 1 on; now and then very near 1 or very large."""
    ordinary = rationals(1, largest)
    near_one = st.integers(1, 60).map(lambda n: 1 + Fraction(1, 2**n))
    large = st.integers(1, 200).map(lambda n: Fraction(2) ** n)
    return st.one_of(ordinary, ordinary, near_one, large)


@st.composite
def _masses(draw: DrawFn, size: int, max_denominator: int, *, extreme: bool) -> Distribution:
    weight = st.integers(0, max(1, max_denominator // max(1, size)))
    kinds = [weight, st.just(0), st.just(1)]
    if extreme:
        kinds.append(st.integers(0, 200).map(lambda n: 2**n))
    weights = draw(st.lists(st.one_of(kinds), min_size=size, max_size=size))
    if not any(weights):
        weights[draw(st.integers(0, size - 1))] = 1
    total = sum(weights)
    return Distribution(tuple(Fraction(w, total) for w in weights))


def distributions(
    min_symbols: int = 1,
    max_symbols: int = 8,
    *,
    max_denominator: int = 100,
    extreme: bool = True,
) -> SearchStrategy[Distribution]:
    """Distributions with zeros, ties and, if ``extreme``, masses as small as 2^-200."""
    sizes = st.integers(min_symbols, max_symbols)
    return sizes.flatmap(lambda k: _masses(k, max_denominator, extreme=extreme))


@st.composite
def distribution_pairs(
    draw: DrawFn,
    min_symbols: int = 2,
    max_symbols: int = 8,
    *,
    max_denominator: int = 100,
    extreme: bool = False,
) -> tuple[Distribution, Distribution]:
    """Two distributions on one alphabet: unrelated, equal, or with some equal likelihood ratios."""
    k = draw(st.integers(min_symbols, max_symbols))
    first = draw(_masses(k, max_denominator, extreme=extreme))
    kind = draw(st.sampled_from(("unrelated", "unrelated", "tied", "equal")))
    if kind == "equal":
        return first, first
    if kind == "unrelated":
        return first, draw(_masses(k, max_denominator, extreme=extreme))
    factors = draw(st.lists(st.sampled_from((1, 2, 3)), min_size=k, max_size=k))
    weights = [mass * factor for mass, factor in zip(first.masses, factors, strict=True)]
    return first, Distribution(tuple(w / sum(weights) for w in weights))


@st.composite
def channels(
    draw: DrawFn,
    min_inputs: int = 1,
    max_inputs: int = 5,
    min_outputs: int = 1,
    max_outputs: int = 5,
    *,
    max_denominator: int = 60,
    extreme: bool = False,
) -> Channel:
    """Any channels: with zeros, equal rows, unused outputs, deterministic ones."""
    n = draw(st.integers(min_inputs, max_inputs))
    m = draw(st.integers(min_outputs, max_outputs))
    row = _masses(m, max_denominator, extreme=extreme)
    rows = [draw(row) for _ in range(n)]
    if draw(st.booleans()):
        rows[-1] = rows[0]
    return Channel(tuple(r.masses for r in rows))


def _cover_of_subset(n: int, members: Sequence[int], kind: str) -> list[tuple[int, ...]]:
    """High sets that cover every input equally, made from one subset."""
    chosen = tuple(sorted(members))
    if kind == "complement":
        rest = tuple(x for x in range(n) if x not in chosen)
        return [part for part in (chosen, rest) if part]
    if kind == "uniform":
        return list(combinations(range(n), len(chosen)))
    return [tuple(sorted((x + shift) % n for x in chosen)) for shift in range(n)]


@st.composite
def _covers(draw: DrawFn, n: int) -> list[tuple[int, ...]]:
    """Subsets of the inputs that cover every input equally often."""
    kind = draw(st.sampled_from(("partition", "complement", "cyclic", "uniform", "constant")))
    if kind == "constant":
        return [tuple(range(n))]
    if kind == "partition":
        labels = draw(st.lists(st.integers(0, n - 1), min_size=n, max_size=n))
        parts = {label: [x for x in range(n) if labels[x] == label] for label in labels}
        return [tuple(part) for part in parts.values()]
    subset = st.sets(st.integers(0, n - 1), min_size=1, max_size=n)
    return _cover_of_subset(n, sorted(draw(subset)), kind)


@st.composite
def staircase_channels(
    draw: DrawFn, exp_epsilon: object = 3, min_inputs: int = 2, max_inputs: int = 5
) -> Channel:
    """Channels whose every column has two values of ratio exactly E, or is constant.

    The high sets come from covers of the inputs - partitions (randomized response over blocks),
    a set and its complement (binary), all sets of one size (subset selection), cyclic shifts
    (block designs), everything (a constant) - or from a sum of two of these.
    """
    level = as_rational(exp_epsilon, "exp_epsilon")
    n = draw(st.integers(min_inputs, max_inputs))
    columns: list[tuple[int, tuple[int, ...]]] = []
    for cover in draw(st.lists(_covers(n), min_size=1, max_size=2)):
        weight = draw(st.integers(1, 5))
        columns += [(weight, high) for high in cover]
    total = sum(weight * (level if 0 in high else 1) for weight, high in columns)
    rows = [
        [weight * (level if x in high else 1) / Fraction(total) for weight, high in columns]
        for x in range(n)
    ]
    return Channel(rows)


@st.composite
def private_channels(
    draw: DrawFn, exp_epsilon: object = 3, min_inputs: int = 2, max_inputs: int = 5
) -> Channel:
    """log(E)-private channels of every extreme type, and what is made of them.

    Staircase channels as they are, their outputs passed through any channel, and mixtures with a
    constant; the largest column ratio is at most E and often exactly E.
    """
    level = as_rational(exp_epsilon, "exp_epsilon")
    channel = draw(staircase_channels(level, min_inputs, max_inputs))
    kind = draw(st.sampled_from(("extreme", "processed", "mixed")))
    if kind == "processed":
        m = channel.n_outputs
        after = [draw(_masses(draw(st.just(3)), 12, extreme=False)).masses for _ in range(m)]
        return Channel(
            [sum((q * after[y][z] for y, q in enumerate(row)), Fraction(0)) for z in range(3)]
            for row in channel.rows
        )
    if kind == "mixed":
        share = draw(rationals(0, 1, max_denominator=20))
        law = draw(_masses(channel.n_outputs, 30, extreme=False)).masses
        return Channel(
            [share * q + (1 - share) * r for q, r in zip(row, law, strict=True)]
            for row in channel.rows
        )
    return channel


@st.composite
def block_designs(draw: DrawFn) -> tuple[BlockDesign, int, int]:
    """2-designs (design, k, lambda) with 2 <= k < v: cyclic symmetric ones, complete ones, more.

    Points and blocks are shuffled; the design may be complemented or its blocks repeated.
    """
    if draw(st.booleans()):
        v = draw(st.sampled_from(sorted(set(_DIFFERENCE_SETS) - {3})))
        base = _DIFFERENCE_SETS[v]
        blocks = [tuple((x + shift) % v for x in base) for shift in range(v)]
    else:
        v = draw(st.integers(3, 6))
        blocks = list(combinations(range(v), draw(st.integers(2, v - 1))))
    k = len(blocks[0])
    if draw(st.booleans()) and v - k >= 2:
        blocks = [tuple(x for x in range(v) if x not in block) for block in blocks]
        k = v - k
    blocks = draw(st.permutations(blocks)) * draw(st.integers(1, 2))
    names = draw(st.permutations(range(v)))
    bitsets = (bitset([names[x] for x in block], v) for block in blocks)
    design = BlockDesign(v, tuple(bitsets))
    return design, k, len(blocks) * k * (k - 1) // (v * (v - 1))


@dataclass(frozen=True, slots=True)
class ThresholdingRound:
    """One round of a thresholding mechanism with its answers on two neighbouring data sets.

    Args:
        exp_epsilon: e^(epsilon_t) of the black box.
        delta: its delta_t.
        p_star: the threshold.
        p: the probability of +1 on one data set.
        q: on the neighbour; (p, 1-p) and (q, 1-q) are (epsilon_t, delta_t)-indistinguishable.
    """

    exp_epsilon: Fraction
    delta: Fraction
    p_star: Fraction
    p: Fraction
    q: Fraction


@dataclass(frozen=True, slots=True)
class ThresholdingInstance:
    """Parameters of the generalised thresholding mechanism and neighbouring sequences.

    Args:
        epsilon: in nats.
        theta: > 0, the share of the shared noise.
        gamma: in (1, 2].
        beta: the failure probability.
        rounds: one or more.
    """

    epsilon: Fraction
    theta: Fraction
    gamma: Fraction
    beta: Fraction
    rounds: tuple[ThresholdingRound, ...]


def neighbour_bounds(p: Fraction, level: Fraction, delta: Fraction) -> tuple[Fraction, Fraction]:
    """The least and greatest q that an (epsilon, delta)-private box may have where p is given."""
    lowest = max((p - delta) / level, 1 - level * (1 - p) - delta, Fraction(0))
    highest = min(level * p + delta, 1 - (1 - p - delta) / level, Fraction(1))
    return lowest, highest


@st.composite
def _rounds(draw: DrawFn, pure: bool) -> ThresholdingRound:
    level = draw(rationals(Fraction(21, 20), 2, max_denominator=20))
    delta = Fraction(0) if pure else draw(rationals(0, Fraction(1, 10), max_denominator=1000))
    p = draw(rationals(0, 1, max_denominator=50))
    low, high = neighbour_bounds(p, level, delta)
    share = draw(rationals(0, 1, max_denominator=6))
    p_star = draw(rationals(Fraction(1, 100), Fraction(99, 100)))
    return ThresholdingRound(level, delta, p_star, p, low + share * (high - low))


@st.composite
def thresholding_instances(
    draw: DrawFn, *, max_rounds: int = 4, pure: bool = False
) -> ThresholdingInstance:
    """Parameters with neighbouring probability sequences; neighbours are extreme most of the time.

    Args:
        max_rounds: the most rounds.
        pure: whether every delta is 0.
    """
    return ThresholdingInstance(
        epsilon=draw(rationals(Fraction(1, 2), 4, max_denominator=8)),
        theta=draw(rationals(Fraction(1, 4), 3, max_denominator=8)),
        gamma=draw(rationals(Fraction(5, 4), 2, max_denominator=8)),
        beta=draw(rationals(Fraction(1, 1000), Fraction(1, 2))),
        rounds=tuple(draw(st.lists(_rounds(pure), min_size=1, max_size=max_rounds))),
    )
