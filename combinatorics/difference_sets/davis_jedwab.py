"""The Davis-Jedwab difference sets, from building sets on 2-groups of exponent 2 or 4.

On Z_2^(2d+4) and Z_4 x Z_2^(2d+2) they are Chen's with q = 2 and d + 1 in place of d. On
R^s x (R/2R)^(d+2-2s), s >= 1, R = Z_4[w]/(w^2+w+1) with residue field R/2R = GF(4), they are built
as follows.

T = {0, 1, w, w^2}, the Teichmueller set of R, meets each class modulo 2R once; its sums have the
modulus 2 at the characters of R nonprincipal on 2R and vanish at the other nonprincipal ones. Let
M = R^(s-1) x (R/2R)^(d+2-2s), of order 4^d. It has as many homomorphisms to R as elements, the
y -> sum r_i y_i + 2 sum e_j y_j, with r_i in R and e_j in R/2R. For each such c the block
{(x, y) in R x M: x + c(y) in T} has at the character (alpha, mu) the sum
alpha(T) sum_y mu(y) / alpha(c(y)).

Let alpha be nonprincipal on 2R. Every nonzero ideal of R contains 2R, so the characters
y -> alpha(c(y)) of M differ for different c, hence one of them is mu: exactly one of the 4^d blocks
is nonzero, of modulus 2 4^d. Where alpha is principal on 2R all blocks vanish, but at the principal
character. The blocks of d - 1 on (R/2R) x M, lifted, serve those characters.

Reference: Davis and Jedwab (1997), A unifying construction for difference sets, theorem 5.3.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from combinatorics.difference_sets.building_set import BuildingSet
from combinatorics.difference_sets.chen import chen_arguments, chen_building_set
from combinatorics.difference_sets.family import Arguments, DifferenceSetFamily
from combinatorics.finite_field import Elements
from verify.kernel.errors import InputError
from verify.kernel.incidence import DifferenceSet

__all__ = ["DAVIS_JEDWAB", "davis_jedwab_building_set", "davis_jedwab_difference_set"]

Blocks = NDArray[np.bool_]


def _ring() -> tuple[Elements, Elements]:
    """Addition and multiplication tables of R, the element a + bw being the index 4a + b."""
    a, b = np.divmod(np.arange(16), 4)
    total = 4 * ((a[:, None] + a) % 4) + (b[:, None] + b) % 4
    real = np.multiply.outer(a, a) - np.multiply.outer(b, b)
    mixed = np.multiply.outer(a, b) + np.multiply.outer(b, a) - np.multiply.outer(b, b)
    return total, 4 * (real % 4) + mixed % 4


def _homomorphisms(rings: int, fields: int) -> Elements:
    """Every homomorphism of R^rings x (R/2R)^fields to R, one a row."""
    total, product = _ring()
    lifts = np.array([0, 1, 4, 5])  # a + bw with a, b in {0, 1}, in the order of Z_2 x Z_2
    doubled = np.diagonal(total)[product[np.ix_(lifts, lifts)]]
    images = np.zeros((1, 1), dtype=np.int64)
    for factor in [product] * rings + [doubled] * fields:
        pairs = total[images[:, None, :, None], factor[None, :, None, :]]
        images = pairs.reshape(len(images) * len(factor), -1)
    return images


def _module_blocks(rings: int, fields: int) -> Blocks:
    """The blocks on R^rings x (R/2R)^fields."""
    if rings == 0:
        return chen_building_set(2, fields - 1).blocks
    total, product = _ring()
    teichmueller = np.zeros(16, dtype=bool)
    teichmueller[[0, 4, 1, product[1, 1]]] = True  # 0, 1, w and w squared
    homomorphisms = _homomorphisms(rings - 1, fields)
    images = total[:, homomorphisms]  # shape (x, c, y)
    new = teichmueller[images].transpose(1, 0, 2).reshape(len(homomorphisms), -1)
    a, b = np.divmod(np.arange(16), 4)
    smaller = _module_blocks(rings - 1, fields + 1)
    split = smaller.reshape(len(smaller), 16 ** (rings - 1), 4, 4**fields).transpose(0, 2, 1, 3)
    lifted = split[:, 2 * (a % 2) + b % 2].reshape(len(smaller), -1)
    return np.vstack([new, lifted])


def davis_jedwab_building_set(d: int, fours: int = 0) -> BuildingSet:
    """The building set of modulus 2^(2d+1) on a group of order 2^(2d+4).

    Args:
        d: at least 0.
        fours: how many cyclic factors Z_4 the group has, the others being Z_2: 0, 1, or an even
            number of at most d + 2; with d = 0 only 0 or 1.

    Raises:
        InputError: for other arguments.
        LimitError: if the blocks have more than 2^24 cells.
    """
    if d < 0 or not (fours in (0, 1) or (d >= 1 and fours % 2 == 0 and 2 <= fours <= d + 2)):
        raise InputError(
            f"d = {d}, {fours} factors Z_4: needs d >= 0 and 0, 1 or, with d >= 1, an even number "
            "of factors Z_4, at most d + 2"
        )
    # Built in any case: it refuses a d over the limit, and has the modulus of all the groups.
    elementary = chen_building_set(2, d + 1, (4,) if fours == 1 else (2, 2))
    if fours <= 1:
        return elementary
    orders = (4,) * fours + (2,) * (2 * d + 4 - 2 * fours)
    return BuildingSet(orders, _module_blocks(fours // 2, d + 2 - fours), elementary.modulus)


def davis_jedwab_difference_set(
    d: int, cofactor: tuple[int, ...] | None = None, fours: int = 0
) -> DifferenceSet:
    """The Davis-Jedwab difference set for d = 0, 1, 2, 3, ...: orders 16, 320, 5376, 87040, ...

    With h = (2^(2d+2)-1)/3: v = 2^(2d+4) h, k = 2^(2d+1)(2h+1), n = 2^(4d+2).

    Args:
        d: at least 0.
        cofactor: orders of the cyclic factors of a group of order h; by default it is cyclic.
        fours: the number of factors Z_4 of the group of order 2^(2d+4), as in
            ``davis_jedwab_building_set``.

    Raises:
        InputError: for other arguments.
        LimitError: for a group of more than 2^24 elements, d >= 5.

    Reference: Davis and Jedwab (1997), A unifying construction for difference sets, theorem 5.3.

    >>> len(davis_jedwab_difference_set(1).elements)
    88
    """
    building_set = davis_jedwab_building_set(d, fours)
    return building_set.difference_set(cofactor or (len(building_set.blocks),))


def davis_jedwab_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The d with n = 2^(4d+2)."""
    for q, d in chen_arguments(v, k, lambda_):
        if q == 2:
            yield (d - 1,)


DAVIS_JEDWAB = DifferenceSetFamily(
    "Davis-Jedwab",
    "Davis and Jedwab 1997",
    ("d",),
    davis_jedwab_arguments,
    davis_jedwab_difference_set,
)
