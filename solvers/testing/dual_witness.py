"""Dual witnesses: multipliers that prove no private channel does better than a given value.

The float program proposes a basis; its equations are solved again exactly (rational divergence) or
with several hundred bits; the worst violation over ALL sets is then computed rigorously by the
kernel's own sweep and repaired by adding delta (P0(x) + P1(x))/2 to every l_x, which raises the
bound by delta. No float accuracy is trusted anywhere.
"""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import pairwise

import numpy as np

from solvers.backend import arb_mat, ball, ball_bounds, solve_rational, working_precision
from solvers.testing.alphabet import OrderedAlphabet
from solvers.testing.dual_program import DualProgram, FloatDual, Row
from solvers.testing.objective import Floats, Objective
from solvers.testing.partition_float import interval_scores
from solvers.testing.separators import active_sets, find_separators, transition_ratios
from verify.kernel.exact import MAX_DIGITS, Infinity
from verify.kernel.optimality import DualWitness, TestingProblem, candidate_sets

__all__ = ["UpperBound", "find_upper_bound"]

_ROUNDS = 40
_VIOLATION = 1e-8
_GOOD_GAP = Fraction(1, 10**31)
_RADII = (1e-3, 3e-2, 1.0)
_GUARD_BITS = 40


@dataclass(frozen=True, slots=True)
class UpperBound:
    """A proved upper bound with its witness.

    Args:
        value: no channel of the problem has a larger divergence.
        witness: what the kernel needs to see that.
    """

    value: Fraction
    witness: DualWitness


