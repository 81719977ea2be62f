"""Moving a set by a group automorphism and a translation changes nothing that is invariant."""

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

from combinatorics.abelian_group import AbelianGroup
from combinatorics.difference_sets import (
    difference_set,
    paley_difference_set,
    singer_difference_set,
    sporadic_difference_set,
)
from combinatorics.difference_sets.equivalence import equivalence
from combinatorics.difference_sets.multiplier import (
    multiplier_automorphisms,
    numerical_multipliers,
    translation_between,
)
from combinatorics.finite_field import FiniteField
from verify.kernel.design import check_difference_set
from verify.kernel.incidence import DifferenceSet

SETS = [
    (singer_difference_set(2, 3), 3),
    (singer_difference_set(3, 3), 4),
    (difference_set(16, 6, 2), 2),
    (difference_set(36, 15, 6), 6),
    (paley_difference_set(27), 6),
    (sporadic_difference_set(45), 3),
]
AUTOMORPHISMS = [
    list(AbelianGroup(candidate.group.orders).automorphisms()) for candidate, _ in SETS
]


@settings(deadline=None, max_examples=40)
@given(st.data())
def test_a_moved_set_is_equivalent_and_has_the_same_multipliers(data):
    choice = data.draw(st.integers(0, len(SETS) - 1))
    (candidate, lambda_), automorphisms = SETS[choice], AUTOMORPHISMS[choice]
    group = AbelianGroup(candidate.group.orders)
    images = automorphisms[data.draw(st.integers(0, len(automorphisms) - 1))]
    shift = data.draw(st.integers(0, group.order - 1))
    moved_elements = np.sort(group.add(images[list(candidate.elements)], shift))
    moved = DifferenceSet(candidate.group, tuple(moved_elements.tolist()))
    assert check_difference_set(moved, lambda_).is_accepted
    assert numerical_multipliers(moved) == numerical_multipliers(candidate)
    found = equivalence(candidate, moved)
    assert found is not None
    image = group.add(found.automorphism[list(candidate.elements)], found.translation)
    assert set(image.tolist()) == set(moved.elements)
    if group.automorphism_count < 1000:
        before = len(multiplier_automorphisms(candidate))
        assert len(multiplier_automorphisms(moved)) == before


@given(st.sets(st.integers(0, 23), max_size=8), st.integers(0, 23), st.integers(0, 23))
def test_translations_are_found_exactly(elements, shift, spoiled):
    group = AbelianGroup((2, 3, 4))
    first = np.array(sorted(elements), dtype=np.int64)
    second = group.add(first, shift)
    found = translation_between(group, first, second)
    assert found is not None
    assert set(group.add(first, found).tolist()) == set(second.tolist())
    changed = np.array(sorted(set(second.tolist()) ^ {spoiled}), dtype=np.int64)
    assert translation_between(group, first, changed) is None


@given(st.sampled_from([4, 8, 9, 25, 27, 64, 81, 128, 729]), st.data())
def test_fields_are_fields(q, data):
    field = FiniteField(q)
    a, b, c = (data.draw(st.integers(0, q - 1)) for _ in range(3))
    assert field.mul(a, field.add(b, c)) == field.add(field.mul(a, b), field.mul(a, c))
    assert field.power(field.add(a, b), field.p) == field.add(
        field.power(a, field.p), field.power(b, field.p)
    )
    assert field.trace(field.add(a, b)) == (field.trace(a) + field.trace(b)) % field.p
    assert field.power(a, q) == a
    n = data.draw(st.integers(-20, 20))
    if a:
        assert field.mul(field.power(a, n), field.power(a, -n)) == 1
