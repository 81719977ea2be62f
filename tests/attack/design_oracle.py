"""Designs, groups, difference sets and Hadamard matrices by their definitions, with plain sets."""

from collections import Counter
from fractions import Fraction
from itertools import combinations, product
from math import prod


def developed(witness, v):
    """The images of each base block under all products of the maps; None if points are wrong."""
    maps = witness["generators"]
    images = [x for images in maps for x in images]
    if any(len(m) != v for m in maps) or not all(0 <= x < v for x in images):
        return None
    blocks = []
    for base in witness["base_blocks"]:
        if len(set(base)) != len(base) or not all(0 <= x < v for x in base):
            return None
        seen, waiting = [frozenset(base)], [frozenset(base)]
        while waiting:
            block = waiting.pop()
            for m in maps:
                image = frozenset(m[x] for x in block)
                if len(image) != len(block):
                    return None
                if image not in seen:
                    seen.append(image)
                    waiting.append(image)
        blocks += seen
    return blocks


def counts(v, blocks, t):
    """How many blocks hold each set of t points, as the set of these numbers."""
    return {sum(set(points) <= block for block in blocks) for points in combinations(range(v), t)}


def is_balanced(v, blocks, r, lambda_):
    """Whether every point lies on r blocks and every two points on lambda."""
    return counts(v, blocks, 1) == {r} and counts(v, blocks, 2) == {lambda_}


def _block_design(claim, witness):
    v, k, t, blocks = claim["v"], claim["k"], claim["t"], developed(witness, claim["v"])
    if blocks is None or not 1 <= t <= 5 or not t <= k or claim["lambda"] < 1:
        return "no blocks or no parameters"
    if {len(block) for block in blocks} != {k}:
        return "a block of another size"
    return "" if counts(v, blocks, t) == {claim["lambda"]} else "the counts"


def _pairwise_balanced(claim, witness):
    blocks = developed(witness, claim["v"])
    if blocks is None:
        return "the blocks"
    good = is_balanced(claim["v"], blocks, claim["r"], claim["lambda"])
    return "" if good else "the counts"


def _signs(claim, witness):
    n, rows = claim["order"], witness["rows"]
    if len(rows) != n or any(len(row) != n or set(row) - set("+-") for row in rows):
        return "no square matrix of signs"
    values = [[1 if s == "+" else -1 for s in row] for row in rows]
    products = (sum(map(prod, zip(a, b, strict=True))) for a, b in combinations(values, 2))
    return "Hadamard" if any(products) else ""


def operation(group):
    """(order, quotient function) of a group in either form; None if it is no group."""
    if group and isinstance(group[0], list):
        n = len(group)
        if any(len(row) != n or set(row) - set(range(n)) for row in group):
            return None
        identity = all(group[0][x] == x == group[x][0] for x in range(n))
        inverses = [[y for y in range(n) if group[x][y] == 0 == group[y][x]] for x in range(n)]
        associative = all(
            group[group[x][y]][z] == group[x][group[y][z]]
            for x, y, z in product(range(n), repeat=3)
        )
        if not identity or not associative or any(len(found) != 1 for found in inverses):
            return None
        return n, lambda x, y: group[x][inverses[y][0]]
    if any(n < 1 for n in group):
        return None
    elements = list(product(*map(range, group)))

    def quotient(x, y):
        pairs = zip(elements[x], elements[y], group, strict=True)
        return elements.index(tuple((a - b) % n for a, b, n in pairs))

    return len(elements), quotient


def _difference_set(claim, witness):
    found, points = operation(claim["group"]), witness["elements"]
    if found is None:
        return "the group"
    order, quotient = found
    if len(set(points)) != len(points) or not all(0 <= x < order for x in points):
        return "the elements"
    if len(points) != claim["k"] or order < 2:
        return "the number of elements"
    seen = Counter(quotient(x, y) for x in points for y in points if x != y)
    return "" if all(seen[g] == claim["lambda"] for g in range(1, order)) else "the quotients"


OBJECTS = {
    "block design": _block_design,
    "pairwise balanced design": _pairwise_balanced,
    "difference set": _difference_set,
    "Hadamard matrix": _signs,
}


def design_flaw(claim, witness):
    """The definition of the claimed object."""
    positive = [value for value in claim.values() if isinstance(value, int | Fraction)]
    if min(positive) < 1:
        return "a parameter is not positive"
    return OBJECTS[claim["object"]](claim, witness)
