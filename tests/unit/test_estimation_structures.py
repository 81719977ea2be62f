"""One conformance suite for every structure: against the channel as a matrix, entry by entry."""

from fractions import Fraction
from math import comb

import numpy as np
import pytest

from combinatorics import difference_set, symmetric_design
from combinatorics.point_lists import design_from_points
from solvers.estimation import (
    Parameters,
    block_design_scheme,
    hadamard_response,
    projective_geometry_response,
    scheme_certificate,
    subset_selection,
    truncated_scheme,
)
from solvers.estimation.candidates import complete_candidates, symmetric_candidates
from solvers.estimation.structure import ExplicitStructure
from solvers.estimation.subsets import SubsetStructure
from solvers.estimation.sylvester import hadamard_transform
from solvers.estimation.translates import TranslateStructure, _correlated
from tests.support.estimation_schemes import SCHEMES
from verify.canonical_form import encode
from verify.kernel.certificate import check_certificate, decode
from verify.kernel.design import check_pairwise_balanced
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import BlockDesign, CayleyTable, CyclicProduct, DifferenceSet
from verify.kernel.ldp import largest_column_ratio

NAMES = sorted(SCHEMES)


def members(scheme):
    """The incidence matrix, read off the channel: the larger entry means incidence."""
    rows = scheme.channel.rows
    high = max(max(row) for row in rows)
    return np.array([[entry == high for entry in row] for row in rows])


@pytest.mark.parametrize("name", NAMES)
def test_the_channel_is_regular_and_pairwise_balanced(name):
    scheme = SCHEMES[name]
    v, b, r, lambda_ = (getattr(scheme.parameters, key) for key in ("v", "b", "r", "lambda_"))
    incidence = members(scheme).astype(int)
    assert incidence.shape == (v, b)
    products = incidence @ incidence.T
    assert (products == lambda_ + (r - lambda_) * np.eye(v, dtype=int)).all()
    assert largest_column_ratio(scheme.channel).exp_epsilon == scheme.exp_epsilon
    assert check_pairwise_balanced(scheme.structure.block_design(), r, lambda_).is_accepted
    sizes = set(incidence.sum(axis=0).tolist())
    if scheme.structure.block_size is not None:
        assert sizes == {scheme.structure.block_size}


@pytest.mark.parametrize("name", NAMES)
def test_point_counts_agree_with_the_matrix(name):
    scheme = SCHEMES[name]
    rng = np.random.default_rng(0)
    reports = rng.integers(0, scheme.parameters.b, 5000)
    aggregate = scheme.aggregate(reports)
    by_matrix = members(scheme)[:, reports].sum(axis=1)
    assert scheme.point_counts(aggregate).tolist() == by_matrix.tolist()
    assert aggregate.n == 5000


@pytest.mark.parametrize("name", NAMES)
def test_draws_lie_on_the_right_side(name):
    scheme = SCHEMES[name]
    symbols = np.arange(3000) % scheme.alphabet_size
    inside = np.arange(3000) % 7 < 3
    from solvers.estimation.random_words import words_of

    reports = scheme.structure.draw(symbols, inside, words_of(1))
    assert (members(scheme)[symbols, reports] == inside).all()


@pytest.mark.parametrize("name", NAMES)
def test_certificates_are_accepted(name):
    scheme = SCHEMES[name]
    verdict = check_certificate(decode(encode(scheme_certificate(scheme))))
    assert verdict.is_accepted, verdict.reason
    assert verdict.details["is_optimal"] == scheme.is_optimal


