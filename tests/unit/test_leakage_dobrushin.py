"""The Dobrushin bound at a leakage, the channel that attains it and its certificate."""

import dataclasses
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from solvers import Epsilon
from solvers.leakage import (
    attaining_kernel,
    contraction_certificate,
    dobrushin_bound,
    dobrushin_certificate,
)
from tests.support.leakage_oracle import dobrushin, shares, worst_leakage
from verify.canonical_form import encode
from verify.kernel.certificate import check_certificate, decode
from verify.kernel.channel import Channel
from verify.kernel.contraction import check_dobrushin_bound
from verify.kernel.errors import CertificateError, InexactNumberError, InputError
from verify.kernel.exact import INFINITE
from verify.kernel.verdict import Status

HALF = Fraction(1, 2)
levels = st.one_of(
    st.fractions(0, 4, max_denominator=9).map(Epsilon.from_nats),
    st.fractions(1, 40, max_denominator=9).map(Epsilon.from_exp),
)


@st.composite
def problems(draw):
    n = draw(st.integers(2, 9))
    return n, draw(shares()) / n, draw(levels)


@given(problems())
def test_the_attaining_kernel_leaks_at_most_epsilon_and_reaches_the_lower_end(problem):
    n, c, epsilon = problem
    bound, rows = dobrushin_bound(n, c, epsilon), attaining_kernel(n, c, epsilon).rows
    assert len(rows) == n
    assert worst_leakage(rows, c) <= epsilon.exp_lower
    assert dobrushin(rows) == bound.lower <= bound.upper <= 1
    if bound.lower < 1:
        assert worst_leakage(rows, c) == epsilon.exp_lower


@given(problems())
def test_the_kernel_accepts_the_certificate(problem):
    bound = dobrushin_bound(*problem)
    certificate = decode(encode(dobrushin_certificate(bound)))
    assert check_certificate(certificate).status is Status.ACCEPTED


@given(problems(), st.integers(1, 10**6))
def test_a_claim_beyond_either_end_is_rejected(problem, parts):
    bound = dobrushin_bound(*problem)
    step = Fraction(1, parts * 10**30)
    for wrong in (
        dataclasses.replace(bound, upper=bound.upper - (bound.upper - bound.lower) - step),
        dataclasses.replace(bound, lower=bound.lower + step),
    ):
        assert check_certificate(dobrushin_certificate(wrong)).status is Status.REJECTED


@given(
    problems(),
    st.lists(st.fractions(0, 2, max_denominator=40), min_size=3, max_size=3),
    st.fractions(0, 1, max_denominator=40),
)
def test_no_multipliers_prove_less_than_the_truth(problem, multipliers, claimed):
    n, c, epsilon = problem
    verdict = check_dobrushin_bound(n, c, epsilon.exp_upper, multipliers, claimed)
    if verdict.is_accepted:
        assert claimed >= dobrushin_bound(n, c, epsilon).lower


def test_values_that_a_reader_can_check():
    assert dobrushin_bound(2, 0, "log(3)").upper == HALF
    assert dobrushin_bound(7, 0, "log(3)").upper == HALF  # LDP does not see N
    assert dobrushin_bound(4, "1/4", "log(3/2)").upper == HALF  # uniform prior: E - 1
    assert dobrushin_bound(4, "1/4", "log(2)").upper == 1
    assert dobrushin_bound(4, "1/8", 0).upper == 0


def test_it_contracts_just_below_the_threshold_and_not_at_it():
    below, at = (dobrushin_bound(5, "1/10", e) for e in ("log(399/100)", "log(4)"))
    assert below.exp_threshold == at.exp_threshold == 4
    assert below.contracts
    assert not at.contracts
    assert (below.upper < 1, at.upper) == (True, 1)
    rough, fine = at.enclose_threshold(), at.enclose_threshold(400)
    assert rough.lower <= fine.lower <= rough.upper
    # log(2/0.4) lies between the two numbers of nats
    assert dobrushin_bound(4, "1/10", "1.6094379124341003").contracts
    assert not dobrushin_bound(4, "1/10", "1.6094379124341004").contracts


def test_ldp_always_contracts():
    bound = dobrushin_bound(3, 0, 40)
    assert bound.contracts
    assert bound.exp_threshold is INFINITE
    assert bound.enclose_threshold() is INFINITE


