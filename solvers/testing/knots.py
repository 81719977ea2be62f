"""A short alphabet that proves the optimum of a long one: exact masses spread to knots.

``solvers.testing.mass_spreading`` says why: spreading masses to a few shares P0/(P0 + P1) only
raises the optimum, and leaves it where it is when an optimal partition of the knots cuts between
neighbouring symbols. Here the knots are exact. Next to a cut they are shares of symbols; elsewhere
they are dyadic rationals with few digits, because the numbers of a certificate grow with them.
"""

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from itertools import pairwise

from solvers.testing.alphabet import OrderedAlphabet
from solvers.testing.float_program import FloatProgram
from solvers.testing.objective import Objective
from solvers.testing.partition_certified import enclose_partition_value
from solvers.testing.scaled_problem import scaled_problem
from verify.kernel.distribution import Distribution
from verify.kernel.optimality import DualWitness, TestingProblem

__all__ = ["KnottedAlphabet", "find_knots", "finest_share"]

_BITS = 256
_COARSE = 20
_WINDOW = 2
_PARTS = 4


@dataclass(frozen=True)
class KnottedAlphabet:
    """The masses of an alphabet spread to knots.

    Args:
        shares: K rising shares P0/(P0 + P1), each with some mass.
        places: for each knot (i, j): symbols before i have a smaller share, those from j on a
            larger one.
        alphabet: the K knots with their masses.
        cuts: a best partition of the knots.
        is_tight: whether it is a partition of the symbols, so that both optima are equal.
    """

    shares: tuple[Fraction, ...]
    places: tuple[tuple[int, int], ...]
    alphabet: OrderedAlphabet
    cuts: tuple[int, ...] = ()
    is_tight: bool = False

    def problem(self, original: TestingProblem) -> TestingProblem:
        """The problem of the knots: its optimum is no less than that of the original."""
        p0, p1 = Distribution(self.alphabet.p0), Distribution(self.alphabet.p1)
        return TestingProblem(p0, p1, original.divergence, original.outputs)

    def witness(self, found: DualWitness) -> DualWitness:
        """A witness for the knots as one for the original problem."""
        shares, multipliers = list(self.shares), list(found.multipliers)
        for place, end in ((0, Fraction(0)), (len(shares), Fraction(1))):
            if end not in shares:
                at = place if not place else len(shares)
                shares.insert(at, end)
                multipliers.insert(at, Fraction(0))
        return DualWitness(
            tuple(multipliers), found.output_multiplier, found.separators, tuple(shares)
        )


def finest_share(alphabet: OrderedAlphabet, knots: KnottedAlphabet) -> Fraction:
    """The smallest share that a symbol between two knots has of the mass of one of them, or less.

    Args:
        alphabet: the symbols.
        knots: to which their masses are spread.
    """
    least = Fraction(1)
    pairs = pairwise(zip(knots.shares, knots.places, strict=True))
    masses = [a + b for a, b in zip(knots.alphabet.p0, knots.alphabet.p1, strict=True)]
    for (low, (_, first)), (high, (end, _)) in pairs:
        for x in range(first, end):
            a, w = alphabet.p0[x], alphabet.p0[x] + alphabet.p1[x]
            least = min(least, a - low * w, high * w - a)  # over high - low < 1
    return least / max(masses)


class _Mesh:
    """The shares from 0 to 1 divided into dyadic intervals, each halved until it suits.

    The widths are powers of 2, so spreading masses to the ends of an interval adds no factors to
    their denominators.
    """

    def __init__(self, alphabet: OrderedAlphabet) -> None:
        self._prefix0, self._prefix1 = alphabet.prefix_sums()
        pairs = zip(alphabet.p0, alphabet.p1, strict=True)
        self.shares = [a / (a + b) for a, b in pairs]
        self._leaves = [_Leaf(Fraction(0), Fraction(1), 0, len(self.shares))]

    def divide(self, is_too_wide: Callable[[int, int], bool]) -> None:
        """Halve the intervals until none with symbols i..j-1 inside is too wide."""
        pending, self._leaves = self._leaves, []
        while pending:
            leaf = pending.pop()
            if leaf.end - leaf.first > 1 and is_too_wide(leaf.first, leaf.end):
                pending += self._halves(leaf)
            else:
                self._leaves.append(leaf)

    def _halves(self, leaf: "_Leaf") -> "tuple[_Leaf, _Leaf]":
        middle = (leaf.low + leaf.high) / 2
        place = bisect_right(self.shares, middle, leaf.first, leaf.end)
        lower = _Leaf(leaf.low, middle, leaf.first, place)
        return lower, _Leaf(middle, leaf.high, place, leaf.end)

    def spread(self, exact: Iterable[int]) -> KnottedAlphabet:
        """Knots at the ends of the intervals and at the shares of some symbols."""
        shares = {leaf.low for leaf in self._leaves if leaf.end > leaf.first}
        shares |= {leaf.high for leaf in self._leaves if leaf.end > leaf.first}
        shares |= {self.shares[x] for x in exact}
        knots = [(s, bisect_left(self.shares, s), bisect_right(self.shares, s)) for s in shares]
        return self._with_masses(sorted(knots))

    def _with_masses(self, knots: Sequence[tuple[Fraction, int, int]]) -> KnottedAlphabet:
        own = [self._mass(i, j) for _, i, j in knots]
        for place, ((low, _, i), (high, j, _)) in enumerate(pairwise(knots)):
            a, b = self._mass(i, j)
            upper = (a - low * (a + b)) / (high - low)
            lower = a + b - upper
            for at, share, mass in ((place, low, lower), (place + 1, high, upper)):
                own[at] = own[at][0] + share * mass, own[at][1] + (1 - share) * mass
        kept = [(knot, mass) for knot, mass in zip(knots, own, strict=True) if sum(mass)]
        members = tuple((place,) for place in range(len(kept)))
        p0, p1 = (tuple(mass[side] for _, mass in kept) for side in (0, 1))
        return KnottedAlphabet(
            tuple(share for (share, _, _), _ in kept),
            tuple((i, j) for (_, i, j), _ in kept),
            OrderedAlphabet(p0, p1, members, ()),
        )

    def _mass(self, first: int, end: int) -> tuple[Fraction, Fraction]:
        return (
            self._prefix0[end] - self._prefix0[first],
            self._prefix1[end] - self._prefix1[first],
        )


