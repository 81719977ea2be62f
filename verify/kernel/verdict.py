"""The three-valued answer to a claim."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

__all__ = ["Status", "Verdict", "accepted", "rejected", "undecided"]


class Status(Enum):
    """ACCEPTED: proved. REJECTED: not proved, or false. UNDECIDED: precision did not suffice."""

    ACCEPTED = "ACCEPTED"
    REJECTED = "REJECTED"
    UNDECIDED = "UNDECIDED"


@dataclass(frozen=True, slots=True)
class Verdict:
    """An answer, the reason for it in one line, and what a reader may want to look at.

    Args:
        status: the answer.
        reason: one line; names the violated clause and its witness when the answer is not ACCEPTED.
        details: exact values by name, such as the witness of a violation.
    """

    status: Status
    reason: str
    details: Mapping[str, object] = field(default_factory=dict)

    @property
    def is_accepted(self) -> bool:
        """Whether the claim has been proved."""
        return self.status is Status.ACCEPTED


def accepted(reason: str, **details: object) -> Verdict:
    """A verdict that the claim is proved."""
    return Verdict(Status.ACCEPTED, reason, details)


def rejected(reason: str, **details: object) -> Verdict:
    """A verdict that the claim is false, or that what was given does not prove it."""
    return Verdict(Status.REJECTED, reason, details)


def undecided(reason: str, **details: object) -> Verdict:
    """A verdict that the allowed precision settles neither answer."""
    return Verdict(Status.UNDECIDED, reason, details)
