"""The best scheme with at most 4v outputs for every alphabet size v, as a page of tables.

Written by ``python -m solvers.estimation.scheme_table docs/best-schemes.md``.
"""

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median

from solvers.estimation.planned import PlannedStructure
from solvers.estimation.ranking import best_schemes
from solvers.estimation.scheme import Scheme
from verify.kernel.errors import InputError
from verify.output_file import write_atomically

__all__ = ["EPSILONS", "TableRow", "main", "scheme_table", "table_rows"]

EPSILONS = ("0.5", "1", "2", "3")
UP_TO = 1000


@dataclass(frozen=True, slots=True)
class TableRow:
    """The best scheme for an alphabet.

    Args:
        alphabet_size: v.
        scheme: the scheme.
        ratio: its worst risk over the lower bound, in float64.
    """

    alphabet_size: int
    scheme: Scheme
    ratio: float

    @property
    def cells(self) -> tuple[str, str, str]:
        """The design before truncation, the number of outputs, the ratio or =."""
        plan = self.scheme.structure
        if not isinstance(plan, PlannedStructure):
            raise InputError(f"{self.scheme!r}: not from a ranking")
        design = plan.candidate
        mark = "=" if self.scheme.is_optimal else ""
        return (
            f"({design.points}, {design.k}, {design.lambda_})",
            str(design.b),
            (mark or f"{self.ratio:.5f}"),
        )


def table_rows(epsilon: str, up_to: int = UP_TO) -> list[TableRow]:
    """The best schemes for 2 to ``up_to`` symbols with at most 4 outputs a symbol."""
    rows = []
    for v in range(2, up_to + 1):
        best = best_schemes(v, epsilon, limit=1).best
        rows.append(TableRow(v, best, float(best.ratio)))
    return rows


def scheme_table(epsilons: Sequence[str] = EPSILONS, up_to: int = UP_TO) -> str:
    """The page, in Markdown."""
    columns = [table_rows(epsilon, up_to) for epsilon in epsilons]
    lines = [
        "# The best private estimation scheme for every alphabet size",
        "",
        f"Alphabets of 2 to {up_to} symbols, at most four outputs a symbol. A design is given by",
        "its (v, k, lambda) before truncation; the ratio is the exact worst squared risk of the",
        "unbiased estimator over what no unbiased ε-LDP scheme goes below; `=` marks schemes that",
        "reach it. Made by `python -m solvers.estimation.scheme_table docs/best-schemes.md`.",
        "",
        "| ε | median ratio | 90% of ratios at most | largest ratio | exactly optimal |",
        "|---|---|---|---|---|",
    ]
    for epsilon, rows in zip(epsilons, columns, strict=True):
        ratios = sorted(row.ratio for row in rows)
        largest = max(rows, key=lambda row: row.ratio)
        exact = sum(row.scheme.is_optimal for row in rows)
        lines.append(
            f"| {epsilon} | {median(ratios):.5f} | {ratios[9 * len(ratios) // 10 - 1]:.5f} | "
            f"{largest.ratio:.5f} (at {largest.alphabet_size}) | {exact} of {len(rows)} |"
        )
    titles = [title for epsilon in epsilons for title in (f"ε = {epsilon}", "outputs", "ratio")]
    lines += ["", f"| symbols | {' | '.join(titles)} |", "|---" * (len(titles) + 1) + "|"]
    for row in zip(*columns, strict=True):
        cells = [cell for entry in row for cell in entry.cells]
        lines.append(f"| {row[0].alphabet_size} | {' | '.join(cells)} |")
    return "\n".join(lines) + "\n"


def main(arguments: Sequence[str]) -> None:
    """Write the page to the file named first; the second word, if any, is the largest alphabet."""
    if not 1 <= len(arguments) <= 2:
        sys.exit("usage: python -m solvers.estimation.scheme_table FILE [LARGEST_ALPHABET]")
    up_to = int(arguments[1]) if len(arguments) == 2 else UP_TO
    write_atomically(arguments[0], scheme_table(up_to=up_to).encode())


if __name__ == "__main__":
    main(sys.argv[1:])