@dataclass(frozen=True, slots=True)
class _Leaf:
    """An interval of shares, low excluded and high included, and the symbols first..end-1 in it."""

    low: Fraction
    high: Fraction
    first: int
    end: int


def find_knots(
    alphabet: OrderedAlphabet,
    objective: Objective,
    c: Fraction,
    cuts: Sequence[int],
    outputs: int | None,
    most: int,
) -> KnottedAlphabet:
    """Knots whose optimum is that of the alphabet, as far as floats can tell, or slightly above.

    It is above when more than ``most`` knots were needed.

    Args:
        alphabet: k symbols.
        objective: the divergence.
        c: E - 1.
        cuts: an optimal partition.
        outputs: the largest number of blocks, or None.
        most: stop dividing at that many knots.
    """
    mesh, k = _Mesh(alphabet), len(alphabet)
    exact = {0, k - 1}
    for cut in cuts[1:-1]:
        exact |= set(range(max(0, cut - _WINDOW), min(k, cut + _WINDOW)))
    mesh.divide(_far_from(cuts, k))
    while True:
        knots = mesh.spread(exact)
        scaled = scaled_problem(knots.alphabet, objective, c)
        found = FloatProgram(scaled.objective, scaled.c, scaled.masses.prefixes)
        own = _induced(knots, cuts)
        best = _better(knots.alphabet, objective, c, own, found.best_cuts(outputs))
        ends = ((knots.places[cut - 1][1], knots.places[cut][0]) for cut in best[1:-1])
        gaps = [(i, j) for i, j in ends if i < j]  # symbols between two knots that are cut apart
        if not gaps or len(knots.shares) > most:
            return replace(knots, cuts=best, is_tight=not gaps)
        for i, j in gaps:
            if j - i <= _PARTS:
                exact |= set(range(i, j))
            else:
                mesh.divide(_inside(i, j))


def _induced(knots: KnottedAlphabet, cuts: Sequence[int]) -> tuple[int, ...]:
    """The partition of the knots at the given cuts of the symbols, which fall between two knots."""
    places = (bisect_left(knots.places, (cut, 0)) for cut in cuts[:-1])
    return (*places, len(knots.shares))


def _better(
    knots: OrderedAlphabet,
    objective: Objective,
    c: Fraction,
    own: tuple[int, ...],
    found: tuple[int, ...],
) -> tuple[int, ...]:
    """What floats have found where it is proved to be better: they do not see masses of 1e-17."""
    if found == own:
        return own
    value, other = (
        enclose_partition_value(knots, objective, c, cuts, bits=_BITS) for cuts in (own, found)
    )
    return found if other.lower > value.upper else own


def _far_from(cuts: Sequence[int], k: int) -> Callable[[int, int], bool]:
    """Whether symbols i..j-1 are more than their distance from the next cut, or too many.

    What a cut elsewhere costs grows with its distance.
    """

    def is_too_wide(i: int, j: int) -> bool:
        place = bisect_left(cuts, i)
        if place < len(cuts) and cuts[place] < j:
            return True
        return j - i > min(k // _COARSE, max(1, i - cuts[place - 1], cuts[place] - j))

    return is_too_wide


def _inside(first: int, end: int) -> Callable[[int, int], bool]:
    """Whether symbols i..j-1 are more than a quarter of a gap first..end-1 that they lie in."""
    return lambda i, j: i < end and first < j and (j - i) * _PARTS > end - first
