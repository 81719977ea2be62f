"""Hadamard matrices of order 8(a+b) from complex Golay pairs of lengths a and b."""

from functools import cache

import numpy as np

from combinatorics.hadamard.arrays import eight_circulant_array
from combinatorics.hadamard.golay import complex_golay_pair, is_complex_golay_length
from combinatorics.hadamard.recipe import Family, Recipe
from combinatorics.hadamard.sign_matrix import SignMatrix

__all__ = ["kharaghani", "plan_kharaghani"]

_REAL = np.array([1, -1, -1, 1], dtype=np.int8)
_IMAGINARY = np.array([1, 1, -1, -1], dtype=np.int8)


def kharaghani(a: int, b: int) -> SignMatrix:
    """The Hadamard matrix of order 8(a+b) in the array of eight circulants.

    The complex sequences (A, C), (A, -C), (B, D), (B, -D) of two complex Golay pairs, each times
    1 + i, give their real and imaginary parts as eight first rows.

    Reference: Kharaghani, Journal of Combinatorial Designs 8 (2000); Craigen, Holzmann and
    Kharaghani, Discrete Mathematics 252 (2002).
    """
    (first, second), (third, fourth) = complex_golay_pair(a), complex_golay_pair(b)
    rows = []
    for left, right in ((first, third), (second, fourth)):
        for turn in (0, 2):
            exponents = np.concatenate([left, (right + turn) % 4])
            rows += [_REAL[exponents], _IMAGINARY[exponents]]
    return eight_circulant_array(np.stack(rows))


_KHARAGHANI = Family(
    "Kharaghani's eight circulants with complex Golay pairs",
    "Kharaghani, Journal of Combinatorial Designs 8 (2000); "
    "Craigen, Holzmann and Kharaghani, Discrete Mathematics 252 (2002)",
    ("a", "b"),
    kharaghani,
)

_LONGEST_SHORT_LENGTH = 2**12
"""Splits a + b are tried with a up to here: longer ones are beyond any matrix that is built."""


def plan_kharaghani(n: int) -> Recipe | None:
    """A recipe for order n = 8(a+b), or None if no split into complex Golay lengths is known."""
    if n % 8:
        return None
    total = n // 8
    for a in _short_lengths():
        if 2 * a <= total and is_complex_golay_length(total - a):
            return Recipe(_KHARAGHANI, n, (a, total - a))
    return None


@cache
def _short_lengths() -> tuple[int, ...]:
    return tuple(a for a in range(1, _LONGEST_SHORT_LENGTH + 1) if is_complex_golay_length(a))
