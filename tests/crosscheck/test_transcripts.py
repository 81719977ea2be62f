"""Exact transcript laws of the ladder on all streams of length 4, for all neighbouring pairs.

Two solutions a and b, u = the number of own symbols. The law of a transcript (level and released
solution at each time) is enumerated, with the midpoint rule over the shared noise whose step
divides 1: it is exactly compatible with the shift S -> S + 1.
"""

import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from solvers.thresholding.audit import round_acceptance_float
from solvers.thresholding.continual.objective import coverage
from solvers.thresholding.continual.threshold_box import DistanceScores, ThresholdBox, UtilityScores
from solvers.thresholding.rates import Rate
from solvers.thresholding.rounds import CountingRound, Direction

STEP, END = 1 / 16, 160


def laplace_tail(missing, rate):
    """P[Lap(1/rate) >= missing]."""
    half = math.exp(-abs(missing) * rate) / 2
    return half if missing >= 0 else 1 - half


def utility_box(counts, level, selection, check):
    """P[box returns S] for S = a, b, from the definition."""
    top = max(counts)
    weights = [math.exp(selection * (count - top)) for count in counts]
    return [
        w / sum(weights) * laplace_tail(level - c, check)
        for w, c in zip(weights, counts, strict=True)
    ]


def distance(weights, level):
    """Least number of removals, heaviest first, until the sum is below the level."""
    left, removed = sum(weights), 0
    for weight in sorted(weights, reverse=True):
        if left < level:
            break
        left, removed = left - weight, removed + 1
    return removed


def transcripts(stream, box, levels, rates, count, rho):
    """Transcript -> probability, by recursion over times and rounds given S on a grid."""
    shared, own, scale = rates
    x = np.arange(STEP / 2, END, STEP)
    weights = shared * np.exp(-shared * x) * STEP
    round_ = CountingRound(
        Direction.DIRECT,
        count,
        Fraction(rho),
        *(Rate.of_nats(Fraction(r)) for r in (scale, shared, own)),
    )
    law = {}
    accept = {}

    def acceptance(data, j):
        key = (data, j)
        if key not in accept:
            joint = box(data, levels[j])
            accept[key] = round_acceptance_float(round_, Fraction(sum(joint)), x), joint
        return accept[key]

    def go(t, level, weight, transcript, factor):
        if t == len(stream):
            law[transcript] = law.get(transcript, 0.0) + factor * float(weight @ weights)
            return
        data = tuple(sorted(symbol for symbol in stream[: t + 1] if symbol))
        raised = weight
        for j in range(level, len(levels) + 1):
            if j > level:
                joint = acceptance(data, j - 1)[1]
                raised = raised * acceptance(data, j - 1)[0]
            rejects = 1 - acceptance(data, j)[0] if j < len(levels) else 1.0
            if j == level:
                go(t + 1, j, raised * rejects, (*transcript, (j, None)), factor)
            else:
                for solution, mass in enumerate(joint):
                    share = factor * mass / sum(joint)
                    go(t + 1, j, raised * rejects, (*transcript, (j, solution)), share)

    go(0, 0, np.ones_like(x), (), 1.0)
    return law


def worst_log_ratio(streams, box, levels, rates, count, rho):
    laws = {stream: transcripts(stream, box, levels, rates, count, rho) for stream in streams}
    worst, pairs = 0.0, 0
    for stream in streams:
        assert abs(sum(laws[stream].values()) - 1) < 2e-3  # the grid's own error, common to all
        for t in range(len(stream)):
            if stream[t]:
                other = (*stream[:t], "", *stream[t + 1 :])
                pairs += 1
                for transcript, p in laws[stream].items():
                    q = laws[other][transcript]
                    if min(p, q) > 1e-9:
                        worst = max(worst, abs(math.log(p / q)))
    return worst, pairs


