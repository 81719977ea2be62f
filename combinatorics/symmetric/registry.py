"""Symmetric designs by their parameters: which constructions apply, and the design itself.

Every triple is looked up as it is and as its complement (v, v - k, v - 2k + lambda); difference
sets come first, as their translates cost next to nothing.
"""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import partial
from html import escape
from math import isqrt

from combinatorics.construction import Construction
from combinatorics.difference_sets.family import DifferenceSetFamily, complement_difference_set
from combinatorics.difference_sets.registry import FAMILIES as DIFFERENCE_SET_FAMILIES
from combinatorics.incidence_matrix import development
from combinatorics.obstruction import design_obstruction, is_symmetric, spelled
from combinatorics.operations import complement
from combinatorics.symmetric.family import FAMILIES, SymmetricFamily
from verify.kernel.errors import InputError, LimitError
from verify.kernel.exact import excerpt
from verify.kernel.incidence import MAX_CELLS, BlockDesign, DifferenceSet

__all__ = [
    "MAX_PARAMETER_BITS",
    "ConstructedDesign",
    "DesignPlan",
    "require_buildable",
    "require_parameters",
    "symmetric_design",
    "symmetric_design_plans",
]

MAX_PARAMETER_BITS = 1000
"""Longest parameters, in bits, whose existence is decided."""


@dataclass(frozen=True, slots=True)
class ConstructedDesign:
    """A 2-(v, k, lambda) design and what it was built by.

    Args:
        design: points and blocks.
        k: points on a block.
        lambda_: blocks on two points.
        construction: name and source; carried for readers, never believed by a check.
        difference_set: the set whose translates are the blocks, when there is one.
    """

    design: BlockDesign
    k: int
    lambda_: int
    construction: Construction
    difference_set: DifferenceSet | None = None

    @property
    def v(self) -> int:
        """The number of points."""
        return self.design.v

    @property
    def b(self) -> int:
        """The number of blocks."""
        return len(self.design.blocks)

    @property
    def r(self) -> int:
        """The number of blocks on a point."""
        return self.b * self.k // self.v

    def _repr_html_(self) -> str:
        """The parameters and the construction as a table."""
        names = ("v", "b", "r", "k", "lambda", "construction", "source")
        values = (self.v, self.b, self.r, self.k, self.lambda_)
        texts = (*map(str, values), self.construction.name, self.construction.reference)
        cells = zip(names, map(escape, texts), strict=True)
        rows = "".join(f"<tr><th>{name}</th><td>{text}</td></tr>" for name, text in cells)
        return f"<table>{rows}</table>"

    def __repr__(self) -> str:
        """Parameters, number of blocks and construction, in one line."""
        return (
            f"<2-({self.v}, {self.k}, {self.lambda_}) design with {self.b} blocks: "
            f"{self.construction.name}>"
        )


@dataclass(frozen=True, slots=True)
class DesignPlan:
    """A construction that applies, not yet carried out.

    Args:
        construction: its name and source.
        build: carries it out.
    """

    construction: Construction
    build: Callable[[], ConstructedDesign]


def require_buildable(v: int, b: int) -> None:
    """Refuses an incidence matrix over the bound of cells before any work is done.

    Raises:
        LimitError: naming the size that the matrix would take.
    """
    if v * b > MAX_CELLS:
        raise LimitError(
            f"an incidence matrix of {spelled(v)} points and {spelled(b)} blocks takes "
            f"{spelled(v * b)} bytes while it is built, over the limit of {MAX_CELLS}; symmetric "
            f"designs are built up to v = {isqrt(MAX_CELLS)}"
        )


def symmetric_design_plans(v: int, k: int, lambda_: int) -> Iterator[DesignPlan]:
    """The constructions of a symmetric (v, k, lambda) design that apply, cheapest first.

    No plan builds anything before it is asked to, so the parameters may be of any size.
    """
    yield from _plans(v, k, lambda_)
    for plan in _plans(v, v - k, v - 2 * k + lambda_):
        construction = Construction(
            f"complement of {plan.construction.name}", plan.construction.reference
        )
        yield DesignPlan(construction, partial(_complement_of, plan, construction))


