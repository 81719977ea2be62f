"""The public names of the package: all there, loaded late, and never hidden by a module."""

import subprocess
import sys

import pytest

import combinatorics
from combinatorics.operations import residual_design


def output(code):
    command = [sys.executable, "-c", code]
    return subprocess.run(command, capture_output=True, text=True, check=True).stdout.split()


def test_every_public_name_is_there():
    for name in combinatorics.__all__:
        assert callable(getattr(combinatorics, name)), name
    assert dir(combinatorics) == sorted(combinatorics.__all__)


def test_names_that_modules_bear_stay_functions():
    from combinatorics.design_existence import existence
    from combinatorics.difference_sets import registry

    assert combinatorics.difference_set(7, 3, 1) == registry.difference_set(7, 3, 1)
    assert combinatorics.existence is existence
    assert combinatorics.residual_design is residual_design


def test_an_unknown_name_is_an_attribute_error():
    with pytest.raises(AttributeError, match="no attribute 'tiling'"):
        _ = combinatorics.tiling


def test_importing_loads_nothing_heavy():
    code = "import sys, combinatorics; print('numpy' in sys.modules, 'flint' in sys.modules)"
    assert output(code) == ["False", "False"]


@pytest.mark.parametrize("first", ["difference_sets.registry", "symmetric.registry", "hadamard"])
def test_import_order_does_not_matter(first):
    code = (
        f"import combinatorics.{first}, combinatorics; "
        "print(len(combinatorics.difference_set(7, 3, 1).elements), "
        "combinatorics.existence(7, 3, 1).construction.name)"
    )
    assert output(code)[0] == "3"
