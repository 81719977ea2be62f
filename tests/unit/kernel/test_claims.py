"""Claims on a channel and on a test: malformed, false, true, and weaker than what is proved."""

import pytest

from tests.support.hand_made import CHANNEL, TESTING, changed, judge
from verify.kernel.errors import CertificateError, InputError, LimitError
from verify.kernel.verdict import Status


@pytest.mark.parametrize(
    ("path", "value"),
    [
        *((("claim", key), ...) for key in CHANNEL["claim"]),
        (("claim", "extra"), "1"),
        (("claim", "rows"), None),
        (("claim", "rows"), []),
        (("claim", "rows"), [[]]),
        (("claim", "rows"), {"0": ["1"]}),
        (("claim", "rows"), [["1"], ["1/2", "1/2"]]),
        (("claim", "rows"), [["3/4", "1/4"], ["1/4", "1/4"]]),
        (("claim", "rows"), [["5/4", "-1/4"], ["1/4", "3/4"]]),
        (("claim", "rows"), ["3/4", "1/4"]),
        (("claim", "exp_epsilon"), 3),
        (("claim", "exp_epsilon"), None),
        (("claim", "level"), {"exp_epsilon": "1/2"}),
        (("claim", "level"), {"nats": "-1"}),
        (("claim", "level"), {"nats": "10001"}),
        (("claim", "leakage"), [["1/4"]]),
        (("claim", "leakage"), [["1/4", "2", "2"]]),
        (("claim", "leakage"), [["3/4", "2"]]),
        (("claim", "leakage"), [["-1/4", "2"]]),
        (("claim", "leakage"), [["1/4", "2"]] * 1000),
        (("claim", "leakage"), None),
    ],
    ids=lambda x: str(x)[:40],
)
def test_malformed_channel_certificates(path, value):
    assert judge(changed(CHANNEL, path, value)) in (CertificateError, InputError, LimitError)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("claim", "rows", 0), ["4/5", "1/5"]),
        (("claim", "exp_epsilon"), "2"),
        (("claim", "exp_epsilon"), "4"),
        (("claim", "exp_epsilon"), "inf"),
        (("claim", "exp_epsilon"), "6/2"),
        (("claim", "exp_epsilon"), "three"),
        (("claim", "level"), {"exp_epsilon": "299/100"}),
        (("claim", "level"), {"nats": "1"}),
        (("claim", "dobrushin_coefficient"), "1/3"),
        (("claim", "leakage"), [["1/4", "3"]]),
        (("claim", "leakage"), [["1/4", "2"], ["1/5", "2"]]),
    ],
    ids=lambda x: str(x)[:40],
)
def test_false_channel_claims_are_rejected(path, value):
    assert judge(changed(CHANNEL, path, value)) is Status.REJECTED


def test_a_channel_without_finite_level_is_rejected_even_if_described_truly():
    claim = {
        "rows": [["1", "0"], ["0", "1"]],
        "level": {"exp_epsilon": "1000000"},
        "exp_epsilon": "inf",
        "dobrushin_coefficient": "1",
        "leakage": [],
    }
    assert judge(changed(CHANNEL, ("claim",), claim)) is Status.REJECTED


@pytest.mark.parametrize("level", [{"exp_epsilon": "7/2"}, {"nats": "11/10"}, {"nats": "10000"}])
def test_a_channel_is_private_at_every_higher_level(level):
    assert judge(changed(CHANNEL, ("claim", "level"), level)) is Status.ACCEPTED


