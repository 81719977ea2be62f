"""Certificates of kind ``design``: accepted, rejected and malformed ones."""

import json

import pytest

from combinatorics.hadamard import hadamard_matrix
from combinatorics.operations import block_points
from combinatorics.symmetric.registry import symmetric_design
from combinatorics.symmetric.sporadic import stored_designs
from verify.canonical_form import encode
from verify.kernel.certificate import Certificate, check_certificate, decode
from verify.kernel.errors import InputError, LimitError
from verify.kernel.verdict import Status

SHIFT = [[1, 2, 3, 4, 5, 6, 0]]
FANO = {"object": "block design", "v": 7, "k": 3, "lambda": 1, "t": 2}
PAIRS = {"object": "pairwise balanced design", "v": 4, "r": 3, "lambda": 1}
ONE = {"object": "difference set", "k": 1, "lambda": 1}
TABLE = [[0, 1, 2, 3, 4, 5], [1, 2, 0, 4, 5, 3], [2, 0, 1, 5, 3, 4],
         [3, 5, 4, 0, 2, 1], [4, 3, 5, 1, 0, 2], [5, 4, 3, 2, 1, 0]]  # fmt: skip


def check(claim, witness):
    return check_certificate(decode(encode(Certificate("design", claim, witness))))


ACCEPTED = [
    (FANO, {"base_blocks": [[0, 1, 3]], "generators": SHIFT}),
    (FANO, {"base_blocks": [[x, (x + 1) % 7, (x + 3) % 7] for x in range(7)], "generators": []}),
    ({**FANO, "lambda": 2}, {"base_blocks": [[0, 1, 3], [0, 1, 3]], "generators": SHIFT}),
    ({**FANO, "lambda": 3, "t": 1}, {"base_blocks": [[0, 1, 2]], "generators": SHIFT}),
    (PAIRS, {"base_blocks": [[0, 1], [0, 2], [0, 3], [1, 2], [1, 3], [2, 3]], "generators": []}),
    (
        {**PAIRS, "r": 2},
        {"base_blocks": [[0, 1, 2, 3], [0], [1], [2], [3]], "generators": []},
    ),
    ({"object": "Hadamard matrix", "order": 4}, {"rows": ["++++", "+-+-", "++--", "+--+"]}),
    ({"object": "Hadamard matrix", "order": 1}, {"rows": ["-"]}),
    ({"object": "difference set", "group": [7], "k": 3, "lambda": 1}, {"elements": [1, 2, 4]}),
    (
        {"object": "difference set", "group": [2, 2], "k": 3, "lambda": 2},
        {"elements": [0, 1, 2]},
    ),
    (
        {"object": "difference set", "group": TABLE, "k": 5, "lambda": 4},
        {"elements": [0, 1, 2, 3, 4]},
    ),
]


@pytest.mark.parametrize(("claim", "witness"), ACCEPTED, ids=range(len(ACCEPTED)))
def test_accepted(claim, witness):
    assert check(claim, witness).status is Status.ACCEPTED


REJECTED = [
    (FANO, {"base_blocks": [[0, 1, 2]], "generators": SHIFT}, "on 2 blocks"),
    ({**FANO, "lambda": 2}, {"base_blocks": [[0, 1, 3]], "generators": SHIFT}, "on 1 blocks"),
    (FANO, {"base_blocks": [[0, 1]], "generators": SHIFT}, "2 points"),
    (FANO, {"base_blocks": [[0, 1, 3]], "generators": []}, "on 0 blocks"),
    (PAIRS, {"base_blocks": [[0, 1], [0, 2], [0, 3]], "generators": []}, "points 1: on 1"),
    ({"object": "Hadamard matrix", "order": 2}, {"rows": ["++", "++"]}, "inner product"),
    ({"object": "Hadamard matrix", "order": 3}, {"rows": ["+++", "+-+", "++-"]}, "inner product"),
    (
        {"object": "difference set", "group": [7], "k": 3, "lambda": 1},
        {"elements": [1, 2, 3]},
        "quotient of",
    ),
    (
        {"object": "difference set", "group": [7], "k": 4, "lambda": 2},
        {"elements": [1, 2, 4]},
        "3 elements",
    ),
]


@pytest.mark.parametrize(("claim", "witness", "reason"), REJECTED, ids=range(len(REJECTED)))
def test_rejected(claim, witness, reason):
    verdict = check(claim, witness)
    assert verdict.status is Status.REJECTED
    assert reason in verdict.reason


