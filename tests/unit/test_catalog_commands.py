"""The commands of the catalog: output, files and exit codes."""

import csv
import io
import json
import shutil
import sqlite3
from contextlib import closing
from xml.etree import ElementTree as ET

import pytest
import typer
from typer.testing import CliRunner

from combinatorics.catalog import Catalog, Kind, build_catalog, read_design
from combinatorics.catalog import records as records_module
from combinatorics.interchange import DevelopedDesign, parse_design
from verify.commands.catalog import catalog_build, catalog_export, catalog_list
from verify.commands.catalog_best import catalog_best
from verify.commands.catalog_show import catalog_show
from verify.kernel.certificate import check_certificate, decode
from verify.kernel.design import check_design
from verify.kernel.errors import InputError
from verify.kernel.verdict import rejected

APP = typer.Typer()
for name, command in (
    ("build", catalog_build),
    ("list", catalog_list),
    ("show", catalog_show),
    ("best", catalog_best),
    ("export", catalog_export),
):
    APP.command(name)(command)

MAX_V = 45


@pytest.fixture(scope="module")
def db(tmp_path_factory):
    path = tmp_path_factory.mktemp("catalog") / "c.sqlite"
    build_catalog(path, MAX_V)
    return path


def run(*arguments):
    return CliRunner().invoke(APP, [str(argument) for argument in arguments])


def answer(*arguments, code=0):
    result = run(*arguments, "--json")
    assert result.exit_code == code, result.output
    return json.loads(result.stdout)


def refusal(*arguments):
    """The message of the error that the program turns into one line and exit code 2."""
    result = run(*arguments)
    assert not result.stdout
    assert isinstance(result.exception, InputError), result.output
    assert "\n" not in str(result.exception)
    return str(result.exception)


def test_build_and_build_again(tmp_path):
    path = tmp_path / "c.sqlite"
    first = answer("build", "--max-v", 20, "--db", path)
    assert first["counts"]["symmetric"] == {"constructed": 6}
    assert first["kept"] == 0
    assert first["recorded"] == sum(n for each in first["counts"].values() for n in each.values())
    second = answer("build", "--max-v", 20, "--db", path)
    assert (second["recorded"], second["kept"]) == (0, first["recorded"])
    assert "recorded" in run("build", "--max-v", 20, "--db", path).stdout
    assert not run("build", "--max-v", 20, "--db", path, "--quiet").stdout


def test_the_default_database(tmp_path, monkeypatch):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "data"))
    assert "catalog build" in refusal("list")
    built = answer("build", "--max-v", 7)
    assert built["db"] == str(tmp_path / "data" / "exactdp" / "catalog.sqlite")
    assert answer("list")["complete_up_to"] == 7


def test_a_refused_design_ends_with_1(tmp_path, monkeypatch):
    monkeypatch.setattr(records_module, "check_hadamard", lambda _: rejected("not one"))
    result = answer("build", "--max-v", 3, "--db", tmp_path / "c.sqlite", code=1)
    assert result["refused"] == ["hadamard 1", "hadamard 2", "hadamard 4"]
    shown = answer("list", "--status", "refused", "--db", tmp_path / "c.sqlite")
    assert [entry["reason"] for entry in shown["entries"]] == ["not one"] * 3


def test_list(db):
    everything = answer("list", "--db", db)
    assert everything["count"] == len(everything["entries"])
    chosen = answer(
        "list", "--db", db, "--kind", "symmetric", "--kind", "derived", "--status", "constructed"
    )
    assert [e for e in everything["entries"] if e in chosen["entries"]] == chosen["entries"]
    assert {e["kind"] for e in chosen["entries"]} == {"symmetric", "derived"}
    first = answer("list", "--db", db, "--kind", "symmetric", "--limit", 2)
    assert [e["name"] for e in first["entries"]] == ["symmetric 7 3 1", "symmetric 11 5 2"]
    assert first["count"] > 2
    biplanes = answer("list", "--db", db, "--lambda", 2, "--kind", "symmetric", "--min-v", 12)
    assert [e["v"] for e in biplanes["entries"]] == [16, 22, 29, 37]
    none = answer("list", "--db", db, "--k", 9, "--max-v", 10, "--construction", "singer")
    assert none["entries"] == []
    table = run("list", "--db", db, "--kind", "hadamard").stdout
    assert "complete up to v = 45" in table


