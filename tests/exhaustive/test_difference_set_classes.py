"""Complete classifications of difference sets agree with the published class counts.

Source of the counts: Peifer (2019), DifSets 2.3.1, results for all groups of an order: (groups,
groups with difference sets, inequivalent difference sets up to complement).
"""

from functools import cache

import pytest

from combinatorics.abelian_group import AbelianGroup, abelian_groups
from combinatorics.difference_sets import chen_difference_set, family_members
from combinatorics.difference_sets.coset_search import all_difference_sets
from combinatorics.difference_sets.equivalence import (
    are_equivalent,
    inequivalent_difference_sets,
)
from combinatorics.difference_sets.orbit_search import classified_difference_sets
from combinatorics.finite_group import abelian_table
from tests.support.small_groups import NON_ABELIAN, all_groups
from verify.kernel.design import check_difference_set
from verify.kernel.incidence import DifferenceSet

PUBLISHED = {
    (16, 6, 2): (14, 12, 27),
    (21, 5, 1): (2, 2, 2),
    (27, 13, 6): (5, 2, 3),
    (36, 15, 6): (14, 9, 35),
    (40, 13, 4): (14, 2, 2),
    (45, 12, 3): (2, 1, 2),
}

ABELIAN_CLASSES = {
    (16, 6, 2): {(16,): 0, (8, 2): 2, (4, 4): 3, (4, 2, 2): 2, (2, 2, 2, 2): 1},
    (36, 15, 6): {(4, 9): 0, (2, 2, 9): 0, (4, 3, 3): 4, (2, 2, 3, 3): 3},
    (40, 13, 4): {(8, 5): 1, (4, 2, 5): 0, (2, 2, 2, 5): 0},
    (45, 12, 3): {(9, 5): 0, (3, 3, 5): 2},
}


@cache
def _abelian_classes(parameters):
    v, k, lambda_ = parameters
    return {group.orders: _classes(abelian_table(group), k, lambda_) for group in abelian_groups(v)}


def _classes(group, k, lambda_):
    found = all_difference_sets(group, k, lambda_)
    table = group.cayley_table
    for elements in found:
        assert len(elements) == k
        assert check_difference_set(DifferenceSet(table, elements), lambda_).is_accepted
    return len(found)


@pytest.mark.parametrize("order", sorted(NON_ABELIAN))
def test_the_lists_of_groups_hold_different_groups(order):
    groups = all_groups(order)
    kinds = {
        (
            tuple(sorted(group.element_orders().tolist())),
            len(group.automorphisms()) if order != 16 or group.element_orders().max() > 2 else 0,
            len(group.normal_subgroups()),
        )
        for group in groups
    }
    assert len(kinds) == len(groups) == {16: 14, 21: 2, 27: 5, 36: 14, 40: 14, 45: 2}[order]


@pytest.mark.parametrize(
    "parameters",
    [
        pytest.param(p, marks=pytest.mark.slow) if p == (36, 15, 6) else p  # half a minute
        for p in PUBLISHED
    ],
)
def test_class_counts_of_all_groups_of_an_order(parameters):
    v, k, lambda_ = parameters
    counts = [_classes(group, k, lambda_) for group in NON_ABELIAN[v]()]
    counts += _abelian_classes(parameters).values()
    assert (len(counts), sum(c > 0 for c in counts), sum(counts)) == PUBLISHED[parameters]


@pytest.mark.parametrize("parameters", ABELIAN_CLASSES)
def test_class_counts_of_abelian_groups(parameters):
    assert _abelian_classes(parameters) == ABELIAN_CLASSES[parameters]


@pytest.mark.parametrize(
    ("orders", "parameters", "classes"),
    [
        # Baumert (1971), Cyclic Difference Sets: the numbers of inequivalent cyclic sets.
        ((21,), (21, 5, 1), 1),
        ((31,), (31, 15, 7), 2),
        ((40,), (40, 13, 4), 1),
        ((43,), (43, 21, 10), 2),
        ((63,), (63, 31, 15), 2),
        ((91,), (91, 10, 1), 1),
        ((133,), (133, 33, 8), 1),
        ((111,), (111, 11, 1), 0),
        ((2, 2, 2, 5), (40, 13, 4), 0),
        pytest.param((127,), (127, 63, 31), 6, marks=pytest.mark.slow),
        pytest.param((121,), (121, 40, 13), 4, marks=pytest.mark.slow),
    ],
)
def test_class_counts_by_multipliers(orders, parameters, classes):
    found = classified_difference_sets(AbelianGroup(orders), *parameters[1:])
    assert len(found) == classes
    for candidate in found:
        assert check_difference_set(candidate, parameters[2]).is_accepted


@pytest.mark.parametrize("parameters", [(31, 15, 7), (63, 31, 15), (133, 33, 8), (40, 13, 4)])
def test_the_families_reach_every_cyclic_class(parameters):
    group = AbelianGroup((parameters[0],))
    members = [member.build() for member in family_members(*parameters)]
    cyclic = [member for member in members if member.group.orders == group.orders]
    found = inequivalent_difference_sets(cyclic)
    complete = classified_difference_sets(group, *parameters[1:])
    assert len(found) == len(complete)
    assert all(any(are_equivalent(x, y) for y in complete) for x in found)


@pytest.mark.parametrize("orders", [(2, 2, 3, 3), (4, 3, 3)])
def test_the_formula_of_order_36_is_among_the_classes(orders):
    group = AbelianGroup(orders)
    classes = [
        DifferenceSet(group.cyclic_product, elements)
        for elements in all_difference_sets(abelian_table(group), 15, 6)
    ]
    built = chen_difference_set(3, 1)
    if orders == (2, 2, 3, 3):
        assert sum(are_equivalent(built, candidate) for candidate in classes) == 1
    assert len(inequivalent_difference_sets(classes)) == len(classes)
