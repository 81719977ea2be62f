"""Dual witnesses: multipliers that prove no private channel does better than a given value.

Where the optimal partition is the only one, multipliers with room to spare are completed exactly,
see ``solvers.testing.margin_program``. Otherwise a float program proposes a basis; its equations
are solved again exactly (rational divergence) or with several hundred bits; where float tolerances
have left the basis short of optimal, a few pivots in high precision mend it. The worst violation
over ALL sets is then computed by the kernel's own sweep and repaired by adding delta (P0(x) +
P1(x))/2 to every l_x, which raises the bound by delta. No float accuracy is trusted anywhere.
"""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

import numpy as np

from solvers.testing.alphabet import OrderedAlphabet
from solvers.testing.dual_equations import DualEquations, Multipliers
from solvers.testing.dual_floats import DualFloats
from solvers.testing.dual_program import DualProgram, FloatDual, Row
from solvers.testing.exact_pivots import improve_basis
from solvers.testing.margin_program import strict_multipliers
from solvers.testing.objective import Floats, Objective
from solvers.testing.rational_divergence import is_rational
from solvers.testing.separators import exact_transitions, find_separators
from verify.kernel.errors import LimitError
from verify.kernel.exact import rational_text
from verify.kernel.optimality import DualWitness, TestingProblem, dual_symbols
from verify.kernel.sweep import Triple, candidate_sets

__all__ = ["MOST_SYMBOLS", "UpperBound", "find_upper_bound"]

MOST_SYMBOLS = 400
"""Most symbols for which a witness is searched for where there is none with room to spare."""

_ROUNDS = 40
_VIOLATION = 1e-8
_SPARE = 200  # the last round of dividing overshoots
_GOOD_GAP = Fraction(1, 10**31)
_RADII = (1e-3, 3e-2, 1.0)
_REPAIR_GUARD_BITS = 20
_SHORT_DENOMINATOR = 60
"""Most bits of that of E for exact multipliers: one that encloses exp(epsilon) has 64."""
_PIVOT_ROUNDS = 12
_STEPS = (1, 2, 3)
_NEAR = 1e-5
_BENDS = (0.0, 1e-3, 1e-6, 1e-9)


@dataclass(frozen=True, slots=True)
class UpperBound:
    """A proved upper bound with its witness.

    Args:
        value: no channel of the problem has a larger divergence.
        witness: what the kernel needs to see that.
    """

    value: Fraction
    witness: DualWitness


def find_upper_bound(
    problem: TestingProblem,
    alphabet: OrderedAlphabet,
    objective: Objective,
    exp_epsilon: Fraction,
    cuts: Sequence[int],
    value: Fraction,
    *,
    bits: int,
    gap: Fraction = _GOOD_GAP,
) -> UpperBound | None:
    """The best upper bound found; None when none could be proved.

    Args:
        problem: the pair, divergence and limit on outputs.
        alphabet: its merged symbols.
        objective: its divergence for solvers.
        exp_epsilon: E > 1.
        cuts: an optimal partition; above ``MOST_SYMBOLS`` + 200 symbols the only one.
        value: its divergence, > 0.
        bits: the precision of the kernel's check.
        gap: stop at a bound within this share of ``value``.
    """
    equations = DualEquations(problem, alphabet, exp_epsilon, objective.slope, value, bits)
    search = _Search(equations, objective)
    best: UpperBound | None = None
    for bound in search.bounds(cuts):
        if best is None or bound.value < best.value:
            best = bound
        if best.value <= value * (1 + gap):
            break
    return best


