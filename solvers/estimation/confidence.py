"""Confidence intervals for the chance of a binomial count, valid for every number of trials."""

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from verify.kernel.errors import InputError

__all__ = ["clopper_pearson"]

Floats = NDArray[np.float64]


def clopper_pearson(counts: NDArray[np.int64], n: int, confidence: float, tests: int = 1) -> Floats:
    """Intervals for the chances of binomial counts of n trials, shape (len(counts), 2), in float64.

    Args:
        counts: the counts.
        n: the number of trials.
        confidence: the coverage, in (0, 1).
        tests: number of intervals that are to cover together.

    Raises:
        InputError: for a confidence outside (0, 1).

    Reference: Clopper and Pearson 1934.
    """
    if not 0 < confidence < 1:
        raise InputError(f"confidence: {confidence} is not between 0 and 1")
    tail = (1 - confidence) / (2 * tests)
    hits = counts.astype(np.float64)
    lower = np.where(hits > 0, betaincinv(np.maximum(hits, 1), n - hits + 1, tail), 0.0)
    missed = np.maximum(n - hits, 1)
    upper = np.where(hits < n, betaincinv(hits + 1, missed, 1 - tail), 1.0)
    bounds: Floats = np.stack([lower, upper], axis=1)
    return bounds
