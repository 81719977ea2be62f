"""Reproduce the experiments of optimal private testing: one exact table and three figures.

Run: ``python examples/private_testing_figures.py [folder]`` (default ``out``). It takes a minute.

1. On 6 symbols the best partition against the linear program over all 64 subsets, for rational
   divergences and a grid of epsilon: the two values are equal as fractions.
2. On 100 symbols utility against epsilon, beside the binary mechanism, k-ary randomized response
   and no privacy.
3. The joint range of three symbols at several epsilon.
"""

import random
import sys
from fractions import Fraction
from pathlib import Path

import numpy as np
from matplotlib.figure import Figure

from solvers.testing import solve_testing
from solvers.testing.joint_range import joint_range_vertices
from solvers.testing.joint_range_picture import draw_joint_range
from solvers.testing.staircase_program import staircase_optimum
from solvers.testing.utility_float import utility_float
from verify.commands.table_and_figure import write_figure
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import parse_divergence

RATIONAL = ("tv", "chi2", "reverse-chi2", "lecam", "e-gamma:3/2", "alpha:3")
GRID = tuple(map(Fraction, ("11/10", "3/2", "3", "8", "20", "150", "3000")))
EXAMPLES = Path(__file__).resolve().parent


def random_law(rng: random.Random, size: int) -> Distribution:
    """A law with integer weights, a few of them small."""
    weights = [rng.choice((1, rng.randint(1, 100))) for _ in range(size)]
    return Distribution(tuple(Fraction(w, sum(weights)) for w in weights))


def compare_with_all_subsets(n_pairs: int) -> None:
    """Print how often the two optima agree, and the largest difference."""
    rng = random.Random(6)  # noqa: S311
    pairs = [(random_law(rng, 6), random_law(rng, 6)) for _ in range(n_pairs)]
    print(f"k = 6, {n_pairs} pairs, E = {', '.join(map(str, GRID))}")
    print("divergence      cases   equal   largest difference")
    for name in RATIONAL:
        divergence = parse_divergence(name)
        differences = [
            solve_testing(p0, p1, f"log({E})", name).value_lower
            - staircase_optimum(p0, p1, divergence, E)
            for p0, p1 in pairs
            for E in GRID
        ]
        equal = sum(not difference for difference in differences)
        print(f"{name:<14}{len(differences):>7}{equal:>8}   {max(map(abs, differences))}")


def draw_curves(path: Path, name: str, size: int) -> None:
    """Utility against epsilon on many symbols."""
    rng = random.Random(100)  # noqa: S311
    p0, p1 = random_law(rng, size), random_law(rng, size)
    utility = utility_float(p0, p1, name)
    epsilon = np.geomspace(0.1, 10, 40)
    figure = Figure(figsize=(6.5, 4.5), layout="constrained")
    axes = figure.add_subplot()
    for title, curve, style in (
        ("optimal private", utility.optimal, "-"),
        ("binary mechanism", utility.binary, "--"),
        ("k-ary randomized response", utility.randomized_response, "-."),
    ):
        axes.loglog(epsilon, [curve(float(x)) for x in epsilon], style, label=title)
    axes.axhline(utility.non_private(), color="0.5", linestyle=":", label="non-private")
    axes.set_xlabel("epsilon (nats)")
    axes.set_ylabel(f"{name}, {size} symbols")
    axes.legend()
    write_figure(path, figure)
    print(f"wrote {path.name}")


def draw_ranges(path: Path) -> None:
    """The shadow of the joint range of three symbols with two outputs."""
    p0, p1 = Distribution(("1/2", "1/3", "1/6")), Distribution(("1/6", "1/3", "1/2"))
    figure = Figure(figsize=(5.0, 5.0), layout="constrained")
    draw_joint_range(
        figure.add_subplot(),
        [(f"E = {E}", joint_range_vertices(p0, p1, Fraction(E), 2)) for E in (2, 4, 16)],
    )
    write_figure(path, figure)
    print(f"wrote {path.name}")


def main() -> None:
    """The table and the figures."""
    folder = Path(sys.argv[1]) if len(sys.argv) > 1 else EXAMPLES.parent / "out"
    n_pairs = int(sys.argv[2]) if len(sys.argv) > 2 else 6
    folder.mkdir(parents=True, exist_ok=True)
    compare_with_all_subsets(n_pairs)
    for name in ("kl", "chernoff"):
        draw_curves(folder / f"utility-{name}.png", name, 100)
    draw_ranges(folder / "joint-range.png")


if __name__ == "__main__":
    main()
