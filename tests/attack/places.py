"""Where numbers, lists and objects stand in a certificate's content, and how to change one."""

import json
from fractions import Fraction

from flint import fmpq


def pieces(content, path=()):
    """(path, value) of everything in claim and witness, the two themselves included."""
    if not path:
        for part in ("claim", "witness"):
            yield (part,), content[part]
            yield from pieces(content[part], (part,))
        return
    items = ()
    if isinstance(content, dict):
        items = content.items()
    elif isinstance(content, list):
        items = enumerate(content)
    for key, value in items:
        yield (*path, key), value
        yield from pieces(value, (*path, key))


def is_rational(value):
    """Whether the value is text that spells a rational."""
    if not isinstance(value, str):
        return False
    body = value.removeprefix("-")
    return bool(body) and body.replace("/", "", 1).isdigit() and body[-1] != "/"


def is_integer(value):
    """Whether the value is a JSON integer."""
    return isinstance(value, int) and not isinstance(value, bool)


def numbers(content):
    """The paths of all rationals and integers."""
    return [path for path, value in pieces(content) if is_rational(value) or is_integer(value)]


def lists(content, least=2):
    """The paths of all lists of at least so many items."""
    return [p for p, value in pieces(content) if isinstance(value, list) and len(value) >= least]


def rational_lists(content):
    """The paths of all lists of two or more rationals."""
    return [
        path
        for path, value in pieces(content)
        if isinstance(value, list) and len(value) >= 2 and all(map(is_rational, value))
    ]


def objects(content):
    """The paths of all objects, the whole file first."""
    return [(), *(path for path, value in pieces(content) if isinstance(value, dict))]


def at(content, path):
    """What stands at the path."""
    for step in path:
        content = content[step]
    return content


def copied(content):
    """A copy that shares nothing."""
    return json.loads(json.dumps(content))


def changed(content, path, value):
    """A copy with the value at the path."""
    result = copied(content)
    at(result, path[:-1])[path[-1]] = value
    return result


def with_number(content, path, number):
    """A copy with another number at the path, written like the one that stands there."""
    old = at(content, path)
    return changed(content, path, int(number) if is_integer(old) else spelled(number))


def spelled(number):
    """The canonical spelling of a rational of any length; Python's own ends at 4300 digits."""
    return str(fmpq(*Fraction(number).as_integer_ratio()))
