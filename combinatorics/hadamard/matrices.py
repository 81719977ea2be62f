"""Hadamard and conference matrices of a given order, built with their provenance."""

from dataclasses import dataclass

from combinatorics.construction import Construction, Existence, Exists, Impossible
from combinatorics.hadamard.existence import (
    conference_existence,
    hadamard_existence,
    order_text,
    regular_hadamard_existence,
    skew_hadamard_existence,
    symmetric_hadamard_existence,
)
from combinatorics.hadamard.planning import plan_conference, plan_hadamard, plan_symmetric
from combinatorics.hadamard.recipe import Recipe
from combinatorics.hadamard.regular import plan_regular
from combinatorics.hadamard.sign_matrix import SignMatrix
from combinatorics.hadamard.skew import plan_skew
from verify.kernel.errors import InputError, LimitError

__all__ = [
    "MEMORY_LIMIT",
    "ConstructedMatrix",
    "conference_matrix",
    "hadamard_matrix",
    "regular_hadamard_matrix",
    "skew_hadamard_matrix",
    "symmetric_hadamard_matrix",
]

MEMORY_LIMIT = 2**30
"""Most bytes that a matrix may take unless the caller says otherwise: order 32768."""


@dataclass(frozen=True, slots=True, eq=False)
class ConstructedMatrix:
    """A matrix and how it was built.

    Args:
        matrix: int8, shape (n, n), read-only; entries +1 and -1, and 0 on the diagonal of a
            conference matrix.
        construction: its construction and source; carried for readers, never believed.
    """

    matrix: SignMatrix
    construction: Construction

    @property
    def order(self) -> int:
        """The number n of rows."""
        return int(self.matrix.shape[0])

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows spelled with + - 0."""
        return tuple("".join("-0+"[entry + 1] for entry in row) for row in self.matrix.tolist())

    def __repr__(self) -> str:
        """Order and construction, in one line."""
        return f"<matrix of order {self.order}: {self.construction.name}>"

    def _repr_html_(self) -> str:
        """The construction and, up to order 64, the rows."""
        rows = "\n".join(self.rows) if self.order <= 64 else f"order {self.order}"
        return f"<p>{self.construction}</p><pre style='line-height:1'>{rows}</pre>"


def _built(recipe: Recipe | None, existence: Existence, what: str, limit: int) -> ConstructedMatrix:
    if recipe is None or not isinstance(existence, Exists):
        raise InputError(f"{what}: {_refusal(existence)}")
    size = recipe.order**2
    if size > limit:
        raise LimitError(
            f"{what}: the matrix would take {size} bytes, over the limit of {limit}; "
            "raise memory_limit or ask only whether it exists"
        )
    matrix = recipe.build()
    matrix.flags.writeable = False
    return ConstructedMatrix(matrix, recipe.construction)


def _refusal(existence: Existence) -> str:
    if isinstance(existence, Impossible):
        return f"none exists ({existence.theorem}; {existence.reason})"
    if isinstance(existence, Exists):
        return "the construction could not be planned"
    return f"unknown as of {existence.as_of}, which does not mean none exists ({existence.note})"


def hadamard_matrix(n: int, *, memory_limit: int = MEMORY_LIMIT) -> ConstructedMatrix:
    """A Hadamard matrix of order n: entries +1, -1 and H H' = nI.

    Args:
        n: the order; every order up to 2000 but the open ones is built.
        memory_limit: most bytes that the matrix may take (n² bytes; building it takes up to
            four times as much for a moment).

    Raises:
        InputError: when none exists or none is known here; ``hadamard_existence`` tells which.
        LimitError: when the matrix is larger than the memory limit; names its size.

    >>> hadamard_matrix(4).rows
    ('++++', '+-+-', '++--', '+--+')
    """
    existence = hadamard_existence(n)
    return _built(
        plan_hadamard(n), existence, f"Hadamard matrix of order {order_text(n)}", memory_limit
    )


def skew_hadamard_matrix(n: int, *, memory_limit: int = MEMORY_LIMIT) -> ConstructedMatrix:
    """A Hadamard matrix of order n with H + H' = 2I.

    Raises:
        InputError, LimitError: as ``hadamard_matrix``.

    >>> skew_hadamard_matrix(4).rows
    ('++++', '-+-+', '-++-', '--++')
    """
    existence = skew_hadamard_existence(n)
    return _built(
        plan_skew(n), existence, f"skew Hadamard matrix of order {order_text(n)}", memory_limit
    )


def symmetric_hadamard_matrix(n: int, *, memory_limit: int = MEMORY_LIMIT) -> ConstructedMatrix:
    """A symmetric Hadamard matrix of order n.

    Raises:
        InputError, LimitError: as ``hadamard_matrix``.
    """
    existence = symmetric_hadamard_existence(n)
    what = f"symmetric Hadamard matrix of order {order_text(n)}"
    return _built(plan_symmetric(n), existence, what, memory_limit)


def regular_hadamard_matrix(n: int, *, memory_limit: int = MEMORY_LIMIT) -> ConstructedMatrix:
    """A Hadamard matrix of order n = 4t² with all row and column sums 2t.

    Raises:
        InputError, LimitError: as ``hadamard_matrix``.

    >>> regular_hadamard_matrix(4).rows
    ('-+++', '+-++', '++-+', '+++-')
    """
    existence = regular_hadamard_existence(n)
    what = f"regular Hadamard matrix of order {order_text(n)}"
    return _built(plan_regular(n), existence, what, memory_limit)


def conference_matrix(n: int, *, memory_limit: int = MEMORY_LIMIT) -> ConstructedMatrix:
    """A conference matrix of order n: 0 on the diagonal, +1, -1 off it, C C' = (n-1)I.

    It is symmetric for n = 2 mod 4 and skew for n = 0 mod 4.

    Raises:
        InputError, LimitError: as ``hadamard_matrix``.

    >>> conference_matrix(6).rows[1]
    '+0+--+'
    """
    existence = conference_existence(n)
    return _built(
        plan_conference(n), existence, f"conference matrix of order {order_text(n)}", memory_limit
    )
