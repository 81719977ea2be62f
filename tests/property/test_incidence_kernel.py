"""The kernel's counts agree with definitions written out a second time."""

from collections import Counter
from itertools import combinations, product

from hypothesis import given
from hypothesis import strategies as st

from combinatorics.point_lists import design_from_points
from verify.kernel.design import (
    check_design,
    check_difference_set,
    check_hadamard,
    check_pairwise_balanced,
)
from verify.kernel.incidence import CyclicProduct, DifferenceSet, HadamardMatrix


@st.composite
def block_lists(draw):
    v = draw(st.integers(2, 7))
    subsets = st.sets(st.integers(0, v - 1), max_size=v)
    return v, draw(st.lists(subsets, max_size=8))


@given(block_lists(), st.integers(1, 4), st.integers(1, 4), st.integers(1, 3))
def test_design_verdict_is_the_definition(structure, k, lambda_, t):
    v, blocks = structure
    k, t = min(max(k, t), v), min(t, v)
    lambda_ = min(lambda_, len(blocks) + 1)
    counts = {
        points: sum(set(points) <= block for block in blocks)
        for points in combinations(range(v), t)
    }
    truth = all(len(block) == k for block in blocks) and set(counts.values()) == {lambda_}
    verdict = check_design(design_from_points(v, [sorted(b) for b in blocks]), k, lambda_, t)
    assert verdict.is_accepted == truth
    if "points" in verdict.details:
        assert counts[verdict.details["points"]] == verdict.details["count"] != lambda_


@given(block_lists(), st.integers(0, 4), st.integers(0, 4))
def test_pairwise_balance_is_the_definition(structure, r, lambda_):
    v, blocks = structure
    r, lambda_ = min(r, len(blocks) + 1), min(lambda_, len(blocks) + 1)
    truth = all(sum(x in b for b in blocks) == r for x in range(v)) and all(
        sum(x in b and y in b for b in blocks) == lambda_ for x, y in combinations(range(v), 2)
    )
    design = design_from_points(v, [sorted(b) for b in blocks])
    assert check_pairwise_balanced(design, r, lambda_).is_accepted == truth


@given(st.data())
def test_difference_counts_are_the_definition(data):
    orders = tuple(data.draw(st.lists(st.integers(1, 5), min_size=1, max_size=3)))
    group = CyclicProduct(orders)
    elements = sorted(data.draw(st.sets(st.integers(0, group.order - 1))))
    residues = list(product(*map(range, orders)))
    expected = Counter(
        tuple((a - b) % n for a, b, n in zip(residues[x], residues[y], orders, strict=True))
        for x in elements
        for y in elements
    )
    counts = group.quotient_counts(elements)
    assert counts == [expected[residues[g]] for g in range(group.order)]
    lambda_ = counts[-1]
    verdict = check_difference_set(DifferenceSet(group, tuple(elements)), lambda_)
    assert verdict.is_accepted == (set(counts[1:]) == {lambda_})


@given(st.integers(1, 4), st.data())
def test_hadamard_verdict_is_the_definition(order, data):
    entries = data.draw(
        st.lists(
            st.lists(st.sampled_from([1, -1]), min_size=order, max_size=order),
            min_size=order,
            max_size=order,
        )
    )
    rows = tuple(sum(1 << j for j, x in enumerate(row) if x < 0) for row in entries)
    truth = all(
        sum(x * y for x, y in zip(entries[i], entries[j], strict=True)) == 0
        for i, j in combinations(range(order), 2)
    )
    assert check_hadamard(HadamardMatrix(order, rows)).is_accepted == truth
