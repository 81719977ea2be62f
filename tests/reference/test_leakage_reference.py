"""The reference values of the Dobrushin bound, to their 30 digits."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from solvers.leakage import dobrushin_bound, dobrushin_certificate, leakage_profile
from verify.kernel.certificate import check_certificate
from verify.kernel.channel import Channel

HERE = Path(__file__).parent
CASES = json.loads((HERE / "leakage.json").read_text())
CHANNELS = json.loads((HERE / "channels.json").read_text())


def last_place(text):
    """Half a unit in the last of the 30 significant digits."""
    digits = text.lstrip("0.").replace(".", "")
    decimals = len(text.partition(".")[2])
    return Fraction(1, 2 * 10**decimals) if len(digits) == 30 else Fraction(0)


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['inputs']}-{case['epsilon']}")
def test_the_bound_to_30_digits(case):
    bound = dobrushin_bound(case["inputs"], case["c"], case["epsilon"])
    value = case["dobrushin_bound"]
    for end in (bound.lower, bound.upper):
        assert abs(end - Fraction(value)) <= last_place(value)
    assert bound.contracts == (value != "1")
    assert check_certificate(dobrushin_certificate(bound)).is_accepted


@pytest.mark.parametrize("case", CHANNELS, ids=lambda case: case["name"])
def test_profiles_pass_through_the_reference_leakages(case):
    profile = leakage_profile(Channel(tuple(map(tuple, case["rows"]))))
    for pair in case["leakage"]:
        assert profile.exp_leakage(pair["c"]) == Fraction(pair["exp_leakage"])
    assert str(profile.exp_leakage(0)) == case["exp_epsilon"]
    best = profile.best_bound()
    assert best.coefficient == Fraction(case["dobrushin_coefficient"]) <= best.bound
