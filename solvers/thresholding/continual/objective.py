"""Objectives u(X, S) that only grow as events are inserted, with their values kept up to date.

Values are integers over a divisor of the solution: u(X, S) = numerator(S) / divisor(S). An event
raises u by at most the sensitivity.
"""

from collections.abc import Callable, Hashable, Sequence
from fractions import Fraction
from itertools import combinations

import networkx as nx
import numpy as np

from solvers.thresholding.continual.selection import (
    Array,
    Family,
    Integers,
    Solution,
    choice_family,
    flat_family,
    matroid_family,
)
from solvers.thresholding.errors import ParameterError

__all__ = [
    "Objective",
    "coverage",
    "densest_subgraph",
    "facility_location",
    "max_cut",
    "pairwise_independent_cuts",
]

Gain = Callable[[object, Integers], Integers]


class Objective:
    """Values of all sets of a family, for the events inserted so far.

    Args:
        family: of the solutions.
        tables: for each layer, what ``gain`` needs to know of its sets.
        gain: (event, table) -> what the event adds to the numerators.
        sensitivity: most that one event adds to u.
        alpha: guarantee of greedy selection without noise: u >= alpha OPT.
        divisors: for each solution; 1 by default.
    """

    def __init__(
        self,
        family: Family,
        tables: Sequence[Integers],
        gain: Gain,
        *,
        sensitivity: Fraction = Fraction(1),
        alpha: Fraction = Fraction(1),
        divisors: Integers | None = None,
    ) -> None:
        self.family = family
        self.sensitivity = sensitivity
        self.alpha = alpha
        self.n_events = 0
        self._tables = list(tables)
        self._gain = gain
        self._numerators = [np.zeros(len(layer), dtype=np.int64) for layer in family.layers]
        last = np.ones(len(family.solutions), dtype=np.int64) if divisors is None else divisors
        self._divisors = [np.ones(len(layer), dtype=np.int64) for layer in family.layers[:-1]]
        self._divisors.append(last)

    def insert(self, event: object) -> None:
        """Add one event to the data; a bad event is refused and nothing is changed."""
        gains = [self._gain(event, table) for table in self._tables]  # all, before any is added
        for numerators, more in zip(self._numerators, gains, strict=True):
            np.add(numerators, more, out=numerators)
        self.n_events += 1

    def value(self, index: int) -> Fraction:
        """U of the solution at this position, *exact*."""
        return Fraction(int(self._numerators[-1][index]), int(self._divisors[-1][index]))

    def optimum(self) -> Fraction:
        """The largest u over the family, *exact*."""
        values = self._numerators[-1] / self._divisors[-1]
        close = np.flatnonzero(values >= values.max() * (1 - 1e-12))
        return max(self.value(int(i)) for i in close)

    def values_float(self) -> list[Array]:
        """U of all sets, by layer."""
        pairs = zip(self._numerators, self._divisors, strict=True)
        return [numerators / divisors for numerators, divisors in pairs]

    def values_exact(self) -> list[list[tuple[int, int]]]:
        """Numerators and divisors of all sets, by layer."""
        pairs = zip(self._numerators, self._divisors, strict=True)
        return [list(zip(n.tolist(), d.tolist(), strict=True)) for n, d in pairs]

    def greedy(self) -> int:
        """Position of the solution of the non-private greedy algorithm."""
        place, values = 0, self.values_float()
        for layer, (parents, children) in enumerate(
            zip(self.family.parents, self.family.children, strict=True)
        ):
            options = children[parents == place]
            place = int(options[np.argmax(values[layer][options])])
        return place


def _masks(layer: Sequence[Solution]) -> Integers:
    return np.array([sum(1 << item for item in chosen) for chosen in layer], dtype=np.int64)


def _family_of(n_items: int, size: int | None, parts: Sequence[Sequence[int]] | None) -> Family:
    if (size is None) == (parts is None):
        raise ParameterError("size and parts: give exactly one, a number of items or the parts")
    if n_items > 62:
        raise ParameterError(f"n_items: {n_items} is more than 62")
    return matroid_family(parts) if parts is not None else choice_family(n_items, size or 0)


def _greedy_alpha(size: int | None) -> Fraction:
    """1 - (1 - 1/k)^k for a choice of k items, 1/2 for a partition matroid."""
    return Fraction(1, 2) if size is None else 1 - (1 - Fraction(1, size)) ** size


