"""Clients and servers: reports, aggregates, estimates, intervals; and one line for bad input."""

import json
import pickle
from fractions import Fraction

import numpy as np
import pytest

from combinatorics import difference_set
from solvers.estimation import (
    Aggregate,
    best_schemes,
    block_design_scheme,
    hadamard_response,
    project_onto_simplex,
    randomized_response,
    scheme_certificate,
    subset_selection,
    truncated_scheme,
    with_sum_one,
)
from solvers.estimation.confidence import clopper_pearson
from solvers.output_law import output_law
from tests.support.estimation_schemes import SCHEMES
from verify.kernel.distribution import Distribution
from verify.kernel.errors import InexactNumberError, InputError

FANO = block_design_scheme(difference_set(7, 3, 1), "0.4")


@pytest.mark.parametrize("name", sorted(SCHEMES))
def test_parts_add_up_to_the_whole(name):
    scheme = SCHEMES[name]
    reports = scheme.privatise(np.arange(900) % scheme.alphabet_size, 1)
    parts = [scheme.aggregate(part) for part in np.array_split(reports, 7)]
    assert sum(parts) == scheme.aggregate(reports) == sum(parts[::-1])
    assert parts[0] + scheme.aggregate([]) == parts[0]


def test_ten_million_reports_from_eight_servers():
    scheme = truncated_scheme(difference_set(1093, 364, 121), 1000, 1)
    rng = np.random.default_rng(11)
    whole, parts = None, []
    reports = [scheme.privatise(rng.integers(0, 1000, 1_250_000), rng) for _ in range(8)]
    parts = [scheme.aggregate(part) for part in reports]
    whole = scheme.aggregate(np.concatenate(reports))
    merged = sum(parts)
    assert merged.n == whole.n == 10_000_000
    assert merged.tally.tobytes() == whole.tally.tobytes()
    counts = [scheme.point_counts(aggregate) for aggregate in (merged, whole)]
    assert counts[0].tobytes() == counts[1].tobytes()


@pytest.mark.parametrize("name", sorted(SCHEMES))
def test_the_estimate_in_floats_is_the_exact_one(name):
    scheme = SCHEMES[name]
    aggregate = scheme.aggregate(scheme.privatise(np.arange(500) % scheme.alphabet_size, 2))
    exact = scheme.estimate_exact(aggregate)
    assert np.allclose(scheme.estimate(aggregate), np.array(exact, dtype=float), rtol=1e-9)
    if scheme.structure.block_size is not None:
        assert sum(exact) == 1


@pytest.mark.parametrize("name", sorted(SCHEMES))
def test_the_estimate_is_unbiased_exactly(name):
    """The mean over all reports of one user, weighted by the channel, is the indicator."""
    scheme = SCHEMES[name]
    b, v = scheme.parameters.b, scheme.alphabet_size
    if b > 40:
        pytest.skip("too many outputs to list twice")
    single = [scheme.estimate_exact(scheme.aggregate([y])) for y in range(b)]
    for x, row in enumerate(scheme.channel.rows):
        means = [sum(row[y] * single[y][z] for y in range(b)) for z in range(v)]
        assert means == [int(z == x) for z in range(v)]


@pytest.mark.parametrize("name", sorted(SCHEMES))
def test_risks_against_their_definition(name):
    """n risk at a law, canonical and with sum 1, from the law of one report."""
    scheme = SCHEMES[name]
    b, v = scheme.parameters.b, scheme.alphabet_size
    if b > 40:
        pytest.skip("too many outputs to list twice")
    masses = [Fraction(1 + x * x % 5) for x in range(v)]
    prior = Distribution(tuple(mass / sum(masses) for mass in masses))
    single = [scheme.estimate_exact(scheme.aggregate([y])) for y in range(b)]
    law = output_law(scheme.channel, prior).masses

    def error(estimates):
        return sum(
            weight * sum((e - p) ** 2 for e, p in zip(estimate, prior.masses, strict=True))
            for weight, estimate in zip(law, estimates, strict=True)
        )

    moved = [[e + (1 - sum(estimate)) / v for e in estimate] for estimate in single]
    assert scheme.risk(1, prior) == error(single)
    assert scheme.risk(1000, prior) == error(single) / 1000
    assert scheme.corrected_n_risk(prior) == error(moved) <= error(single)
    uniform = Distribution((Fraction(1, v),) * v)
    assert scheme.risk(1, prior) <= scheme.risk(1) == scheme.risk(1, uniform) == scheme.n_risk
    assert error(moved) <= scheme.corrected_n_risk() <= scheme.n_risk


