"""Reading what users give: exact, and every refusal names the place and the mend."""

import io
import json
import re
from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from verify.intake.channels import _diagnosis, _Matrix, read_channel
from verify.intake.distributions import read_distributions
from verify.intake.exact_json import parse_json
from verify.intake.rounding import largest_remainder
from verify.intake.source import Notation, Source, read_source
from verify.kernel.errors import InputError, LimitError


def source(text: str | bytes, name: str = "standard input") -> Source:
    return Source(name, text.encode() if isinstance(text, str) else text)


def npy(array: np.ndarray) -> bytes:
    stream = io.BytesIO()
    np.save(stream, array)
    return stream.getvalue()


def message_of(error: pytest.ExceptionInfo[InputError]) -> str:
    text = str(error.value)
    assert "\n" not in text
    assert len(text) < 300
    return text


def test_json_numbers_are_the_rationals_of_their_text() -> None:
    pair = read_distributions(source('{"p0": [0.1, 0.9], "p1": ["1/3", "2/3"]}'))
    assert pair.p0.masses == (Fraction(1, 10), Fraction(9, 10))
    assert pair.p1.masses == (Fraction(1, 3), Fraction(2, 3))
    assert pair.labels == ("0", "1")


def test_csv_with_labels_blank_lines_spaces_and_a_byte_order_mark() -> None:
    text = '\ufeffsymbol,p0,p1\r\n\r\na, 1/2 ,0.25\r\n"b,c",5e-1,.75\r\n\r\n'
    pair = read_distributions(source(text))
    assert pair.labels == ("a", "b,c")
    assert pair.p0.masses == (Fraction(1, 2), Fraction(1, 2))
    assert pair.p1.masses == (Fraction(1, 4), Fraction(3, 4))


def test_weights_are_divided_by_their_sum_exactly() -> None:
    pair = read_distributions(source("symbol,p0,p1\na,1,0.1\nb,2,0.2\n"), weights=True)
    assert pair.p0.masses == pair.p1.masses == (Fraction(1, 3), Fraction(2, 3))


def test_symbols_without_mass_are_kept() -> None:
    pair = read_distributions(source('{"p0": [1, 0, 0], "p1": [0, 1, 0], "labels": ["x","y","z"]}'))
    assert pair.p0.masses == (1, 0, 0)
    assert pair.labels == ("x", "y", "z")


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('{"p0": [NaN, 1], "p1": [0, 1]}', ["p0[0]", "'NaN'"]),
        ('{"p0": [1, Infinity], "p1": [0, 1]}', ["p0[1]", "'Infinity'"]),
        ('{"p0": ["inf", 1], "p1": [0, 1]}', ["p0[0]", "'inf'"]),
        ('{"p0": [-0.5, 1.5], "p1": [0, 1]}', ["p0[0]", "negative"]),
        ('{"p0": [0.5, 0.6], "p1": [0, 1]}', ["p0", "11/10", "--weights"]),
        ('{"p0": [0.5, 0.500000000001], "p1": [0, 1]}', ["p0", "sum to", "--weights"]),
        ('{"p0": [1], "p1": [0, 1]}', ["p0 has 1", "p1 has 2"]),
        ('{"p0": [], "p1": []}', ["p0", "no symbols"]),
        ('{"p0": [1]}', ["lacks the key 'p1'"]),
        ('{"p0": [1], "p1": [1], "p2": [1]}', ["unknown key 'p2'", "labels"]),
        ('{"p0": [1], "p0": [1], "p1": [1]}', ["'p0'", "twice"]),
        ('{"p0": 1, "p1": [1]}', ["p0 is not a list"]),
        ('{"p0": [null], "p1": [1]}', ["p0[0]", "null"]),
        ('{"p0": [true], "p1": [1]}', ["p0[0]", "bool"]),
        ('{"p0": [[1]], "p1": [1]}', ["p0[0]", "list"]),
        ('{"p0": ["1/0"], "p1": [1]}', ["p0[0]", "denominator zero"]),
        ('{"p0": [1e999999999], "p1": [1]}', ["p0[0]", "exponent"]),
        ('{"p0": ["1e-999999999"], "p1": [1]}', ["p0[0]", "exponent"]),
        ('{"p0": [1], "p1": [1], "labels": [1]}', []),
        ('{"p0": [1], "p1": [1], "labels": "a"}', ["labels is not a list"]),
        ('{"p0": [1, 0], "p1": [1, 0], "labels": ["a"]}', ["labels has 1 names for 2"]),
        ('{"p0": [1, 0], "p1": [1, 0], "labels": ["a", "a"]}', ["labels", "'a' stands twice"]),
        ("[1, 2]", ["not an object", '"p0"']),
        ('{"p0": [1,, 2]}', ["line 1, column", "not JSON"]),
        ("[" * 100_000, ["nested too deeply"]),
        ("symbol,p0,p1\n", ["p0", "no symbols"]),
        ("symbol,p,q\na,1,1\n", ["line 1", "'symbol,p,q'", "symbol,p0,p1"]),
        ("symbol;p0;p1\na;1;1\n", ["commas"]),
        ("symbol,p0,p1\na,1\n", ["line 2", "2 cells"]),
        ("symbol,p0,p1\na,1,1\n\nb,nan,0\n", ["line 4", "column p0", "'nan'"]),
        ("symbol,p0,p1\na,,1\n", ["line 2, column p0", "empty"]),
        ("symbol,p0,p1\na,-1,1\nb,2,0\n", ["p0[0]", "negative"]),
        ('symbol,p0,p1\n"a,1,1\n', ["line", "not CSV"]),
        ("symbol,p0,p1\na,1,1\na,0,0\n", ["labels", "'a' stands twice"]),
    ],
)
def test_bad_distributions_are_refused_in_one_line(text: str, parts: list[str]) -> None:
    if not parts:
        assert read_distributions(source(text)).labels == ("1",)
        return
    with pytest.raises(InputError) as error:
        read_distributions(source(text))
    for part in ["standard input: ", *parts]:
        assert part in message_of(error)


