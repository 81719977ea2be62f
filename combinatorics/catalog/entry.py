"""What the catalog says of one design, difference set or Hadamard matrix.

Letters: v points, b blocks, r blocks on a point, k points on a block, lambda blocks on two points.
A Hadamard matrix has its order as v and as b, and neither r, k nor lambda.
"""

from dataclasses import dataclass
from enum import StrEnum

__all__ = ["Entry", "Kind", "Status", "entry_name"]


class Kind(StrEnum):
    """What an entry is about."""

    SYMMETRIC = "symmetric"
    DERIVED = "derived"
    RESIDUAL = "residual"
    DIFFERENCE_SET = "difference-set"
    HADAMARD = "hadamard"


class Status(StrEnum):
    """What is known of it."""

    CONSTRUCTED = "constructed"
    """Built, and accepted by the kernel."""
    CONSTRUCTIBLE = "constructible"
    """A construction applies, but it is over a limit of size and was not built."""
    IMPOSSIBLE = "impossible"
    """A theorem forbids it."""
    UNKNOWN = "unknown"
    """No construction here and no theorem against it: never to be read as "does not exist"."""
    REFUSED = "refused"
    """Built, but refused by the kernel: a defect of the construction."""


def entry_name(kind: Kind, v: int, k: int | None = None, lambda_: int | None = None) -> str:
    """The name by which the catalog knows an entry.

    >>> entry_name(Kind.SYMMETRIC, 7, 3, 1)
    'symmetric 7 3 1'
    """
    return " ".join(str(part) for part in (kind, v, k, lambda_) if part is not None)


@dataclass(frozen=True, slots=True)
class Entry:
    """One row of the catalog.

    Args:
        kind: what it is about.
        v: number of points; order of a Hadamard matrix.
        b: number of blocks; order of a Hadamard matrix.
        r: blocks on a point, None for a Hadamard matrix.
        k: points on a block, None for a Hadamard matrix.
        lambda_: blocks on two points, None for a Hadamard matrix.
        status: what is known.
        reason: the kernel's answer, the theorem that forbids it, what is known of an unknown
            one, or the limit that it is over.
        construction: the recipe; empty when there is none.
        reference: the source of the recipe.
        as_of: year and month of the knowledge, for an unknown one; else empty.
        in_literature: whether it is published although there is no construction here.
        parent: name of the symmetric design of which it is the derived or residual design.
        digest: SHA-256 of the incidences, in hexadecimal; empty unless constructed.
        construction_seconds: wall time to build it; differs from run to run.
        check_seconds: wall time of the kernel's check; differs from run to run.
    """

    kind: Kind
    v: int
    b: int
    r: int | None
    k: int | None
    lambda_: int | None
    status: Status
    reason: str = ""
    construction: str = ""
    reference: str = ""
    as_of: str = ""
    in_literature: bool = False
    parent: str | None = None
    digest: str = ""
    construction_seconds: float | None = None
    check_seconds: float | None = None

    @property
    def name(self) -> str:
        """Kind and parameters; no two entries share it."""
        return entry_name(self.kind, self.v, self.k, self.lambda_)

    def answers_alike(self, other: "Entry") -> bool:
        """Whether both say the same before anything is built: recipe, theorem or note.

        A refused entry is like no other, so that a build tries again.
        """
        if Status.REFUSED in {self.status, other.status}:
            return False
        return _answer(self) == _answer(other)


def _answer(entry: Entry) -> tuple[object, ...]:
    buildable = entry.status in {Status.CONSTRUCTED, Status.CONSTRUCTIBLE}
    status = Status.CONSTRUCTIBLE if buildable else entry.status
    reason = "" if buildable else entry.reason
    texts = (entry.construction, entry.reference, entry.as_of, entry.in_literature, entry.parent)
    return (entry.name, entry.b, entry.r, status, reason, *texts)
