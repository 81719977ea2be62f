"""The engine: cuts every check into units of work, spreads them over processes, adds up results.

Units are made lazily and in order, the smallest instances first, and results are taken in the same
order: the first failing instance is a smallest one, and nothing after it is checked. With a
checkpoint, finished units are read instead of done. Progress is the covered share of each family,
whose size is known beforehand by a formula of its own; at the end the two must agree.
"""

from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from verify.claims.checkpoint import Checkpoint
from verify.claims.claim import Check, Claim, Exhaustive, Randomised
from verify.claims.outcome import CheckResult, ClaimResult
from verify.claims.work import Unit, UnitResult, perform
from verify.kernel.errors import InputError
from verify.kernel.verdict import Status

__all__ = ["Progress", "check_claims"]

Progress = Callable[[float, str], None]
"""Takes the share of the work that is done and the claim in hand."""
_Task = tuple[Unit, UnitResult | None]
_BATCHES_AHEAD = 4


@dataclass(slots=True)
class _Tally:
    """What the units of one check have given so far."""

    size: int = 0
    cases: int = 0
    covered: int = 0
    failure: str = ""
    counterexample: str = ""
    proved: bool = True
    seconds: float = 0.0

    def add(self, unit: Unit, result: UnitResult) -> None:
        """Take in the next result; nothing counts after the first failure."""
        if self.failure:
            return
        if unit.size != self.size:
            self.size, self.cases, self.covered = unit.size, 0, 0
        self.cases += result.cases
        self.covered += result.covered
        self.seconds += result.seconds
        self.failure, self.counterexample = result.failure, result.counterexample
        self.proved = result.proved


def check_claims(
    claims: Sequence[Claim],
    *,
    mutant: bool = False,
    up_to: int | None = None,
    jobs: int = 1,
    scheduler: str | None = None,
    checkpoint: Checkpoint | None = None,
    seed: int = 0,
    progress: Progress | None = None,
) -> Iterator[ClaimResult]:
    """The results of the claims, one by one, in order.

    Args:
        claims: what to check.
        mutant: check the false variants instead, at growing sizes.
        up_to: the size of every exhaustive check, in place of its own.
        jobs: processes on this machine.
        scheduler: the address of a dask scheduler; the work goes there.
        checkpoint: where finished units are kept and looked for.
        seed: of the drawn instances.
        progress: told of every finished unit.
    """
    refuted: set[tuple[int, int]] = set()
    waiting: deque[tuple[int, int, Unit, bool]] = deque()

    def tasks() -> Iterator[_Task]:
        for place, (number, unit) in _units(claims, refuted, mutant=mutant, up_to=up_to, seed=seed):
            stored = checkpoint.find(unit) if checkpoint is not None else None
            waiting.append((place, number, unit, stored is not None))
            yield (unit, stored)

    tallies = [[_Tally() for _ in claim.checks] for claim in claims]
    finished = 0
    for result in _performed(tasks(), jobs, scheduler):
        place, number, unit, is_stored = waiting.popleft()
        if checkpoint is not None and not is_stored:
            checkpoint.keep(unit, result)
        while finished < place:
            yield _claim_result(claims[finished], tallies[finished], mutant=mutant, up_to=up_to)
            finished += 1
        tallies[place][number].add(unit, result)
        if tallies[place][number].failure:
            refuted.add((place, number))
        if progress is not None:
            progress(_share(claims, place, number, tallies[place][number]), unit.claim)
    for place in range(finished, len(claims)):
        yield _claim_result(claims[place], tallies[place], mutant=mutant, up_to=up_to)


def _units(
    claims: Sequence[Claim],
    refuted: set[tuple[int, int]],
    *,
    mutant: bool,
    up_to: int | None,
    seed: int,
) -> Iterator[tuple[int, tuple[int, Unit]]]:
    for place, claim in enumerate(claims):
        for number, check in enumerate(claim.checks):
            if not isinstance(check, Exhaustive):
                drawn = seed if isinstance(check, Randomised) else 0
                yield place, (number, Unit(claim.id, number, mutant, 0, 0, seed=drawn))
                continue
            for size in _sizes(check, mutant=mutant, up_to=up_to):
                for unit in _batches(claim.id, number, check, size, mutant=mutant):
                    if (place, number) in refuted:
                        break
                    yield place, (number, unit)


