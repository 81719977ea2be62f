"""The second checker's own reading of files: what the format page refuses is malformed."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.kernel.errors import InputError
from verify.kernel.exact import parse_canonical
from verify.second_opinion import MalformedError, OutOfReachError, questions_of
from verify.second_opinion.strict_reading import (
    integer,
    level,
    probabilities,
    rational,
    read_certificate,
    stochastic_rows,
)

TOP = {
    "format": "exactdp-certificate",
    "version": 1,
    "kind": "channel",
    "claim": {},
    "witness": {},
    "provenance": {},
}


@given(
    st.text("0123456789-/+ .e", max_size=8)
    | st.builds(str, st.fractions())
    | st.builds("{}/{}".format, st.integers(-30, 30), st.integers(-30, 30))
    | st.text(max_size=4)
)
def test_a_rational_is_read_where_the_kernel_reads_one(text):
    try:
        expected = parse_canonical(text)
    except InputError:
        with pytest.raises(MalformedError):
            rational(text, "here")
    else:
        assert rational(text, "here") == expected


@pytest.mark.parametrize(
    "value", [1, 0.5, None, True, ["1"], "٣", "1/2\n", " 1", "1_0", "9" * 4001]
)
def test_what_is_no_rational(value):
    with pytest.raises(MalformedError):
        rational(value, "here")


def test_the_longest_rational():
    assert rational("9" * 4000, "here") == 10**4000 - 1


@pytest.mark.parametrize("value", [True, 1.0, "1", 0, 4])
def test_what_is_no_integer_in_range(value):
    with pytest.raises(MalformedError):
        integer(value, "here", 1, 3)


@pytest.mark.parametrize(
    "text",
    [
        "",
        "[]",
        json.dumps(TOP)[:-1],
        json.dumps(TOP) + "{}",
        json.dumps({**TOP, "more": 1}),
        json.dumps({**TOP, "version": True}),
        json.dumps({**TOP, "version": 2}),
        json.dumps({**TOP, "kind": 3}),
        json.dumps({**TOP, "format": "exactdp"}),
        json.dumps({**TOP, "claim": []}),
        json.dumps({**TOP, "provenance": {"x": 0.5}}),
        json.dumps({**TOP, "provenance": {"x": float("nan")}}),
        json.dumps(TOP).replace('"version"', '"kind": "channel", "version"'),
        json.dumps(TOP).replace('"provenance": {}', '"provenance": {"x": ' + "1" * 4001 + "}"),
        json.dumps(TOP).replace('"provenance": {}', '"provenance": ' + "[" * 100_000),
    ],
)
def test_what_is_no_certificate_file(text):
    with pytest.raises(MalformedError) as caught:
        read_certificate(text.encode())
    assert "\n" not in str(caught.value)


def test_bytes_that_are_no_text():
    with pytest.raises(MalformedError):
        read_certificate(json.dumps(TOP).encode() + b"\xff")


def test_an_unknown_kind():
    with pytest.raises(MalformedError):
        questions_of(json.dumps({**TOP, "kind": "proof"}).encode())


def test_levels():
    assert level({"nats": "3/2"}).nats == Fraction(3, 2)
    assert level({"exp_epsilon": "3"}).exp_epsilon == 3
    wrong = ({}, {"nats": "1", "exp_epsilon": "3"}, {"nats": "-1"}, {"exp_epsilon": "1/2"}, "1")
    for value in (*wrong, {"nats": "10001"}):
        with pytest.raises(MalformedError):
            level(value)


def test_laws_and_channels():
    assert probabilities(["1/2", "1/2"], "p") == [Fraction(1, 2)] * 2
    for value in ([], ["1/2"], ["3/2", "-1/2"], "1"):
        with pytest.raises(MalformedError):
            probabilities(value, "p")
    for rows in ([], [["1"], ["1/2", "1/2"]], [[]], "rows"):
        with pytest.raises(MalformedError):
            stochastic_rows(rows, "rows")


def test_a_long_file_is_out_of_reach():
    content = json.dumps({**TOP, "provenance": {"x": "a" * (1 << 23)}}).encode()
    with pytest.raises(OutOfReachError):
        questions_of(content)
