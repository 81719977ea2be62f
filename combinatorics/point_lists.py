"""Designs from lists of points."""

from collections.abc import Iterable, Sequence

from verify.kernel.errors import require_limit
from verify.kernel.incidence import (
    MAX_CELLS,
    MAX_POINTS,
    BlockDesign,
    bitset,
    require_integer,
    require_subset,
)

__all__ = ["design_from_points"]


def design_from_points(v: int, blocks: Sequence[Iterable[object]]) -> BlockDesign:
    """The design on points 0 to v-1 whose blocks are lists of different points.

    Raises:
        InputError: for v < 1, or a block with a point that is out of range or repeated.
        LimitError: for more than ``MAX_CELLS`` incidence cells.

    >>> design_from_points(3, [[0, 1], [0, 2], [1, 2]]).blocks
    (3, 5, 6)
    """
    require_limit(require_integer(v, 1, MAX_POINTS, "v") * len(blocks), MAX_CELLS, "cells")
    subsets = (require_subset(x, v, f"block {i}: point") for i, x in enumerate(blocks))
    return BlockDesign(v, tuple(bitset(subset, v) for subset in subsets))
