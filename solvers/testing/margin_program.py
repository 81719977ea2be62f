"""Multipliers with room to spare: optimal, and strict in every constraint that may be strict.

An optimal partition B_1..B_s with tangents g_1..g_s at its ratios makes the constraints of its own
blocks equalities, L + c l(B_j) + t = mu(B_j), for every optimal multiplier. Hence for S = B_j with
symbols D taken out and N put in, and the Bregman distance h(1 + cP(S)) - g_j.(1 + cP(S)) of S,

    L + c l(S) + t - mu(S) = c sum over D of (g_j.p_x - l_x) + c sum over N of (l_x - g_j.p_x)
                             - distance of S from g_j;

single symbols show that g_i.p_x <= l_x <= g_j.p_x for x in B_j and i != j. Where the partition is
the only optimum there are multipliers with slack in all other constraints (Goldman, Tucker 1956):
they stay feasible when they are rounded and the sums l(B_j) are set right exactly, so the bound is
exact. The program looks for the largest share of the room g_j.p_x - max g_i.p_x that every symbol
and set can keep, by cuts from the sweep; an interior point method without crossover answers from
the middle of the best face, which a few cuts suffice for.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from highspy import HighsModelStatus, kHighsInf
from highspy._core import _Highs as Highs

from solvers.testing.dual_floats import DualFloats
from solvers.testing.objective import Floats

__all__ = ["strict_multipliers"]

_ROUNDS = 30
_LARGEST_SHARE = 0.4
_ENOUGH = 0.25
_STEP = 1e-5
_NEAR = 1e-5


def strict_multipliers(floats: DualFloats, cuts: Sequence[int]) -> tuple[Floats, float] | None:
    """Multipliers (m, t) in the units of ``floats``; None where none with a margin are found.

    Args:
        floats: the problem.
        cuts: a partition that is the only optimum, with more than one block.

    Cost: some 10 linear programs with k unknowns.
    """
    with np.errstate(all="ignore"):
        program = _MarginProgram(floats, cuts)
        return program.run() if program.is_possible else None


class _MarginProgram:
    """Unknowns y_x in [share, 1 - share], t, the share: l_x = g_j.p_x - y_x room_x for x in B_j."""

    def __init__(self, floats: DualFloats, cuts: Sequence[int]) -> None:
        self._floats, self._n, self._k = floats, len(cuts) - 1, len(floats.w)
        self._blocks = np.zeros((len(cuts) - 1, self._k))
        for j, (first, end) in enumerate(pairwise(cuts)):
            self._blocks[j, first:end] = 1.0
        a, b, d = (self._blocks @ part for part in (floats.p0, floats.p1, floats.difference))
        self._logs = floats.problem.logs(*(floats.c * d, 1 + floats.c * a, 1 + floats.c * b))[
            :, None
        ]
        symbols = floats.symbols.difference, floats.symbols.first, floats.symbols.second
        tangent = floats.objective.tangent_value(self._logs, *symbols) / floats.unit
        inside = self._blocks > 0
        self._top = np.max(np.where(inside, tangent, -np.inf), axis=0)
        self._room = self._top - np.max(np.where(inside, -np.inf, tangent), axis=0)
        self._above = self._top - tangent  # of g_j for the symbols of other blocks
        self._weight = floats.w * self._room
        self.is_possible = bool(np.all(np.isfinite(self._weight)) and np.all(self._room > 0))

    def run(self) -> tuple[Floats, float] | None:
        """Add the sets without a margin until there are none."""
        highs, known = self._start(), set[bytes]()
        for _ in range(_ROUNDS):
            highs.run()
            values = np.array(highs.getSolution().col_value)
            if highs.getModelStatus() != HighsModelStatus.kOptimal or values[-1] <= 0:
                return None
            y, share = values[: self._k], values[-1]
            m, t = self._top - y * self._room, float(values[-2]) * (self._floats.c + self._n)
            sets = self._floats.sweep(m, t).sets
            size, needed, change = self._constraints(sets)
            slack = change @ y - needed
            if np.all(slack >= _ENOUGH * share * size):
                return m, t
            news = [i for i in np.flatnonzero(slack < share / 2 * size) if size[i]]
            fresh = [i for i in news if sets[i].tobytes() not in known]
            known |= {sets[i].tobytes() for i in fresh}
            if not fresh:
                return None
            for i in fresh:
                self._add(highs, change[i] / size[i], needed[i] / size[i])
        return None

    def _start(self) -> Highs:
        """The program with the equalities of the blocks."""
        highs, k, f = Highs(), self._k, self._floats
        for option, value in (("output_flag", False), ("solver", "ipm"), ("run_crossover", "off")):
            highs.setOptionValue(option, value)
        for _ in range(k):
            highs.addVar(0.0, 1.0)
        is_limited = f.equations.problem.outputs == self._n
        highs.addVar(0.0, kHighsInf if is_limited else 0.0)
        highs.addVar(-1.0, _LARGEST_SHARE)
        highs.changeColCost(k + 1, -1.0)
        for x in range(k):
            pair = np.array([x, k + 1], dtype=np.int32)
            highs.addRow(0.0, kHighsInf, 2, pair, np.array([1.0, -1.0]))
            highs.addRow(-kHighsInf, 1.0, 2, pair, np.ones(2))
        _, drop = f.objective.slope_and_drop(self._logs[:, 0])
        for block, own in zip(self._blocks, (1 + drop / f.unit) / f.c, strict=True):
            members = np.append(np.flatnonzero(block), k).astype(np.int32)
            entries = np.append(self._weight[members[:-1]], -1.0)
            scale = float(np.max(entries))
            highs.addRow(own / scale, own / scale, len(members), members, entries / scale)
        return highs

    def _add(self, highs: Highs, change: Floats, needed: float) -> None:
        members = np.append(np.flatnonzero(change), self._k + 1).astype(np.int32)
        entries = np.append(change[members[:-1]], -1.0)
        highs.addRow(float(needed), kHighsInf, len(members), members, entries)

    def _constraints(self, sets: Floats) -> tuple[Floats, Floats, Floats]:
        """The rows change.y - needed >= share size of sets, each from the block next to it.

        They are the slacks over c.
        """
        f = self._floats
        apart = np.stack([np.abs(sets - block) @ self._weight for block in self._blocks])
        nearest = np.argmin(apart, axis=0)
        size, own = apart[nearest, np.arange(len(sets))], self._blocks[nearest]
        room = np.maximum(sets - own, 0.0) * f.w * self._above[nearest]
        needed = self._distance(sets, own, self._logs[nearest, 0]) / f.c - room.sum(axis=1)
        return size, np.where(size > 0, needed, 0.0), (own - sets) * self._weight

    def _distance(self, sets: Floats, own: Floats, u: Floats) -> Floats:
        """The Bregman distances of sets from the tangents of blocks at log t = u."""
        f, tau = self._floats, np.ones_like(u)
        a, b, d = (f.c * (sets @ part) for part in (f.p0, f.p1, f.difference))
        grown = u
        if not f.problem.exponent:
            grown, tau = np.expm1(u), np.exp(u)
        moved = sets - own
        excess = f.c * (moved @ f.difference - grown * (moved @ f.p1)) / (1 + b)
        slopes = (f.objective.slope_and_drop(v)[0] for v in (u + _STEP, u - _STEP))
        curvature = (next(slopes) - next(slopes)) / (2 * _STEP * tau)
        tangent = f.objective.tangent_value(u, d, 1 + a, 1 + b)
        far = np.maximum(f.score(sets) * f.unit - tangent, 0.0)
        near = curvature / 2 * excess**2 * (1 + b)
        return np.where(np.abs(excess) < _NEAR * tau, near, far) / f.unit
