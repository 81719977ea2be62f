"""The envelope is read strictly: every malformed file is refused with one line, quickly."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.support.hand_made import CHANNEL, TESTING, changed, judge
from verify.canonical_form import encode
from verify.kernel import certificate as envelope
from verify.kernel.certificate import Certificate, check_certificate, decode
from verify.kernel.errors import CertificateError, InputError, LimitError
from verify.kernel.kinds import KINDS
from verify.kernel.verdict import Status


def test_the_bases_are_accepted():
    assert judge(CHANNEL) is Status.ACCEPTED
    assert judge(TESTING) is Status.ACCEPTED


@pytest.mark.parametrize("base", [CHANNEL, TESTING])
def test_encoding_round_trips_and_is_canonical(base):
    read = decode(json.dumps(base))
    data = encode(read)
    assert decode(data) == read
    assert encode(decode(data)) == data
    assert data.isascii()
    assert data.endswith(b"}\n")
    assert json.loads(data) == base


REFUSED_FILES = {
    "empty": "",
    "blank": " \n",
    "not JSON": "certificate",
    "a list": "[]",
    "a number": "1",
    "null": "null",
    "text": '"exactdp-certificate"',
    "two objects": "{} {}",
    "NaN": '{"format": NaN}',
    "Infinity": '{"format": -Infinity}',
    "a float": '{"format": 1.0}',
    "an exponent": '{"format": 1e5}',
    "duplicate keys": '{"format": 1, "format": 1}',
    "nested duplicate keys": '{"claim": {"x": {"a": "1", "a": "1"}}}',
    "single quotes": "{'format': 1}",
    "trailing comma": '{"format": 1,}',
    "comment": '{"format": 1} // why',
    "byte order mark": "\ufeff{}",
    "control character": '{"format": "a\nb"}',
    "not UTF-8": b'{"format": "\xff"}',
    "UTF-16": "{}".encode("utf-16"),
    "NUL bytes": b"\x00" * 100,
    "deep list": "[" * 100_000,
    "deep closed list": "[" * 100_000 + "]" * 100_000,
    "deep object": '{"a":' * 100_000 + "1" + "}" * 100_000,
    "huge integer": '{"version": ' + "9" * 1_000_000 + "}",
    "huge negative integer": '{"version": -' + "9" * 5000 + "}",
    "huge float": '{"version": 1.' + "9" * 1_000_000 + "}",
}


@pytest.mark.parametrize("text", REFUSED_FILES.values(), ids=REFUSED_FILES.keys())
def test_files_of_another_form_are_malformed(text):
    assert judge(text) is CertificateError


@pytest.mark.parametrize("length", [1, 10, 100, 250])
@pytest.mark.parametrize("base", [CHANNEL, TESTING])
def test_truncated_files_are_malformed(base, length):
    assert judge(json.dumps(base)[:length]) is CertificateError


def test_a_file_over_the_limit_is_not_parsed(monkeypatch):
    monkeypatch.setattr(envelope, "MAX_BYTES", 100)
    assert judge(json.dumps(CHANNEL)) is CertificateError


BAD_FIELDS = [
    (("format",), "exactdp"),
    (("format",), None),
    (("version",), 0),
    (("version",), 2),
    (("version",), "1"),
    (("version",), True),
    (("version",), None),
    (("kind",), "channels"),
    (("kind",), ""),
    (("kind",), None),
    (("kind",), ["channel"]),
    (("kind",), "x" * 10**6),
    (("claim",), None),
    (("claim",), []),
    (("claim",), {}),
    (("witness",), None),
    (("witness",), []),
    (("witness",), {"x": 1}),
    (("provenance",), None),
    (("provenance",), "me"),
    (("extra",), 1),
    *(((key,), ...) for key in CHANNEL),
]


@pytest.mark.parametrize(("path", "value"), BAD_FIELDS, ids=lambda x: str(x)[:40])
@pytest.mark.parametrize("base", [CHANNEL, TESTING])
def test_malformed_envelopes(base, path, value):
    assert judge(changed(base, path, value)) is CertificateError


BAD_NUMBERS = [
    *(None, True, 0, 1, -1, [], {}, "", " 1", "1 ", "+1", "2/4", "-0", "0/1", "1/1", "1.0", "0.5"),
    *("1e3", "1e999999999", "1/0", "NaN", "inf", "nan", "١", "1/٢", "½", "--1", "1/-2", "0x1"),
    *("9" * 5000, "1/" + "9" * 5000, "\ud800", "1\n"),
]
CHANNEL_NUMBERS = [
    ("claim", "rows", 0, 0),
    ("claim", "level", "exp_epsilon"),
    ("claim", "dobrushin_coefficient"),
    ("claim", "leakage", 0, 0),
    ("claim", "leakage", 0, 1),
]
TESTING_NUMBERS = [
    ("claim", "p0", 0),
    ("claim", "p1", 1),
    ("claim", "level", "exp_epsilon"),
    ("claim", "lower"),
    ("claim", "upper"),
    ("witness", "exp_epsilon", 0),
    ("witness", "exp_epsilon", 1),
    ("witness", "multipliers", 0),
    ("witness", "output_multiplier"),
]


@pytest.mark.parametrize("value", BAD_NUMBERS, ids=lambda x: ascii(x)[:20])
def test_numbers_have_one_spelling(value):
    places = [(CHANNEL, path) for path in CHANNEL_NUMBERS]
    places += [(TESTING, path) for path in TESTING_NUMBERS]
    for base, path in places:
        assert judge(changed(base, path, value)) in (CertificateError, InputError, LimitError), path


def test_checks_of_hostile_size_end():
    """Each of these would take hours or all memory without a stated limit."""
    k = 3000
    uniform = [f"1/{k}"] * k
    claim = {"p0": uniform, "p1": uniform, "lower": "0", "upper": "1"}
    base = TESTING | {"claim": TESTING["claim"] | claim}
    separate = [[x] for x in range(k)]
    coprime = [f"1/{10**3900 + 2 * x + 1}" for x in range(k)]
    one = [list(range(k))]
    wide = {"bits": 4096, "separators": [f"{x + 1}/{x}" for x in range(2, 9000)]}
    for witness, answer in (
        ({"blocks": separate, "multipliers": ["0"] * k}, Status.ACCEPTED),
        ({"blocks": one, "multipliers": coprime}, LimitError),
        ({"blocks": one, "multipliers": ["0"] * k, **wide}, LimitError),
    ):
        assert judge(base | {"witness": TESTING["witness"] | witness}) is answer


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-3, 3) | st.sampled_from(["", "1", "1/2", "3", "tv"]),
    lambda inner: (
        st.lists(inner, max_size=3)
        | st.dictionaries(st.sampled_from(["nats", "exp_epsilon", "x"]), inner, max_size=2)
    ),
    max_leaves=5,
)


@given(st.sampled_from([CHANNEL, TESTING]), st.data())
def test_any_value_in_any_place_gives_a_verdict_or_a_refusal(base, data):
    part = data.draw(st.sampled_from(["claim", "witness", "provenance"]))
    content = copy.deepcopy(base)
    place, path = content, [part]
    while (
        isinstance(place[path[-1]], (dict, list)) and place[path[-1]] and data.draw(st.booleans())
    ):
        place = place[path[-1]]
        keys = sorted(place) if isinstance(place, dict) else range(len(place))
        path.append(data.draw(st.sampled_from(keys)))
    place[path[-1]] = data.draw(JSON)
    judge(content)


@given(st.binary(max_size=60) | st.text(max_size=60))
def test_any_bytes_are_refused(content):
    assert judge(content) is CertificateError


def test_an_unknown_kind_is_named_with_the_known_ones():
    with pytest.raises(CertificateError, match="kind: 'sorcery' is unknown; known: channel"):
        check_certificate(Certificate("sorcery", {}, {}))
    assert {"channel", "testing"} <= set(KINDS)
