"""The kernel's incidence types refuse what is none, and the checks name the first violation."""

from itertools import combinations, product

import pytest

from combinatorics.point_lists import design_from_points
from verify.kernel.design import (
    check_design,
    check_difference_set,
    check_hadamard,
    check_pairwise_balanced,
)
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import (
    BlockDesign,
    CayleyTable,
    CyclicProduct,
    DifferenceSet,
    HadamardMatrix,
    transpose,
)

FANO = [[0, 1, 3], [1, 2, 4], [2, 3, 5], [3, 4, 6], [4, 5, 0], [5, 6, 1], [6, 0, 2]]


def test_fano_plane_is_a_design():
    verdict = check_design(design_from_points(7, FANO), 3, 1)
    assert verdict.is_accepted
    assert verdict.details["b"] == 7


def test_repeated_blocks_are_allowed():
    design = design_from_points(7, FANO * 2)
    assert check_design(design, 3, 2).is_accepted
    assert not check_design(design, 3, 1).is_accepted


def test_the_first_violating_pair_and_its_count_are_named():
    blocks = [*FANO[:-1], [6, 0, 1]]
    verdict = check_design(design_from_points(7, blocks), 3, 1)
    assert verdict.details == {"points": (0, 1), "count": 2}
    assert "points 0, 1: on 2 blocks, not 1" in verdict.reason


def test_a_block_of_another_size_is_named():
    verdict = check_design(design_from_points(7, [*FANO[:3], [0, 1]]), 3, 1)
    assert verdict.details == {"block": 3, "count": 2}


def test_no_blocks_are_no_design():
    assert check_design(BlockDesign(3, ()), 2, 1).details == {"points": (0, 1), "count": 0}


@pytest.mark.parametrize(("v", "k", "t"), [(1, 2, 2), (1, 3, 2), (3, 4, 4), (4, 5, 5)])
def test_claims_about_nothing_are_rejected(v, k, t):
    assert not check_design(BlockDesign(v, ()), k, 5, t).is_accepted
    assert not check_design(BlockDesign(v, ((1 << v) - 1,)), k, 5, t).is_accepted


def test_one_point_and_one_element_show_no_lambda():
    assert not check_pairwise_balanced(BlockDesign(1, (1,)), 1, 7).is_accepted
    for group in (CyclicProduct(()), CyclicProduct((1, 1)), CayleyTable(((0,),))):
        assert not check_difference_set(DifferenceSet(group, (0,)), 7).is_accepted
    fano, design = DifferenceSet(CyclicProduct((7,)), (1, 2, 4)), design_from_points(7, FANO)
    for wrong in (True, 1.0, -1):
        with pytest.raises(InputError):
            check_difference_set(fano, wrong)
        with pytest.raises(InputError):
            check_pairwise_balanced(design, 3, wrong)


@pytest.mark.parametrize("t", [1, 2, 3, 4, 5])
def test_complete_designs_of_every_strength(t):
    design = design_from_points(7, list(combinations(range(7), 5)))
    expected = {1: 15, 2: 10, 3: 6, 4: 3, 5: 1}[t]
    assert check_design(design, 5, expected, t).is_accepted
    assert not check_design(design, 5, expected + 1, t).is_accepted
    lacking = BlockDesign(7, design.blocks[1:])
    verdict = check_design(lacking, 5, expected, t)
    assert verdict.details == {"points": tuple(range(t)), "count": expected - 1}


def test_a_steiner_system_with_five_points_on_one_block():
    # The (12, 6) blocks of S(5, 6, 12): images of the squares modulo 11 under PSL(2, 11).
    infinity, base = 11, frozenset({0, 1, 3, 4, 5, 9})

    def shift(x):
        return x if x == infinity else (x + 1) % 11

    def scale(x):
        return x if x == infinity else 3 * x % 11

    def invert(x):
        return 0 if x == infinity else infinity if x == 0 else -pow(x, -1, 11) % 11

    blocks, frontier = {base}, [base]
    while frontier:
        block = frontier.pop()
        for move in (shift, scale, invert):
            image = frozenset(map(move, block))
            if image not in blocks:
                blocks.add(image)
                frontier.append(image)
    assert len(blocks) == 132
    design = design_from_points(12, [sorted(block) for block in blocks])
    assert check_design(design, 6, 1, 5).is_accepted
    assert check_design(design, 6, 4, 4).is_accepted
    assert not check_design(BlockDesign(12, design.blocks[1:]), 6, 1, 5).is_accepted


