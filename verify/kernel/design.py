"""Whether an incidence structure is a design, from the definition, counting every pair.

A t-(v, k, lambda) design: every block has k points, every t points lie together on lambda blocks.
A difference set: every element but the identity is a quotient of lambda ordered pairs.
A Hadamard matrix: different rows are orthogonal.
"""

from functools import reduce
from itertools import combinations
from math import comb
from operator import and_

from verify.kernel import incidence
from verify.kernel.errors import require_limit
from verify.kernel.verdict import Verdict, accepted, rejected

__all__ = ["check_design", "check_difference_set", "check_hadamard", "check_pairwise_balanced"]

MAX_COUNTS = 3 * 2**23
"""Most sets of t points, or pairs of rows, times every started thousand (1024) of blocks."""


def require_countable(v: int, b: int, t: int) -> None:
    """Refuses more sets of t of v points, counted on b blocks, than are counted here.

    The pairs of rows of a matrix of order n count as those of n points on n blocks.

    Raises:
        LimitError: for more than ``MAX_COUNTS`` counts.
    """
    require_limit(comb(v, t) * (b // 1024 + 1), MAX_COUNTS, f"counts of {t} of {v} points or rows")


def check_design(design: incidence.BlockDesign, k: int, lambda_: int, t: int = 2) -> Verdict:
    """Whether the design is a t-(v, k, lambda) design, repeated blocks allowed.

    Args:
        design: points and blocks.
        k: claimed block size, at least t.
        lambda_: claimed number of blocks on every t points, at least 1.
        t: strength, 1 to 5.

    Returns:
        REJECTED with the first block of another size or the first t points, in lexicographic
        order, on another number of blocks; that number is in the details as ``count``. Fewer than
        t points are REJECTED: with nothing to count, any lambda would do.

    Raises:
        InputError: for parameters outside these bounds.
        LimitError: for more than ``MAX_COUNTS`` counts.

    >>> from verify.kernel.incidence import BlockDesign
    >>> check_design(BlockDesign(3, (0b011, 0b101, 0b110)), 2, 1).is_accepted
    True
    """
    incidence.require_integer(t, 1, 5, "t")
    incidence.require_integer(k, t, incidence.MAX_CELLS, "k")
    incidence.require_integer(lambda_, 1, incidence.MAX_CELLS, "lambda")
    for index, block in enumerate(design.blocks):
        if (size := block.bit_count()) != k:
            return rejected(f"block {index} has {size} points, not {k}", block=index, count=size)
    failure = _first_violation(design, t, lambda_)
    return failure or accepted(f"{t}-({design.v}, {k}, {lambda_}) design", b=len(design.blocks))


def check_pairwise_balanced(design: incidence.BlockDesign, r: int, lambda_: int) -> Verdict:
    """Whether every point lies on r blocks and every two points together on lambda blocks.

    Args:
        design: points and blocks of any sizes.
        r: claimed number of blocks on a point.
        lambda_: claimed number of blocks on two points.

    Raises:
        InputError: for claimed numbers that are not integers >= 0.
        LimitError: for more than ``MAX_COUNTS`` counts.
    """
    for name, value in (("r", r), ("lambda", lambda_)):
        incidence.require_integer(value, 0, incidence.MAX_CELLS, name)
    failure = _first_violation(design, 1, r) or _first_violation(design, 2, lambda_)
    return failure or accepted(f"balanced: r = {r}, lambda = {lambda_}", b=len(design.blocks))


def _first_violation(design: incidence.BlockDesign, t: int, expected: int) -> Verdict | None:
    """REJECTED with the first t points that are not on ``expected`` blocks; None if all are."""
    if design.v < t:
        return rejected(f"{design.v} points hold no set of {t} points: nothing is counted")
    require_countable(design.v, len(design.blocks), t)
    on = incidence.transpose((*design.blocks, 0), design.v)
    for points, bitsets in zip(combinations(range(design.v), t), combinations(on, t), strict=True):
        count = reduce(and_, bitsets).bit_count()
        if count != expected:
            reason = f"points {', '.join(map(str, points))}: on {count} blocks, not {expected}"
            return rejected(reason, points=points, count=count)
    return None


def check_difference_set(difference_set: incidence.DifferenceSet, lambda_: int) -> Verdict:
    """Whether every element but the identity is a quotient of exactly lambda ordered pairs.

    A group of one element is REJECTED: with nothing to count, any lambda would do.

    Raises:
        InputError: unless lambda is an integer >= 0.

    >>> from verify.kernel.incidence import CyclicProduct, DifferenceSet
    >>> check_difference_set(DifferenceSet(CyclicProduct((7,)), (1, 2, 4)), 1).is_accepted
    True
    """
    group, k = difference_set.group, len(difference_set.elements)
    incidence.require_integer(lambda_, 0, incidence.MAX_CELLS, "lambda")
    if group.order == 1:
        return rejected("a group of one element has no other element: nothing is counted")
    for element, count in enumerate(group.quotient_counts(difference_set.elements)):
        if element and count != lambda_:
            reason = f"element {element} is a quotient of {count} pairs, not {lambda_}"
            return rejected(reason, element=element, count=count)
    return accepted(f"({group.order}, {k}, {lambda_}) difference set")


def check_hadamard(matrix: incidence.HadamardMatrix) -> Verdict:
    """Whether every two rows are orthogonal: they differ in exactly half of their places."""
    order = matrix.order
    require_countable(order, order, 2)
    for (i, row), (j, other) in combinations(enumerate(matrix.rows), 2):
        if product := order - 2 * (row ^ other).bit_count():
            reason = f"rows {i} and {j} have inner product {product}, not 0"
            return rejected(reason, rows=(i, j), count=product)
    return accepted(f"Hadamard matrix of order {order}")
