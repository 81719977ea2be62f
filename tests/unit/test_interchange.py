import io
import json
import re
import struct
import zipfile

import numpy as np
import pytest

from combinatorics.hadamard import hadamard_matrix
from combinatorics.incidence_matrix import hadamard_from_signs
from combinatorics.interchange import (
    FORMATS,
    DesignDocument,
    DevelopedDesign,
    parse_design,
    written,
)
from combinatorics.point_lists import design_from_points
from combinatorics.symmetric.registry import symmetric_design
from verify.kernel.design import check_design, check_hadamard
from verify.kernel.errors import InputError, LimitError
from verify.kernel.incidence import BlockDesign, CayleyTable, CyclicProduct, HadamardMatrix

FANO = symmetric_design(7, 3, 1).design
DEVELOPED = DevelopedDesign(
    CyclicProduct((3, 3, 5)), ((0, 1, 2, 11, 3, 6, 15, 22, 28, 30, 38, 42),)
)
HADAMARD = hadamard_from_signs(hadamard_matrix(12).matrix)
NONABELIAN = DevelopedDesign(
    CayleyTable(tuple(tuple((x + y) % 7 for y in range(7)) for x in range(7))), ((1, 2, 4),)
)
CONTENTS = {"blocks": FANO, "developed": DEVELOPED, "hadamard": HADAMARD, "table": NONABELIAN}


def blocks_of(content):
    design = content.design() if isinstance(content, DevelopedDesign) else content
    return design.v, sorted(design.blocks)


@pytest.mark.parametrize("form", ["json", "csv", "npy", "dtrs"])
@pytest.mark.parametrize("name", CONTENTS)
def test_round_trip(name, form):
    content = CONTENTS[name]
    if form == "dtrs" and name == "hadamard":
        with pytest.raises(InputError, match="DTRS holds block designs"):
            written(content, form)
        return
    document = parse_design(written(content, form))
    if form == "json" or name == "hadamard":
        assert document == DesignDocument(content)
    else:
        assert blocks_of(document.content) == blocks_of(content)


def test_the_forms_of_the_documentation():
    text = '{"v": 7, "blocks": [[0,1,3],[1,2,4],[2,3,5],[3,4,6],[4,5,0],[5,6,1],[6,0,2]]}'
    document = parse_design(text.encode())
    assert check_design(document.content, 3, 1).is_accepted
    document = parse_design(b'{"group": [7], "base_blocks": [[0, 1, 3]]}')
    assert check_design(document.content.design(), 3, 1).is_accepted
    assert document.content.difference_set.elements == (0, 1, 3)
    document = parse_design(b'{"hadamard": ["++++", "+-+-", "++--", "+--+"]}')
    assert check_hadamard(document.content).is_accepted
    document = parse_design(b'{"group": [2, 2], "base_blocks": [[[0, 1], [1, 0], [1, 1]]]}')
    assert document.content.base_blocks == ((1, 2, 3),)
    document = parse_design(b'{"group": [7], "base_blocks": [[1, 2, 4]], "k": 3, "lambda": 1}')
    assert document.stated == {"k": 3, "lambda": 1}
    assert parse_design(b"1,1\n1,-1\n").content.rows == (0, 2)
    assert parse_design(b" 1, 0\r\n\r\n 0, 1\r\n").content == BlockDesign(2, (1, 2))


def test_only_a_possible_difference_set_may_be_too_large_to_develop():
    group = CyclicProduct((9507,))
    assert DevelopedDesign(group, (tuple(range(98)),)).difference_set is not None
    for base in [(tuple(range(97)),), (tuple(range(98)), tuple(range(98)))]:
        with pytest.raises(LimitError, match="points times developed blocks"):
            DevelopedDesign(group, base)


def test_two_base_blocks_develop_to_their_sum():
    document = parse_design(b'{"group": [13], "base_blocks": [[0, 1, 4], [0, 2, 7]]}')
    design = document.content.design()
    assert document.content.difference_set is None
    assert len(design.blocks) == 26
    assert check_design(design, 3, 1).is_accepted


def npy(array, **how):
    stream = io.BytesIO()
    np.save(stream, array, **how)
    return stream.getvalue()


def test_npy_of_many_types():
    incidence = np.array([[1, 0, 1], [0, 1, 1]])
    expected = BlockDesign(2, (1, 2, 3))
    for kind in ("int8", "int64", "uint16", "bool", "float64", "float32"):
        assert parse_design(npy(incidence.astype(kind))).content == expected
    assert parse_design(npy(np.asfortranarray(incidence))).content == expected
    assert parse_design(npy(np.array([[1.0, 1.0], [1.0, -1.0]]))).content.rows == (0, 2)


