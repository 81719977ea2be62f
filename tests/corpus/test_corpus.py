"""Every file of the corpus has the verdict of its folder."""

import json
from collections import Counter
from itertools import combinations, permutations
from pathlib import Path

import pytest

from tests.attack.oracle import flaw
from tests.corpus.generate import VERDICTS, files, write_corpus
from tests.property.test_leakage_mutation import is_true as is_true_leakage_claim
from tests.support.claims import (
    flaw_of_testing_witness,
    is_true_channel_claim,
    is_true_testing_claim,
)
from verify.canonical_form import encode
from verify.kernel.certificate import check_certificate, decode
from verify.kernel.errors import InputError
from verify.kernel.verdict import Status

ROOT = Path(__file__).parent
FILES = {verdict: sorted((ROOT / verdict).glob("*.json")) for verdict in VERDICTS}


def stem(path):
    return path.stem


def is_true(content):
    """Whether the claim is true, and for a best test the witness sound, without the kernel."""
    claim, witness = content["claim"], content["witness"]
    match content["kind"]:
        case "channel":
            return is_true_channel_claim(claim)
        case "testing":
            return is_true_testing_claim(claim) and not flaw_of_testing_witness(claim, witness)
        case "leakage" | "contraction":
            return is_true_leakage_claim(content)
        case "design":
            return is_design(claim, witness)
        case "coupling" | "estimation":
            return not flaw(content)
    return False


def is_design(claim, witness):
    """Counts of pairs by definition; the maps of the corpus are cyclic shifts of all points."""
    if claim["object"] == "Hadamard matrix":
        rows = [[1 if sign == "+" else -1 for sign in row] for row in witness["rows"]]
        gram = [[sum(x * y for x, y in zip(a, b, strict=True)) for b in rows] for a in rows]
        n = claim["order"]
        return gram == [[n * (i == j) for j in range(n)] for i in range(n)]
    if claim["object"] == "difference set":
        (n,), points = claim["group"], witness["elements"]
        counts = Counter((x - y) % n for x, y in permutations(points, 2))
        return counts == dict.fromkeys(range(1, n), claim["lambda"]) and len(points) == claim["k"]
    v, blocks = claim["v"], witness["base_blocks"]
    if witness["generators"]:
        blocks = [[(x + s) % v for x in block] for block in blocks for s in range(v)]
    counts = Counter(frozenset(pair) for block in blocks for pair in combinations(block, 2))
    pairs = map(frozenset, combinations(range(v), 2))
    return counts == dict.fromkeys(pairs, claim["lambda"]) and claim["t"] == 2


def test_every_kind_is_in_every_folder():
    for verdict in VERDICTS:
        found = {name.partition("-")[0] for v, name, _ in files() if v == verdict}
        kinds = {"leakage", "contraction", "design", "coupling", "estimation", "mixture"}
        assert found >= kinds, verdict


def test_the_corpus_is_large_and_complete():
    assert sum(map(len, FILES.values())) >= 100
    expected = {(verdict, f"{name}.json") for verdict, name, _ in files()}
    assert expected == {(path.parent.name, path.name) for paths in FILES.values() for path in paths}


def test_a_file_that_stands_keeps_its_bytes(tmp_path):
    (tmp_path / "accept").mkdir()
    kept, obsolete = (tmp_path / "accept" / f"{name}.json" for name in ("tv-log3", "no-more"))
    kept.write_text("{}")
    obsolete.write_text("{}")
    write_corpus(tmp_path)
    assert kept.read_text() == "{}"
    assert not obsolete.exists()
    written = {(path.parent.name, path.name) for path in tmp_path.glob("*/*.json")}
    assert written == {(path.parent.name, path.name) for paths in FILES.values() for path in paths}


@pytest.mark.parametrize("path", FILES["accept"], ids=stem)
def test_accepted_and_true(path):
    data = path.read_bytes()
    certificate = decode(data)
    verdict = check_certificate(certificate)
    assert verdict.status is Status.ACCEPTED, verdict.reason
    assert encode(certificate) == data
    assert is_true(json.loads(data))


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