MALFORMED = [
    ({}, {}),
    ({"object": "tiling"}, {}),
    ({**FANO, "b": 7}, {"base_blocks": [[0, 1, 3]], "generators": SHIFT}),
    ({**FANO, "v": "7"}, {"base_blocks": [[0, 1, 3]], "generators": SHIFT}),
    ({**FANO, "v": True}, {"base_blocks": [[0, 1, 3]], "generators": SHIFT}),
    ({**FANO, "v": 0}, {"base_blocks": [], "generators": []}),
    ({**FANO, "v": -7}, {"base_blocks": [], "generators": []}),
    ({**FANO, "t": 6}, {"base_blocks": [[0, 1, 3]], "generators": SHIFT}),
    ({**FANO, "k": 1}, {"base_blocks": [[0, 1, 3]], "generators": SHIFT}),
    (FANO, {"base_blocks": [[0, 1, 7]], "generators": SHIFT}),
    (FANO, {"base_blocks": [[0, 1, 1]], "generators": SHIFT}),
    (FANO, {"base_blocks": [[0, 1, -1]], "generators": SHIFT}),
    (FANO, {"base_blocks": [[0, 1, 3]], "generators": [[1, 2, 3]]}),
    (FANO, {"base_blocks": [[0, 1, 3]], "generators": [[1, 2, 3, 4, 5, 6, 7]]}),
    (FANO, {"base_blocks": [[0, 1, 3]]}),
    (FANO, {"base_blocks": [[0, 1, 3]], "generators": SHIFT, "more": 1}),
    (FANO, {"blocks": [[0, 1, 3]]}),
    (FANO, {"base_blocks": [[0, 1, 2]], "generators": [[1, 1, 1, 1, 1, 1, 1]]}),
    ({"object": "Hadamard matrix", "order": 2}, {"rows": ["++"]}),
    ({"object": "Hadamard matrix", "order": 2}, {"rows": ["++", "+"]}),
    ({"object": "Hadamard matrix", "order": 2}, {"rows": ["++", "+0"]}),
    ({"object": "Hadamard matrix", "order": 2}, {"rows": [[1, 1], [1, -1]]}),
    ({"object": "Hadamard matrix", "order": 0}, {"rows": []}),
    ({"object": "difference set", "group": [7], "k": 3, "lambda": 1}, {"elements": [1, 2, 7]}),
    ({"object": "difference set", "group": [7], "k": 3, "lambda": 1}, {"elements": [1, 2, 2]}),
    ({"object": "difference set", "group": [0], "k": 3, "lambda": 1}, {"elements": [1, 2, 4]}),
    ({"object": "difference set", "group": 7, "k": 3, "lambda": 1}, {"elements": [1, 2, 4]}),
    (
        {"object": "difference set", "group": [[0, 1], [1, 1]], "k": 1, "lambda": 1},
        {"elements": [1]},
    ),
    ({"object": "difference set", "group": [[0, 1], [1]], "k": 1, "lambda": 1}, {"elements": [1]}),
]


@pytest.mark.parametrize(("claim", "witness"), MALFORMED, ids=range(len(MALFORMED)))
def test_malformed(claim, witness):
    with pytest.raises(InputError) as caught:
        check(claim, witness)
    assert "\n" not in str(caught.value)


def test_a_witness_that_would_grow_too_large_is_refused():
    v = 9000
    generators = [[(x + 1) % v for x in range(v)]]
    claim = {"object": "block design", "v": v, "k": 2, "lambda": 1, "t": 2}
    with pytest.raises(LimitError):
        check(claim, {"base_blocks": [[0, 1]], "generators": generators})


@pytest.mark.parametrize("parameters", sorted(stored_designs()))
def test_stored_designs_by_their_base_blocks(parameters):
    v, k, lambda_ = parameters
    stored = stored_designs()[parameters]
    p, long = stored.p, stored.p * stored.orbits
    generator = [*(x - x % p + (x % p + 1) % p for x in range(long)), *range(long, v)]
    witness = {
        "base_blocks": [list(block) for block in (*stored.base_blocks, *stored.fixed_blocks)],
        "generators": [generator],
    }
    claim = {"object": "block design", "v": v, "k": k, "lambda": lambda_, "t": 2}
    verdict = check(claim, witness)
    assert verdict.is_accepted
    assert verdict.details["b"] == v


def test_one_number_changed_is_refused():
    blocks = [block_points(block) for block in symmetric_design(16, 6, 2).design.blocks]
    claim = {"object": "block design", "v": 16, "k": 6, "lambda": 2, "t": 2}
    whole = encode(Certificate("design", claim, {"base_blocks": blocks, "generators": []}))
    assert check_certificate(decode(whole)).is_accepted
    for index in range(16):
        for place in range(6):
            changed = json.loads(whole)
            block = changed["witness"]["base_blocks"][index]
            block[place] = next(x for x in range(16) if x not in block)
            assert not check_certificate(decode(json.dumps(changed))).is_accepted


def test_one_sign_changed_is_refused():
    rows = list(hadamard_matrix(8).rows)
    claim = {"object": "Hadamard matrix", "order": 8}
    assert check(claim, {"rows": rows}).is_accepted
    for i in range(8):
        for j in range(8):
            row = rows[i][:j] + ("-" if rows[i][j] == "+" else "+") + rows[i][j + 1 :]
            assert not check(claim, {"rows": [*rows[:i], row, *rows[i + 1 :]]}).is_accepted