def test_the_worst_law_of_the_corrected_estimator():
    """No law nearby or at a corner has a larger risk."""
    scheme = SCHEMES["truncated blocks"]
    worst = scheme.corrected_n_risk()
    v = scheme.alphabet_size
    for x in range(v):
        for y in range(v):
            masses = [Fraction(1, v)] * v
            masses[x] += Fraction(1, 50)
            masses[y] -= Fraction(1, 50)
            assert scheme.corrected_n_risk(Distribution(tuple(masses))) <= worst
        corner = Distribution(tuple(Fraction(int(z == x)) for z in range(v)))
        assert scheme.corrected_n_risk(corner) <= worst


def test_the_correction_of_the_quartic_scheme():
    scheme = truncated_scheme(difference_set(101, 25, 6), 100, 1)
    sizes = [block.bit_count() for block in scheme.structure.block_design().blocks]
    assert (sizes.count(25), sizes.count(24)) == (76, 25)
    uniform = Distribution((Fraction(1, 100),) * 100)
    assert f"{float(scheme.corrected_n_risk(uniform)):.4f}" == "362.1296"


def test_bits_are_exact():
    assert [randomized_response(v, 1).report_bits for v in (2, 3, 4, 5, 1000)] == [1, 2, 2, 3, 10]
    assert hadamard_response(4, 1).report_bits == 3
    assert FANO.bits == pytest.approx(2.807354922057604)


def test_variances_are_unbiased():
    scheme = randomized_response(3, "log(5)")
    prior = Distribution(["1/2", "1/3", "1/6"])
    law = [float(p) for p in output_law(scheme.channel, prior).masses]
    rng = np.random.default_rng(8)
    variances, estimates = [], []
    for _ in range(4000):
        aggregate = scheme.aggregate(rng.choice(3, 50, p=law))
        variances.append(scheme.variances(aggregate))
        estimates.append(scheme.estimate(aggregate))
    assert np.allclose(np.mean(variances, axis=0), np.var(estimates, axis=0), rtol=0.1)
    assert np.mean(variances) * 3 == pytest.approx(float(scheme.risk(50, prior)), rel=0.02)


@pytest.mark.parametrize("simultaneous", [False, True])
def test_intervals_cover(simultaneous):
    truth = np.array([0.5, 0.25, 0.125, 0.0625, 0.03125, 0.03125, 0.0])
    rng = np.random.default_rng(9)
    covered = []
    for _ in range(600):
        aggregate = FANO.aggregate(FANO.privatise(rng.choice(7, 300, p=truth), rng))
        bounds = FANO.confidence_intervals(aggregate, 0.9, simultaneous=simultaneous)
        assert bounds.shape == (7, 2)
        inside = (bounds[:, 0] <= truth) & (truth <= bounds[:, 1])
        covered.append(inside.all() if simultaneous else inside.mean())
    assert np.mean(covered) > 0.88


def test_clopper_pearson_against_the_tails():
    """The bounds are where the binomial tails are exactly half of what is left."""
    from scipy.stats import binom

    counts = np.array([0, 1, 7, 19, 20])
    bounds = clopper_pearson(counts, 20, 0.95)
    assert bounds[0, 0] == 0.0
    assert bounds[-1, 1] == 1.0
    assert np.allclose(binom.sf(counts[1:] - 1, 20, bounds[1:, 0]), 0.025)
    assert np.allclose(binom.cdf(counts[:-1], 20, bounds[:-1, 1]), 0.025)
    for wrong in (0, 1, -0.5, 95):
        with pytest.raises(InputError, match="confidence"):
            clopper_pearson(counts, 20, wrong)


def test_steps_after_the_estimate():
    raw = np.array([0.6, 0.5, -0.3, 0.1])
    assert with_sum_one(raw).tolist() == pytest.approx([0.625, 0.525, -0.275, 0.125])
    projected = project_onto_simplex(raw)
    assert projected.sum() == pytest.approx(1.0)
    assert (projected >= 0).all()
    rng = np.random.default_rng(1)
    for other in rng.dirichlet(np.ones(4), 500):  # the projection is the nearest
        assert ((raw - projected) ** 2).sum() <= ((raw - other) ** 2).sum() + 1e-12
    inside = rng.dirichlet(np.ones(6))
    assert np.allclose(project_onto_simplex(inside), inside)
    for wrong in ([], [np.nan, 1.0], [[0.5, 0.5]]):
        with pytest.raises(InputError, match="estimate"):
            project_onto_simplex(wrong)


