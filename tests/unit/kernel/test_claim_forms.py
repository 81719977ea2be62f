"""The form of claims at its edges: counts of items, ranges of indices, details of verdicts."""

from fractions import Fraction

import pytest

from combinatorics.point_lists import design_from_points
from verify.kernel import kinds
from verify.kernel.certificate import Certificate, check_certificate
from verify.kernel.contraction import check_dobrushin_bound
from verify.kernel.coupling import Round, acceptance_cost, check_purification
from verify.kernel.design import check_design, check_difference_set, check_pairwise_balanced
from verify.kernel.errors import CertificateError, InputError
from verify.kernel.incidence import BlockDesign, CyclicProduct, DifferenceSet
from verify.kernel.privacy_level import PrivacyLevel
from verify.kernel.verdict import Status

ONE, ZERO = Fraction(1), Fraction(0)


def gammas(values):
    rows = [["1", "0"], ["1", "0"]]
    return kinds.check_contraction({"rows": rows, "e_gamma": [[g, "0"] for g in values]}, {})


def test_at_most_sixteen_gamma_each_larger_than_the_last():
    assert gammas([str(g) for g in range(1, 17)]).is_accepted
    with pytest.raises(CertificateError, match=r"of 1\.\.16 items"):
        gammas([str(g) for g in range(1, 18)])
    for wrong in (["1", "1"], ["2", "1"]):
        with pytest.raises(CertificateError, match="must increase"):
            gammas(wrong)


def leakage(pair):
    claim = {"inputs": 2, "c": "0", "level": {"exp_epsilon": "3"}, "lower": "1/2", "upper": "1/2"}
    rows = [["3/4", "1/4"], ["1/4", "3/4"]]
    witness = {"rows": rows, "pair": pair, "exp_leakage": "3", "multipliers": ["1/4", "1/4", "0"]}
    return kinds.check_leakage(claim, witness)


def test_leakage_is_witnessed_by_two_rows():
    assert leakage([0, 1]).is_accepted
    for wrong in ([0], [0, 1, 1], [0, 2], [-1, 0]):
        with pytest.raises(CertificateError, match=r"witness\.pair"):
            leakage(wrong)


def test_entries_and_elements_are_those_of_the_group():
    table = [[0, 1], [1, 0]]
    base = {"object": "difference set", "group": table, "k": 1, "lambda": 1}
    for index, element in ((1, 2), (0, 3)):
        wrong = [list(row) for row in table]
        wrong[index][0] = element
        with pytest.raises(CertificateError, match=r"in 0\.\.1"):
            kinds.check_design({**base, "group": wrong}, {"elements": [0]})
    for element in (2, 3, -1):
        with pytest.raises(CertificateError, match=r"in 0\.\.1"):
            kinds.check_design(base, {"elements": [element]})


@pytest.mark.parametrize("images", [[1, 0], [1, 2, 0, 0]])
def test_a_map_has_an_image_for_every_point(images):
    with pytest.raises(CertificateError, match=r"generators\[0\]"):
        kinds.developed_design(3, [[0, 1]], [images])


ROUND = {
    "rate": "1/3", "sign": 1, "accepts": "at-least", "box": {"multiple": "1/5"}, "delta": "0",
    "crossover": "0", "released": False, "monotone": False,
}  # fmt: skip


def coupling(round_, shift="2", total="1"):
    claim = {"epsilon": {"nats": "1"}, "total": total, "shared_rate": "1/3", "tail": None}
    witness = {"shared_shift": "1", "shifts": [[shift]]}
    return check_certificate(Certificate("coupling", {**claim, "levels": [[round_]]}, witness))


def test_a_broken_round_is_named_and_a_cost_is_told():
    uncovered = coupling(ROUND, shift="1")
    assert uncovered.reason.startswith("levels[0][0]: the shift Y -> Y + 1")
    assert coupling(ROUND, total="1/2").details == {"cost": ONE}
    with pytest.raises(CertificateError, match=r"claim\.levels\[0\]\[0\]\.box: "):
        coupling({**ROUND, "box": {}})


def test_a_crossover_that_does_not_suffice_comes_with_its_witness():
    level, delta = PrivacyLevel(exp_epsilon=Fraction(3)), Fraction(1, 10)
    verdict = check_purification(level, delta, Fraction(1, 100))
    assert verdict.details == {"witness": (delta, 0)}


def test_the_dearest_end_of_a_flipped_round_grows_with_its_shift():
    flipped = Round(Fraction(1, 3), -1, at_least=False, released=ONE, monotone=False)
    assert acceptance_cost(flipped, Fraction(3)) == Fraction(2, 3) + 2


def test_one_input_leaks_nothing_and_none_is_refused():
    dual = [ZERO, ZERO, ONE]
    assert check_dobrushin_bound(1, ONE, Fraction(3), dual, ONE).is_accepted
    for n, c, E in ((0, ZERO, 3), (0, ONE, 3), (-1, ZERO, 3), (2, ONE, 3), (2, -ONE, 3)):
        with pytest.raises(InputError, match="needs 0 <= c"):
            check_dobrushin_bound(n, c, Fraction(E), dual, ONE)
    with pytest.raises(InputError, match="E >= 1"):
        check_dobrushin_bound(2, ZERO, Fraction(1, 2), dual, ONE)


def test_strengths_and_counts_at_the_ends_of_their_ranges():
    whole = design_from_points(6, [range(6)])
    assert check_design(whole, 6, 1, 5).is_accepted
    with pytest.raises(InputError, match="t: '6' is not"):
        check_design(whole, 6, 1, 6)
    assert check_difference_set(DifferenceSet(CyclicProduct((2,)), (0,)), 0).is_accepted
    verdict = check_difference_set(DifferenceSet(CyclicProduct((2,)), (0,)), 1)
    assert verdict.status is Status.REJECTED


def test_a_balanced_design_tells_its_blocks_and_names_a_wrong_number():
    pairs = design_from_points(3, [[0, 1], [0, 2], [1, 2]])
    assert check_pairwise_balanced(pairs, 2, 1).details == {"b": 3}
    for r, lambda_, name in ((-1, 1, "r"), (2, -1, "lambda")):
        with pytest.raises(InputError, match=f"^{name}: '-1'"):
            check_pairwise_balanced(pairs, r, lambda_)


def test_where_nothing_is_counted_nothing_is_proved():
    assert "nothing is counted" in check_pairwise_balanced(BlockDesign(1, ()), 0, 1).reason
    lone = DifferenceSet(CyclicProduct((1,)), (0,))
    assert "nothing is counted" in check_difference_set(lone, 0).reason


@pytest.mark.parametrize("row", [-1, 8, True, "3"])
def test_a_block_is_a_bitset_of_the_points(row):
    with pytest.raises(InputError, match="block 1: not a bitset of 3"):
        BlockDesign(3, (7, row))
