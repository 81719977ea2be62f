"""The best partition of a short alphabet in float64: Dinkelbach over an O(K^2) or pruned program.

For a trial value v the best sum of mu(B) - v over all partitions into blocks B is found by dynamic
programming over the end of the last block; v then moves to the value of the partition found, until
it stays. Above ``PACKED_MOST`` symbols the scores are not stored, and a first place i of the last
block is dropped at j when F(i) + H(V_j - V_i) <= F(j), with F the best sums so far, V the prefix
masses times E - 1 and H(x, y) the largest g.(x, y) over the subgradients g of h at ratios in
[1/E, E]: for a later end j', mu(i, j') = g.(1 + V_j' - V_i) <= mu(j, j') + H(V_j - V_i).

Reference: Ghazi 2026; Dinkelbach 1967; pruning as in Killick, Fearnhead, Eckley 2012.
"""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from solvers.testing.likelihood_order import Indices, PrefixSums
from solvers.testing.objective import Floats, Objective

__all__ = ["PACKED_MOST", "FloatProgram"]

PACKED_MOST = 2000
"""Most symbols whose K (K + 1)/2 scores are stored."""
_CHUNK = 1 << 15
_PRUNE_EVERY = 16
_BISECTIONS = 80


@dataclass(frozen=True)
class FloatProgram:
    """One alphabet in likelihood-ratio order with its objective.

    Args:
        objective: the divergence.
        c: E - 1.
        prefixes: prefix sums of P0, P1 and P0 - P1 of K symbols.
    """

    objective: Objective
    c: float
    prefixes: tuple[PrefixSums, PrefixSums, PrefixSums]

    @property
    def size(self) -> int:
        """The number K of symbols."""
        return len(self.prefixes[0].high) - 1

    def scores(self, first: Indices | int, end: Indices | int) -> Floats:
        """The scores mu of the blocks first..end-1, elementwise."""
        return self._score(*(prefix.between(first, end) for prefix in self.prefixes))

    def _score(self, a: Floats, b: Floats, difference: Floats) -> Floats:
        c = self.c
        return self.objective.score(
            c * difference, 1 + c * np.maximum(a, 0.0), 1 + c * np.maximum(b, 0.0)
        )

    def value(self, cuts: Sequence[int]) -> float:
        """The divergence of the mechanism with these cuts."""
        places = np.array(cuts)
        total = math.fsum(self.scores(places[:-1], places[1:]).tolist())
        return total / (self.c + len(cuts) - 1)

    @cached_property
    def packed(self) -> Floats:
        """All scores, see ``solvers.testing.max_plus``."""
        from solvers.testing.max_plus import packed_differences  # noqa: PLC0415

        k, out, last = self.size, [], 0
        while last < k:
            first, last = last + 1, min(k, last + max(1, _CHUNK // (last + 1)))
            parts = (packed_differences(p.high, p.low, first, last) for p in self.prefixes)
            out.append(self._score(*parts))
        return np.concatenate(out)

    def best_cuts(self, outputs: int | None = None) -> tuple[int, ...]:
        """The cuts 0 = c_0 < ... < c_s = K of a partition with the largest value, s <= outputs."""
        cuts = self._unlimited()
        if outputs is None or len(cuts) - 1 <= outputs:
            return cuts
        return self._limited(outputs, self.value(cuts))

    def _unlimited(self) -> tuple[int, ...]:
        cuts: tuple[int, ...] = (0, self.size)
        value = self.value(cuts)
        while True:
            found = self._penalised(value)
            improved = self.value(found)
            if improved <= value:
                return cuts
            cuts, value = found, improved

    def _penalised(self, penalty: float) -> tuple[int, ...]:
        from solvers.testing.max_plus import best_origins  # noqa: PLC0415

        if self.size > PACKED_MOST:
            return _traced([self._pruned_origins(penalty)] * self.size, self.size)
        return _traced([best_origins(self.packed, self.size, penalty)] * self.size, self.size)

    def _limited(self, outputs: int, most: float) -> tuple[int, ...]:
        """The best partition into at most ``outputs`` blocks when the unlimited one has more.

        A partition into exactly n blocks that is best for a penalty at least its own value is the
        best among all with at most n: with s <= n blocks the sum of mu is at most its own less
        penalty (n - s), hence the value is no larger. Only without such a penalty, or where all
        scores fit in memory anyway, are the n layers computed.
        """
        from solvers.testing.max_plus import layered_origins  # noqa: PLC0415

        found = self._limited_by_penalty(outputs, most) if self.size > PACKED_MOST else None
        if found is not None:
            return found
        sums, origins = layered_origins(self.packed, self.size, outputs)
        best = int(np.argmax(sums / (self.c + np.arange(1, outputs + 1))))
        return _traced(list(origins[best::-1]), self.size)

    def _limited_by_penalty(self, outputs: int, most: float) -> tuple[int, ...] | None:
        """See ``_limited``; no sum of scores exceeds ``most`` (c + K)."""
        low, high = most, most * (self.c + self.size)
        for _ in range(_BISECTIONS):
            penalty = (low + high) / 2
            cuts = self._penalised(penalty)
            if len(cuts) - 1 == outputs:
                return cuts if penalty >= self.value(cuts) else None
            low, high = (low, penalty) if len(cuts) - 1 < outputs else (penalty, high)
            if not low < (low + high) / 2 < high:
                break
        return None

    def _pruned_origins(self, penalty: float) -> Indices:
        k = self.size
        best, origin = np.zeros(k + 1), np.zeros(k + 1, dtype=np.int64)
        alive = np.zeros(1, dtype=np.int64)
        for j in range(1, k + 1):
            reached = best[alive] + self.scores(alive, j)
            top = int(np.argmax(reached))
            best[j], origin[j] = reached[top] - penalty, alive[top]
            if j % _PRUNE_EVERY == 0:
                alive = alive[best[alive] + self._steepest(alive, j) > best[j]]
            alive = np.append(alive, j)
        return origin

    def _steepest(self, first: Indices, end: int) -> Floats:
        """H of the masses between, see the module."""
        e = 1 + self.c
        x, y, d = (self.c * prefix.between(first, end) for prefix in self.prefixes)
        inside = (x <= e * y) & (y <= e * x) & (np.minimum(x, y) > 0)
        one = np.ones_like(x)
        curved = self.objective.score(
            np.where(inside, d, 0.0), np.where(inside, x, one), np.where(inside, y, one)
        )
        g0, g1 = self.objective.gradient(np.array([1 / e, e]))
        straight = np.maximum(g0[0] * x + g1[0] * y, g0[1] * x + g1[1] * y)
        return np.where(inside, curved, straight)


def _traced(origins: Sequence[Indices], end: int) -> tuple[int, ...]:
    cuts = [end]
    for origin in origins:
        if not cuts[-1]:
            break
        cuts.append(int(origin[cuts[-1]]))
    return tuple(reversed(cuts))
