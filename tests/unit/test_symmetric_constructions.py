import numpy as np
import pytest

from combinatorics.hadamard import hadamard_matrix, regular_hadamard_matrix
from combinatorics.incidence_matrix import hadamard_from_signs, sign_matrix
from combinatorics.symmetric.affine import (
    brouwer_design,
    rajkundlia_mitchell_ionin_design,
    wallis_design,
)
from combinatorics.symmetric.family import FAMILIES
from combinatorics.symmetric.hadamard_design import (
    hadamard_2_design,
    hadamard_3_design,
    menon_design,
    normalised,
)
from combinatorics.symmetric.productive import (
    bush_type_hadamard,
    bush_type_sequence,
    parallel_class_sequence,
    productive_design,
)
from combinatorics.symmetric.registry import symmetric_design, symmetric_design_plans
from combinatorics.symmetric.sporadic import (
    gewirtz_biplane,
    golay_octads,
    higman_design,
    stored_design,
    stored_designs,
)
from verify.kernel.design import check_design, check_hadamard
from verify.kernel.errors import InputError


def matrix(n, seed=None):
    signs = hadamard_matrix(n).matrix.copy()
    if seed is not None:
        rng = np.random.default_rng(seed)
        signs *= rng.choice([-1, 1], size=(n, 1)).astype(np.int8)
        signs *= rng.choice([-1, 1], size=(1, n)).astype(np.int8)
    return hadamard_from_signs(signs)


def accepted(design, k, lambda_, t=2):
    return check_design(design, k, lambda_, t).is_accepted


@pytest.mark.parametrize("n", [8, 12, 16, 20, 36, 92])
@pytest.mark.parametrize("seed", [None, 1])
def test_hadamard_designs_of_unnormalised_matrices(n, seed):
    m = n // 4
    h = matrix(n, seed)
    signs = normalised(h)
    assert (signs[0] == 1).all()
    assert (signs[:, 0] == 1).all()
    assert accepted(hadamard_2_design(h), 2 * m - 1, m - 1)
    if n <= 36:
        assert accepted(hadamard_3_design(h), 2 * m, m - 1, 3)


@pytest.mark.parametrize("n", [1, 2, 4])
def test_small_orders_give_no_hadamard_design(n):
    for construct in (hadamard_2_design, hadamard_3_design):
        with pytest.raises(InputError, match="multiple of 4"):
            construct(matrix(n))


@pytest.mark.parametrize("t", [2, 3, 5, 7])
@pytest.mark.parametrize("sign", [1, -1])
def test_menon_designs(t, sign):
    h = hadamard_from_signs(sign * regular_hadamard_matrix(4 * t * t).matrix)
    assert accepted(menon_design(h), 2 * t * t - t, t * t - t)


def test_menon_needs_a_regular_matrix():
    with pytest.raises(InputError, match="equal sums"):
        menon_design(matrix(16))


@pytest.mark.parametrize(("q", "d"), [(2, 2), (2, 3), (3, 2), (4, 2), (5, 2), (3, 3)])
def test_wallis(q, d):
    r = (q**d - 1) // (q - 1)
    design = wallis_design(q, d)
    assert design.v == q**d * (r + 1)
    lambda_ = q ** (d - 1) * (q ** (d - 1) - 1) // (q - 1)
    assert accepted(design, q ** (d - 1) * r, lambda_)


