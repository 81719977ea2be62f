"""Search for symmetric designs that a given group of permutations leaves invariant.

The group acts on points and on blocks; its orbits are a tactical decomposition, and incidence is
constant on its orbits of (point, block) pairs. One Boolean variable for each of those orbits, and
for each orbit of pairs of blocks, and of pairs of points, the number of common points or blocks,
a sum of products of two variables, must be lambda (or k for a pair of equals). That is handed to
a satisfiability solver, the optional extra ``search`` (python-sat). The larger the group, the
fewer the variables: below about 200 answers are quick.
"""

import random
import time
from collections.abc import Sequence
from dataclasses import dataclass
from enum import Enum
from types import ModuleType
from typing import Any

from combinatorics.obstruction import design_obstruction, is_symmetric
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign

__all__ = [
    "SearchOutcome",
    "SearchResult",
    "cyclic_action",
    "frobenius_action",
    "search_symmetric_design",
]

Permutation = Sequence[int]

_CONFLICTS_PER_ROUND = 1000
"""Conflicts between two looks at the clock."""
_MAX_SEARCHED_POINTS = 400
"""The models of larger designs would have tens of millions of clauses."""


class SearchOutcome(Enum):
    """FOUND: a design. EXHAUSTED: none with this group. STOPPED: the time limit came first."""

    FOUND = "FOUND"
    EXHAUSTED = "EXHAUSTED"
    STOPPED = "STOPPED"


@dataclass(frozen=True, slots=True)
class SearchResult:
    """The outcome of a search.

    Args:
        outcome: whether a design was found, excluded for this group, or neither.
        design: the design, when found.
        variables: number of orbits of (point, block) pairs: the size of the problem.
        seconds: time that the solver took.
    """

    outcome: SearchOutcome
    design: BlockDesign | None
    variables: int
    seconds: float


def cyclic_action(lengths: Sequence[int]) -> list[list[int]]:
    """The generator of a cyclic group with orbits of these lengths on 0, 1, 2, ...

    >>> cyclic_action([3, 1])
    [[1, 2, 0, 3]]
    """
    generator: list[int] = []
    for length in lengths:
        start = len(generator)
        generator += [start + (place + 1) % length for place in range(length)]
    return [generator]


def frobenius_action(
    p: int, multiplier: int, orbits: int, fixed: int, cycles: Sequence[int] = ()
) -> list[list[int]]:
    """Generators of x -> x + 1 and x -> multiplier x on copies of Z_p and on fixed points.

    Args:
        p: a prime.
        multiplier: nonzero modulo p.
        orbits: number of copies of Z_p that the multiplier maps to themselves.
        fixed: number of points that the group fixes; they come last.
        cycles: further copies of Z_p, first in number, that the multiplier permutes in cycles of
            these lengths.

    >>> frobenius_action(3, 2, 1, 1)
    [[1, 2, 0, 3], [0, 2, 1, 3]]
    """
    (copies,) = cyclic_action([*cycles, *[1] * orbits])
    v = p * len(copies) + fixed
    translation, multiplication = list(range(v)), list(range(v))
    for copy, image in enumerate(copies):
        for x in range(p):
            translation[p * copy + x] = p * copy + (x + 1) % p
            multiplication[p * copy + x] = p * image + multiplier * x % p
    return [translation, multiplication]


def search_symmetric_design(
    v: int,
    k: int,
    lambda_: int,
    point_action: Sequence[Permutation],
    *,
    block_action: Sequence[Permutation] | None = None,
    time_limit: float,
    seed: int = 0,
) -> SearchResult:
    """A symmetric (v, k, lambda) design invariant under a group, or the word that there is none.

    Args:
        v: number of points, at most 400.
        k: points on a block.
        lambda_: blocks on two points.
        point_action: generators of the group as permutations of the points 0, ..., v - 1.
        block_action: the same generators as permutations of the blocks; by default the same
            permutations.
        time_limit: seconds of solving after which the search stops.
        seed: of the order in which the solver meets variables and clauses.

    Returns:
        A result whose design, if there is one, satisfies the definition.

    Raises:
        InputError: for parameters that a theorem forbids, or generators that are no permutations.
        ModuleNotFoundError: without the optional extra ``search``.
    """
    blocks = point_action if block_action is None else block_action
    _require_problem(v, k, lambda_, point_action, blocks)
    _require_solver()
    incidence, variables = _pair_orbits(v, point_action, blocks)
    model = _Model(variables)
    _add_counts(model, incidence, _pair_orbits(v, blocks, blocks)[0], (k, lambda_))
    columns = [list(column) for column in zip(*incidence, strict=True)]
    _add_counts(model, columns, _pair_orbits(v, point_action, point_action)[0], (k, lambda_))
    start = time.monotonic()
    answer = _solve(model, time_limit, random.Random(seed))  # noqa: S311 - not for secrets
    seconds = time.monotonic() - start
    if not isinstance(answer, list):
        return SearchResult(answer, None, variables, seconds)
    rows = (sum(1 << x for x in range(v) if answer[incidence[x][y]]) for y in range(v))
    return SearchResult(SearchOutcome.FOUND, BlockDesign(v, tuple(rows)), variables, seconds)