def test_pairwise_balanced_after_deleting_a_point():
    shortened = [[x for x in block if x != 6] for block in FANO]
    design = design_from_points(6, shortened)
    assert check_pairwise_balanced(design, 3, 1).is_accepted
    assert check_pairwise_balanced(design, 2, 1).details == {"points": (0,), "count": 3}
    assert check_pairwise_balanced(design, 3, 2).details == {"points": (0, 1), "count": 1}


@pytest.mark.parametrize(
    ("v", "blocks", "message"),
    [
        (3, [[0, 3]], "block 0: point"),
        (3, [[0, 1], [0, -1]], "block 1: point"),
        (3, [[0, 0]], "repeated"),
        (3, [[0, True]], "not an integer"),
        (3, [[0, 1.0]], "not an integer"),
        (0, [], "v:"),
        (-7, [], "v:"),
        (10**30, [[0]], "v:"),
        (True, [], "v:"),
    ],
)
def test_block_designs_refuse(v, blocks, message):
    with pytest.raises(InputError, match=message):
        design_from_points(v, blocks)


def test_bitsets_out_of_range_are_refused():
    for blocks in ((8,), (-1,), (True,), (1.0,)):
        with pytest.raises(InputError, match="block 0"):
            BlockDesign(3, blocks)


def test_sizes_over_the_limit_are_refused_before_any_work():
    with pytest.raises(LimitError):
        BlockDesign(2**20, (1,) * 2**10)
    with pytest.raises(LimitError):
        design_from_points(2**20, [[0]] * 2**10)
    with pytest.raises(LimitError):
        HadamardMatrix(8193, (0,) * 8193)
    with pytest.raises(LimitError):
        CyclicProduct((2**20, 2**20))
    with pytest.raises(LimitError):
        CyclicProduct((1,) * 65)
    with pytest.raises(LimitError):
        check_design(BlockDesign(300, ((1 << 300) - 1,)), 300, 1, 5)
    with pytest.raises(LimitError):
        check_hadamard(HadamardMatrix(8000, (0,) * 8000))
    with pytest.raises(LimitError):
        check_design(BlockDesign(64, (31,) * 2**20), 5, 1, 5)
    with pytest.raises(LimitError):
        DifferenceSet(CyclicProduct((20000,)), tuple(range(10000)))
    with pytest.raises(LimitError):
        CayleyTable(((0,),) * 2000)


@pytest.mark.parametrize(
    ("k", "lambda_", "t"), [(1, 1, 2), (3, 0, 2), (3, 1, 6), (3, 1, 0), (3.0, 1, 2), (3, True, 2)]
)
def test_senseless_parameters_are_refused(k, lambda_, t):
    with pytest.raises(InputError):
        check_design(design_from_points(7, FANO), k, lambda_, t)


def test_false_claims_beyond_the_size_are_rejected():
    design = design_from_points(7, FANO)
    assert not check_design(design, 8, 1).is_accepted
    assert not check_design(design, 3, 100).is_accepted
    assert not check_pairwise_balanced(design, 100, 1).is_accepted
    assert not check_difference_set(DifferenceSet(CyclicProduct((7,)), (1, 2, 4)), 100).is_accepted


def test_hadamard_matrices():
    assert check_hadamard(HadamardMatrix(1, (0,))).is_accepted
    assert check_hadamard(HadamardMatrix(2, (0, 2))).is_accepted
    assert check_hadamard(HadamardMatrix(4, (0, 10, 12, 6))).is_accepted
    verdict = check_hadamard(HadamardMatrix(4, (0, 10, 12, 5)))
    assert verdict.details == {"rows": (1, 3), "count": -4}
    assert not check_hadamard(HadamardMatrix(3, (0, 1, 2))).is_accepted


@pytest.mark.parametrize(("order", "rows"), [(2, (0,)), (2, (0, 4)), (2, (0, 1, 2)), (0, ())])
def test_hadamard_refuses(order, rows):
    with pytest.raises(InputError):
        HadamardMatrix(order, rows)


