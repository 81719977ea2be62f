"""Optimal private testing in float64: a ladder of sizes, memory, and the growth exponent.

Dirichlet(1) laws with fixed seeds; wall and processor time of one call in process after a first
one. `--full` adds a million symbols. The layered O(k^3) program stands beside it while it is quick.
"""

import math

import numpy as np

from solvers.testing import solve_testing_float
from tests.benchmarks._measure import measured, peak_megabytes, row

SIZES = (100, 300, 1000, 10_000, 100_000)
LAYERED_MOST = 300


def layered(p, q, epsilon):
    """The plain program over layers for kl: O(k^3)."""
    order = np.argsort(p / (p + q))
    c, k = math.expm1(epsilon), len(p)
    x, y = (np.concatenate([[0.0], np.cumsum(law[order])]) for law in (p, q))
    upper = np.triu(np.ones((k + 1, k + 1), dtype=bool), 1)
    u, w = (np.where(upper, 1 + c * (z[None, :] - z[:, None]), 1.0) for z in (x, y))
    mu = np.where(upper, u * np.log(u / w), -np.inf)
    layer, best = np.where(np.arange(k + 1) == 0, 0.0, -np.inf), 0.0
    for s in range(1, k + 1):
        layer = np.max(layer[:, None] + mu, axis=0)
        best = max(best, layer[k] / (c + s))
    return best


def main(argv):
    """Print the table."""
    sizes = (*SIZES, 1_000_000) if "--full" in argv else SIZES
    row("k", "epsilon", "blocks", "kl", "wall s", "cpu s", "peak MB", "O(k^3) cpu s", "difference")
    times = {}
    for k in sizes:
        rng = np.random.default_rng(k)
        p, q = rng.dirichlet(np.ones(k)), rng.dirichlet(np.ones(k))
        for epsilon in (1.0, 3.0, 8.0):
            solve_testing_float(p, q, epsilon, "kl")
            repeat = max(1, 2000 // k)
            found, wall, cpu = measured(lambda: solve_testing_float(p, q, epsilon, "kl"), repeat)  # noqa: B023
            times[k, epsilon] = cpu
            plain, difference = "-", "-"
            if k <= LAYERED_MOST:
                value, _, seconds = measured(lambda: layered(p, q, epsilon))  # noqa: B023
                plain, difference = f"{seconds:.4f}", f"{abs(value - found.value) / value:.0e}"
            cells = f"{found.value:.10f}", f"{wall:.5f}", f"{cpu:.5f}", f"{peak_megabytes():.0f}"
            row(k, epsilon, len(found.cuts) - 1, *cells, plain, difference)
    for epsilon in (1.0, 3.0, 8.0):
        first, last = 1000, sizes[-1]
        growth = math.log(times[last, epsilon] / times[first, epsilon]) / math.log(last / first)
        print(
            f"growth exponent from {first} to {last} symbols, epsilon = {epsilon:g}: {growth:.2f}"
        )
