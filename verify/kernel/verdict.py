"""The three-valued answer to a claim."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum

__all__ = ["Refuted", "Status", "Verdict", "accepted", "demand", "rejected", "undecided"]


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


class Refuted(Exception):  # noqa: N818 - no error, but the end of a check
    """A clause of a claim does not hold; its arguments are those of the verdict."""


def demand(answer: bool | Status | Verdict, reason: str = "", **details: object) -> None:
    """A clause of a claim: goes on if the answer is that it holds.

    Raises:
        Refuted: otherwise, with the verdict that is the answer, or has this reason.
    """
    if isinstance(answer, bool):
        answer = Status.ACCEPTED if answer else Status.REJECTED
    verdict = Verdict(answer, reason, details) if isinstance(answer, Status) else answer
    if not verdict.is_accepted:
        raise Refuted(verdict.status, verdict.reason, verdict.details)
