"""New designs from old: complement, dual, derived, residual, truncated designs and sums.

For a block B of a symmetric 2-(v, k, lambda) design any two blocks meet in lambda points, so

* the *derived* design, the points of B and the intersections of the other blocks with B, is a
  2-(k, lambda, lambda - 1) design;
* the *residual* design, the points off B and the rest of the other blocks, is a
  2-(v - k, k - lambda, lambda) design.

For a block of a design that is not symmetric neither is a design in general, so it is refused.
For a t-design the point-derived and point-residual structures are (t-1)-designs.
"""

from collections.abc import Iterable

from combinatorics.point_lists import design_from_points
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign, require_integer, transpose

__all__ = [
    "block_points",
    "complement",
    "derived_design",
    "design_sum",
    "dual",
    "point_derived_design",
    "point_residual_design",
    "residual_design",
    "truncated_design",
]


def block_points(block: int) -> list[int]:
    """The points of a block given as a bitset, ascending.

    >>> block_points(0b1011)
    [0, 1, 3]
    """
    return [place for place, bit in enumerate(reversed(f"{block:b}")) if bit == "1"]


def complement(design: BlockDesign) -> BlockDesign:
    """The design whose blocks are the complements of the blocks.

    A 2-(v, k, lambda) design with b blocks and r on a point becomes a
    2-(v, v - k, b - 2r + lambda) design.
    """
    everything = (1 << design.v) - 1
    return BlockDesign(design.v, tuple(everything ^ block for block in design.blocks))


def dual(design: BlockDesign) -> BlockDesign:
    """The design with points and blocks exchanged; of a symmetric design a symmetric design.

    Raises:
        InputError: for a design without blocks.
    """
    if not design.blocks:
        raise InputError("a design without blocks has no dual: it would have no points")
    return BlockDesign(len(design.blocks), transpose(design.blocks, design.v))


def derived_design(design: BlockDesign, block: int = 0) -> BlockDesign:
    """The points of one block of a symmetric design and the other blocks' intersections with it.

    Args:
        design: a symmetric 2-(v, k, lambda) design with lambda >= 2.
        block: which block; the points of the result keep their order.

    Returns:
        A 2-(k, lambda, lambda - 1) design with v - 1 blocks.

    Raises:
        InputError: if the design is not symmetric at this block, or lambda < 2.
    """
    chosen, meeting = _require_symmetric(design, block)
    if meeting < 2:
        raise InputError(f"blocks meet in {meeting} points: a derived design needs lambda >= 2")
    return _restricted(_without(design, block), chosen)


def residual_design(design: BlockDesign, block: int = 0) -> BlockDesign:
    """The points off one block of a symmetric design and the other blocks without its points.

    Args:
        design: a symmetric 2-(v, k, lambda) design with k - lambda >= 2.
        block: which block; the points of the result keep their order.

    Returns:
        A 2-(v - k, k - lambda, lambda) design with v - 1 blocks.

    Raises:
        InputError: if the design is not symmetric at this block, or k - lambda < 2.
    """
    chosen, meeting = _require_symmetric(design, block)
    if chosen.bit_count() - meeting < 2:
        raise InputError(
            f"blocks of {chosen.bit_count()} points meet in {meeting}: "
            "a residual design needs k - lambda >= 2"
        )
    return _restricted(_without(design, block), ((1 << design.v) - 1) ^ chosen)


def _require_symmetric(design: BlockDesign, block: int) -> tuple[int, int]:
    """The chosen block and the number of points in which every other block meets it."""
    b = len(design.blocks)
    if b != design.v or b < 2:
        raise InputError(f"{b} blocks on {design.v} points: not a symmetric design")
    require_integer(block, 0, b - 1, "block")
    chosen = design.blocks[block]
    others = _without(design, block).blocks
    meeting = (chosen & others[0]).bit_count()
    for other in others:
        count = (chosen & other).bit_count()
        if count != meeting or other.bit_count() != chosen.bit_count():
            raise InputError(
                f"block {block} does not meet every block alike ({meeting} and {count} points): "
                "not a symmetric design"
            )
    return chosen, meeting


def _without(design: BlockDesign, block: int) -> BlockDesign:
    return BlockDesign(design.v, design.blocks[:block] + design.blocks[block + 1 :])


def _restricted(design: BlockDesign, kept: int) -> BlockDesign:
    """The blocks cut down to the points in ``kept``, which are renumbered in order."""
    on_point = transpose(design.blocks, design.v) if design.blocks else (0,) * design.v
    rows = tuple(on_point[point] for point in block_points(kept))
    return BlockDesign(len(rows), transpose(rows, len(design.blocks)))


def truncated_design(design: BlockDesign, deleted: Iterable[int]) -> BlockDesign:
    """The design with some points deleted from every block; blocks are kept even when empty.

    Of a 2-(v, k, lambda) design with b blocks and r on a point it is a regular pairwise balanced
    design with the same b, r and lambda.

    Raises:
        InputError: for a point out of range or repeated, or when no point is left.
    """
    removed = design_from_points(design.v, [deleted]).blocks[0]
    kept = ((1 << design.v) - 1) ^ removed
    if not kept:
        raise InputError(f"all {design.v} points are deleted: at least one must stay")
    return _restricted(design, kept)


def design_sum(*designs: BlockDesign) -> BlockDesign:
    """The design with the blocks of all: lambda, r and b add up.

    Raises:
        InputError: for no design, or designs on different numbers of points.
    """
    sizes = sorted({design.v for design in designs})
    if len(sizes) != 1:
        raise InputError(f"designs on {sizes or 'no'} points have no sum: give one size")
    return BlockDesign(sizes[0], tuple(block for design in designs for block in design.blocks))


def point_derived_design(design: BlockDesign, point: int = 0) -> BlockDesign:
    """The blocks through a point, without that point: of a t-design a (t-1)-design."""
    return _split(design, point, through=True)


def point_residual_design(design: BlockDesign, point: int = 0) -> BlockDesign:
    """The blocks that miss a point, on the other points: of a t-design a (t-1)-design."""
    return _split(design, point, through=False)


def _split(design: BlockDesign, point: int, *, through: bool) -> BlockDesign:
    require_integer(point, 0, design.v - 1, "point")
    if design.v < 2:
        raise InputError("a design on one point has no point-derived or point-residual design")
    bit = 1 << point
    blocks = tuple(block for block in design.blocks if bool(block & bit) == through)
    if not blocks:
        raise InputError(f"point {point} lies on every block or on none")
    return _restricted(BlockDesign(design.v, blocks), ((1 << design.v) - 1) ^ bit)