HUGE = "9" * 200
WRONG = [
    (b'{"v": 7, "k": 3, "lambda": 2, "blocks": [[0,1,2]]}', "fail counting"),
    (b'{"v": 7, "k": 3, "lambda": 1, "b": 8, "blocks": [[0,1,2]]}', "b = 8"),
    (b'{"v": 7, "r": 2, "blocks": [[0,1,2]]}', "r = 2"),
    (b'{"group": [7], "base_blocks": [[0,1,3]], "k": 3, "lambda": 2}', "fail counting"),
    (b'{"group": [7], "base_blocks": [[0,1,3]], "v": 8}', "v = 8"),
    (b'{"v": 7, "blocks": [[0,1,7]]}', "block 0"),
    (b'{"v": 7, "blocks": [[0,1,-1]]}', "block 0"),
    (b'{"v": 7, "blocks": [[0,1,1]]}', "repeated"),
    (b'{"v": 7, "blocks": [[0,1,2.5]]}', "not an integer"),
    (b'{"v": 7, "blocks": [[0,1,true]]}', "blocks[0]"),
    (b'{"v": 7, "blocks": [[0,1,"2"]]}', "blocks[0]"),
    (b'{"v": 7, "blocks": [0,1,2]}', "must be a list"),
    (b'{"v": 7, "blocks": 3}', "must be a list"),
    (b'{"v": -7, "blocks": [[0,1]]}', "v: '-7'"),
    (b'{"v": 0, "blocks": []}', "v: '0'"),
    (b'{"v": 1000000000000, "blocks": [[0,1]]}', "v:"),
    (f'{{"v": {HUGE}, "blocks": [[0,1]]}}'.encode(), "over the limit"),
    (b'{"v": 7}', "blocks, base_blocks, hadamard"),
    (b'{"v": 7, "blocks": [], "colour": 1}', "unknown key 'colour'"),
    (b'{"blocks": [[0]]}', "lacks the key 'v'"),
    (b'{"v": 7, "v": 7, "blocks": []}', "stands twice"),
    (b"[1, 2]", "one JSON object"),
    (b"{", "not JSON"),
    (b'{"v": 7, "blocks": ' + b"[" * 100000 + b"}", "nested too deeply"),
    (b'{"group": [7], "base_blocks": [[0,1,7]]}', "base_blocks[0]"),
    (b'{"group": [7], "base_blocks": [[0,1,1]]}', "repeated"),
    (b'{"group": [7], "base_blocks": []}', "at least one base block"),
    (b'{"group": [2, 2], "base_blocks": [[[0, 2]]]}', "residue"),
    (b'{"group": [2, 2], "base_blocks": [[[0]]]}', "residues"),
    (b'{"group": [0], "base_blocks": [[0]]}', "group"),
    (b'{"group": [-7], "base_blocks": [[0]]}', "group"),
    (b'{"group": [100000, 100000], "base_blocks": [[0]]}', "over the limit"),
    (b'{"group": [100000], "base_blocks": [[0]]}', "over the limit"),
    (b'{"group": [[0, 1], [1, 1]], "base_blocks": [[0]]}', "Cayley table"),
    (b'{"hadamard": ["++", "+"]}', "not square"),
    (b'{"hadamard": ["+++", "+-+"]}', "not square"),
    (b'{"hadamard": ["++", "+0"]}', "text of + and -"),
    (b'{"hadamard": [[1, 1], [1, -1]]}', "text of + and -"),
    (b'{"hadamard": []}', "order"),
    (b'{"hadamard": ["+"], "v": 1}', "unknown key"),
    (b"1,0\n1\n", "row 1: 1 entries"),
    (b"1,0\n1,2\n", "row 1, column 1: '2'"),
    (b"1,0\n1,x\n", "'x'"),
    (b"1,0\n1,0.5\n", "'0.5'"),
    (b"1,-1\n1,0\n", "entry"),
    (b"1,-1\n", "not square"),
    (b"1,,0\n", "''"),
    (b"", "empty"),
    (b"\n \n", "empty"),
    (b"\xff\xfe1", "UTF-8"),
    (npy(np.array([[1, 2]])), "entry"),
    (npy(np.array([[0.5, 1]])), "entry"),
    (npy(np.array([[np.nan, 1]])), "entry"),
    (npy(np.array([1, 0])), "shape"),
    (npy(np.zeros((0, 3))), "no entries"),
    (npy(np.array([[1, -1]])), "not square"),
    (npy(np.array([["a"]])), "matrix of numbers"),
    (npy(np.array([[None]]), allow_pickle=True), "matrix of numbers"),
    (npy(np.ones((2, 2)))[:-8], "damaged"),
    (b"\x93NUMPY", "not a NumPy array"),
    (b"<a/>", "root element"),
    (b"<list_of_designs>", "well-formed"),
    (b"<list_of_designs/>", "0 block designs"),
    (b'<!DOCTYPE x [<!ENTITY y "z">]><list_of_designs/>', "document type"),
]  # fmt: skip


@pytest.mark.parametrize(("data", "message"), WRONG, ids=range(len(WRONG)))
def test_wrong_files_are_refused_in_one_line(data, message):
    with pytest.raises(InputError) as caught:
        parse_design(data)
    text = str(caught.value)
    assert message in text
    assert "\n" not in text
    assert len(text) < 300


