"""Risk against the length of a report: every listed scheme as a point of a picture."""

import io
from pathlib import Path
from typing import TYPE_CHECKING

from verify.output_file import write_atomically

if TYPE_CHECKING:
    from collections.abc import Iterable

    from solvers.estimation import Scheme, SchemeRanking

__all__ = ["draw_schemes"]

_STEEP = 3.0
"""Ratios above this are drawn on a logarithmic axis."""


def draw_schemes(path: Path, ranking: "SchemeRanking") -> None:
    """Write the picture of a ranking; the ending of the name says in which format.

    Raises:
        InputError: if the file cannot be written.
    """
    from matplotlib.figure import Figure

    figure = Figure(figsize=(7.0, 4.5), layout="constrained")
    axes = figure.add_subplot()
    axes.plot(*_points(ranking.schemes), ".", color="0.6", label="constructible")
    axes.step(*_points(ranking.pareto), "o-", where="post", label="Pareto-optimal")
    optimal = [scheme for scheme in ranking.schemes if scheme.is_optimal]
    if optimal:
        axes.plot(*_points(optimal), "k*", markersize=12, label="exactly optimal")
    axes.axhline(1.0, color="0.5", linestyle=":", label="no unbiased scheme is below")
    if max(_points(ranking.schemes)[1]) > _STEEP:
        axes.set_yscale("log")
    axes.set_xlabel("bits of a report, log2 of the number of outputs")
    axes.set_ylabel("worst risk over the lower bound")
    axes.set_title(f"{ranking.alphabet_size} symbols, epsilon = {ranking.epsilon}")
    axes.legend()
    page = io.BytesIO()
    figure.savefig(page, format=path.suffix.lower().removeprefix("."), dpi=150)
    write_atomically(path, page.getvalue())


def _points(schemes: "Iterable[Scheme]") -> tuple[list[float], list[float]]:
    pairs = [(scheme.bits, float(scheme.ratio)) for scheme in schemes]
    return [bits for bits, _ in pairs], [ratio for _, ratio in pairs]
