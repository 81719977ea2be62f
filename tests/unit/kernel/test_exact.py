"""The door through which numbers enter the kernel."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest
import sympy
from hypothesis import given
from hypothesis import strategies as st

from verify.kernel.errors import CertificateError, InexactNumberError, InputError, LimitError
from verify.kernel.exact import (
    INFINITE,
    MAX_DIGITS,
    as_rational,
    excerpt,
    parse_canonical,
    rational_text,
)


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        (3, "3"),
        (-3, "-3"),
        (Fraction(2, 4), "1/2"),
        ("2/4", "1/2"),
        ("-7/3", "-7/3"),
        ("0.1", "1/10"),
        ("-0.25", "-1/4"),
        (".5", "1/2"),
        ("5.", "5"),
        ("1e-3", "1/1000"),
        ("1.5E2", "150"),
        ("12e+1", "120"),
        ("007", "7"),
        ("0/5", "0"),
        (Decimal("0.1"), "1/10"),
        (Decimal("1E+5"), "100000"),
        (np.int64(4), "4"),
        (np.uint8(255), "255"),
        (sympy.Rational(3, 7), "3/7"),
    ],
)
def test_exact_values_are_read_exactly(value, expected):
    result = as_rational(value)
    assert type(result) is Fraction
    assert type(result.numerator) is int
    assert str(result) == expected


@pytest.mark.parametrize(
    "value",
    [
        0.5,
        float("nan"),
        float("inf"),
        True,
        False,
        np.float64(0.5),
        np.float32(0.5),
        np.bool_(True),
        1j,
        None,
        b"1/2",
        [1],
        (1, 2),
        np.array([1]),
        sympy.Float(0.5),
        sympy.sqrt(2),
    ],
    ids=repr,
)
def test_values_that_name_no_rational_are_refused(value):
    with pytest.raises(InexactNumberError, match=r"^here: "):
        as_rational(value, "here")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " 1",
        "1 ",
        "1\n",
        "+1",
        "--1",
        "1/-2",
        "1/2/3",
        "1//2",
        "1/",
        "/2",
        ".",
        "-",
        "e5",
        "1e",
        "1e5.0",
        "1.5/2",
        "1/2e3",
        "1_000",
        "0x10",
        "nan",
        "NaN",
        "inf",
        "-Infinity",
        "1,5",
        "١/٢",
        "１",
        "²",
        "½",
        "1\u200b",
        "−1",
        "1/0",
        "0/000",
        "\ud800",
        "1\x00",
    ],
    ids=ascii,
)
def test_text_outside_the_grammar_is_refused(text):
    with pytest.raises(InputError, match=r"^p0\[3\]: ") as caught:
        as_rational(text, "p0[3]")
    assert "\n" not in str(caught.value)
    str(caught.value).encode()
    with pytest.raises(InputError):
        parse_canonical(text)


@pytest.mark.parametrize("special", ["NaN", "sNaN", "Infinity", "-Infinity"])
def test_decimals_that_are_not_finite_are_refused(special):
    with pytest.raises(InputError):
        as_rational(Decimal(special))


HUGE = "7" * 10_000_000


@pytest.mark.parametrize(
    "value",
    [
        "1e999999999",
        "1e-999999999",
        "1e" + "9" * 1000,
        "1e4001",
        "1.5e-4001",
        "9" * (MAX_DIGITS + 1),
        "1/" + "9" * (MAX_DIGITS + 1),
        "0." + "1" * MAX_DIGITS,
        HUGE,
        "0." + HUGE,
        HUGE + "/3",
        10 ** (MAX_DIGITS + 1),
        Fraction(1, 10 ** (MAX_DIGITS + 1)),
        Decimal("1E+999999"),
        Decimal("1E-999999"),
        1 << 100_000_000,
    ],
    ids=lambda value: type(value).__name__,
)
def test_numbers_over_the_limit_are_refused_in_one_short_line(value):
    with pytest.raises(LimitError, match=r"^here: ") as caught:
        as_rational(value, "here")
    assert len(str(caught.value)) < 200


def test_a_long_text_that_is_no_number_is_refused_in_one_short_line():
    with pytest.raises(InputError, match=r"^here: .* is not a number") as caught:
        as_rational("x" * 10_000_000, "here")
    assert len(str(caught.value)) < 200


def test_the_longest_numbers_are_read_and_written():
    text = "9" * MAX_DIGITS
    assert rational_text(as_rational(text)) == text
    fraction = Fraction(int(text), 10 ** (MAX_DIGITS - 1))
    assert parse_canonical(rational_text(fraction)) == fraction


def test_a_number_too_long_to_read_is_not_written():
    with pytest.raises(LimitError):
        rational_text(Fraction(1, 10 ** (MAX_DIGITS + 5)))
    with pytest.raises(LimitError):
        rational_text(Fraction(10 ** (2 * MAX_DIGITS)))


def test_infinity_has_a_name():
    assert rational_text(INFINITE) == str(INFINITE) == "inf"


@given(st.fractions())
def test_canonical_text_round_trips(number):
    assert parse_canonical(rational_text(number)) == number == as_rational(number)


@pytest.mark.parametrize(
    "value",
    ["2/4", "-0", "0/1", "3/1", "1.0", "0.5", "1e3", "01", "1/02", "-2/-4", 1, 0.5, None, True, []],
    ids=repr,
)
def test_only_the_canonical_spelling_is_accepted_in_certificates(value):
    with (
        pytest.raises(CertificateError) if not isinstance(value, str) else pytest.raises(InputError)
    ):
        parse_canonical(value, "x")


@given(st.text(alphabet="0123456789/.eE+-_ \n١½x", max_size=12))
def test_reading_text_never_fails_otherwise(text):
    try:
        number = as_rational(text)
    except InputError:
        return
    assert number == Fraction(text)


@given(st.decimals(allow_nan=False, allow_infinity=False, places=6))
def test_decimals_are_exact(number):
    assert as_rational(number) == Fraction(number) == as_rational(str(number))


@pytest.mark.parametrize("value", ["x" * 100, 10**400, 5, "a\nb", "\ud800", None, [1] * 100])
def test_excerpts_are_short_and_printable(value):
    text = excerpt(value)
    assert len(text) < 100
    assert text.isascii() or text.isprintable()
    assert "\n" not in text
