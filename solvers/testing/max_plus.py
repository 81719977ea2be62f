"""The inner loops of the float tier, compiled on first use (numba, cached on disk).

Scores of blocks come packed: mu(i, j) for 0 <= i < j <= k stands at j (j - 1)/2 + i. Imported only
by functions that run them: numba takes half a second to load.
"""

from collections.abc import Callable
from typing import Any

import numpy as np
from numba import njit
from numpy.typing import NDArray

__all__ = ["best_origins", "layered_origins", "packed_differences", "prefix_sums"]

Array = NDArray[Any]


def _compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """The function compiled, from the cache where a cache can be written."""
    try:
        compiled: Callable[..., Any] = njit(cache=True)(function)
    except RuntimeError:  # no place for a cache: compile in every process
        compiled = njit(function)
    return compiled


@_compiled
def prefix_sums(masses: Array) -> tuple[Array, Array]:
    """The sums of the first j = 0..k masses in doubled precision: rounded, and the remainder."""
    high, low = np.zeros(len(masses) + 1), np.zeros(len(masses) + 1)
    for j in range(len(masses)):
        added = high[j] + masses[j]
        part = added - high[j]
        error = (high[j] - (added - part)) + (masses[j] - part) + low[j]  # Knuth's two-sum
        high[j + 1] = added + error
        low[j + 1] = error - (high[j + 1] - added)
    return high, low


@_compiled
def packed_differences(high: Array, low: Array, first: int, last: int) -> Array:
    """The masses of all blocks that end at first..last, packed."""
    out = np.empty((last * (last + 1) - first * (first - 1)) // 2)
    place = 0
    for j in range(first, last + 1):
        for i in range(j):
            out[place] = (high[j] - high[i]) + (low[j] - low[i])
            place += 1
    return out


@_compiled
def best_origins(scores: Array, k: int, penalty: float) -> Array:
    """For each end j the first place i of the last block of a best partition of 0..j.

    Best is the largest sum of mu - penalty over the blocks.
    """
    best = np.zeros(k + 1)
    origin = np.zeros(k + 1, np.int64)
    place = 0
    for j in range(1, k + 1):
        top, where = -np.inf, 0
        for i in range(j):
            reached = best[i] + scores[place + i]
            if reached > top:
                top, where = reached, i
        place += j
        best[j] = top - penalty
        origin[j] = where
    return origin


@_compiled
def layered_origins(scores: Array, k: int, layers: int) -> tuple[Array, Array]:
    """For s = 1..layers blocks: the best sums G(s) of mu, and the origins in each layer."""
    before = np.full(k + 1, -np.inf)
    before[0] = 0.0
    sums = np.empty(layers)
    origins = np.zeros((layers, k + 1), np.int64)
    for s in range(layers):
        after = np.full(k + 1, -np.inf)
        place = 0
        for j in range(1, k + 1):
            top, where = -np.inf, 0
            for i in range(s, j):
                reached = before[i] + scores[place + i]
                if reached > top:
                    top, where = reached, i
            place += j
            after[j] = top
            origins[s, j] = where
        sums[s] = after[k]
        before = after
    return sums, origins
