"""What each limit is compared with: the exact estimates of work, where each term counts."""

from fractions import Fraction

import pytest

from verify.kernel import (
    contraction,
    design,
    distribution,
    divergence,
    incidence,
    kinds,
    optimality,
    sweep,
)
from verify.kernel.channel import Channel
from verify.kernel.distribution import Distribution
from verify.kernel.divergence import parse_divergence
from verify.kernel.errors import InputError, LimitError
from verify.kernel.interval import Interval


@pytest.fixture
def sizes(monkeypatch):
    """A function that records the sizes that a module compares with limits."""

    def record(module):
        found = []
        monkeypatch.setattr(
            module, "require_limit", lambda size, limit, what: found.append((size, limit))
        )
        return found

    return record


def written(pairs):
    """As text: 18 and 18.0 are not the same size."""
    return [str(size) for size, _ in pairs]


FOUR_ROWS = (("1/2", "1/4", "1/4"),) * 4


@pytest.mark.parametrize(
    ("gamma", "bits", "expected"),
    [
        ("1", 3, 54),
        ("2", 4, 108),
        ("1", 127, 54),
        ("1", 128, 108),
        ("1", 255, 108),
        ("1", 256, 162),
    ],
)
def test_the_work_of_a_contraction_coefficient(sizes, gamma, bits, expected):
    found = sizes(contraction)
    small = Fraction(1, 2 ** (bits - 1 if gamma == "1" else bits - 2))
    rows = ((small, "1/4", Fraction(3, 4) - small), *FOUR_ROWS[1:])
    contraction.e_gamma_contraction(Channel(rows), Fraction(gamma))
    assert written(found) == [str(expected)]
    assert found[0][1] == contraction.MAX_PAIR_ENTRIES


def test_the_work_of_a_contraction_claim(sizes):
    found = sizes(contraction)
    claim = {"rows": [["1/2", "1/2"]] * 3, "e_gamma": [["1", "0"], ["2", "0"]]}
    assert kinds.check_contraction(claim, {}).is_accepted
    assert written(found) == [str(2 * 8 * 3), str(2 * 8 * 6)]  # times, outputs + 6, pairs


def test_the_work_of_scaling_long_entries_by_a_long_gamma(sizes):
    found = sizes(contraction)
    long = Fraction(1, 2**999 + 1)
    channel, gamma = Channel([[long, 1 - long]]), Fraction(2**799 + 1, 2**799)
    contraction.e_gamma_contraction(channel, gamma, 5)
    assert written(found) == [str(5 * 2 * (800 * 1000 >> 16))]


def test_the_work_of_an_orbit(sizes):
    found = sizes(kinds)
    assert len(kinds.developed_design(3, [[0, 1]], [[1, 2, 0]]).blocks) == 3
    assert written(found)[:3] == ["18", "36", "54"]
    assert set(written(found)[3:]) <= {"3", "6", "9"}
    assert written(found)[-1] == "9"
    found.clear()
    kinds.developed_design(3, [[0]], [[1, 2, 0], [0, 2, 1]])
    assert written(found)[:3] == ["34", "68", "102"]


