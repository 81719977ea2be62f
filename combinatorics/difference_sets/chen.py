"""Chen's difference sets, from building sets on H x E, H of order 4 and E elementary abelian.

v = 4 q^(2d) h with h = (q^(2d)-1)/(q^2-1), n = q^(4d-2), k = ah + m with m = q^(2d-1) and
a = 2m(q-1). Those of Davis and Jedwab are q = 2.

*q = 2^f*, with proof. Let U = Z_2^(2f) and D the support of a bent function on U, of q(q-1)/2
elements: its sums are q/2 or -q/2 at every nonprincipal character. For d = 1 the only block, on
H x U, is the complement of D over one element of H and D over the other three: its function +1/-1
is a product of two whose sums have constant modulus, 2 on H and q on U.

For d >= 2 let V = H x Z_2^(2f(d-1)) and V_1 of index 2 in V, elementary of order 2q^(2d-2), with
the other coset g + V_1. Identify V_1 with the additive group of the field L of that order, and let
P be a homomorphism of L onto U. For c in L the set {(y, x): x + P(cy) in D} in V_1 x U has the sum
D(u) sum_y psi(y) u(P(cy)) at the character (psi, u). Let u be nonprincipal. For c != c' the
P((c-c')y) run over all of U, so the characters y -> u(P(cy)) of L differ: each occurs once, and psi
for exactly one c. There the modulus is (q/2) 2q^(2d-2) = m; at the other c the sum vanishes. Where
u is principal, every y has the same number of x, and the sum vanishes unless psi is principal.

Block i, i < q^(2d-2), is on V_1 x U the set of one c, on its other coset, moved by g, that of
another, each c used once. So the characters of V x U nonprincipal on U have exactly one nonzero
block, of modulus m, and all these blocks vanish at the others. Those are characters of V, and the
blocks for d - 1 on V, lifted, are nonzero at one each, of modulus q^2 q^(2d-3) = m. The new blocks
have |V| q(q-1)/2 = a elements, the lifted ones q^2 times those for d - 1: all a, but one a + m.

*q = 3^b or p^(2f), p odd.* On H x GF(q^2)^d the preimages under each functional to GF(q^2) of the
negative set of an orthogonal quadruple; in one of them its first member is complemented.

Reference: Chen (1997), On the existence of abelian Hadamard difference sets and a new family of
difference sets; Chen (1998), A construction of difference sets (q = 2^f). The construction for
q = 2^f is the one proved above.
"""

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from combinatorics.difference_sets.building_set import BuildingSet
from combinatorics.difference_sets.family import Arguments, DifferenceSetFamily, integer_root
from combinatorics.difference_sets.menon import SMALL_GROUPS, menon_bent_difference_set
from combinatorics.difference_sets.orthogonal_quadruple import (
    has_orthogonal_quadruple,
    orthogonal_quadruple,
)
from combinatorics.finite_field import FiniteField
from combinatorics.number_theory import prime_power
from combinatorics.projective_geometry import class_labels
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import DifferenceSet

__all__ = [
    "CHEN",
    "chen_building_set",
    "chen_difference_set",
    "chen_parameters",
    "is_chen",
]

_MAX_CELLS = 2**24
Blocks = NDArray[np.bool_]


def is_chen(q: int, d: int) -> bool:
    """Whether Chen's family has a member: q = 2^f, 3^b or p^(2f) with an odd prime p, d >= 1.

    >>> [q for q in range(30) if is_chen(q, 2)]
    [2, 3, 4, 8, 9, 16, 25, 27]
    """
    if d < 1 or q < 2 or prime_power(q) is None:
        return False
    return q % 2 == 0 or has_orthogonal_quadruple(q)


def chen_parameters(q: int, d: int) -> tuple[int, int, int]:
    """(v, k, lambda) of the member with q and d.

    >>> chen_parameters(4, 2)
    (17408, 6592, 2496)
    """
    h, m = (q ** (2 * d) - 1) // (q * q - 1), q ** (2 * d - 1)
    k = 2 * m * (q - 1) * h + m
    return 4 * q ** (2 * d) * h, k, k - m * m


