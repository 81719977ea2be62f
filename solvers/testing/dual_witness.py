"""Dual witnesses: multipliers that prove no private channel does better than a given value.

The float program proposes a basis; its equations are solved again exactly (rational divergence) or
with several hundred bits; where float tolerances have left the basis short of optimal, a few pivots
in high precision mend it. The worst violation over ALL sets is then computed by the kernel's own
sweep and repaired by adding delta (P0(x) + P1(x))/2 to every l_x, which raises the bound by delta.
No float accuracy is trusted anywhere.
"""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise, product

import numpy as np

from solvers.testing.alphabet import OrderedAlphabet
from solvers.testing.dual_equations import DualEquations, Multipliers
from solvers.testing.dual_program import DualProgram, FloatDual, Row
from solvers.testing.exact_pivots import improve_basis
from solvers.testing.objective import Floats, Objective, float_c
from solvers.testing.partition_float import interval_scores
from solvers.testing.separators import (
    active_sets,
    exact_transitions,
    find_separators,
    transition_ratios,
)
from verify.kernel.errors import LimitError
from verify.kernel.exact import rational_text
from verify.kernel.optimality import DualWitness, TestingProblem, dual_symbols
from verify.kernel.sweep import Triple, candidate_sets

__all__ = ["UpperBound", "find_upper_bound"]

