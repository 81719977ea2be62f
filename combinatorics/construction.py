"""What is known about an object: how it is built, the theorem that forbids it, or neither."""

from dataclasses import dataclass

__all__ = ["Construction", "Existence", "Exists", "Impossible", "Unknown"]


@dataclass(frozen=True, slots=True)
class Construction:
    """The provenance of a constructed object; carried for readers, never believed by a check.

    Args:
        name: the construction with its parameters, such as ``Singer, q = 2, d = 3``.
        reference: author, year and, where it helps, theorem.
    """

    name: str
    reference: str

    def __str__(self) -> str:
        """Name and reference in one line."""
        return f"{self.name} ({self.reference})"


@dataclass(frozen=True, slots=True)
class Exists:
    """The object exists: this construction makes it."""

    construction: Construction


@dataclass(frozen=True, slots=True)
class Impossible:
    """The object does not exist.

    Args:
        theorem: the theorem that says so, with author and year.
        reason: how the parameters break it, in one line.
    """

    theorem: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class Unknown:
    """No construction here and no theorem against it: never to be read as "does not exist".

    Args:
        as_of: the year and month of that knowledge, such as ``2026-11``.
        note: what is known all the same, in one line.
        in_literature: whether the object is published although no construction of it is here.
    """

    as_of: str
    note: str
    in_literature: bool = False


Existence = Exists | Impossible | Unknown
"""The answer to "does it exist?"."""
