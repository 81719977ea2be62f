"""Every file of the corpus has the verdict of its folder."""

import json
from pathlib import Path

import pytest

from tests.corpus.generate import VERDICTS, files
from tests.support.claims import (
    flaw_of_testing_witness,
    is_true_channel_claim,
    is_true_testing_claim,
)
from verify.kernel.certificate import check_certificate, decode, encode
from verify.kernel.errors import InputError
from verify.kernel.verdict import Status

ROOT = Path(__file__).parent
FILES = {verdict: sorted((ROOT / verdict).glob("*.json")) for verdict in VERDICTS}


def stem(path):
    return path.stem


def test_the_corpus_is_large_and_complete():
    assert sum(map(len, FILES.values())) >= 100
    expected = {(verdict, f"{name}.json") for verdict, name, _ in files()}
    assert expected == {(path.parent.name, path.name) for paths in FILES.values() for path in paths}


@pytest.mark.parametrize("path", FILES["accept"], ids=stem)
def test_accepted_and_true(path):
    data = path.read_bytes()
    certificate = decode(data)
    verdict = check_certificate(certificate)
    assert verdict.status is Status.ACCEPTED, verdict.reason
    assert encode(certificate) == data
    content = json.loads(data)
    if content["kind"] == "channel":
        assert is_true_channel_claim(content["claim"])
    else:
        assert is_true_testing_claim(content["claim"])
        assert not flaw_of_testing_witness(content["claim"], content["witness"])


@pytest.mark.parametrize("path", FILES["reject"], ids=stem)
def test_rejected_for_a_reason_in_one_line(path):
    verdict = check_certificate(decode(path.read_bytes()))
    assert verdict.status is Status.REJECTED
    assert verdict.reason
    assert "\n" not in verdict.reason


@pytest.mark.parametrize("path", FILES["malformed"], ids=stem)
def test_malformed_with_one_line(path):
    with pytest.raises(InputError) as caught:
        check_certificate(decode(path.read_bytes()))
    message = str(caught.value)
    assert message
    assert "\n" not in message
    assert len(message) < 300
