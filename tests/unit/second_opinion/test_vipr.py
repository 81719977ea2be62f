"""VIPR files of certificates, read by a checker of that format that shares no code with them."""

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest

from solvers.leakage import dobrushin_bound, dobrushin_certificate
from solvers.testing import solve_testing
from tests.attack.bases import KINDS
from tests.support.vipr import ViprError, check
from verify.canonical_form import encode
from verify.second_opinion import exported_files
from verify.second_opinion.vipr import BoundProof, Row, vipr_text

CORPUS = Path(__file__).parent.parent.parent / "corpus"
PAPER = """% the example of the format's description, its rounding steps left out
VER 1.0
VAR 2
x y
INT 0
OBJ min
2  0 1  1 1
CON 2 0
C1 G 1  2  0 4  1 1
C2 L 2  2  0 4  1 -1
RTP range 1/4 1
SOL 2
feas 2  0 1  1 2
opt 1  1 1
DER 2
C3 G -1/2  1  1 1  { lin 2  0 1/2  1 -1/2 } 3
C4 G 1/8  OBJ  { lin 2  0 1/4  2 3/4 } 0
"""


def vipr_of(content):
    data = content if isinstance(content, bytes) else json.dumps(content).encode()
    return exported_files(data).get(".vipr")


def number(text):
    return Fraction(text)


def test_the_checker_on_a_small_example():
    weaker = PAPER.replace("range 1/4", "range -1/8").replace("C4 G 1/8", "C4 G -1/8")
    assert check(weaker).upper == 1
    with pytest.raises(ViprError):
        check(PAPER)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("opt 1  1 1", "opt 1  1 1/2"),
        ("{ lin 2  0 1/2", "{ lin 2  0 1/3"),
        ("1 -1/2 }", "1 1/2 }"),
        ("DER 2", "DER 1"),
        ("INT 0", "INT 1 0"),
        ("range -1/8 1", "range -1/8 1/2"),
        ("{ lin 2  0 1/4", "{ rnd 2  0 1/4"),
        ("VER 1.0", "VER 1.1"),
        ("2 3/4 } 0", "3 3/4 } 0"),
        ("C1 G 1 ", "C1 G one "),
        ("} 0\n", "} 0 and more\n"),
    ],
)
def test_the_checker_refuses_what_is_wrong(old, new):
    right = PAPER.replace("range 1/4", "range -1/8").replace("C4 G 1/8", "C4 G -1/8")
    assert old in right
    with pytest.raises(ViprError):
        check(right.replace(old, new, 1))


def test_every_accepted_program_of_the_corpus_is_proved():
    found = 0
    for path in sorted((CORPUS / "accept").glob("*.json")):
        content = json.loads(path.read_bytes())
        text = vipr_of(content)
        if text is not None:
            program = check(text)
            assert program.upper == number(content["claim"]["upper"])
            assert program.lower in (None, number(content["claim"]["lower"]))
            found += 1
    assert found >= 30


NOT_PROVED = [
    "leakage-multipliers-negative",
    "leakage-multipliers-zero",
    "leakage-multipliers-for-another-c",
    "leakage-upper-too-low",
    "leakage-lower-too-high",
    "leakage-channel-leaks-more",
    "leakage-pair-of-one-row",
    "multiplier-lowered",
    "multiplier-raised",
    "multipliers-swapped",
    "multipliers-zero",
    "multipliers-negative",
    "upper-below-the-optimum",
    "lower-above-the-optimum",
    "upper-for-another-divergence",
    "upper-for-few-outputs",
    "output-multiplier-negative",
    "too-few-outputs-claimed",
    "blocks-merged",
    "blocks-swapped",
]


@pytest.mark.parametrize("name", NOT_PROVED)
def test_a_rejected_program_is_not_proved(name):
    with pytest.raises(ViprError):
        check(vipr_of((CORPUS / "reject" / f"{name}.json").read_bytes()))


@pytest.mark.parametrize("kind", ["leakage", "testing"])
def test_fresh_certificates(kind):
    rng = random.Random(f"vipr {kind}")
    for _ in range(25):
        content = KINDS[kind](rng)
        text = vipr_of(content)
        if content["claim"].get("divergence", "").startswith("renyi") and text is None:
            continue
        assert check(text).upper == number(content["claim"]["upper"])


def test_a_testing_program_has_both_ends_and_a_column_for_every_set():
    solution = solve_testing(["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"], "log(3)", "chi2", 2)
    text = vipr_of(encode(solution.certificate))
    program = check(text)
    assert (program.lower, program.upper) == (solution.value_lower, solution.value_upper)
    assert len(program.variables) == 2**3 + 1
    assert program.is_maximum


def test_a_leakage_program_has_both_ends():
    bound = dobrushin_bound(4, "1/10", "log(3/2)")
    program = check(vipr_of(encode(dobrushin_certificate(bound))))
    assert (program.lower, program.upper) == (bound.lower, bound.upper)
    assert program.variables == ["largest", "least", "sum"]


def test_kinds_without_a_program():
    assert vipr_of((CORPUS / "accept" / "channel-nats.json").read_bytes()) is None
    eleven = [f"{x}/66" for x in range(1, 12)]
    solution = solve_testing(eleven, eleven[::-1], "log(3)", "tv")
    assert vipr_of(encode(solution.certificate)) is None


def test_numbers_longer_than_python_spells():
    huge = Fraction(10**5000 + 1, 3)
    row = Row("row", "L", huge, {0: Fraction(1)}, Fraction(1))
    text = vipr_text(BoundProof(["x"], {0: Fraction(1)}, [], [row], None, huge, {}))
    assert "0" * 4000 in text