def test_the_deterministic_split_of_an_odd_alphabet_tosses_a_coin():
    rows = attaining_kernel(5, "1/5", 2).rows
    assert rows == ((1, 0), (1, 0), (0, 1), (0, 1), (HALF, HALF))


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        ((1, 0, 1), InputError),
        ((2.0, 0, 1), InexactNumberError),
        (("4", 0, 1), InexactNumberError),
        ((4, "1/3", 1), InputError),
        ((4, "-1/10", 1), InputError),
        ((4, 0.1, 1), InexactNumberError),
        ((4, "1/10", -1), InputError),
        ((4, "1/10", "many"), InputError),
    ],
)
def test_bad_arguments_are_refused(arguments, error):
    for function in (dobrushin_bound, attaining_kernel):
        with pytest.raises(error):
            function(*arguments)


def contents():
    certificate = dobrushin_certificate(dobrushin_bound(5, "1/10", "log(3)"))
    return dict(certificate.claim), dict(certificate.witness)


def judged(claim, witness):
    certificate = dobrushin_certificate(dobrushin_bound(5, "1/10", "log(3)"))
    return check_certificate(dataclasses.replace(certificate, claim=claim, witness=witness))


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("claim", "inputs", 1),
        ("claim", "inputs", 6),
        ("claim", "c", "1/4"),
        ("claim", "c", "-1/10"),
        ("claim", "extra", "1"),
        ("witness", "pair", [0, 5]),
        ("witness", "pair", [0]),
        ("witness", "rows", [["1"]]),
    ],
)
def test_malformed_certificates_are_refused(part, key, value):
    claim, witness = contents()
    (claim if part == "claim" else witness)[key] = value
    with pytest.raises(InputError):
        judged(claim, witness)


@pytest.mark.parametrize(
    ("part", "key", "value"),
    [
        ("claim", "c", "1/20"),  # the channel then leaks more
        ("claim", "level", {"exp_epsilon": "29/10"}),
        ("claim", "level", {"exp_epsilon": "31/10"}),  # exp_leakage is then too small
        ("witness", "pair", [0, 1]),
        ("witness", "exp_leakage", "29/10"),
        ("witness", "multipliers", ["1", "1", "1"]),
        ("witness", "multipliers", ["-1", "1", "1"]),
        ("witness", "multipliers", ["1", "0"]),
        ("witness", "rows", [["1", "0"], ["1", "0"], ["0", "1"], ["0", "1"], ["1/2", "1/2"]]),
    ],
)
def test_certificates_that_prove_nothing_are_rejected(part, key, value):
    claim, witness = contents()
    (claim if part == "claim" else witness)[key] = value
    assert judged(claim, witness).status is Status.REJECTED


def test_a_leaking_channel_proves_nothing():
    claim, witness = contents()
    claim["c"], claim["level"] = "0", {"exp_epsilon": "3"}
    witness["rows"] = [["1", "0"], ["1", "0"], ["0", "1"], ["0", "1"], ["1/2", "1/2"]]
    assert judged(claim, witness).status is Status.REJECTED


BINARY = Channel((("3/4", "1/4"), ("1/4", "3/4")))


def test_contraction_certificates():
    certificate = contraction_certificate(BINARY, (1, 2, "5/2", 4))
    assert certificate.claim["e_gamma"] == [["1", "1/2"], ["2", "1/4"], ["5/2", "1/8"], ["4", "0"]]
    assert check_certificate(decode(encode(certificate))).is_accepted
    wrong = {**certificate.claim, "e_gamma": [["1", "1/2"], ["2", "1/3"]]}
    assert check_certificate(dataclasses.replace(certificate, claim=wrong)).status is (
        Status.REJECTED
    )


@pytest.mark.parametrize("pairs", [[], [["1"]], [["2", "1/4"], ["1", "1/2"]], [["1/2", "0"]]])
def test_malformed_contraction_certificates_are_refused(pairs):
    certificate = contraction_certificate(BINARY)
    claim = {**certificate.claim, "e_gamma": pairs}
    with pytest.raises(InputError):
        check_certificate(dataclasses.replace(certificate, claim=claim))


def test_a_contraction_certificate_has_an_empty_witness():
    certificate = dataclasses.replace(contraction_certificate(BINARY), witness={"rows": []})
    with pytest.raises(CertificateError):
        check_certificate(certificate)
    with pytest.raises(InputError):
        contraction_certificate(BINARY, ())