def test_quiet_prints_nothing_and_still_writes(db, tmp_path):
    assert run("list", "--db", db, "--quiet").output == ""
    assert run("show", 37, 9, 2, "--db", db, "--quiet").output == ""
    place = tmp_path / "design.json"
    assert run("show", 37, 9, 2, "--db", db, "--quiet", "--out", place).output == ""
    assert json.loads(place.read_text())
    assert answer("list", "--db", db, "--quiet") == answer("list", "--db", db)


def test_show(db):
    found = answer("show", 37, 9, 2, "--db", db)
    assert [e["name"] for e in found["entries"]] == ["symmetric 37 9 2", "difference-set 37 9 2"]
    assert found["entries"][0]["construction"] == "quartic, q = 37"
    assert not found["is_complement"]
    assert answer("show", 37, 28, 21, "--db", db)["is_complement"]
    of_order = answer("show", 12, "--kind", "hadamard", "--db", db)
    assert [e["status"] for e in of_order["entries"]] == ["constructed"]
    impossible = answer("show", 22, 7, 2, "--db", db)["entries"][0]
    assert impossible["status"] == "impossible"
    assert "Schützenberger" in impossible["reason"]
    assert "quartic" in run("show", 37, 9, 2, "--db", db).stdout


@pytest.mark.parametrize(
    ("v", "k", "lambda_", "kind"),
    [
        (37, 9, 2, "symmetric"),
        (37, 28, 21, "symmetric"),
        (37, 28, 21, "difference-set"),
        (25, 9, 3, "symmetric"),
        (25, 16, 10, "symmetric"),
        (9, 2, 1, "derived"),
        (28, 7, 2, "residual"),
        (28, 21, 20, "residual"),
    ],
)
def test_show_writes_what_the_kernel_accepts(db, tmp_path, v, k, lambda_, kind):
    out, certificate = tmp_path / "d.json", tmp_path / "certificate.json"
    wishes = ("--kind", kind, "--out", out, "--certificate", certificate)
    found = answer("show", v, k, lambda_, "--db", db, *wishes)
    assert (found["file"], found["certificate"]) == (str(out), str(certificate))
    content = parse_design(out.read_bytes()).content
    design = content.design() if isinstance(content, DevelopedDesign) else content
    assert check_design(design, k, lambda_).is_accepted
    proof = decode(certificate.read_bytes())
    assert check_certificate(proof).is_accepted
    is_set = kind == "difference-set"
    assert proof.claim["object"] == ("difference set" if is_set else "block design")
    assert (proof.claim["k"], proof.claim["lambda"]) == (k, lambda_)


def test_show_on_standard_output(db):
    result = run("show", 7, 3, 1, "--db", db, "--format", "gap")
    assert result.stdout.startswith("LoadPackage")
    matrix = run("show", 12, "--kind", "hadamard", "--db", db, "--out", "-")
    assert parse_design(matrix.stdout.encode()).content.order == 12


def test_read_design(db):
    assert check_design(read_design(db, 9, 2, 1), 2, 1).is_accepted
    for absent in ((22, 7, 2), (8, 3, 1)):
        with pytest.raises(InputError, match="holds no"):
            read_design(db, *absent)


def test_export_json_lines(db, tmp_path):
    plain, full = tmp_path / "c.jsonl", tmp_path / "designs.jsonl"
    run("export", "--db", db, "--out", plain)
    lines = [json.loads(line) for line in plain.read_text("utf-8").splitlines()]
    assert lines == answer("list", "--db", db)["entries"]
    assert answer("export", "--db", db, "--out", full, "--designs") == {
        "file": str(full),
        "format": "jsonl",
        "entries": len(lines),
    }
    for line in map(json.loads, full.read_text("utf-8").splitlines()):
        design = line.pop("design", None)
        assert (design is not None) == (line["status"] == "constructed")
        assert line in lines
        if design is not None:
            content = parse_design(json.dumps(design).encode()).content
            with Catalog(db) as catalog:
                assert catalog.named(line["name"]).digest == line["digest"]
            assert content is not None


def test_export_csv(db, tmp_path):
    out = tmp_path / "c.csv"
    run("export", "--db", db, "--out", out, "--kind", "symmetric")
    rows = list(csv.DictReader(io.StringIO(out.read_text("utf-8"))))
    entries = answer("list", "--db", db, "--kind", "symmetric")["entries"]
    assert [row["name"] for row in rows] == [entry["name"] for entry in entries]
    for row, entry in zip(rows, entries, strict=True):
        assert [int(row[x]) for x in ("v", "b", "r", "k", "lambda")] == [
            entry[x] for x in ("v", "b", "r", "k", "lambda")
        ]
        assert (row["status"], row["reason"]) == (entry["status"], entry["reason"])


