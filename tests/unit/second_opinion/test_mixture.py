"""Mixtures in the second checker: their names, what is linear, their files for other programs."""

import json
from fractions import Fraction
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers.testing import solve_testing
from solvers.testing.mixture import mixture_name
from tests.support.vipr import ViprError, check
from verify.canonical_form import encode
from verify.kernel.divergence import parse_divergence
from verify.kernel.errors import InputError
from verify.second_opinion import MalformedError, exported_files, second_opinion
from verify.second_opinion.mixture import read_divergence

CORPUS = Path(__file__).parent.parent.parent / "corpus"
LAWS = ["1/2", "1/3", "1/6"], ["1/6", "1/3", "1/2"]
TERMS = (
    "1*kl",
    "1/2*kl",
    "2*tv",
    "2/4*tv",
    "0*kl",
    "-1*kl",
    "1*renyi:2",
    "1*1*kl",
    "kl",
    "*kl",
    "",
)


def kernel_reads(name):
    try:
        return parse_divergence(name).name == name
    except InputError:
        return False


def reads(name):
    try:
        read_divergence(name)
    except MalformedError:
        return False
    return True


@given(
    st.lists(st.sampled_from(TERMS), min_size=1, max_size=4)
    | st.lists(st.sampled_from(TERMS[:3]), min_size=1, max_size=18)
    | st.lists(st.sampled_from(TERMS[:3]), min_size=1, max_size=18).map(sorted)
    | st.lists(st.text("12/*+-0 ktlv:.", max_size=5), max_size=4)
)
def test_a_mixture_is_read_where_the_kernel_reads_one(terms):
    name = "+".join(terms)
    assert reads(name) == kernel_reads(name)


def test_sixteen_terms_and_no_more():
    terms = sorted(f"{n}*kl" for n in range(1, 18))
    assert len(read_divergence("+".join(terms[:16])).parts) == 16
    for n_terms in (17, 18, 40_000):
        with pytest.raises(MalformedError, match="more than 16 terms"):
            read_divergence("+".join(["1*kl"] * n_terms))


def test_long_weights():
    longest = "9" * 4000
    for weight, good in ((longest, True), (longest + "9", False), (f"1/{longest}", True)):
        assert reads(f"{weight}*tv") == kernel_reads(f"{weight}*tv") == good


def test_only_parts_that_are_linear_make_a_linear_sum():
    """Without separators the kernel follows a long alphabet for these only."""
    linear, curved = map(read_divergence, ("1*e-gamma:3/2+2*tv", "1*kl+2*tv"))
    assert linear.is_linear
    assert linear.corners == (Fraction(3, 2), Fraction(1))
    assert not curved.is_linear
    rising = [f"{x}/136" for x in range(1, 17)]
    for name, verdict in (("1*e-gamma:3/2+2*tv", "ACCEPTED"), ("1/2*kl+2*tv", "NO OPINION")):
        solution = solve_testing(rising, rising[::-1], "log(3)", name)
        content = json.loads(encode(solution.certificate))
        content["witness"]["separators"] = []
        assert second_opinion(json.dumps(content).encode()).verdict.value == verdict


def test_a_rational_mixture_has_a_program_with_both_ends():
    name = mixture_name([("1/2", "chi2"), (2, "tv"), ("1/3", "e-gamma:5/4")])
    solution = solve_testing(*LAWS, "log(3)", name, 2)
    program = check(exported_files(encode(solution.certificate))[".vipr"])
    assert (program.lower, program.upper) == (solution.value_lower, solution.value_upper)
    curved = solve_testing(*LAWS, "log(3)", "1*kl+2*tv")
    program = check(exported_files(encode(curved.certificate))[".vipr"])
    assert (program.lower, program.upper) == (None, curved.value_upper)


@pytest.mark.parametrize("name", ["weight-raised", "corner-moved", "below-the-optimum"])
def test_a_rejected_program_is_not_proved(name):
    text = exported_files((CORPUS / "reject" / f"mixture-{name}.json").read_bytes())[".vipr"]
    with pytest.raises(ViprError):
        check(text)
