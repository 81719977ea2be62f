"""Laws of the operations on designs, and files that are read back as they were written."""

from itertools import combinations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from combinatorics.certification import design_claim
from combinatorics.interchange import DesignDocument, DevelopedDesign, parse_design, written
from combinatorics.operations import (
    block_points,
    complement,
    design_sum,
    dual,
    point_derived_design,
    point_residual_design,
    truncated_design,
)
from verify.canonical_form import encode
from verify.kernel.certificate import check_certificate, decode
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign, CyclicProduct, HadamardMatrix


@st.composite
def designs(draw, least_blocks=1):
    v = draw(st.integers(1, 12))
    blocks = draw(st.lists(st.integers(0, 2**v - 1), min_size=least_blocks, max_size=12))
    return BlockDesign(v, tuple(blocks))


@st.composite
def developed_designs(draw):
    orders = tuple(draw(st.lists(st.integers(1, 5), min_size=1, max_size=3)))
    group = CyclicProduct(orders)
    base = st.sets(st.integers(0, group.order - 1)).map(sorted).map(tuple)
    return DevelopedDesign(group, tuple(draw(st.lists(base, min_size=1, max_size=3))))


@st.composite
def sign_matrices(draw):
    n = draw(st.integers(1, 8))
    rows = draw(st.lists(st.integers(0, 2**n - 1), min_size=n, max_size=n))
    return HadamardMatrix(n, tuple(rows))


def pair_counts(design):
    blocks = [set(block_points(block)) for block in design.blocks]
    return {
        pair: sum(set(pair) <= block for block in blocks)
        for pair in combinations(range(design.v), 2)
    }


@given(designs())
def test_complement_and_dual_are_involutions(design):
    assert complement(complement(design)) == design
    assert dual(dual(design)) == design


@given(designs(), st.data())
def test_truncation_keeps_the_counts_of_the_points_that_stay(design, data):
    deleted = data.draw(st.sets(st.integers(0, design.v - 1), max_size=design.v - 1))
    kept = [x for x in range(design.v) if x not in deleted]
    before, after = pair_counts(design), pair_counts(truncated_design(design, deleted))
    assert after == {(i, j): before[kept[i], kept[j]] for i, j in combinations(range(len(kept)), 2)}


@given(designs(), designs())
def test_counts_add_up_in_a_sum(first, second):
    if first.v != second.v:
        with pytest.raises(InputError):
            design_sum(first, second)
        return
    left, right = pair_counts(first), pair_counts(second)
    assert pair_counts(design_sum(first, second)) == {x: left[x] + right[x] for x in left}


@given(designs(), st.data())
def test_point_derived_and_residual_share_the_blocks(design, data):
    point = data.draw(st.integers(0, design.v - 1))
    through = sum(block >> point & 1 for block in design.blocks)
    for operation, count in (
        (point_derived_design, through),
        (point_residual_design, len(design.blocks) - through),
    ):
        if design.v == 1 or count == 0:
            with pytest.raises(InputError):
                operation(design, point)
        else:
            assert len(operation(design, point).blocks) == count


@given(st.one_of(designs(), developed_designs(), sign_matrices()))
def test_json_reads_back_the_same(content):
    assert parse_design(written(content, "json")) == DesignDocument(content)


@given(designs())
def test_dtrs_and_matrices_read_back_the_same(design):
    assert parse_design(written(design, "csv")).content == design
    assert parse_design(written(design, "npy")).content == design
    again = parse_design(written(design, "dtrs")).content
    assert again.v == design.v
    assert sorted(again.blocks) == sorted(design.blocks)


@given(developed_designs())
def test_a_developed_design_is_what_its_certificate_develops(content):
    claim_of_base = _claim_or_none(DesignDocument(content, {"t": 1}))
    claim_of_blocks = _claim_or_none(DesignDocument(content.design(), {"t": 1}))
    assert (claim_of_base is None) == (claim_of_blocks is None)
    if claim_of_base is not None and claim_of_blocks is not None:
        verdicts = [
            check_certificate(decode(encode(claim.certificate)))
            for claim in (claim_of_base, claim_of_blocks)
        ]
        assert verdicts[0] == verdicts[1]
        assert verdicts[0].is_accepted


def _claim_or_none(document):
    try:
        return design_claim(document)
    except InputError:
        return None


def refusal(data):
    """The message with which a file is refused, or nothing."""
    try:
        parse_design(data)
    except InputError as error:
        return str(error)
    return ""


@given(st.binary(max_size=200))
def test_any_bytes_are_read_or_refused_in_one_line(data):
    assert "\n" not in refusal(data)


@given(st.text(alphabet='{}[]",:0123456789-+vblocksgrup_hadm ', max_size=80))
def test_any_text_is_read_or_refused(text):
    for candidate in (text, "{" + text, '{"v": 7, "blocks": ' + text, "<" + text):
        assert "\n" not in refusal(candidate.encode())
