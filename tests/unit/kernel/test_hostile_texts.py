"""What is too long to spell or too deep to write ends in a verdict or in an error of the kernel."""

import json
from fractions import Fraction

import pytest

from verify.canonical_form import encode
from verify.kernel.certificate import Certificate, check_certificate, decode
from verify.kernel.errors import InputError
from verify.kernel.verdict import Status


@pytest.mark.parametrize("depth", [300, 600, 900])
def test_deep_provenance_is_refused_or_survives(depth):
    whole = {"format": "exactdp-certificate", "version": 1, "kind": "channel", "claim": {}}
    head = json.dumps(whole | {"witness": {}})[:-1]
    text = head + ', "provenance": {"a": ' + "[" * depth + "]" * depth + "}}"
    try:
        certificate = decode(text)
        assert json.loads(encode(certificate)) == json.loads(text)
    except InputError:
        pass


def test_coupling_cost_too_long_to_spell():
    def round_(rate):
        return {
            "rate": rate,
            "sign": 1,
            "accepts": "at-least",
            "box": {"multiple": "1"},
            "delta": "0",
            "crossover": "0",
            "released": False,
            "monotone": False,
        }

    rates = [f"1/{10**2500 + 1}", f"1/{10**2500 + 3}"]
    claim = {
        "epsilon": {"nats": "1"},
        "total": "1",
        "shared_rate": "1",
        "tail": None,
        "levels": [[round_(rate)] for rate in rates],
    }
    witness = {"shared_shift": "1", "shifts": [["2"], ["2"]]}
    assert check_certificate(Certificate("coupling", claim, witness)).status is Status.REJECTED


def test_contraction_coefficient_too_long_to_spell():
    a, b = Fraction(1, 10**2500 + 1), Fraction(1, 10**2500 + 3)
    rows = [[str(a), str(1 - a)], [str(b), str(1 - b)]]
    claim = {"rows": rows, "e_gamma": [["1", "1/2"]]}
    assert check_certificate(Certificate("contraction", claim, {})).status is Status.REJECTED