class _Search:
    """One problem, in floats for the linear programs and exactly for the bounds."""

    def __init__(self, equations: DualEquations, objective: Objective) -> None:
        self._equations, self._objective = equations, objective
        self._floats = DualFloats(equations, objective)
        self._c, self._w, self._scores = self._floats.c, self._floats.w, self._floats.scores

    def bounds(self, cuts: Sequence[int]) -> Iterator[UpperBound]:
        """Proved bounds, cheapest first."""
        outputs = self._equations.problem.outputs
        if outputs is None or Fraction(outputs).denominator == 1:
            yield from self._from_margin(cuts)
        if len(self._w) > MOST_SYMBOLS + _SPARE:
            return
        starts: list[tuple[DualProgram, FloatDual]] = []
        for bend in _BENDS:
            program = self._program(cuts, bend)
            dual = self._solve_convex(program)
            if dual is not None:
                program.settle()
                dual = self._solve_convex(program) or dual
                starts.append((program, dual))
                yield from self._from_float(dual)
        for program, dual in starts[:2]:
            yield from self._from_pivots(dual, program.rows)
        yield from self._from_boxes(starts[:1])
        for program, dual in starts[2:]:
            yield from self._from_pivots(dual, program.rows)

    def _from_margin(self, cuts: Sequence[int]) -> Iterator[UpperBound]:
        """The bound of multipliers that are strict wherever they may be."""
        found = strict_multipliers(self._floats, cuts)
        if found is None:
            return
        rough = self._floats.below_tangents(cuts, found.drop, found.output_multiplier)
        e = self._equations.exp_epsilon.denominator.bit_length()
        is_exact = is_rational(self._equations.problem.divergence) and e <= _SHORT_DENOMINATOR
        for is_rounded in (False, True) if is_exact else (True,):
            completed = self._equations.completed(cuts, rough, is_rounded=is_rounded)
            bounds = list(self._repaired(completed, found.m))
            yield from bounds
            if bounds:
                break

    def _from_boxes(self, starts: Sequence[tuple[DualProgram, FloatDual]]) -> Iterator[UpperBound]:
        """Bounds from multipliers that need not be convex, in boxes around those that are."""
        for (program, dual), radius in product(starts, _RADII):
            loose = self._loosened(program, dual, radius)
            free = self._solve_free(loose)
            if free is not None:
                yield from self._from_float(free)
                yield from self._from_pivots(free, loose.rows)

    def _program(self, cuts: Sequence[int], bend: float) -> DualProgram:
        k = len(self._w)
        program = DualProgram(self._w, self._floats.gaps, self._c, self._equations.problem.outputs)
        program.require_convexity(bend * self._bends())
        program.require_set((), 0.0)
        ends = [*pairwise(cuts), *((0, j) for j in range(1, k + 1)), *((i, k) for i in range(1, k))]
        for i, j in ends:
            program.require_set(range(i, j), self._scores[i, j])
        return program

    def _bends(self) -> Floats:
        """How far the largest admissible m, h(s, 1-s), lies below its chords, >= 0."""
        symbols, gaps, bends = self._floats.symbols, self._floats.gaps, np.zeros_like(self._w)
        with np.errstate(divide="ignore", invalid="ignore"):
            masses = symbols.difference, symbols.first, symbols.second
            h = self._floats.objective.score(*masses) / self._floats.unit
            left = gaps[1:] / (gaps[1:] + gaps[:-1])
            bends[1:-1] = left * h[:-2] + (1 - left) * h[2:] - h[1:-1]
        return np.where(np.isfinite(bends), np.maximum(bends, 0.0), 0.0)

    def _solve_convex(self, program: DualProgram) -> FloatDual | None:
        """The best multipliers with m convex, by cutting planes over the intervals."""
        best = None
        for _ in range(_ROUNDS):
            dual = program.solve()
            if dual is None:
                break
            best = dual
            lam = np.concatenate([[0.0], np.cumsum(self._w * dual.m)])
            slack = lam[-1] + dual.output_multiplier + self._c * (lam[None, :] - lam[:, None])
            slack = np.where(np.isfinite(self._scores), slack - self._scores, np.inf)
            worst = np.argmin(slack, axis=1)
            limit = -_VIOLATION * (1 + self._c)
            rows = [(i, j) for i, j in enumerate(worst) if slack[i, j] < limit]
            added = [program.require_set(range(i, j), self._scores[i, j]) for i, j in rows]
            if not any(added):
                break
        return best

    def _loosened(self, program: DualProgram, start: FloatDual, radius: float) -> DualProgram:
        """The program without convexity, with m near ``start``."""
        loose = DualProgram(self._w, self._floats.gaps, self._c, self._equations.problem.outputs)
        for members, mu in program.sets.items():
            loose.require_set(members, mu)
        loose.restrict(start.m, radius * (float(np.ptp(start.m)) or 1.0))
        return loose

    def _solve_free(self, program: DualProgram) -> FloatDual | None:
        """The best multipliers in the box, by cuts from the sweep."""
        best = None
        for _ in range(_ROUNDS):
            dual = program.solve()
            if dual is None:
                break
            best = dual
            found = self._floats.sweep(dual.m, dual.output_multiplier)
            violated = np.flatnonzero(found.slack < -_VIOLATION * (1 + self._c))
            added = [
                program.require_set(np.flatnonzero(found.sets[i]), found.scores[i])
                for i in violated
            ]
            if not any(added):
                break
        return best

    def _from_float(self, dual: FloatDual) -> Iterator[UpperBound]:
        """Bounds from the basis of a float solution, and from the float solution itself."""
        refined = None if dual.active is None else self._equations.solve(dual.active)
        found = False
        for multipliers in self._spellings(refined):
            for bound in self._repaired(multipliers, dual.m):
                found = True
                yield bound
        if not found:
            rough = self._floats.exact(dual.m, dual.output_multiplier)
            yield from self._repaired(rough, dual.m)

    def _spellings(self, multipliers: Multipliers | None) -> Iterator[Multipliers]:
        """Exact multipliers, and rounded ones for a bound that can be written."""
        if multipliers is not None:
            yield multipliers
            if is_rational(self._equations.problem.divergence):
                yield self._equations.rounded(multipliers)

    def _from_pivots(self, dual: FloatDual, rows: Sequence[Row]) -> Iterator[UpperBound]:
        """Bounds from bases mended in high precision, with the sets that they violate added."""
        if dual.active is None:
            return
        known = list(dict.fromkeys([*rows, *dual.active]))
        basis = [known.index(row) for row in dual.active]
        for _ in range(_PIVOT_ROUNDS):
            exact = [self._equations.row(row) for row in known]
            equalities = frozenset(i for i, row in enumerate(known) if row.kind == "sum")
            cost, bits = self._equations.cost, 2 * self._equations.bits
            mended = improve_basis(exact, cost, basis, equalities, bits=bits)
            found = None if mended is None else self._equations.solve([known[i] for i in mended])
            if mended is None or found is None:
                return
            basis, (m, t) = mended, self._floats.floats(found)
            for multipliers in self._spellings(found):
                yield from self._repaired(multipliers, m)
            new = [row for row in self._violated(found, m, t) if row not in known]
            if not new:
                return
            known += new

    def _violated(self, multipliers: Multipliers, m: Floats, t: float) -> Iterator[Row]:
        found = self._floats.sweep(m, t)
        for i in np.flatnonzero(found.slack < _NEAR * (1 + self._c)):
            row = Row("set", tuple(int(x) for x in np.flatnonzero(found.sets[i])))
            if self._equations.slack(row.members, multipliers) < 0:
                yield row

    def _repaired(self, multipliers: Multipliers, m: Floats) -> Iterator[UpperBound]:
        """The multipliers raised until every set satisfies its constraint; nothing if too long."""
        equations = self._equations
        try:
            family = self._family(multipliers, m)
        except LimitError:
            return
        if family is None:
            return
        separators, sets = family
        base = sum(multipliers.symbols, multipliers.outputs)
        short = max(equations.score_of_masses(a, b) - equations.c * lam for a, b, lam in sets)
        if short > base:
            scale = 1 << (equations.bits - _REPAIR_GUARD_BITS)
            delta = Fraction(int((short - base) * scale + equations.exp_epsilon) + 2, scale)
            raised = zip(multipliers.symbols, equations.mass, strict=True)
            symbols = tuple(lam + delta * w / 2 for lam, w in raised)
            multipliers = Multipliers(symbols, multipliers.outputs)
        witness = self._witness(multipliers, separators)
        bound = self._bound(witness)
        try:
            for number in (*witness.multipliers, witness.output_multiplier, bound):
                rational_text(number)
        except LimitError:
            return
        yield UpperBound(bound, witness)

    def _family(
        self, multipliers: Multipliers, m: Floats
    ) -> tuple[tuple[Fraction, ...], list[Triple]] | None:
        """Separators fine enough for the kernel's sweep, and the sets that it checks.

        Where they are too many for the kernel, every second or third of them will do: it then
        checks some sets more.

        Raises:
            LimitError: where those are too many as well.
        """
        for separators in self._separators(multipliers, m):
            refusal: LimitError | None = None
            for step in _STEPS:
                some = separators[::step]
                try:
                    sets = self._candidates(multipliers, some)
                except LimitError as error:
                    refusal = error
                    continue
                if sets is not None:
                    return some, sets
                break
            if refusal is not None:
                raise refusal
        return None

    def _candidates(
        self, multipliers: Multipliers, separators: tuple[Fraction, ...]
    ) -> list[Triple] | None:
        e = self._equations
        symbols = dual_symbols(e.problem, self._witness(multipliers, separators))
        return candidate_sets(e.problem.divergence, e.exp_epsilon, symbols, separators, e.bits)

    def _separators(self, multipliers: Multipliers, m: Floats) -> Iterator[tuple[Fraction, ...]]:
        """Separators on a grid, then from transitions to many bits."""
        e, scaled = self._equations, self._floats.problem
        symbols = list(zip(e.alphabet.p0, e.alphabet.p1, multipliers.symbols, strict=True))
        parts = e.problem.divergence, e.exp_epsilon, symbols
        enters, leaves = map(scaled.ratios, self._floats.transitions(m))
        closeness = scaled.closeness
        yield find_separators(*parts, (enters, leaves), bits=e.bits, closeness=closeness)
        exact = exact_transitions(*parts, bits=e.bits // 2)
        yield tuple((low + high) / 2 for low, high in pairwise(exact))

    def _witness(self, multipliers: Multipliers, separators: tuple[Fraction, ...]) -> DualWitness:
        """The witness with the multipliers of merged symbols shared among them by mass."""
        problem = self._equations.problem
        spread = [Fraction(0)] * len(problem.p0)
        groups = zip(
            multipliers.symbols,
            self._equations.mass,
            self._equations.alphabet.members,
            strict=True,
        )
        for lam, w, group in groups:
            for x in group:
                spread[x] = lam * (problem.p0.masses[x] + problem.p1.masses[x]) / w
        return DualWitness(tuple(spread), multipliers.outputs, separators)

    def _bound(self, witness: DualWitness) -> Fraction:
        total, outputs = sum(witness.multipliers, Fraction(0)), self._equations.problem.outputs
        if outputs is None:
            return total
        return total + witness.output_multiplier * outputs / (self._equations.c + outputs)
