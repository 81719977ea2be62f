"""What the checks of a claim gave: one object a claim for JSON, one row for the table."""

from dataclasses import dataclass

from verify.claims.claim import Claim, Method
from verify.kernel.verdict import Status

__all__ = ["CheckResult", "ClaimResult"]


@dataclass(frozen=True, slots=True)
class CheckResult:
    """The result of one check.

    Args:
        method: how it was checked.
        scope: the instances, in words.
        cases: instances, statements or draws that were looked at.
        instances: instances that these stand for by symmetry.
        status: ACCEPTED, REJECTED with a failure, or UNDECIDED where neither proof nor
            counterexample was found.
        failure: what is wrong; empty if nothing is.
        counterexample: the smallest failing instance found.
        seconds: processor time of the units of work.
    """

    method: Method
    scope: str
    cases: int
    instances: int
    status: Status
    failure: str
    counterexample: str
    seconds: float

    def as_object(self) -> dict[str, object]:
        """The result as a JSON object."""
        return {
            "method": self.method.value,
            "scope": self.scope,
            "cases": self.cases,
            "instances": self.instances,
            "verdict": self.status.value,
            "failure": self.failure or None,
            "counterexample": self.counterexample or None,
            "seconds": round(self.seconds, 3),
        }


@dataclass(frozen=True, slots=True)
class ClaimResult:
    """The results of all checks of a claim.

    Args:
        claim: the claim.
        checks: one result a check.
        is_mutant: whether the false variant was checked.
    """

    claim: Claim
    checks: tuple[CheckResult, ...]
    is_mutant: bool = False

    @property
    def status(self) -> Status:
        """REJECTED if a check is, else UNDECIDED if one is, else ACCEPTED."""
        found = {check.status for check in self.checks}
        return next((s for s in (Status.REJECTED, Status.UNDECIDED) if s in found), Status.ACCEPTED)

    @property
    def is_killed(self) -> bool:
        """Whether every check refuted the false variant, each with a counterexample."""
        return all(c.status is Status.REJECTED and bool(c.counterexample) for c in self.checks)

    @property
    def cases(self) -> int:
        """The number of instances, statements and draws that were looked at."""
        return sum(check.cases for check in self.checks)

    @property
    def seconds(self) -> float:
        """The time of all checks."""
        return sum(check.seconds for check in self.checks)

    @property
    def counterexample(self) -> str:
        """The first counterexample; empty if there is none."""
        found = (check.counterexample for check in self.checks)
        return next((text for text in found if text), "")

    @property
    def failure(self) -> str:
        """What the first failing check says; empty if none fails."""
        return next((check.failure for check in self.checks if check.failure), "")

    def as_object(self) -> dict[str, object]:
        """The result as a JSON object."""
        claim = self.claim
        return {
            "id": claim.id,
            "statement": claim.mutant if self.is_mutant else claim.statement,
            "source": claim.source,
            "scope": claim.scope,
            "method": claim.methods,
            "cases": self.cases,
            "verdict": self.status.value,
            "counterexample": self.counterexample or None,
            "seconds": round(self.seconds, 3),
            "checks": [check.as_object() for check in self.checks],
        }
