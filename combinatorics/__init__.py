"""Constructs block designs, difference sets and Hadamard matrices; knows nothing of privacy.

The names below are loaded when they are first used, so that importing the package costs nothing.
"""

import sys
from importlib import import_module
from importlib.util import LazyLoader, find_spec, module_from_spec
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from combinatorics.balanced_design import block_design
    from combinatorics.construction import Construction, Exists, Impossible, Unknown
    from combinatorics.design_existence import existence
    from combinatorics.hadamard import hadamard_matrix
    from combinatorics.operations import complement, derived_design, dual, residual_design
    from combinatorics.symmetric.registry import symmetric_design
    from verify.kernel.incidence import DifferenceSet

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
    "dual": "combinatorics.operations",
    "existence": "combinatorics.design_existence",
    "hadamard_matrix": "combinatorics.hadamard",
    "residual_design": "combinatorics.operations",
    "symmetric_design": "combinatorics.symmetric.registry",
}


def _register_late(name: str) -> None:
    """Enters a module among the loaded ones; its code runs when it is first used."""
    spec = find_spec(name)
    if spec is None or spec.loader is None:
        raise ModuleNotFoundError(f"no module named {name!r}", name=name)
    spec.loader = LazyLoader(spec.loader)
    module = module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


# Importing the folder of that name would put it in the place of the function below. Entered here,
# it never is: only a first import binds a module to a name of its package.
_register_late("combinatorics.difference_set")


def difference_set(v: int, k: int, lambda_: int) -> "DifferenceSet":
    """A (v, k, lambda) difference set; see ``combinatorics.difference_set.registry``.

    Raises:
        InputError: for parameters that fail k(k-1) = lambda(v-1), or that no family has.
        LimitError: for a set too large to be checked.

    >>> difference_set(7, 3, 1).elements
    (1, 2, 4)
    """
    from combinatorics.difference_set.registry import difference_set as build  # noqa: PLC0415

    return build(v, k, lambda_)


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