def test_a_header_that_claims_too_much_is_refused_before_reading():
    header = b"{'descr': '<f8', 'fortran_order': False, 'shape': (1000000, 1000000), }"
    header += b" " * (118 - len(header)) + b"\n"
    data = b"\x93NUMPY\x01\x00" + struct.pack("<H", len(header)) + header
    with pytest.raises(LimitError, match="entries"):
        parse_design(data)


DTRS = """<?xml version="1.0"?>
<list_of_designs design_type="block_design" dtrs_protocol="2.0" no_designs="1"
 pairwise_nonisomorphic="true" xmlns="http://designtheory.org/xml-namespace">
 <info><software>[ DESIGN-1.1 ]</software></info>
 <designs>
  <block_design b="3" id="v3-b3-0" v="3">
   <blocks ordered="true">
    <block><z>0</z><z>1</z></block>
    <block>
     <z>0</z>
     <z> 2 </z>
    </block>
    <block><z>1</z><z>2</z></block>
   </blocks>
   <point_orbits><block><z>9</z></block></point_orbits>
  </block_design>
 </designs>
</list_of_designs>
"""


def test_dtrs_as_others_write_it():
    assert parse_design(DTRS.encode()).content == BlockDesign(3, (3, 5, 6))
    prefixed = re.sub(r"<(/?)(?=[a-z])", r"<\1d:", DTRS).replace("xmlns=", "xmlns:d=")
    assert parse_design(prefixed.encode()).content == BlockDesign(3, (3, 5, 6))


@pytest.mark.parametrize(
    ("old", "new", "message"),
    [
        ('b="3"', 'b="4"', "b = 4"),
        ('v="3"', 'v="2"', "block"),
        ('v="3"', "", "block_design: v"),
        ('v="3"', 'v="-3"', "block_design: v"),
        ("<z>0</z><z>1</z>", "<z>0</z><z>0</z>", "repeated"),
        ("<z>0</z><z>1</z>", "<z>0</z><z>x</z>", "'x'"),
        ("<z>0</z><z>1</z>", "<z>0</z><z></z>", "''"),
        ("<designs>", '<designs><block_design v="2"/>', "2 block designs"),
    ],
)
def test_wrong_dtrs(old, new, message):
    with pytest.raises(InputError, match=message):
        parse_design(DTRS.replace(old, new).encode())


def test_an_entity_bomb_is_refused():
    bomb = '<!DOCTYPE l [<!ENTITY a "aaaa"><!ENTITY b "&a;&a;">]>' + DTRS.split("?>")[1]
    with pytest.raises(InputError, match="document type"):
        parse_design(bomb.encode())


def numbers(text):
    return [int(x) for x in re.findall(r"-?\d+", text)]


def test_sage_gap_and_magma_by_hand():
    triangle = design_from_points(3, [[0, 1], [0, 2], [1, 2]])
    assert written(triangle, "sage") == (
        b"D = IncidenceStructure(range(3), [\n[0, 1],\n[0, 2],\n[1, 2]\n])\n"
    )
    assert written(triangle, "gap") == (
        b'LoadPackage("design");;\nD := BlockDesign(3, [\n[1, 2],\n[1, 3],\n[2, 3]\n]);;\n'
    )
    assert written(triangle, "magma") == (
        b"D := IncidenceStructure<3 |\n{1, 2},\n{1, 3},\n{2, 3}\n>;\n"
    )


def test_a_matrix_by_hand():
    rows = b"[\n[1, 1],\n[1, -1]\n]"
    matrix = HadamardMatrix(2, (0, 2))
    assert written(matrix, "sage") == b"H = matrix(ZZ, " + rows + b")\n"
    assert written(matrix, "gap") == b"H := " + rows + b";;\n"
    # Magma takes rows as lists only without the numbers of rows and columns.
    assert written(matrix, "magma") == b"H := Matrix(IntegerRing(), " + rows + b");\n"


@pytest.mark.parametrize("form", ["sage", "gap", "magma"])
def test_matrices_for_algebra_systems(form):
    text = written(HADAMARD, form).decode()
    body = text[text.index("[") :]
    signs = numbers(body)
    assert signs == hadamard_matrix(12).matrix.ravel().tolist()


def test_every_format_is_known():
    assert set(FORMATS) == {"json", "csv", "dtrs", "sage", "gap", "magma", "npy"}
    with pytest.raises(InputError, match="unknown; known: json"):
        written(FANO, "yaml")


def test_json_is_one_object():
    assert json.loads(written(DEVELOPED, "json"))["group"] == [3, 3, 5]
    assert json.loads(written(FANO, "json"))["v"] == 7


def test_another_archive_is_refused():
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w") as archive:
        archive.writestr("a", "b")
    with pytest.raises(InputError):
        parse_design(stream.getvalue())
