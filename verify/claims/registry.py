"""All claims, by topic; a claim is found by its id, its topic or a pattern."""

from collections.abc import Iterable
from fnmatch import fnmatchcase
from functools import cache
from importlib import import_module

from verify.claims.claim import Claim
from verify.kernel.errors import InputError
from verify.kernel.exact import excerpt

__all__ = ["TOPICS", "all_claims", "claim", "select_claims"]

TOPICS = ("testing", "estimation", "thresholding", "leakage", "combinatorics")
"""The topics in the order of the papers."""


@cache
def _by_id() -> dict[str, Claim]:
    found: dict[str, Claim] = {}
    for topic in TOPICS:
        for each in import_module(f"verify.claims.{topic}").CLAIMS:
            if each.id in found or each.topic != topic:
                raise ValueError(f"claim {each.id}: its id is taken or names another topic")
            found[each.id] = each
    return found


def all_claims() -> tuple[Claim, ...]:
    """Every claim."""
    return tuple(_by_id().values())


def claim(name: str) -> Claim:
    """The claim with this id.

    Raises:
        InputError: if there is none.
    """
    found = _by_id().get(name)
    if found is None:
        raise InputError(f"claim {excerpt(name)}: there is none; see exactdp verify --list")
    return found


def select_claims(names: Iterable[str]) -> tuple[Claim, ...]:
    """The claims with these ids, topics or patterns such as ``testing.*``, each once; all for none.

    Raises:
        InputError: for a name that fits no claim.
    """
    chosen: dict[str, Claim] = {}
    for name in names:
        fitting = [c for c in all_claims() if c.topic == name or fnmatchcase(c.id, name)]
        if not fitting:
            raise InputError(f"claim {excerpt(name)}: there is none; see exactdp verify --list")
        chosen.update((c.id, c) for c in fitting)
    return tuple(chosen.values()) or all_claims()