def _plans(v: int, k: int, lambda_: int) -> Iterator[DesignPlan]:
    for sets in DIFFERENCE_SET_FAMILIES:
        for arguments in sets.arguments(v, k, lambda_):
            yield DesignPlan(
                sets.construction(arguments), partial(_developed, sets, arguments, v, k, lambda_)
            )
    for family in FAMILIES:
        for arguments in family.arguments(v, k, lambda_):
            yield DesignPlan(
                family.construction(arguments), partial(_member, family, arguments, v, k, lambda_)
            )


def _developed(
    family: DifferenceSetFamily, arguments: tuple[int, ...], v: int, k: int, lambda_: int
) -> ConstructedDesign:
    require_buildable(v, v)
    difference_set = family.build(*arguments)
    construction = family.construction(arguments)
    design = development(difference_set)
    return ConstructedDesign(design, k, lambda_, construction, difference_set)


def _member(
    family: SymmetricFamily, arguments: tuple[int, ...], v: int, k: int, lambda_: int
) -> ConstructedDesign:
    require_buildable(v, v)
    design = family.build(*arguments)
    return ConstructedDesign(design, k, lambda_, family.construction(arguments))


def _complement_of(plan: DesignPlan, construction: Construction) -> ConstructedDesign:
    other = plan.build()
    design = complement(other.design)
    k, lambda_ = other.v - other.k, other.v - 2 * other.k + other.lambda_
    inner = other.difference_set
    difference_set = complement_difference_set(inner) if inner is not None else None
    return ConstructedDesign(design, k, lambda_, construction, difference_set)


def symmetric_design(v: int, k: int, lambda_: int) -> ConstructedDesign:
    """A symmetric (v, k, lambda) design by the cheapest construction that applies.

    Args:
        v: number of points and of blocks, at most 8192.
        k: points on a block, 2 <= k < v; beyond v/2 the complement of a design is returned.
        lambda_: points common to two blocks, lambda (v - 1) = k (k - 1).

    Returns:
        The design with its construction; whether it is one is for the kernel to check.

    Raises:
        InputError: if the parameters break a theorem, or no construction here applies.
        LimitError: if v is over the limit; names the size.

    >>> symmetric_design(7, 3, 1)
    <2-(7, 3, 1) design with 7 blocks: Singer, q = 2, d = 2>
    """
    require_parameters(v, k, lambda_)
    where = f"({spelled(v)}, {spelled(k)}, {spelled(lambda_)})"
    if not is_symmetric(v, k, lambda_):
        raise InputError(f"{where} breaks lambda (v - 1) = k (k - 1): not a symmetric design")
    broken = design_obstruction(v, k, lambda_)
    if broken is not None:
        raise InputError(f"{where} does not exist: {broken.theorem}: {broken.reason}")
    plan = next(symmetric_design_plans(v, k, lambda_), None)
    if plan is None:
        raise InputError(
            f"{where}: no construction is known here, which does not mean that none exists"
        )
    return plan.build()


def require_parameters(v: int, k: int, lambda_: int) -> None:
    """Refuses parameters that no 2-design can have or that are too long to work with.

    Raises:
        InputError: unless 2 <= k < v and lambda >= 1.
        LimitError: for v or lambda over 1000 bits.
    """
    for name, value in (("v", v), ("k", k), ("lambda", lambda_)):
        if not isinstance(value, int) or isinstance(value, bool):
            raise InputError(f"{name}: {excerpt(value)} is not an integer")
    if not 2 <= k < v or lambda_ < 1:
        raise InputError(
            f"v = {spelled(v)}, k = {spelled(k)}, lambda = {spelled(lambda_)}: "
            "a design needs 2 <= k < v and lambda >= 1"
        )
    if max(v, lambda_).bit_length() > MAX_PARAMETER_BITS:
        raise LimitError(f"parameters of over {MAX_PARAMETER_BITS} bits are not decided")
