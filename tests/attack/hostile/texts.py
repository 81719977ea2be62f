"""Files that are hardly certificates."""

from tests.attack.hostile.channels import channel
from tests.attack.hostile.registry import (
    certificate,
    hostile,
)


@hostile
def nested_lists(size):
    return b"[" * size


@hostile
def nested_claim(size):
    head = certificate("channel", {}, {}).replace(b'"claim": {}', b'"claim": ')
    return head.replace(b'"claim": ', b'"claim": ' + b'{"a":' * (size // 5))


@hostile
def many_keys(size):
    return certificate("channel", {f"k{x}": "1" for x in range(size // 14)}, {})


@hostile
def long_integer(size):
    return b'{"format": ' + b"9" * size + b"}"


@hostile
def empty_rows(size):
    return channel([[]] * (size // 4))


@hostile
def long_number(size):
    return channel([["9" * size]])


@hostile
def hardly_json(size):
    return b'{"format": "' + b"\\u0000" * (size // 6) + b'"}'
