"""Simulated risk against the exact one: 10^4 repetitions, fixed seeds, four standard errors."""

from fractions import Fraction

import numpy as np
import pytest

from combinatorics import difference_set, symmetric_design
from solvers.estimation import (
    block_design_scheme,
    hadamard_response,
    projective_geometry_response,
    randomized_response,
    subset_selection,
    truncated_scheme,
    with_sum_one,
)
from verify.kernel.distribution import Distribution

REPETITIONS = 10_000
N_USERS = 60
SCHEMES = {
    "randomized response": randomized_response(4, "log(3)"),
    "subset selection": subset_selection(8, 3, "1"),
    "Hadamard response": hadamard_response(12, "0.8"),
    "projective geometry response": projective_geometry_response(10, "1.1"),
    "block design": block_design_scheme(symmetric_design(11, 5, 2).design, "0.5"),
    "truncated difference set": truncated_scheme(difference_set(37, 9, 2), 30, "1.1"),
}


@pytest.fixture(scope="module", params=SCHEMES)
def simulated(request):
    """A scheme, the law of a symbol and the estimates of every repetition."""
    scheme = SCHEMES[request.param]
    masses = np.arange(1, scheme.alphabet_size + 1)
    prior = Distribution(tuple(Fraction(int(m), int(masses.sum())) for m in masses))
    rng = np.random.default_rng(20_230_501)
    law = masses / masses.sum()
    symbols = rng.choice(scheme.alphabet_size, REPETITIONS * N_USERS, p=law)
    reports = scheme.privatise(symbols, rng).reshape(REPETITIONS, N_USERS)
    estimates = np.array([scheme.estimate(scheme.aggregate(row)) for row in reports])
    return scheme, prior, law, estimates


def within_four_errors(samples, expected):
    error = samples.std(axis=0) / np.sqrt(len(samples))
    return np.abs(samples.mean(axis=0) - expected) <= 4 * error


def test_risk(simulated):
    scheme, prior, law, estimates = simulated
    squared = ((estimates - law) ** 2).sum(axis=1)
    assert within_four_errors(squared, float(scheme.risk(N_USERS, prior)))


def test_mean(simulated):
    _, _, law, estimates = simulated
    assert within_four_errors(estimates, law).all()


def test_risk_with_sum_one(simulated):
    scheme, prior, law, estimates = simulated
    moved = np.array([with_sum_one(estimate) for estimate in estimates])
    squared = ((moved - law) ** 2).sum(axis=1)
    assert within_four_errors(squared, float(scheme.corrected_n_risk(prior) / N_USERS))
