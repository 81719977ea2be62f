"""Four functions +1/-1 on an abelian group of odd order, orthogonal at every character.

Menon-Hadamard and Chen difference sets are made of them. Their construction for Z_p^4, p an odd
prime, is given here with its proof. Let n = p^2, chi the quadratic character of GF(n), and C the
symmetric conference matrix of order n+1 on the slopes GF(n) and oo: C[x, y] = chi(x-y), C[oo, x] =
C[x, oo] = 1, zero diagonal; C^2 = nI.

*Two eigenvectors.* w is 1 on GF(p) and oo, and eta(Im z) off them, eta the quadratic character of
GF(p) and Im z = (z - z^p)/theta with theta^p = -theta. Then Cw = pw. For chi(x-z) = eta(N(x-z)),
N(a + b theta) = a^2 - mb^2 with a non-square m. Summed over all a, that is p-1 for b = 0 and else
-1: off GF(p) the values eta(Im z) give p eta(Im x) and the 1 give -1 + 1 = 0; on GF(p) and at oo
the former give 0, for a factor r in GF(p) of all z changes their sum by eta(r), the latter p. With
a primitive element g, w'(z) = w(z/g), w'(oo) = -1: Cw' = -pw', as chi(g) = -1.

*Type Q.* u = (w + w')/2 and u' = (w - w')/2 have entries 0 and +1/-1, complementary supports S
and S', and Cu = pu', Cu' = pu. The supports have (n+1)/2 slopes each, as w and w' are orthogonal.
On the line of slope s in S through 0 of GF(n)^2 take the half with chi = u(s) at the first nonzero
coordinate. The union of these halves has the sum (n-1)/4 or (n-1)/4 - n at every nonprincipal
character (a, b): half s has (u(s) chi(a + bs) G - 1)/2, G = p or -p the Gauss sum, and (n-1)/2 if
a + bs = 0, which is one slope s0. The u(s) chi(a + bs) add up to pu'(s0) or -pu'(s0). Where u'(s0)
is 0, s0 is in S and the sum (n-1)/4, as it is for the other halves; else the two sums differ by n.

*Quadruple.* Each function is -1 on such a union of halves, of S or of S', and on (n-1)/4 lines of
the other support, whose sum is n - (n-1)/4 or -(n-1)/4: three of the sums of the functions vanish
and one is 2n or -2n. The same lines serve the two functions of one support.

Reference: Turyn (1984), A special class of Williamson matrices and difference sets; Wilson and
Xiang (1997), Constructions of Hadamard difference sets; Chen (1997), On the existence of abelian
Hadamard difference sets and a new family of difference sets.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from combinatorics.finite_field import FiniteField
from combinatorics.number_theory import factorize
from combinatorics.projective_geometry import class_labels
from verify.kernel.errors import InputError

__all__ = ["OrthogonalQuadruple", "has_orthogonal_quadruple", "orthogonal_quadruple"]

Signs = NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class OrthogonalQuadruple:
    """Four functions +1/-1 on an abelian group of odd order q^2.

    Their sums are all q, and every nonprincipal character has a nonzero sum, 2q or -2q, with
    exactly one of them.

    Args:
        orders: the cyclic factors of the group.
        signs: shape (4, q^2).
    """

    orders: tuple[int, ...]
    signs: Signs


def has_orthogonal_quadruple(q: int) -> bool:
    """Whether q = 3^b u^2 with an odd u."""
    return q % 2 == 1 and q >= 1 and all(p == 3 or e % 2 == 0 for p, e in factorize(q).primes)


def orthogonal_quadruple(q: int) -> OrthogonalQuadruple:
    """A quadruple on the product of the groups Z_3^2 and Z_p^4, q = 3^b u^2.

    For q = 3 the functions are -1 on the four lines through 0.

    Raises:
        InputError: for another q.

    >>> orthogonal_quadruple(25).signs.sum(axis=1).tolist()
    [25, 25, 25, 25]
    """
    if not has_orthogonal_quadruple(q):
        raise InputError(f"q = {q}: quadruples are built for q = 3^b u^2 with an odd u")
    signs, orders = np.ones((4, 1), dtype=np.int64), list[int]()
    for p, e in factorize(q).primes:
        factor = _line_quadruple() if p == 3 else _slope_quadruple(p)
        for _ in range(e if p == 3 else e // 2):
            signs = _composed(signs, factor) if orders else factor
            orders += [p] * (2 if p == 3 else 4)
    return OrthogonalQuadruple(tuple(orders), signs)


def _line_quadruple() -> Signs:
    signs: Signs = np.where(class_labels(2, 3) == 0, -1, 1)
    return signs


def _eigenvectors(p: int) -> tuple[Signs, Signs]:
    """The w and w' of the slopes 0, ..., n-1 and oo, oo last."""
    field = FiniteField(p * p)
    z = field.elements()
    # log theta = (p+1)/2; an element of GF(p) is a square there if p+1 divides its log evenly.
    logs = field.log[field.sub(z, field.power(z, p))]
    finite = np.where(logs < 0, 1, 1 - 2 * ((logs - (p + 1) // 2) // (p + 1) % 2))
    divided = finite[field.mul(z, field.inverse(field.primitive_element))]
    return np.append(finite, 1), np.append(divided, -1)


def _slope_quadruple(p: int) -> Signs:
    """The quadruple on GF(p^2)^2, written additively, for an odd prime p."""
    field = FiniteField(p * p)
    n = field.q
    x, y = np.divmod(np.arange(n * n), n)
    nonzero = np.where(x == 0, 1, x)
    slopes = np.where(x == 0, n, field.mul(y, field.inverse(nonzero)))
    first = field.quadratic_character(np.where(x == 0, y, x))
    plus, minus = _eigenvectors(p)
    signs = np.ones((4, n * n), dtype=np.int64)
    for parity, halves in enumerate(((plus + minus) // 2, (plus - minus) // 2)):
        lines = np.isin(slopes, np.flatnonzero(halves == 0)[: (n - 1) // 4]) & (first != 0)
        for i, sign in ((parity, 1), (parity + 2, -1)):
            inside = (halves[slopes] != 0) & (first == sign * halves[slopes])
            signs[i, inside | lines] = -1
    return signs


def _composed(first: Signs, second: Signs) -> Signs:
    """The quadruple on the product of the two groups; each sum and difference is 0, 2 or -2."""
    a0, a1, a2, a3 = first
    b0, b1, b2, b3 = second
    pairs = [
        (a0 + a1, b0, a0 - a1, b1),
        (a0 + a1, b2, a1 - a0, b3),
        (a2 + a3, b1, a2 - a3, b0),
        (a2 + a3, b3, a3 - a2, b2),
    ]
    return np.stack([(np.kron(w, x) + np.kron(y, z)) // 2 for w, x, y, z in pairs])
