"""The searches against brute force that shares no code with them: all k-subsets of small groups."""

from itertools import combinations, permutations, product
from math import gcd

import pytest

from combinatorics.abelian_group import AbelianGroup
from combinatorics.difference_sets import (
    family_members,
    paley_difference_set,
    quartic_difference_set,
    singer_difference_set,
    sporadic_difference_set,
)
from combinatorics.difference_sets.coset_search import all_difference_sets
from combinatorics.difference_sets.equivalence import are_equivalent, equivalence
from combinatorics.difference_sets.multiplier import (
    first_theorem_multipliers,
    fixed_translate,
    guaranteed_multipliers,
    multiplier_automorphisms,
    numerical_multipliers,
    second_theorem_multipliers,
)
from combinatorics.difference_sets.orbit_search import (
    classified_difference_sets,
    difference_sets_fixed_by,
)
from combinatorics.finite_group import abelian_table
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import CyclicProduct, DifferenceSet


def _brute_force(orders, k, lambda_):
    """All difference sets, and how many classes they have, over tuples of residues."""
    elements = list(product(*map(range, orders)))

    def add(x, y):
        return tuple((a + b) % n for a, b, n in zip(x, y, orders, strict=True))

    def minus(x, y):
        return tuple((a - b) % n for a, b, n in zip(x, y, orders, strict=True))

    found = set()
    for subset in combinations(elements, k):
        counts = dict.fromkeys(elements, 0)
        for x, y in permutations(subset, 2):
            counts[minus(x, y)] += 1
        if all(count == lambda_ for x, count in counts.items() if any(x)):
            found.add(frozenset(subset))
    units = [tuple(int(i == j) for j in range(len(orders))) for i in range(len(orders))]
    automorphisms = []
    for images in product(elements, repeat=len(orders)):
        image = {}
        for x in elements:
            total = (0,) * len(orders)
            for coordinate, unit_image in zip(x, images, strict=True):
                for _ in range(coordinate):
                    total = add(total, unit_image)
            image[x] = total
        homomorphic = all(
            image[add(x, u)] == add(image[x], image[u]) for x in elements for u in units
        )
        if homomorphic and len(set(image.values())) == len(elements):
            automorphisms.append(image)
    classes, remaining = 0, set(found)
    while remaining:
        classes += 1
        subset = next(iter(remaining))
        for image in automorphisms:
            for g in elements:
                remaining.discard(frozenset(add(image[x], g) for x in subset))
    return found, classes


@pytest.mark.parametrize(
    ("orders", "k", "lambda_"),
    [
        ((7,), 3, 1),
        ((11,), 5, 2),
        ((13,), 4, 1),
        ((15,), 7, 3),
        ((3, 5), 7, 3),
        ((8, 2), 6, 2),
        ((4, 4), 6, 2),
        ((16,), 6, 2),
        ((21,), 5, 1),
        ((11,), 6, 3),
    ],
)
def test_classes_agree_with_brute_force(orders, k, lambda_):
    found, classes = _brute_force(orders, k, lambda_)
    group = AbelianGroup(orders)
    searched = all_difference_sets(abelian_table(group), k, lambda_)
    assert len(searched) == classes
    for elements in searched:
        assert frozenset(map(tuple, group.residues(list(elements)).tolist())) in found
    if gcd(k - lambda_, group.order) == 1:
        assert len(classified_difference_sets(group, k, lambda_)) == classes


def test_sets_fixed_by_a_multiplier_agree_with_brute_force():
    found, _ = _brute_force((13,), 4, 1)
    fixed = {s for s in found if frozenset((3 * x % 13,) for (x,) in s) == s}
    listed = difference_sets_fixed_by(AbelianGroup((13,)), 4, 1, (1, 3, 9))
    assert {frozenset((x,) for x in s.elements) for s in listed} == fixed