@pytest.mark.parametrize(
    ("path", "value"),
    [
        *((("claim", key), ...) for key in TESTING["claim"]),
        *((("witness", key), ...) for key in TESTING["witness"]),
        (("claim", "extra"), None),
        (("witness", "extra"), None),
        (("claim", "p0"), ["1"]),
        (("claim", "p0"), []),
        (("claim", "p0"), ["3/4", "1/2"]),
        (("claim", "p0"), ["5/4", "-1/4"]),
        (("claim", "divergence"), "total variation"),
        (("claim", "divergence"), None),
        (("claim", "divergence"), "e-gamma:2/2"),
        (("claim", "divergence"), "e-gamma:0"),
        (("claim", "divergence"), "e-gamma:1e999999999"),
        (("claim", "divergence"), "TV"),
        (("claim", "outputs"), 0),
        (("claim", "outputs"), -1),
        (("claim", "outputs"), 3),
        (("claim", "outputs"), "2"),
        (("claim", "outputs"), True),
        (("claim", "outputs"), [2]),
        (("claim", "level"), {"nats": "10001"}),
        (("witness", "bits"), 7),
        (("witness", "bits"), 5000),
        (("witness", "bits"), "64"),
        (("witness", "bits"), True),
        (("witness", "bits"), None),
        (("witness", "exp_epsilon"), "3"),
        (("witness", "exp_epsilon"), ["3"]),
        (("witness", "exp_epsilon"), ["3", "3", "3"]),
        (("witness", "multipliers"), ["1/4"]),
        (("witness", "multipliers"), []),
        (("witness", "multipliers"), ["3/8", "-1/8", "0"]),
        (("witness", "separators"), None),
        (("witness", "separators"), ["2/2"]),
        (("witness", "separators"), "1"),
        (("witness", "blocks"), []),
        (("witness", "blocks"), [[0]]),
        (("witness", "blocks"), [[0, 1, 1]]),
        (("witness", "blocks"), [[0], [1], []]),
        (("witness", "blocks"), [[0], [1], [1]]),
        (("witness", "blocks"), [[0], [2]]),
        (("witness", "blocks"), [[0], [-1]]),
        (("witness", "blocks"), [[0], ["1"]]),
        (("witness", "blocks"), [[False], [True]]),
        (("witness", "blocks"), [0, 1]),
        (("witness", "blocks"), None),
    ],
    ids=lambda x: str(x)[:40],
)
def test_malformed_testing_certificates(path, value):
    assert judge(changed(TESTING, path, value)) in (CertificateError, InputError, LimitError)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("claim", "lower"), "13/50"),
        (("claim", "upper"), "6/25"),
        (("claim", "upper"), "-1"),
        (("claim", "p0"), ["4/5", "1/5"]),
        (("claim", "divergence"), "chi2"),
        (("claim", "level"), {"exp_epsilon": "4"}),
        (("claim", "level"), {"exp_epsilon": "2"}),
        (("claim", "level"), {"nats": "1"}),
        (("claim", "level"), {"nats": "2"}),
        (("claim", "outputs"), 1),
        (("witness", "exp_epsilon"), ["4", "4"]),
        (("witness", "exp_epsilon"), ["3", "2"]),
        (("witness", "exp_epsilon"), ["1/2", "3"]),
        (("witness", "exp_epsilon"), ["2", "3"]),
        (("witness", "multipliers", 0), "1/3"),
        (("witness", "multipliers", 0), "3/4"),
        (("witness", "multipliers"), ["1/8", "1/8"]),
        (("witness", "output_multiplier"), "1/100"),
        (("witness", "output_multiplier"), "-1/100"),
        (("witness", "blocks"), [[0, 1]]),
    ],
    ids=lambda x: str(x)[:40],
)
def test_false_or_unproved_testing_claims_are_rejected(path, value):
    assert judge(changed(TESTING, path, value)) is Status.REJECTED


def test_weaker_claims_and_other_orders_stay_accepted():
    for path, value in [
        (("claim", "lower"), "0"),
        (("claim", "lower"), "-5"),
        (("claim", "upper"), "100"),
        (("claim", "outputs"), 2),
        (("witness", "blocks"), [[0], [1]]),
        (("witness", "separators"), ["5", "-1", "1/2", "1/2"]),
        (("witness", "bits"), 4096),
        (("provenance",), {"anything": ["x", {"y": None}], "verdict": "REJECTED"}),
    ]:
        assert judge(changed(TESTING, path, value)) is Status.ACCEPTED, path


def test_a_multiplier_of_a_symbol_without_mass_proves_nothing():
    claim = TESTING["claim"] | {"p0": ["3/4", "1/4", "0"], "p1": ["1/4", "3/4", "0"]}
    witness = TESTING["witness"] | {"blocks": [[1], [0, 2]], "multipliers": ["3/8", "-1/8", "0"]}
    three = TESTING | {"claim": claim, "witness": witness}
    assert judge(three) is Status.ACCEPTED
    for value in ("1/10", "-1/10"):
        assert judge(changed(three, ("witness", "multipliers", 2), value)) is Status.REJECTED