def coverage(
    n_items: int, *, size: int | None = None, parts: Sequence[Sequence[int]] | None = None
) -> Objective:
    """The number of users one of whose items is chosen; an event is a user's set of items.

    Args:
        n_items: number of items, at most 62.
        size: how many may be chosen; or
        parts: one item of each part (partition matroid).
    """
    family = _family_of(n_items, size, parts)

    def gain(event: object, masks: Integers) -> Integers:
        wanted = sum(1 << item for item in event)  # type: ignore[attr-defined]
        return np.asarray((masks & wanted) != 0, dtype=np.int64)

    tables = [_masks(layer) for layer in family.layers]
    return Objective(family, tables, gain, alpha=_greedy_alpha(size))


def facility_location(
    n_items: int,
    resolution: int,
    *,
    size: int | None = None,
    parts: Sequence[Sequence[int]] | None = None,
) -> Objective:
    """Sum over users of their largest similarity to a chosen item.

    An event is the list of a user's similarities, integers in 0..resolution; u is counted in units
    of 1/resolution, so the sensitivity is ``resolution``.
    """
    family = _family_of(n_items, size, parts)

    def gain(event: object, table: Integers) -> Integers:
        similarities = np.asarray(event, dtype=np.int64)
        if (
            similarities.shape != (n_items,)
            or not 0 <= similarities.min() <= similarities.max() <= resolution
        ):
            raise ParameterError(f"event: needs {n_items} similarities in 0..{resolution}")
        return np.asarray(similarities[table].max(axis=1), dtype=np.int64)

    tables = [np.array(layer, dtype=np.int64) for layer in family.layers]
    sensitivity = Fraction(resolution)
    return Objective(family, tables, gain, sensitivity=sensitivity, alpha=_greedy_alpha(size))


def _positions(graph: nx.Graph) -> dict[Hashable, int]:
    return {node: i for i, node in enumerate(graph.nodes)}


def densest_subgraph(graph: nx.Graph) -> Objective:
    """Edges inside S over the size of S, for all sets of at least two nodes; an event is an edge.

    Args:
        graph: its nodes are public, its edges are not looked at. At most 16 nodes.
    """
    place = _positions(graph)
    sets = [s for k in range(2, len(place) + 1) for s in combinations(range(len(place)), k)]
    family = flat_family(sets)

    def gain(event: object, masks: Integers) -> Integers:
        a, b = _edge(event, place)
        ends = 1 << a | 1 << b
        return np.asarray((masks & ends) == ends, dtype=np.int64)

    divisors = np.array([len(s) for s in sets], dtype=np.int64)
    return Objective(family, [_masks(sets)], gain, sensitivity=Fraction(1, 2), divisors=divisors)


def _edge(event: object, place: dict[Hashable, int]) -> tuple[int, int]:
    """Positions of the ends of an edge."""
    if isinstance(event, tuple) and len(event) == 2:
        first, second = (place.get(end) for end in event)
        if first is not None and second is not None and first != second:
            return first, second
    raise ParameterError(f"event: {event!r} is not an edge between two nodes of the graph")


def pairwise_independent_cuts(n_nodes: int) -> list[Solution]:
    """At most 2 n cuts such that every edge is cut by at least half of them.

    Node v >= 0 gets the nonzero vector v + 1 over GF(2); the cut of a vector r puts v on the side
    <r, v + 1>. Two nodes differ for exactly half of all r, so for each graph the best cut of the
    family has at least half of all edges, hence at least half of the maximum cut.
    """
    size = 1 << n_nodes.bit_length()
    return [
        tuple(v for v in range(n_nodes) if (r & (v + 1)).bit_count() % 2) for r in range(1, size)
    ]


def max_cut(graph: nx.Graph, cuts: Sequence[Solution] | None = None) -> Objective:
    """The number of edges between S and the rest; an event is an edge.

    Args:
        graph: its nodes are public, its edges are not looked at.
        cuts: a public family of node sets by position; all cuts for at most 16 nodes, else the
            pairwise independent cuts, for which alpha is 1/2.
    """
    place, alpha = _positions(graph), Fraction(1)
    n_nodes = len(place)
    if cuts is None and n_nodes <= 16:
        cuts = [s for k in range(n_nodes) for s in combinations(range(1, n_nodes), k)]
    elif cuts is None:
        cuts, alpha = pairwise_independent_cuts(n_nodes), Fraction(1, 2)
    sides = np.zeros((n_nodes, len(cuts)), dtype=np.int64)
    for i, cut in enumerate(cuts):
        sides[list(cut), i] = 1

    def gain(event: object, table: Integers) -> Integers:
        a, b = _edge(event, place)
        return np.asarray(table[a] != table[b], dtype=np.int64)

    return Objective(flat_family(list(cuts)), [sides], gain, alpha=alpha)
