"""The Davis-Jedwab and Chen difference sets, from building sets.

Chen's parameters: v = 4 q^(2d) h with h = (q^(2d)-1)/(q^2-1), n = q^(4d-2), k = ah + m with
m = q^(2d-1), a = 2m(q-1). Those of Davis and Jedwab are q = 2, with d + 1 in place of d.

*q = 2.* R = Z_4[w]/(w^2+w+1), T = {0, 1, w, w^2} its Teichmueller set: a relative difference set to
2R with sums of modulus 2 off the characters of R/2R. For the modules M = R/2R, R of order 4^d the
maps x + c y, c in M, from R x M to R send the characters that are nonprincipal on 2R each from
exactly one c. Their preimages of T are |M| blocks; the blocks on (R/2R) x M, lifted, are the rest.

*q = 3^b or p^(2f), p odd.* On H x GF(q^2)^d, H of order 4, the preimages under each functional to
GF(q^2) of the negative set of an orthogonal quadruple; in one of them its first member is
complemented.

*q = 2^f, f and d >= 2*, is published but not built here. The pattern of q = 2, d = 2 does not carry
over: sets B in groups E of order 64 whose sums have modulus 4 off the characters of E/U, |E/U| = 4,
and vanish on those, exist (in Z_8^2 with U = 2 Z_8^2), but none with U = Z_2^4 by an exhaustive
search, and for another U no 16 of them fit into a group of order 1024 beside one Menon set.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from combinatorics.difference_sets.building_set import BuildingSet
from combinatorics.difference_sets.family import Arguments, DifferenceSetFamily, integer_root
from combinatorics.difference_sets.menon import (
    SMALL_GROUPS,
    menon_bent_difference_set,
    menon_hadamard_difference_set,
)
from combinatorics.difference_sets.orthogonal_quadruple import (
    has_orthogonal_quadruple,
    orthogonal_quadruple,
)
from combinatorics.finite_field import Elements
from combinatorics.number_theory import prime_power
from combinatorics.projective_geometry import class_labels
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import DifferenceSet

__all__ = [
    "CHEN",
    "DAVIS_JEDWAB",
    "chen_building_set",
    "chen_difference_set",
    "davis_jedwab_building_set",
    "davis_jedwab_difference_set",
    "is_chen_published",
]

_MAX_CELLS = 2**24
Blocks = NDArray[np.bool_]


def _ring() -> tuple[Elements, Elements]:
    """Addition and multiplication tables of R, the element a + bw being the index 4a + b."""
    a, b = np.divmod(np.arange(16), 4)
    total = 4 * ((a[:, None] + a) % 4) + (b[:, None] + b) % 4
    real = np.multiply.outer(a, a) - np.multiply.outer(b, b)
    mixed = np.multiply.outer(a, b) + np.multiply.outer(b, a) - np.multiply.outer(b, b)
    return total, 4 * (real % 4) + mixed % 4


def _relative_blocks(scaled: Elements) -> Blocks:
    """The preimages of T under (x, y) -> x + scaled[c, y], one for each c, on R x M."""
    total, product = _ring()
    teichmueller = np.zeros(16, dtype=bool)
    teichmueller[[0, 4, 1, int(product[1, 1])]] = True  # 0, 1, w and w squared
    images = total[:, scaled]  # shape (x, c, y)
    return teichmueller[images].transpose(1, 0, 2).reshape(len(scaled), -1)


def _residue_field_blocks() -> Blocks:
    """The covering building set on R x R/2R: five blocks of modulus 8."""
    total, product = _ring()
    lifts = np.array([0, 1, 4, 5])  # a + bw with a, b in {0, 1}, in the order of Z_2 x Z_2
    doubled = np.diagonal(total)[product[np.ix_(lifts, lifts)]]
    menon = np.zeros(16, dtype=bool)
    menon[list(menon_bent_difference_set(2).elements)] = True
    lifted = menon.reshape(4, 4)[_reduced()].reshape(1, -1)
    return np.vstack([_relative_blocks(doubled), lifted])


def _reduced() -> Elements:
    """The class modulo 2R of every element of R, as an index of Z_2 x Z_2."""
    a, b = np.divmod(np.arange(16), 4)
    classes: Elements = 2 * (a % 2) + b % 2
    return classes


def davis_jedwab_building_set(d: int) -> BuildingSet:
    """The building set of modulus 2^(2d+1) on Z_2^4, Z_4^2 x Z_2^2 or Z_4^4 for d = 0, 1, 2.

    Raises:
        InputError: for another d; difference sets exist for all, these modules reach d <= 2.
    """
    if d == 0:
        menon = np.zeros((1, 16), dtype=bool)
        menon[0, list(menon_bent_difference_set(2).elements)] = True
        return BuildingSet((2,) * 4, menon, 2)
    if d == 1:
        return BuildingSet((4, 4, 2, 2), _residue_field_blocks(), 8)
    if d == 2:
        _, product = _ring()
        # On (R/2R) x R the coordinates of the smaller building set are exchanged.
        smaller = _residue_field_blocks().reshape(-1, 16, 4).transpose(0, 2, 1)
        lifted = smaller[:, _reduced(), :].reshape(len(smaller), -1)
        return BuildingSet((4,) * 4, np.vstack([_relative_blocks(product), lifted]), 32)
    raise InputError(f"d = {d}: Davis-Jedwab difference sets are built for d = 0, 1, 2")


def davis_jedwab_difference_set(d: int, cofactor: tuple[int, ...] | None = None) -> DifferenceSet:
    """The Davis-Jedwab difference set for d = 0, 1, 2: orders 16, 320 and 5376.

    With h = (2^(2d+2)-1)/3: v = 2^(2d+4) h, k = 2^(2d+1)(2h+1), n = 2^(4d+2).

    Args:
        d: 0, 1 or 2.
        cofactor: orders of the cyclic factors of a group of order h; by default it is cyclic.

    Reference: Davis and Jedwab (1997), A unifying construction for difference sets, theorem 5.3.

    >>> len(davis_jedwab_difference_set(1).elements)
    88
    """
    building_set = davis_jedwab_building_set(d)
    return building_set.difference_set(cofactor or (len(building_set.blocks),))


def davis_jedwab_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The d in 0, 1, 2 with these parameters."""
    for d in range(3):
        if (v, k, lambda_) == _chen_parameters(2, d + 1):
            yield (d,)


