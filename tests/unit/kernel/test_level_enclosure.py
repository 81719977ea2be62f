"""Certificates of testing at levels where e^epsilon needs more bits than the divergences."""

import dataclasses
from fractions import Fraction

import pytest

from solvers.testing import solve_testing
from verify.kernel.certificate import check_certificate
from verify.kernel.verdict import Status

SAME = ("2/5", "1/5", "2/5")


@pytest.mark.parametrize("divergence", ["tv", "kl", "e-gamma:1/2", "chi2"])
@pytest.mark.parametrize("level", [300, 900, f"1/{10**200}"])
def test_nothing_to_tell_is_proved_at_any_level(divergence, level):
    solution = solve_testing(SAME, SAME, str(level), divergence)
    assert (solution.value_upper, solution.verdict.status) == (0, Status.ACCEPTED)


@pytest.mark.parametrize("level", ["1", "300"])
@pytest.mark.parametrize("end", [0, 1])
def test_bounds_on_the_wrong_side_of_the_level_are_rejected(level, end):
    certificate = solve_testing(SAME, SAME, level, "tv").certificate
    pair = list(map(Fraction, certificate.witness["exp_epsilon"]))
    pair[end] = pair[1 - end]
    witness = {**certificate.witness, "exp_epsilon": list(map(str, pair))}
    verdict = check_certificate(dataclasses.replace(certificate, witness=witness))
    assert verdict.status is Status.REJECTED