class _Search:
    """One problem in units of its optimum ``value``, with floats for the linear program."""

    def __init__(
        self,
        problem: TestingProblem,
        alphabet: OrderedAlphabet,
        objective: Objective,
        exp_epsilon: Fraction,
        value: Fraction,
        bits: int,
    ) -> None:
        self.problem, self.alphabet, self.objective = problem, alphabet, objective
        self.exp_epsilon, self.value, self.bits = exp_epsilon, value, bits
        self.c = exp_epsilon - 1
        self.mass = [a + b for a, b in zip(alphabet.p0, alphabet.p1, strict=True)]
        self.share = [a / w for a, w in zip(alphabet.p0, self.mass, strict=True)]
        self.w = np.array([float(w) for w in self.mass])
        self.s = np.array([float(s) for s in self.share])
        prefix0, prefix1 = alphabet.prefix_sums()
        self.prefix0, self.prefix1 = prefix0, prefix1
        floats = [np.array([float(p) for p in prefix]) for prefix in (prefix0, prefix1)]
        self.scores = interval_scores(objective, float(self.c), *floats) / float(value)
        self.p0 = np.array([float(p) for p in alphabet.p0])
        self.p1 = np.array([float(p) for p in alphabet.p1])

    def set_scores(self, members: Floats) -> Floats:
        """The scores mu of sets given as rows of 0 and 1, in units of the optimum."""
        a, b, c = members @ self.p0, members @ self.p1, float(self.c)
        return self.objective.score(c * (a - b), 1 + c * a, 1 + c * b) / float(self.value)

    def convex(self, cuts: Sequence[int]) -> tuple[FloatDual | None, DualProgram]:
        """The best multipliers with m convex, by cutting planes over the intervals."""
        k, c = len(self.alphabet), float(self.c)
        program = DualProgram(self.w, self.s, c, self.problem.outputs)
        program.require_convexity()
        program.require_set((), 0.0)
        ends = [*pairwise(cuts), *((0, j) for j in range(1, k + 1)), *((i, k) for i in range(1, k))]
        for i, j in ends:
            program.require_set(range(i, j), self.scores[i, j])
        best = None
        for _ in range(_ROUNDS):
            dual = program.solve()
            if dual is None:
                break
            best = dual
            lam = np.concatenate([[0.0], np.cumsum(self.w * dual.m)])
            slack = lam[-1] + dual.output_multiplier + c * (lam[None, :] - lam[:, None])
            slack = np.where(np.isfinite(self.scores), slack - self.scores, np.inf)
            worst = np.argmin(slack, axis=1)
            rows = [i for i in range(k) if slack[i, worst[i]] < -_VIOLATION * (1 + c)]
            added = [
                program.require_set(range(i, worst[i]), self.scores[i, worst[i]]) for i in rows
            ]
            if not any(added):
                break
        return best, program

    def free(self, start: FloatDual, program: DualProgram, radius: float) -> FloatDual | None:
        """The best multipliers with m in a box around ``start``, by cuts from the sweep."""
        spread = float(np.ptp(start.m)) or 1.0
        loose = DualProgram(self.w, self.s, float(self.c), self.problem.outputs)
        for members, mu in program.sets.items():
            loose.require_set(members, mu)
        loose.restrict(start.m, radius * spread)
        best = None
        for _ in range(_ROUNDS):
            dual = loose.solve()
            if dual is None:
                return best
            best = dual
            transitions = self.transitions(dual.m)
            sets = active_sets(self.objective, transitions, self.s, dual.m * float(self.value))
            bounds = (
                dual.m @ self.w
                + dual.output_multiplier
                + float(self.c) * (sets @ (self.w * dual.m))
            )
            scores = self.set_scores(sets)
            violated = np.flatnonzero(bounds - scores < -_VIOLATION * float(self.exp_epsilon))
            added = [loose.require_set(np.flatnonzero(sets[row]), scores[row]) for row in violated]
            if not any(added):
                break
        return best

    def transitions(self, m: Floats) -> Floats:
        """The transition ratios of A(t) for multipliers in units of the optimum."""
        scaled = m * float(self.value)
        return transition_ratios(self.objective, float(self.exp_epsilon), self.s, scaled)

    def rounded(self, dual: FloatDual) -> tuple[list[Fraction], Fraction]:
        """The float multipliers l_x of the kernel's h, as rationals, and t."""
        slope, unit = self.objective.slope, self.value
        multipliers = [
            w * (Fraction(float(m)) * unit + slope * (2 * s - 1))
            for w, m, s in zip(self.mass, dual.m, self.share, strict=True)
        ]
        return [self.grid(lam) for lam in multipliers], Fraction(dual.output_multiplier) * unit

    def grid(self, number: Fraction) -> Fraction:
        """The number rounded to ``bits - _GUARD_BITS`` binary places."""
        scale = 1 << (self.bits - _GUARD_BITS)
        return Fraction(round(number * scale), scale)

    def refined(self, dual: FloatDual) -> tuple[list[Fraction], Fraction] | None:
        """The same basis solved exactly, or with ``bits`` bits; None if it is singular."""
        equations = [self.equation(row) for row in dual.active]
        equations += [self.fixed(x, dual) for x in dual.at_bound]
        matrix = [left for left, _ in equations]
        right = [value for _, value in equations]
        k = len(self.alphabet)
        try:
            if self.objective.divergence.is_exact:
                solution = solve_rational(matrix, right)
            else:
                solution = self.solve_balls(matrix, right)
        except (ZeroDivisionError, ValueError):
            return None
        t = solution[k + 1] if self.problem.outputs is not None else Fraction(0)
        multipliers = [w * m for w, m in zip(self.mass, solution[:k], strict=True)]
        if self.objective.divergence.is_exact and _digits([*multipliers, t]) < MAX_DIGITS // 2:
            return multipliers, max(t, Fraction(0))
        return [self.grid(lam) for lam in multipliers], max(self.grid(t), Fraction(0))

    def solve_balls(
        self, matrix: Sequence[Sequence[Fraction]], right: Sequence[Fraction]
    ) -> list[Fraction]:
        with working_precision(2 * self.bits):
            a = arb_mat([[ball(entry) for entry in row] for row in matrix])
            b = arb_mat([[ball(entry)] for entry in right])
            entries = a.solve(b, algorithm="approx").entries()
            return [ball_bounds(entry.mid())[0] for entry in entries]

    def equation(self, row: Row) -> tuple[list[Fraction], Fraction]:
        """A row as an equation in (m, L[, t]) for the kernel's h, in its own units."""
        k, zero = len(self.alphabet), Fraction(0)
        n = k + 1 + (self.problem.outputs is not None)
        left = [zero] * n
        if row.kind == "sum":
            left[:k], left[k] = self.mass, Fraction(-1)
            return left, zero
        if row.kind == "convex":
            before, here, after = row.members
            x, y, z = self.share[before], self.share[here], self.share[after]
            left[before], left[here], left[after] = z - y, x - z, y - x
            return left, zero
        left[k:] = [Fraction(1)] * (n - k)
        for x in row.members:
            left[x] = self.c * self.mass[x]
        return left, self.exact_score(row.members)

    def exact_score(self, members: Iterable[int]) -> Fraction:
        """The kernel's mu of a set; its lower end when it is enclosed."""
        listed = list(members)
        a = sum((self.alphabet.p0[x] for x in listed), Fraction(0))
        b = sum((self.alphabet.p1[x] for x in listed), Fraction(0))
        mu = self.objective.divergence.perspective(1 + self.c * a, 1 + self.c * b, self.bits)
        if isinstance(mu, Infinity):
            raise ArithmeticError("a score of a private channel is finite")
        return mu.lower

    def fixed(self, x: int, dual: FloatDual) -> tuple[list[Fraction], Fraction]:
        """An unknown that the basis holds at a bound, as an equation."""
        k = len(self.alphabet)
        left = [Fraction(0)] * (k + 1 + (self.problem.outputs is not None))
        left[x] = Fraction(1)
        if x >= k:
            return left, Fraction(0)
        slope = self.objective.slope * (2 * self.share[x] - 1)
        return left, Fraction(float(dual.m[x])) * self.value + slope

    def repaired(
        self, multipliers: Sequence[Fraction], t: Fraction, separators: tuple[Fraction, ...]
    ) -> UpperBound | None:
        """The multipliers raised until every set satisfies its constraint, as a witness."""
        witness = DualWitness(self.spread(multipliers), t, separators)
        sets = candidate_sets(self.problem, self.exp_epsilon, witness, self.bits)
        if sets is None:
            return None
        base = sum(multipliers, Fraction(0)) + t
        violation = -base
        for a, b, lam in sets:
            mu = self.objective.divergence.perspective(1 + self.c * a, 1 + self.c * b, self.bits)
            if isinstance(mu, Infinity):
                return None
            violation = max(violation, mu.upper - base - self.c * lam)
        if violation > 0:
            scale = 1 << (self.bits - _GUARD_BITS // 2)
            margin = 0 if self.objective.divergence.is_exact else 1 + self.exp_epsilon
            delta = Fraction(int(violation * scale + margin) + 1, scale)
            raised = (lam + delta * w / 2 for lam, w in zip(multipliers, self.mass, strict=True))
            witness = DualWitness(self.spread(list(raised)), t, separators)
        return UpperBound(self.bound(witness), witness)

    def bound(self, witness: DualWitness) -> Fraction:
        total, outputs = sum(witness.multipliers, Fraction(0)), self.problem.outputs
        if outputs is None:
            return total
        return total + witness.output_multiplier * outputs / (self.c + outputs)

    def spread(self, multipliers: Sequence[Fraction]) -> tuple[Fraction, ...]:
        """The multipliers of the merged symbols, shared among their members by mass."""
        p0, p1 = self.problem.p0.masses, self.problem.p1.masses
        spread = [Fraction(0)] * len(p0)
        for lam, w, group in zip(multipliers, self.mass, self.alphabet.members, strict=True):
            for x in group:
                spread[x] = lam * (p0[x] + p1[x]) / w
        return tuple(spread)


def _digits(numbers: Iterable[Fraction]) -> int:
    bits = max(max(n.numerator.bit_length(), n.denominator.bit_length()) for n in numbers)
    return bits * 3 // 10 + 1


def find_upper_bound(
    problem: TestingProblem,
    alphabet: OrderedAlphabet,
    objective: Objective,
    exp_epsilon: Fraction,
    cuts: Sequence[int],
    value: Fraction,
    *,
    bits: int,
) -> UpperBound | None:
    """The best upper bound found; None when none could be proved."""
    search = _Search(problem, alphabet, objective, exp_epsilon, value, bits)
    found: list[UpperBound] = []

    def consider(dual: FloatDual | None) -> bool:
        if dual is None:
            return False
        separators = find_separators(search.transitions(dual.m))
        for pair in (search.refined(dual), search.rounded(dual)):
            bound = None if pair is None else search.repaired(*pair, separators)
            if bound is not None:
                found.append(bound)
                if bound.value <= value * (1 + _GOOD_GAP):
                    return True
        return False

    dual, program = search.convex(cuts)
    if not consider(dual) and dual is not None:
        for radius in _RADII:
            if consider(search.free(dual, program, radius)):
                break
    return min(found, key=lambda bound: bound.value, default=None)