def _chen_parameters(q: int, d: int) -> tuple[int, int, int]:
    h, m = (q ** (2 * d) - 1) // (q * q - 1), q ** (2 * d - 1)
    k = 2 * m * (q - 1) * h + m
    return 4 * q ** (2 * d) * h, k, k - m * m


def chen_building_set(q: int, d: int, small: tuple[int, ...] = (2, 2)) -> BuildingSet:
    """The building set of modulus q^(2d-1) on H x GF(q^2)^d, H = Z_2^2 or Z_4.

    Args:
        q: 3^b, or p^(2f) with an odd prime p.
        d: at least 1.
        small: the orders of H.
    """
    odd_power = prime_power(q) is not None and has_orthogonal_quadruple(q)
    if not odd_power or d < 1 or small not in SMALL_GROUPS:
        raise InputError(f"q = {q}, d = {d}, H = {small}: needs q = 3^b or p^(2f), H of order 4")
    if d * q.bit_length() > 64 or _chen_parameters(q, d)[0] > _MAX_CELLS:
        raise LimitError(f"q = {q}, d = {d}: a group over the limit of {_MAX_CELLS} elements")
    quadruple = orthogonal_quadruple(q)
    labels = np.arange(q * q)[None, :] if d == 1 else class_labels(d, q * q)
    blocks = (quadruple.signs < 0)[:, labels].transpose(1, 0, 2)
    blocks[0, 0] = ~blocks[0, 0]
    return BuildingSet(
        (*small, *quadruple.orders * d), blocks.reshape(len(labels), -1), q ** (2 * d - 1)
    )


def chen_difference_set(q: int, d: int, cofactor: tuple[int, ...] | None = None) -> DifferenceSet:
    """The Chen difference set; d = 1 is a Menon-Hadamard difference set with t = q.

    Args:
        q: 3^b or p^(2f) with an odd prime p, any d; 2 with d <= 3; 2^f with d = 1.
        d: at least 1.
        cofactor: orders of the cyclic factors of a group of order h; by default it is cyclic.

    Raises:
        InputError: for arguments that are not built here.

    Reference: Chen (1997), On the existence of abelian Hadamard difference sets and a new family
    of difference sets.

    >>> len(chen_difference_set(3, 2).elements)
    1107
    """
    if q == 2 and 1 <= d <= 3:
        return davis_jedwab_difference_set(d - 1, cofactor)
    if q % 2 == 0 and d == 1 and prime_power(q) is not None:
        return menon_hadamard_difference_set(q)
    building_set = chen_building_set(q, d)
    return building_set.difference_set(cofactor or (len(building_set.blocks),))


def _chen_candidates(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The (q, d) with Chen's parameters for a prime power q, built here or not."""
    n = k - lambda_
    for d in range(1, max(n, 1).bit_length() // 2 + 2):
        q = integer_root(n, 4 * d - 2)
        if q is None or prime_power(q) is None or (v, k, lambda_) != _chen_parameters(q, d):
            continue
        yield q, d


def chen_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The (q, d) that are built here, at most one for each d."""
    for q, d in _chen_candidates(v, k, lambda_):
        even = q % 2 == 0 and (d == 1 or (q == 2 and d <= 3))
        if even or has_orthogonal_quadruple(q):
            yield q, d


def is_chen_published(v: int, k: int, lambda_: int) -> bool:
    """Whether a set with these parameters is published by Chen or by Davis and Jedwab.

    They reach every power q of 2; here those with d >= 2 are built for q = 2 and d <= 3 alone. The
    next one is (17408, 6592, 2496), q = 4 and d = 2.

    >>> is_chen_published(17408, 6592, 2496)
    True
    """
    return any(
        q % 2 == 0 or has_orthogonal_quadruple(q) for q, _ in _chen_candidates(v, k, lambda_)
    )


DAVIS_JEDWAB = DifferenceSetFamily(
    "Davis-Jedwab",
    "Davis and Jedwab 1997",
    ("d",),
    davis_jedwab_arguments,
    davis_jedwab_difference_set,
)
CHEN = DifferenceSetFamily("Chen", "Chen 1997", ("q", "d"), chen_arguments, chen_difference_set)
