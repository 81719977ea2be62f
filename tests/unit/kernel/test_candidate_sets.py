"""The sweep from the inside: its points, signs, knots, and symbols that weigh little."""

from fractions import Fraction
from itertools import pairwise

import pytest

from verify.kernel import optimality, sweep
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import Divergence, parse_divergence
from verify.kernel.errors import CertificateError, InputError, LimitError
from verify.kernel.exact import INFINITE
from verify.kernel.fields import of_type
from verify.kernel.interval import Interval

HALF, QUARTER, ZERO = Fraction(1, 2), Fraction(1, 4), Fraction(0)


def test_a_corner_has_both_its_subgradients():
    gamma = parse_divergence("e-gamma:2")
    below, above = gamma.gradient(Fraction(1), 64), gamma.gradient(Fraction(2), 64)
    assert below != above
    quarter, two, four = QUARTER, Fraction(2), Fraction(4)
    inside = sweep._points(gamma, four, (), 64)
    assert inside == [(quarter, below), (two, below), (two, above), (four, above)]
    last = sweep._points(gamma, two, (), 64)
    assert last == [(HALF, below), (two, below), (two, above), (two, above)]
    first = parse_divergence("e-gamma:1/2")
    at_first = first.gradient(HALF, 64)
    assert sweep._points(first, two, (), 64) == [(HALF, at_first), (two, at_first)]
    kl = parse_divergence("kl")
    assert [t for t, _ in sweep._points(kl, two, (HALF, ZERO, Fraction(1), two), 64)] == [
        HALF,
        Fraction(1),
        two,
    ]


def test_the_left_subgradient_is_that_of_the_corner_at_the_precision():
    asked = []

    def left(t, bits):
        asked.append((t, bits))
        return flat, flat

    flat = Interval.exactly(0)
    divergence = Divergence("corner", None, lambda t, bits: (flat, flat), (Fraction(1),), left)
    sweep._points(divergence, Fraction(2), (), 77)
    assert asked == [(Fraction(1), 77)]


def test_a_tie_is_surely_both():
    gradient = Interval.exactly(Fraction(1, 3)), Interval.exactly(Fraction(-1, 5))
    symbols = [(3, 5, 0), (3, 5, 1), (3, 5, -1)]
    assert sweep._signs(gradient, symbols) == [(True, True), (False, True), (True, False)]


@pytest.mark.parametrize("multiplier", [-HALF, -QUARTER, ZERO])
def test_a_symbol_counts_by_its_mass_whatever_its_multiplier(multiplier):
    symbols = [(HALF, QUARTER, multiplier), (HALF, Fraction(3, 4), Fraction(9))]
    sets = sweep.candidate_sets(parse_divergence("tv"), Fraction(3), symbols, (), 64)
    assert (HALF, QUARTER, multiplier) in sets


def by_definition(pairs, knots):
    """The masses at the knots, one symbol after another."""
    sums = [[ZERO, ZERO] for _ in knots]
    for a, b in pairs:
        if a + b:
            share = a / (a + b)
            i = next(i for i, (_, high) in enumerate(pairwise(knots)) if share <= high)
            weight = (share - knots[i]) / (knots[i + 1] - knots[i])
            for at, part in ((i, 1 - weight), (i + 1, weight)):
                sums[at][0] += knots[at] * part * (a + b)
                sums[at][1] += (1 - knots[at]) * part * (a + b)
    return [tuple(pair) for pair in sums]


KNOTS = tuple(map(Fraction, ("0", "1/5", "1/2", "5/7", "1")))


def test_masses_are_split_between_the_knots_beside_them():
    texts = ("0 1/3", "1/7 2/7", "1/5 1/9", "1/4 1/16", "1/20 1/5", "1/10 0", "0 0", "1/6 1/6")
    pairs = [tuple(map(Fraction, text.split())) for text in texts]
    shares = [a / (a + b) if a + b else Fraction(-1) for a, b in pairs]
    multipliers = tuple(map(Fraction, range(3, 8)))
    spread = sweep.spread_symbols(pairs, shares, KNOTS, multipliers)
    assert [triple[2] for triple in spread] == [*multipliers]
    assert [triple[:2] for triple in spread] == by_definition(pairs, KNOTS)
    for side in (0, 1):
        assert sum(triple[side] for triple in spread) == sum(pair[side] for pair in pairs)
    assert all(a == s * (a + b) for (a, b, _), s in zip(spread, KNOTS, strict=True))


