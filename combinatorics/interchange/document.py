"""What a file of designs can hold: blocks, base blocks under a group, or a sign matrix."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from math import comb

from combinatorics.incidence_matrix import development
from combinatorics.operations import design_sum
from combinatorics.point_lists import design_from_points
from verify.kernel.errors import InputError, require_limit
from verify.kernel.incidence import (
    MAX_CELLS,
    BlockDesign,
    CayleyTable,
    CyclicProduct,
    DifferenceSet,
    HadamardMatrix,
)

__all__ = ["Content", "DesignDocument", "DevelopedDesign", "require_counting", "with_stated"]


@dataclass(frozen=True, slots=True)
class DevelopedDesign:
    """The design whose blocks are all translates of base blocks by the elements of a group.

    Args:
        group: the group; its elements are the points.
        base_blocks: lists of different elements.

    Raises:
        InputError: for no base block, or a point out of range or repeated.
        LimitError: for more than the limit of incidence cells, unless the only base block is large
            enough for a difference set.
    """

    group: CyclicProduct | CayleyTable
    base_blocks: tuple[tuple[int, ...], ...]

    def __post_init__(self) -> None:
        """Refuse blocks that are not sets of points."""
        if not self.base_blocks:
            raise InputError("base_blocks: at least one base block is needed")
        v, k = self.group.order, len(self.base_blocks[0])
        if len(self.base_blocks) > 1 or k * (k - 1) < v - 1:
            self._require_developable()  # else it may be a difference set, checked undeveloped
        design_from_points(v, self.base_blocks)

    def _require_developable(self) -> None:
        cells = len(self.base_blocks) * self.group.order**2
        require_limit(cells, MAX_CELLS, "points times developed blocks")

    @property
    def difference_set(self) -> DifferenceSet | None:
        """The base block as a subset of the group, when there is only one."""
        if len(self.base_blocks) != 1:
            return None
        return DifferenceSet(self.group, self.base_blocks[0])

    def design(self) -> BlockDesign:
        """All translates, base block after base block.

        Raises:
            LimitError: for more than the limit of incidence cells.
        """
        self._require_developable()
        sets = (DifferenceSet(self.group, block) for block in self.base_blocks)
        return design_sum(*(development(each) for each in sets))


Content = BlockDesign | DevelopedDesign | HadamardMatrix


@dataclass(frozen=True, slots=True)
class DesignDocument:
    """The content of a file and the parameters that it states about it.

    Args:
        content: blocks, base blocks under a group, or a sign matrix.
        stated: those of t, k and lambda that the file names.
    """

    content: Content
    stated: Mapping[str, int] = field(default_factory=dict)


def require_counting(v: int, b: int, k: int, lambda_: int, t: int = 2) -> None:
    """Refuses parameters for which b C(k, t) = lambda C(v, t) does not hold.

    Raises:
        InputError: with both sides of the equation.
    """
    if not 1 <= t <= k <= v:
        raise InputError(f"t = {t}, k = {k}, v = {v}: give 1 <= t <= k <= v")
    left, right = b * comb(k, t), lambda_ * comb(v, t)
    if left != right:
        raise InputError(
            f"the parameters fail counting: {b} blocks of {k} points hold {left} sets of {t} "
            f"points, but lambda = {lambda_} needs {right}"
        )


def with_stated(document: DesignDocument, claimed: Mapping[str, int]) -> DesignDocument:
    """The document with further parameters claimed about it, those of t, k and lambda.

    Raises:
        InputError: if they contradict what the file states, fail counting, or the content is a
            Hadamard matrix, which has none of them.
    """
    if claimed and isinstance(document.content, HadamardMatrix):
        raise InputError(f"a Hadamard matrix has no {min(claimed)}: leave the option out")
    for key, value in claimed.items():
        if document.stated.get(key, value) != value:
            raise InputError(f"{key} = {value} is claimed, but the file states another value")
    stated = {**document.stated, **claimed}
    content = document.content
    if {"k", "lambda"} <= stated.keys() and not isinstance(content, HadamardMatrix):
        if isinstance(content, DevelopedDesign):
            v, b = content.group.order, content.group.order * len(content.base_blocks)
        else:
            v, b = content.v, len(content.blocks)
        require_counting(v, b, stated["k"], stated["lambda"], stated.get("t", 2))
    return DesignDocument(content, stated)
