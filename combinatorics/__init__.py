"""Constructs block designs, difference sets and Hadamard matrices; knows nothing of privacy.

The names below are loaded when they are first used, so that importing the package costs nothing.
"""

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from combinatorics.balanced_design import block_design
    from combinatorics.construction import Construction, Exists, Impossible, Unknown
    from combinatorics.design_existence import existence
    from combinatorics.difference_sets.registry import difference_set
    from combinatorics.hadamard import hadamard_matrix
    from combinatorics.operations import complement, derived_design, dual, residual_design
    from combinatorics.symmetric.registry import symmetric_design

__all__ = [
    "Construction",
    "Exists",
    "Impossible",
    "Unknown",
    "block_design",
    "complement",
    "derived_design",
    "difference_set",
    "dual",
    "existence",
    "hadamard_matrix",
    "residual_design",
    "symmetric_design",
]

_HOMES = {
    "Construction": "combinatorics.construction",
    "Exists": "combinatorics.construction",
    "Impossible": "combinatorics.construction",
    "Unknown": "combinatorics.construction",
    "block_design": "combinatorics.balanced_design",
    "complement": "combinatorics.operations",
    "derived_design": "combinatorics.operations",
    "difference_set": "combinatorics.difference_sets.registry",
    "dual": "combinatorics.operations",
    "existence": "combinatorics.design_existence",
    "hadamard_matrix": "combinatorics.hadamard",
    "residual_design": "combinatorics.operations",
    "symmetric_design": "combinatorics.symmetric.registry",
}


def __getattr__(name: str) -> object:
    """The public name, loaded from its module."""
    home = _HOMES.get(name)
    if home is None:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    value: object = getattr(import_module(home), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    """The public names."""
    return sorted(__all__)
