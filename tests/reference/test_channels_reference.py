"""The reference channels: every number exact, and the certificates of the claims."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from solvers.leakage.contraction import dobrushin_coefficient
from solvers.leakage.worst_leakage import worst_exp_leakage
from verify.canonical_form import encode
from verify.kernel.certificate import Certificate, check_certificate, decode
from verify.kernel.channel import Channel
from verify.kernel.ldp import largest_column_ratio
from verify.kernel.privacy_level import PrivacyLevel
from verify.kernel.verdict import Status

CASES = json.loads((Path(__file__).parent / "channels.json").read_text())


def name_of(case):
    return case["name"]


def certificate_of(case, level):
    claim = {
        "rows": case["rows"],
        "level": {"exp_epsilon": level},
        "exp_epsilon": case["exp_epsilon"],
        "dobrushin_coefficient": case["dobrushin_coefficient"],
        "leakage": [[pair["c"], pair["exp_leakage"]] for pair in case["leakage"]],
    }
    return decode(encode(Certificate("channel", claim, {})))


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_every_number_is_exact(case):
    channel = Channel(tuple(map(tuple, case["rows"])))
    assert str(largest_column_ratio(channel).exp_epsilon) == case["exp_epsilon"]
    assert dobrushin_coefficient(channel) == Fraction(case["dobrushin_coefficient"])
    for pair in case["leakage"]:
        assert str(worst_exp_leakage(channel, Fraction(pair["c"]))) == pair["exp_leakage"]


CLAIMS = [case for case in CASES if case["claimed_exp_epsilon"] is not None]


@pytest.mark.parametrize("case", CLAIMS, ids=name_of)
def test_the_claim_is_judged(case):
    claimed = case["claimed_exp_epsilon"]
    true = case["exp_epsilon"] != "inf" and Fraction(case["exp_epsilon"]) <= Fraction(claimed)
    expected = Status.ACCEPTED if true else Status.REJECTED
    channel = Channel(tuple(map(tuple, case["rows"])))
    ratio = largest_column_ratio(channel).exp_epsilon
    assert PrivacyLevel(exp_epsilon=Fraction(claimed)).allows(ratio) is expected
    assert check_certificate(certificate_of(case, claimed)).status is expected


@pytest.mark.parametrize("case", CASES, ids=name_of)
def test_the_true_level_is_certified(case):
    level = case["exp_epsilon"]
    if level == "inf":
        assert check_certificate(certificate_of(case, "1000")).status is Status.REJECTED
    else:
        assert check_certificate(certificate_of(case, level)).status is Status.ACCEPTED
