"""Channel reports: exact values of known channels, levels in every form, HTML for notebooks."""

from fractions import Fraction

import pytest

import verify
from verify.certify import certify_channel, check
from verify.kernel.channel import Channel
from verify.kernel.errors import (
    CertificateError,
    InexactNumberError,
    InputError,
    LimitError,
)
from verify.kernel.exact import INFINITE
from verify.kernel.privacy_level import PrivacyLevel
from verify.kernel.verdict import Status

ROWS = (("3/4", "1/4"), ("1/4", "3/4"))


def test_the_package_gives_its_public_names_when_asked() -> None:
    assert verify.certify_channel is certify_channel
    assert verify.check(certify_channel(ROWS, 3).certificate).is_accepted
    with pytest.raises(AttributeError, match="nothing"):
        verify.nothing  # noqa: B018


@pytest.mark.parametrize("level", [3, "3", "3.0", Fraction(3), PrivacyLevel(nats=Fraction(2))])
def test_levels_in_every_form(level) -> None:
    report = certify_channel(Channel(ROWS), level, c=("0.25", Fraction(1, 2)))
    assert report.verdict.is_accepted
    assert report.exp_epsilon == 3
    assert report.dobrushin_coefficient == Fraction(1, 2)
    assert report.leakage == ((Fraction(1, 4), 2), (Fraction(1, 2), Fraction(3, 2)))
    assert repr(report).startswith("<ChannelReport ACCEPTED: ")


def test_floats_and_levels_below_one_are_refused() -> None:
    with pytest.raises(InexactNumberError):
        certify_channel(ROWS, 3.0)  # type: ignore[arg-type]
    with pytest.raises(InexactNumberError):
        certify_channel([[0.5, 0.5]], 3)
    with pytest.raises(InputError):
        certify_channel(ROWS, "1/2")


def test_no_finite_level_and_infinite_leakage() -> None:
    report = certify_channel([[1, 0], [0, 1]], 10**6, c=[0, "1/2"])
    assert report.verdict.status is Status.REJECTED
    assert report.exp_epsilon is INFINITE
    assert report.leakage == ((0, INFINITE), (Fraction(1, 2), 2))


def test_numbers_that_the_format_cannot_hold_are_refused() -> None:
    tiny, small = Fraction(1, 10**3990 + 1), Fraction(1, 10**3980 + 7)
    rows = [[tiny, 1 - tiny], [1 - small, small]]
    with pytest.raises(LimitError, match="exp_epsilon: has more than 4000 digits"):
        certify_channel(rows, 3)


def test_html_escapes_and_names_the_verdict() -> None:
    html = certify_channel(ROWS, 3)._repr_html_()
    assert "<td>ACCEPTED</td>" in html
    assert "&gt;=" not in html
    assert "&gt;=" in certify_channel(ROWS, 3, c=[0])._repr_html_()


def test_one_least_mass_or_several() -> None:
    rows = [["1/2", "1/2"], ["0", "1"]]
    for given in ("1/10", Fraction(1, 10), ["1/10"]):
        ((c, leakage),) = certify_channel(rows, 3, given).leakage
        assert (c, leakage) == (Fraction(1, 10), Fraction(10))


@pytest.mark.parametrize("value", [None, 5, 1.5, []], ids=repr)
def test_what_is_no_certificate_is_refused_by_type(value) -> None:
    with pytest.raises(TypeError, match="is no Certificate, text"):
        check(value)


def test_the_name_of_a_file_is_told_from_the_text_of_one() -> None:
    with pytest.raises(CertificateError, match="give a path as a Path"):
        check("letters.certificate.json")
