"""Change one number of an accepted certificate: it is refused, or what it says is still true.

If the kernel still accepts, an oracle that shares no code with it must agree that the changed claim
is true and that the changed witness proves it (over all 2^k sets).
"""

import copy
import json
import random
from fractions import Fraction
from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.leakage.contraction import dobrushin_coefficient
from solvers.leakage.worst_leakage import worst_exp_leakage
from solvers.testing import solve_testing
from tests.support import oracle
from tests.support.claims import (
    flaw_of_testing_witness,
    is_true_channel_claim,
    is_true_testing_claim,
)
from tests.support.instances import FAMILIES, random_channel, random_pair
from verify.canonical_form import encode
from verify.kernel.certificate import check_certificate, decode
from verify.kernel.channel import Channel
from verify.kernel.errors import InputError
from verify.kernel.ldp import largest_column_ratio
from verify.kernel.verdict import Status

LEVELS = ["log(2)", "log(3)", "log(20)", "log(3/2)", "1", "1/10", "log(1)", "5"]


@cache
def solved_bases():
    """Accepted certificates of many kinds of problems, as the content of their files."""
    rng, bases = random.Random("bases"), []
    for i, name in enumerate(oracle.EVERY * 5):
        p, q = random_pair(rng, rng.randint(1, 5), list(FAMILIES)[i % len(FAMILIES)])
        outputs = rng.choice([None, None, 2, 3])
        solution = solve_testing(p, q, LEVELS[i % len(LEVELS)], name, outputs)
        bases.append(json.loads(encode(solution.certificate)))
    return bases


@cache
def channel_bases():
    """Accepted certificates of channels."""
    rng, bases = random.Random("channels"), []
    for _ in range(30):
        n, m, E = rng.randint(1, 4), rng.randint(1, 4), Fraction(rng.randint(5, 20), 4)
        channel = Channel(tuple(map(tuple, random_channel(rng, n, m, E))))
        c = Fraction(rng.randint(0, 4), 4 * n)
        worst = largest_column_ratio(channel).exp_epsilon
        level = (
            {"nats": "4"} if rng.random() < 0.2 else {"exp_epsilon": str(rng.choice([worst, E]))}
        )
        claim = {
            "rows": [list(map(str, row)) for row in channel.rows],
            "level": level,
            "exp_epsilon": str(worst),
            "dobrushin_coefficient": str(dobrushin_coefficient(channel)),
            "leakage": [[str(c), str(worst_exp_leakage(channel, c))]],
        }
        bases.append(
            {
                "format": "exactdp-certificate",
                "version": 1,
                "kind": "channel",
                "claim": claim,
                "witness": {},
                "provenance": {},
            }
        )
    return bases


def numbers_in(content, path=()):
    """The paths to every integer and every text that is a number."""
    items = (
        content.items()
        if isinstance(content, dict)
        else enumerate(content)
        if isinstance(content, list)
        else ()
    )
    for key, value in items:
        is_number = isinstance(value, str) and value.replace("/", "").replace("-", "").isdigit()
        if is_number or (isinstance(value, int) and not isinstance(value, bool)):
            yield (*path, key)
        yield from numbers_in(value, (*path, key))


TINY = Fraction(1, 10**45)
CHANGES = {
    "one ulp up": lambda x: x + Fraction(1, x.denominator),
    "one ulp down": lambda x: x - Fraction(1, x.denominator),
    "numerator and denominator": lambda x: Fraction(x.numerator + 1, x.denominator + 1),
    "denominator": lambda x: Fraction(x.numerator, x.denominator + 1),
    "tiny up": lambda x: x + TINY,
    "tiny down": lambda x: x - TINY,
    "relatively tiny": lambda x: x * (1 + TINY),
    "up": lambda x: x + 1,
    "down": lambda x: x - 1,
    "sign": lambda x: -x,
    "zero": lambda x: Fraction(0),
    "one": lambda x: Fraction(1),
    "inverse": lambda x: 1 / x if x else Fraction(2),
    "double": lambda x: 2 * x,
    "half": lambda x: x / 2,
    "slightly up": lambda x: x * Fraction(1001, 1000),
    "slightly down": lambda x: x * Fraction(999, 1000),
}


def place_of(content, path):
    for step in path[:-1]:
        content = content[step]
    return content, path[-1]