def test_export_dtrs(db, tmp_path):
    out = tmp_path / "c.xml"
    run("export", "--db", db, "--out", out, "--max-v", 20)
    root = ET.parse(out).getroot()
    space = {"d": "http://designtheory.org/xml-namespace"}
    designs = root.findall("d:designs/d:block_design", space)
    with Catalog(db) as catalog:
        entries = [e for e in catalog.entries() if e.v <= 20 and e.status == "constructed"]
    entries = [e for e in entries if e.kind in {Kind.SYMMETRIC, Kind.DERIVED, Kind.RESIDUAL}]
    assert len(designs) == int(root.get("no_designs")) == len(entries)
    assert len({design.get("id") for design in designs}) == len(designs)
    for element, entry in zip(designs, entries, strict=True):
        lone = ET.Element("list_of_designs")
        ET.SubElement(lone, "designs").append(element)
        design = parse_design(ET.tostring(lone)).content
        assert (design.v, len(design.blocks)) == (entry.v, entry.b)
        assert check_design(design, entry.k, entry.lambda_).is_accepted


def test_export_html_escapes_its_texts(db, tmp_path):
    path, out = tmp_path / "copy.sqlite", tmp_path / "c.html"
    shutil.copyfile(db, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        text = "<script>alert('@ROWS@')</script>"
        connection.execute("UPDATE entry SET construction = ? WHERE v = 7", (text,))
    run("export", "--db", path, "--out", out)
    page = out.read_text("utf-8")
    assert "<script>alert" not in page
    assert "&lt;script&gt;alert(&#x27;@ROWS@&#x27;)" in page
    assert page.count("<tr>") == 1 + answer("list", "--db", path)["count"]
    for address in ("http://", "https://", "src=", "href="):
        assert address not in page


def test_a_failing_export_leaves_the_old_file(db, tmp_path):
    path, out = tmp_path / "copy.sqlite", tmp_path / "c.jsonl"
    shutil.copyfile(db, path)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE content SET data = x'00' WHERE name = 'hadamard 44'")
    out.write_text("old")
    assert "damaged" in refusal("export", "--db", path, "--out", out, "--designs")
    assert out.read_text() == "old"
    assert sorted(x.name for x in tmp_path.iterdir() if "tmp" in x.name) == []


def test_best_agrees_with_the_ranking_without_a_catalog(db, tmp_path, monkeypatch):
    with_catalog = answer("best", 40, "1", "--db", db)
    assert with_catalog["verdict"] == "ACCEPTED"
    assert with_catalog["alphabet_size"] == 40
    names = [(s["name"], s["v"], s["b"], s["k"], s["lambda"]) for s in with_catalog["schemes"]]
    assert len(set(names)) == len(names)
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    without = run("best", 40, "1", "--json")
    assert "no catalog there yet" in without.stderr
    assert json.loads(without.stdout)["schemes"] == with_catalog["schemes"]


@pytest.mark.parametrize(
    "arguments",
    [
        ("build", "--max-v", 0),
        ("build", "--max-v", 10**6),
        ("build", "--max-v", 7, "--jobs", 0),
        ("list", "--kind", "planes"),
        ("list", "--status", "open"),
        ("list", "--k", 2**63),
        ("show", 8, 3, 1),
        ("show", 7, 3),
        ("show", 10**30),
        ("show", 22, 7, 2, "--format", "json"),
        ("show", 7, 3, 1, "--kind", "planes"),
        ("show", 7, 3, 1, "--out", "/nonexistent/d.json"),
        ("export", "--out", "/nonexistent/c.html"),
        ("best", 40, "0x"),
        ("best", 1, "1"),
    ],
)
def test_bad_input_is_refused_in_one_line(db, arguments):
    assert refusal(*arguments, "--db", db)


def test_no_output_replaces_the_catalog(db):
    before = db.read_bytes()
    for arguments in (
        ("export", "--format", "csv", "--out", db),
        ("show", 7, 3, 1, "--out", db),
        ("show", 7, 3, 1, "--certificate", db),
        ("best", 40, "1", "--certificate", db),
    ):
        assert "is the input file" in refusal(*arguments, "--db", db)
    assert db.read_bytes() == before


def test_export_needs_a_format(db, tmp_path):
    assert "--format" in refusal("export", "--db", db, "--out", tmp_path / "catalog")
    assert "unknown" in refusal("export", "--db", db, "--out", tmp_path / "c.csv", "--format", "x")
    designs = ("export", "--db", db, "--out", tmp_path / "c.csv", "--designs")
    assert "designs" in refusal(*designs)
    assert not list(tmp_path.iterdir())
