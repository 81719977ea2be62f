"""A short alphabet that proves the optimum of a long one: exact masses spread to knots.

``solvers.testing.mass_spreading`` says why: spreading masses to a few shares P0/(P0 + P1) only
raises the optimum, and leaves it where it is when an optimal partition of the knots cuts between
neighbouring symbols. Here the knots are exact. Next to a cut they are shares of symbols; elsewhere
they are dyadic rationals with few digits, because the numbers of a certificate grow with them.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from functools import cached_property
from itertools import pairwise

import numpy as np

from solvers.testing.alphabet import OrderedAlphabet
from solvers.testing.float_program import FloatProgram
from solvers.testing.objective import Objective
from solvers.testing.scaled_problem import float_masses, scaled_problem
from verify.kernel.distribution import Distribution
from verify.kernel.optimality import DualWitness, TestingProblem

__all__ = ["KnottedAlphabet", "find_knots"]

_COARSE = 20
_WINDOW = 2
_FIRST_KNOTS = 240
_MOST_KNOTS = 400
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
    """Knots whose optimum is that of the alphabet, as far as floats can tell, or slightly above.

    It is above when more than 400 knots were needed, which happens beyond 1,000 symbols with many
    blocks.

    Args:
        alphabet: k symbols.
        objective: the divergence.
        c: E - 1.
        cuts: an optimal partition.
        outputs: the largest number of blocks, or None.
    """
    spreader, k = _Spreader(alphabet), len(alphabet)
    exact, coarse = {0, k - 1}, _quantiles(alphabet)
    n_steps = max(4, _FIRST_KNOTS // (2 * len(cuts)))
    for before, cut, after in zip(cuts, cuts[1:], cuts[2:], strict=False):
        exact |= set(range(max(0, cut - _WINDOW), min(k, cut + _WINDOW)))
        coarse |= {cut + step for step in _steps((after - cut) // 2, n_steps)}
        coarse |= {cut - step for step in _steps((cut - before) // 2, n_steps)}
    while True:
        knots = spreader.spread(exact, coarse)
        scaled = scaled_problem(knots.alphabet, objective, c)
        found = FloatProgram(scaled.objective, scaled.c, scaled.masses.prefixes)
        best = found.best_cuts(outputs)
        ends = ((knots.places[cut - 1][1], knots.places[cut][0]) for cut in best[1:-1])
        gaps = [(i, j) for i, j in ends if i < j]  # symbols between two knots that are cut apart
        if not gaps or len(knots.shares) > _MOST_KNOTS:
            return replace(knots, cuts=best, is_tight=not gaps)
        for i, j in gaps:
            if j - i <= _PARTS:
                exact |= set(range(i, j))
            else:
                coarse |= {i + (j - i) * part // _PARTS for part in range(1, _PARTS)}
                exact |= {i, j - 1}


def _steps(longest: int, count: int) -> set[int]:
    """Distances from a cut, finer near it: what a cut elsewhere costs grows with the distance."""
    return {int(longest ** (i / count)) for i in range(1, count)} if longest > _WINDOW else set()


def _quantiles(alphabet: OrderedAlphabet) -> set[int]:
    masses = float_masses(alphabet)
    sums = np.cumsum(masses.p0 + masses.p1)
    levels = np.linspace(0.0, sums[-1], _COARSE, endpoint=False)[1:]
    return {int(x) for x in np.searchsorted(sums, levels)}