def test_weights_without_mass_are_refused() -> None:
    with pytest.raises(InputError, match="weights sum to 0"):
        read_distributions(source('{"p0": [0, 0], "p1": [1, 2]}'), weights=True)


@pytest.mark.parametrize("form", ['{{"p0": [{}], "p1": [1]}}', "symbol,p0,p1\na,{},1\n"])
def test_a_number_of_ten_million_digits_is_refused(form: str) -> None:
    with pytest.raises(InputError, match=r"limit") as error:
        read_distributions(source(form.format("9" * 10_000_000)))
    message_of(error)


def test_json_numbers_keep_their_spelling() -> None:
    assert parse_json(source("[1.50, -0, 1E5]")) == ["1.50", "-0", "1E5"]


def test_channel_from_json_csv_and_npy_agree() -> None:
    rows = [["3/4", "1/4"], ["1/4", "3/4"]]
    from_json = read_channel(source(json.dumps({"rows": rows, "inputs": ["a", "b"]})))
    from_csv = read_channel(source("yes,no\n3/4,1/4\n0.25,0.75\n"))
    from_npy = read_channel(source(npy(np.array([[0.75, 0.25], [0.25, 0.75]]))))
    assert from_json.channel == from_csv.channel == from_npy.channel
    assert (from_json.inputs, from_json.outputs) == (("a", "b"), ())
    assert (from_csv.inputs, from_csv.outputs) == ((), ("yes", "no"))
    assert from_npy.largest_change is None


def test_csv_with_spaces_before_quoted_cells() -> None:
    channel = read_channel(source('"1/2", "1/2"\n"1/4",  "3/4"\n')).channel
    assert channel.rows[1] == (Fraction(1, 4), Fraction(3, 4))


def test_csv_without_a_header() -> None:
    assert read_channel(source("1/2,1/2\n.5,5e-1\n")).channel.rows == ((Fraction(1, 2),) * 2,) * 2


