"""The privacy audit: no pair beats epsilon, the bound is attained, broken variants are refuted."""

import random
from fractions import Fraction

import pytest

from solvers.thresholding import (
    Calibrator,
    Direction,
    ParameterError,
    Parameters,
    StepParameters,
    audit_privacy,
    steps_certificate,
)
from solvers.thresholding import negative_controls as controls
from solvers.thresholding.audit import is_neighbour
from verify.kernel.certificate import Certificate, check_certificate
from verify.kernel.verdict import Status


def random_steps(rng):
    """Parameters and one to four steps; directions and deltas are mixed."""
    parameters = Parameters.of(
        rng.choice(["1/2", "1", "2", "log(3)", "4"]),
        rng.choice(["1/10", "1/20", "1/100", "1/3"]),
        rng.choice(["1", "1/3", "3/2", "7/5"]),
        rng.choice(["2", "3/2", "7/4"]),
        rng.choice([None, 10, 100]),
    )
    calibrator = Calibrator(parameters)
    steps = [
        StepParameters.of(
            rng.choice(["1/10", "1/20", "1/5", "1/2"]),
            rng.choice(["1/2", "1/10", "9/10", "99/100", "999/1000"]),
            rng.choice(["0", "0", "1/1000", "1/100"]),
        )
        for _ in range(rng.randint(1, 4))
    ]
    return parameters, [calibrator(step, t) for t, step in enumerate(steps, 1)]


def check_many(seeds):
    tightness, directions, deltas = [], set(), set()
    for seed in seeds:
        parameters, steps = random_steps(random.Random(seed))
        result = audit_privacy(steps)
        assert result.within, (seed, result)
        pairs = zip(steps, result.pair.first, result.pair.second, strict=False)
        assert all(is_neighbour(step.step, p, q) for step, p, q in pairs)
        assert check_certificate(steps_certificate(parameters, steps)).is_accepted
        tightness.append(result.tightness)
        directions |= {step.direction for step in steps}
        deltas |= {step.step.delta > 0 for step in steps}
    assert directions == set(Direction)
    assert deltas == {True, False}
    assert max(tightness) >= 0.999
    return tightness


def test_no_pair_beats_epsilon_and_the_bound_is_attained():
    check_many(range(9))


@pytest.mark.slow
def test_two_hundred_parameter_sets():
    tightness = check_many(range(1000, 1200))
    assert sum(t >= 0.999 for t in tightness) >= 50


PARAMETERS = Parameters.of(1, "1/10", 1, 2, 100)
PURE, NOISY, FLIPPED = (
    Calibrator(PARAMETERS)(StepParameters.of(*step), 1)
    for step in (("1/10", "1/2"), ("1/10", "1/2", "1/1000"), ("1/20", "999/1000"))
)


@pytest.mark.parametrize(
    ("control", "step"),
    [
        (controls.drop_shared_noise, PURE),
        (controls.drop_shared_noise, FLIPPED),
        (controls.halve_shift_budget, PURE),
        (controls.cap_evaluations, PURE),
        (controls.fix_evaluations, PURE),
        (controls.skip_purification, NOISY),
        (controls.flip_sign, FLIPPED),
    ],
)
def test_every_broken_variant_is_refuted_with_a_witness(control, step):
    found = control(step)
    assert found.is_refuted
    assert found.first != found.second
    for p, q in zip(found.first, found.second, strict=True):
        assert is_neighbour(step.step, p, q) or is_neighbour(step.step, q, p)


@pytest.mark.parametrize("change", [
    {"shared_rate": "2/3"}, {"rate": "2/3"}, {"sign": 1}, {"crossover": "0"},
    {"shifts": [["1", "1"]]},
])  # fmt: skip
def test_the_kernel_rejects_the_variants_it_can_see(change):
    flipped = Calibrator(PARAMETERS)(StepParameters.of("1/20", "999/1000", "1/10000"), 1)
    assert flipped.direction is Direction.FLIPPED
    proof = steps_certificate(PARAMETERS, [NOISY, flipped])
    assert check_certificate(proof).is_accepted
    claim, witness = dict(proof.claim), dict(proof.witness)
    claim["levels"] = [[dict(kind) for kind in level] for level in claim["levels"]]
    for key, value in change.items():
        if key == "shared_rate":
            claim[key] = value
        elif key == "shifts":
            witness[key] = value
        else:
            claim["levels"][0][1][key] = value
    verdict = check_certificate(Certificate("coupling", claim, witness))
    assert verdict.status is Status.REJECTED


def test_controls_say_which_step_they_need():
    with pytest.raises(ParameterError):
        controls.cap_evaluations(FLIPPED)
    with pytest.raises(ParameterError):
        controls.flip_sign(PURE)
    with pytest.raises(ParameterError):
        controls.skip_purification(PURE)
    assert Fraction(controls.drop_shared_noise(PURE).epsilon_upper) >= 1
