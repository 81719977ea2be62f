"""``exactdp trace outputs``: the certified optimum for every limit on the number of outputs."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.options import (
    CsvOption,
    DivergenceOption,
    EpsilonOption,
    ExpEpsilonOption,
    FileArgument,
    JsonOption,
    PlotOption,
    QuietOption,
    WeightsOption,
    read_epsilon,
)
from verify.commands.output import conclude, conclude_undecided, note, working
from verify.commands.table_and_figure import require_places, write_csv, write_figure

if TYPE_CHECKING:
    from rich.console import RenderableType

    from solvers.testing.output_curve import OutputCurve
    from verify.kernel.certificate import Certificate

__all__ = ["EXAMPLE", "trace_outputs"]

EXAMPLE = "Example: exactdp trace outputs letters.csv --weights --epsilon 5 --divergence kl"


def trace_outputs(
    file: FileArgument,
    divergence: DivergenceOption,
    epsilon: EpsilonOption = None,
    exp_epsilon: ExpEpsilonOption = None,
    weights: WeightsOption = False,
    csv: CsvOption = None,
    plot: PlotOption = None,
    certificates: Annotated[
        Path | None,
        typer.Option(
            "--certificates",
            metavar="DIR",
            help="Write the certificates of all points in a folder.",
        ),
    ] = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """The best value with at most 1, 2, ..., k outputs, each proved, and what the last bits buy.

    FILE holds the two distributions as for ``certify testing``.
    """
    from solvers.testing import UnprovedError, canonical_name
    from solvers.testing.output_curve import output_curve
    from verify.intake.distributions import read_distributions
    from verify.intake.source import read_source
    from verify.kernel.verdict import Status
    from verify.output_folder import require_folder_place

    started = perf_counter()
    require_places(file, csv, plot)
    if certificates is not None:
        require_folder_place(certificates)
    level, name = read_epsilon(epsilon, exp_epsilon), canonical_name(divergence)
    pair = read_distributions(read_source(file), weights=weights)
    try:
        with working("searching for the best mechanisms and their proofs", quiet=quiet):
            curve = output_curve(pair.p0, pair.p1, level, name)
    except UnprovedError as error:
        claim = f"the best {name} for every number of outputs"
        conclude_undecided(claim, str(error), perf_counter() - started, json=json)
    files = {} if certificates is None else _write_points(curve, certificates)
    if csv is not None:
        rows = ((p.outputs, p.solution.value_lower, p.solution.value_upper) for p in curve.points)
        write_csv(csv, ("outputs", "lower", "upper"), rows)
    if plot is not None:
        _draw(plot, curve, name)
        note(f"the plot is in {plot}")
    conclude(
        Status.ACCEPTED,
        {
            **_as_object(curve, files),
            "divergence": name,
            "seconds": round(perf_counter() - started, 3),
        },
        lambda: _as_table(curve, f"{name}, epsilon = {level}"),
        json=json,
        quiet=quiet,
    )


def _write_points(curve: "OutputCurve", folder: Path) -> dict[int, list[str]]:
    """Write a folder with the certificates of all points; the files for each limit on outputs.

    The points from where the curve is flat share the files of the first of them.
    """
    from verify.certify import write_certificates

    named: dict[str, Certificate] = {}
    files: dict[int, list[str]] = {}
    for p in curve.points:
        solution = p.solution
        if p.outputs > 1 and solution is curve.points[p.outputs - 2].solution:
            files[p.outputs] = files[p.outputs - 1]
            continue
        parts = {f"{p.outputs:04}.json": solution.certificate}
        parts |= {f"{p.outputs:04}-{i:04}.json": c for i, c in enumerate(solution.supporting)}
        named |= parts
        files[p.outputs] = [str(folder / name) for name in parts]
    write_certificates(named, folder, announce=note)
    note(f"the certificates of all points are in {folder}")
    return files


def _as_object(curve: "OutputCurve", files: dict[int, list[str]]) -> dict[str, object]:
    from verify.kernel.interval import Interval
    from verify.report import enclosure_object

    return {
        "verdict": "ACCEPTED",
        "points": [
            {
                "outputs": p.outputs,
                "value": enclosure_object(Interval(p.solution.value_lower, p.solution.value_upper)),
                "n_blocks": len(p.solution.blocks),
                "certificates": files.get(p.outputs, []),
            }
            for p in curve.points
        ],
        "flat_from": curve.flat_from,
        "fewer_outputs_are_worse": curve.is_flat_proved,
        "bits_of_the_last_percent": curve.price_of_last(),
    }


def _as_table(curve: "OutputCurve", title: str) -> "RenderableType":
    from rich.console import Group

    from verify.kernel.interval import Interval
    from verify.report import columns_table, enclosure_digits, facts_table, shortened

    rows = []
    best = curve.best.value_lower
    for p in curve.points[: curve.flat_from]:
        value = Interval(p.solution.value_lower, p.solution.value_upper)
        share = f"{float(100 * value.lower / best):.4g}%" if best else ""
        rows.append((str(p.outputs), f"{p.bits:.3f}", enclosure_digits(value), share))
    worse = " (fewer are proved worse)" if curve.is_flat_proved else ""
    facts = [
        ("flat from", f"{curve.flat_from} outputs{worse}"),
        ("bits that the last 1% costs", f"{curve.price_of_last():.4g}"),
    ]
    columns = ("outputs", "bits", "best divergence", "of the best")
    return Group(
        columns_table(f"Best private test by outputs: {shortened(title)}", columns, rows),
        facts_table("", facts),
    )


def _draw(picture: Path, curve: "OutputCurve", name: str) -> None:
    from matplotlib.figure import Figure

    figure = Figure(figsize=(6.0, 4.0), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(
        [p.outputs for p in curve.points],
        [float(p.solution.value_lower) for p in curve.points],
        "o-",
    )
    axes.axvline(curve.flat_from, color="0.7", linestyle=":", label="flat from here on")
    axes.set_xlabel("outputs allowed")
    axes.set_ylabel(f"best divergence ({name})")
    axes.legend()
    write_figure(picture, figure)
