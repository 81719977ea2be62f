"""Turyn-type and base sequences.

N_X is the aperiodic autocorrelation of X at nonzero shifts. Turyn-type: X, Y, Z of length n and W
of length n-1 with N_X + N_Y + 2N_Z + 2N_W = 0. Base sequences: A, B of length p and C, D of
length s, entries +1 and -1, with N_A + N_B + N_C + N_D = 0.
"""

import numpy as np

from combinatorics.hadamard.golay import golay_pair, is_golay_length
from combinatorics.hadamard.sign_matrix import SignMatrix, parse_signs
from combinatorics.hadamard.stored import stored_rows
from verify.kernel.errors import InputError

__all__ = [
    "base_sequences",
    "base_sequences_from_golay",
    "base_sequences_from_turyn_type",
    "is_base_length",
    "is_turyn_type_length",
    "turyn_type_sequences",
]

BaseSequences = tuple[SignMatrix, SignMatrix]
"""The pair (A, B) of shape (2, p) and the pair (C, D) of shape (2, s)."""


def is_turyn_type_length(n: int) -> bool:
    """Whether Turyn-type sequences of length n are stored."""
    return (n,) in stored_rows("turyn_type_sequences")


def turyn_type_sequences(n: int) -> tuple[SignMatrix, ...]:
    """The stored Turyn-type sequences X, Y, Z of length n and W of length n-1.

    Raises:
        InputError: when none of this length are stored.

    Reference: Kharaghani and Tayfeh-Rezaie, Journal of Combinatorial Designs 13 (2005).
    """
    if not is_turyn_type_length(n):
        raise InputError(f"Turyn-type length {n}: none are stored")
    rows = stored_rows("turyn_type_sequences")[(n,)]
    return tuple(parse_signs((row,))[0] for row in rows)


def base_sequences_from_turyn_type(n: int) -> BaseSequences:
    """Base sequences (Z, W), (Z, -W), X, Y of lengths 2n-1 and n.

    Reference: Turyn, Journal of Combinatorial Theory A 16 (1974).
    """
    x, y, z, w = turyn_type_sequences(n)
    long = np.stack([np.concatenate([z, w]), np.concatenate([z, -w])])
    return long, np.stack([x, y])


def base_sequences_from_golay(g: int) -> BaseSequences:
    """Base sequences (X, 1), (X, -1), Y, Y of lengths g+1 and g from a Golay pair X, Y.

    Reference: Turyn, Journal of Combinatorial Theory A 16 (1974).
    """
    if not is_golay_length(g):
        raise InputError(f"Golay length {g} is not 2^a 10^b 26^c: no pair is built here")
    x, y = golay_pair(g)
    long = np.stack([np.append(x, np.int8(1)), np.append(x, np.int8(-1))])
    return long, np.stack([y, y])


def is_base_length(m: int) -> bool:
    """Whether base sequences of lengths m+1 and m are built here."""
    return (m,) in stored_rows("base_sequences") or is_golay_length(m)


def base_sequences(m: int) -> BaseSequences:
    """Base sequences of lengths m+1, m+1, m, m: stored ones, or those of a Golay pair.

    Raises:
        InputError: when none of these lengths are known here.

    Reference: Turyn, Journal of Combinatorial Theory A 16 (1974).
    """
    rows = stored_rows("base_sequences").get((m,))
    if rows is None:
        if not is_golay_length(m):
            raise InputError(f"base sequences of lengths {m + 1} and {m}: none are known here")
        return base_sequences_from_golay(m)
    return parse_signs(rows[:2]), parse_signs(rows[2:])
