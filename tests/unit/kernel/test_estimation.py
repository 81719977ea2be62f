"""Kind ``estimation``: accepted schemes, and every false or malformed claim about one."""

import copy
import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinatorics import block_design, difference_set
from solvers.estimation import (
    block_design_scheme,
    hadamard_response,
    randomized_response,
    scheme_certificate,
    subset_selection,
    truncated_scheme,
)
from verify.canonical_form import encode
from verify.kernel.certificate import check_certificate, decode
from verify.kernel.errors import InputError, LimitError
from verify.kernel.estimation import canonical_risk, risk_lower_bound
from verify.kernel.verdict import Status


def content_of(scheme):
    return json.loads(encode(scheme_certificate(scheme)))


FANO = content_of(block_design_scheme(difference_set(7, 3, 1), "0.4"))
EXACT = content_of(block_design_scheme(block_design(9, 3, 1), "log(2)"))
TRUNCATED = content_of(truncated_scheme(difference_set(13, 4, 1), 11, "log(5/2)"))
SUBSETS = content_of(subset_selection(6, 2, "1"))
ACCEPTED = [FANO, EXACT, TRUNCATED, SUBSETS, content_of(hadamard_response(5, "log(3)"))]


def verdict_of(content):
    return check_certificate(decode(json.dumps(content)))


def changed(content, place, value):
    content = copy.deepcopy(content)
    *parents, last = place
    inner = content
    for step in parents:
        inner = inner[step]
    if value is ...:
        del inner[last]
    else:
        inner[last] = value
    return content


@pytest.mark.parametrize("content", ACCEPTED)
def test_accepted(content):
    verdict = verdict_of(content)
    assert verdict.status is Status.ACCEPTED, verdict.reason
    sizes, best = (content["claim"][key] for key in ("block_sizes", "optimal_block_sizes"))
    assert verdict.details["is_optimal"] == (len(sizes) == 1 and sizes[0] in best)


def raised(text, by):
    return str(Fraction(text) + Fraction(by))


FALSE = {
    "size above v": (FANO, ("claim", "block_sizes"), [8]),
    "risk too low": (FANO, ("claim", "n_risk"), raised(FANO["claim"]["n_risk"], "-1/100")),
    "risk too high": (FANO, ("claim", "n_risk"), raised(FANO["claim"]["n_risk"], 1)),
    "optimum too high": (EXACT, ("claim", "optimum"), raised(EXACT["claim"]["optimum"], "1/1000")),
    "other sizes optimal": (FANO, ("claim", "optimal_block_sizes"), [2]),
    "no size optimal": (FANO, ("claim", "optimal_block_sizes"), []),
    "more sizes optimal": (FANO, ("claim", "optimal_block_sizes"), [3, 4]),
    "other block sizes": (FANO, ("claim", "block_sizes"), [4]),
    "fewer block sizes": (TRUNCATED, ("claim", "block_sizes"), [4]),
    "more blocks": (FANO, ("claim", "b"), 8),
    "other r": (FANO, ("claim", "r"), 4),
    "other lambda": (FANO, ("claim", "lambda"), 2),
    "fewer symbols": (FANO, ("claim", "v"), 6),
    "level too low": (EXACT, ("claim", "level"), {"exp_epsilon": "19/10"}),
    "level in nats too low": (EXACT, ("claim", "level"), {"nats": "693/1000"}),
    "mechanism less private": (EXACT, ("claim", "exp_epsilon"), "21/10"),
    "mechanism more private": (EXACT, ("claim", "exp_epsilon"), "19/10"),
    "upper level too low": (FANO, ("witness", "exp_epsilon"), FANO["claim"]["exp_epsilon"]),
    "upper level too high": (FANO, ("witness", "exp_epsilon"), "2"),
    "level higher": (EXACT, ("claim", "level"), {"exp_epsilon": "3"}),
    "another block": (FANO, ("witness", "base_blocks"), [[0, 1, 2]]),
    "a block short": (EXACT, ("witness", "base_blocks"), EXACT["witness"]["base_blocks"][1:]),
    "a block twice": (
        EXACT,
        ("witness", "base_blocks"),
        [*EXACT["witness"]["base_blocks"], EXACT["witness"]["base_blocks"][0]],
    ),
    "no generators": (FANO, ("witness", "generators"), []),
    "wrong generator": (FANO, ("witness", "generators"), [[0, 2, 1, 3, 4, 5, 6]]),
}


