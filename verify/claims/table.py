"""The results of a run as a table for the terminal."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verify.claims.outcome import ClaimResult
from verify.report.tables import columns_table, shortened

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["results_table", "title"]


def title(results: Sequence[ClaimResult], *, seed: int) -> str:
    """How many claims hold, or how many false variants were refuted, in a line."""
    seconds = sum(result.seconds for result in results)
    cases = sum(result.cases for result in results)
    tail = f"{cases} cases, {seconds:.1f} s of processor time, seed {seed}"
    if results and results[0].is_mutant:
        killed = sum(result.is_killed for result in results)
        return f"{killed} of {len(results)} false variants refuted by every check; {tail}"
    held = sum(result.status.value == "ACCEPTED" for result in results)
    return f"{held} of {len(results)} claims accepted; {tail}"


def results_table(results: Sequence[ClaimResult], *, seed: int) -> "RenderableType":
    """One row a claim: id, methods, cases, verdict, seconds, and the first counterexample."""
    columns = ("claim", "method", "cases", "verdict", "seconds", "counterexample")
    rows = (
        (
            result.claim.id,
            result.claim.methods,
            str(result.cases),
            result.status.value,
            f"{result.seconds:.2f}",
            shortened(": ".join(filter(None, (result.failure, result.counterexample)))),
        )
        for result in results
    )
    return columns_table(title(results, seed=seed), columns, rows)