@pytest.mark.parametrize(
    ("q", "d", "m"), [(2, 2, 1), (2, 2, 2), (2, 2, 4), (3, 2, 2), (4, 2, 2), (2, 3, 2), (8, 2, 1)]
)
def test_rajkundlia_mitchell_ionin(q, d, m):
    r = (q**d - 1) // (q - 1)
    design = rajkundlia_mitchell_ionin_design(q, d, m)
    assert design.v == 1 + q * r * (r**m - 1) // (r - 1)
    assert accepted(design, r**m, r ** (m - 1) * (r - 1) // q)


@pytest.mark.parametrize(("r", "m"), [(3, 1), (3, 3), (5, 2), (7, 2), (9, 2), (11, 2)])
def test_brouwer(r, m):
    design = brouwer_design(hadamard_2_design(matrix(2 * r + 2)), m)
    assert design.v == 1 + 2 * r * (r**m - 1) // (r - 1)
    assert accepted(design, r**m, r ** (m - 1) * (r - 1) // 2)


def test_arguments_of_affine_constructions_are_refused():
    for construct in (
        lambda: wallis_design(2, 1),
        lambda: wallis_design(6, 2),
        lambda: rajkundlia_mitchell_ionin_design(5, 2, 1),  # r = 6
        lambda: rajkundlia_mitchell_ionin_design(2, 2, 0),
        lambda: brouwer_design(hadamard_2_design(matrix(32)), 2),  # r = 15
        lambda: brouwer_design(hadamard_2_design(matrix(8)), 0),
    ):
        with pytest.raises(InputError):
            construct()


def products_depend_on_the_difference(sequence):
    g = len(sequence)
    wide = sequence.astype(np.int64)
    first = [wide[s] @ wide[0].T for s in range(g)]
    return all(
        (wide[s] @ wide[t].T == first[(s - t) % g]).all() for s in range(g) for t in range(g)
    )


PLANNED = [(16, 6, 2), (45, 12, 3), (40, 27, 18), (25, 16, 10)]
SEQUENCES = [
    ("bush", bush_type_sequence(bush_type_hadamard(matrix(4)), -1)),
    ("bush+", bush_type_sequence(bush_type_hadamard(matrix(4)), 1)),
    ("bush2", bush_type_sequence(bush_type_hadamard(matrix(2)), 1)),
    ("mcfarland", parallel_class_sequence(2, 2, "mcfarland")),
    ("complement", parallel_class_sequence(2, 2, "mcfarland", complemented=True)),
    ("mcfarland 3", parallel_class_sequence(3, 2, "mcfarland")),
    ("spence", parallel_class_sequence(3, 2, "spence")),
    ("spence complement", parallel_class_sequence(3, 2, "spence", complemented=True)),
]


@pytest.mark.parametrize("sequence", [s for _, s in SEQUENCES], ids=[n for n, _ in SEQUENCES])
def test_productive_families(sequence):
    g, v, _ = sequence.shape
    k = int(sequence[0, 0].sum())
    lambda_ = k * (k - 1) // (v - 1)
    assert products_depend_on_the_difference(sequence)
    assert len(np.unique(sequence.sum(axis=0, dtype=np.int64))) == 1
    for member in sequence:
        expected = (k - lambda_) * np.eye(v, dtype=np.int64) + lambda_
        assert (member.astype(np.int64) @ member.T == expected).all()
    q = k * k // (k - lambda_)
    assert (q - 1) % g == 0


def test_bush_type():
    for n in (2, 4, 8):
        bush = bush_type_hadamard(matrix(n))
        assert check_hadamard(bush).is_accepted
        cells = sign_matrix(bush).reshape(n, n, n, n).transpose(0, 2, 1, 3)
        for i in range(n):
            for j in range(n):
                assert (cells[i, j] == 1).all() if i == j else not cells[i, j].sum(axis=0).any()
                assert i == j or not cells[i, j].sum(axis=1).any()
    with pytest.raises(InputError):
        bush_type_hadamard(matrix(1))


@pytest.mark.parametrize(
    ("index", "k", "lambda_"), [(0, 54, 18), (1, 250, 150), (2, 27, 18), (3, 54, 18), (5, 192, 48)]
)
def test_productive_designs(index, k, lambda_):
    sequence = SEQUENCES[index][1]
    assert accepted(productive_design(sequence, 2), k, lambda_)


def test_productive_designs_are_refused():
    with pytest.raises(InputError, match="prime power"):
        productive_design(parallel_class_sequence(5, 2, "mcfarland"), 2)  # Q = 36
    with pytest.raises(InputError):
        productive_design(SEQUENCES[0][1], 0)
    for arguments in ((2, 2, "spence"), (2, 1, "mcfarland"), (2, 2, "other")):
        with pytest.raises(InputError):
            parallel_class_sequence(*arguments)


@pytest.mark.parametrize("parameters", sorted(stored_designs()))
def test_stored_designs(parameters):
    _, k, lambda_ = parameters
    assert accepted(stored_design(*parameters), k, lambda_)
    assert stored_designs()[parameters].source


def test_nothing_else_is_stored():
    with pytest.raises(InputError, match="not stored"):
        stored_design(71, 21, 6)


def test_golay_octads_are_a_steiner_system():
    octads = golay_octads()
    assert len(octads) == 759
    assert {(a & b).bit_count() for a in octads for b in octads if a != b} == {0, 2, 4}


def test_designs_of_the_golay_code():
    assert accepted(gewirtz_biplane(), 11, 2)
    assert accepted(higman_design(), 50, 14)


@pytest.mark.parametrize("family", FAMILIES, ids=[family.name for family in FAMILIES])
def test_every_family_recognises_its_members(family):
    """Build all members with v <= 130, and compare with the plans for their parameters."""
    members = 0
    for v in range(4, 131):
        for k in range(2, v):
            lambda_, remainder = divmod(k * (k - 1), v - 1)
            if remainder or lambda_ == 0:
                continue
            applicable = family.is_applicable(v, k, lambda_)
            assert applicable == any(True for _ in family.arguments(v, k, lambda_))
            for arguments in family.arguments(v, k, lambda_):
                members += 1
                design = family.build(*arguments)
                assert design.v == len(design.blocks) == v
                assert accepted(design, k, lambda_)
                assert family.reference in family.construction(arguments).reference
    assert not any(family.is_applicable(*p) for p in [(7, 3, 2), (9, 3, 1), (-7, 3, 1), (7, 7, 7)])
    if "Ionin, from" not in family.name and family.name != "Higman's design":
        assert members


@pytest.mark.parametrize(
    ("v", "k", "lambda_"), [(16, 6, 2), (45, 12, 3), (40, 27, 18), (25, 16, 10)]
)
def test_every_plan_builds_the_design(v, k, lambda_):
    plans = list(symmetric_design_plans(v, k, lambda_))
    assert plans
    assert symmetric_design(v, k, lambda_).construction == plans[0].construction
    for plan in plans:
        built = plan.build()
        assert built.construction == plan.construction
        assert (built.v, built.k, built.lambda_) == (v, k, lambda_)
        assert accepted(built.design, k, lambda_), plan.construction
        if built.difference_set is not None:
            assert len(built.difference_set.elements) == k
