"""Numbers for readers: correctly rounded, enclosures outwards."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.certify import certify_channel
from verify.kernel.exact import INFINITE
from verify.kernel.interval import Interval
from verify.report import (
    channel_facts,
    digits,
    enclosure_digits,
    enclosure_object,
    exact_text,
    printable,
    shortened,
)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(0), "0"),
        (Fraction(100), "100"),
        (Fraction(1, 3), "0.333333333333"),
        (Fraction(2, 3), "0.666666666667"),
        (Fraction(-1, 8), "-0.125"),
        (Fraction(10**20), "1e+20"),
        (Fraction(1, 10**30), "1e-30"),
        (Fraction(1, 7 * 10**400), "1.42857142857e-401"),
        (INFINITE, "infinite"),
    ],
)
def test_twelve_digits(number, text) -> None:
    assert digits(number) == text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (Fraction(5), "5"),
        (Fraction(1, 2), "0.5 = 1/2"),
        (Fraction(1, 3**60), "2.35898248759e-29"),
        (Fraction(10**5000), "1e+5000"),
        (INFINITE, "infinite"),
    ],
)
def test_exact_numbers(number, text) -> None:
    assert exact_text(number) == text


@given(st.fractions(min_value=0, max_value=10**6), st.fractions(min_value=0, max_value=1))
def test_enclosures_are_rounded_outwards(lower: Fraction, width: Fraction) -> None:
    enclosure = Interval(lower, lower + width)
    if width:
        low, high = enclosure_digits(enclosure).split(" .. ")
        assert Fraction(low) <= lower
        assert Fraction(high) >= lower + width
    assert enclosure_object(enclosure) == {"lower": str(lower), "upper": str(lower + width)}


def test_text_from_files_is_made_printable() -> None:
    assert printable("ä ß\t\x1b[0m\u202e\ud800") == "ä ß\\t\\x1b[0m\\u202e\\ud800"


def test_very_long_text_is_shortened() -> None:
    text = shortened("a" + "9" * 5000 + "z")
    assert len(text) < 500
    assert (text[0], text[-1]) == ("a", "z")
    assert " ... " in text


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        ([["1/2", "1/2"], ["1/2", "1/2"]], "none: all inputs have the same outputs"),
        ([["1", "0"], ["1/2", "1/2"]], "output 1 comes from input 1 and never from 0"),
        ([["3/4", "1/4"], ["1/4", "3/4"]], "output 0 is likelier from input 0 than from 1"),
    ],
)
def test_the_witness_in_words(rows, words) -> None:
    facts = dict(channel_facts(certify_channel(rows, 3)))
    assert facts["witness"].startswith(words)
