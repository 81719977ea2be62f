"""Multipliers with room to spare: optimal, and strict in every constraint that may be strict.

An optimal partition B_1..B_s with tangents g_1..g_s at its ratios makes the constraints of its own
blocks equalities, L + c l(B_j) + t = mu(B_j), for every optimal multiplier. Hence for S = B_j with
symbols D taken out and N put in, and the Bregman distance h(1 + cP(S)) - g_j.(1 + cP(S)) of S,

    L + c l(S) + t - mu(S) = c sum over D of (g_j.p_x - l_x) + c sum over N of (l_x - g_j.p_x)
                             - distance of S from g_j;

single symbols show that g_i.p_x <= l_x <= g_j.p_x for x in B_j and i != j. Where the partition is
the only optimum there are multipliers with slack in all other constraints (Goldman, Tucker 1956):
they stay feasible when they are rounded and the sums l(B_j) are set right exactly, so the bound is
exact. A linear program, with cuts from the sweep, looks for the largest share of the room
g_j.p_x - max g_i.p_x that every symbol and set can keep. Its answer is any point of its best face;
what is taken is the analytic centre of all that leave a quarter to a half of that share, which is
one point. Rounded to a grid, it is the same on every machine. A symbol moves by one step of the
grid at most, so a set loses no more than that part of its margin.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from math import frexp, fsum, ldexp

import numpy as np
from highspy import HighsModelStatus, kHighsInf
from highspy._core import _Highs as Highs
from scipy.sparse import csr_array, eye_array, vstack

from solvers.testing.analytic_centre import analytic_centre
from solvers.testing.dual_floats import DualFloats, row_sums
from solvers.testing.objective import Floats
from solvers.testing.portable_functions import exp, expm1

__all__ = ["Strict", "strict_multipliers"]

_ROUNDS = 30
_LEAST_SHARE = 1e-6  # tolerances of the solver are of that order
_LARGEST_SHARE = 0.4
_ENOUGH = 0.5
_GRID = 0.25
_GOLDEN = (5**0.5 - 1) / 2
_APART = 1 << 12
_TRIALS = 3
_STEP = 1e-5
_NEAR = 1e-5


@dataclass(frozen=True, slots=True)
class Strict:
    """Multipliers with a margin, in the units of ``DualFloats``.

    Args:
        m: the multipliers over P0 + P1.
        drop: by how much m_x is below g_j.p_x for the block B_j of x; a large E leaves so little
            that ``m`` has rounded it away.
        output_multiplier: t.
    """

    m: Floats
    drop: Floats
    output_multiplier: float


def strict_multipliers(floats: DualFloats, cuts: Sequence[int]) -> Strict | None:
    """Strict multipliers; None where none with a margin are found.

    Args:
        floats: the problem.
        cuts: a partition that is the only optimum, with more than one block.

    Cost: some 5 linear programs with k unknowns, each with its analytic centre.
    """
    fills = floats.equations.problem.outputs == len(cuts) - 1
    with np.errstate(all="ignore"):
        for is_limited in (True, False) if fills else (False,):
            spare = 0.0
            for _ in range(_TRIALS if is_limited else 1):
                program = _MarginProgram(floats, cuts, spare, is_limited=is_limited)
                found = program.run() if program.is_possible else None
                if found is not None:
                    return found
                spare = program.spare
    return None


class _MarginProgram:
    """Unknowns y_x, t >= share, and the share: l_x = g_j.p_x - y_x cap_x room_x for x in B_j.

    The sum of g_j.p_x - l_x over a block is given but for t, and for large E it is less than the
    room of most symbols by far: cap_x room_x is the smaller of the two, for a t called ``spare``,
    and y_x is at most 1/cap_x - share. The output multiplier is t in a unit; t is 0 without a
    limit. After a run ``spare`` is the last t.
    """

    def __init__(
        self, floats: DualFloats, cuts: Sequence[int], spare: float, *, is_limited: bool
    ) -> None:
        self._floats, self._n, self._k = floats, len(cuts) - 1, len(floats.w)
        self._firsts, self._is_limited = list(cuts[:-1]), is_limited
        self._blocks = np.zeros((len(cuts) - 1, self._k))
        for j, (first, end) in enumerate(pairwise(cuts)):
            self._blocks[j, first:end] = 1.0
        parts = floats.p0, floats.p1, floats.difference
        a, b, d = (row_sums(self._blocks, part) for part in parts)
        self._logs = floats.problem.logs(*(floats.c * d, 1 + floats.c * a, 1 + floats.c * b))[
            :, None
        ]
        symbols = floats.symbols.difference, floats.symbols.first, floats.symbols.second
        tangent = floats.objective.tangent_value(self._logs, *symbols) / floats.unit
        inside = self._blocks > 0
        self._top = np.max(np.where(inside, tangent, -np.inf), axis=0)
        self._room = self._top - np.max(np.where(inside, -np.inf, tangent), axis=0)
        self._above = self._top - tangent  # of g_j for the symbols of other blocks
        self._full = floats.w * self._room
        _, drop = floats.objective.slope_and_drop(self._logs[:, 0])
        self._sums = (1 + drop / floats.unit) / floats.c
        self.is_possible = bool(
            np.all(np.isfinite(self._full)) and np.all(self._room > 0) and np.all(self._full > 0)
        )
        self.spare = spare
        left = np.repeat(self._sums + spare, np.diff(cuts))
        self._cap = np.minimum(1.0, left / self._full)
        self._weight = self._cap * self._full
        self._orders = [i + np.argsort(self._weight[i:j], kind="stable") for i, j in pairwise(cuts)]
        self._unit = min(float(self._weight[order[-1]]) for order in self._orders)
        self._rows: list[tuple[Floats, float]] = []

    def run(self) -> Strict | None:
        """Add the sets without a margin until there are none."""
        highs, known = self._start(), set[bytes]()
        for _ in range(_ROUNDS):
            highs.run()
            values = np.array(highs.getSolution().col_value)
            self.spare = self._unit * float(values[-2])
            if highs.getModelStatus() != HighsModelStatus.kOptimal or values[-1] < _LEAST_SHARE:
                return None
            share = ldexp(1.0, frexp(float(values[-1]))[1] - 2)  # noise does not reach it
            centre = self._centre(values[:-1], share)
            if centre is None:
                return None
            y, t = self._rounded(centre, share)
            drop, t = y * self._cap * self._room, t * (self._floats.c + self._n)
            sets = self._floats.sweep(self._top - drop, t).sets
            size, needed, change = self._constraints(sets)
            slack = row_sums(change, y) - needed
            if np.all(slack >= _ENOUGH * share * size):
                return Strict(self._top - drop, drop, t)
            news = [i for i in np.flatnonzero(slack < share * size) if size[i]]
            fresh = [i for i in news if sets[i].tobytes() not in known]
            known |= {sets[i].tobytes() for i in fresh}
            if not fresh:
                return None
            for i in fresh:
                self._add(highs, change[i] / size[i], float(needed[i] / size[i]))
        return None

    def _centre(self, start: Floats, share: float) -> Floats | None:
        """The centre of the unknowns that leave a given share to all."""
        n = self._k + self._is_limited
        equations = np.zeros((self._n, n))
        equations[:, : self._k] = self._blocks * self._weight
        equations[:, self._k :] = -self._unit
        scales = np.max(equations, axis=1)
        unity, below = eye_array(n, format="csr"), eye_array(self._k, n, format="csr")
        rows = [csr_array(np.append(row, np.zeros(n - self._k))[None, :]) for row, _ in self._rows]
        needed = [number + share for _, number in self._rows]
        least = np.concatenate([np.full(n, share), share - 1 / self._cap, needed])
        faces = csr_array(vstack([unity, -below, *rows], format="csr"))
        return analytic_centre(
            start[:n], faces, least, equations / scales[:, None], self._sums / scales
        )

    def _rounded(self, centre: Floats, share: float) -> tuple[Floats, float]:
        """The unknowns on a grid, but for the heaviest symbol of a block, whose sum is kept.

        What is lost on a symbol is passed on to the next heavier one of its block.
        """
        grid, y = _GRID * share, centre[: self._k].copy()
        apart = np.floor(np.arange(self._k) * _GOLDEN % 1.0 * _APART) / (4 * _APART)
        t = grid * self._unit * round(float(centre[-1]) / grid) if self._is_limited else 0.0
        for order, own in zip(self._orders, self._sums.tolist(), strict=True):
            weights, carry, kept = self._weight[order].tolist(), 0.0, []
            for x, weight in zip(order[:-1].tolist(), weights, strict=False):
                wanted = float(y[x])
                y[x] = grid * (round((wanted + carry / weight) / grid) + apart[x])
                carry += weight * (wanted - float(y[x]))
                kept.append(-weight * float(y[x]))
            y[order[-1]] = fsum([own, t, *kept]) / weights[-1]
        return y, t

    def _start(self) -> Highs:
        """The program with the equalities of the blocks."""
        highs, k = Highs(), self._k
        for option, value in (("output_flag", False), ("solver", "ipm"), ("run_crossover", "off")):
            highs.setOptionValue(option, value)
        for _ in range(k):
            highs.addVar(0.0, kHighsInf)
        highs.addVar(0.0, kHighsInf if self._is_limited else 0.0)
        highs.addVar(-1.0, _LARGEST_SHARE)
        highs.changeColCost(k + 1, -1.0)
        for x in range(k + self._is_limited):
            pair = np.array([x, k + 1], dtype=np.int32)
            highs.addRow(0.0, kHighsInf, 2, pair, np.array([1.0, -1.0]))
            if x < k:
                highs.addRow(-kHighsInf, 1 / self._cap[x], 2, pair, np.ones(2))
        for block, own in zip(self._blocks, self._sums.tolist(), strict=True):
            members = np.append(np.flatnonzero(block), k).astype(np.int32)
            entries = np.append(self._weight[members[:-1]], -self._unit)
            scale = float(np.max(entries))
            highs.addRow(own / scale, own / scale, len(members), members, entries / scale)
        return highs

    def _add(self, highs: Highs, change: Floats, needed: float) -> None:
        members = np.append(np.flatnonzero(change), self._k + 1).astype(np.int32)
        entries = np.append(change[members[:-1]], -1.0)
        highs.addRow(needed, kHighsInf, len(members), members, entries)
        self._rows.append((change, needed))

    def _constraints(self, sets: Floats) -> tuple[Floats, Floats, Floats]:
        """The rows change.y - needed >= share size of sets, each from the block next to it.

        They are the slacks over c.
        """
        f = self._floats
        both = sets * (self._weight + self._full)
        shared = np.add.reduceat(both, self._firsts, axis=1)
        nearest = np.argmin(row_sums(self._blocks, self._weight) - shared, axis=1)
        own = self._blocks[nearest]
        size = row_sums(np.maximum(own - sets, 0.0), self._weight)
        size += row_sums(np.maximum(sets - own, 0.0), self._full)
        room = np.maximum(sets - own, 0.0) * f.w * self._above[nearest]
        needed = self._distance(sets, own, self._logs[nearest, 0]) / f.c - room.sum(axis=1)
        return size, np.where(size > 0, needed, 0.0), (own - sets) * self._weight

    def _distance(self, sets: Floats, own: Floats, u: Floats) -> Floats:
        """The Bregman distances of sets from the tangents of blocks at log t = u."""
        f, tau = self._floats, np.ones_like(u)
        a, b, d = (f.c * row_sums(sets, part) for part in (f.p0, f.p1, f.difference))
        grown = u
        if not f.problem.exponent:
            grown, tau = expm1(u), exp(u)
        moved = sets - own
        excess = f.c * (row_sums(moved, f.difference) - grown * row_sums(moved, f.p1)) / (1 + b)
        slopes = (f.objective.slope_and_drop(v)[0] for v in (u + _STEP, u - _STEP))
        curvature = (next(slopes) - next(slopes)) / (2 * _STEP * tau)
        tangent = f.objective.tangent_value(u, d, 1 + a, 1 + b)
        far = np.maximum(f.score(sets) * f.unit - tangent, 0.0)
        near = curvature / 2 * excess**2 * (1 + b)
        return np.where(np.abs(excess) < _NEAR * tau, near, far) / f.unit
