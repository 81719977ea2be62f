"""Forgeries of mixtures and of long sums reach what they are for; the judge knows mixtures too."""

import json
import random
from fractions import Fraction
from pathlib import Path

import pytest
from flint import ctx

from solvers.testing import solve_testing
from tests.attack import form, long_sums, mixture_near_misses, testing_oracle
from tests.attack.bases import content_of, random_divergence
from tests.attack.campaign import judged, kernel_answer
from tests.attack.mixture_near_misses import RENAMED, spelled, terms_of
from tests.attack.oracle import flaw
from tests.attack.reals import ball
from tests.support.oracle import staircase_optimum
from verify.kernel.divergence import parse_divergence

CORPUS = Path(__file__).parent.parent / "corpus"
LAWS = ["1/2", "1/3", "1/6"], ["1/5", "1/4", "11/20"]
BASE = "1*e-gamma:3/2+1/2*chi2+2*tv"


@pytest.fixture(scope="module")
def base():
    return content_of(solve_testing(*LAWS, "log(3)", BASE).certificate)


def answers(base, rename, answer_of=kernel_answer, n=60):
    rng, terms, found = random.Random(rename.__name__), terms_of(BASE), {}
    for _ in range(n):
        name = rename(rng, terms)
        forged = {**base, "claim": {**base["claim"], "divergence": name}}
        text = json.dumps(forged)
        found.setdefault((judged(text, answer_of) if answer_of else judged(text))[0], set()).add(
            name
        )
    return found


@pytest.mark.parametrize("rename", sorted({*RENAMED}, key=lambda rename: rename.__name__))
def test_every_forgery_of_a_name_is_answered_right(base, rename):
    found = answers(base, rename)
    assert set(found) <= {"true", "REJECTED", "malformed"}
    refused = {"other_order", "other_spelling", "nested", "renyi_part", "no_weight", "many_terms"}
    assert rename.__name__ not in refused or "malformed" in found


@pytest.mark.parametrize("rename", sorted({*RENAMED}, key=lambda rename: rename.__name__))
def test_the_judge_sees_through_every_forgery_of_a_name(base, rename):
    """A checker that accepts anything is found out, by the value or by the spelling."""
    found = answers(base, rename, lambda text: "ACCEPTED")
    assert "false" in found
    assert "crashed" not in found


def test_other_names_of_the_same_value_stay_true(base):
    alias = spelled([(Fraction(1), "e-gamma:3/2"), (Fraction(1), "alpha:2"), (Fraction(2), "tv")])
    halves = "1*e-gamma:3/2+1*tv+1*tv+1/2*chi2"
    sixteen = spelled([(Fraction(1, 14), "e-gamma:3/2")] * 14 + terms_of(BASE)[1:])
    seventeen = spelled([(Fraction(1, 15), "e-gamma:3/2")] * 15 + terms_of(BASE)[1:])
    cases = ((alias, "true"), (halves, "true"), (sixteen, "true"), (seventeen, "malformed"))
    for name, answer in cases:
        forged = {**base, "claim": {**base["claim"], "divergence": name}}
        assert judged(json.dumps(forged))[0] == answer, name
    assert not flaw({**base, "claim": {**base["claim"], "divergence": seventeen}})
    with pytest.raises(form.FormError, match="divergence"):
        form.read(json.dumps({**base, "claim": {**base["claim"], "divergence": seventeen}}))


def test_a_scaled_mixture_is_true_and_a_hair_less_is_not(base):
    rng, terms = random.Random("scaled"), terms_of(BASE)
    forged = (mixture_near_misses.scaled(rng, base, terms) for _ in range(60))
    assert {judged(json.dumps(content))[0] for content in forged} == {"true", "REJECTED"}


@pytest.mark.parametrize("folder", ["accept", "malformed"])
def test_the_strict_reader_knows_mixtures(folder):
    for path in sorted((CORPUS / folder).glob("mixture-*.json")):
        if folder == "accept":
            assert form.read(path.read_text())
        else:
            with pytest.raises(form.FormError, match="divergence"):
                form.read(path.read_text())


@pytest.mark.parametrize("name", [BASE, "1*e-gamma:1/2+1*e-gamma:1/2+3*lecam"])
def test_the_best_partition_for_a_mixture_is_the_best_channel(name):
    p, q = ([Fraction(text) for text in law] for law in LAWS)
    for E in (Fraction(3, 2), Fraction(20)):
        for outputs in (None, 2):
            claim = {"p0": LAWS[0], "p1": LAWS[1], "divergence": name, "outputs": outputs}
            found = testing_oracle.optimum(claim, E, exact=True)
            assert found == staircase_optimum(p, q, E, name, outputs)


@pytest.mark.parametrize("name", ["alpha:3", "alpha:-2", "1/2*alpha:3+1/3*kl+2*tv"])
def test_fractions_and_balls_agree(name):
    x, y, before = Fraction(9, 5), Fraction(4, 7), ctx.prec
    ctx.prec = 200
    try:
        found = testing_oracle.perspective(name, x, y)
        in_balls = testing_oracle.perspective(name, ball(x), ball(y))
        assert in_balls.overlaps(ball(found) if isinstance(found, Fraction) else found)
        assert isinstance(found, Fraction) == testing_oracle.is_exact(name, Fraction(3))
        assert not testing_oracle.is_exact(name, lambda: ball(x).exp())
    finally:
        ctx.prec = before


def test_bases_draw_mixtures_now_and_then():
    rng = random.Random("mixtures")
    names = [random_divergence(rng) for _ in range(400)]
    mixtures = [name for name in names if "*" in name]
    assert 60 <= len(mixtures) <= 160
    assert max(len(terms_of(name)) for name in mixtures) >= 12
    assert all(parse_divergence(name).name == name for name in names)


@pytest.mark.parametrize(("k", "answer"), [(10, "true"), (11, "malformed")])
def test_blocks_of_sixteen_terms_at_a_long_level_are_limited(base, k, answer):
    """Ten are evaluated, eleven refused before any work."""
    E, law = f"{3 * 10**1990 + 7}/{10**1990}", [f"1/{k}"] * k
    claim = {"p0": law, "p1": law, "level": {"exp_epsilon": E}, "outputs": None}
    claim |= {"divergence": long_sums.LONGEST, "lower": "0", "upper": "99"}
    witness = {"exp_epsilon": [E, E], "blocks": [[x] for x in range(k)], "multipliers": ["1"] * k}
    witness |= {"output_multiplier": "0", "separators": [], "bits": 4096}
    assert judged(json.dumps({**base, "claim": claim, "witness": witness}))[0] == answer
