import random
import sys
from itertools import permutations

import pytest

from combinatorics.balanced_design import block_design
from combinatorics.operations import block_points, dual
from combinatorics.point_lists import design_from_points
from combinatorics.symmetric.registry import symmetric_design
from verify.kernel.incidence import BlockDesign

pytest.importorskip("pynauty")

from combinatorics.isomorphism import (
    automorphism_group_order,
    canonical_form,
    is_isomorphic,
)


def moved(design, images, rng=None):
    blocks = [[images[x] for x in block_points(block)] for block in design.blocks]
    if rng is not None:
        rng.shuffle(blocks)
    return design_from_points(design.v, blocks)


def by_trying_all(design):
    blocks = sorted(design.blocks)
    return sum(
        sorted(moved(design, images).blocks) == blocks for images in permutations(range(design.v))
    )


@pytest.mark.parametrize(
    ("v", "blocks"),
    [
        (4, [[0, 1], [0, 1], [2, 3]]),
        (5, [[0, 1, 2], [2, 3, 4]]),
        (6, [[0, 1, 2], [3, 4, 5], [0, 3], [1, 4]]),
        (4, []),
        (3, [[], [0, 1, 2], [0]]),
        (5, [[0, 1], [1, 2], [2, 3], [3, 4], [4, 0]]),
    ],
)
def test_group_order_by_trying_all_permutations(v, blocks):
    design = design_from_points(v, blocks)
    assert automorphism_group_order(design) == by_trying_all(design)


@pytest.mark.parametrize(
    ("parameters", "order"),
    [((7, 3, 1), 168), ((13, 4, 1), 5616), ((15, 7, 3), 20160), ((16, 6, 2), 11520)],
)
def test_group_orders_of_known_designs(parameters, order):
    assert automorphism_group_order(symmetric_design(*parameters).design) == order


def test_a_group_order_beyond_floats():
    # PGL(7, 2), over 2^53.
    expected = 1
    for i in range(7):
        expected *= 2**7 - 2**i
    assert automorphism_group_order(symmetric_design(127, 63, 31).design) == expected


@pytest.mark.parametrize("seed", range(5))
def test_renumbering_does_not_change_the_canonical_form(seed):
    rng = random.Random(seed)
    design = symmetric_design(25, 9, 3).design
    images = rng.sample(range(25), 25)
    other = moved(design, images, rng)
    assert canonical_form(other) == canonical_form(design)
    assert is_isomorphic(design, other)


def test_designs_that_differ():
    assert not is_isomorphic(block_design(7, 3, 1).design, block_design(9, 3, 1).design)
    square = design_from_points(4, [[0, 1], [1, 2], [2, 3], [3, 0]])
    triangle = design_from_points(4, [[0, 1], [1, 2], [2, 0], [3, 0]])
    assert not is_isomorphic(square, triangle)
    assert not is_isomorphic(square, BlockDesign(4, square.blocks[:3]))


def test_a_design_and_its_dual():
    fano = symmetric_design(7, 3, 1).design
    assert is_isomorphic(fano, dual(fano))


def test_without_pynauty_the_error_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "pynauty", None)
    with pytest.raises(ModuleNotFoundError, match=r"exactdp\[isomorphism\]"):
        canonical_form(symmetric_design(7, 3, 1).design)
