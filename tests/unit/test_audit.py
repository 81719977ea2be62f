"""The audit of black boxes: exact where draws can be enumerated, evidence otherwise."""

import json
from fractions import Fraction
from pathlib import Path

import mpmath
import numpy as np
import pytest
from scipy.stats import beta

from verify import audit_runs
from verify.audit import (
    EnumeratedSource,
    NotPrivateError,
    audit_sampler,
    enumerate_law,
)
from verify.kernel.errors import InputError, LimitError
from verify.kernel.verdict import Status

CHANNELS = {
    case["name"]: case
    for case in json.loads((Path(__file__).parents[1] / "reference" / "channels.json").read_text())
}


def keep_chance(k, d, level):
    """The chance that a subset selection of d of k symbols holds the true one."""
    return Fraction(d * level, d * level + k - d)


def redrawn_subset(k, d, level):
    """Published slip: the branch that should leave the true symbol out may draw it again."""

    def sampler(x, rng):
        if rng.bernoulli(keep_chance(k, d, level)):
            others = [y for y in range(k) if y != x]
            return frozenset([x, *rng.sample(others, d - 1)])
        return frozenset(rng.sample(range(k), d))

    return sampler


def true_subset(k, d, level):
    """Subset selection as it should be."""

    def sampler(x, rng):
        others = [y for y in range(k) if y != x]
        if rng.bernoulli(keep_chance(k, d, level)):
            return frozenset([x, *rng.sample(others, d - 1)])
        return frozenset(rng.sample(others, d))

    return sampler


def independent_bits(k, d, level):
    """Published slip: each bit is drawn on its own instead of a subset of fixed size."""
    p = keep_chance(k, d, level)
    q = ((d - 1) * p + d * (1 - p)) / (k - 1)
    return lambda x, rng: tuple(int(rng.bernoulli(p if y == x else q)) for y in range(k))


def redrawn_subset_batch(k, d, level):
    p = float(keep_chance(k, d, level))

    def batch(x, n, generator):
        marks = generator.random((n, k))
        marks[:, x] = np.where(generator.random(n) < p, -1, marks[:, x])
        return np.argpartition(marks, d, axis=1)[:, :d]

    return batch


def independent_bits_batch(k, d, level):
    p = float(keep_chance(k, d, level))
    q = ((d - 1) * p + d * (1 - p)) / (k - 1)

    def batch(x, n, generator):
        bits = generator.random((n, k), dtype=np.float32) < q
        bits[:, x] = generator.random(n) < p
        return bits

    return batch


@pytest.mark.parametrize(
    ("sampler", "name"),
    [
        (redrawn_subset(4, 1, 3), "subset-selection-4-1-truth-redrawn"),
        (independent_bits(4, 1, 3), "unary-4-independent-bits"),
    ],
)
def test_flawed_samplers_are_refuted_exactly_at_four_symbols(sampler, name):
    report = audit_sampler(sampler, range(4), 3)
    assert report.is_flagged
    assert report.is_proof
    assert report.ratio == Fraction(CHANNELS[name]["exp_epsilon"]) == 5
    law = sorted(enumerate_law(sampler, 0).values())
    row = sorted(map(Fraction, CHANNELS[name]["rows"][0]))
    assert law == [mass for mass in row if mass]
    with pytest.raises(NotPrivateError, match="5 times likelier from input"):
        report.require_private()


def test_a_right_sampler_is_proved_private():
    report = audit_sampler(true_subset(5, 2, 3), range(5), 3)
    assert (report.status, report.ratio, report.is_proof) == (Status.ACCEPTED, 3, True)
    report.require_private()


@pytest.mark.parametrize(
    ("batch", "d"),
    [(redrawn_subset_batch, 25), (redrawn_subset_batch, 1), (independent_bits_batch, 25)],
)
def test_flawed_samplers_are_flagged_at_a_hundred_symbols(batch, d):
    report = audit_sampler(
        lambda x, rng: None, range(100), 3, batch=batch(100, d, 3), confidence=0.99
    )
    assert report.is_flagged
    assert not report.is_proof
    assert "evidence" in report.reason
    assert report.ratio > 3


def test_a_right_sampler_is_not_flagged_by_runs():
    def batch(x, n, generator):
        keep = generator.random(n) < 0.5
        return np.where(keep, x, generator.integers(0, 2, n))

    report = audit_sampler(lambda x, rng: None, [0, 1], 3, batch=batch, runs=60_000)
    assert report.status is Status.UNDECIDED
    assert "does not prove" in report.reason
    with pytest.raises(NotPrivateError):
        report.require_private()


def test_false_alarms_are_as_rare_as_stated():
    """At ratio exactly E and confidence 3/4, far fewer than a quarter of 60 audits are flagged."""

    def batch(x, n, generator):
        return (generator.random(n) < (0.75 if x else 0.25)).astype(int)

    flagged = sum(
        audit_sampler(
            lambda x, rng: None, [0, 1], 3, batch=batch, runs=4000, confidence=0.75, seed=seed
        ).is_flagged
        for seed in range(60)
    )
    assert flagged <= 20


