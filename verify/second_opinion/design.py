"""Kind ``design``: designs, difference sets and Hadamard matrices, by counts of Boolean variables.

Whether point x lies on block B is a variable fixed by a fact; the clauses are sums of
``ite (x and y and ... on B) 1 0`` over the blocks, one for every t points. A difference set is a
variable for each element of its group, and a sum over the group for each element but the identity.
A Hadamard matrix is a variable for each sign, and a sum for every two rows.

The blocks come from base blocks by maps: the images are collected here, one set at a time.
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import combinations, product
from math import comb, prod

from verify.second_opinion.script import Question, all_of, apply, total, whole
from verify.second_opinion.strict_reading import (
    CertificateFile,
    MalformedError,
    demand,
    integer,
    integer_lists,
    listing,
    mapping,
    require_reach,
)

__all__ = ["Incidence", "declare_blocks", "design_questions", "developed_blocks", "on_blocks"]

MAX_TERMS = 600_000
"""Most terms of the sums of one question."""
MAX_IMAGES = 20_000_000
"""Most images of points under the maps of a design."""
MAX_GROUP = 128
"""Largest group given by its multiplication table."""

Incidence = list[list[str]]
"""For each block the variables of the points: whether the point lies on it."""


def developed_blocks(witness: Mapping[str, object], v: int) -> list[frozenset[int]]:
    """The blocks: all different images of each base block under products of the maps.

    Raises:
        MalformedError: for a point out of range or twice in a block or an image.
        OutOfReachError: for too many blocks.
    """
    mapping(witness, ("base_blocks", "generators"), "witness")
    maps = integer_lists(witness["generators"], "generators", v)
    demand(all(len(images) == v for images in maps), "generators: one has not v images")
    blocks: list[frozenset[int]] = []
    for base in integer_lists(witness["base_blocks"], "base_blocks", v):
        demand(len(set(base)) == len(base), "base_blocks: a point stands twice in a block")
        orbit, waiting = {frozenset(base)}, [frozenset(base)]
        while waiting:
            block = waiting.pop()
            for images in maps:
                image = frozenset(images[point] for point in block)
                demand(len(image) == len(block), "generators: two points have one image")
                if image not in orbit:
                    orbit.add(image)
                    waiting.append(image)
            cells = v * (len(blocks) + len(orbit))
            require_reach(cells, MAX_TERMS, "points times blocks")
            require_reach(cells * len(maps), MAX_IMAGES, "images of points")
        blocks += sorted(orbit, key=sorted)
    return blocks


def declare_blocks(question: Question, v: int, blocks: Iterable[frozenset[int]]) -> Incidence:
    """The incidences as variables fixed by facts."""
    incidence = []
    for index, block in enumerate(blocks):
        names = [question.variable(f"on-{x}-{index}", "Bool") for x in range(v)]
        question.fact(all_of(n if x in block else apply("not", n) for x, n in enumerate(names)))
        incidence.append(names)
    return incidence


def _count(conditions: Iterable[str]) -> str:
    return total((apply("ite", condition, "1", "0") for condition in conditions), "0")


def on_blocks(incidence: Incidence, points: Sequence[int]) -> str:
    """The number of blocks with all these points."""
    return _count(all_of(block[x] for x in points) for block in incidence)


def design_questions(certificate: CertificateFile, bits: int) -> list[Question]:
    """The one question of a design certificate; nothing in it is irrational."""
    askers = {
        "block design": _block_design,
        "pairwise balanced design": _pairwise_balanced,
        "difference set": _difference_set,
        "Hadamard matrix": _hadamard,
    }
    name = certificate.claim.get("object")
    if not isinstance(name, str) or name not in askers:
        raise MalformedError("object: is none of the format")
    question = Question(name.lower().replace(" ", "-"), "QF_LIA")
    askers[name](question, certificate.claim, certificate.witness)
    return [question]


def _integers(claim: Mapping[str, object], *keys: str) -> list[int]:
    return [integer(claim[key], key, 1) for key in keys]


def _block_design(
    question: Question, claim: Mapping[str, object], witness: Mapping[str, object]
) -> None:
    keys = ("v", "k", "lambda", "t")
    v, k, lambda_, t = _integers(mapping(claim, ("object", *keys), "claim"), *keys)
    demand(t <= 5 and k >= t, "t: is not in 1..5, or k is less than t")
    require_reach(v, MAX_TERMS, "points")
    blocks = developed_blocks(witness, v)
    require_reach(comb(v, t) * max(len(blocks), 1), MAX_TERMS, f"counts of {t} points on blocks")
    incidence = declare_blocks(question, v, blocks)
    sizes = (apply("=", _count(block), whole(k)) for block in incidence)
    question.clause("k", all_of(sizes))
    _claim_counts(question, "lambda", incidence, v, t, lambda_)


def _claim_counts(
    question: Question, name: str, incidence: Incidence, v: int, t: int, expected: int
) -> None:
    """Every t of the v points are on so many blocks; with nothing to count that is not proved."""
    counts = [on_blocks(incidence, points) for points in combinations(range(v), t)]
    holds = all_of(apply("=", count, whole(expected)) for count in counts)
    question.clause(name, holds if counts else "false")


def _pairwise_balanced(
    question: Question, claim: Mapping[str, object], witness: Mapping[str, object]
) -> None:
    keys = ("v", "r", "lambda")
    v, r, lambda_ = _integers(mapping(claim, ("object", *keys), "claim"), *keys)
    require_reach(v, MAX_TERMS, "points")
    blocks = developed_blocks(witness, v)
    require_reach(comb(v, 2) * len(blocks), MAX_TERMS, "counts of two points on blocks")
    incidence = declare_blocks(question, v, blocks)
    _claim_counts(question, "r", incidence, v, 1, r)
    _claim_counts(question, "lambda", incidence, v, 2, lambda_)


def _hadamard(
    question: Question, claim: Mapping[str, object], witness: Mapping[str, object]
) -> None:
    (order,) = _integers(mapping(claim, ("object", "order"), "claim"), "order")
    rows = listing(mapping(witness, ("rows",), "witness")["rows"], "rows")
    lines = [row for row in rows if isinstance(row, str) and set(row) <= {"+", "-"}]
    square = len(lines) == len(rows) == order and all(len(line) == order for line in lines)
    demand(square, "rows: are not `order` texts of `order` signs")
    require_reach(comb(order, 2) * order, MAX_TERMS, "products of two signs")
    sets = [frozenset(i for i, sign in enumerate(line) if sign == "+") for line in lines]
    signs = declare_blocks(question, order, sets)
    products = []
    for first, second in combinations(signs, 2):
        places = zip(first, second, strict=True)
        inner = total((apply("ite", apply("=", a, b), "1", "(- 1)") for a, b in places), "0")
        products.append(apply("=", inner, "0"))
    question.clause("orthogonal", all_of(products))


def _difference_set(
    question: Question, claim: Mapping[str, object], witness: Mapping[str, object]
) -> None:
    mapping(claim, ("object", "group", "k", "lambda"), "claim")
    k, lambda_ = _integers(claim, "k", "lambda")
    table = _left_quotients(listing(claim["group"], "group"))
    order = len(table)
    named = listing(mapping(witness, ("elements",), "witness")["elements"], "elements")
    elements = [integer(item, "elements", 0, order - 1) for item in named]
    demand(len(set(elements)) == len(elements), "elements: one stands twice")
    (members,) = declare_blocks(question, order, [frozenset(elements)])
    question.clause("k", apply("=", _count(members), whole(k)))
    # y runs over the group and x = g y: then g = x y^-1, and each ordered pair is met once.
    counts = [
        _count(apply("and", members[table[g][y]], members[y]) for y in range(order))
        for g in range(1, order)
    ]
    holds = all_of(apply("=", count, whole(lambda_)) for count in counts)
    question.clause("lambda", holds if counts else "false")


def _left_quotients(group: list[object]) -> list[list[int]]:
    """The products g y of all pairs of elements, the identity 0 first."""
    if group and isinstance(group[0], list):
        require_reach(len(group), MAX_GROUP, "elements of a multiplication table")
        return _group_table(integer_lists(group, "group", len(group)))
    orders = [integer(n, "group", 1) for n in group]
    require_reach(len(orders), 64, "cyclic factors")
    require_reach(prod(orders) ** 2, MAX_TERMS, "pairs of group elements")
    elements = list(product(*map(range, orders)))  # the first factor leads
    number = {element: index for index, element in enumerate(elements)}
    return [
        [number[tuple((a + b) % n for a, b, n in zip(g, y, orders, strict=True))] for y in elements]
        for g in elements
    ]


def _group_table(table: list[list[int]]) -> list[list[int]]:
    """The table, if it is that of a group with identity 0."""
    everything = range(len(table))
    demand(all(len(row) == len(table) for row in table), "group: the table is not square")
    identity = all(table[0][x] == x == table[x][0] for x in everything)
    solvable = all(sorted(line) == list(everything) for line in [*table, *zip(*table, strict=True)])
    demand(identity and solvable, "group: the table has no identity 0, or repeats an entry")
    associative = all(
        table[table[x][y]][z] == table[x][table[y][z]] for x, y, z in product(everything, repeat=3)
    )
    demand(associative, "group: the table is not associative")
    return table