def test_npy_in_fortran_order_and_big_endian() -> None:
    matrix = np.array([[0.75, 0.25], [0.5, 0.5]])
    for stored in (np.asfortranarray(matrix), matrix.astype(">f8")):
        assert read_channel(source(npy(stored))).channel.rows[0] == (
            Fraction(3, 4),
            Fraction(1, 4),
        )


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ('{"rows": [["1/2", "1/2"], ["1"]]}', ["rows[1] has 1 entries", "has 2"]),
        ('{"rows": [[], []]}', ["rows[0] is empty"]),
        ('{"rows": []}', ["rows is not a list of rows"]),
        ('{"rows": {"a": 1}}', ["rows is not a list of rows"]),
        ('{"rows": [1]}', ["rows[0] is not a list"]),
        ('{"matrix": [[1]]}', ["lacks the key 'rows'"]),
        ('{"rows": [[1]], "name": "x"}', ["unknown key 'name'"]),
        ('{"rows": [[1]], "inputs": ["a", "b"]}', ["inputs has 2 names for 1"]),
        ('{"rows": [[NaN, 1]]}', ["rows[0][0]", "'NaN'"]),
        ('{"rows": [["3/2", "-1/2"]]}', ["rows[0], column 2", "negative"]),
        ('{"rows": [[0.5, 0.500000000001]]}', ["rows[0] sums to", "--rationalise"]),
        ('{"rows": [["1e999999999", 0]]}', ["rows[0][0]", "exponent"]),
        ('{"rows": [[0.9, 0.9], [0.1, 0.1]]}', ["columns sum to 1", "transpose"]),
        ("0.9,0.2\n0.1,0.8\n", ["columns sum to 1", "line 1", "transpose"]),
        ("0.5,0.5\n0.5\n", ["line 2 has 1 cells", "2"]),
        ("nan,1\n0,1\n", ["line 1, column 1", "'nan'"]),
        ("1/0,1\n0,1\n", ["line 1, column 1", "denominator zero"]),
        ("-inf,1\n", ["line 1, column 1"]),
        ("a,b\n", ["a header and no rows"]),
        ("a,b\n-1,2\n", ["line 2, column 1", "negative"]),
        ("a,a\n0,1\n", ["the header", "'a' stands twice"]),
        (",a,b\nx,1/2,1/2\n", ["line 2, column 1", "'x'"]),
        (",,\n", ["no rows"]),
        # A slip in the first cell is not a header: no row may be lost in silence.
        ("50%,50%\n1/2,1/2\n", ["line 1, column 1", "'50%'"]),
        ("\u22120.5,1.5\n0.5,0.5\n", ["line 1, column 1"]),
        ("\u0660.5,0.5\n0.5,0.5\n", ["line 1, column 1"]),
        ("0.5x,0.5\n0.5,0.5\n", ["line 1, column 1", "'0.5x'"]),
        ("O.5,0.5\n0.5,0.5\n", ["line 1", "mixes names and numbers"]),
        ("a,0.5,0.5\nb,0.25,0.75\n", ["line 1", "mixes names and numbers"]),
        ("\xff", []),
    ],
)
def test_bad_channels_are_refused_in_one_line(text: str, parts: list[str]) -> None:
    with pytest.raises(InputError) as error:
        read_channel(source(text if parts else b"\xff\xfe0,1"))
    for part in ["standard input: ", *(parts or ["not UTF-8"])]:
        assert part in message_of(error)


@pytest.mark.parametrize(
    ("content", "part"),
    [
        (npy(np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])), "--rationalise"),
        (npy(np.array([[np.nan, 1.0]])), "rows[0][0] is nan"),
        (npy(np.array([[0.0, 1.0], [np.inf, 0.0]])), "rows[1][0] is inf"),
        (npy(np.array([[-0.5, 1.5]])), "negative"),
        (npy(np.array([0.5, 0.5])), "shape (2,)"),
        (npy(np.zeros((0, 2))), "shape (0, 2)"),
        (npy(np.array([[1, 0]])), "float64"),
        (npy(np.array([[1.0, 0.0]], dtype=np.float32)), "float64"),
        (npy(np.eye(3))[:-4], "cut short"),
        (npy(np.eye(3))[:20], "not a .npy file"),
        (b"\x93NUMPY" + b"\x00" * 50, "not a .npy file"),
        (npy(np.array([[object()]], dtype=object).astype(str)), "float64"),
    ],
)
def test_bad_arrays_are_refused_in_one_line(content: bytes, part: str) -> None:
    with pytest.raises(InputError) as error:
        read_channel(source(content, "matrix.npy"))
    assert message_of(error).startswith("matrix.npy: ")
    assert part in message_of(error)


@pytest.mark.parametrize(
    "shape",
    ["(9**9999999, 2)", "(2, 999999999999)", "(-1, 2)", "(2, 2", "(True, 2)", "(10**20, 0)"],
)
def test_an_array_header_that_lies_about_the_shape_costs_nothing(shape: str) -> None:
    header = f"{{'descr': '<f8', 'fortran_order': False, 'shape': {shape}, }}".ljust(117) + "\n"
    content = b"\x93NUMPY\x01\x00" + len(header).to_bytes(2, "little") + header.encode() + bytes(32)
    with pytest.raises(InputError) as error:
        read_channel(source(content, "matrix.npy"))
    message_of(error)


def test_two_distributions_are_not_read_from_npy() -> None:
    with pytest.raises(InputError, match="JSON or CSV"):
        read_distributions(source(npy(np.eye(2))))


def test_the_notation_follows_the_ending_and_else_the_content() -> None:
    assert source("[1]", "a.csv").notation is Notation.CSV
    assert source("1", "A.JSON").notation is Notation.JSON
    assert source("  {", "a").notation is Notation.JSON
    assert source("a,b", "a.txt").notation is Notation.CSV
    assert source(b"\x93NUMPY").notation is Notation.NPY