STREAMS = list(itertools.product(("", "a", "b"), repeat=4))
# levels; epsilon_0, epsilon_1; epsilon_A, epsilon_T; T, rho; epsilon by the theorem; worst ratio
TABLE = [
    ((1, 2), (0.3, 0.175), (0.09, 0.085), 6, 60, 1.0, 0.2832),
    ((1, 2, 4), (0.3, 0.1), (0.06, 0.04), 6, 200, 0.9, 0.2315),
    ((2, 4), (0.2, 1.0), (0.5, 0.5), 6, 3000, 4.2, 1.7988),
    ((2,), (0.3, 0.2), (0.3, 2.0), 5, 40, 4.9, 2.4512),
]


@pytest.mark.parametrize("row", TABLE, ids=lambda row: f"R{len(row[0])}-T{row[3]}-rho{row[4]}")
def test_selection_and_check(row):
    levels, (shared, own), (selection, check), count, rho, bound, expected = row

    def box(data, level):
        return utility_box([data.count("a"), data.count("b")], level, selection, check)

    rates = (shared, own, selection + check)
    worst, pairs = worst_log_ratio(STREAMS, box, levels, rates, count, rho)
    assert pairs == 216
    theorem = shared + len(levels) * 2 * max(own, selection + check)
    assert theorem == pytest.approx(bound)
    assert worst <= theorem
    assert worst == pytest.approx(expected, abs=2e-3)


@pytest.mark.parametrize(
    ("levels", "shared", "own", "check", "count", "rho", "bound", "expected"),
    [((2, 4), 0.2, 0.4, 0.4, 6, 300, 1.0, 0.7149), ((4,), 0.2, 1.0, 1.0, 3, 3000, 1.2, 1.0756)],
)
def test_the_guess_box_has_the_monotone_bound(
    levels, shared, own, check, count, rho, bound, expected
):
    def box(data, level):
        return [laplace_tail(level - data.count(symbol), check) / 2 for symbol in "ab"]

    worst, _ = worst_log_ratio(STREAMS, box, levels, (shared, own, check), count, rho)
    assert shared + len(levels) * max(own, check) == pytest.approx(bound)
    assert worst <= bound
    assert worst == pytest.approx(expected, abs=2e-3)


@pytest.mark.slow
def test_the_distance_box_needs_no_bound_on_weights():
    """Weights 1 and 100, four symbols, 768 pairs."""
    streams = list(itertools.product(("", "a", "b", "A", "B"), repeat=4))
    weight = {"a": 1, "b": 1, "A": 100, "B": 100}
    levels, rates = (1, 50), (0.3, 0.175, 0.175)

    def box(data, level):
        scores = [distance([weight[s] for s in data if s.lower() == own], level) for own in "ab"]
        top = max(scores)
        weights = [math.exp(0.09 * (score - top)) for score in scores]
        shares = [w / sum(weights) for w in weights]
        return [p * laplace_tail(2 - d, 0.085) for p, d in zip(shares, scores, strict=True)]

    worst, _ = worst_log_ratio(streams, box, levels, rates, 6, 60)
    assert worst <= 1.0
    assert worst == pytest.approx(0.2866, abs=2e-3)


def test_the_boxes_of_the_package_have_this_law():
    """Success probabilities and joint laws, floats and balls, against the definition."""
    objective = coverage(2, size=1)
    for event in ({0}, {0}, {1}, {0}):
        objective.insert(event)
    rates = [Rate.of_nats(Fraction(r)) for r in ("9/100", "17/200")]
    box = ThresholdBox(UtilityScores(objective), *rates)
    for level in (1, 2, 4, 7):
        expected = utility_box([3, 1], level, 0.09, 0.085)
        for bits in (64, 128):
            value = box.success_probability(Fraction(level))(bits)
            assert abs(float(value) - sum(expected)) < 1e-12
    scores = DistanceScores([(0,), (1,)], Fraction(2), 50)
    for event in ((frozenset({0}), 100), (frozenset({0, 1}), 1), (frozenset({1}), 7)):
        scores.insert(event)
    for level in (1, 8, 9, 50, 101, 102):
        assert scores.distance(0, Fraction(level)) == distance([100, 1], level)
        assert scores.distance(1, Fraction(level)) == distance([7, 1], level)
