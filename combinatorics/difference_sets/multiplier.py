"""Multipliers: integers t for which tD is a translate of D, guaranteed by theorem or found.

D is a (v, k, lambda) difference set in an abelian group of exponent e, n = k - lambda.
"""

from itertools import product
from math import gcd

import numpy as np

from combinatorics.abelian_group import AbelianGroup
from combinatorics.finite_field import Elements
from combinatorics.number_theory import factorize
from verify.kernel.errors import InputError
from verify.kernel.incidence import CyclicProduct, DifferenceSet

__all__ = [
    "abelian_group_of",
    "first_theorem_multipliers",
    "fixed_translate",
    "guaranteed_multipliers",
    "multiplier_automorphisms",
    "numerical_multipliers",
    "second_theorem_multipliers",
    "translation_between",
]


def _require_counting(v: int, k: int, lambda_: int) -> int:
    """The smaller lambda of a set and its complement, which have the same multipliers."""
    if not 0 < k < v or k * (k - 1) != lambda_ * (v - 1):
        raise InputError(f"({v}, {k}, {lambda_}): needs 0 < k < v and k(k-1) = lambda(v-1)")
    return min(lambda_, v - 2 * k + lambda_)


def first_theorem_multipliers(v: int, k: int, lambda_: int) -> tuple[int, ...]:
    """The primes p > lambda that divide n but not v: multipliers of every abelian set.

    Reference: Hall and Ryser (1951), Cyclic incidence matrices; Chowla and Ryser (1950).

    >>> first_theorem_multipliers(21, 5, 1)
    (2,)
    """
    smallest = _require_counting(v, k, lambda_)
    primes = [p for p, _ in factorize(k - lambda_).primes]
    return tuple(p for p in primes if p > smallest and v % p)


def second_theorem_multipliers(v: int, k: int, lambda_: int, exponent: int) -> tuple[int, ...]:
    """The t modulo e that are powers of every prime divisor of some m | n, m > lambda.

    m runs over the divisors of n that are coprime to v. Every such t is a multiplier of every
    (v, k, lambda) difference set in an abelian group of that exponent.

    Reference: Menon (1960), Difference sets in abelian groups; Hall (1956).

    >>> second_theorem_multipliers(40, 13, 4, 40)
    (1, 3, 9, 27)
    """
    smallest = _require_counting(v, k, lambda_)
    powers = [(p, e) for p, e in factorize(k - lambda_).primes if v % p]
    found = {1}
    for exponents in product(*(range(e + 1) for _, e in powers)):
        used = [p for (p, _), e in zip(powers, exponents, strict=True) if e]
        m = 1
        for (p, _), e in zip(powers, exponents, strict=True):
            m *= p**e
        if m > smallest and used:
            found |= set.intersection(*(_powers(p, exponent) for p in used))
    return tuple(sorted(found))


def _powers(p: int, modulus: int) -> set[int]:
    powers, power = {1 % modulus}, p % modulus
    while power not in powers:
        powers.add(power)
        power = power * p % modulus
    return powers


def guaranteed_multipliers(v: int, k: int, lambda_: int, exponent: int) -> tuple[int, ...]:
    """The group of units modulo e that the two theorems generate, sorted."""
    generators = {p % exponent for p in first_theorem_multipliers(v, k, lambda_)}
    generators |= set(second_theorem_multipliers(v, k, lambda_, exponent))
    group, frontier = {1 % exponent}, {1 % exponent}
    while frontier:
        frontier = {x * t % exponent for x in frontier for t in generators} - group
        group |= frontier
    return tuple(sorted(group))


def abelian_group_of(difference_set: DifferenceSet) -> AbelianGroup:
    """The group of a difference set, which must be a product of cyclic groups.

    Raises:
        InputError: for a group given by its Cayley table.
    """
    if not isinstance(difference_set.group, CyclicProduct):
        raise InputError("the group must be a product of cyclic groups")
    return AbelianGroup(difference_set.group.orders)


def translation_between(group: AbelianGroup, first: Elements, second: Elements) -> int | None:
    """A g with first + g = second as sets, or None; *exact*."""
    if len(first) != len(second) or len(first) == 0:
        return 0 if len(first) == len(second) else None
    inside = np.zeros(group.order, dtype=bool)
    inside[second] = True
    candidates = group.sub(second, first[0])
    for element in first[1:]:
        candidates = candidates[inside[group.add(candidates, element)]]
        if len(candidates) == 0:
            return None
    return int(candidates[0])


def numerical_multipliers(difference_set: DifferenceSet) -> tuple[int, ...]:
    """Every t from 1 to e, coprime to e, for which tD is a translate of D; *exact*, a group.

    >>> numerical_multipliers(DifferenceSet(CyclicProduct((7,)), (1, 2, 4)))
    (1, 2, 4)
    """
    group = abelian_group_of(difference_set)
    elements = np.array(difference_set.elements, dtype=np.int64)
    return tuple(
        t
        for t in group.multiplier_units()
        if translation_between(group, group.multiple(elements, t), elements) is not None
    )


def multiplier_automorphisms(difference_set: DifferenceSet) -> tuple[Elements, ...]:
    """Every automorphism of the group that takes D to a translate, as arrays of images; *exact*.

    Raises:
        LimitError: if the group has too many automorphisms.
    """
    group = abelian_group_of(difference_set)
    elements = np.array(difference_set.elements, dtype=np.int64)
    return tuple(
        images
        for images in group.automorphisms()
        if translation_between(group, images[elements], elements) is not None
    )


def fixed_translate(difference_set: DifferenceSet) -> DifferenceSet:
    """The translate whose elements add to 0, fixed by every multiplier; needs gcd(k, v) = 1.

    Raises:
        InputError: if k and v have a common factor.
    """
    group = abelian_group_of(difference_set)
    k, v = len(difference_set.elements), group.order
    if gcd(k, v) != 1:
        raise InputError(f"k = {k} and v = {v} have a common factor")
    elements = np.array(difference_set.elements, dtype=np.int64)
    total = group.indices(group.residues(elements).sum(axis=0))
    shift = group.multiple(total, -pow(k, -1, group.exponent))
    moved = np.sort(group.add(elements, shift))
    return DifferenceSet(CyclicProduct(group.orders), tuple(moved.tolist()))
