"""Existence answers against exhaustive search, for every small parameter set."""

from itertools import combinations
from math import comb

import pytest

from combinatorics.abelian_group import abelian_groups
from combinatorics.balanced_design import block_design
from combinatorics.construction import Exists, Impossible
from combinatorics.design_existence import existence
from combinatorics.difference_set_existence import difference_set_existence
from combinatorics.self_conjugacy import difference_set_obstruction
from verify.kernel.design import check_design


def design_exists(v, k, lambda_):
    """Whether a 2-(v, k, lambda) design exists: cover pairs in order, blocks in nondecreasing
    order among those that cover the same first open pair."""
    pairs = {pair: index for index, pair in enumerate(combinations(range(v), 2))}
    blocks = [
        [pairs[pair] for pair in combinations(block, 2)] for block in combinations(range(v), k)
    ]
    starting = [[] for _ in pairs]
    for block in blocks:
        for index in block:
            starting[index].append(block)
    open_counts = [lambda_] * len(pairs)

    def extend(first, allowed):
        while first < len(pairs) and open_counts[first] == 0:
            first, allowed = first + 1, 0
        if first == len(pairs):
            return True
        for place in range(allowed, len(starting[first])):
            block = starting[first][place]
            if all(open_counts[index] for index in block):
                for index in block:
                    open_counts[index] -= 1
                if extend(first, place):
                    return True
                for index in block:
                    open_counts[index] += 1
        return False

    return extend(0, 0)


@pytest.mark.parametrize("v", range(3, 8))
def test_every_small_design(v):
    for k in range(2, v):
        for lambda_ in range(1, 5 if v < 7 else 4):
            answer = existence(v, k, lambda_)
            truth = design_exists(v, k, lambda_)
            assert isinstance(answer, Exists) <= truth, (v, k, lambda_)
            assert isinstance(answer, Impossible) <= (not truth), (v, k, lambda_)
            if isinstance(answer, Exists):
                design = block_design(v, k, lambda_).design
                assert check_design(design, k, lambda_).is_accepted


def test_no_answer_is_unknown_below_7_points():
    for v in range(3, 7):
        for k in range(2, v):
            for lambda_ in range(1, 2 * comb(v - 2, k - 2) + 1):
                answer = existence(v, k, lambda_)
                assert isinstance(answer, Exists | Impossible), (v, k, lambda_)


def difference_set_exists(group, k, lambda_):
    """Whether the group has a (v, k, lambda) difference set, containing 0 after a translation."""
    v = group.order
    difference = [[int(x) for x in group.sub(a, range(v))] for a in range(v)]

    def extend(chosen, counts):
        if len(chosen) == k:
            return True
        for x in range(chosen[-1] + 1, v):
            new = list(counts)
            for y in chosen:
                new[difference[x][y]] += 1
                new[difference[y][x]] += 1
            if max(new) <= lambda_ and extend([*chosen, x], new):
                return True
        return False

    return extend([0], [0] * v)


@pytest.mark.parametrize("v", range(5, 26))
def test_every_small_abelian_difference_set(v):
    for k in range(2, v // 2 + 1):
        lambda_, remainder = divmod(k * (k - 1), v - 1)
        if remainder:
            continue
        found = []
        for group in abelian_groups(v):
            truth = difference_set_exists(group, k, lambda_)
            found.append(truth)
            if difference_set_obstruction(group.orders, k, lambda_) is not None:
                assert not truth, (group.orders, k)
        answer = difference_set_existence(v, k, lambda_)
        assert isinstance(answer, Impossible) <= (not any(found)), (v, k)
        if any(found):
            assert isinstance(answer, Exists), (v, k)
