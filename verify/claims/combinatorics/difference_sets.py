"""Difference sets: their designs, their characters and their multipliers."""

from functools import cache
from itertools import product
from math import gcd, lcm
from typing import Any

import numpy as np
from flint import fmpz_poly

from combinatorics.difference_sets.family import complement_difference_set
from combinatorics.difference_sets.multiplier import (
    fixed_translate,
    guaranteed_multipliers,
    numerical_multipliers,
)
from combinatorics.incidence_matrix import development
from combinatorics.number_theory import factorize
from verify.claims.claim import Claim, Exhaustive
from verify.claims.combinatorics.families import (
    Triple,
    built_difference_set,
    difference_set_triples,
    pair_counts,
    subsets_of_groups,
)
from verify.kernel.design import check_difference_set
from verify.kernel.incidence import CyclicProduct, DifferenceSet

__all__ = ["CLAIMS"]

_BJL = "Beth, Jungnickel, Lenz 1999"


def _difference_counts(orders: tuple[int, ...], members: tuple[int, ...]) -> set[int]:
    """How often the elements other than 0 are differences."""
    counts = CyclicProduct(orders).quotient_counts(members)
    return set(counts[1:])


def _design_equivalence(instance: Any, *, covers: bool = False) -> str:
    """D is a difference set exactly when its translates are a 2-design."""
    orders, members = instance
    counts = _difference_counts(orders, members)
    is_set = 0 not in counts if covers else len(counts) == 1
    design = development(DifferenceSet(CyclicProduct(orders), members))
    _, _, lambdas, _ = pair_counts(design)
    is_design = len(lambdas) == 1
    return "" if is_set == is_design else f"difference set: {is_set}, design: {is_design}"


@cache
def _cyclotomic(e: int) -> fmpz_poly:
    return fmpz_poly.cyclotomic(e)