TILT = optimality.TestingProblem(
    Distribution(("3/4", "1/4")), Distribution(("1/4", "3/4")), parse_divergence("tv")
)


def over_knots(knots, multipliers, upper="1/4"):
    numbers = (tuple(map(Fraction, texts.split())) for texts in (multipliers, knots))
    multipliers, knots = numbers
    witness = optimality.DualWitness(multipliers, knots=knots)
    return optimality.check_upper_bound(TILT, Fraction(3), witness, Fraction(upper), 64)


@pytest.mark.parametrize(
    "knots", ["0 1/4 3/4 2", "1/9 1/4 3/4 1", "0 3/4 1/4 1", "0 1/4 1/4 1", "0 1/4 1 3/4"]
)
def test_knots_rise_from_0_to_1(knots):
    assert "do not rise" in over_knots(knots, "0 -1/8 3/8 0").reason


def test_knots_prove_a_bound_and_carry_no_idle_multiplier():
    verdict = over_knots("0 1/4 3/4 1", "0 -1/8 3/8 0")
    assert verdict.is_accepted
    assert verdict.details == {"bound": QUARTER}
    assert over_knots("0 1", "-1/4 3/4", "1/2").is_accepted
    assert over_knots("0 1/4 3/4 1", "0 -1/8 3/8 0", "6/25").details == {"bound": QUARTER}
    for idle in ("1/9 -1/8 3/8 0", "0 -1/8 3/8 -1/9"):
        assert "no mass" in over_knots("0 1/4 3/4 1", idle, "1").reason


def test_a_symbol_of_equal_masses_has_a_multiplier_and_one_of_none_has_not():
    flat = Distribution(("1/2", "1/2"))
    problem = optimality.TestingProblem(flat, flat, parse_divergence("tv"))
    args = Fraction(3), optimality.DualWitness((QUARTER, QUARTER)), Fraction(1), 64
    assert optimality.check_upper_bound(problem, *args).is_accepted
    idle = Distribution((1, 0))
    problem = optimality.TestingProblem(idle, idle, parse_divergence("tv"))
    for value in (QUARTER, -QUARTER):
        witness = optimality.DualWitness((ZERO, value))
        verdict = optimality.check_upper_bound(problem, Fraction(3), witness, Fraction(1), 64)
        assert "no mass" in verdict.reason


def test_only_symbols_of_one_ratio_are_merged():
    p0, p1 = Distribution(("1/2", "1/4", "1/4", 0, 0)), Distribution(("1/4", "1/8", 0, "5/8", 0))
    problem = optimality.TestingProblem(p0, p1, parse_divergence("tv"))
    numbers = tuple(map(Fraction, (1, 2, 3, 4, 5)))
    symbols = optimality.dual_symbols(problem, optimality.DualWitness(numbers))
    assert symbols == [
        (Fraction(3, 4), Fraction(3, 8), 3),
        (QUARTER, 0, 3),
        (0, Fraction(5, 8), 4),
        (0, 0, 5),
    ]


@pytest.mark.parametrize("t", ["1/3", "1", "2", "7/2"])
def test_the_subgradient_of_lecam(t):
    g0, g1 = parse_divergence("lecam").gradient(Fraction(t), 64)
    x = Fraction(t)
    value, slope = (x - 1) ** 2 / (x + 1), (x - 1) * (x + 3) / (x + 1) ** 2
    assert g0 == Interval.exactly(slope)
    assert g1 == Interval.exactly(value - x * slope)


def test_a_reader_of_one_type():
    assert of_type(int, "a count")(3, "place") == 3
    with pytest.raises(CertificateError, match="place: must be a count"):
        of_type(int, "a count")("3", "place")


def test_two_laws_of_different_length_are_refused():
    with pytest.raises(InputError, match="p0 has 2 symbols, p1 has 1"):
        optimality.TestingProblem(Distribution((1, 0)), Distribution((1,)), parse_divergence("tv"))


def family(name, E, symbols):
    divergence = parse_divergence(name) if isinstance(name, str) else name
    triples = [tuple(map(Fraction, text.split())) for text in symbols]
    sets = sweep.candidate_sets(divergence, Fraction(E), triples, (), 64)
    labels = {(ZERO,) * 3: "none", **{t: str(i) for i, t in enumerate(triples)}}
    labels[sweep.add_triples(triples[0], triples[-1])] = "both"
    return {labels[triple] for triple in sets}


