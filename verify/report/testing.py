"""The best mechanism for telling two distributions apart, for readers."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from verify.kernel.distribution import Distribution
from verify.kernel.divergence import Divergence
from verify.kernel.exact import Infinity
from verify.kernel.interval import Interval
from verify.kernel.verdict import Verdict
from verify.report.numbers import digits, enclosure_digits, enclosure_object, exact_text
from verify.report.tables import (
    Fact,
    columns_table,
    facts_table,
    printable,
    shortened,
    verdict_facts,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["TestingResult", "testing_facts", "testing_object", "testing_text"]

_FLOATS = 10**300
BASELINE_TITLES = {
    "binary": "binary mechanism",
    "randomized_response": "k-ary randomized response",
    "non_private": "non-private",
}


class Problem(Protocol):
    """The two laws of a symbol and the divergence."""

    @property
    def p0(self) -> Distribution:
        """The law under the first hypothesis."""

    @property
    def p1(self) -> Distribution:
        """The law under the second."""

    @property
    def divergence(self) -> Divergence:
        """What the mechanism makes large."""


class TestingResult(Protocol):
    """What a report needs of the solution of a testing problem."""

    @property
    def problem(self) -> Problem:
        """What was asked."""

    @property
    def value_lower(self) -> Fraction:
        """The divergence that the mechanism reaches."""

    @property
    def value_upper(self) -> Fraction:
        """The divergence that no mechanism exceeds."""

    @property
    def relative_gap(self) -> Fraction:
        """Their difference as a share of the upper bound."""

    @property
    def blocks(self) -> Sequence[Sequence[int]]:
        """The symbols of each block, in likelihood-ratio order."""

    @property
    def exp_epsilon(self) -> Fraction:
        """The rational E that the mechanism uses."""

    @property
    def baselines(self) -> Mapping[str, Interval | Infinity]:
        """What simpler mechanisms reach."""

    @property
    def verdict(self) -> Verdict:
        """The kernel's answer to the certificate."""


def testing_object(solution: TestingResult, labels: Sequence[str]) -> dict[str, object]:
    """The solution as a JSON object; ``mechanism`` has the probabilities of reporting a block."""
    value = Interval(solution.value_lower, solution.value_upper)
    true, other = _block_probabilities(solution)
    return {
        "verdict": solution.verdict.status.value,
        "reason": solution.verdict.reason,
        "divergence": solution.problem.divergence.name,
        "exp_epsilon": str(solution.exp_epsilon),
        "value": enclosure_object(value),
        "relative_gap": str(solution.relative_gap),
        "blocks": [[labels[x] for x in block] for block in solution.blocks],
        "mechanism": {"true_block": str(true), "other_block": str(other)},
        "baselines": {name: enclosure_object(solution.baselines[name]) for name in BASELINE_TITLES},
    }


def _block_probabilities(solution: TestingResult) -> tuple[Fraction, Fraction]:
    """The probabilities of reporting the true block and each other one."""
    other = 1 / (solution.exp_epsilon + len(solution.blocks) - 1)
    return solution.exp_epsilon * other, other


def testing_facts(solution: TestingResult) -> list[Fact]:
    """The verdict, the optimum and the mechanism that reaches it."""
    value = Interval(solution.value_lower, solution.value_upper)
    true, other = _block_probabilities(solution)
    return [
        *verdict_facts(solution.verdict),
        ("best divergence", enclosure_digits(value)),
        ("relative gap", digits(solution.relative_gap)),
        ("e^epsilon used", exact_text(solution.exp_epsilon)),
        ("mechanism", f"report the block of the symbol among {len(solution.blocks)}"),
        ("the true block with probability", exact_text(true)),
        ("each other block with probability", exact_text(other)),
    ]


def testing_text(solution: TestingResult, labels: Sequence[str], problem: str) -> "RenderableType":
    """The facts, the blocks and the baselines as tables."""
    from rich.console import Group

    return Group(
        facts_table(f"Best private test: {shortened(problem)}", testing_facts(solution)),
        columns_table(
            "Blocks, in the order of the ratio p0 / p1",
            ("block", "p0", "p1", "symbols"),
            _block_rows(solution, labels),
        ),
        columns_table(
            "Beside simpler mechanisms",
            ("mechanism", "divergence", "of the best"),
            _baseline_rows(solution),
        ),
    )


def _block_rows(solution: TestingResult, labels: Sequence[str]) -> list[tuple[str, ...]]:
    rows: list[tuple[str, ...]] = []
    for j, block in enumerate(solution.blocks):
        p0, p1 = (
            sum((law.masses[x] for x in block), Fraction(0))
            for law in (solution.problem.p0, solution.problem.p1)
        )
        names = " ".join(printable(labels[x]) for x in block)
        rows.append((str(j), digits(p0), digits(p1), names))
    return rows


def _baseline_rows(solution: TestingResult) -> list[tuple[str, ...]]:
    best = Interval(solution.value_lower, solution.value_upper)
    rows: list[tuple[str, ...]] = [("optimal private", enclosure_digits(best), "100%")]
    for name, title in BASELINE_TITLES.items():
        value = solution.baselines[name]
        rows.append((title, enclosure_digits(value), _share(value, solution.value_lower)))
    return rows


def _share(value: Interval | Infinity, best: Fraction) -> str:
    """The value as a percentage of the best, for orientation."""
    if not isinstance(value, Interval) or not best:
        return ""
    share = 100 * value.lower / best
    return f"{float(share):.4g}%" if share < _FLOATS else f"{digits(share)}%"