def _character_equivalence(instance: Any, *, real_only: bool = False) -> str:
    """D is a difference set exactly when |chi(D)|^2 = k - lambda for every chi but the trivial.

    Exact: chi(D) is a polynomial in a root of unity of order e, reduced by the cyclotomic
    polynomial; (v-1)(k-lambda) = k (v-k).
    """
    orders, members = instance
    v, k, e = int(np.prod(orders)), len(members), lcm(*orders)
    coordinates = list(product(*map(range, orders)))
    residues = [coordinates[x] for x in members]
    flat = True
    for character in product(*map(range, orders)):
        steps = [a * (e // n) for a, n in zip(character, orders, strict=True)]
        order = e // gcd(e, *steps)
        if order == 1 or (real_only and order > 2):
            continue
        powers = [sum(s * x for s, x in zip(steps, r, strict=True)) % e for r in residues]
        coefficients = [0] * e
        for x, y in product(powers, repeat=2):
            coefficients[(x - y) % e] += v - 1
        coefficients[0] -= k * (v - k)
        if fmpz_poly(coefficients) % _cyclotomic(e):
            flat = False
            break
    is_set = len(_difference_counts(orders, members)) == 1
    return "" if is_set == flat else f"difference set: {is_set}, flat characters: {flat}"


def _built(triple: Triple, *, slip: int = 0) -> str:
    verdict = check_difference_set(built_difference_set(triple), triple[2] + slip)
    return "" if verdict.is_accepted else verdict.reason


def _complement(triple: Triple, *, same: bool = False) -> str:
    v, k, lam = triple
    other = complement_difference_set(built_difference_set(triple))
    verdict = check_difference_set(other, lam if same else v - 2 * k + lam)
    return "" if verdict.is_accepted else verdict.reason


def _multipliers(triple: Triple, *, primes_of_k: bool = False) -> str:
    """Every multiplier that the theorems promise is one."""
    v, k, lam = triple
    candidate = built_difference_set(triple)
    if not isinstance(candidate.group, CyclicProduct):
        return ""
    exponent = lcm(*candidate.group.orders)
    promised = set(guaranteed_multipliers(v, k, lam, exponent))
    if primes_of_k:
        promised = {p % exponent for p, _ in factorize(k).primes if gcd(p, v) == 1}
    found = {t % exponent for t in numerical_multipliers(candidate)}
    missing = sorted(promised - found)
    return f"{missing} are no multipliers" if missing else ""


def _minus_one(triple: Triple, *, any_group: bool = False) -> str:
    """-1 is no multiplier of a nontrivial cyclic difference set."""
    candidate = built_difference_set(triple)
    if not isinstance(candidate.group, CyclicProduct) or not triple[2]:
        return ""
    exponent = lcm(*candidate.group.orders)
    if not any_group and exponent != candidate.group.order:
        return ""
    found = {t % exponent for t in numerical_multipliers(candidate)}
    has = (exponent - 1) % exponent in found
    return "-1 is a multiplier" if has else ""


def _minus_one_of_subsets(instance: Any, *, trivial_too: bool = False) -> str:
    orders, members = instance
    v, k = orders[0], len(members)
    if len(_difference_counts(orders, members)) != 1 or (not 1 < k < v - 1 and not trivial_too):
        return ""
    negative = {-x % v for x in members}
    shifted = any({(x + t) % v for x in members} == negative for t in range(v))
    return "-1 is a multiplier" if shifted else ""


def _fixed(triple: Triple, *, shifted: bool = False) -> str:
    """If gcd(k, v) = 1 the translate of sum 0 is fixed by every multiplier."""
    v, k, _ = triple
    candidate = built_difference_set(triple)
    if gcd(k, v) != 1 or not isinstance(candidate.group, CyclicProduct):
        return ""
    if len(candidate.group.orders) != 1:
        return ""
    members = set(fixed_translate(candidate).elements)
    if shifted:
        members = {(x + 1) % v for x in members}
    for t in numerical_multipliers(candidate):
        if {t * x % v for x in members} != members:
            return f"the multiplier {t} moves it"
    return ""


CLAIMS: tuple[Claim, ...] = (
    Claim(
        "combinatorics.difference-set-design",
        "a subset of a group is a difference set exactly when its translates are a 2-design",
        f"{_BJL}, VI.1",
        "all subsets of the abelian groups of order up to 12, up to translation",
        "its differences cover the group exactly when its translates are a 2-design",
        (
            Exhaustive(
                subsets_of_groups(),
                _design_equivalence,
                lambda instance: _design_equivalence(instance, covers=True),
                size=12,
                smallest=3,
                batch=256,
            ),
        ),
    ),
    Claim(
        "combinatorics.character-modulus",
        "D is a difference set exactly when |chi(D)|^2 = k - lambda for all nontrivial characters",
        f"{_BJL}, VI.3 (Parseval)",
        "all subsets of the abelian groups of order up to 12, in exact cyclotomic integers",
        "the characters of order 2 suffice",
        (
            Exhaustive(
                subsets_of_groups(),
                _character_equivalence,
                lambda instance: _character_equivalence(instance, real_only=True),
                size=12,
                smallest=3,
                batch=128,
            ),
        ),
    ),
    Claim(
        "combinatorics.difference-sets-built",
        "every family member is a difference set with its parameters",
        "the families' own sources",
        "one set for each of the parameters with v <= 150",
        "with lambda + 1",
        (
            Exhaustive(
                difference_set_triples,
                _built,
                lambda t: _built(t, slip=1),
                size=150,
                smallest=7,
                batch=8,
            ),
        ),
    ),
    Claim(
        "combinatorics.difference-set-complement",
        "the complement of a (v, k, lambda) difference set is a (v, v-k, v-2k+lambda) one",
        f"{_BJL}, VI.1",
        "one set for each of the parameters with v <= 150",
        "it has the same lambda",
        (
            Exhaustive(
                difference_set_triples,
                _complement,
                lambda t: _complement(t, same=True),
                size=150,
                smallest=7,
                batch=8,
            ),
        ),
    ),
    Claim(
        "combinatorics.multiplier-theorem",
        "the multipliers that the first and second theorem promise are multipliers",
        "Hall, Ryser 1951; Menon 1960",
        "one set for each of the parameters with v <= 200, in every abelian group that occurs",
        "every prime divisor of k that is prime to v is a multiplier",
        (
            Exhaustive(
                difference_set_triples,
                _multipliers,
                lambda t: _multipliers(t, primes_of_k=True),
                size=200,
                smallest=7,
                batch=8,
            ),
        ),
    ),
    Claim(
        "combinatorics.minus-one",
        "-1 is no multiplier of a nontrivial cyclic difference set",
        f"{_BJL}, VI.4",
        "all subsets of cyclic groups of order up to 13; the sets built with v <= 200",
        "-1 is no multiplier of a difference set in an abelian group, trivial or not",
        (
            Exhaustive(
                subsets_of_groups(cyclic=True),
                _minus_one_of_subsets,
                lambda instance: _minus_one_of_subsets(instance, trivial_too=True),
                size=13,
                smallest=3,
                batch=256,
            ),
            Exhaustive(
                difference_set_triples,
                _minus_one,
                lambda t: _minus_one(t, any_group=True),
                size=200,
                smallest=7,
                batch=8,
            ),
        ),
    ),
    Claim(
        "combinatorics.fixed-translate",
        "if gcd(k, v) = 1, the translate whose elements add to 0 is fixed by every multiplier",
        f"{_BJL}, VI.2",
        "the cyclic sets built with v <= 200",
        "its shift by 1 is fixed too",
        (
            Exhaustive(
                difference_set_triples,
                _fixed,
                lambda t: _fixed(t, shifted=True),
                size=200,
                smallest=7,
                batch=8,
            ),
        ),
    ),
)
