"""Abelian groups, groups by tables, projective geometry and weighing matrices."""

from itertools import product
from math import factorial

import numpy as np
import pytest

from combinatorics.abelian_group import AbelianGroup, abelian_groups
from combinatorics.finite_group import abelian_table, permutation_group, split_metacyclic_group
from combinatorics.generalised_weighing import (
    balanced_generalised_weighing_matrix,
    is_balanced_generalised_weighing_matrix,
)
from combinatorics.incidence_matrix import (
    design_from_incidence,
    development,
    hadamard_from_signs,
    incidence_matrix,
    sign_matrix,
)
from combinatorics.projective_geometry import (
    affine_points,
    class_labels,
    class_matrix,
    point_hyperplane_design,
    projective_points,
)
from verify.kernel.design import check_design, check_hadamard
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import CyclicProduct, DifferenceSet

GROUPS = [(1,), (6,), (2, 4), (2, 2, 2), (4, 4), (3, 9), (6, 4), (2, 2, 3, 3), (5, 5)]


@pytest.mark.parametrize("orders", GROUPS)
def test_abelian_arithmetic(orders):
    group = AbelianGroup(orders)
    a = group.elements()
    assert (group.indices(group.residues(a)) == a).all()
    sums = group.add(a[:, None], a[None, :])
    assert (sums == sums.T).all()
    assert (group.sub(sums, a[None, :]) == a[:, None]).all()
    assert (group.multiple(a, group.exponent) == 0).all()
    assert (group.multiple(a, -1) == group.sub(0, a)).all()
    orders_of_elements = group.element_orders()
    for n in range(1, group.exponent + 1):
        assert ((group.multiple(a, n) == 0) == (n % orders_of_elements == 0)).all()


def test_elements_by_their_residues():
    group = AbelianGroup((2, 3, 4))
    assert [group.index(x) for x in product(range(2), range(3), range(4))] == list(range(24))
    for residues in ((0, 0), (2, 0, 0), (0, -1, 0), (0, 0, 0, 0), (0, 0, True)):
        with pytest.raises(InputError, match="residue"):
            group.index(residues)


@pytest.mark.parametrize("orders", GROUPS)
def test_automorphisms_are_all_bijective_homomorphisms(orders):
    group = AbelianGroup(orders)
    a = group.elements()
    sums = group.add(a[:, None], a[None, :])
    seen = set()
    for images in group.automorphisms():
        assert (np.sort(images) == a).all()
        assert (images[sums] == group.add(images[:, None], images[None, :])).all()
        seen.add(images.tobytes())
    assert len(seen) == group.automorphism_count


def test_too_many_automorphisms_are_refused():
    assert AbelianGroup((2,) * 6).automorphism_count == 20158709760
    with pytest.raises(LimitError):
        next(AbelianGroup((2,) * 6).automorphisms())


@pytest.mark.parametrize("orders", [(7,), (2, 4), (3, 3)])
def test_characters_are_orthogonal(orders):
    group = AbelianGroup(orders)
    a = group.elements()
    exponents = group.character(a[:, None], a[None, :])
    table = np.exp(2j * np.pi * exponents / group.exponent)
    assert np.allclose(table @ table.conj().T, group.order * np.eye(group.order))
    assert np.allclose(group.character_sums_float([0, 1]), table[:, 0] + table[:, 1])


def test_one_group_of_each_type():
    assert [len(abelian_groups(n)) for n in (1, 2, 4, 8, 16, 32, 36, 72, 30)] == [
        1, 1, 2, 3, 5, 7, 4, 6, 1,
    ]  # fmt: skip
    assert len({g.elementary_divisors for g in abelian_groups(64)}) == 11


def test_groups_by_permutations():
    symmetric = permutation_group([(1, 2, 3, 0), (1, 0, 2, 3)])
    assert symmetric.order == factorial(4)
    assert symmetric.cayley_table.order == 24  # the kernel checks the group laws
    assert [int(m.sum()) for m in symmetric.normal_subgroups()] == [1, 4, 12, 24]
    assert len(symmetric.automorphisms()) == 24
    assert sorted(symmetric.element_orders()) == [1] + [2] * 9 + [3] * 8 + [4] * 6
    quotient = symmetric.quotient(symmetric.normal_subgroups()[1])
    assert sorted(quotient.element_orders()) == [1, 2, 2, 2, 3, 3]
    quaternion = permutation_group([(1, 2, 3, 0, 5, 6, 7, 4), (4, 7, 6, 5, 2, 1, 0, 3)])
    assert sorted(quaternion.element_orders()) == [1, 2, 4, 4, 4, 4, 4, 4]
    assert len(quaternion.automorphisms()) == 24
    with pytest.raises(InputError):
        permutation_group([(0, 0)])


