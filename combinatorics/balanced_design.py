"""2-(v, k, lambda) designs of any kind, made from symmetric ones.

A design comes from a symmetric design, as its residual or derived design, as all pairs of points,
as the complement of one of these, or as several copies of one with a smaller lambda.
Letters: r blocks on a point, b blocks.
"""

from collections.abc import Iterator
from functools import partial
from itertools import combinations

from combinatorics.construction import Construction
from combinatorics.obstruction import counting, design_obstruction, is_symmetric, spelled
from combinatorics.operations import complement, derived_design, design_sum, residual_design
from combinatorics.symmetric.registry import (
    ConstructedDesign,
    DesignPlan,
    require_buildable,
    require_parameters,
    symmetric_design_plans,
)
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign

__all__ = ["block_design", "block_design_plans"]

_MAX_COPIES = 1000
"""Most copies of a design that are laid together."""


def block_design_plans(v: int, k: int, lambda_: int) -> Iterator[DesignPlan]:
    """The constructions of a 2-(v, k, lambda) design that apply; no plan builds anything yet."""
    yield from _simple_plans(v, k, lambda_)
    for copies in range(2, min(lambda_, _MAX_COPIES) + 1):
        if lambda_ % copies:
            continue
        for plan in _simple_plans(v, k, lambda_ // copies):
            construction = _renamed(f"{copies} copies of", plan)
            yield DesignPlan(construction, partial(_copied, plan, copies, construction))


def _simple_plans(v: int, k: int, lambda_: int) -> Iterator[DesignPlan]:
    if counting(v, k, lambda_) is not None:
        return
    if is_symmetric(v, k, lambda_):
        yield from symmetric_design_plans(v, k, lambda_)
        return
    r = lambda_ * (v - 1) // (k - 1)
    yield from _open_plans(v, k, lambda_)
    for plan in _open_plans(v, v - k, v * r // k - 2 * r + lambda_):
        construction = _renamed("complement of", plan)
        yield DesignPlan(construction, partial(_complemented, plan, lambda_, construction))


def _open_plans(v: int, k: int, lambda_: int) -> Iterator[DesignPlan]:
    """Plans without taking the complement at the end."""
    if k < 2 or lambda_ < 1:
        return
    if (k, lambda_) == (2, 1):
        construction = Construction("all pairs of points", "trivial")
        yield DesignPlan(construction, partial(_all_pairs, v, construction))
    r = lambda_ * (v - 1) // (k - 1)
    if r == k + lambda_:
        for plan in symmetric_design_plans(v + r, r, lambda_):
            construction = _renamed("residual of", plan)
            yield DesignPlan(construction, partial(_residual, plan, construction))
    if lambda_ == k - 1 and v * (v - 1) % k == 0:
        for plan in symmetric_design_plans(1 + v * (v - 1) // k, v, k):
            construction = _renamed("derived from", plan)
            yield DesignPlan(construction, partial(_derived, plan, construction))


def _renamed(what: str, plan: DesignPlan) -> Construction:
    return Construction(f"{what} {plan.construction.name}", plan.construction.reference)


def _all_pairs(v: int, construction: Construction) -> ConstructedDesign:
    pairs = tuple(1 << x | 1 << y for x, y in combinations(range(v), 2))
    return ConstructedDesign(BlockDesign(v, pairs), 2, 1, construction)


def _residual(plan: DesignPlan, construction: Construction) -> ConstructedDesign:
    built = plan.build()
    design = residual_design(built.design)
    return ConstructedDesign(design, built.k - built.lambda_, built.lambda_, construction)


def _derived(plan: DesignPlan, construction: Construction) -> ConstructedDesign:
    built = plan.build()
    design = derived_design(built.design)
    return ConstructedDesign(design, built.lambda_, built.lambda_ - 1, construction)


def _complemented(plan: DesignPlan, lambda_: int, construction: Construction) -> ConstructedDesign:
    built = plan.build()
    return ConstructedDesign(complement(built.design), built.v - built.k, lambda_, construction)


def _copied(plan: DesignPlan, copies: int, construction: Construction) -> ConstructedDesign:
    built = plan.build()
    design = design_sum(*[built.design] * copies)
    return ConstructedDesign(design, built.k, copies * built.lambda_, construction)


def block_design(v: int, k: int, lambda_: int) -> ConstructedDesign:
    """A 2-(v, k, lambda) design by the first construction that applies.

    Args:
        v: number of points.
        k: points on a block, 2 <= k < v.
        lambda_: blocks on two points, at least 1.

    Returns:
        The design with its construction; whether it is one is for the kernel to check.

    Raises:
        InputError: if the parameters break a theorem, or no construction here applies.
        LimitError: if the incidence matrix is over the limit; names its size.

    >>> block_design(9, 3, 1)
    <2-(9, 3, 1) design with 12 blocks: residual of Singer, q = 3, d = 2>
    """
    require_parameters(v, k, lambda_)
    where = f"({spelled(v)}, {spelled(k)}, {spelled(lambda_)})"
    broken = design_obstruction(v, k, lambda_)
    if broken is not None:
        raise InputError(f"{where} does not exist: {broken.theorem}: {broken.reason}")
    plan = next(block_design_plans(v, k, lambda_), None)
    if plan is None:
        raise InputError(
            f"{where}: no construction is known here, which does not mean that none exists"
        )
    r = lambda_ * (v - 1) // (k - 1)
    require_buildable(v, v * r // k)
    return plan.build()
