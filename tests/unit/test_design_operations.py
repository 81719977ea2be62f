import pytest

from combinatorics.balanced_design import block_design
from combinatorics.hadamard import hadamard_matrix
from combinatorics.incidence_matrix import hadamard_from_signs
from combinatorics.operations import (
    block_points,
    complement,
    derived_design,
    design_sum,
    dual,
    point_derived_design,
    point_residual_design,
    residual_design,
    truncated_design,
)
from combinatorics.point_lists import design_from_points
from combinatorics.symmetric.hadamard_design import hadamard_3_design
from combinatorics.symmetric.registry import symmetric_design
from verify.kernel.design import check_design, check_pairwise_balanced
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign

FANO = design_from_points(7, [[x, (x + 1) % 7, (x + 3) % 7] for x in range(7)])
SYMMETRIC = [(11, 5, 2), (16, 6, 2), (25, 9, 3), (31, 10, 3), (45, 12, 3), (40, 13, 4)]


@pytest.mark.parametrize(("v", "k", "lambda_"), SYMMETRIC)
def test_derived_and_residual_at_every_block(v, k, lambda_):
    design = symmetric_design(v, k, lambda_).design
    for block in range(0, v, 5):
        derived, residual = derived_design(design, block), residual_design(design, block)
        assert (derived.v, residual.v) == (k, v - k)
        assert len(derived.blocks) == len(residual.blocks) == v - 1
        assert check_design(derived, lambda_, lambda_ - 1).is_accepted
        assert check_design(residual, k - lambda_, lambda_).is_accepted


def test_derived_and_residual_by_hand():
    design = symmetric_design(11, 5, 2).design
    chosen = block_points(design.blocks[3])
    others = [block for index, block in enumerate(design.blocks) if index != 3]
    inside = [[chosen.index(x) for x in block_points(block) if x in chosen] for block in others]
    assert derived_design(design, 3) == design_from_points(5, inside)
    left = [x for x in range(11) if x not in chosen]
    outside = [[left.index(x) for x in block_points(block) if x in left] for block in others]
    assert residual_design(design, 3) == design_from_points(6, outside)


def test_derived_and_residual_refuse():
    affine = block_design(9, 3, 1).design
    with pytest.raises(InputError, match="not a symmetric design"):
        residual_design(affine)
    with pytest.raises(InputError, match="lambda >= 2"):
        derived_design(FANO)
    square = design_from_points(3, [[0, 1], [0, 1], [1, 2]])
    with pytest.raises(InputError, match="does not meet every block alike"):
        residual_design(square)
    with pytest.raises(InputError, match="k - lambda >= 2"):
        residual_design(symmetric_design(7, 6, 5).design)
    for block in (-1, 7, True):
        with pytest.raises(InputError):
            residual_design(FANO, block)


@pytest.mark.parametrize(("v", "k", "lambda_"), SYMMETRIC)
def test_complement_and_dual(v, k, lambda_):
    design = symmetric_design(v, k, lambda_).design
    assert check_design(complement(design), v - k, v - 2 * k + lambda_).is_accepted
    assert complement(complement(design)) == design
    assert check_design(dual(design), k, lambda_).is_accepted
    assert dual(dual(design)) == design


def test_dual_of_no_blocks():
    with pytest.raises(InputError):
        dual(BlockDesign(3, ()))


def test_truncated_design_keeps_b_r_and_lambda():
    design = symmetric_design(16, 6, 2).design
    cut = truncated_design(design, [0, 3, 15])
    assert (cut.v, len(cut.blocks)) == (13, 16)
    assert check_pairwise_balanced(cut, 6, 2).is_accepted
    assert not check_pairwise_balanced(cut, 6, 3).is_accepted
    assert truncated_design(FANO, []) == FANO
    emptied = truncated_design(FANO, [0, 1, 3])
    assert len(emptied.blocks) == 7
    assert 0 in emptied.blocks


@pytest.mark.parametrize("deleted", [[7], [-1], [0, 0], range(7)])
def test_truncated_design_refuses(deleted):
    with pytest.raises(InputError):
        truncated_design(FANO, deleted)


def test_design_sum_adds_lambda():
    both = design_sum(FANO, FANO, complement(FANO))
    assert len(both.blocks) == 21
    assert check_pairwise_balanced(both, 3 + 3 + 4, 1 + 1 + 2).is_accepted
    with pytest.raises(InputError):
        design_sum()
    with pytest.raises(InputError):
        design_sum(FANO, block_design(9, 3, 1).design)


def test_point_derived_and_residual_of_a_three_design():
    matrix = hadamard_from_signs(hadamard_matrix(12).matrix)
    design = hadamard_3_design(matrix)
    assert check_design(design, 6, 2, 3).is_accepted
    for point in range(12):
        assert check_design(point_derived_design(design, point), 5, 2).is_accepted
        assert check_design(point_residual_design(design, point), 6, 3).is_accepted
    with pytest.raises(InputError):
        point_derived_design(design, 12)
    with pytest.raises(InputError):
        point_derived_design(BlockDesign(1, (1,)))
    with pytest.raises(InputError):
        point_residual_design(BlockDesign(2, (3,)))


def test_block_points():
    assert block_points(0) == []
    assert block_points(0b100101) == [0, 2, 5]