def change(content, path, rule):
    """A copy with the number at the path changed by the rule; None if nothing changes."""
    result = copy.deepcopy(content)
    place, key = place_of(result, path)
    old = place[key]
    new = rule(Fraction(old))
    if isinstance(old, int):
        new = int(new)
    if new == Fraction(old):
        return None
    place[key] = new if isinstance(old, int) else str(new)
    return result


def status_of(content):
    try:
        return check_certificate(decode(json.dumps(content))).status
    except InputError:
        return None


def require_honest(content):
    """Accepted only if the oracle agrees with claim and witness. Returns whether it is accepted."""
    if status_of(content) is not Status.ACCEPTED:
        return False
    claim = content["claim"]
    if content["kind"] == "channel":
        assert is_true_channel_claim(claim), content
    else:
        assert is_true_testing_claim(claim), content
        assert not flaw_of_testing_witness(claim, content["witness"]), content
    return True


def test_the_bases_are_accepted_and_honest():
    for content in (*solved_bases(), *channel_bases()):
        assert require_honest(content), content


BASES = st.one_of(
    st.deferred(lambda: st.sampled_from(solved_bases())),
    st.deferred(lambda: st.sampled_from(channel_bases())),
)


@settings(max_examples=500)
@given(BASES, st.data())
def test_one_number_changed(content, data):
    path = data.draw(st.sampled_from(list(numbers_in(content))))
    rule = CHANGES[data.draw(st.sampled_from(list(CHANGES)))]
    changed = change(content, path, rule)
    if changed is not None:
        require_honest(changed)


@settings(max_examples=150)
@given(BASES, st.data())
def test_mass_moved_between_two_places(content, data):
    """Laws and rows stay normalised, so the change is not refused for its sum alone."""
    changed = copy.deepcopy(content)
    claim = changed["claim"]
    law = data.draw(st.sampled_from(claim.get("rows") or [claim["p0"], claim["p1"]]))
    giver, taker = (data.draw(st.integers(0, len(law) - 1)) for _ in range(2))
    part = Fraction(law[giver]) * data.draw(st.sampled_from([TINY, Fraction(1, 100), Fraction(1)]))
    law[giver] = str(Fraction(law[giver]) - part)
    law[taker] = str(Fraction(law[taker]) + part)
    require_honest(changed)


@settings(max_examples=150)
@given(st.deferred(lambda: st.sampled_from(solved_bases())), st.data())
def test_other_claims_for_the_same_witness(content, data):
    changed = copy.deepcopy(content)
    field = data.draw(
        st.sampled_from(["divergence", "outputs", "level", "laws", "blocks", "parts"])
    )
    claim, witness = changed["claim"], changed["witness"]
    if field == "divergence":
        claim["divergence"] = data.draw(st.sampled_from(oracle.EVERY))
    elif field == "outputs":
        claim["outputs"] = data.draw(st.none() | st.integers(1, len(claim["p0"])))
    elif field == "level":
        claim["level"] = data.draw(st.sampled_from([{"nats": "1"}, {"exp_epsilon": "3"}]))
    elif field == "laws":
        claim["p0"], claim["p1"] = claim["p1"], claim["p0"]
    elif field == "blocks":
        symbols = data.draw(st.permutations(range(len(claim["p0"]))))
        sizes = iter(symbols)
        witness["blocks"] = [[next(sizes) for _ in block] for block in witness["blocks"]]
    else:
        donor = data.draw(st.sampled_from(solved_bases()))
        key = data.draw(st.sampled_from(list(witness)))
        witness[key] = donor["witness"][key]
    require_honest(changed)


@pytest.mark.parametrize("bound", ["lower", "upper"])
def test_the_tightest_claims_cannot_be_tightened(bound):
    """Where the gap is 0 the claim is refused as soon as a bound crosses the optimum."""
    crossed = 0
    for content in solved_bases():
        claim = content["claim"]
        if claim["lower"] == claim["upper"]:
            sign = 1 if bound == "lower" else -1
            changed = change(content, ("claim", bound), lambda x, s=sign: x + s * TINY)
            assert status_of(changed) in (Status.REJECTED, Status.UNDECIDED)
            crossed += 1
    assert crossed >= 20


@pytest.mark.slow
def test_every_number_changed_in_every_way():
    for content in (*solved_bases(), *channel_bases()):
        for path in numbers_in(content):
            for rule in CHANGES.values():
                changed = change(content, path, rule)
                if changed is not None:
                    require_honest(changed)
