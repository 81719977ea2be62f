"""The best mechanism for telling two distributions apart, for readers."""

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from verify.kernel.distribution import Distribution
from verify.kernel.exact import Extended
from verify.kernel.interval import Interval
from verify.kernel.verdict import Verdict
from verify.report.numbers import digits, enclosure_digits, enclosure_object, exact_text
from verify.report.tables import Fact, columns_table, facts_table, printable, verdict_facts

if TYPE_CHECKING:
    from rich.console import RenderableType

__all__ = ["Hypotheses", "TestingResult", "testing_facts", "testing_object", "testing_text"]

BASELINE_TITLES = {
    "binary": "binary mechanism",
    "randomized_response": "k-ary randomized response",
    "non_private": "non-private",
}


class TestingResult(Protocol):
    """What a report needs of the solution of a testing problem."""

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
    def baselines(self) -> Mapping[str, Interval | Extended]:
        """What simpler mechanisms reach."""


class Hypotheses(Protocol):
    """The two laws of a symbol and the names of the symbols."""

    @property
    def p0(self) -> Distribution:
        """The law under the first hypothesis."""

    @property
    def p1(self) -> Distribution:
        """The law under the second."""

    @property
    def labels(self) -> Sequence[str]:
        """The names of the symbols."""


def testing_object(
    verdict: Verdict, solution: TestingResult, divergence: str, labels: Sequence[str]
) -> dict[str, object]:
    """The solution as a JSON object."""
    value = Interval(solution.value_lower, solution.value_upper)
    return {
        "verdict": verdict.status.value,
        "reason": verdict.reason,
        "divergence": divergence,
        "exp_epsilon": str(solution.exp_epsilon),
        "value": enclosure_object(value),
        "relative_gap": str(solution.relative_gap),
        "blocks": [[labels[x] for x in block] for block in solution.blocks],
        "baselines": {name: enclosure_object(solution.baselines[name]) for name in BASELINE_TITLES},
    }


def testing_facts(verdict: Verdict, solution: TestingResult) -> list[Fact]:
    """The verdict, the optimum and the mechanism that reaches it."""
    n_blocks, E = len(solution.blocks), solution.exp_epsilon
    other = 1 / (E + n_blocks - 1)
    return [
        *verdict_facts(verdict),
        ("best divergence", enclosure_digits(Interval(solution.value_lower, solution.value_upper))),
        ("relative gap", digits(solution.relative_gap)),
        ("e^epsilon used", exact_text(E)),
        ("mechanism", f"report the block of the symbol among {n_blocks}"),
        ("the true block with probability", exact_text(E * other)),
        ("each other block with probability", exact_text(other)),
    ]


def testing_text(
    verdict: Verdict, solution: TestingResult, problem: str, hypotheses: Hypotheses
) -> "RenderableType":
    """The facts, the blocks and the baselines as tables."""
    from rich.console import Group

    return Group(
        facts_table(f"Best private test: {printable(problem)}", testing_facts(verdict, solution)),
        columns_table(
            "Blocks, in the order of the ratio p0 / p1",
            ("block", "p0", "p1", "symbols"),
            _block_rows(solution, hypotheses),
        ),
        columns_table(
            "Beside simpler mechanisms",
            ("mechanism", "divergence", "of the best"),
            _baseline_rows(solution),
        ),
    )


def _block_rows(solution: TestingResult, hypotheses: Hypotheses) -> list[tuple[str, ...]]:
    rows = []
    for j, block in enumerate(solution.blocks):
        p0, p1 = (
            sum((law.masses[x] for x in block), Fraction(0))
            for law in (hypotheses.p0, hypotheses.p1)
        )
        names = " ".join(printable(hypotheses.labels[x]) for x in block)
        rows.append((str(j), digits(p0), digits(p1), names))
    return rows


def _baseline_rows(solution: TestingResult) -> list[tuple[str, ...]]:
    best = Interval(solution.value_lower, solution.value_upper)
    rows = [("optimal private", enclosure_digits(best), "100%")]
    for name, title in BASELINE_TITLES.items():
        value = solution.baselines[name]
        rows.append((title, enclosure_digits(value), _share(value, solution.value_lower)))
    return rows


def _share(value: Interval | Extended, best: Fraction) -> str:
    """The value as a percentage of the best, for orientation."""
    number = value.lower if isinstance(value, Interval) else value
    if not isinstance(number, Fraction) or not best:
        return ""
    return f"{float(100 * number / best):.4g}%"
