"""A short alphabet that proves the optimum of a long one: exact masses spread to knots.

``solvers.testing.mass_spreading`` says why: spreading masses to a few shares P0/(P0 + P1) only
raises the optimum, and leaves it where it is when an optimal partition of the knots cuts between
neighbouring symbols. Here the knots are exact. Next to a cut they are shares of symbols; elsewhere
they are dyadic rationals with few digits, because the numbers of a certificate grow with them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np

from solvers.testing.alphabet import OrderedAlphabet
from solvers.testing.float_program import FloatProgram
from solvers.testing.likelihood_order import OrderedMasses
from solvers.testing.objective import Objective, float_c
from verify.kernel.distribution import Distribution
from verify.kernel.optimality import DualWitness, TestingProblem

__all__ = ["KnottedAlphabet", "find_knots", "float_masses"]

_COARSE = 40
_WINDOW = 2
_MOST_KNOTS = 800
_PARTS = 4


def float_masses(alphabet: OrderedAlphabet) -> OrderedMasses:
    """The merged symbols in float64."""
    pairs = list(zip(alphabet.p0, alphabet.p1, strict=True))
    columns = zip(*((float(a), float(b), float(a - b)) for a, b in pairs), strict=True)
    p0, p1, difference = (np.array(column) for column in columns)
    places = np.arange(len(pairs) + 1)
    return OrderedMasses(p0, p1, difference, places[:-1], places)


@dataclass(frozen=True)
class KnottedAlphabet:
    """The masses of an alphabet spread to knots.

    Args:
        shares: K rising shares P0/(P0 + P1), each with some mass.
        places: for each knot (i, j): symbols before i have a smaller share, those from j on a
            larger one.
        alphabet: the K knots with their masses.
    """

    shares: tuple[Fraction, ...]
    places: tuple[tuple[int, int], ...]
    alphabet: OrderedAlphabet

    def problem(self, original: TestingProblem) -> TestingProblem:
        """The problem of the knots: its optimum is no less than that of the original."""
        p0, p1 = Distribution(self.alphabet.p0), Distribution(self.alphabet.p1)
        return TestingProblem(p0, p1, original.divergence, original.outputs)

    def cuts(self, original: Sequence[int]) -> tuple[int, ...]:
        """The cuts of the knots where the symbols are cut, which needs knots on both sides."""
        starts = {i: place for place, (i, _) in enumerate(self.places)}
        return (0, *(starts[cut] for cut in original[1:-1]), len(self.shares))

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


class _Spreader:
    """The symbols of a long alphabet, ready to be spread."""

    def __init__(self, alphabet: OrderedAlphabet) -> None:
        self._alphabet = alphabet
        self._prefix0, self._prefix1 = alphabet.prefix_sums()

    def share(self, symbol: int) -> Fraction:
        a, b = self._alphabet.p0[symbol], self._alphabet.p1[symbol]
        return a / (a + b)

    @cached_property
    def size(self) -> int:
        return len(self._alphabet)

    def spread(self, exact: Iterable[int], coarse: Iterable[int]) -> KnottedAlphabet:
        """Knots at the shares of some symbols, and just above the shares of others."""
        knots = {(self.share(x), x, x + 1) for x in exact}
        taken = {x for _, x, _ in knots}
        for x in coarse:
            if x + 1 < self.size and x not in taken:
                knots.add((_shortest_between(self.share(x), self.share(x + 1)), x + 1, x + 1))
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


def _shortest_between(low: Fraction, high: Fraction) -> Fraction:
    """The dyadic rational with the least denominator strictly between two others."""
    scale = 1 << max(0, (high - low).denominator.bit_length() - (high - low).numerator.bit_length())
    while True:
        found = Fraction(int(low * scale) + 1, scale)
        if found < high:
            return found
        scale *= 2


def find_knots(
    alphabet: OrderedAlphabet,
    objective: Objective,
    c: Fraction,
    cuts: Sequence[int],
    outputs: int | None,
) -> KnottedAlphabet:
    """Knots whose optimum is that of the alphabet, as far as floats can tell.

    Args:
        alphabet: k symbols.
        objective: the divergence.
        c: E - 1.
        cuts: an optimal partition.
        outputs: the largest number of blocks, or None.
    """
    spreader, k = _Spreader(alphabet), len(alphabet)
    exact = {0, k - 1}
    for cut in cuts[1:-1]:
        exact |= set(range(max(0, cut - _WINDOW), min(k, cut + _WINDOW)))
    coarse = _quantiles(alphabet)
    while True:
        knots = spreader.spread(exact, coarse)
        gaps = _cut_gaps(knots, objective, c, outputs)
        if not gaps or len(knots.shares) > _MOST_KNOTS:
            return knots
        for i, j in gaps:  # the symbols i..j-1 lie between two knots that are cut apart
            if j - i <= _PARTS:
                exact |= set(range(i, j))
            else:
                coarse |= {i + (j - i) * part // _PARTS for part in range(1, _PARTS)}
                exact |= {i, j - 1}


def _quantiles(alphabet: OrderedAlphabet) -> set[int]:
    masses = float_masses(alphabet)
    sums = np.cumsum(masses.p0 + masses.p1)
    levels = np.linspace(0.0, sums[-1], _COARSE, endpoint=False)[1:]
    return {int(x) for x in np.searchsorted(sums, levels)}


def _cut_gaps(
    knots: KnottedAlphabet, objective: Objective, c: Fraction, outputs: int | None
) -> list[tuple[int, int]]:
    program = FloatProgram(objective, float_c(c), float_masses(knots.alphabet).prefixes)
    found = program.best_cuts(outputs)
    ends = ((knots.places[cut - 1][1], knots.places[cut][0]) for cut in found[1:-1])
    return [(i, j) for i, j in ends if i < j]