INEXACT = Interval(ZERO, Fraction(1)), Interval.exactly(0)
WIDE = Divergence("wide", None, lambda t, bits: INEXACT)
SWAPPED = Divergence("swapped", None, lambda t, bits: INEXACT[::-1])


@pytest.mark.parametrize(
    ("name", "E", "symbols", "expected"),
    [
        ("lecam", 2, ["1/3 2/3 9"], {"none"}),  # out at the first end, falls from there
        ("lecam", 2, ["2/3 1/3 9"], {"none"}),  # out at the second, rises up to there
        ("lecam", 2, ["1/2 1/2 9"], {"none", "0"}),  # out at both ends, not between
        ("lecam", 2, ["1/2 1/2 -9"], {"0"}),
        ("lecam", 2, ["1/3 2/3 0"], {"none", "0"}),  # in at the first end, out at the second
        ("tv", "3/2", ["5/11 6/11 1/10"], {"none"}),  # nothing changes between corners
        ("e-gamma:2", 2, ["1/2 1/10 1/10", "1/10 1/2 -1/10"], {"0", "1"}),  # they change places
        (WIDE, 2, ["1/2 1/2 1/4"], {"none", "0"}),
        (SWAPPED, 2, ["1/2 1/2 1/4"], {"none", "0"}),
    ],
)
def test_the_family_is_what_is_left_open_and_no_more(name, E, symbols, expected):
    assert family(name, E, symbols) == expected


def test_open_symbols_double_the_number_of_sets(monkeypatch):
    symbols = [(Fraction(1, 3), Fraction(2, 3), ZERO)]
    arguments = parse_divergence("lecam"), Fraction(2), symbols, (), 64
    length = 64 + 3 + 4 * 5 + 4096  # bits, 2 times 3, lecam
    work = length + length**2 // 2**12 + 128
    monkeypatch.setattr(sweep, "MAX_WORK", 2 * work)
    assert len(sweep.candidate_sets(*arguments)) == 2
    monkeypatch.setattr(sweep, "MAX_WORK", 2 * work - 1)
    assert sweep.candidate_sets(*arguments) is None


@pytest.mark.parametrize("t", ["1/3", "1", "5/2"])
def test_the_subgradient_of_a_power(t):
    t = Fraction(t)
    g0, g1 = parse_divergence("alpha:3").gradient(t, 64)
    assert g0 == Interval.exactly((t**2 - 1) / 2)
    assert g1 == Interval.exactly((1 - t**3) / 3)


@pytest.mark.parametrize("order", ["1001/1000", "1/1000", "5/2"])
def test_the_subgradient_of_a_power_is_as_narrow_as_asked(order):
    for end in parse_divergence(f"alpha:{order}").gradient(Fraction(5, 4), 64):
        assert end.upper - end.lower <= Fraction(1, 2**58)


def test_a_renyi_divergence_that_may_be_infinite_is_not_bounded():
    renyi = parse_divergence("renyi:1/2")
    with pytest.raises(LimitError, match="not bounded"):
        renyi.reported(Interval(ZERO, Fraction(4)), 64)
    assert renyi.reported(Interval(Fraction(4), Fraction(5)), 64) is INFINITE


def test_too_many_open_symbols_prove_nothing(monkeypatch):
    law, other = Distribution(("1/2", "1/4", "1/4")), Distribution(("1/4", "1/2", "1/4"))
    problem = optimality.TestingProblem(law, other, parse_divergence("lecam"))
    witness = optimality.DualWitness((ZERO,) * 3)
    monkeypatch.setattr(sweep, "MAX_AMBIGUOUS", 0)
    verdict = optimality.check_upper_bound(problem, Fraction(3), witness, Fraction(9), 64)
    assert "too coarse" in verdict.reason


def test_a_bound_that_touches_upper_is_undecided():
    renyi = parse_divergence("renyi:2")
    problem = optimality.TestingProblem(TILT.p0, TILT.p1, renyi)
    claimed = renyi.reported(Interval.exactly(10), 64)
    witness = optimality.DualWitness((Fraction(5), Fraction(5)))
    answers = {}
    for upper in (claimed.lower, claimed.upper):
        verdict = optimality.check_upper_bound(problem, Fraction(3), witness, upper, 64)
        answers[upper] = verdict.status.value
    assert answers == {claimed.lower: "UNDECIDED", claimed.upper: "ACCEPTED"}
