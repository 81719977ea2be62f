"""The kernel's coupling: true claims accepted, every way to get it wrong rejected or refused."""

import copy
from fractions import Fraction

import pytest

from verify.kernel.certificate import Certificate, check_certificate
from verify.kernel.coupling import Round, acceptance_cost, check_purification, tail_cost
from verify.kernel.errors import CertificateError, InputError
from verify.kernel.privacy_level import PrivacyLevel
from verify.kernel.verdict import Status

DIRECT = {
    "rate": "1/3",
    "sign": 1,
    "accepts": "at-least",
    "box": {"exp_epsilon": "3"},
    "delta": "1/10",
    "crossover": "1/22",
    "released": False,
    "monotone": False,
}
FLIPPED = {**DIRECT, "sign": -1, "accepts": "at-most"}
PURE = {**DIRECT, "box": {"multiple": "1/5"}, "delta": "0", "crossover": "0"}


def status(levels, *, total="1", shared="1/3", tail=None, shared_shift="1", shifts=None):
    claim = {"epsilon": {"nats": "1"}, "total": total, "shared_rate": shared, "levels": levels}
    claim["tail"] = tail
    if shifts is None:
        shifts = [["2"] * len(level) for level in levels]
    witness = {"shared_shift": shared_shift, "shifts": shifts}
    return check_certificate(Certificate("coupling", claim, witness))


def test_the_mechanism_costs_exactly_epsilon():
    verdict = status([[DIRECT, FLIPPED]])
    assert verdict.is_accepted
    assert verdict.details["shared"] == Fraction(1, 3)
    assert verdict.details["cost"] == 1
    assert not status([[DIRECT]], total="999999999/1000000000").is_accepted


@pytest.mark.parametrize(
    "change",
    [
        {"rate": "334/1000"},
        {"sign": -1},
        {"accepts": "at-most"},
        {"crossover": "1/23"},
        {"crossover": "0"},
    ],
)
def test_a_broken_round_is_rejected(change):
    broken = {**DIRECT, **change}
    if "rate" in change:
        broken["rate"] = "167/500"
    assert status([[FLIPPED, broken]]).status is Status.REJECTED


def test_shifts_that_do_not_cover_are_rejected():
    assert status([[DIRECT]], shared_shift="999/1000").status is Status.REJECTED
    assert status([[DIRECT]], shared_shift="-1", shifts=[["-2"]]).status is Status.REJECTED
    assert status([[DIRECT]], shifts=[["1"]], total="2/3").status is Status.REJECTED
    assert status([[DIRECT]], shifts=[["3"]]).status is Status.REJECTED  # covers, but costs 4/3
    assert status([[DIRECT]], shifts=[["3"]], total="4/3").is_accepted


def test_levels_add_up_and_releases_are_free_below_the_rate():
    released = {**PURE, "released": True, "rate": "1/6"}
    costly = {**released, "box": {"multiple": "1/5"}}
    cheap = {**released, "box": {"multiple": "1/6"}}
    assert status([[cheap], [cheap]]).is_accepted
    assert status([[costly], [cheap]]).status is Status.REJECTED
    total = Fraction(1, 3) + Fraction(2, 5) + Fraction(1, 3)
    assert status([[costly], [cheap]], total=str(total)).is_accepted
    flipped = {**cheap, "sign": -1, "accepts": "at-most"}
    assert status([[flipped]], total="5/6").is_accepted  # 1/3 + 1/6 + 1/6 + 1/6
    assert status([[flipped]], total="499/600").status is Status.REJECTED


def test_monotone_rounds_cost_half_and_stand_alone():
    monotone = {**PURE, "monotone": True, "released": True, "rate": "1/5"}
    total = Fraction(1, 3) + Fraction(3, 5)
    assert status([[monotone]] * 3, total=str(total), shifts=[["1"]] * 3).is_accepted
    less = str(total - Fraction(1, 10**9))
    assert not status([[monotone]] * 3, total=less, shifts=[["1"]] * 3).is_accepted
    assert status([[monotone], [PURE]], total="9", shifts=[["1"], ["2"]]).status is Status.REJECTED
    tail = {"block": 1, "scale": "1/100"}
    assert status([[monotone]], total="9", shifts=[["1"]], tail=tail).status is Status.REJECTED
    flipped = {**monotone, "sign": -1, "accepts": "at-most"}
    assert status([[flipped]], total="9").status is Status.REJECTED


