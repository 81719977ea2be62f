"""Hadamard and conference matrices: planned at once for any order, built when wanted.

Every known order up to 2000 is built, and skew, symmetric and regular matrices.
"""

from combinatorics.hadamard.existence import (
    KNOWLEDGE_DATE,
    OPEN_ORDERS,
    conference_existence,
    hadamard_existence,
    regular_hadamard_existence,
    skew_hadamard_existence,
    symmetric_hadamard_existence,
)
from combinatorics.hadamard.matrices import (
    MEMORY_LIMIT,
    ConstructedMatrix,
    conference_matrix,
    hadamard_matrix,
    regular_hadamard_matrix,
    skew_hadamard_matrix,
    symmetric_hadamard_matrix,
)
from combinatorics.hadamard.sign_matrix import is_hadamard, is_regular, is_skew, is_symmetric

__all__ = [
    "KNOWLEDGE_DATE",
    "MEMORY_LIMIT",
    "OPEN_ORDERS",
    "ConstructedMatrix",
    "conference_existence",
    "conference_matrix",
    "hadamard_existence",
    "hadamard_matrix",
    "is_hadamard",
    "is_regular",
    "is_skew",
    "is_symmetric",
    "regular_hadamard_existence",
    "regular_hadamard_matrix",
    "skew_hadamard_existence",
    "skew_hadamard_matrix",
    "symmetric_hadamard_existence",
    "symmetric_hadamard_matrix",
]
