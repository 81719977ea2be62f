import pytest

from combinatorics.balanced_design import block_design
from combinatorics.construction import Exists, Impossible, Unknown
from combinatorics.design_existence import existence
from combinatorics.difference_set_existence import difference_set_existence
from combinatorics.symmetric.registry import symmetric_design
from verify.kernel.design import check_design
from verify.kernel.errors import InputError, LimitError


@pytest.mark.parametrize(
    ("parameters", "theorem", "reason"),
    [
        ((8, 3, 1), "double counting", "does not divide"),
        ((16, 6, 1), "Fisher", "b = 8 < v = 16"),
        ((22, 7, 2), "Schützenberger", "5 is not a square"),
        ((29, 8, 2), "Bruck-Ryser-Chowla", "at the prime 2"),
        ((43, 7, 1), "Bruck-Ryser-Chowla", "at the prime 2"),
        ((103, 18, 3), "Bruck-Ryser-Chowla", "at the prime"),
        ((111, 11, 1), "Lam, Thiel and Swiercz", "exhaustive"),
        ((111, 100, 90), "Lam, Thiel and Swiercz", "exhaustive"),
        ((36, 6, 1), "Hall-Connor", "(43, 7, 1)"),
        ((15, 5, 2), "Hall-Connor", "(22, 7, 2)"),
        ((100, 10, 1), "Hall-Connor", "(111, 11, 1)"),
    ],
)
def test_theorems(parameters, theorem, reason):
    answer = existence(*parameters)
    assert isinstance(answer, Impossible)
    assert theorem in answer.theorem
    assert reason in answer.reason
    with pytest.raises(InputError, match="does not exist"):
        block_design(*parameters)


def test_a_plane_of_order_10_is_excluded_but_not_of_order_12():
    assert isinstance(existence(157, 13, 1), Unknown)


@pytest.mark.parametrize(
    ("parameters", "author"),
    [
        ((71, 21, 6), "Janko and Tran van Trung"),
        ((105, 40, 15), "Janko"),
        ((189, 48, 12), "Janko"),
        ((105, 65, 40), "Janko"),
    ],
)
def test_published_designs_without_construction_are_unknown(parameters, author):
    answer = existence(*parameters)
    assert isinstance(answer, Unknown)
    assert answer.in_literature
    assert author in answer.note


def test_a_theorem_on_abelian_groups_excludes_no_design():
    # No abelian group of order 100 has a (100, 45, 20) difference set; the design exists.
    assert isinstance(existence(100, 45, 20), Exists)
    assert isinstance(existence(121, 36, 11 - 1), Impossible)  # 36 * 35 is not 10 * 120


@pytest.mark.parametrize(
    "parameters",
    [(2, 2, 1), (7, 1, 1), (7, 7, 7), (7, 8, 1), (7, 3, 0), (-7, 3, 1), (7, -3, 1), (7, 3, -1)],
)
def test_parameters_out_of_range_are_refused(parameters):
    for ask in (existence, symmetric_design, block_design):
        with pytest.raises(InputError):
            ask(*parameters)


@pytest.mark.parametrize("parameters", [(7.0, 3, 1), (7, "3", 1), (True, 3, 1), (7, 3, None)])
def test_parameters_of_another_type_are_refused(parameters):
    with pytest.raises(InputError):
        existence(*parameters)


def test_huge_parameters_are_answered_without_building():
    q = 2**61 - 1
    assert isinstance(existence(q * q + q + 1, q + 1, 1), Exists)
    with pytest.raises(LimitError, match=r"takes .* bytes"):
        symmetric_design(q * q + q + 1, q + 1, 1)
    n = 10**9
    assert isinstance(existence(4 * n - 1, 2 * n - 1, n - 1), Exists)
    with pytest.raises(LimitError, match="bytes"):
        symmetric_design(4 * n - 1, 2 * n - 1, n - 1)
    with pytest.raises(LimitError, match="bits"):
        existence(2**5000, 3, 1)


def test_a_factor_that_cannot_be_found_is_named():
    n = (2**89 - 1) * (2**107 - 1) * (2**127 - 1)
    assert (n * n + n + 1) % 4 == 1
    answer = existence(n * n + n + 1, n + 1, 1)
    assert isinstance(answer, Impossible | Unknown)
    if isinstance(answer, Unknown):
        assert "factors" in answer.note


@pytest.mark.parametrize(
    "parameters",
    [
        (7, 3, 1), (7, 4, 2), (7, 6, 5), (9, 3, 1), (10, 4, 2), (6, 3, 2), (8, 4, 3), (7, 3, 2),
        (13, 9, 6), (16, 4, 1), (16, 12, 11), (5, 2, 1), (5, 3, 3), (6, 4, 6), (7, 3, 5), (4, 2, 3),
        (15, 7, 3), (16, 6, 3), (28, 7, 2), (36, 15, 6), (9, 6, 5),
    ],
)  # fmt: skip
def test_block_designs_of_any_kind(parameters):
    _v, k, lambda_ = parameters
    answer = existence(*parameters)
    assert isinstance(answer, Exists)
    built = block_design(*parameters)
    assert built.construction == answer.construction
    assert (built.v, built.k, built.lambda_) == parameters
    assert check_design(built.design, k, lambda_).is_accepted


@pytest.mark.parametrize(
    ("parameters", "name"),
    [
        ((17408, 6592, 2496), "Chen, q = 4, d = 2"),
        ((17408, 10816, 6720), "complement of Chen, q = 4, d = 2"),
        ((87040, 21888, 5504), "Davis-Jedwab, d = 3"),
        ((1064960, 466432, 204288), "Chen, q = 8, d = 2"),
    ],
)
def test_chen_parameters_have_a_construction(parameters, name):
    for answer in (existence(*parameters), difference_set_existence(*parameters)):
        assert isinstance(answer, Exists)
        assert answer.construction.name == name


def test_menon_parameters_have_a_construction():
    assert isinstance(existence(2500, 1225, 600), Exists)
    assert isinstance(difference_set_existence(114244, 56953, 28392), Exists)  # t = 13²


def test_symmetric_design_refuses_what_it_cannot_build():
    with pytest.raises(InputError, match="breaks lambda"):
        symmetric_design(9, 3, 1)
    with pytest.raises(InputError, match="does not mean"):
        symmetric_design(157, 13, 1)
    with pytest.raises(InputError, match="prime 2"):
        symmetric_design(43, 7, 1)
    with pytest.raises(InputError, match="does not mean"):
        block_design(22, 8, 4)


def test_a_symmetric_design_is_measured_by_its_own_blocks():
    built = symmetric_design(8191, 8190, 8189)
    assert built.design.v == len(block_design(8191, 8190, 8189).design.blocks) == 8191
    with pytest.raises(LimitError, match="bytes"):
        block_design(8192 * 8192, 8192, 1)  # residual of a plane of order 8192


def test_the_repr_names_parameters_and_construction():
    assert repr(symmetric_design(11, 5, 2)) == "<2-(11, 5, 2) design with 11 blocks: Paley, q = 11>"


def test_the_table_of_a_notebook_escapes_its_text():
    built = block_design(10, 4, 2)
    assert (built.v, built.b, built.r) == (10, 15, 6)
    html = built._repr_html_()
    assert html.count("<tr>") == 7
    assert built.construction.name in html
