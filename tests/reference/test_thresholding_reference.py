"""Calibration agrees with the reference table to 20 digits.

Source of ``thresholding.json``: the formulas of the abstract of Chaturvedi, Henzinger et al. (2026,
arXiv 2605.21601) for Lambda_t, and of the reconstruction for delta_t > 0, evaluated to 25 digits.
"""

import json
from fractions import Fraction
from pathlib import Path

import pytest
import sympy

from solvers.thresholding import CalibrationMethod, Parameters, StepParameters, calibrate_step

CASES = json.loads((Path(__file__).parent / "thresholding.json").read_text())
STEPS = [(case, step) for case in CASES for step in case["steps"]]


def agrees(value, text):
    expected = Fraction(text)
    return abs(value - expected) <= abs(expected) / 10**20


@pytest.mark.parametrize("method", list(CalibrationMethod))
@pytest.mark.parametrize(
    ("case", "expected"), STEPS, ids=[f"{c['epsilon_t']}-{s['t']}" for c, s in STEPS]
)
def test_every_value_to_twenty_digits(case, expected, method):
    parameters = Parameters.of(*(case[k] for k in ("epsilon", "beta", "theta", "gamma", "horizon")))
    step = StepParameters.of(case["epsilon_t"], case["p_star"], case["delta_t"])
    made = calibrate_step(parameters, step, expected["t"], method)
    assert made.direction.value == expected["direction"]
    assert agrees(made.crossover, expected["crossover"])
    for enclosure, key in (
        (made.lambda_t(), "lambda_t"),
        (made.rejection_threshold(), "rejection_threshold"),
    ):
        assert agrees(enclosure.lower, expected[key])
        assert agrees(enclosure.upper, expected[key])


def test_the_cut_offs_give_lambda_identically():
    """With e = epsilon_t/epsilon: (5 t ln^3(t+2))^((2+theta)e) (4/beta)^((3+theta+2/theta)e)."""
    epsilon, epsilon_t, theta, beta = sympy.symbols("epsilon epsilon_t theta beta", positive=True)
    shared, own = theta * epsilon / (2 + theta), epsilon / (2 + theta)
    spread = sympy.Symbol("spread", positive=True)  # 5 t ln^3(t+2)
    log_allowance = epsilon_t * (sympy.log(4 / beta) / shared + sympy.log(4 * spread / beta) / own)
    ratio = epsilon_t / epsilon
    log_published = (2 + theta) * ratio * sympy.log(spread)
    log_published += (3 + theta + 2 / theta) * ratio * sympy.log(4 / beta)
    difference = sympy.expand(sympy.expand_log(log_allowance - log_published, force=True))
    assert sympy.simplify(difference) == 0
