"""One unit of work: a batch of instances, a proof or a run of drawn instances, done by any process.

A unit names its claim by id, so that it travels to other processes and machines as a few numbers
and the instances themselves.
"""

from collections.abc import Callable
from dataclasses import dataclass
from time import perf_counter
from typing import Any

from verify.claims.claim import Claim, Exhaustive, Randomised, Symbolic, spell
from verify.claims.domain import Orbit
from verify.claims.proof import Statement, counterexample, flaw

__all__ = ["Unit", "UnitResult", "perform"]


@dataclass(frozen=True, slots=True)
class Unit:
    """What one process does at a time.

    Args:
        claim: the id.
        check: which of the claim's checks.
        mutant: whether the false variant is checked.
        size: the size of the domain; 0 for a check without one.
        number: which batch of the domain, from 0.
        orbits: the instances of the batch.
        seed: for drawn instances.
    """

    claim: str
    check: int
    mutant: bool
    size: int
    number: int
    orbits: tuple[Orbit, ...] = ()
    seed: int = 0

    @property
    def key(self) -> tuple[str, int, bool, int, int, int]:
        """What tells this unit from every other."""
        return (self.claim, self.check, self.mutant, self.size, self.number, self.seed)


@dataclass(frozen=True, slots=True)
class UnitResult:
    """What came out.

    Args:
        cases: instances, statements or draws that were checked.
        covered: instances that these stand for.
        failure: what is wrong with the first failing one; empty if none fails.
        counterexample: the first failing one.
        proved: False when a statement is neither proved nor refuted.
        seconds: time taken.
    """

    cases: int
    covered: int
    failure: str = ""
    counterexample: str = ""
    proved: bool = True
    seconds: float = 0.0


def perform(unit: Unit) -> UnitResult:
    """Do one unit of work."""
    from verify.claims.registry import claim  # noqa: PLC0415 - the registry imports every claim

    return perform_for(claim(unit.claim), unit)


def perform_for(claim: Claim, unit: Unit) -> UnitResult:
    """Do one unit of work for a claim at hand."""
    check = claim.checks[unit.check]
    started = perf_counter()
    if isinstance(check, Exhaustive):
        holds = check.mutant if unit.mutant else check.holds
        cases, covered, failure, found = _every(holds, unit.orbits)
        return UnitResult(cases, covered, failure, found, seconds=perf_counter() - started)
    if isinstance(check, Symbolic):
        statements = (check.mutant if unit.mutant else check.statements)()
        return _proved(statements, started)
    return _drawn(check, unit, started)


def _every(holds: Callable[[Any], str], orbits: tuple[Orbit, ...]) -> tuple[int, int, str, str]:
    covered = 0
    for cases, (instance, weight) in enumerate(orbits, 1):
        covered += weight
        failure = _tried(holds, instance)
        if failure:
            return cases, covered, failure, spell(instance)
    return len(orbits), covered, "", ""


def _tried(holds: Callable[[Any], str], instance: Any) -> str:
    """What is wrong with the instance; an error on the way is something wrong too."""
    try:
        return holds(instance)
    except Exception as error:  # noqa: BLE001 - the run goes on and names the instance
        return f"{type(error).__name__}: {error}"


def _proved(statements: tuple[Statement, ...], started: float) -> UnitResult:
    for cases, statement in enumerate(statements, 1):
        reason = flaw(statement)
        if reason:
            point = counterexample(statement)
            seconds = perf_counter() - started
            return UnitResult(cases, cases, reason, point, proved=False, seconds=seconds)
    count = len(statements)
    return UnitResult(count, count, seconds=perf_counter() - started)


def _drawn(check: Randomised, unit: Unit, started: float) -> UnitResult:
    from verify.claims.randomised import draw  # noqa: PLC0415 - Hypothesis is slow to import

    holds = check.mutant if unit.mutant else check.holds
    cases, failure, found = draw(check.strategy(), holds, examples=check.examples, seed=unit.seed)
    return UnitResult(cases, cases, failure, found, seconds=perf_counter() - started)
