"""The 30 reference problems for Renyi divergences and Chernoff information."""

import json
from fractions import Fraction
from pathlib import Path

import mpmath
import pytest

from solvers.testing import solve_testing
from solvers.testing.chernoff import chernoff_enclosure
from tests.support import oracle
from verify.canonical_form import encode
from verify.kernel.certificate import check_certificate, decode

CASES = json.loads((Path(__file__).parent / "renyi_chernoff.json").read_text())


def test_there_are_30_cases():
    assert len(CASES) == 30
    assert {case["divergence"] for case in CASES} == {
        "renyi:1/2",
        "renyi:1",
        "renyi:2",
        "renyi:3",
        "chernoff",
    }


@pytest.mark.parametrize("case", CASES, ids=lambda c: f"{c['divergence']}-E{c['exp_epsilon']}")
def test_the_optimum_is_enclosed_and_proved(case):
    level = f"log({case['exp_epsilon']})"
    solution = solve_testing(case["p0"], case["p1"], level, case["divergence"], case["outputs"])
    with mpmath.workdps(50):
        value = oracle.to_fraction(mpmath.mpf(case["value"]))
    rounding = value / 10**29
    assert solution.value_lower <= value + rounding
    assert value - rounding <= solution.value_upper
    assert solution.verdict.is_accepted
    if case["divergence"] == "chernoff":
        assert solution.relative_gap <= Fraction(1, 10**12)
        files = [decode(encode(certificate)) for certificate in solution.supporting]
        assert all(check_certificate(certificate).is_accepted for certificate in files)
        enclosed = chernoff_enclosure(files)
        assert solution.value_lower <= enclosed.lower
        assert enclosed.upper <= solution.value_upper
    else:
        assert solution.relative_gap <= Fraction(1, 10**30)
        certificate = decode(encode(solution.certificate))
        assert certificate.claim["divergence"] == case["divergence"]
        assert check_certificate(certificate).is_accepted
