"""Designs of a catalog stand beside those that are planned on the fly."""

import sys
from types import ModuleType

import pytest

from solvers.estimation import best_schemes, scheme_certificate
from verify.cli import run
from verify.kernel.certificate import check_certificate
from verify.kernel.errors import InputError

PAIRS = (12, 66, 11, 2, 1, "all pairs of points")
FANO = (7, 7, 3, 3, 1, "Singer, q = 2, d = 2")


@pytest.fixture
def catalog(monkeypatch):
    """A module in the place of the catalog, and what it is to read."""
    module = ModuleType("combinatorics.catalog")
    content = {"a.db": [PAIRS, FANO], "none.db": None, "whole.db": [(5, 1, 1, 5, 1, "one block")]}
    module.read_constructed = content.__getitem__
    monkeypatch.setitem(sys.modules, "combinatorics.catalog", module)


@pytest.mark.usefixtures("catalog")
def test_designs_of_the_catalog_are_considered():
    plain = best_schemes(12, "log(5)", max_outputs=66)
    wider = best_schemes(12, "log(5)", max_outputs=66, catalog="a.db")
    assert wider.considered >= plain.considered
    ranked = best_schemes(11, "1.4", catalog="a.db", max_outputs=66, limit=500)
    (pairs,) = [s for s in ranked if s.name == "all pairs of points"]
    assert pairs.parameters.b == 66
    assert check_certificate(scheme_certificate(pairs)).is_accepted


@pytest.mark.usefixtures("catalog")
def test_what_is_planned_anyway_is_listed_once():
    plain = best_schemes(7, "0.4", limit=500)
    assert best_schemes(7, "0.4", limit=500, catalog="a.db").schemes == plain.schemes
    assert (
        best_schemes(5, "0.4", catalog="whole.db").considered == best_schemes(5, "0.4").considered
    )


@pytest.mark.usefixtures("catalog")
def test_a_place_without_a_catalog(capsys):
    with pytest.raises(InputError, match="is no catalog"):
        best_schemes(7, 1, catalog="none.db")
    words = ["certify", "estimation", "--alphabet-size", "7", "--epsilon", "1", "--db", "none.db"]
    assert run(words) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_an_installation_without_catalogs(monkeypatch):
    monkeypatch.setitem(sys.modules, "combinatorics.catalog", None)
    with pytest.raises(InputError, match="no catalogs are read here"):
        best_schemes(7, 1, catalog="a.db")