def _require_problem(
    v: int,
    k: int,
    lambda_: int,
    point_action: Sequence[Permutation],
    block_action: Sequence[Permutation],
) -> None:
    if not 2 <= k < v <= _MAX_SEARCHED_POINTS:
        raise InputError(f"v = {v}, k = {k}: give 2 <= k < v <= {_MAX_SEARCHED_POINTS}")
    if not is_symmetric(v, k, lambda_):
        raise InputError(f"({v}, {k}, {lambda_}) breaks lambda (v - 1) = k (k - 1)")
    broken = design_obstruction(v, k, lambda_)
    if broken is not None:
        raise InputError(f"({v}, {k}, {lambda_}) does not exist: {broken.theorem}")
    if len(point_action) != len(block_action):
        raise InputError("the group needs the same generators on points and on blocks")
    for index, generator in enumerate([*point_action, *block_action]):
        if sorted(generator) != list(range(v)):
            raise InputError(f"generator {index} is not a permutation of 0 to {v - 1}")


def _pair_orbits(
    v: int, left: Sequence[Permutation], right: Sequence[Permutation]
) -> tuple[list[list[int]], int]:
    """The number of its orbit for every pair (x, y), and how many orbits there are."""
    table = [[-1] * v for _ in range(v)]
    orbits = 0
    for x in range(v):
        for y in range(v):
            if table[x][y] >= 0:
                continue
            table[x][y] = orbits
            frontier = [(x, y)]
            while frontier:
                here, there = frontier.pop()
                for g, h in zip(left, right, strict=True):
                    if table[g[here]][h[there]] < 0:
                        table[g[here]][h[there]] = orbits
                        frontier.append((g[here], h[there]))
            orbits += 1
    return table, orbits


class _Model:
    """Clauses over variables 1, 2, ...; the first are the orbits of (point, block) pairs."""

    def __init__(self, variables: int) -> None:
        self.variables = self.top = variables
        self.clauses: list[list[int]] = []
        self._products: dict[tuple[int, int], int] = {}
        self._counts: set[tuple[tuple[int, ...], int]] = set()

    def product(self, a: int, b: int) -> int:
        """The variable that is true exactly when a and b are."""
        if a == b:
            return a
        key = (min(a, b), max(a, b))
        if key not in self._products:
            self.top += 1
            self._products[key] = self.top
            self.clauses += [[-self.top, a], [-self.top, b], [self.top, -a, -b]]
        return self._products[key]

    def require_count(self, literals: list[int], count: int) -> None:
        """Exactly ``count`` of the literals, repeated ones counted as often, are true."""
        from pysat.card import CardEnc, EncType  # noqa: PLC0415 - an optional extra

        key = (tuple(sorted(literals)), count)
        if key in self._counts:
            return
        self._counts.add(key)
        encoding = CardEnc.equals(
            lits=list(key[0]), bound=count, top_id=self.top, encoding=EncType.seqcounter
        )
        self.top = max(self.top, encoding.nv)
        self.clauses += encoding.clauses


def _add_counts(
    model: _Model, incidence: list[list[int]], orbits: list[list[int]], counts: tuple[int, int]
) -> None:
    """Every two columns of the incidence agree in lambda places, every column has k points."""
    done: set[int] = set()
    columns = list(zip(*incidence, strict=True))
    for x, orbits_of_x in enumerate(orbits):
        for y in range(x, len(orbits)):
            if orbits_of_x[y] in done:
                continue
            done |= {orbits_of_x[y], orbits[y][x]}
            pairs = zip(columns[x], columns[y], strict=True)
            products = [model.product(a + 1, b + 1) for a, b in pairs]
            model.require_count(products, counts[0] if x == y else counts[1])


def _solve(model: _Model, time_limit: float, rng: random.Random) -> list[bool] | SearchOutcome:
    """The values of the first variables, or why there are none; the order of work is random."""
    from pysat.solvers import Solver  # noqa: PLC0415 - an optional extra

    deadline = time.monotonic() + time_limit
    names = list(range(1, model.top + 1))
    rng.shuffle(names)
    renamed = [
        [names[abs(literal) - 1] * (1 if literal > 0 else -1) for literal in clause]
        for clause in model.clauses
    ]
    rng.shuffle(renamed)
    with Solver(name="glucose4", bootstrap_with=renamed) as solver:
        solver.set_phases([rng.choice((name, -name)) for name in range(1, model.top + 1)])
        answer: bool | None = None
        while answer is None and time.monotonic() < deadline:
            solver.conf_budget(_CONFLICTS_PER_ROUND)
            answer = solver.solve_limited()
        if not answer:
            return SearchOutcome.STOPPED if answer is None else SearchOutcome.EXHAUSTED
        values: Any = solver.get_model()
        return [values[names[index] - 1] > 0 for index in range(model.variables)]


def _require_solver() -> ModuleType:
    try:
        import pysat  # noqa: PLC0415 - an optional extra
    except ModuleNotFoundError as error:
        raise ModuleNotFoundError(
            "searching for designs needs python-sat: pip install 'exactdp[search]'"
        ) from error
    module: ModuleType = pysat
    return module