@pytest.mark.parametrize("name", FALSE)
def test_rejected(name):
    content, place, value = FALSE[name]
    verdict = verdict_of(changed(content, place, value))
    assert verdict.status is Status.REJECTED
    assert verdict.reason
    assert "\n" not in verdict.reason


MALFORMED = {
    **{f"no {key}": (FANO, ("claim", key), ...) for key in FANO["claim"]},
    **{f"no witness {key}": (FANO, ("witness", key), ...) for key in FANO["witness"]},
    "unknown key": (FANO, ("claim", "k"), 3),
    "one symbol": (FANO, ("claim", "v"), 1),
    "v as text": (FANO, ("claim", "v"), "7"),
    "b true": (FANO, ("claim", "b"), True),
    "no block on a point": (FANO, ("claim", "r"), 0),
    "lambda negative": (FANO, ("claim", "lambda"), -1),
    "risk not in lowest terms": (EXACT, ("claim", "n_risk"), "200/2"),
    "risk a number": (EXACT, ("claim", "n_risk"), 100),
    "fewer points than symbols": (FANO, ("witness", "points"), 6),
    "a point too many": (FANO, ("witness", "base_blocks"), [[0, 1, 7]]),
    "a point twice": (FANO, ("witness", "base_blocks"), [[0, 0, 1]]),
    "generator too short": (FANO, ("witness", "generators"), [[1, 2, 3, 4, 5, 6]]),
    "size above the limit": (FANO, ("claim", "block_sizes"), [2**13 + 1]),
    "level below one": (FANO, ("claim", "level"), {"exp_epsilon": "1/2"}),
    "level zero": (FANO, ("claim", "exp_epsilon"), "1"),
    "level negative": (FANO, ("claim", "exp_epsilon"), "-7"),
    "too many points": (FANO, ("witness", "points"), 2**27),
}


@pytest.mark.parametrize("name", MALFORMED)
def test_malformed(name):
    content, place, value = MALFORMED[name]
    with pytest.raises(InputError) as caught:
        verdict_of(changed(content, place, value))
    assert "\n" not in str(caught.value)
    assert len(str(caught.value)) < 300


def test_a_weaker_bound_is_true_too():
    """Lowering optimum leaves the claim true: it says that none is below."""
    assert verdict_of(changed(FANO, ("claim", "optimum"), "1")).is_accepted
    assert verdict_of(changed(FANO, ("claim", "optimum"), "-1")).is_accepted


def is_true(content):
    """The claim about the design in the witness, decided without the kernel."""
    claim, witness = content["claim"], content["witness"]
    blocks = developed(witness, claim["v"])
    v, e = claim["v"], Fraction(claim["exp_epsilon"])
    on = [[x in block for block in blocks] for x in range(v)]
    r, lambda_ = {sum(row) for row in on}, set()
    for x in range(v):
        lambda_ |= {sum(a and b for a, b in zip(on[x], on[y], strict=True)) for y in range(x)}
    if (r, lambda_, len(blocks)) != ({claim["r"]}, {claim["lambda"]}, claim["b"]):
        return False
    if sorted({len(block) for block in blocks}) != claim["block_sizes"] or e <= 1:
        return False
    level = claim["level"]
    if "nats" in level:  # 2/5 and 1 are the levels in use
        import mpmath

        with mpmath.workdps(60):
            top = mpmath.exp(
                mpmath.mpf(Fraction(level["nats"]).numerator) / Fraction(level["nats"]).denominator
            )
            if mpmath.mpf(e.numerator) / e.denominator > top:
                return False
            above = Fraction(int(mpmath.ceil(top * 10**50)), 10**50)
    else:
        above = Fraction(level["exp_epsilon"])
        if e > above:
            return False
    total = claim["r"] * e + claim["b"] - claim["r"]
    low = 1 / total
    means = [[low * (1 + (e - 1) * bit) for bit in row] for row in on]
    hits = [
        sum(m for m, bit in zip(means[x], on[y], strict=True) if bit) for x in (0,) for y in (0, 1)
    ]
    gap, mean = hits[0] - hits[1], hits[1] + (hits[0] - hits[1]) / v
    if v * mean * (1 - mean) / gap**2 != Fraction(claim["n_risk"]):
        return False

    def term(k, at):
        return (k * at + v - k) ** 2 / (k * (v - k) * (at - 1) ** 2) * Fraction((v - 1) ** 2, v)

    least = [min(term(k, at) for k in range(1, v)) for at in (e, above)]
    sizes = [
        [k for k in range(1, v) if term(k, at) == low]
        for at, low in zip((e, above), least, strict=True)
    ]
    slack = Fraction(1, 10**30)
    return (
        Fraction(claim["optimum"]) <= least[1] + slack
        and sizes[0] == sizes[1] == claim["optimal_block_sizes"]
    )


