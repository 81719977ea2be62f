"""Every structure that can be built for an alphabet within a number of outputs, by its parameters.

A symmetric (V, K, L) design, K <= V/2, gives itself, its complement, its derived and its residual
design; each is truncated to the alphabet. Complete designs come beside them, and the designs of a
catalog when one is given. Nothing is built before it is asked for.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from enum import Enum
from functools import lru_cache
from importlib import import_module
from math import comb

import numpy as np

from combinatorics.balanced_design import block_design
from combinatorics.construction import Construction
from combinatorics.difference_sets import complement_difference_set, family_members
from combinatorics.operations import complement, derived_design, residual_design
from combinatorics.symmetric.registry import symmetric_design, symmetric_design_plans
from solvers.estimation.constructors import randomized_response, structure_of
from solvers.estimation.structure import Structure
from solvers.estimation.subsets import SubsetStructure
from solvers.estimation.translates import Part, TranslateStructure
from verify.kernel.errors import InputError
from verify.kernel.incidence import CyclicProduct

__all__ = [
    "MAX_POINTS",
    "Candidate",
    "Kind",
    "catalog_candidates",
    "complete_candidates",
    "symmetric_candidates",
]

MAX_POINTS = 8192
"""Largest symmetric design that is looked for."""


class Kind(Enum):
    """How a structure comes from its source."""

    SYMMETRIC = "symmetric"
    COMPLEMENT = "complement"
    DERIVED = "derived"
    RESIDUAL = "residual"
    COMPLETE = "complete"
    CATALOG = "catalog"


_PARTS = {Kind.DERIVED: Part.DERIVED, Kind.RESIDUAL: Part.RESIDUAL}
_PREFIXES = {
    Kind.COMPLEMENT: "complement of ",
    Kind.DERIVED: "derived from ",
    Kind.RESIDUAL: "residual of ",
}


@dataclass(frozen=True, slots=True)
class Candidate:
    """A structure that can be built.

    Args:
        kind: how it comes from its source.
        source: parameters (v, k, lambda) of the source.
        construction: how the source is built.
        points: the number of points; the symbols are the first of them.
        b: blocks.
        r: blocks on a point.
        k: points on a block.
        lambda_: blocks on two points.
    """

    kind: Kind
    source: tuple[int, int, int]
    construction: Construction
    points: int
    b: int
    r: int
    k: int
    lambda_: int

    @property
    def name(self) -> str:
        """The construction of the structure, in words."""
        return _PREFIXES.get(self.kind, "") + self.construction.name

    def build(self, v: int) -> Structure:
        """The structure on the first v of its points."""
        if self.kind is Kind.COMPLETE:
            return SubsetStructure(v, self.k) if self.k > 1 else randomized_response(v, 1).structure
        if self.kind is Kind.CATALOG:
            return structure_of(block_design(*self.source), v)
        return self._by_translates(v) or self._by_blocks(v)

    def _by_translates(self, v: int) -> Structure | None:
        size, k, _ = self.source
        member = next(family_members(*self.source), None) if 2 <= k <= size - 2 else None
        if member is None:
            return None
        base = member.build()
        if not isinstance(base.group, CyclicProduct):
            return None
        if self.kind is Kind.COMPLEMENT:
            base = complement_difference_set(base)
        return TranslateStructure(self.name, base, v, _PARTS.get(self.kind, Part.TRUNCATED))

    def _by_blocks(self, v: int) -> Structure:
        design = symmetric_design(*self.source).design
        changes = {
            Kind.COMPLEMENT: complement,
            Kind.DERIVED: derived_design,
            Kind.RESIDUAL: residual_design,
        }
        change = changes.get(self.kind)
        renamed = Construction(self.name, self.construction.reference)
        return structure_of(design if change is None else change(design), v, renamed)


@lru_cache(maxsize=2 * MAX_POINTS)
def _sources(v: int) -> tuple[tuple[int, int, Construction], ...]:
    """The (k, lambda) of the symmetric designs on v points that can be built, 2 <= k <= v/2."""
    sizes = np.arange(2, v // 2 + 1, dtype=np.int64)
    found = []
    for k in sizes[sizes * (sizes - 1) % (v - 1) == 0].tolist():
        lambda_ = k * (k - 1) // (v - 1)
        member = next(family_members(v, k, lambda_), None) if k <= v - 2 else None
        plan = member or next(symmetric_design_plans(v, k, lambda_), None)
        if plan is not None:
            found.append((k, lambda_, plan.construction))
    return tuple(found)


@lru_cache(maxsize=8)
def symmetric_candidates(max_outputs: int) -> tuple[Candidate, ...]:
    """The structures from symmetric designs with at most this many outputs, of any size."""
    bound = min(max_outputs + 1, MAX_POINTS)
    return tuple(
        candidate
        for v in range(3, bound + 1)
        for k, lambda_, construction in _sources(v)
        for candidate in _offspring(v, k, lambda_, construction)
        if candidate.b <= max_outputs
    )


def _offspring(v: int, k: int, lambda_: int, construction: Construction) -> Iterator[Candidate]:
    n, source = k - lambda_, (v, k, lambda_)
    other = v - 2 * k + lambda_
    yield Candidate(Kind.SYMMETRIC, source, construction, v, v, k, k, lambda_)
    yield Candidate(Kind.COMPLEMENT, source, construction, v, v, v - k, v - k, other)
    if lambda_ >= 2:
        yield Candidate(Kind.DERIVED, source, construction, k, v - 1, k - 1, lambda_, lambda_ - 1)
    if n >= 2:
        yield Candidate(Kind.RESIDUAL, source, construction, v - k, v - 1, k, n, lambda_)


def complete_candidates(alphabet_size: int, max_outputs: int) -> Iterator[Candidate]:
    """The complete designs on the alphabet with at most this many blocks."""
    v = alphabet_size
    for k in range(1, v):
        b = comb(v, k)
        if b > max_outputs:
            if 2 * k < v:
                continue
            break
        lambda_ = comb(v - 2, k - 2) if k > 1 else 0
        name = f"subset selection, k = {k}" if k > 1 else "randomized response"
        source = "Ye and Barg 2018" if k > 1 else "Warner 1965"
        construction = Construction(name, source)
        triple = (v, k, lambda_)
        yield Candidate(Kind.COMPLETE, triple, construction, v, b, comb(v - 1, k - 1), k, lambda_)


def catalog_candidates(path: str, max_outputs: int) -> Iterator[Candidate]:
    """The designs of a catalog with at most this many blocks.

    Raises:
        InputError: if there is no catalog at the place, or none can be read here.
    """
    try:
        read_constructed = import_module("combinatorics.catalog").read_constructed
    except (ImportError, AttributeError):
        raise InputError(f"{path}: no catalogs are read here; leave the catalog out") from None
    designs = read_constructed(path)
    if designs is None:
        raise InputError(f"{path}: is no catalog; build one first, or leave it out")
    for v, b, r, k, lambda_, name in designs:
        if b <= max_outputs and 0 <= lambda_ < r < b:
            construction = Construction(str(name), "design catalog")
            yield Candidate(Kind.CATALOG, (v, k, lambda_), construction, v, b, r, k, lambda_)