SMALL_CYCLIC = [
    (7, 3, 1), (11, 5, 2), (13, 4, 1), (15, 7, 3), (19, 9, 4), (21, 5, 1), (23, 11, 5), (31, 6, 1),
    (31, 15, 7), (37, 9, 2), (40, 13, 4), (57, 8, 1), (63, 31, 15), (73, 9, 1), (101, 25, 6),
    (109, 28, 7), (121, 40, 13), (133, 33, 8), (901, 225, 56),
]  # fmt: skip


@pytest.mark.parametrize("parameters", SMALL_CYCLIC)
def test_multipliers_of_cyclic_sets(parameters):
    v, k, lambda_ = parameters
    guaranteed = guaranteed_multipliers(v, k, lambda_, v)
    for member in family_members(v, k, lambda_):
        candidate = member.build()
        if candidate.group != CyclicProduct((v,)):
            continue
        multipliers = numerical_multipliers(candidate)
        elements = set(candidate.elements)
        by_definition = [
            t
            for t in range(1, v if v < 140 else 30)
            if gcd(t, v) == 1
            and any({(t * x - g) % v for x in elements} == elements for g in range(v))
        ]
        assert [t for t in multipliers if t < (v if v < 140 else 30)] == by_definition
        assert set(guaranteed) <= set(multipliers)
        assert {s * t % v for s in multipliers for t in multipliers} == set(multipliers)
        assert v - 1 not in multipliers  # -1 is never a multiplier of a cyclic set
        fixed = fixed_translate(candidate) if gcd(k, v) == 1 else None
        if fixed is not None:
            assert sum(fixed.elements) % v == 0
            for t in multipliers:
                assert {t * x % v for x in fixed.elements} == set(fixed.elements)


def test_multiplier_theorems_on_examples():
    assert first_theorem_multipliers(133, 33, 8) == ()
    assert 5 in second_theorem_multipliers(133, 33, 8, 133)
    assert first_theorem_multipliers(37, 9, 2) == (7,)
    assert second_theorem_multipliers(16, 6, 2, 4) == (1,)
    assert guaranteed_multipliers(37, 9, 2, 37) == tuple(sorted(pow(7, i, 37) for i in range(9)))
    # The complement has the same multipliers.
    assert guaranteed_multipliers(37, 28, 21, 37) == guaranteed_multipliers(37, 9, 2, 37)
    with pytest.raises(InputError):
        guaranteed_multipliers(37, 9, 3, 37)


def test_automorphism_multipliers_contain_the_numerical_ones():
    candidate = sporadic_difference_set(45)
    group = AbelianGroup(candidate.group.orders)
    listed = {images.tobytes() for images in multiplier_automorphisms(candidate)}
    for t in numerical_multipliers(candidate):
        assert group.multiple(group.elements(), t).tobytes() in listed
    full = len(multiplier_automorphisms(candidate))
    assert group.automorphism_count % full == 0


def test_equivalence_gives_the_map():
    first = quartic_difference_set(37)
    second = DifferenceSet(first.group, tuple(sorted((5 * x + 11) % 37 for x in first.elements)))
    found = equivalence(first, second)
    assert found is not None
    moved = {(int(found.automorphism[x]) + found.translation) % 37 for x in first.elements}
    assert moved == set(second.elements)
    # Paley's and Singer's sets of order 31 differ; in other groups nothing is equivalent.
    assert not are_equivalent(paley_difference_set(31), singer_difference_set(2, 4))
    assert not are_equivalent(paley_difference_set(7), paley_difference_set(11))


def test_searches_refuse():
    with pytest.raises(InputError, match="no theorem"):
        classified_difference_sets(AbelianGroup((4, 4)), 6, 2)
    with pytest.raises(LimitError, match="orbits"):
        difference_sets_fixed_by(AbelianGroup((133,)), 33, 8, (1,))
    with pytest.raises(InputError):
        all_difference_sets(abelian_table(AbelianGroup((7,))), 3, 2)
    with pytest.raises(InputError, match="common factor"):
        fixed_translate(sporadic_difference_set(45))
    with pytest.raises(InputError, match="cyclic groups"):
        numerical_multipliers(
            DifferenceSet(abelian_table(AbelianGroup((7,))).cayley_table, (1, 2, 4))
        )
