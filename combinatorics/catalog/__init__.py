"""The catalog of designs, difference sets and Hadamard matrices: one SQLite file, built once.

The names below are loaded when they are first used.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from combinatorics.catalog.build import BuildReport, build_catalog
    from combinatorics.catalog.entry import Entry, Kind, Status
    from combinatorics.catalog.failure import CatalogError
    from combinatorics.catalog.location import default_path
    from combinatorics.catalog.retrieval import read_design
    from combinatorics.catalog.selection import Selection
    from combinatorics.catalog.store import Catalog, read_constructed

__all__ = [
    "BuildReport",
    "Catalog",
    "CatalogError",
    "Entry",
    "Kind",
    "Selection",
    "Status",
    "build_catalog",
    "default_path",
    "read_constructed",
    "read_design",
]

_HOMES = {
    "BuildReport": "build",
    "Catalog": "store",
    "CatalogError": "failure",
    "Entry": "entry",
    "Kind": "entry",
    "Selection": "selection",
    "Status": "entry",
    "build_catalog": "build",
    "default_path": "location",
    "read_constructed": "store",
    "read_design": "retrieval",
}


def __getattr__(name: str) -> object:
    """The public name, loaded from its module."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(f"combinatorics.catalog.{home}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