def test_the_work_of_candidate_sets(sizes, monkeypatch):
    found = sizes(sweep)
    kl, half = parse_divergence("kl"), Fraction(1, 2)
    symbols = [(half, Fraction(1, 4), Fraction(0)), (half, Fraction(3, 4), Fraction(0))]
    sweep.candidate_sets(kl, Fraction(7, 5), symbols, (Fraction(1),) * 5, 100)
    length = 100 + 5 + 4 * 2 + 4096  # bits, 7 times 4, kl, and what every evaluation costs
    assert written(found) == ["5", "7", str(10 * length)]
    assert [str(limit) for _, limit in found] == [
        str(2**17),
        str(6 * 2**24 // (length + length**2 // 2**12 + 312)),
        str(sweep.MAX_SIGNS),
    ]
    found.clear()
    sweep.candidate_sets(kl, Fraction(7, 5), symbols, (), 512)
    length = 512 + 5 + 4 * 2 + 4096
    assert str(found[1][1]) == str(6 * 2**24 // (length + length**2 // 2**12 + 8192))


def test_as_many_sets_as_the_limit_allows(monkeypatch):
    symbols = [(Fraction(1, 2), Fraction(1, 2), Fraction(0))]
    arguments = parse_divergence("tv"), Fraction(3, 2), symbols, (), 64
    length = 64 + 3 + 4 * 2 + 4096  # 3 times 2, tv
    work = length + length**2 // 2**12 + 128
    monkeypatch.setattr(sweep, "MAX_WORK", 2 * work)
    assert sweep.candidate_sets(*arguments) is not None  # 1/E to 1 and 1 to E
    monkeypatch.setattr(sweep, "MAX_WORK", 2 * work - 1)
    assert sweep.candidate_sets(*arguments) is None
    monkeypatch.setattr(sweep, "MAX_WORK", work - 1)
    with pytest.raises(LimitError, match="separators"):
        sweep.candidate_sets(*arguments)


def test_the_work_of_merging_symbols(sizes):
    found = sizes(optimality)
    law = Distribution(("1/4", "3/4", 0))
    problem = optimality.TestingProblem(law, law, parse_divergence("tv"))
    few = optimality.DualWitness((Fraction(1, 32),) * 3)
    optimality.dual_symbols(problem, few)
    knots = optimality.DualWitness((Fraction(1, 32),) * 2, knots=(Fraction(0), Fraction(1)))
    optimality.dual_symbols(problem, knots)
    assert written(found) == ["18", "9"]
    assert found[0][1] == sweep.MAX_WORK


def test_the_bits_of_a_row(sizes):
    found = sizes(distribution)
    distribution.over_common_denominator([Fraction(1, 4)] * 5, "row")
    assert written(found) == ["3", "15"]
    assert [limit for _, limit in found] == [40_000, 2**30]


def test_the_cells_of_a_design(sizes):
    found = sizes(incidence)
    incidence.BlockDesign(5, (3, 12, 16))
    assert written(found) == ["15"]
    assert incidence.BlockDesign(1, (1,)).blocks == (1,)
    with pytest.raises(InputError, match="width of a block: '0' is not"):
        incidence.BlockDesign(0, ())


def test_the_differences_of_a_cyclic_product(sizes):
    found = sizes(incidence)
    group = incidence.CyclicProduct((8, 5, 3))
    found.clear()
    group.quotient_counts(tuple(range(7)))
    assert found == [(7 * (7 * 3 + 2 * 3) * (120 + 4096), incidence.MAX_TURNED_BITS)]
    found.clear()
    group.quotient_counts(tuple(range(100)))
    assert found[0][0] == 100 * (7 * 3 + 2 * 7) * (120 + 4096)


@pytest.mark.parametrize(("order", "counts"), [(4, 6), (12, 66)])
def test_the_counts_of_a_matrix_are_those_of_pairs(sizes, order, counts):
    found = sizes(design)
    design.check_hadamard(incidence.HadamardMatrix(order, (0,) * order))
    assert written(found) == [str(counts)]
    found.clear()
    design.require_countable(5, 1023, 2)
    design.require_countable(5, 1024, 2)
    assert written(found) == ["10", "20"]


def test_the_pairs_of_a_difference_set(sizes):
    group = incidence.CyclicProduct((5,))
    found = sizes(incidence)
    incidence.DifferenceSet(group, (0, 1, 2))
    assert found == [(9, incidence.MAX_PAIRS)]


def test_the_work_of_blocks(sizes):
    found = sizes(optimality)
    law = Distribution(("1/4", "3/4"))
    problem = optimality.TestingProblem(law, law, parse_divergence("chi2"))
    optimality.check_lower_bound(problem, Fraction(5, 4), [[0], [1]], Fraction(0), 64)
    length = 64 + 5 + 4 * 4 + 4096  # bits, 5 times 4, chi2
    assert written(found) == ["2"]
    assert str(found[0][1]) == str(6 * 2**24 // (length + length**2 // 2**12 + 128))


def test_every_term_of_a_mixture_counts():
    E = Fraction(3)
    one, three = map(parse_divergence, ("1*kl", "1*js+1*kl+1*tv"))
    length = 64 + 2 + 4 * len("1*kl") + 4096
    work = length + length**2 // 2**12 + 128
    assert sweep.work_limits(one, E, 1, 64) == (length, 6 * 2**24 // work)
    length += 4 * len("+1*js+1*tv")
    work = 3 * (length + length**2 // 2**12 + 128)
    assert sweep.work_limits(three, E, 1, 64) == (length, 6 * 2**24 // work)


def test_many_blocks_are_refused_before_they_are_evaluated():
    k = 6000
    law = Distribution([Fraction(1, k)] * k)
    problem = optimality.TestingProblem(law, law, parse_divergence("js"))
    with pytest.raises(LimitError, match="blocks: 6000 is over the limit of"):
        optimality.check_lower_bound(
            problem, Fraction(3), [[x] for x in range(k)], Fraction(0), 4096
        )


def test_a_long_exact_sum_is_rounded_outwards():
    p = Distribution([Fraction(n, 210 * 211 // 2) for n in range(1, 211)])
    q = Distribution([Fraction(1, 210)] * 210)
    chi2, lecam = map(parse_divergence, ("chi2", "lecam"))
    assert divergence.enclose_divergence(chi2, p, q, 64).is_exact
    exact = sum((x - y) ** 2 / (x + y) for x, y in zip(p.masses, q.masses, strict=True))
    assert divergence.enclose_divergence(lecam, p, q, 64) == Interval.exactly(exact)
    weights = [Fraction(10**20 + 7 * n * n + 3, 1) for n in range(400)]
    p = Distribution([w / sum(weights) for w in weights])
    q = Distribution(p.masses[::-1])
    exact = sum((x - y) ** 2 / y for x, y in zip(p.masses, q.masses, strict=True))
    found = divergence.enclose_divergence(chi2, p, q, 200)
    assert not found.is_exact
    assert found.lower < exact < found.upper
    assert found.upper - found.lower < Fraction(1, 2**190)


def test_a_factor_of_one_element_adds_no_work(sizes):
    found = sizes(incidence)
    group = incidence.CyclicProduct((1, 2, 4))
    found.clear()
    group.quotient_counts((0, 1, 2, 3))
    assert written(found) == [str(4 * (7 * 2 + 2 * 3) * (8 + 4096))]


def test_the_digits_of_separators():
    symbols = [(Fraction(1, 2), Fraction(1, 2), Fraction(0))]
    tv, E = parse_divergence("tv"), Fraction(3, 2)
    long = [Fraction(10**3990 + 2 * n + 1, 10**3990 + 2 * n) for n in range(17)]
    assert len(str(long[0])) == 2 * 3991 + 1
    assert sweep.candidate_sets(tv, E, symbols, long[:16], 64) is not None
    with pytest.raises(LimitError, match="separators: digits: 135711 is over the limit of 131072"):
        sweep.candidate_sets(tv, E, symbols, long, 64)


def test_the_bits_of_priors_in_a_channel_claim(sizes):
    found = sizes(kinds)
    claim = {
        "rows": [["1/2", "1/2"], ["1/2", "1/2"]],
        "level": {"exp_epsilon": "1"},
        "exp_epsilon": "1",
        "dobrushin_coefficient": "0",
        "leakage": [["1/4", "1"], ["1/16", "1"]],
    }
    assert kinds.check_channel(claim, {}).is_accepted
    assert written(found) == ["8"]
    assert found[0][1] == 2048


def test_the_bits_of_the_prior_in_a_leakage_claim(sizes):
    found = sizes(kinds)
    claim = {"inputs": 2, "c": "1/1025", "level": {"nats": "1"}, "lower": "0", "upper": "1"}
    witness = {"rows": [["1/2", "1/2"]] * 2, "pair": [0, 1], "exp_leakage": "3"}
    assert kinds.check_leakage(claim, witness | {"multipliers": ["0", "0", "1"]}).is_accepted
    assert found == [(11, 2048)]
