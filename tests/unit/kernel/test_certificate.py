"""The envelope is read strictly: every malformed file is refused with one line, quickly."""

import copy
import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.canonical_form import encode
from verify.kernel import certificate as envelope
from verify.kernel.certificate import Certificate, check_certificate, decode
from verify.kernel.errors import CertificateError, InputError, LimitError
from verify.kernel.kinds import KINDS
from verify.kernel.verdict import Status

CHANNEL = {
    "format": "exactdp-certificate",
    "version": 1,
    "kind": "channel",
    "claim": {
        "rows": [["3/4", "1/4"], ["1/4", "3/4"]],
        "level": {"exp_epsilon": "3"},
        "exp_epsilon": "3",
        "dobrushin_coefficient": "1/2",
        "leakage": [["1/4", "2"]],
    },
    "witness": {},
    "provenance": {},
}
TESTING = {
    "format": "exactdp-certificate",
    "version": 1,
    "kind": "testing",
    "claim": {
        "p0": ["3/4", "1/4"],
        "p1": ["1/4", "3/4"],
        "level": {"exp_epsilon": "3"},
        "divergence": "tv",
        "outputs": None,
        "lower": "1/4",
        "upper": "1/4",
    },
    "witness": {
        "exp_epsilon": ["3", "3"],
        "blocks": [[1], [0]],
        "multipliers": ["3/8", "-1/8"],
        "output_multiplier": "0",
        "separators": [],
        "bits": 64,
    },
    "provenance": {"program": "by hand"},
}


def changed(base, path, value):
    """A copy of the content with one place set (or removed, for the value ``...``)."""
    content = copy.deepcopy(base)
    *parents, last = path
    place = content
    for step in parents:
        place = place[step]
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return content


def judge(content):
    """The status of a content, or the class of the refusal."""
    text = content if isinstance(content, (str, bytes)) else json.dumps(content)
    try:
        return check_certificate(decode(text)).status
    except InputError as error:
        message = str(error)
        assert "\n" not in message
        assert len(message) < 400
        return type(error)


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


@pytest.mark.parametrize(
    ("path", "value"),
    [
        *((("claim", key), ...) for key in CHANNEL["claim"]),
        (("claim", "extra"), "1"),
        (("claim", "rows"), None),
        (("claim", "rows"), []),
        (("claim", "rows"), [[]]),
        (("claim", "rows"), {"0": ["1"]}),
        (("claim", "rows"), [["1"], ["1/2", "1/2"]]),
        (("claim", "rows"), [["3/4", "1/4"], ["1/4", "1/4"]]),
        (("claim", "rows"), [["5/4", "-1/4"], ["1/4", "3/4"]]),
        (("claim", "rows"), ["3/4", "1/4"]),
        (("claim", "exp_epsilon"), 3),
        (("claim", "exp_epsilon"), None),
        (("claim", "level"), {"exp_epsilon": "1/2"}),
        (("claim", "level"), {"nats": "-1"}),
        (("claim", "level"), {"nats": "10001"}),
        (("claim", "leakage"), [["1/4"]]),
        (("claim", "leakage"), [["1/4", "2", "2"]]),
        (("claim", "leakage"), [["3/4", "2"]]),
        (("claim", "leakage"), [["-1/4", "2"]]),
        (("claim", "leakage"), [["1/4", "2"]] * 1000),
        (("claim", "leakage"), None),
    ],
    ids=lambda x: str(x)[:40],
)
def test_malformed_channel_certificates(path, value):
    assert judge(changed(CHANNEL, path, value)) in (CertificateError, InputError, LimitError)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("claim", "rows", 0), ["4/5", "1/5"]),
        (("claim", "exp_epsilon"), "2"),
        (("claim", "exp_epsilon"), "4"),
        (("claim", "exp_epsilon"), "inf"),
        (("claim", "exp_epsilon"), "6/2"),
        (("claim", "exp_epsilon"), "three"),
        (("claim", "level"), {"exp_epsilon": "299/100"}),
        (("claim", "level"), {"nats": "1"}),
        (("claim", "dobrushin_coefficient"), "1/3"),
        (("claim", "leakage"), [["1/4", "3"]]),
        (("claim", "leakage"), [["1/4", "2"], ["1/5", "2"]]),
    ],
    ids=lambda x: str(x)[:40],
)
def test_false_channel_claims_are_rejected(path, value):
    assert judge(changed(CHANNEL, path, value)) is Status.REJECTED


def test_a_channel_without_finite_level_is_rejected_even_if_described_truly():
    claim = {
        "rows": [["1", "0"], ["0", "1"]],
        "level": {"exp_epsilon": "1000000"},
        "exp_epsilon": "inf",
        "dobrushin_coefficient": "1",
        "leakage": [],
    }
    assert judge(changed(CHANNEL, ("claim",), claim)) is Status.REJECTED


@pytest.mark.parametrize("level", [{"exp_epsilon": "7/2"}, {"nats": "11/10"}, {"nats": "10000"}])
def test_a_channel_is_private_at_every_higher_level(level):
    assert judge(changed(CHANNEL, ("claim", "level"), level)) is Status.ACCEPTED