def test_a_scalar_sampler_with_floats_is_audited_by_runs():
    def leaky(x, rng):
        return x if rng.random() < 0.9 else 1 - x

    report = audit_sampler(leaky, [0, 1], 3, runs=20_000)
    assert report.is_flagged
    assert not report.is_proof


def test_clopper_pearson_is_that_of_the_beta_law():
    assert audit_runs.clopper_pearson_lower(7, 50, 0.01) == pytest.approx(beta.ppf(0.01, 7, 44))
    assert audit_runs.clopper_pearson_upper(7, 50, 0.01) == pytest.approx(beta.ppf(0.99, 8, 43))
    assert audit_runs.clopper_pearson_lower(0, 50, 0.01) == 0
    assert audit_runs.clopper_pearson_upper(50, 50, 0.01) == 1


def reached(p, hits, runs):
    """P(Bin(runs, p) >= hits) for a rational p below hits/runs, term by term at many bits."""
    assert hits > runs * p
    with mpmath.workprec(500):
        x = mpmath.mpf(p.numerator) / p.denominator
        total = term = mpmath.binomial(runs, hits) * x**hits * (1 - x) ** (runs - hits)
        while hits < runs and term > total * mpmath.mpf(2) ** -200:
            term *= mpmath.mpf(runs - hits) / (hits + 1) * x / (1 - x)
            hits += 1
            total += term
        return total


@pytest.mark.parametrize("error", [0.05, 1e-6, 1e-12, 1e-300])
@pytest.mark.parametrize("runs", [1, 50, 10**4, 10**9])
def test_clopper_pearson_is_on_the_safe_side_and_close(runs, error):
    """At the bound the chance is at most the error, and a little inside of it is more."""
    assert audit_runs.clopper_pearson_lower(0, runs, error) == 0
    assert audit_runs.clopper_pearson_upper(runs, runs, error) == 1
    for hits in {1, min(7, runs), min(runs // 2 + 1, 5000), max(1, runs - 1), runs}:
        lower = Fraction(audit_runs.clopper_pearson_lower(hits, runs, error))
        upper = Fraction(audit_runs.clopper_pearson_upper(runs - hits, runs, error))
        for p, inside in (
            (lower, lower * Fraction(1000001, 1000000)),
            (1 - upper, 1 - upper * Fraction(999999, 1000000)),
        ):
            assert reached(p, hits, runs) <= error
            assert inside * runs >= hits or reached(inside, hits, runs) > error


@pytest.mark.parametrize("wrong", [0.0, 0.3, 0.999, 1.0, 2.0, -1.0, float("nan")])
def test_a_wrong_first_guess_leads_to_true_bounds(monkeypatch, wrong):
    """Where the inverse of the beta law in float64 is far off."""
    for name in ("betaincinv", "betainccinv"):
        monkeypatch.setattr(audit_runs, name, lambda *_: wrong)
    lower = Fraction(audit_runs.clopper_pearson_lower(30, 100, 0.01))
    upper = Fraction(audit_runs.clopper_pearson_upper(70, 100, 0.01))
    assert reached(lower, 30, 100) <= 0.01
    assert reached(1 - upper, 30, 100) <= 0.01


def test_every_draw_is_enumerated_with_its_chance():
    law = enumerate_law(lambda _, rng: (rng.randint(1, 3), rng.bernoulli("1/4")), None)
    assert law == {(n, b): Fraction(3 - 2 * b, 12) for n in (1, 2, 3) for b in (False, True)}

    def order(_, rng):
        values = [0, 1, 2]
        rng.shuffle(values)
        return values

    assert set(enumerate_law(order, None).values()) == {Fraction(1, 6)}
    subset = enumerate_law(lambda _, rng: frozenset(rng.sample("abcd", 2)), None)
    assert set(subset.values()) == {Fraction(1, 6)}
    bits = enumerate_law(lambda _, rng: (rng.getrandbits(2), rng.choice("ab")), None)
    assert set(bits.values()) == {Fraction(1, 8)}


def test_what_cannot_be_enumerated_is_refused():
    source = EnumeratedSource()
    with pytest.raises(LimitError, match="2\\^53"):
        source.random()
    with pytest.raises(LimitError, match="cannot be enumerated"):
        source.randbelow(1 << 40)
    with pytest.raises(InputError, match="outside"):
        source.bernoulli("3/2")
    with pytest.raises(LimitError, match="courses"):
        enumerate_law(lambda _, rng: [rng.randbelow(10) for _ in range(9)], None, max_courses=100)


@pytest.mark.parametrize(
    ("inputs", "level", "confidence"), [([0], 3, 0.9), ([0, 1], "1/2", 0.9), ([0, 1], 3, 1)]
)
def test_misuse_is_refused(inputs, level, confidence):
    with pytest.raises(InputError):
        audit_sampler(lambda x, rng: x, inputs, level, confidence=confidence)
