"""The exponential mechanism, at once or in greedy steps, over an enumerated family of solutions.

A family is a sequence of layers of sets: the root, then the sets after one choice, and so on; the
last layer holds the solutions. From a set each step goes to a child with probability proportional
to exp(rate score(child) / sensitivity). There is no 1/2 in the exponent: an insertion moves all
scores upwards by at most the sensitivity, so a step is rate-DP under adding and removing events.
"""

from collections.abc import Sequence
from dataclasses import dataclass, field
from itertools import product

import numpy as np
from numpy.typing import NDArray

from solvers.backend import arb
from verify.kernel.errors import LimitError

__all__ = ["Family", "choice_family", "flat_family", "matroid_family", "selection_law"]

Array = NDArray[np.float64]
Integers = NDArray[np.int64]
Solution = tuple[int, ...]

MOST_SETS = 1 << 17
"""Largest family that is enumerated."""


@dataclass(frozen=True, slots=True)
class Family:
    """Layers of sets and the steps between them.

    Args:
        layers: for each layer but the root its sets, as sorted tuples of items.
        parents: for each step, the position of the set before it.
        children: for each step, the position of the set after it.
    """

    layers: tuple[tuple[Solution, ...], ...]
    parents: tuple[Integers, ...] = field(repr=False)
    children: tuple[Integers, ...] = field(repr=False)

    @property
    def solutions(self) -> tuple[Solution, ...]:
        """The sets of the last layer."""
        return self.layers[-1]

    @property
    def n_steps(self) -> int:
        """The number of choices."""
        return len(self.layers)


def flat_family(solutions: Sequence[Solution]) -> Family:
    """One choice among all solutions.

    Raises:
        LimitError: for more than 2^17 solutions.
    """
    _require_size(len(solutions))
    count = len(solutions)
    zeros, all_ = np.zeros(count, dtype=np.int64), np.arange(count, dtype=np.int64)
    return Family((tuple(solutions),), (zeros,), (all_,))


def choice_family(n_items: int, size: int) -> Family:
    """Greedy choice of ``size`` of the items, one after the other.

    Raises:
        LimitError: if a layer would hold more than 2^17 sets.
    """
    return _family([range(n_items)] * size)


def matroid_family(parts: Sequence[Sequence[int]]) -> Family:
    """One item of each part, part by part: the bases of a partition matroid.

    A part from which several items may be taken is given several times.

    Raises:
        LimitError: if a layer would hold more than 2^17 sets.
    """
    return _family([list(part) for part in parts])


def _family(steps: Sequence[Sequence[int]]) -> Family:
    layers: list[tuple[Solution, ...]] = []
    parents, children = [], []
    before: tuple[Solution, ...] = ((),)
    for items in steps:
        position: dict[Solution, int] = {}
        moves = []
        for (index, chosen), item in product(enumerate(before), items):
            if item not in chosen:
                child = tuple(sorted((*chosen, item)))
                moves.append((index, position.setdefault(child, len(position))))
                _require_size(len(position))
        before = tuple(position)
        layers.append(before)
        moved = np.array(moves, dtype=np.int64)
        parents.append(moved[:, 0])
        children.append(moved[:, 1])
    return Family(tuple(layers), tuple(parents), tuple(children))


def _require_size(count: int) -> None:
    if count > MOST_SETS:
        raise LimitError(f"a family of more than {MOST_SETS} sets is not enumerated; use sampling")


def selection_law_float(family: Family, exponents: Sequence[Array]) -> Array:
    """Probability of each solution, to a relative error below 1e-10.

    Args:
        family: of the solutions.
        exponents: for each layer, rate score / sensitivity of its sets.
    """
    law: Array = np.ones(1, dtype=np.float64)
    for parents, children, exponent in zip(family.parents, family.children, exponents, strict=True):
        moved = exponent[children]
        top = np.full(len(law), -np.inf)
        np.maximum.at(top, parents, moved)
        weights = np.exp(moved - top[parents])
        totals = np.bincount(parents, weights, len(law))
        moved_law = np.bincount(children, weights * (law / totals)[parents], len(exponent))
        law = np.asarray(moved_law, dtype=np.float64)
    return law


def selection_law(family: Family, exponents: Sequence[Sequence[arb]]) -> list[arb]:
    """Encloses the probability of each solution; the exponents are balls."""
    law = [arb(1)]
    for parents, children, exponent in zip(family.parents, family.children, exponents, strict=True):
        offset = exponent[0]
        weights = [(value - offset).exp() for value in exponent]
        totals = [arb(0)] * len(law)
        for i, j in zip(parents.tolist(), children.tolist(), strict=True):
            totals[i] += weights[j]
        shares = [p / total for p, total in zip(law, totals, strict=True)]
        after = [arb(0)] * len(weights)
        for i, j in zip(parents.tolist(), children.tolist(), strict=True):
            after[j] += shares[i] * weights[j]
        law = after
    return law