def _sizes(check: Exhaustive, *, mutant: bool, up_to: int | None) -> Iterable[int]:
    largest = check.size if up_to is None else max(up_to, check.smallest)
    if not mutant:
        return (largest,)
    largest = max(largest, check.size)
    return (largest,) if check.domain.nested else range(check.smallest, largest + 1)


def _batches(
    claim: str, number: int, check: Exhaustive, size: int, *, mutant: bool
) -> Iterator[Unit]:
    orbits, count = iter(check.domain.orbits(size)), 0
    while batch := tuple(islice(orbits, check.batch)):
        yield Unit(claim, number, mutant, size, count, batch)
        count += 1
    if not count:
        yield Unit(claim, number, mutant, size, 0)


def _perform_unless_stored(task: _Task) -> UnitResult:
    unit, stored = task
    return stored if stored is not None else perform(unit)


def _performed(tasks: Iterator[_Task], jobs: int, scheduler: str | None) -> Iterator[UnitResult]:
    """The results in the order of the tasks."""
    if scheduler is not None:
        return _on_cluster(tasks, scheduler)
    if jobs == 1:
        return map(_perform_unless_stored, tasks)
    from joblib import Parallel, delayed  # noqa: PLC0415 - only parallel runs pay for it

    pool = Parallel(n_jobs=jobs, return_as="generator", pre_dispatch=f"{_BATCHES_AHEAD}*n_jobs")
    results: Iterator[UnitResult] = pool(delayed(_perform_unless_stored)(task) for task in tasks)
    return results


def _on_cluster(tasks: Iterator[_Task], scheduler: str) -> Iterator[UnitResult]:
    try:
        from distributed import Client  # noqa: PLC0415 - an optional package
    except ImportError:
        raise InputError(
            "--scheduler: needs the package distributed; install exactdp[cluster]"
        ) from None

    with Client(scheduler) as client:  # type: ignore[no-untyped-call]
        ahead = _BATCHES_AHEAD * max(1, len(client.scheduler_info()["workers"]))
        pending: deque[object] = deque()
        for task in tasks:
            pending.append(client.submit(_perform_unless_stored, task, pure=False))
            if len(pending) >= ahead:
                yield pending.popleft().result()  # type: ignore[attr-defined]
        while pending:
            yield pending.popleft().result()  # type: ignore[attr-defined]


def _share(claims: Sequence[Claim], place: int, number: int, tally: _Tally) -> float:
    """The share of all checks that is done, the one in hand by its covered instances."""
    before = sum(len(claim.checks) for claim in claims[:place]) + number
    check = claims[place].checks[number]
    inside = 1.0
    if isinstance(check, Exhaustive) and not tally.failure:
        inside = min(1.0, tally.covered / max(1, check.domain.total(tally.size)))
    return (before + inside) / sum(len(claim.checks) for claim in claims)


def _claim_result(
    claim: Claim, tallies: Sequence[_Tally], *, mutant: bool, up_to: int | None
) -> ClaimResult:
    pairs = zip(claim.checks, tallies, strict=True)
    return ClaimResult(claim, tuple(_check_result(c, t, mutant=mutant) for c, t in pairs), mutant)


def _check_result(check: Check, tally: _Tally, *, mutant: bool) -> CheckResult:
    text, failure, status = "for all parameters", tally.failure, Status.ACCEPTED
    if isinstance(check, Exhaustive):
        text = check.domain.describe(tally.size)
        total = check.domain.total(tally.size)
        if not failure and tally.covered != total:
            failure = f"the enumeration covers {tally.covered} of {total} instances"
    elif isinstance(check, Randomised):
        text = "drawn instances"
    if failure:
        is_refuted = bool(tally.counterexample) or tally.proved
        status = Status.REJECTED if is_refuted else Status.UNDECIDED
    return CheckResult(
        method=check.method,
        scope=text,
        cases=tally.cases,
        instances=tally.covered,
        status=status,
        failure=failure,
        counterexample=tally.counterexample,
        seconds=tally.seconds,
    )
