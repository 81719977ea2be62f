"""Sizes and seconds of the thresholding mechanism.

Run as ``python -m tests.benchmarks.thresholding``.
"""

import random
import time
from fractions import Fraction

import networkx as nx
import numpy as np

from solvers.thresholding import (
    Calibrator,
    GeneralizedThresholding,
    Parameters,
    StepParameters,
    audit_privacy,
)
from solvers.thresholding.continual.guarantee import utility_ladder
from solvers.thresholding.continual.objective import coverage, max_cut
from tests.support.black_boxes import CountingBernoulli

__all__ = ["main"]


def calibrate_many(steps=10**6, horizon=10**6):
    """All steps of a horizon."""
    calibrator = Calibrator(Parameters.of(1, "1/10", horizon=horizon))
    step = StepParameters.of("1/100", "1/2")
    for t in range(1, steps + 1):
        calibrator(step, t)
    return f"{steps} calibrated steps, horizon {horizon}"


def stopping_law(steps=50):
    """A certified law."""
    gtm = GeneralizedThresholding(1, "1/10", epsilon_t="1/10", p_star="1/2")
    law = gtm.stopping_law([Fraction(1, 200) + Fraction(t, 2000) for t in range(steps)])
    return f"stopping law of {steps} steps, widest enclosure {float(law.width):.1e}"


def run_steps(steps=10**5):
    """Steps of the mechanism with a cheap counting black box."""
    bits = random.Random(1).getrandbits
    gtm = GeneralizedThresholding(1, "1/10", epsilon_t="1/100", p_star="1/2", bits=bits)
    box = CountingBernoulli(0.01)
    for _ in range(steps):
        gtm.step(box)
    return f"{steps} steps of an endless run"


def audit(sets=10):
    """Worst pairs, enclosed."""
    worst = 0.0
    for seed in range(sets):
        rng = random.Random(seed)
        calibrator = Calibrator(Parameters.of(rng.choice(["1", "2"]), "1/10"))
        step = StepParameters.of("1/10", rng.choice(["1/2", "999/1000"]))
        worst = max(worst, audit_privacy([calibrator(step, t) for t in (1, 2)]).tightness)
    return f"privacy audit of {sets} parameter sets, largest ratio {worst:.6f} epsilon"


def coverage_stream(events=10**4):
    """A stream of sets."""
    objective, rng = coverage(20, size=3), np.random.default_rng(1)
    ladder, promise = utility_ladder(
        objective, 16, "1/10", horizon=events, value_bound=events,
        bits=random.Random(1).getrandbits,
    )  # fmt: skip
    for _ in range(events):
        objective.insert(frozenset(np.flatnonzero(rng.random(20) < 0.1).tolist()))
        ladder.update()
    used = f"{ladder.recomputations} of at most {promise.recomputations} recomputations"
    return f"coverage stream of {events} sets, {used}"


def graph_stream(events=10**4):
    """A stream of edges."""
    edges = list(nx.gnm_random_graph(200, events, seed=1).edges)
    objective = max_cut(nx.empty_graph(200))
    ladder, promise = utility_ladder(
        objective, 16, "1/10", horizon=events, value_bound=events,
        bits=random.Random(1).getrandbits,
    )  # fmt: skip
    for edge in edges:
        objective.insert(edge)
        ladder.update()
    used = f"{ladder.recomputations} of at most {promise.recomputations} recomputations"
    return f"max-cut stream of {events} edges on 200 nodes, {used}"


def main():
    """Print the figures."""
    for work in (
        calibrate_many, lambda: calibrate_many(horizon=None), stopping_law, run_steps, audit,
        coverage_stream, graph_stream,
    ):  # fmt: skip
        start = time.process_time()
        text = work()
        print(f"{time.process_time() - start:7.2f} s  {text}")


if __name__ == "__main__":
    main()
