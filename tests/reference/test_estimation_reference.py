"""The reference problems of private estimation, to every digit given."""

import json
from decimal import Decimal, localcontext
from fractions import Fraction
from pathlib import Path

import pytest

from solvers import parse_epsilon
from solvers.estimation import (
    Parameters,
    best_schemes,
    enclose_loss,
    optimal_block_sizes,
    optimum,
    projective_geometry_response,
)

CASES = json.loads((Path(__file__).parent / "estimation.json").read_text())
SCHEMES = [(case, scheme) for case in CASES for scheme in case["schemes"]]


def rounded(number: Fraction, text: str) -> Decimal:
    """The number with as many significant digits as the text has."""
    with localcontext() as context:
        context.prec = len(Decimal(text).as_tuple().digits)
        return Decimal(number.numerator) / Decimal(number.denominator)


def same_digits(number: Fraction, text: str) -> bool:
    """Equal to every digit of the text; a text such as 1.0 claims the exact value."""
    if len(text) < 10:
        return abs(number - Fraction(text)) < Fraction(1, 10**30)
    return rounded(number, text) == Decimal(text)


def name(case):
    return f"v{case['alphabet_size']}-{case['epsilon']}"


@pytest.mark.parametrize("case", CASES, ids=name)
def test_optimum_and_block_sizes(case):
    v, epsilon = case["alphabet_size"], case["epsilon"]
    assert list(optimal_block_sizes(v, epsilon)) == case["optimal_block_sizes"]
    assert same_digits(optimum(v, epsilon), case["optimum"])


@pytest.mark.parametrize("case", CASES, ids=name)
def test_optimum_of_the_absolute_error(case):
    v, text = case["alphabet_size"], case["optimum_l1_sqrt_n"]
    loss = enclose_loss(optimum(v, case["epsilon"]), v, Fraction(1))
    assert same_digits(loss.lower, text)
    assert same_digits(loss.upper, text)


@pytest.mark.parametrize(
    ("case", "scheme"), SCHEMES, ids=[f"{name(c)}-b{s['b']}-r{s['r']}" for c, s in SCHEMES]
)
def test_risk_ratio_and_bits(case, scheme):
    v, level = case["alphabet_size"], parse_epsilon(case["epsilon"])
    parameters = Parameters(v, scheme["b"], scheme["r"], scheme["lambda_"])
    risk = parameters.n_risk(level.exp_lower)
    assert same_digits(risk, scheme["n_risk"])
    assert same_digits(risk / optimum(v, level), scheme["ratio"])


@pytest.mark.parametrize(
    ("b", "r", "lambda_"),
    [(101, 25, 6), (109, 28, 7), (133, 33, 8), (341, 85, 21), (121, 40, 13), (103, 51, 25)],
)
def test_one_hundred_symbols_are_served_by_every_design_of_the_table(b, r, lambda_):
    (listed,) = [scheme for scheme in CASES[0]["schemes"] if scheme["b"] == b]
    ranking = best_schemes(100, 1, limit=400)
    found = [s for s in ranking if s.parameters == Parameters(100, b, r, lambda_)]
    assert same_digits(found[0].n_risk, listed["n_risk"])
    assert f"{found[0].bits:.14f}"[:15] == listed["bits"][:15]


def test_the_two_best_known_truncations_stand_among_the_three_best():
    best = [
        (s.parameters.b, s.parameters.r, s.parameters.lambda_) for s in best_schemes(100, 1)[:3]
    ]
    assert {(101, 25, 6), (109, 28, 7)} < set(best)


def test_projective_geometry_response_needs_more_bits_and_has_more_risk():
    (listed,) = [s for s in CASES[0]["schemes"] if s["b"] == 341]
    response = projective_geometry_response(100, 1)
    assert same_digits(response.ratio, listed["ratio"])
    better = [s for s in best_schemes(100, 1) if s.parameters.b == 101]
    assert better[0].bits < response.bits
    assert better[0].ratio < response.ratio
