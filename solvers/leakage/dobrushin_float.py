"""The Dobrushin coefficient of a large channel of floats, with a certified error.

Half of the largest l1 distance between two rows. Tiles of rows are compared by SciPy's l1 kernel,
which calls no BLAS and releases the interpreter lock, in a few threads.
"""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from itertools import combinations_with_replacement

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.distance import cdist

from verify.kernel.errors import InputError

__all__ = ["FloatCoefficient", "dobrushin_coefficient_float"]

ROW_SUM_TOLERANCE = 1e-9
"""How far a row of floats may sum from 1."""
_TILE = 128


@dataclass(frozen=True, slots=True)
class FloatCoefficient:
    """A coefficient in floating point with the pair of rows that attains it.

    Args:
        value: the coefficient of the matrix as it stands.
        error: *upper bound* on the absolute error of ``value`` by rounding.
        first: the first row of the pair.
        second: the second row.
    """

    value: float
    error: float
    first: int
    second: int


def dobrushin_coefficient_float(
    matrix: NDArray[np.float64], n_threads: int = 2
) -> FloatCoefficient:
    """The largest total variation distance between two rows of a float64 matrix.

    Args:
        matrix: (N, m), nonnegative, rows summing to 1 within ``ROW_SUM_TOLERANCE``.
        n_threads: threads that compare tiles of rows.

    Returns:
        The value with a certified bound on its rounding error; the rows are taken as the binary
        rationals that they are.

    Raises:
        InputError: for a matrix of another shape or type, a negative or non-finite entry, a wrong
            sum, or no threads.

    Cost: O(N^2 m) operations, O(N m) memory.
    """
    given = np.asarray(matrix)
    if not np.can_cast(given.dtype, np.float64, "safe"):
        raise InputError(
            f"matrix: holds {given.dtype}; give float64, or an exact Channel elsewhere"
        )
    if n_threads < 1:
        raise InputError(f"n_threads: {n_threads} is less than 1")
    rows = np.ascontiguousarray(given, dtype=np.float64)
    if rows.ndim != 2 or not rows.size:
        raise InputError(f"matrix: has shape {rows.shape}; it must be (inputs, outputs)")
    if not np.isfinite(rows).all() or (rows < 0).any():
        raise InputError("matrix: has a negative or non-finite entry")
    deviation = np.abs(rows.sum(axis=1) - 1)
    if deviation.max() > ROW_SUM_TOLERANCE:
        raise InputError(f"matrix: row {int(deviation.argmax())} does not sum to 1")
    starts = range(0, len(rows), _TILE)
    with ThreadPoolExecutor(n_threads) as pool:
        tiles = pool.map(lambda pair: _farthest(rows, *pair), _pairs_of(starts))
        distance, first, second = max(tiles)
    # Each of the m differences and m - 1 additions is off by a factor within 1 +- 2**-53, so a
    # sum is off by at most 2**-52 (m + 1) of itself for every m < 2**50, in any order.
    error = 2.0**-52 * (rows.shape[1] + 1) * distance
    return FloatCoefficient(distance / 2, error, first, second)


def _pairs_of(starts: range) -> list[tuple[int, int]]:
    return list(combinations_with_replacement(starts, 2))


def _farthest(rows: NDArray[np.float64], left: int, right: int) -> tuple[float, int, int]:
    distances = cdist(rows[left : left + _TILE], rows[right : right + _TILE], "cityblock")
    x, other = np.unravel_index(int(distances.argmax()), distances.shape)
    return float(distances[x, other]), left + int(x), right + int(other)
