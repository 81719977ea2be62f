"""Utility against epsilon: the best private mechanism beside the usual ones, as a picture."""

import io
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from verify.kernel.interval import Interval
from verify.output_file import write_atomically

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from solvers.testing import TestingSolution

__all__ = ["UtilityCurves", "draw_utility", "utility_curves"]

_POINTS = 60
_LARGEST_EPSILON = 40.0
"""Beyond it no curve moves any more in float64."""

Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class UtilityCurves:
    """Divergences in float64 at the same values of epsilon.

    Args:
        epsilon: the abscissae, in nats.
        optimal: the best private mechanism.
        binary: randomized response on the bit P0(x) > P1(x).
        randomized_response: randomized response on the whole alphabet.
    """

    epsilon: Floats
    optimal: Floats
    binary: Floats
    randomized_response: Floats


def utility_curves(solution: "TestingSolution", epsilon: Floats) -> UtilityCurves:
    """The curves of the problem that the solution solves.

    Args:
        solution: the solution at one epsilon.
        epsilon: positive values at which to evaluate the curves.

    Returns:
        Float64 values without a certified error.
    """
    from solvers.testing.utility_float import utility_float

    problem = solution.problem
    utility = utility_float(problem.p0, problem.p1, problem.divergence.name, problem.outputs)
    columns = [
        (utility.optimal(x), utility.binary(x), utility.randomized_response(x))
        for x in map(float, epsilon)
    ]
    return UtilityCurves(epsilon, *np.array(columns).T)


def draw_utility(path: Path, solution: "TestingSolution") -> None:
    """Write the picture of the curves, with the certified optimum marked.

    Raises:
        InputError: if the file cannot be written.
    """
    from matplotlib.figure import Figure

    chosen = float(solution.epsilon.nats)
    last = min(max(6.0, 2 * chosen), _LARGEST_EPSILON)
    first = min(0.1, chosen / 4) if chosen else 0.1
    curves = utility_curves(solution, np.geomspace(first, last, _POINTS))
    figure = Figure(figsize=(7.0, 4.5), layout="constrained")
    _draw(figure.add_subplot(), curves, solution)
    page = io.BytesIO()
    figure.savefig(page, format=path.suffix.lower().removeprefix("."), dpi=150)
    write_atomically(path, page.getvalue())


def _draw(axes: "Axes", curves: UtilityCurves, solution: "TestingSolution") -> None:
    ordinates = (curves.optimal, curves.binary, curves.randomized_response)
    titles = ("optimal private", "binary mechanism", "k-ary randomized response")
    for ordinate, title, style in zip(ordinates, titles, ("-", "--", "-."), strict=True):
        axes.plot(curves.epsilon, ordinate, style, label=title)
    bound = solution.baselines["non_private"]
    if isinstance(bound, Interval):
        axes.axhline(float(bound.lower), color="0.5", linestyle=":", label="non-private")
    else:
        axes.plot([], [], color="0.5", linestyle=":", label="non-private: infinite")
    chosen = float(solution.epsilon.nats)
    if 0 < chosen <= _LARGEST_EPSILON:
        axes.plot([chosen], [float(solution.value_lower)], "ko", label="certified")
    axes.set_xscale("log")
    if min(ordinate.min() for ordinate in ordinates) > 0:
        axes.set_yscale("log")
    axes.set_xlabel("epsilon (nats)")
    axes.set_ylabel(f"divergence ({solution.problem.divergence.name})")
    axes.legend()
