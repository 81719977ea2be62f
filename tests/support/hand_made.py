"""Certificates made by hand, copies with one place changed, and what becomes of them."""

import copy
import json

from verify.kernel.certificate import check_certificate, decode
from verify.kernel.errors import InputError

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
