"""Change one number of a leakage or contraction certificate: refused, or what it says is true.

The truth of a claim is found by formulas that share no code with the kernel: the bound's closed
form on 60 digits of e^epsilon, and E_gamma over all pairs of rows.
"""

import copy
import json
from fractions import Fraction

import mpmath
from hypothesis import given, settings
from hypothesis import strategies as st

from solvers.leakage import contraction_certificate, dobrushin_bound, dobrushin_certificate
from tests.support import leakage_oracle as oracle
from verify.canonical_form import encode
from verify.kernel.certificate import check_certificate, decode
from verify.kernel.channel import Channel
from verify.kernel.errors import InputError
from verify.kernel.verdict import Status

MARGIN = Fraction(1, 10**50)


def bound_at(n, c, E):
    return min((E - 1) / (E * (1 - n * c) + 1), Fraction(1))


def exp_of(level):
    """Rationals on both sides of e^epsilon."""
    if "exp_epsilon" in level:
        return (Fraction(level["exp_epsilon"]),) * 2
    with mpmath.workdps(70):
        nats = Fraction(level["nats"])
        value = mpmath.exp(mpmath.mpf(nats.numerator) / nats.denominator)
        near = Fraction(int(value * mpmath.mpf(10) ** 60), 10**60)
    return max(near - MARGIN, Fraction(1)), near + MARGIN


def is_true(content):
    claim = content["claim"]
    if content["kind"] == "contraction":
        rows = [[Fraction(entry) for entry in row] for row in claim["rows"]]
        return all(
            oracle.largest_e_gamma(rows, Fraction(gamma)) == Fraction(value)
            for gamma, value in claim["e_gamma"]
        )
    n, c = claim["inputs"], Fraction(claim["c"])
    low, high = (bound_at(n, c, E) for E in exp_of(claim["level"]))
    return Fraction(claim["lower"]) <= high and low <= Fraction(claim["upper"])


def places(content, path=()):
    """The paths of all numbers in the claim and the witness."""
    if isinstance(content, dict):
        return [p for key, part in content.items() for p in places(part, (*path, key))]
    if isinstance(content, list):
        return [p for i, part in enumerate(content) for p in places(part, (*path, i))]
    return [path]


@st.composite
def mutated(draw):
    if draw(st.booleans()):
        n = draw(st.integers(2, 5))
        level = draw(st.sampled_from(["1", "1/3", "log(3)", "log(5/4)", "2", "0"]))
        certificate = dobrushin_certificate(dobrushin_bound(n, draw(oracle.shares()) / n, level))
    else:
        rows = draw(oracle.channels(max_inputs=3, max_outputs=3))
        certificate = contraction_certificate(Channel(rows), (1, "3/2", 4))
    content = json.loads(encode(certificate))
    assert check_certificate(decode(json.dumps(content))).is_accepted
    assert is_true(content)
    changed = copy.deepcopy(content)
    path = draw(st.sampled_from(places({k: content[k] for k in ("claim", "witness")})))
    place = changed
    for step in path[:-1]:
        place = place[step]
    old = place[path[-1]]
    if isinstance(old, int):
        place[path[-1]] = draw(st.integers(0, 6))
    else:
        shift = draw(st.sampled_from([-1, 1])) * Fraction(1, draw(st.sampled_from([1, 7, 10**9])))
        place[path[-1]] = str(draw(st.sampled_from([Fraction(old) + shift, Fraction(0)])))
    return changed


@given(mutated())
@settings(max_examples=250)
def test_a_changed_number_is_refused_or_the_claim_is_still_true(content):
    try:
        verdict = check_certificate(decode(json.dumps(content)))
    except InputError:
        return
    if verdict.status is Status.ACCEPTED:
        assert is_true(content)