def _binary_blocks(q: int, d: int) -> Blocks:
    """The blocks on H x Z_2^(2fd) for q = 2^f, h rows; with the index of H = Z_2^2 or Z_4 alike.

    U has the last 2f coordinates; V_1 holds the elements of V whose index in H is even.
    """
    square = q * q
    bent = np.zeros(square, dtype=bool)
    bent[list(menon_bent_difference_set(q.bit_length() - 1).elements)] = True
    if d == 1:
        menon = np.tile(bent, (4, 1))
        menon[0] = ~menon[0]
        return menon.reshape(1, -1)
    count = square ** (d - 1)
    small, rest = np.divmod(np.arange(4 * count), count)
    half, coset = np.divmod(small, 2)
    slopes = 2 * np.arange(count)[:, None] + coset
    shifts = FiniteField(2 * count).mul(slopes, half * count + rest) % square
    new = bent[shifts[:, :, None] ^ np.arange(square)].reshape(count, -1)
    return np.vstack([new, np.repeat(_binary_blocks(q, d - 1), square, axis=1)])


def chen_building_set(q: int, d: int, small: tuple[int, ...] = (2, 2)) -> BuildingSet:
    """The building set of modulus q^(2d-1) on H x GF(q^2)^d, H = Z_2^2 or Z_4.

    Args:
        q: 2^f, 3^b, or p^(2f) with an odd prime p.
        d: at least 1.
        small: the orders of H.

    Raises:
        InputError: for other arguments.
        LimitError: if the blocks have more than 2^24 cells.

    >>> chen_building_set(4, 2).blocks.shape
    (17, 1024)
    """
    if not is_chen(q, d) or small not in SMALL_GROUPS:
        raise InputError(
            f"q = {q}, d = {d}, H = {small}: needs q = 2^f, 3^b or p^(2f), d >= 1, H of order 4"
        )
    if d * q.bit_length() > 64 or chen_parameters(q, d)[0] > _MAX_CELLS:
        raise LimitError(f"q = {q}, d = {d}: a group over the limit of {_MAX_CELLS} elements")
    modulus = q ** (2 * d - 1)
    if q % 2 == 0:
        binary = (2,) * (2 * d * (q.bit_length() - 1))
        return BuildingSet((*small, *binary), _binary_blocks(q, d), modulus)
    quadruple = orthogonal_quadruple(q)
    labels = np.arange(q * q)[None, :] if d == 1 else class_labels(d, q * q)
    blocks = (quadruple.signs < 0)[:, labels].transpose(1, 0, 2)
    blocks[0, 0] = ~blocks[0, 0]
    return BuildingSet((*small, *quadruple.orders * d), blocks.reshape(len(labels), -1), modulus)


def chen_difference_set(q: int, d: int, cofactor: tuple[int, ...] | None = None) -> DifferenceSet:
    """The Chen difference set; d = 1 is a Menon-Hadamard difference set with t = q.

    Args:
        q: 2^f, 3^b, or p^(2f) with an odd prime p.
        d: at least 1.
        cofactor: orders of the cyclic factors of a group of order h; by default it is cyclic.

    Raises:
        InputError: for arguments outside the family.
        LimitError: for a group of more than 2^24 elements.

    Reference: Chen (1997), On the existence of abelian Hadamard difference sets and a new family
    of difference sets; Chen (1998), A construction of difference sets.

    >>> len(chen_difference_set(4, 2).elements)
    6592
    """
    building_set = chen_building_set(q, d)
    return building_set.difference_set(cofactor or (len(building_set.blocks),))


def chen_arguments(v: int, k: int, lambda_: int) -> Iterator[Arguments]:
    """The (q, d), at most one for each d, with n = q^(4d-2)."""
    n = k - lambda_
    for d in range(1, max(n, 1).bit_length() // 2 + 2):
        q = integer_root(n, 4 * d - 2)
        if q is not None and is_chen(q, d) and (v, k, lambda_) == chen_parameters(q, d):
            yield q, d


CHEN = DifferenceSetFamily(
    "Chen", "Chen 1997, 1998", ("q", "d"), chen_arguments, chen_difference_set
)