@pytest.mark.parametrize(
    ("path", "value"),
    [
        *((("claim", key), ...) for key in TESTING["claim"]),
        *((("witness", key), ...) for key in TESTING["witness"]),
        (("claim", "extra"), None),
        (("witness", "extra"), None),
        (("claim", "p0"), ["1"]),
        (("claim", "p0"), []),
        (("claim", "p0"), ["3/4", "1/2"]),
        (("claim", "p0"), ["5/4", "-1/4"]),
        (("claim", "divergence"), "total variation"),
        (("claim", "divergence"), None),
        (("claim", "divergence"), "e-gamma:2/2"),
        (("claim", "divergence"), "e-gamma:0"),
        (("claim", "divergence"), "e-gamma:1e999999999"),
        (("claim", "divergence"), "TV"),
        (("claim", "outputs"), 0),
        (("claim", "outputs"), -1),
        (("claim", "outputs"), 3),
        (("claim", "outputs"), "2"),
        (("claim", "outputs"), True),
        (("claim", "outputs"), [2]),
        (("claim", "level"), {"nats": "10001"}),
        (("witness", "bits"), 7),
        (("witness", "bits"), 5000),
        (("witness", "bits"), "64"),
        (("witness", "bits"), True),
        (("witness", "bits"), None),
        (("witness", "exp_epsilon"), "3"),
        (("witness", "exp_epsilon"), ["3"]),
        (("witness", "exp_epsilon"), ["3", "3", "3"]),
        (("witness", "multipliers"), ["1/4"]),
        (("witness", "multipliers"), []),
        (("witness", "multipliers"), ["3/8", "-1/8", "0"]),
        (("witness", "separators"), None),
        (("witness", "separators"), ["2/2"]),
        (("witness", "separators"), "1"),
        (("witness", "blocks"), []),
        (("witness", "blocks"), [[0]]),
        (("witness", "blocks"), [[0, 1, 1]]),
        (("witness", "blocks"), [[0], [1], []]),
        (("witness", "blocks"), [[0], [1], [1]]),
        (("witness", "blocks"), [[0], [2]]),
        (("witness", "blocks"), [[0], [-1]]),
        (("witness", "blocks"), [[0], ["1"]]),
        (("witness", "blocks"), [[False], [True]]),
        (("witness", "blocks"), [0, 1]),
        (("witness", "blocks"), None),
    ],
    ids=lambda x: str(x)[:40],
)
def test_malformed_testing_certificates(path, value):
    assert judge(changed(TESTING, path, value)) in (CertificateError, InputError, LimitError)


@pytest.mark.parametrize(
    ("path", "value"),
    [
        (("claim", "lower"), "13/50"),
        (("claim", "upper"), "6/25"),
        (("claim", "upper"), "-1"),
        (("claim", "p0"), ["4/5", "1/5"]),
        (("claim", "divergence"), "chi2"),
        (("claim", "level"), {"exp_epsilon": "4"}),
        (("claim", "level"), {"exp_epsilon": "2"}),
        (("claim", "level"), {"nats": "1"}),
        (("claim", "level"), {"nats": "2"}),
        (("claim", "outputs"), 1),
        (("witness", "exp_epsilon"), ["4", "4"]),
        (("witness", "exp_epsilon"), ["3", "2"]),
        (("witness", "exp_epsilon"), ["1/2", "3"]),
        (("witness", "exp_epsilon"), ["2", "3"]),
        (("witness", "multipliers", 0), "1/3"),
        (("witness", "multipliers", 0), "3/4"),
        (("witness", "multipliers"), ["1/8", "1/8"]),
        (("witness", "output_multiplier"), "1/100"),
        (("witness", "output_multiplier"), "-1/100"),
        (("witness", "blocks"), [[0, 1]]),
    ],
    ids=lambda x: str(x)[:40],
)
def test_false_or_unproved_testing_claims_are_rejected(path, value):
    assert judge(changed(TESTING, path, value)) is Status.REJECTED


def test_weaker_claims_and_other_orders_stay_accepted():
    for path, value in [
        (("claim", "lower"), "0"),
        (("claim", "lower"), "-5"),
        (("claim", "upper"), "100"),
        (("claim", "outputs"), 2),
        (("witness", "blocks"), [[0], [1]]),
        (("witness", "separators"), ["5", "-1", "1/2", "1/2"]),
        (("witness", "bits"), 4096),
        (("provenance",), {"anything": ["x", {"y": None}], "verdict": "REJECTED"}),
    ]:
        assert judge(changed(TESTING, path, value)) is Status.ACCEPTED, path


def test_a_multiplier_of_a_symbol_without_mass_proves_nothing():
    claim = TESTING["claim"] | {"p0": ["3/4", "1/4", "0"], "p1": ["1/4", "3/4", "0"]}
    witness = TESTING["witness"] | {"blocks": [[1], [0, 2]], "multipliers": ["3/8", "-1/8", "0"]}
    three = TESTING | {"claim": claim, "witness": witness}
    assert judge(three) is Status.ACCEPTED
    for value in ("1/10", "-1/10"):
        assert judge(changed(three, ("witness", "multipliers", 2), value)) is Status.REJECTED


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
