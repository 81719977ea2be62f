"""``exactdp trace epsilon``: how the best mechanism changes with epsilon, every change isolated."""

from fractions import Fraction
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.options import (
    CsvOption,
    DivergenceOption,
    FileArgument,
    JsonOption,
    PlotOption,
    QuietOption,
    WeightsOption,
)
from verify.commands.output import conclude, note, working
from verify.commands.table_and_figure import require_places, write_csv, write_figure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from solvers.testing.epsilon_path import EpsilonPath
    from verify.intake.distributions import DistributionPair
    from verify.kernel.interval import Interval

__all__ = ["EXAMPLE", "trace_epsilon"]

EXAMPLE = "Example: exactdp trace epsilon letters.csv --weights --divergence kl --to 20"
_POINTS = 60


def trace_epsilon(
    file: FileArgument,
    divergence: DivergenceOption,
    first: Annotated[
        str, typer.Option("--from", metavar="E", help="The first e^epsilon, above 1.")
    ] = "11/10",
    last: Annotated[str, typer.Option("--to", metavar="E", help="The last e^epsilon.")] = "100",
    weights: WeightsOption = False,
    csv: CsvOption = None,
    plot: PlotOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Every e^epsilon in a range at which the optimal partition changes, enclosed for certain.

    FILE holds the two distributions as for ``certify testing``.
    """
    from solvers.testing.epsilon_path import epsilon_path
    from verify.intake.distributions import read_distributions
    from verify.intake.source import read_source
    from verify.kernel.exact import as_rational
    from verify.kernel.verdict import Status

    started = perf_counter()
    require_places(file, csv, plot)
    ends = as_rational(first, "--from"), as_rational(last, "--to")
    pair = read_distributions(read_source(file), weights=weights)
    with working("following the optimal partition", quiet=quiet):
        path = epsilon_path(pair.p0, pair.p1, divergence, *ends)
    if csv is not None:
        header = ("start_lower", "start_upper", "end_lower", "end_upper", "n_blocks", "blocks")
        write_csv(csv, header, _csv_rows(path, pair.labels))
    if plot is not None:
        _draw(plot, pair, divergence, path, ends)
        note(f"the plot is in {plot}")
    conclude(
        Status.UNDECIDED if path.unresolved else Status.ACCEPTED,
        {**_as_object(path, pair.labels), "seconds": round(perf_counter() - started, 3)},
        lambda: _as_table(path, pair.labels, divergence),
        json=json,
        quiet=quiet,
    )


def _named(blocks: "Sequence[Sequence[int]]", labels: "Sequence[str]") -> list[list[str]]:
    return [[labels[x] for x in block] for block in blocks]


def _csv_rows(path: "EpsilonPath", labels: "Sequence[str]") -> list[tuple[object, ...]]:
    return [
        (
            s.start.lower,
            s.start.upper,
            s.end.lower,
            s.end.upper,
            len(s.blocks),
            " | ".join(" ".join(block) for block in _named(s.blocks, labels)),
        )
        for s in path.segments
    ]


def _optional(value: "Interval | None") -> dict[str, str] | None:
    from verify.report import enclosure_object

    return None if value is None else enclosure_object(value)


def _as_object(path: "EpsilonPath", labels: "Sequence[str]") -> dict[str, object]:
    from verify.report import enclosure_object

    return {
        "verdict": "UNDECIDED" if path.unresolved else "ACCEPTED",
        "segments": [
            {
                "start": enclosure_object(s.start),
                "end": enclosure_object(s.end),
                "blocks": _named(s.blocks, labels),
            }
            for s in path.segments
        ],
        "unresolved": [enclosure_object(gap) for gap in path.unresolved],
        "binary_until": _optional(path.binary_until),
        "randomized_response_from": _optional(path.randomized_response_from),
    }


def _as_table(path: "EpsilonPath", labels: "Sequence[str]", name: str) -> "RenderableType":
    from rich.console import Group

    from verify.report import columns_table, enclosure_digits, facts_table, printable, shortened

    rows = [
        (
            enclosure_digits(s.start),
            enclosure_digits(s.end),
            str(len(s.blocks)),
            shortened(" | ".join(" ".join(map(printable, b)) for b in _named(s.blocks, labels))),
        )
        for s in path.segments
    ]
    thresholds = [
        ("binary mechanism optimal up to", path.binary_until),
        ("full randomized response optimal from", path.randomized_response_from),
    ]
    facts = [
        (title, "not at this end" if value is None else enclosure_digits(value))
        for title, value in thresholds
    ]
    facts += [("undecided near", enclosure_digits(gap)) for gap in path.unresolved]
    columns = ("e^epsilon from", "to", "blocks", "optimal partition")
    return Group(
        columns_table(f"Optimal partition against epsilon: {shortened(name)}", columns, rows),
        facts_table("Thresholds in e^epsilon", facts),
    )


def _draw(
    picture: Path,
    pair: "DistributionPair",
    divergence: str,
    path: "EpsilonPath",
    ends: tuple[Fraction, Fraction],
) -> None:
    import numpy as np
    from matplotlib.figure import Figure

    from solvers.testing import canonical_name
    from solvers.testing.utility_float import utility_float

    name = canonical_name(divergence)
    utility = utility_float(pair.p0, pair.p1, name)
    low, high = (float(np.log(float(e))) for e in ends)
    epsilon = np.geomspace(low, high, _POINTS)
    figure = Figure(figsize=(7.0, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for title, curve, style in (
        ("optimal private", utility.optimal, "-"),
        ("binary mechanism", utility.binary, "--"),
        ("k-ary randomized response", utility.randomized_response, "-."),
    ):
        axes.plot(epsilon, [curve(float(x)) for x in epsilon], style, label=title)
    non_private = utility.non_private()
    if np.isfinite(non_private):
        axes.axhline(non_private, color="0.5", linestyle=":", label="non-private")
    for breakpoint_ in path.breakpoints:
        axes.axvline(np.log(float(breakpoint_.exp_epsilon.upper)), color="0.8", linewidth=0.8)
    axes.set_xscale("log")
    axes.set_yscale("symlog", linthresh=1e-6)
    axes.set_xlabel("epsilon (nats); grey lines: the optimal partition changes")
    axes.set_ylabel(f"divergence ({name})")
    axes.legend()
    write_figure(picture, figure)
