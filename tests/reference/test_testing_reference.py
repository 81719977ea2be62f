"""The 120 reference problems: enclosed, proved optimal, with and without a limit on outputs."""

import json
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest

from solvers.testing import solve_testing
from tests.support import oracle
from verify.canonical_form import encode
from verify.kernel.certificate import check_certificate, decode
from verify.kernel.ldp import largest_column_ratio

CASES = json.loads((Path(__file__).parent / "testing.json").read_text())
RATIONAL = ("tv", "chi2", "reverse-chi2", "lecam")


def name_of(case):
    return f"{case['divergence']}-k{len(case['p0'])}-E{case['exp_epsilon']}-L{case['outputs']}"


def exact(texts):
    return [Fraction(text) for text in texts]


def solve(case, outputs):
    level = f"log({case['exp_epsilon']})"
    return solve_testing(case["p0"], case["p1"], level, case["divergence"], outputs)


def require_proved(solution, case):
    """The certificate survives the file, the gap closes, and the mechanism is as promised."""
    verdict = check_certificate(decode(encode(solution.certificate)))
    assert verdict.is_accepted, verdict.reason
    assert solution.value_lower <= solution.value_upper
    if case["divergence"] in RATIONAL or case["divergence"].startswith("e-gamma"):
        assert solution.value_lower == solution.value_upper
        assert solution.relative_gap == 0
    else:
        assert solution.relative_gap <= Fraction(1, 10**30)
    E = Fraction(case["exp_epsilon"])
    assert largest_column_ratio(solution.mechanism).exp_epsilon <= E
    assert sorted(x for block in solution.blocks for x in block) == list(range(len(case["p0"])))
    assert [list(map(Fraction, row)) for row in solution.mechanism.rows] == oracle.response(
        solution.blocks, len(case["p0"]), E
    )


def test_there_are_120_cases_of_every_kind():
    assert len(CASES) == 120
    assert {case["divergence"].partition(":")[0] for case in CASES} >= {
        *RATIONAL,
        "kl",
        "hellinger",
    }
    assert {case["outputs"] is None for case in CASES} == {True, False}


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_the_optimum_is_enclosed_and_proved(case):
    solution = solve(case, case["outputs"])
    require_proved(solution, case)
    with mpmath.workdps(60):
        value = oracle.to_fraction(mpmath.mpf(case["value"]))
    rounding = abs(value) / 10**39
    assert solution.value_lower <= value + rounding
    assert value - rounding <= solution.value_upper
    width = solution.value_upper - solution.value_lower
    assert width <= abs(value) / 10**12
    if case["outputs"] is not None:
        assert len(solution.blocks) <= case["outputs"]


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_the_reference_partition_has_the_reference_value(case):
    p, q, E = exact(case["p0"]), exact(case["p1"]), Fraction(case["exp_epsilon"])
    value = oracle.value_of(case["blocks"], p, q, E, case["divergence"])
    with mpmath.workdps(60):
        assert abs(oracle.to_mpf(value) - mpmath.mpf(case["value"])) <= mpmath.mpf(10) ** -38 * max(
            1, abs(mpmath.mpf(case["value"]))
        )


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_every_case_is_also_proved_with_the_other_choice_of_outputs(case):
    outputs = 2 if case["outputs"] is None else None
    solution = solve(case, outputs)
    require_proved(solution, case)
    p, q, E = exact(case["p0"]), exact(case["p1"]), Fraction(case["exp_epsilon"])
    best = oracle.best_contiguous(p, q, E, case["divergence"], outputs)
    if isinstance(best, Fraction):
        assert best == solution.value_lower
    else:
        value, margin = oracle.to_fraction(best), Fraction(1, 10**80)
        assert solution.value_lower - margin <= value <= solution.value_upper + margin