@pytest.mark.parametrize(
    ("symbols", "message"),
    [
        ([0, 7], r"symbols\[1\]: 7 is not in 0\.\.6"),
        ([-1], r"symbols\[0\]: -1 is not in"),
        ([0.0], "must be integers, not float64"),
        ([True], "must be integers, not bool"),
        (["0"], "must be integers"),
        ([[0, 1]], "must be a vector"),
        (3, "must be a vector"),
        (np.array([2**64 - 1], dtype=np.uint64), "is not in"),
        ([2**70], "is not in"),
    ],
)
def test_symbols_and_reports_out_of_range(symbols, message):
    with pytest.raises(InputError, match=message):
        FANO.privatise(symbols)
    with pytest.raises(InputError, match=message.replace("symbols", "reports")):
        FANO.aggregate(symbols)


def test_nothing_to_do_is_no_error():
    assert len(FANO.privatise([])) == 0
    assert FANO.aggregate([]).n == 0
    with pytest.raises(InputError, match="no reports"):
        FANO.estimate(FANO.aggregate([]))
    with pytest.raises(InputError, match="two reports"):
        FANO.variances(FANO.aggregate([3]))
    with pytest.raises(InputError, match="n_users"):
        FANO.risk(0)
    with pytest.raises(InputError, match="prior: has 2 masses"):
        FANO.risk(5, ["1/2", "1/2"])


def test_aggregates_of_different_schemes_do_not_merge():
    others = [
        block_design_scheme(difference_set(7, 3, 1), "0.5"),
        truncated_scheme(difference_set(7, 3, 1), 6, "0.4"),
        block_design_scheme(difference_set(7, 4, 2), "0.4"),
        subset_selection(7, 3, "0.4"),
        randomized_response(7, "0.4"),
    ]
    own = FANO.aggregate([1, 2])
    for other in others:
        with pytest.raises(InputError, match="different schemes"):
            own + other.aggregate([1, 2])
        with pytest.raises(InputError, match="another scheme"):
            other.estimate(own)
    with pytest.raises(TypeError):
        own + 1
    again = block_design_scheme(difference_set(7, 3, 1), "0.4").aggregate([1, 2])
    assert (own + again).n == 4


def test_aggregates_are_frozen_and_never_negative():
    aggregate = FANO.aggregate([0, 0, 5])
    with pytest.raises(ValueError, match="read-only"):
        aggregate.tally[0] = 7
    with pytest.raises(InputError, match="never negative"):
        Aggregate(1, np.array([-1]), aggregate.mark)


def test_aggregates_travel_as_json():
    aggregate = FANO.aggregate([0, 0, 5])
    content = json.loads(json.dumps(aggregate.as_object()))
    assert Aggregate.from_object(content) == aggregate == pickle.loads(pickle.dumps(aggregate))
    for key, value in (("n", "3"), ("n", -1), ("tally", [1.5]), ("tally", 3), ("scheme", None)):
        with pytest.raises(InputError, match="an aggregate"):
            Aggregate.from_object({**content, key: value})
    for wrong in ({"n": 3}, {**content, "more": 1}, {**content, "tally": [2**63]}):
        with pytest.raises(InputError, match="an aggregate"):
            Aggregate.from_object(wrong)
    with pytest.raises(InputError, match="another scheme"):
        FANO.estimate(Aggregate.from_object({**content, "tally": [3]}))


def test_epsilon_zero_reports_and_refuses_to_estimate():
    scheme = block_design_scheme(difference_set(7, 3, 1), 0)
    assert len(set(scheme.channel.rows)) == 1
    aggregate = scheme.aggregate(scheme.privatise([0] * 100, 1))
    for action in (
        lambda: scheme.estimate(aggregate),
        lambda: scheme.estimate_exact(aggregate),
        lambda: scheme.confidence_intervals(aggregate),
        lambda: scheme.n_risk,
        lambda: scheme.ratio,
        lambda: scheme.is_optimal,
        scheme.corrected_n_risk,
        lambda: scheme_certificate(scheme),
        lambda: best_schemes(7, 0),
        lambda: subset_selection(7, None, 0),
    ):
        with pytest.raises(InputError, match=r"(divide by|no information|epsilon = 0)"):
            action()


@pytest.mark.parametrize("epsilon", ["-1", "log(1/2)", "x", None])
def test_epsilon_out_of_range(epsilon):
    with pytest.raises((InputError, InexactNumberError)):
        randomized_response(5, epsilon)


def test_schemes_say_what_they_are():
    assert repr(FANO) == (
        "<translates of a difference set: v = 7, b = 7, r = 3, lambda = 1, epsilon = 2/5>"
    )
    ranking = best_schemes(7, "0.4")
    assert "best <Singer" in repr(ranking)
    assert ranking._repr_html_().count("<tr>") == len(ranking) + 1
    assert ranking[0] is ranking.best
    assert ranking[:2] == tuple(ranking)[:2]
