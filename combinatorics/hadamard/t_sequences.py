"""T-sequences and T-matrices.

T-sequences are four sequences of length t with entries 0, +1, -1, exactly one of them nonzero at
each place, whose aperiodic autocorrelations add to zero.

Their circulants, and T-matrices in general, have the sum of the T T' equal to tI; that weaker
property is all that an array of Hadamard matrices needs.
"""

from functools import lru_cache

import numpy as np

from combinatorics.hadamard.base_sequences import (
    BaseSequences,
    base_sequences,
    base_sequences_from_turyn_type,
    is_base_length,
    is_turyn_type_length,
)
from combinatorics.hadamard.golay import golay_lengths, golay_pair, is_golay_length
from combinatorics.hadamard.recipe import Family, Recipe
from combinatorics.hadamard.sign_matrix import SignMatrix, parse_signs
from combinatorics.hadamard.stored import stored_rows
from verify.kernel.errors import InputError

__all__ = ["plan_t_sequences", "t_sequences"]

_TURYN = "Turyn, Journal of Combinatorial Theory A 16 (1974)"


def _place(sequences: list[tuple[int, SignMatrix]], length: int) -> SignMatrix:
    """Four rows of zeros with each sequence written from its starting place."""
    rows = np.zeros((4, length), dtype=np.int8)
    for row, (start, sequence) in zip(rows, sequences, strict=True):
        row[start : start + sequence.size] = sequence
    return rows


def _halves(pair: SignMatrix) -> tuple[SignMatrix, SignMatrix]:
    return (pair[0] + pair[1]) // 2, (pair[0] - pair[1]) // 2


def _from_one_golay_pair(g: int) -> SignMatrix:
    x, y = _halves(golay_pair(g))
    one, nothing = np.ones(1, dtype=np.int8), np.zeros(0, dtype=np.int8)
    return _place([(0, one), (0, nothing), (1, x), (1, y)], g + 1)


def _from_two_golay_pairs(g: int, h: int) -> SignMatrix:
    a, b = _halves(golay_pair(g))
    c, d = _halves(golay_pair(h))
    return _place([(0, a), (0, b), (g, c), (g, d)], g + h)


def _from_base_sequences(sequences: BaseSequences) -> SignMatrix:
    long, short = sequences
    a, b = _halves(long)
    c, d = _halves(short)
    return _place([(0, a), (0, b), (a.size, c), (a.size, d)], a.size + c.size)


def _from_storage(t: int) -> SignMatrix:
    return parse_signs(stored_rows("t_sequences")[(t,)])


def _t_matrices_67() -> SignMatrix:
    return parse_signs(stored_rows("t_matrices")[(67,)])


_ONE_GOLAY = Family("T-sequences of a Golay pair", _TURYN, ("g",), _from_one_golay_pair)
_TWO_GOLAY = Family("T-sequences of two Golay pairs", _TURYN, ("g", "h"), _from_two_golay_pairs)
_TURYN_TYPE = Family(
    "T-sequences of Turyn-type sequences",
    "Kharaghani and Tayfeh-Rezaie, Journal of Combinatorial Designs 13 (2005)",
    ("n",),
    lambda n: _from_base_sequences(base_sequences_from_turyn_type(n)),
)
_BASE = Family(
    "T-sequences of base sequences",
    _TURYN,
    ("m",),
    lambda m: _from_base_sequences(base_sequences(m)),
)
_STORED = Family(
    "stored T-sequences",
    "Koukouvinos, Kounias, Seberry, Yang and Yang, Multiplication of sequences (1994)",
    ("t",),
    _from_storage,
)
_SAWADE = Family(
    "T-matrices of order 67", "Sawade, Graphs and Combinatorics 1 (1985)", (), _t_matrices_67
)


@lru_cache(maxsize=2**14)
def plan_t_sequences(t: int) -> Recipe | None:
    """A recipe for T-sequences of length t (T-matrices for t = 67), or None if none is known here.

    Reference: Turyn, Journal of Combinatorial Theory A 16 (1974).
    """
    if is_golay_length(t - 1):
        return Recipe(_ONE_GOLAY, t, (t - 1,))
    if t % 2 and is_base_length((t - 1) // 2):
        return Recipe(_BASE, t, ((t - 1) // 2,))
    if (t + 1) % 3 == 0 and is_turyn_type_length((t + 1) // 3):
        return Recipe(_TURYN_TYPE, t, ((t + 1) // 3,))
    if t == 67:
        return Recipe(_SAWADE, t)
    if (t,) in stored_rows("t_sequences"):
        return Recipe(_STORED, t, (t,))
    return _plan_two_golay_pairs(t)


def _plan_two_golay_pairs(t: int) -> Recipe | None:
    lengths = golay_lengths()
    splits = [g for g in lengths if 2 * g <= t and t - g in lengths]
    return Recipe(_TWO_GOLAY, t, (min(splits), t - min(splits))) if splits else None


def t_sequences(t: int) -> SignMatrix:
    """T-sequences of length t, shape (4, t); for t = 67 first rows of T-matrices.

    Raises:
        InputError: when no construction of this length is known here.

    Reference: Turyn, Journal of Combinatorial Theory A 16 (1974).
    """
    recipe = plan_t_sequences(t)
    if recipe is None:
        raise InputError(f"T-sequences of length {t}: no construction is known here")
    return recipe.build()
