"""The rows of the dual program with exact coefficients, and the solution of a basis of them.

The unknowns are (m_1..m_k, L) or (m_1..m_k, L, t) as in ``solvers.testing.dual_program``, here in
the units of the problem and for the kernel's h.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import pairwise
from math import ceil

from solvers.backend import arb_mat, ball, ball_bounds, solve_rational, working_precision
from solvers.testing.alphabet import OrderedAlphabet
from solvers.testing.dual_program import Row
from solvers.testing.rational_divergence import is_rational
from verify.kernel.exact import Infinity
from verify.kernel.optimality import TestingProblem

__all__ = ["DualEquations", "Multipliers"]

_GUARD_BITS = 40
_ZERO, _ONE = Fraction(0), Fraction(1)


@dataclass(frozen=True, slots=True)
class Multipliers:
    """Candidate multipliers l_x of the merged symbols, and t."""

    symbols: tuple[Fraction, ...]
    outputs: Fraction = _ZERO


def _runs(members: Iterable[int]) -> Iterator[tuple[int, int]]:
    """The maximal ranges first..end-1 of a rising sequence."""
    first = end = -1
    for x in members:
        if x != end:
            if end > first:
                yield first, end
            first = x
        end = x + 1
    if end > first:
        yield first, end


@dataclass(frozen=True)
class DualEquations:
    """One problem at one E, with the precision of what is not rational.

    Args:
        problem: the pair, divergence and limit.
        alphabet: the merged symbols of the pair.
        exp_epsilon: E.
        slope: of the normalised h, see ``solvers.testing.objective``.
        value: the optimum, the unit of the float program.
        bits: of the enclosures; multipliers are rounded to ``bits - 40`` binary places.
    """

    problem: TestingProblem
    alphabet: OrderedAlphabet
    exp_epsilon: Fraction
    slope: Fraction | int
    value: Fraction
    bits: int

    @property
    def c(self) -> Fraction:
        """E - 1."""
        return self.exp_epsilon - 1

    @cached_property
    def mass(self) -> list[Fraction]:
        """P0 + P1 of the merged symbols."""
        return [a + b for a, b in zip(self.alphabet.p0, self.alphabet.p1, strict=True)]

    @cached_property
    def share(self) -> list[Fraction]:
        """P0/(P0 + P1) of the merged symbols, rising."""
        return [a / w for a, w in zip(self.alphabet.p0, self.mass, strict=True)]

    @property
    def n_unknowns(self) -> int:
        """The length of a row."""
        return len(self.alphabet) + (1 if self.problem.outputs is None else 2)

    @property
    def cost(self) -> list[Fraction]:
        """The coefficients of the bound L + t n/(E - 1 + n)."""
        k, outputs = len(self.alphabet), self.problem.outputs
        last = [] if outputs is None else [outputs / (self.c + outputs)]
        return [_ZERO] * k + [_ONE, *last]

    @cached_property
    def _known_rows(self) -> dict[Row, tuple[list[Fraction], Fraction]]:
        return {}

    @cached_property
    def _scaled_mass(self) -> list[Fraction]:
        return [self.c * w for w in self.mass]

    @cached_property
    def _prefixes(self) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
        return self.alphabet.prefix_sums()

    def row(self, row: Row) -> tuple[list[Fraction], Fraction]:
        """(a, b) of the row a.(m, L, t) >= b; equality for a sum."""
        if row not in self._known_rows:
            self._known_rows[row] = self._row(row)
        return self._known_rows[row]

    def _row(self, row: Row) -> tuple[list[Fraction], Fraction]:
        k = len(self.alphabet)
        left = [_ZERO] * self.n_unknowns
        if row.kind == "sum":
            left[:k], left[k] = self.mass, -_ONE
        elif row.kind == "limit":
            left[k + 1] = _ONE
        elif row.kind == "flat":
            left[row.members[0]] = _ONE
            return left, self.slope * (2 * self.share[row.members[0]] - 1)
        elif row.kind == "convex":
            before, here, after = row.members
            x, y, z = self.share[before], self.share[here], self.share[after]
            left[before], left[here], left[after] = z - y, x - z, y - x
            return left, self.bend(row) * (z - x)
        else:
            left[k:] = [_ONE] * (self.n_unknowns - k)
            for symbol in row.members:
                left[symbol] = self._scaled_mass[symbol]
            return left, self.score(row.members)
        return left, _ZERO

    def bend(self, row: Row) -> Fraction:
        """The bend of a convex row in the units of the problem, to 53 bits."""
        if not row.bend:
            return _ZERO
        exponent = self.value.numerator.bit_length() - self.value.denominator.bit_length()
        scale = Fraction(2) ** exponent
        return Fraction(row.bend * float(self.value / scale)) * scale

    def score(self, members: Iterable[int]) -> Fraction:
        """The kernel's mu of a set, given in rising order; its upper end when it is enclosed."""
        runs = list(_runs(members))
        a, b = (
            sum((prefix[end] - prefix[first] for first, end in runs), _ZERO)
            for prefix in self._prefixes
        )
        return self.score_of_masses(a, b)

    def score_of_masses(self, a: Fraction, b: Fraction) -> Fraction:
        """The kernel's mu of a set with P0 = a and P1 = b; its upper end when it is enclosed."""
        mu = self.problem.divergence.perspective(1 + self.c * a, 1 + self.c * b, self.bits)
        if isinstance(mu, Infinity):
            raise ArithmeticError("a private channel has finite scores")  # noqa: TRY004
        return mu.upper

    def tangent(self, first: int, end: int) -> tuple[Fraction, Fraction]:
        """The kernel's subgradient of h at the ratio of the block first..end-1, its lower ends."""
        a, b = (1 + self.c * (prefix[end] - prefix[first]) for prefix in self._prefixes)
        g0, g1 = self.problem.divergence.gradient(a / b, self.bits)
        return g0.lower, g1.lower

    def solve(self, rows: Sequence[Row]) -> Multipliers | None:
        """The multipliers at which the rows hold with equality.

        Returns:
            Exact for a rational divergence, else rounded; None for a singular system.
        """
        equations = [self.row(row) for row in rows]
        matrix, right = [left for left, _ in equations], [value for _, value in equations]
        try:
            if is_rational(self.problem.divergence):
                return self.multipliers(solve_rational(matrix, right))
            return self.rounded(self.multipliers(self._solve_balls(matrix, right)))
        except (ZeroDivisionError, ValueError):
            return None

    def _solve_balls(
        self, matrix: Sequence[Sequence[Fraction]], right: Sequence[Fraction]
    ) -> list[Fraction]:
        with working_precision(2 * self.bits):
            a = arb_mat([[ball(entry) for entry in row] for row in matrix])
            b = arb_mat([[ball(entry)] for entry in right])
            entries = a.solve(b, algorithm="approx").entries()
            return [ball_bounds(entry.mid())[0] for entry in entries]

    def multipliers(self, unknowns: Sequence[Fraction]) -> Multipliers:
        """The multipliers l_x = m_x (P0(x) + P1(x)) and t of a solution."""
        k = len(self.alphabet)
        t = _ZERO if self.problem.outputs is None else max(unknowns[k + 1], _ZERO)
        return Multipliers(tuple(w * m for w, m in zip(self.mass, unknowns[:k], strict=True)), t)

    def rounded(self, multipliers: Multipliers) -> Multipliers:
        """The multipliers on a binary grid."""
        scale = 1 << (self.bits - _GUARD_BITS)
        symbols = (Fraction(round(lam * scale), scale) for lam in multipliers.symbols)
        return Multipliers(tuple(symbols), Fraction(round(multipliers.outputs * scale), scale))

    def completed(
        self, cuts: Sequence[int], rough: Multipliers, *, is_rounded: bool
    ) -> Multipliers:
        """The multipliers with the heaviest symbol of each block set so that its slack is 0.

        Args:
            cuts: an optimal partition, with as many blocks as the limit on outputs if t > 0.
            rough: multipliers that are nearly optimal.
            is_rounded: whether to round up to a binary grid, at the price of a little slack.
        """
        scores = [self.score(range(i, j)) for i, j in pairwise(cuts)]
        n, t, symbols = len(scores), rough.outputs, list(rough.symbols)
        total = (sum(scores, _ZERO) - n * t) / (self.c + n)
        grid = 1 << (self.bits - _GUARD_BITS)
        for (i, j), mu in zip(pairwise(cuts), scores, strict=True):
            heaviest = max(range(i, j), key=self.mass.__getitem__)
            symbols[heaviest] = _ZERO
            missing = (mu - total - t) / self.c - sum(symbols[i:j], _ZERO)
            symbols[heaviest] = Fraction(ceil(missing * grid), grid) if is_rounded else missing
        return Multipliers(tuple(symbols), t)

    def slack(self, members: Iterable[int], multipliers: Multipliers) -> Fraction:
        """L + (E - 1) l(S) + t - mu(S), which must not be negative."""
        listed = list(members)
        total = sum(multipliers.symbols, multipliers.outputs)
        inside = sum((multipliers.symbols[x] for x in listed), _ZERO)
        return total + self.c * inside - self.score(listed)