def test_infinitely_many_levels():
    levels = [[{**PURE, "rate": "1/6"}]]
    tail = {"block": 1, "scale": "1/3"}  # rates 1/6, then 1/36, 1/36, ... : sum 1/3
    assert status(levels, tail=tail).is_accepted
    assert status(levels, tail={"block": 1, "scale": "167/500"}).status is Status.REJECTED
    assert status(levels, tail={"block": 2, "scale": "1/3"}).status is Status.REJECTED
    assert tail_cost(Fraction(1), 0, Fraction(1)) == 2
    partial = sum(Fraction(2**i, 2**i * (i + 1) * (i + 2)) for i in range(3, 400))
    assert partial < tail_cost(Fraction(1), 3, Fraction(1)) / 2 < partial + Fraction(1, 400)


@pytest.mark.parametrize(
    ("place", "value"),
    [
        ("sign", 0),
        ("sign", True),
        ("rate", "0"),
        ("rate", "-1/3"),
        ("rate", "2/6"),
        ("accepts", "sometimes"),
        ("box", {"multiple": "0"}),
        ("box", {"multiple": "1/2", "nats": "1"}),
        ("box", {}),
        ("delta", "1"),
        ("delta", "-1/2"),
        ("crossover", "2/3"),
        ("released", 1),
        ("released", True),
        ("monotone", "no"),
    ],
)
def test_malformed_rounds_are_refused(place, value):
    with pytest.raises(InputError):
        status([[{**DIRECT, place: value}]])


def test_malformed_shapes_are_refused():
    with pytest.raises(CertificateError):
        status([[DIRECT]], shifts=[])
    with pytest.raises(CertificateError):
        status([[DIRECT]], shifts=[["2", "2"]])
    with pytest.raises(CertificateError):
        status([[]])
    with pytest.raises(InputError):
        status([[DIRECT]], shared="0")
    with pytest.raises(CertificateError):
        status([[{k: v for k, v in DIRECT.items() if k != "delta"}]])
    content = copy.deepcopy(DIRECT)
    content["more"] = 1
    with pytest.raises(CertificateError):
        status([[content]])


@pytest.mark.parametrize("level", [{"nats": "0"}, {"exp_epsilon": "1"}])
def test_a_unit_of_zero_is_no_rate(level):
    claim = {"epsilon": level, "total": "1", "shared_rate": "1/3", "levels": [[DIRECT]]}
    witness = {"shared_shift": "1", "shifts": [["2"]]}
    with pytest.raises(InputError, match="not positive"):
        check_certificate(Certificate("coupling", {**claim, "tail": None}, witness))


def test_a_pure_box_in_multiples_cannot_hide_a_delta():
    assert status([[{**PURE, "delta": "1/100", "crossover": "1/4"}]]).status is Status.REJECTED


def test_purification_is_tight_in_rational_arithmetic():
    level, delta = PrivacyLevel(exp_epsilon=Fraction(3)), Fraction(1, 10)
    least = delta / (3 - 1 + 2 * delta)
    assert check_purification(level, delta, least).is_accepted
    assert not check_purification(level, delta, least - Fraction(1, 10**30)).is_accepted
    assert check_purification(level, delta, Fraction(1, 2)).is_accepted
    nats = PrivacyLevel(nats=Fraction(1, 10))
    assert check_purification(nats, Fraction(0), Fraction(0)).is_accepted
    assert not check_purification(nats, delta, Fraction(1, 100)).is_accepted


def test_the_cost_of_an_acceptance_is_the_largest_end():
    base = {"sign": 1, "at_least": True, "monotone": False}
    third, half = Fraction(1, 3), Fraction(1, 2)
    assert acceptance_cost(Round(third, released=Fraction(0), **base), Fraction(2)) == 2 * third
    assert acceptance_cost(Round(third, released=half, **base), Fraction(2)) == 2 * half
    monotone = Round(third, 1, at_least=True, released=half, monotone=True)
    assert acceptance_cost(monotone, Fraction(1)) == half