def test_difference_sets_in_cyclic_products():
    assert check_difference_set(DifferenceSet(CyclicProduct((7,)), (1, 2, 4)), 1).is_accepted
    verdict = check_difference_set(DifferenceSet(CyclicProduct((7,)), (1, 2, 3)), 1)
    assert verdict.details == {"element": 1, "count": 2}
    sixteen = DifferenceSet(CyclicProduct((2, 2, 2, 2)), (1, 2, 4, 8, 3, 12))
    assert check_difference_set(sixteen, 2).is_accepted
    assert not check_difference_set(
        DifferenceSet(CyclicProduct((16,)), (1, 2, 4, 8, 3, 12)), 2
    ).is_accepted


@pytest.mark.parametrize("elements", [(7,), (-1,), (1, 1), (True,), (1.0,)])
def test_difference_sets_refuse(elements):
    with pytest.raises(InputError):
        DifferenceSet(CyclicProduct((7,)), elements)


@pytest.mark.parametrize("orders", [(0,), (-3,), (2.0,), (True,)])
def test_cyclic_products_refuse(orders):
    with pytest.raises(InputError):
        CyclicProduct(orders)


def test_elements_are_numbered_in_mixed_radix():
    group, elements = CyclicProduct((2, 3, 4)), list(product(range(2), range(3), range(4)))
    for x in range(1, 24):
        minus = tuple(-a % n for a, n in zip(elements[x], (2, 3, 4), strict=True))
        expected = [0] * 24
        for place in (0, 0, x, elements.index(minus)):
            expected[place] += 1
        assert group.quotient_counts((0, x)) == expected


S3 = (
    (0, 1, 2, 3, 4, 5),
    (1, 2, 0, 4, 5, 3),
    (2, 0, 1, 5, 3, 4),
    (3, 5, 4, 0, 2, 1),
    (4, 3, 5, 1, 0, 2),
    (5, 4, 3, 2, 1, 0),
)


def test_cayley_tables():
    group = CayleyTable(S3)
    assert group.order == 6
    # The quotients of the three reflections and the identity, counted by hand.
    assert group.quotient_counts([0, 3]) == [2, 0, 0, 2, 0, 0]
    assert group.quotient_counts([3, 4]) == [2, 1, 1, 0, 0, 0]
    everything = DifferenceSet(group, tuple(range(6)))
    assert check_difference_set(everything, 6).is_accepted


LOOP = ((0, 1, 2, 3, 4), (1, 0, 3, 4, 2), (2, 4, 0, 1, 3), (3, 2, 4, 0, 1), (4, 3, 1, 2, 0))


@pytest.mark.parametrize(
    "rows",
    [
        (),
        ((1,),),
        ((0, 1), (1, 1)),
        ((0, 1), (0, 1)),
        ((0,), (1,)),
        ((0, 1), (1, 0, 0)),
        ((0, 1), (1, False)),
        ((0, 1), (1, 0.0)),
        LOOP,  # a Latin square with identity that is not associative
    ],
)
def test_cayley_tables_refuse(rows):
    with pytest.raises(InputError):
        CayleyTable(rows)


def test_transpose_twice_is_the_identity():
    rows = (0b1011, 0b0110, 0b0000)
    assert transpose(rows, 4) == (1, 3, 2, 1)
    assert transpose(transpose(rows, 4), 3) == rows


def digits_of(index, orders):
    """The residues of an element of a product of cyclic groups, the first one leading."""
    found = []
    for n in reversed(orders):
        index, digit = divmod(index, n)
        found.append(digit)
    return found[::-1]


def index_of(digits, orders):
    index = 0
    for digit, n in zip(digits, orders, strict=True):
        index = index * n + digit % n
    return index


@pytest.mark.parametrize(
    "orders", [*((n,) for n in range(1, 36)), (3, 1), (1, 3), (2, 1, 3), (7, 4), (4, 7), (3, 15, 2)]
)
def test_quotients_of_cyclic_products_by_definition(orders):
    """The first elements are the largest, so that their differences fill the widest range."""
    group = CyclicProduct(orders)
    elements = [x for x in reversed(range(group.order)) if x % 3 != 1]
    counts = [0] * group.order
    for x, y in product(elements, repeat=2):
        pairs = zip(digits_of(x, orders), digits_of(y, orders), strict=True)
        counts[index_of([a - b for a, b in pairs], orders)] += 1
    assert group.quotient_counts(tuple(elements)) == counts