_ROUNDS = 40
_VIOLATION = 1e-8
_GOOD_GAP = Fraction(1, 10**31)
_RADII = (1e-3, 3e-2, 1.0)
_REPAIR_GUARD_BITS = 20
_PIVOT_ROUNDS = 12
_NEAR = 1e-5
_HUGE = Fraction(10) ** 300
_SMALLEST_FLOAT_VALUE = Fraction(1, 10**280)
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
        cuts: an optimal partition.
        value: its divergence, > 0.
        bits: the precision of the kernel's check.
        gap: stop at a bound within this share of ``value``.
    """
    if value < _SMALLEST_FLOAT_VALUE:
        return None  # the float program has no units for it
    equations = DualEquations(problem, alphabet, exp_epsilon, objective.slope, value, bits)
    search = _Search(equations, objective)
    best: UpperBound | None = None
    for bound in search.bounds(cuts):
        if best is None or bound.value < best.value:
            best = bound
        if best.value <= value * (1 + gap):
            break
    return best


def _floats(numbers: Iterable[Fraction]) -> Floats:
    """The numbers rounded to float64, at most 1e300 in size."""
    return np.array([float(min(max(number, -_HUGE), _HUGE)) for number in numbers])


class _Search:
    """One problem in units of its optimum, with floats for the linear program."""

    def __init__(self, equations: DualEquations, objective: Objective) -> None:
        self._equations, self._objective = equations, objective
        alphabet = equations.alphabet
        self._c, self._unit = float_c(equations.c), float(min(equations.value, _HUGE))
        parts = list(zip(alphabet.p0, alphabet.p1, equations.mass, strict=True))
        self._w, self._p0, self._p1 = (
            _floats(equations.mass),
            _floats(alphabet.p0),
            _floats(alphabet.p1),
        )
        self._shares = _floats(a / w for a, _, w in parts), _floats(b / w for _, b, w in parts)
        self._gaps = _floats(y - x for x, y in pairwise(equations.share))
        prefixes = map(_floats, alphabet.prefix_sums())
        self._scores = interval_scores(objective, self._c, *prefixes) / self._unit

    def bounds(self, cuts: Sequence[int]) -> Iterator[UpperBound]:
        """Proved bounds, cheapest first."""
        starts: list[tuple[DualProgram, FloatDual]] = []
        for bend in _BENDS:
            program = self._program(cuts, bend)
            dual = self._solve_convex(program)
            if dual is not None:
                starts.append((program, dual))
                yield from self._from_float(dual)
        for program, dual in starts[:2]:
            yield from self._from_pivots(dual, program.rows)
        yield from self._from_boxes(starts[:1])
        for program, dual in starts[2:]:
            yield from self._from_pivots(dual, program.rows)

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
        program = DualProgram(self._w, self._gaps, self._c, self._equations.problem.outputs)
        program.require_convexity(bend * self._bends())
        program.require_set((), 0.0)
        ends = [*pairwise(cuts), *((0, j) for j in range(1, k + 1)), *((i, k) for i in range(1, k))]
        for i, j in ends:
            program.require_set(range(i, j), self._scores[i, j])
        return program

    def _bends(self) -> Floats:
        """How far the largest admissible m, h(s, 1-s), lies below its chords, >= 0."""
        (s0, s1), gaps, bends = self._shares, self._gaps, np.zeros_like(self._w)
        with np.errstate(divide="ignore", invalid="ignore"):
            h = self._objective.score(s0 - s1, s0, s1) / self._unit
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
        loose = DualProgram(self._w, self._gaps, self._c, self._equations.problem.outputs)
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
            sets, scores, slack = self._sweep(dual.m, dual.output_multiplier)
            violated = np.flatnonzero(slack < -_VIOLATION * (1 + self._c))
            added = [program.require_set(np.flatnonzero(sets[i]), scores[i]) for i in violated]
            if not any(added):
                break
        return best

    def _sweep(self, m: Floats, t: float) -> tuple[Floats, Floats, Floats]:
        """The sets A(t) in float64, their scores and slacks, in units of the optimum."""
        sets = active_sets(self._objective, self._transitions(m), self._shares, m * self._unit)
        a, b, lam = sets @ self._p0, sets @ self._p1, self._w * m
        scores = self._objective.score(self._c * (a - b), 1 + self._c * a, 1 + self._c * b)
        scores /= self._unit
        return sets, scores, lam.sum() + t + self._c * (sets @ lam) - scores

    def _transitions(self, m: Floats) -> Floats:
        return transition_ratios(self._objective, 1 + self._c, self._shares, m * self._unit)

    def _from_float(self, dual: FloatDual) -> Iterator[UpperBound]:
        """Bounds from the basis of a float solution, and from the float solution itself."""
        refined = None if dual.active is None else self._equations.solve(dual.active)
        found = False
        for multipliers in self._spellings(refined):
            for bound in self._repaired(multipliers, dual.m):
                found = True
                yield bound
        if not found:
            yield from self._repaired(self._rounded(dual), dual.m)

    def _spellings(self, multipliers: Multipliers | None) -> Iterator[Multipliers]:
        """Exact multipliers, and rounded ones for a bound that can be written."""
        if multipliers is not None:
            yield multipliers
            if self._equations.problem.divergence.is_exact:
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
            basis, m = mended, self._float_m(found)
            for multipliers in self._spellings(found):
                yield from self._repaired(multipliers, m)
            new = [row for row in self._violated(found, m) if row not in known]
            if not new:
                return
            known += new

    def _violated(self, multipliers: Multipliers, m: Floats) -> Iterator[Row]:
        sets, _, slack = self._sweep(m, float(multipliers.outputs / self._equations.value))
        for i in np.flatnonzero(slack < _NEAR * (1 + self._c)):
            row = Row("set", tuple(int(x) for x in np.flatnonzero(sets[i])))
            if self._equations.slack(row.members, multipliers) < 0:
                yield row

    def _float_m(self, multipliers: Multipliers) -> Floats:
        """The multipliers over P0 + P1 for the normalised h, in units of the optimum."""
        parts = zip(multipliers.symbols, self._equations.mass, self._equations.share, strict=True)
        slope = self._objective.slope
        exact = ((lam / w - slope * (2 * s - 1)) / self._equations.value for lam, w, s in parts)
        return _floats(exact)

    def _rounded(self, dual: FloatDual) -> Multipliers:
        """The float multipliers for the kernel's h, as rationals."""
        parts = zip(self._equations.mass, dual.m, self._equations.share, strict=True)
        slope = self._objective.slope
        symbols = (
            w * (Fraction(float(m)) * self._equations.value + slope * (2 * s - 1))
            for w, m, s in parts
        )
        t = max(Fraction(dual.output_multiplier) * self._equations.value, Fraction(0))
        return self._equations.rounded(Multipliers(tuple(symbols), t))

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
    ) -> tuple[tuple[Fraction, ...], set[Triple]] | None:
        """Separators fine enough for the kernel's sweep, and the sets that it checks."""
        e = self._equations
        for separators in self._separators(multipliers, m):
            witness = self._witness(multipliers, separators)
            symbols = dual_symbols(e.problem, witness)
            divergence = e.problem.divergence
            sets = candidate_sets(divergence, e.exp_epsilon, symbols, separators, e.bits)
            if sets is not None:
                return separators, sets
        return None

    def _separators(self, multipliers: Multipliers, m: Floats) -> Iterator[tuple[Fraction, ...]]:
        """Separators from floats, then from transitions to many bits."""
        yield find_separators(self._transitions(m))
        e = self._equations
        symbols = zip(e.alphabet.p0, e.alphabet.p1, multipliers.symbols, strict=True)
        divergence, bits = e.problem.divergence, e.bits // 2
        exact = exact_transitions(divergence, e.exp_epsilon, symbols, bits=bits)
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