def developed(witness, v):
    """The images of the base blocks, restricted to the symbols."""
    found = []
    for base in witness["base_blocks"]:
        reached = {frozenset(base)}
        while True:
            images = {
                frozenset(g[x] for x in block) for g in witness["generators"] for block in reached
            }
            if images <= reached:
                break
            reached |= images
        found += reached
    return [[x for x in block if x < v] for block in found]


NUMBERS = [
    (index, place)
    for index, content in enumerate(ACCEPTED)
    for place in [
        *[("claim", key) for key in ("v", "b", "r", "lambda", "exp_epsilon", "n_risk", "optimum")],
        ("claim", "level"),
        ("claim", "block_sizes", 0),
        ("claim", "optimal_block_sizes", 0),
        ("witness", "points"),
        ("witness", "exp_epsilon"),
        *[
            ("witness", "base_blocks", 0, j)
            for j in range(len(content["witness"]["base_blocks"][0]))
        ],
    ]
]


@given(st.sampled_from(NUMBERS), st.integers(-3, 3).filter(bool), st.integers(1, 50))
def test_one_changed_number_is_refused_or_still_true(where, shift, scale):
    index, place = where
    content = copy.deepcopy(ACCEPTED[index])
    inner = content
    for step in place[:-1]:
        inner = inner[step]
    value = inner[place[-1]]
    if isinstance(value, dict):
        (key,) = value
        inner[place[-1]] = {key: raised(value[key], Fraction(shift, scale))}
    elif isinstance(value, str):
        inner[place[-1]] = raised(value, Fraction(shift, scale))
    else:
        inner[place[-1]] = value + shift
    try:
        verdict = verdict_of(content)
    except InputError:
        return
    if verdict.is_accepted:
        assert is_true(content)


def test_the_oracle_accepts_what_is_true():
    assert all(is_true(content) for content in ACCEPTED)


def test_functions_refuse_what_tells_nothing():
    for arguments in [
        (7, 7, 3, 1, Fraction(1)),
        (7, 7, 3, 3, Fraction(2)),
        (7, 7, 3, 1, Fraction(-3)),
    ]:
        with pytest.raises(InputError, match="divide by zero"):
            canonical_risk(*arguments)
    for v, e in [(1, Fraction(2)), (7, Fraction(1)), (0, Fraction(3))]:
        with pytest.raises(InputError, match="the bound needs"):
            risk_lower_bound(v, e)


def test_large_claims_are_refused_before_any_work():
    content = content_of(randomized_response(3, "log(2)"))
    content["claim"]["v"] = 2**26
    content["witness"]["points"] = 2**26
    content["witness"]["generators"] = []
    with pytest.raises(InputError, match=r"v: '67108864' is not an integer in 2\.\.8192"):
        verdict_of(content)
    content["claim"]["v"], content["witness"]["points"] = 8192, 8192
    content["witness"]["base_blocks"] = [[0]] * 8193
    with pytest.raises(LimitError, match="cells"):
        verdict_of(content)