def test_metacyclic_groups():
    frobenius = split_metacyclic_group(7, 3, 2)
    assert frobenius.cayley_table.order == 21
    assert len(frobenius.automorphisms()) == 42
    with pytest.raises(InputError):
        split_metacyclic_group(7, 3, 3)


@pytest.mark.parametrize("orders", [(12,), (2, 4), (2, 2, 2), (3, 3)])
def test_two_ways_to_list_automorphisms_agree(orders):
    group = AbelianGroup(orders)
    listed = {images.tobytes() for images in group.automorphisms()}
    assert {row.tobytes() for row in abelian_table(group).automorphisms()} == listed


@pytest.mark.parametrize(("d", "q"), [(2, 2), (2, 3), (3, 2), (2, 4), (3, 3), (2, 8), (4, 2)])
def test_points_and_hyperplanes_form_a_symmetric_design(d, q):
    design = point_hyperplane_design(d, q)
    points = projective_points(d, q)
    assert len({tuple(p) for p in points.tolist()}) == (q ** (d + 1) - 1) // (q - 1) == design.v
    k, lambda_ = (q**d - 1) // (q - 1), (q ** (d - 1) - 1) // (q - 1)
    assert check_design(design, k, lambda_).is_accepted


@pytest.mark.parametrize(("d", "q"), [(2, 2), (2, 3), (2, 4), (3, 2), (3, 3)])
def test_parallel_classes(d, q):
    labels = class_labels(d, q)
    assert labels.shape == ((q**d - 1) // (q - 1), len(affine_points(d, q)))
    matrices = [class_matrix(row).astype(np.int64) for row in labels]
    ones = np.ones((q**d, q**d), dtype=np.int64)
    for i, left in enumerate(matrices):
        for j, right in enumerate(matrices):
            expected = q ** (d - 1) * left if i == j else q ** (d - 2) * ones
            assert (left @ right.T == expected).all()


@pytest.mark.parametrize(("q", "m", "g"), [(3, 2, 2), (9, 2, 8), (4, 3, 3), (5, 3, 4), (7, 2, 3)])
def test_balanced_generalised_weighing_matrices(q, m, g):
    matrix = balanced_generalised_weighing_matrix(q, m, g)
    assert is_balanced_generalised_weighing_matrix(matrix, g)
    assert ((matrix >= 0).sum(axis=1) == q ** (m - 1)).all()
    spoiled = matrix.copy()
    spoiled[0, np.argmax(spoiled[0] >= 0)] += 1
    assert not is_balanced_generalised_weighing_matrix(spoiled % g, g)


@pytest.mark.parametrize(("q", "m", "g"), [(5, 2, 3), (6, 2, 1), (5, 1, 2), (5, 2, 0)])
def test_weighing_matrices_refuse(q, m, g):
    with pytest.raises(InputError):
        balanced_generalised_weighing_matrix(q, m, g)


def test_arrays_to_kernel_types_and_back():
    rng = np.random.default_rng(5)
    matrix = rng.integers(0, 2, (9, 14))
    assert (incidence_matrix(design_from_incidence(matrix)) == matrix).all()
    signs = np.array([[1, 1], [1, -1]])
    assert (sign_matrix(hadamard_from_signs(signs)) == signs).all()
    assert check_hadamard(hadamard_from_signs(np.kron(signs, signs))).is_accepted


@pytest.mark.parametrize(
    ("matrix", "message"),
    [
        ([[0, 1], [1]], "different lengths"),
        ([[0, 2]], r"entry \(0, 1\) is 2"),
        ([[0, -1]], r"entry \(0, 1\) is -1"),
        ([[0.5]], "0.5"),
        ([0, 1], "rectangular"),
        ([["0"]], "entry"),
    ],
)
def test_incidence_matrices_refuse(matrix, message):
    with pytest.raises(InputError, match=message):
        design_from_incidence(matrix)


@pytest.mark.parametrize("matrix", [[[1, 1]], [[1, 0], [0, 1]], [[1, 1], [1]], [[2]]])
def test_sign_matrices_refuse(matrix):
    with pytest.raises(InputError):
        hadamard_from_signs(matrix)


def test_development_has_one_translate_a_block():
    design = development(DifferenceSet(CyclicProduct((2, 4)), (0, 5)))
    group = AbelianGroup((2, 4))
    expected = [{g, int(group.add(5, g))} for g in range(8)]
    assert [{x for x in range(8) if b >> x & 1} for b in design.blocks] == expected
    table = split_metacyclic_group(7, 3, 2).cayley_table
    assert check_design(development(DifferenceSet(table, tuple(range(21)))), 21, 21).is_accepted
