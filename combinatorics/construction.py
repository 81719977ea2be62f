"""What an object was built by: the name of a construction and the publication that proves it."""

from dataclasses import dataclass

__all__ = ["Construction"]


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
