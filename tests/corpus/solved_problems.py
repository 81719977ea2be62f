"""Solved problems of private testing as certificates, and how to change one place of them."""

import copy
import json
from fractions import Fraction

from solvers.testing import solve_testing
from verify.canonical_form import encode

TILTED = ("1/10", "1/5", "1/20", "3/20", "1/2"), ("3/10", "1/10", "1/4", "1/4", "1/10")
SPARSE = ("0", "1/4", "1/4", "1/2", "0"), ("1/3", "0", "1/3", "1/3", "0")
TIED = ("1/6", "1/3", "1/4", "1/4"), ("1/12", "1/6", "3/8", "3/8")
EXTREME = ("1/10000000000", "9999999999/10000000000"), ("1/2", "1/2")


def solved(laws, epsilon, divergence, outputs=None):
    """The content of an accepted certificate."""
    return json.loads(encode(solve_testing(*laws, epsilon, divergence, outputs).certificate))


def put(content, path, value):
    """A copy with one place set; removed for the value ``...``."""
    content = copy.deepcopy(content)
    *parents, last = path.split(".")
    place = content
    for step in parents:
        place = place[int(step) if isinstance(place, list) else step]
    last = int(last) if isinstance(place, list) else last
    if value is ...:
        del place[last]
    else:
        place[last] = value
    return content


def shifted(text, step):
    """The number in text plus a step."""
    return str(Fraction(text) + Fraction(step))
