"""``exactdp trace joint-range``: the pairs of output laws that private channels can make."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.options import (
    CsvOption,
    EpsilonOption,
    ExpEpsilonOption,
    FileArgument,
    JsonOption,
    PlotOption,
    QuietOption,
    WeightsOption,
    read_epsilon,
)
from verify.commands.output import conclude, note, working
from verify.commands.table_and_figure import require_places, write_csv, write_figure

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from rich.console import RenderableType

    from solvers.testing.joint_range import RangeVertex

__all__ = ["EXAMPLE", "trace_joint_range"]

EXAMPLE = (
    "Example: exactdp trace joint-range pair.json --exp-epsilon 3 --outputs 2 --plot range.png"
)


def trace_joint_range(
    file: FileArgument,
    epsilon: EpsilonOption = None,
    exp_epsilon: ExpEpsilonOption = None,
    outputs: Annotated[
        int, typer.Option("--outputs", metavar="L", help="The number of labelled outputs.")
    ] = 2,
    weights: WeightsOption = False,
    csv: CsvOption = None,
    plot: PlotOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """The vertices of the polytope of all pairs (M0, M1), each with the mechanism that makes it.

    FILE holds the two distributions as for ``certify testing``; a few symbols at most. The picture
    shows the probabilities that the two laws give to the first output.
    """
    from solvers.testing.joint_range import joint_range_vertices
    from verify.intake.distributions import read_distributions
    from verify.intake.source import read_source
    from verify.kernel.verdict import Status

    started = perf_counter()
    require_places(file, csv, plot)
    level = read_epsilon(epsilon, exp_epsilon)
    pair = read_distributions(read_source(file), weights=weights)
    with working("finding the vertices", quiet=quiet):
        vertices = joint_range_vertices(pair.p0, pair.p1, level.exp_lower, outputs)
    if csv is not None:
        names = [f"{law}_{y}" for law in ("m0", "m1") for y in range(outputs)]
        write_csv(csv, names, ((*v.m0, *v.m1) for v in vertices))
    if plot is not None:
        _draw(plot, vertices)
        note(f"the plot is in {plot}")
    conclude(
        Status.ACCEPTED,
        {
            "verdict": "ACCEPTED",
            "exp_epsilon": str(level.exp_lower),
            "vertices": [_as_object(vertex, pair.labels) for vertex in vertices],
            "seconds": round(perf_counter() - started, 3),
        },
        lambda: _as_table(vertices, pair.labels, f"epsilon = {level}, {outputs} outputs"),
        json=json,
        quiet=quiet,
    )


def _as_object(vertex: "RangeVertex", labels: "Sequence[str]") -> dict[str, object]:
    return {
        "m0": list(map(str, vertex.m0)),
        "m1": list(map(str, vertex.m1)),
        "blocks": [[labels[x] for x in block] for block in vertex.blocks],
    }


def _as_table(
    vertices: "Sequence[RangeVertex]", labels: "Sequence[str]", title: str
) -> "RenderableType":
    from verify.report import columns_table, digits, printable, shortened

    def law(masses: "Sequence[Fraction]") -> str:
        return " ".join(str(m) if len(str(m)) < 12 else digits(m) for m in masses)

    rows = [
        (
            law(v.m0),
            law(v.m1),
            shortened(" | ".join(" ".join(printable(labels[x]) for x in b) for b in v.blocks)),
        )
        for v in vertices
    ]
    return columns_table(
        f"Vertices of the joint range: {title}", ("M0", "M1", "symbols of each output"), rows
    )


def _draw(picture: Path, vertices: "Sequence[RangeVertex]") -> None:
    from matplotlib.figure import Figure

    from solvers.testing.joint_range_picture import draw_joint_range

    figure = Figure(figsize=(5.0, 5.0), layout="constrained")
    draw_joint_range(figure.add_subplot(), [("vertices", vertices)])
    write_figure(picture, figure)