@pytest.mark.parametrize("orders", [(31,), (4, 6), (2, 2, 3), (1009,)])
@pytest.mark.parametrize("largest", [1, 2**16, 2**40])
def test_correlation_is_exact(orders, largest):
    order = int(np.prod(orders))
    rng = np.random.default_rng(4)
    counts = rng.integers(0, largest, order, endpoint=True)
    elements = np.sort(rng.choice(order, order // 2, replace=False))
    found = _correlated(orders, counts, elements)
    residues = np.array(np.unravel_index(np.arange(order), orders))
    for x in range(0, order, max(1, order // 40)):
        moved = (residues[:, x, None] - residues[:, elements]) % np.array(orders)[:, None]
        total = sum(int(counts[i]) for i in np.ravel_multi_index(tuple(moved), orders))
        assert int(found[x]) == total


def test_hadamard_transform_against_the_matrix():
    vector = np.random.default_rng(2).integers(-50, 50, 64)
    parity = np.bitwise_count(np.arange(64)[:, None] & np.arange(64)[None, :]) & 1
    assert hadamard_transform(vector).tolist() == ((1 - 2 * parity.astype(int)) @ vector).tolist()


@pytest.mark.parametrize("v", range(2, 40))
def test_hadamard_response_takes_the_least_order(v):
    parameters = hadamard_response(v, 1).parameters
    order = parameters.b + 1
    assert order & (order - 1) == 0
    assert order // 2 <= max(v, 2) < order
    assert (parameters.r, parameters.lambda_) == (order // 2 - 1, order // 4 - 1)


@pytest.mark.parametrize(
    ("v", "epsilon", "expected"),
    [
        (100, 1, (341, 85, 21)),
        (21, "log(3)", (21, 5, 1)),
        (80, "2", (585, 73, 9)),
        (31, "log(1)", (31, 15, 7)),
        (100, "log(7)", (585, 73, 9)),
    ],
)
def test_projective_geometry_takes_prime_powers(v, epsilon, expected):
    assert projective_geometry_response(v, epsilon).parameters == Parameters(v, *expected)


def test_subsets_beyond_one_word():
    scheme = subset_selection(80, 27, 1)
    assert scheme.parameters.b == comb(80, 27) > 2**63
    assert scheme.report_bits == (comb(80, 27) - 1).bit_length()
    symbols = np.arange(400) % 80
    reports = scheme.privatise(symbols, 3)
    assert reports.dtype == object
    assert all(type(report) is int and 0 <= report < scheme.parameters.b for report in reports)
    counts = scheme.point_counts(scheme.aggregate(reports))
    assert counts.sum() == 400 * 27
    with pytest.raises(InputError, match=r"reports\[1\]"):
        scheme.aggregate([0, scheme.parameters.b])
    with pytest.raises(LimitError):
        scheme.structure.witness()
    with pytest.raises(LimitError):
        _ = scheme.channel
    assert scheme.is_optimal == (27 in {21, 22})


def test_subset_ranks_are_a_bijection():
    structure = SubsetStructure(7, 3)
    members = structure._members(np.arange(comb(7, 3)))
    blocks = structure.block_design().blocks
    assert [sum(1 << int(x) for x in row) for row in members] == list(blocks)


@pytest.mark.parametrize("bound", [24, pytest.param(90, marks=pytest.mark.slow)])
def test_every_candidate_is_what_it_was_planned_to_be(bound):
    candidates = [*symmetric_candidates(bound), *complete_candidates(8, bound)]
    assert len(candidates) > 30
    for candidate in candidates:
        if candidate.points < 2:
            continue
        plan = (candidate.b, candidate.r, candidate.lambda_)
        for v in {max(2, candidate.points - 2), candidate.points}:
            if candidate.kind.value == "complete" and v < candidate.points:
                continue
            structure = candidate.build(v)
            found = structure.parameters
            assert (found.v, found.b, found.r, found.lambda_) == (v, *plan), candidate
            design = structure.block_design()
            assert check_pairwise_balanced(design, found.r, found.lambda_).is_accepted
            if v == candidate.points:
                assert {block.bit_count() for block in design.blocks} == {candidate.k}


def test_designs_that_are_not_balanced_are_refused():
    with pytest.raises(InputError, match="not regular and pairwise balanced: points"):
        block_design_scheme(design_from_points(4, [[0, 1], [1, 2], [2, 3], [0, 2]]), 1)
    with pytest.raises(InputError, match="not a difference set"):
        block_design_scheme(DifferenceSet(CyclicProduct((7,)), (0, 1, 2)), 1)
    with pytest.raises(InputError, match="needs two points and a block"):
        ExplicitStructure("nothing", BlockDesign(3, ()))
    with pytest.raises(InputError, match="lambda < r < b"):
        block_design_scheme(design_from_points(3, [[0, 1, 2], [0, 1, 2]]), 1)


def test_a_group_given_by_its_table_falls_back_on_blocks():
    table = tuple(tuple((x + y) % 7 for y in range(7)) for x in range(7))
    base = DifferenceSet(CayleyTable(table), (1, 2, 4))
    scheme = block_design_scheme(base, 1)
    assert isinstance(scheme.structure, ExplicitStructure)
    assert scheme.parameters == Parameters(7, 7, 3, 1)
    with pytest.raises(InputError, match="product of cyclic groups"):
        TranslateStructure("table", base, 7)


@pytest.mark.parametrize("v", [1, 8, 0, -3, 2.0, True])
def test_too_many_or_too_few_symbols(v):
    with pytest.raises(InputError):
        truncated_scheme(difference_set(7, 3, 1), v, 1)
    with pytest.raises(InputError):
        truncated_scheme(symmetric_design(7, 3, 1), v, 1)


@pytest.mark.parametrize("k", [0, 6, -1])
def test_subset_sizes_out_of_range(k):
    with pytest.raises(InputError, match="k ="):
        subset_selection(6, k, 1)


def test_marginally_equivalent_designs_have_one_risk():
    """Only v and k matter for block designs: symmetric, derived and complete ones alike."""
    risks = {
        block_design_scheme(difference_set(7, 3, 1), "0.4").n_risk,
        subset_selection(7, 3, "0.4").n_risk,
        next(
            scheme.n_risk
            for scheme in SCHEMES.values()
            if scheme.parameters == Parameters(7, 7, 3, 1) and str(scheme.epsilon) == "2/5"
        ),
    }
    assert len(risks) == 1
    assert all(isinstance(risk, Fraction) for risk in risks)


def test_sizes_over_a_limit_are_refused_before_any_work():
    with pytest.raises(LimitError, match="over the limit of 2"):
        hadamard_response(2**26, 1)
    with pytest.raises(LimitError, match="is over the limit"):
        subset_selection(8000, 2000, 1)
    with pytest.raises(LimitError, match="cells"):
        subset_selection(40, 20, 1).structure.block_design()
    with pytest.raises(LimitError, match="over the limit"):
        projective_geometry_response(2**20, 1)
