"""Theorems that forbid a difference set in a given abelian group.

They say nothing about difference sets in other groups of the same order, and nothing about
designs. Letters: G abelian of order v, n = k - lambda; U a subgroup of G of order u with cyclic
quotient of order w = v / u. The intersection numbers are the sizes of D met with the cosets of U.

An integer m is *self-conjugate* modulo w if every prime p | m has a power that is -1 modulo the
part of w prime to p. Then, for m² | n, m divides every character value of D on the quotient G / U
(Turyn 1965), and so

* if gcd(m, w) = 1, the intersection numbers are all congruent modulo m, and not all equal because
  n > 0; none is negative and none exceeds u: m <= u;
* else m <= 2^(s-1) u, where s is the number of primes that divide both m and w.

If p does not divide w > 1 and is self-conjugate modulo w, its exponent in n must be even: p does
not ramify among the w-th roots of unity and its prime ideals are fixed by complex conjugation.
"""

from collections.abc import Sequence
from itertools import combinations
from math import lcm, prod

from combinatorics.construction import Impossible
from combinatorics.number_theory import factorize
from combinatorics.obstruction import design_obstruction, is_symmetric
from verify.kernel.errors import InputError, LimitError

__all__ = ["difference_set_obstruction", "is_self_conjugate"]

_MAX_ORDER = 10**12
"""Largest group order whose quotients are looked through."""


def is_self_conjugate(p: int, w: int) -> bool:
    """Whether some power of the prime p is -1 modulo the part of w prime to p.

    >>> is_self_conjugate(2, 15), is_self_conjugate(2, 9)
    (False, True)
    """
    while w % p == 0:
        w //= p
    if w <= 2:
        return True
    # The order of p must be even and its half must give -1; the order divides phi(w).
    order = 1
    for q, e in factorize(w).primes:
        order = lcm(order, q ** (e - 1) * (q - 1))
    for q, _ in factorize(order).primes:
        while order % q == 0 and pow(p, order // q, w) == 1:
            order //= q
    return order % 2 == 0 and pow(p, order // 2, w) == w - 1


def difference_set_obstruction(orders: Sequence[int], k: int, lambda_: int) -> Impossible | None:
    """The first theorem that forbids a (v, k, lambda) difference set in Z_n1 x Z_n2 x ..., or None.

    Args:
        orders: n1, n2, ..., the orders of the cyclic factors of the group.
        k: size of the difference set, 2 <= k <= v - 2.
        lambda_: how often each element but 0 is a difference.

    Raises:
        InputError: for a cyclic factor below 1 or k out of range.
        LimitError: for a group of order over 10^12.

    Reference: Turyn (1965); Mann (1965), chapter 7; McFarland (1989).
    """
    v = prod(orders)
    if not orders or min(orders) < 1 or not 2 <= k <= v - 2:
        raise InputError(f"group {tuple(orders)}, k = {k}: give orders >= 1 and 2 <= k <= v - 2")
    if v > _MAX_ORDER:
        raise LimitError(f"group of order {v}: quotients are looked through up to {_MAX_ORDER}")
    if not is_symmetric(v, k, lambda_):
        return Impossible(
            "double counting", f"k (k - 1) = {k * (k - 1)} but lambda (v - 1) = {lambda_ * (v - 1)}"
        )
    broken = design_obstruction(v, k, lambda_)
    if broken is not None:
        return broken
    return _self_conjugacy(orders, v, k - lambda_) or _mcfarland(v, k, lambda_)


def _self_conjugacy(orders: Sequence[int], v: int, n: int) -> Impossible | None:
    primes = factorize(n).primes
    for w in _divisors(lcm(*orders)):
        if w == 1:
            continue
        conjugate = [(p, e) for p, e in primes if is_self_conjugate(p, w)]
        for p, e in conjugate:
            if e % 2 and w % p:
                return Impossible(
                    "self-conjugate primes (Mann 1965)",
                    f"{p} is self-conjugate modulo {w} and divides n = {n} to the odd power {e}",
                )
        broken = _exponent_bound(conjugate, v // w, w)
        if broken is not None:
            return broken
    return None


def _exponent_bound(primes: list[tuple[int, int]], u: int, w: int) -> Impossible | None:
    """The bounds on m for every product m of full prime powers p^(e/2)."""
    for size in range(1, len(primes) + 1):
        for chosen in combinations(primes, size):
            m = prod(p ** (e // 2) for p, e in chosen)
            shared = sum(1 for p, _ in chosen if w % p == 0)
            bound = 2 ** max(shared - 1, 0) * u
            if m > bound:
                return Impossible(
                    "exponent bound (Turyn 1965)",
                    f"{m} is self-conjugate modulo {w} and its square divides n, but a cyclic "
                    f"quotient of order {w} needs {m} <= {bound}",
                )
    return None


def _mcfarland(v: int, k: int, lambda_: int) -> Impossible | None:
    """There is no abelian difference set of order v = 4p², n = p², for a prime p > 3."""
    n = k - lambda_
    factors = factorize(n).primes
    if v == 4 * n and len(factors) == 1 and factors[0][1] == 2 and factors[0][0] > 3:
        return Impossible(
            "no abelian difference set with v = 4p², p > 3 prime (McFarland 1989)",
            f"v = 4 * {factors[0][0]}²",
        )
    return None


def _divisors(n: int) -> list[int]:
    divisors = [1]
    for p, e in factorize(n).primes:
        divisors = [d * p**i for d in divisors for i in range(e + 1)]
    return sorted(divisors, reverse=True)
