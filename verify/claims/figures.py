"""The figures of the sources, drawn from exact values: SVG text for the page of claims."""

import io
from collections.abc import Callable
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np
from matplotlib.figure import Figure

from solvers.epsilon import parse_epsilon
from solvers.estimation.risk import Parameters, optimum
from solvers.leakage.plots import plot_dobrushin_bound
from solvers.testing import solve_testing
from solvers.thresholding.calibration import noise_allowance_ball
from solvers.thresholding.lower_bounds import midpoint_lower_bound
from solvers.thresholding.parameters import Parameters as Run
from solvers.thresholding.parameters import StepParameters
from verify.claims.testing.definitions import best_partition_value, sorted_pair, subset_program

if TYPE_CHECKING:
    from matplotlib.axes import Axes

__all__ = ["FIGURES", "as_svg"]

_LEVELS = ("1/4", "1/2", "1", "3/2", "2", "3", "4", "5")


def as_svg(figure: Figure) -> str:
    """The figure as an SVG element that can stand in a page."""
    text = io.StringIO()
    figure.savefig(text, format="svg", metadata={"Date": None})
    content = text.getvalue()
    return content[content.index("<svg") :]


def _axes() -> "tuple[Figure, Axes]":
    figure = Figure(figsize=(6.4, 4.2), layout="constrained")
    return figure, figure.add_subplot()


def _pair(k: int, seed: int) -> tuple[tuple[Fraction, ...], tuple[Fraction, ...]]:
    generator = np.random.default_rng(seed)
    laws = []
    for _ in range(2):
        weights = generator.integers(0, 20, k)
        weights[generator.integers(0, k)] += 1
        laws.append(tuple(Fraction(int(w), int(weights.sum())) for w in weights))
    return laws[0], laws[1]


def spr_against_program() -> Figure:
    """The best partition against the exact linear program over 2^6 - 1 sets, 12 pairs, k = 6."""
    figure, axes = _axes()
    for name, marker in (("tv", "o"), ("chi2", "x"), ("lecam", "+")):
        points = []
        for seed in range(12):
            p, q = sorted_pair(_pair(6, seed))
            level = Fraction(1 + seed % 4, 1) + 1
            points.append(
                (subset_program(name, level, p, q), best_partition_value(name, level, p, q))
            )
        equal = sum(a == b for a, b in points)
        axes.plot(
            [float(a) for a, _ in points],
            [float(b) for _, b in points],
            marker,
            label=f"{name}: {equal} of {len(points)} equal exactly",
        )
    axes.axline((0, 0), slope=1, color="grey", linewidth=0.5)
    axes.set(xlabel="linear program over all sets", ylabel="best contiguous partition")
    axes.legend()
    return figure


def utility_against_epsilon() -> Figure:
    """KL divergence kept at k = 100: optimum (with certificate) and the two usual mechanisms."""
    figure, axes = _axes()
    p, q = _pair(100, 7)
    shift = Fraction(1, 200)
    p, q = (tuple((x + shift) / (1 + 100 * shift) for x in law) for law in (p, q))
    solutions = [solve_testing(p, q, text, "kl") for text in _LEVELS]
    x = [float(Fraction(text)) for text in _LEVELS]
    axes.plot(x, [float(s.value_lower) for s in solutions], "o-", label="optimal (certified)")
    for key, label in (
        ("binary", "binary mechanism"),
        ("randomized_response", "k-ary randomized response"),
    ):
        values = [getattr(s.baselines[key], "lower", None) for s in solutions]
        axes.plot(x, [float(v) if v is not None else np.nan for v in values], "--", label=label)
    axes.set(xlabel="epsilon", ylabel="KL divergence of the outputs", yscale="log")
    axes.legend()
    return figure


def risk_against_epsilon() -> Figure:
    """N times the worst squared risk at v = 100 as a multiple of the optimum, by scheme."""
    figure, axes = _axes()
    texts = [f"{n}/8" for n in range(2, 33)]
    x = [float(Fraction(text)) for text in texts]
    schemes = {
        (101, 25, 6): "truncated (101,25,6)",
        (109, 28, 7): "truncated (109,28,7)",
        (341, 85, 21): "truncated (341,85,21)",
        (103, 51, 25): "truncated (103,51,25)",
        (100, 1, 0): "randomized response",
    }
    for (b, r, lam), name in schemes.items():
        ratios = []
        for text in texts:
            level = parse_epsilon(text)
            risk = Parameters(100, b, r, lam).n_risk(level.exp_lower)
            ratios.append(float(risk / optimum(100, level)))
        axes.plot(x, ratios, label=f"{name}, {np.log2(b):.2f} bits")
    axes.set(xlabel="epsilon", ylabel="risk / optimum", ylim=(0.98, 1.6))
    axes.legend()
    return figure


def bound_against_epsilon() -> Figure:
    """The tight Dobrushin bound for 4 inputs at several least masses."""
    masses = [Fraction(0), Fraction(1, 20), Fraction(1, 10), Fraction(1, 4)]
    figure: Figure = plot_dobrushin_bound(4, masses, 3)
    return figure


def thresholding_trade_off() -> Figure:
    """Lambda_T of the mechanism for three theta, and the lower bound, against the horizon T."""
    figure, axes = _axes()
    horizons = [1, 10, 100, 1000, 10_000, 100_000]
    step = StepParameters.of("1/10", "1/2")
    for theta in ("1/3", "1", "7/5"):
        run = Run.of("1", "1/10", theta)
        values = [float(noise_allowance_ball(run, step, t).exp()) for t in horizons]
        axes.plot(horizons, values, "o-", label=f"Lambda_T, theta = {theta}")
    run = Run.of("1", "1/10")
    bounds = [float(midpoint_lower_bound(run, step, t).lower) for t in horizons]
    axes.plot(horizons, bounds, "k--", label="lower bound (midpoint argument)")
    axes.set(xlabel="horizon T", ylabel="Lambda_T", xscale="log", yscale="log")
    axes.legend()
    return figure


FIGURES: dict[str, Callable[[], Figure]] = {
    "SPR against the linear program at k = 6": spr_against_program,
    "Utility against epsilon at k = 100, with baselines": utility_against_epsilon,
    "Risk against epsilon for v = 100, with bits": risk_against_epsilon,
    "Dobrushin bound against epsilon": bound_against_epsilon,
    "Thresholding: gap against horizon": thresholding_trade_off,
}
"""Each figure by its title."""