@pytest.mark.parametrize("content", [b"", b" \n\t\n"])
def test_an_empty_file_is_refused(tmp_path, content: bytes) -> None:
    path = tmp_path / "empty.json"
    path.write_bytes(content)
    with pytest.raises(InputError, match="is empty"):
        read_source(path)


def test_a_directory_a_missing_file_and_a_long_file_are_refused(tmp_path) -> None:
    with pytest.raises(InputError, match="is a directory"):
        read_source(tmp_path)
    with pytest.raises(InputError, match="does not exist"):
        read_source(tmp_path / "no.json")
    (tmp_path / "long").write_bytes(b"1" * 11)
    with pytest.raises(LimitError, match="over the limit"):
        read_source(tmp_path / "long", max_bytes=10)
    with pytest.raises(LimitError, match="over the limit"):
        read_source("/dev/zero", max_bytes=10)
    with pytest.raises(InputError, match="cannot be read"):
        read_source("x" * 5000)
    with pytest.raises(InputError, match="is empty; name a file"):
        read_source("")


def test_a_row_that_nearly_sums_to_one_is_named_without_adding_up_the_others() -> None:
    def never() -> Iterator[Fraction]:
        pytest.fail("a later row was added up")
        yield Fraction(0)

    rows = [[Fraction(1, 2), Fraction(1, 2) + Fraction(1, 10**12)], never()]
    said = _diagnosis(_Matrix(rows, ("rows[0]", "rows[1]"), (), ()))  # type: ignore[arg-type]
    assert said is not None
    assert "rows[0] sums to 1 + 1e-12" in said


@pytest.mark.parametrize("exponent", [7, 300, 324, 400, 3990])
@pytest.mark.parametrize(("sign", "shown"), [(1, "+"), (-1, "-")])
def test_an_excess_is_seen_however_small(exponent: int, sign: int, shown: str) -> None:
    apart = sign * Fraction(123, 10 ** (exponent + 2))
    text = str(Fraction(1, 2) + apart)
    with pytest.raises(InputError, match=re.escape(f"sums to 1 {shown} 1.23e-{exponent}, not 1")):
        read_channel(Source("c.json", f'{{"rows": [["1/2", "{text}"]]}}'.encode()))


def test_the_nearest_channel_of_floats_is_exact_and_its_distance_is_stated() -> None:
    matrix = np.array([[0.1, 0.2, 0.7], [0.3, 0.3, 0.4]])
    read = read_channel(source(npy(matrix)), denominator=10)
    assert read.channel.rows == (
        (Fraction(1, 10), Fraction(1, 5), Fraction(7, 10)),
        (Fraction(3, 10), Fraction(3, 10), Fraction(2, 5)),
    )
    assert read.largest_change is not None
    assert 0 < read.largest_change < Fraction(1, 10**15)


@pytest.mark.parametrize(
    ("text", "denominator", "part"),
    [
        ("0.5,0.5\n", 0, "--rationalise"),
        ("0.5,0.5\n", -3, "--rationalise"),
        ("0.5,0.5\n", 10**4000, "--rationalise"),
        ("0.5,0.6\n", 10, "line 1 sums to 1.1"),
        ("0,0\n", 10, "line 1"),
    ],
)
def test_rounding_refuses_what_is_no_rounded_channel(
    text: str, denominator: int, part: str
) -> None:
    with pytest.raises(InputError) as error:
        read_channel(source(text), denominator=denominator)
    assert part in message_of(error)


@given(
    st.lists(st.integers(0, 50), min_size=1, max_size=6).filter(any),
    st.integers(1, 12),
)
def test_largest_remainder_is_a_nearest_row(weights: list[int], denominator: int) -> None:
    row = [Fraction(weight, sum(weights)) for weight in weights]
    rounded = largest_remainder(row, denominator)
    assert sum(rounded) == 1
    assert all((q * denominator).denominator == 1 and q >= 0 for q in rounded)
    assert all(q == 0 for p, q in zip(row, rounded, strict=True) if p == 0)
    distance = sum((p - q) ** 2 for p, q in zip(row, rounded, strict=True))
    for i in range(len(row)):  # no exchange of one unit is nearer; the distance is convex
        for j in range(len(row)):
            if i != j:
                moved = list(rounded)
                moved[i] += Fraction(1, denominator)
                moved[j] -= Fraction(1, denominator)
                assert sum((p - q) ** 2 for p, q in zip(row, moved, strict=True)) >= distance
