"""Continual observation: families of solutions, their values, greedy selection and peeling."""

import math
import random
from fractions import Fraction
from itertools import combinations

import networkx as nx
import numpy as np
import pytest

from solvers.backend import ball, working_precision
from solvers.thresholding import ParameterError
from solvers.thresholding.continual.objective import (
    coverage,
    densest_subgraph,
    facility_location,
    max_cut,
    pairwise_independent_cuts,
)
from solvers.thresholding.continual.peeling import draw_by_weight, peel_privately
from solvers.thresholding.continual.selection import (
    choice_family,
    flat_family,
    matroid_family,
    selection_law,
    selection_law_float,
)
from solvers.thresholding.continual.threshold_box import ThresholdBox, UtilityScores
from solvers.thresholding.rates import Rate
from verify.kernel.errors import LimitError


def seeded(seed=1):
    return random.Random(seed).getrandbits


def coverage_stream(events, seed, burst=False, items=20):
    rng = np.random.default_rng(seed)
    calm = np.r_[[0.25, 0.2, 0.15], np.full(items - 3, 0.05)]
    quiet, popular = np.full(items, 0.001), np.r_[np.full(items - 3, 0.02), [0.3, 0.3, 0.25]]
    for t in range(events):
        chances = (quiet if t < 0.515 * events else popular) if burst else calm
        yield frozenset(np.flatnonzero(rng.random(items) < chances).tolist())


@pytest.mark.parametrize(
    ("family", "scores"),
    [
        (choice_family(5, 3), lambda s: sum(s) ** 2 % 7),
        (matroid_family([(0, 1), (2, 3, 4), (2, 3, 4)]), lambda s: 3 * len(s) + s[0]),
        (flat_family([(0,), (1, 2), (3,)]), len),
    ],
)
def test_the_law_of_greedy_selection(family, scores):
    """Against the recursion over ordered choices."""
    rate = 0.7
    expected = dict.fromkeys(family.solutions, 0.0)

    def go(layer, place, p):
        if layer == family.n_steps:
            expected[family.layers[-1][place]] += p
            return
        steps = zip(family.parents[layer], family.children[layer], strict=True)
        children = [c for parent, c in steps if parent == place]
        weights = [math.exp(rate * scores(family.layers[layer][c])) for c in children]
        for c, w in zip(children, weights, strict=True):
            go(layer + 1, c, p * w / sum(weights))

    go(0, 0, 1.0)
    layers = [[scores(s) for s in layer] for layer in family.layers]
    floats = selection_law_float(family, [np.array(layer) * rate for layer in layers])
    balls = selection_law(family, [[ball(Fraction(7 * v, 10)) for v in layer] for layer in layers])
    for solution, low, mid in zip(family.solutions, floats, balls, strict=True):
        assert low == pytest.approx(expected[solution], rel=1e-12)
        assert float(mid) == pytest.approx(expected[solution], rel=1e-12)


def test_too_large_families_are_refused():
    with pytest.raises(LimitError):
        choice_family(60, 8)


def test_values_are_kept_exactly():
    rng = random.Random(4)
    events = [frozenset(i for i in range(6) if rng.random() < 0.3) for _ in range(40)]
    objective = coverage(6, size=2)
    for event in events:
        objective.insert(event)
    for place, chosen in enumerate(objective.family.solutions):
        assert objective.value(place) == sum(not e.isdisjoint(chosen) for e in events)
    assert objective.optimum() == max(objective.value(i) for i in range(15))

    similar = [[rng.randrange(11) for _ in range(5)] for _ in range(30)]
    facilities = facility_location(5, 10, parts=[(0, 1, 2), (3, 4)])
    for event in similar:
        facilities.insert(event)
    for place, chosen in enumerate(facilities.family.solutions):
        assert facilities.value(place) == sum(max(e[i] for i in chosen) for e in similar)
    with pytest.raises(ParameterError, match="similarities"):
        facilities.insert([1, 2])

    graph = nx.gnp_random_graph(7, 0.5, seed=3)
    dense, cut = densest_subgraph(graph), max_cut(graph)
    for edge in graph.edges:
        dense.insert(edge)
        cut.insert(edge)
    for place, chosen in enumerate(dense.family.solutions):
        edges = graph.subgraph(chosen).number_of_edges()
        assert dense.value(place) == Fraction(edges, len(chosen))
    sizes = [nx.cut_size(graph, s) for k in range(7) for s in combinations(range(7), k)]
    assert cut.optimum() == max(sizes)
    with pytest.raises(ParameterError, match="edge"):
        cut.insert((0, 99))
    with pytest.raises(ParameterError, match="edge"):
        dense.insert((1, 1))


@pytest.mark.parametrize("n", [2, 5, 8, 30])
def test_every_edge_is_cut_by_half_of_the_family(n):
    cuts = [set(cut) for cut in pairwise_independent_cuts(n)]
    assert len(cuts) < 2 * n
    for a, b in combinations(range(n), 2):
        assert 2 * sum((a in cut) != (b in cut) for cut in cuts) == len(cuts) + 1


def test_greedy_keeps_its_factor():
    rng = np.random.default_rng(2)
    for seed in range(20):
        objective = coverage(8, size=3)
        matroid = coverage(8, parts=[(0, 1, 2), (3, 4, 5), (6, 7)])
        for event in coverage_stream(60, seed, items=8):
            objective.insert(event)
            matroid.insert(event)
        for one in (objective, matroid):
            assert one.value(one.greedy()) >= one.alpha * one.optimum()
    assert rng is not None


def test_draws_by_weight_have_their_law():
    source = seeded(7)
    rate, scores = Rate.of_nats(Fraction(1)), [Fraction(0), Fraction(1), Fraction(-1, 2)]
    draws = [draw_by_weight(rate, scores, source) for _ in range(4000)]
    weights = [math.exp(float(s)) for s in scores]
    for place, weight in enumerate(weights):
        assert abs(draws.count(place) / 4000 - weight / sum(weights)) < 0.04


def test_private_peeling_keeps_its_guarantee():
    graph = nx.MultiGraph(nx.empty_graph(30))
    graph.add_edges_from(e for e in combinations(range(6), 2) for _ in range(400))
    graph.add_edges_from(nx.gnm_random_graph(30, 60, seed=1).edges)
    best = Fraction(graph.subgraph(range(6)).number_of_edges(), 6)
    for seed in range(3):
        result = peel_privately(graph, 20, bits=seeded(seed))
        chosen = graph.subgraph(result.nodes)
        density = chosen.number_of_edges() / len(result.nodes)
        assert density >= best / 2 - result.loss
        assert density > 0.5 * best
    with pytest.raises(ParameterError):
        peel_privately(nx.empty_graph(2), 1)


def test_large_scores_do_not_trust_floats():
    """Beyond the reach of floats the law comes from balls, and its error is said."""
    objective = facility_location(3, 10**6, size=1)
    for event in ([10**6, 0, 10**6 - 1],) * 3:
        objective.insert(event)
    rates = [Rate.of_nats(Fraction(10**9)), Rate.of_nats(Fraction(10**4))]
    box = ThresholdBox(UtilityScores(objective), *rates, Fraction(10))
    level = Fraction(3 * 10**6)
    floats, error = box._joint_floats(level)
    assert error > 0.1
    with working_precision(256):
        exact = [float(one) for one in box._joint_balls(level)]
    assert abs(sum(exact) - 0.5) < 1e-9
    assert floats.argmax() == 0
    assert box.draw_released(level, seeded()) == 0
