"""The readers of the objects in a certificate."""

from fractions import Fraction

import pytest

from verify.kernel.errors import CertificateError
from verify.kernel.fields import flag, integer, list_of, read, text


def test_field_readers():
    digit = integer(1, 5)
    assert digit(5, "x") == 5
    for value in (0, 6, True, "5", None, 10**400):
        with pytest.raises(CertificateError, match=r"x: .* is not an integer in 1\.\.5"):
            digit(value, "x")
    with pytest.raises(CertificateError, match="x: must be text"):
        text(1, "x")
    with pytest.raises(CertificateError, match="x: must be true or false"):
        flag(1, "x")
    with pytest.raises(CertificateError, match="x: must be a list"):
        list_of(digit)("abc", "x")
    for items in ([], [1], [1, 2, 3, 4]):
        with pytest.raises(CertificateError, match=r"x: must be a list of 2\.\.3 items"):
            list_of(digit, 2, 3)(items, "x")
    with pytest.raises(CertificateError, match="x: must be an object"):
        read([], "x", "")
    with pytest.raises(CertificateError, match="x: lacks the key 'a'"):
        read({"c": 1}, "x", "a b")
    with pytest.raises(CertificateError, match="x: has the unknown key 'c'"):
        read({"a": "1", "c": 1}, "x", "a")
    assert read({"a": "1/2", "b": [[1], [2, 3]]}, "x", "b a", b=list_of(list_of(digit))) == [
        ((1,), (2, 3)),
        Fraction(1, 2),
    ]
    with pytest.raises(CertificateError, match=r"x\.b\[1\]\[0\]"):
        read({"b": [[1], [6]]}, "x", "b", b=list_of(list_of(digit)))
