"""Monte Carlo accuracy at the boundary values: the failure rate is at most beta."""

import random
from fractions import Fraction

import numpy as np
import pytest

from solvers.thresholding import Calibrator, Parameters, StepParameters
from solvers.thresholding.noisy_rounds import NoisyRounds

SETTINGS = [
    # epsilon, beta, theta, gamma, horizon, epsilon_t, delta_t, p_star
    ("1", "1/10", "1", "2", 1, "1/10", "0", "1/2"),
    ("1", "1/10", "1", "2", 5, "1/10", "0", "1/2"),
    ("1", "1/5", "3/10", "3/2", 5, "1/20", "0", "1/2"),
    ("2", "1/10", "7/5", "2", 3, "1/5", "0", "1/3"),
    ("2", "1/5", "1", "3/2", 8, "1/10", "0", "1/5"),
    ("1", "1/10", "1", "2", 2, "1/50", "0", "9/10"),
    ("1", "1/10", "1", "2", 3, "1/20", "0", "999/1000"),
    ("2", "1/10", "7/5", "3/2", 3, "1/20", "0", "99/100"),
    ("1", "1/5", "1", "2", None, "1/10", "0", "1/2"),
    ("2", "1/5", "1", "2", None, "1/20", "0", "999/1000"),
    ("1", "1/10", "1", "2", 3, "1/10", "1/1000", "1/2"),
    ("1", "1/10", "1", "2", 3, "1/50", "1/10000", "999/1000"),
    ("2", "1/10", "7/5", "2", 4, "1/10", "1/1000", "1/2"),
    ("log(3)", "1/10", "1", "2", 4, "1/20", "0", "1/10"),
    ("1/2", "1/5", "1", "2", 2, "1/50", "0", "1/2"),
    ("4", "1/10", "1", "3/2", 4, "1/5", "0", "3/4"),
    ("1", "1/3", "7/5", "2", 10, "1/20", "0", "1/2"),
    ("1", "2/5", "1", "3/2", 6, "1/10", "1/1000", "9/10"),
    ("2", "1/2", "1", "2", 12, "1/10", "0", "1/2"),
    ("1", "9/10", "1", "2", 6, "1/10", "0", "1/2"),
]


def failure_rate(setting, runs, seed):
    """Half of the runs have a bad box at each step (rejection threshold), the last is good (p*)."""
    epsilon, beta, theta, gamma, horizon, *step = setting
    parameters = Parameters.of(epsilon, beta, theta, gamma, horizon)
    one = StepParameters.of(step[0], step[2], step[1])
    calibrator = Calibrator(parameters)
    length = horizon or 6
    steps = [calibrator(one, t) for t in range(1, length + 1)]
    bad = [s.rejection_threshold().lower for s in steps]
    assert min(bad) >= 0
    cleaned = [float(s.channel.clean(p)) for s, p in zip(steps, bad, strict=True)]
    good = float(steps[-1].channel.clean(one.p_star))
    source, rng = random.Random(seed).getrandbits, np.random.default_rng(seed)
    failures = 0
    for _ in range(runs):
        noise = NoisyRounds(source)
        for t, made in enumerate(steps):
            p = good if t == length - 1 else cleaned[t]
            trials = noise.draw_evaluations(made.round)
            counted = p if made.direction.sign == 1 else 1 - p
            accepted = made.round.accepts(int(rng.binomial(trials, min(max(counted, 0), 1))))
            if accepted != (t == length - 1):
                failures += 1
                break
    return failures / runs


@pytest.mark.parametrize("setting", SETTINGS[::4])
def test_failures_stay_below_beta(setting):
    assert failure_rate(setting, 400, 1) <= float(Fraction(setting[1]))


@pytest.mark.slow
@pytest.mark.parametrize("setting", SETTINGS)
def test_failures_stay_below_beta_in_ten_thousand_runs(setting):
    assert failure_rate(setting, 10**4, 7) <= float(Fraction(setting[1]))
