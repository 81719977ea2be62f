"""The rows that no formula gives: read once from the package data, each file with its source."""

import json
from functools import cache
from importlib.resources import files

__all__ = ["stored_rows"]


@cache
def stored_rows(name: str) -> dict[tuple[int, ...], tuple[str, ...]]:
    """The rows of one data file by their key: a length, or the moduli of a group."""
    text = (files("combinatorics.hadamard") / "data" / f"{name}.json").read_text("utf-8")
    rows = json.loads(text)["rows"]
    return {tuple(map(int, key.split("x"))): tuple(value) for key, value in rows.items()}
