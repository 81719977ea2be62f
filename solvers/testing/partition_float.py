"""The best partition into contiguous blocks, in float64.

For blocks B_1..B_s of the alphabet in likelihood-ratio order, the mechanism that reports the block
by randomized response has divergence sum_j mu(B_j) / (E - 1 + s), with mu(B) = h(1 + (E-1) P0(B),
1 + (E-1) P1(B)). Without a limit on s this is a ratio, so Dinkelbach's method applies: for a trial
value v the best sum of mu(B) - v over all partitions takes one O(k^2) pass, and its partition has
a larger ratio until v is the optimum. With at most L blocks a layered program takes O(L k^2).

Reference: Ghazi 2026 (Sort, Partition, Randomize); Dinkelbach 1967.
"""

from collections.abc import Sequence
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from solvers.testing.objective import Floats, Objective

__all__ = ["best_cuts", "best_cuts_by_limit", "interval_scores", "partition_value"]


def interval_scores(
    objective: Objective,
    c: float,
    prefix0: Floats,
    prefix1: Floats,
    differences: Floats | None = None,
) -> Floats:
    """The scores mu of all blocks, a (k+1, k+1) array over (first, end); -inf unless first < end.

    Args:
        objective: the divergence.
        c: E - 1.
        prefix0: P0 of the first j symbols, j = 0..k.
        prefix1: the same under P1.
        differences: prefix0 - prefix1, where it is known more precisely than they are.
    """
    d = prefix0 - prefix1 if differences is None else differences
    a = prefix0[None, :] - prefix0[:, None]
    b = prefix1[None, :] - prefix1[:, None]
    upper = np.triu(np.ones(a.shape, dtype=bool), 1)
    a, b, d = (np.where(upper, part, 0.0) for part in (a, b, d[None, :] - d[:, None]))
    scores = objective.score(c * d, 1 + c * a, 1 + c * b)
    return np.where(upper, scores, -np.inf)


def partition_value(scores: Floats, c: float, cuts: Sequence[int]) -> float:
    """The divergence of the mechanism with these cuts."""
    total = sum(scores[i, j] for i, j in pairwise(cuts))
    return float(total / (c + len(cuts) - 1))


def best_cuts(scores: Floats, c: float, outputs: int | None = None) -> tuple[int, ...]:
    """The cuts 0 = c_0 < ... < c_s = k of a partition with the largest value.

    Args:
        scores: from ``interval_scores``.
        c: E - 1.
        outputs: the largest s, or None.

    Cost: O(k^2) for each of at most a few Dinkelbach steps, or O(L k^2).
    """
    k = scores.shape[0] - 1
    cuts = _unlimited_cuts(scores, c)
    if outputs is None or len(cuts) - 1 <= outputs:
        return cuts
    return _limited_cuts(scores, c, min(outputs, k))


def _unlimited_cuts(scores: Floats, c: float) -> tuple[int, ...]:
    k = scores.shape[0] - 1
    cuts: tuple[int, ...] = (0, k)
    value = partition_value(scores, c, cuts)
    while True:
        found = _penalised_cuts(scores, value)
        improved = partition_value(scores, c, found)
        if improved <= value:
            return cuts
        cuts, value = found, improved


def _penalised_cuts(scores: Floats, penalty: float) -> tuple[int, ...]:
    """The cuts of the partition with the largest sum of mu(B) - penalty."""
    k = scores.shape[0] - 1
    best = np.zeros(k + 1)
    origin = np.zeros(k + 1, dtype=np.int64)
    for j in range(1, k + 1):
        candidates = best[:j] + scores[:j, j]
        origin[j] = np.argmax(candidates)
        best[j] = candidates[origin[j]] - penalty
    return _trace([origin] * k, k)


def _limited_cuts(scores: Floats, c: float, outputs: int) -> tuple[int, ...]:
    return best_cuts_by_limit(scores, c, outputs)[-1]


def best_cuts_by_limit(scores: Floats, c: float, most: int) -> list[tuple[int, ...]]:
    """For each limit 1..most on the number of blocks, the cuts of a best partition.

    Args:
        scores: from ``interval_scores``.
        c: E - 1.
        most: at most the number k of symbols.

    Cost: one pass of O(most k^2) for all of them.
    """
    k = scores.shape[0] - 1
    layer = np.full(k + 1, -np.inf)
    layer[0] = 0.0
    origins: list[NDArray[np.int64]] = []
    found: list[tuple[int, ...]] = []
    best_value = -np.inf
    for s in range(1, most + 1):
        sums = layer[:, None] + scores
        origins.append(np.argmax(sums, axis=0))
        layer = np.max(sums, axis=0)
        if layer[k] / (c + s) > best_value:
            best_value = layer[k] / (c + s)
            found.append(_trace(origins[::-1], k))
        else:
            found.append(found[-1])
    return found


def _trace(origins: Sequence[NDArray[np.int64]], end: int) -> tuple[int, ...]:
    cuts = [end]
    for origin in origins:
        if not cuts[-1]:
            break
        cuts.append(int(origin[cuts[-1]]))
    return tuple(reversed(cuts))
