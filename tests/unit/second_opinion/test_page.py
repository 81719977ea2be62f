"""The page on second opinions: its examples, and the table of what is asked."""

import doctest
import re
from pathlib import Path

from verify.kernel.certificate import check_certificate, decode
from verify.second_opinion import questions_of
from verify.second_opinion.opinion import KINDS

ROOT = Path(__file__).parents[3]
PAGE = ROOT / "docs" / "second-opinion.md"


def test_the_examples_of_the_page():
    results = doctest.testfile(str(PAGE), module_relative=False)
    assert results.attempted > 8
    assert results.failed == 0


def test_every_question_of_the_corpus_is_in_the_table_with_its_logic():
    text = PAGE.read_text("utf-8")
    table = set(re.findall(r"`([a-z-]+?)(?:-0)?`[^|]*\((QF_\w+)\)", text))
    kinds = set()
    for path in (ROOT / "tests" / "corpus" / "accept").glob("*.json"):
        content = path.read_bytes()
        certificate = decode(content)
        assert check_certificate(certificate).is_accepted
        kinds.add(certificate.kind)
        for question in questions_of(content, 1024):
            if certificate.kind == "design":
                assert question.logic == "QF_LIA"
                continue
            name = re.sub(r"-\d+$", "", question.name)
            logics = {logic for found, logic in table if found == name}
            assert question.logic in logics or question.logic == "QF_LRA", question.name
    assert kinds | {"estimation"} == set(KINDS)
    assert all(f"`{kind}`" in text for kind in KINDS)
