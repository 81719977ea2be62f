"""Steps after the unbiased estimate, each by its name: a sum of 1, and no negative entries."""

import numpy as np
from numpy.typing import ArrayLike, NDArray

from verify.kernel.errors import InputError

__all__ = ["project_onto_simplex", "with_sum_one"]

Floats = NDArray[np.float64]


def _vector(estimate: ArrayLike) -> Floats:
    vector = np.asarray(estimate, dtype=np.float64)
    if vector.ndim != 1 or not len(vector) or not np.isfinite(vector).all():
        raise InputError("estimate: must be a nonempty vector of finite numbers")
    return vector


def with_sum_one(estimate: ArrayLike) -> Floats:
    """The nearest vector with sum 1: every entry moved alike. It stays unbiased, in float64.

    For a structure with blocks of one size the canonical estimate has this sum already; for a
    truncated design the step lowers the risk (``corrected_n_risk``).
    """
    vector = _vector(estimate)
    moved: Floats = vector + (1 - vector.sum()) / len(vector)
    return moved


def project_onto_simplex(estimate: ArrayLike) -> Floats:
    """The nearest probability vector in Euclidean distance, in float64; biased, never farther off.

    Reference: Held, Wolfe and Crowder 1974.

    >>> project_onto_simplex([0.5, 0.75, -0.25]).tolist()
    [0.375, 0.625, 0.0]
    """
    vector = _vector(estimate)
    descending = np.sort(vector)[::-1]
    thresholds = (np.cumsum(descending) - 1) / np.arange(1, len(vector) + 1)
    kept = int(np.flatnonzero(descending > thresholds)[-1])
    projected: Floats = np.maximum(vector - thresholds[kept], 0.0)
    return projected
