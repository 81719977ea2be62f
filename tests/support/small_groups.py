"""All groups of some small orders, each built from permutations or as a semidirect product."""

from itertools import product

from combinatorics.abelian_group import abelian_groups
from combinatorics.finite_group import (
    FiniteGroup,
    abelian_table,
    permutation_group,
    split_metacyclic_group,
)

Permutations = list[list[int]]


def regular(orders, action, m) -> Permutations:
    """The semidirect product of Z_orders by Z_m acting by ``action``, as permutations of itself."""
    normal = list(product(*map(range, orders)))
    elements = [(a, i) for a in normal for i in range(m)]
    number = {element: x for x, element in enumerate(elements)}

    def multiply(x, y):
        (a, i), (b, j) = x, y
        for _ in range(i):
            b = action(b)
        return tuple((p + q) % n for p, q, n in zip(a, b, orders, strict=True)), (i + j) % m

    zero = (0,) * len(orders)
    units = [tuple(int(s == t) for t in range(len(orders))) for s in range(len(orders))]
    generators = [*((unit, 0) for unit in units), (zero, 1 % m)]
    return [[number[multiply(g, x)] for x in elements] for g in generators]


def cyclic(n) -> Permutations:
    return [[(i + 1) % n for i in range(n)]]


def affine(n, t) -> Permutations:
    """The maps i -> t^j i + c on Z_n: the holomorph's subgroup of multiplier t."""
    return [*cyclic(n), [t * i % n for i in range(n)]]


def dicyclic(n) -> Permutations:
    """The group of order 4n with a^(2n) = 1, b^2 = a^n, ba = a^-1 b."""

    def multiply(x, y):
        (i, j), (k, l) = x, y  # noqa: E741
        total = i + (-k if j else k) + (n if j and l else 0)
        return total % (2 * n), (j + l) % 2

    elements = [(i, j) for i in range(2 * n) for j in range(2)]
    return [[elements.index(multiply(g, x)) for x in elements] for g in ((1, 0), (0, 1))]


def plane(p, matrix) -> Permutations:
    """The translations of Z_p^2 and one linear map."""
    (a, b), (c, d) = matrix
    points = list(product(range(p), repeat=2))
    images = [
        [((i + 1) % p, j) for i, j in points],
        [(i, (j + 1) % p) for i, j in points],
        [((a * i + b * j) % p, (c * i + d * j) % p) for i, j in points],
    ]
    return [[points.index(x) for x in image] for image in images]


def direct(*factors: Permutations) -> FiniteGroup:
    """The direct product of permutation groups."""
    degree = sum(len(factor[0]) for factor in factors)
    generators, offset = [], 0
    for factor in factors:
        for g in factor:
            after = range(offset + len(g), degree)
            generators.append([*range(offset), *(offset + x for x in g), *after])
        offset += len(factor[0])
    return permutation_group(generators)


def _swap(a):
    return (a[0], a[2], a[1])


def _rotate(a):
    return (a[1], (a[0] + a[1]) % 2)


NON_ABELIAN = {
    16: lambda: [
        split_metacyclic_group(4, 4, 3),
        split_metacyclic_group(8, 2, 7),
        split_metacyclic_group(8, 2, 5),
        split_metacyclic_group(8, 2, 3),
        direct(dicyclic(4)),
        direct(affine(4, 3), cyclic(2)),
        direct(dicyclic(2), cyclic(2)),
        direct(regular((4, 2), lambda a: (a[0], (a[1] + a[0]) % 2), 2)),
        direct(regular((4, 2), lambda a: ((a[0] + 2 * a[1]) % 4, a[1]), 2)),
    ],
    21: lambda: [split_metacyclic_group(7, 3, 2)],
    27: lambda: [
        direct(regular((3, 3), lambda a: (a[0], (a[1] + a[0]) % 3), 3)),
        split_metacyclic_group(9, 3, 4),
    ],
    36: lambda: [
        split_metacyclic_group(9, 4, 8),
        direct(affine(9, 8), cyclic(2)),
        direct(regular((2, 2), _rotate, 9)),
        direct(cyclic(3), regular((3,), lambda a: (-a[0] % 3,), 4)),
        direct(regular((3, 3), lambda a: (-a[0] % 3, -a[1] % 3), 4)),
        direct(plane(3, ((0, 2), (1, 0)))),
        direct(affine(3, 2), affine(3, 2)),
        direct(cyclic(3), regular((2, 2), _rotate, 3)),
        direct(cyclic(6), affine(3, 2)),
        direct(cyclic(2), plane(3, ((2, 0), (0, 2)))),
    ],
    40: lambda: [
        split_metacyclic_group(5, 8, 4),
        split_metacyclic_group(5, 8, 2),
        direct(dicyclic(10)),
        direct(cyclic(4), affine(5, 4)),
        split_metacyclic_group(20, 2, 19),
        direct(dicyclic(5), cyclic(2)),
        direct(regular((5, 2, 2), lambda a: (-a[0] % 5, *_swap(a)[1:]), 2)),
        direct(cyclic(5), affine(4, 3)),
        direct(cyclic(5), dicyclic(2)),
        direct(cyclic(2), affine(5, 2)),
        direct(cyclic(2), cyclic(2), affine(5, 4)),
    ],
    45: list,
}
"""The non-abelian groups of each order."""


def all_groups(order) -> list[FiniteGroup]:
    """One group of each isomorphism type, for an order in ``NON_ABELIAN``."""
    return [*map(abelian_table, abelian_groups(order)), *NON_ABELIAN[order]()]
