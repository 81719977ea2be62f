"""Pictures: the Dobrushin bound against epsilon, and the leakage profile of a channel.

Values are exact or enclosed; they become floats only to be drawn.
"""

from collections.abc import Sequence
from fractions import Fraction

import numpy as np
from matplotlib.figure import Figure

from solvers.leakage.dobrushin import dobrushin_bound, require_least_mass
from solvers.leakage.profile import leakage_profile
from verify.kernel.channel import Channel
from verify.kernel.errors import InputError
from verify.kernel.exact import Infinity

__all__ = ["plot_dobrushin_bound", "plot_leakage_profile"]

_SIZE = (6.4, 4.0)


def plot_dobrushin_bound(
    n_inputs: int, c: Sequence[object], largest_epsilon: object = 3, n_points: int = 120
) -> Figure:
    """The Dobrushin bound against epsilon, one curve for each c, thresholds dotted.

    Args:
        n_inputs: N >= 2.
        c: least masses of a prior, each an exact number in [0, 1/N].
        largest_epsilon: right end of the axis in nats, an exact number > 0.
        n_points: points of a curve.

    Raises:
        InputError: for invalid arguments.
    """
    right = Fraction(str(largest_epsilon))
    if right <= 0 or n_points < 2 or not c:
        raise InputError("plot: needs a c, largest_epsilon > 0 and at least 2 points")
    nats = [right * j / (n_points - 1) for j in range(n_points)]
    figure = Figure(figsize=_SIZE, layout="constrained")
    axes = figure.add_subplot()
    for mass in (require_least_mass(n_inputs, value) for value in c):
        bounds = [dobrushin_bound(n_inputs, mass, epsilon) for epsilon in nats]
        label = f"c = {mass}" if mass else "c = 0 (LDP)"
        (line,) = axes.plot(
            [float(epsilon) for epsilon in nats], [float(b.upper) for b in bounds], label=label
        )
        threshold = bounds[0].enclose_threshold()
        if not isinstance(threshold, Infinity) and threshold.upper <= right:
            axes.axvline(float(threshold.upper), color=line.get_color(), ls=":", lw=0.8)
    axes.set(
        xlabel="epsilon (nats)",
        ylabel="largest Dobrushin coefficient",
        title=f"{n_inputs} inputs",
        xlim=(0, float(right)),
        ylim=(0, 1.02),
    )
    axes.legend()
    return figure


def plot_leakage_profile(channel: Channel, name: str = "channel", n_points: int = 200) -> Figure:
    """The leakage in nats of a channel against c, with its breakpoints and the bound it gives.

    Args:
        channel: K with at least two inputs.
        name: what to call it.
        n_points: points of a curve.

    Raises:
        InputError: for a channel with one input or too few points.
    """
    if n_points < 2:
        raise InputError(f"n_points: {n_points} is less than 2")
    profile, n = leakage_profile(channel), channel.n_inputs
    grid = sorted({Fraction(j, n * (n_points - 1)) for j in range(n_points)})
    finite = [(c, value) for c in grid if isinstance(value := profile.exp_leakage(c), Fraction)]
    figure = Figure(figsize=(6.4, 6.4), layout="constrained")
    above, below = figure.subplots(2, 1, sharex=True)
    nats = np.log([float(value) for _, value in finite])
    above.plot([float(c) for c, _ in finite], nats, label="worst leakage")
    inner = list(profile.breakpoints[1:-1])
    if inner:
        heights = [float(profile.exp_leakage(c)) for c in inner]
        above.plot([float(c) for c in inner], np.log(heights), "o", ms=4, label="breakpoints")
    above.set(ylabel="nats", title=name, ylim=(0, None))
    best = profile.best_bound()
    bounds = [float(profile.dobrushin_bound(c)) for c in grid]
    below.plot([float(c) for c in grid], bounds, label="bound at the leakage")
    below.plot([float(best.c)], [float(best.bound)], "s", ms=5, label="least bound")
    below.axhline(float(best.coefficient), color="grey", ls="--", lw=0.8, label="coefficient")
    below.set(xlabel="least prior mass c", ylabel="Dobrushin coefficient", ylim=(0, 1.02))
    for axes in (above, below):
        axes.legend()
    return figure
