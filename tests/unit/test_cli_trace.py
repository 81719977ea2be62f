"""``exactdp trace`` and the new objectives of ``certify testing`` from the command line."""

import csv
import json
from fractions import Fraction

import pytest

from verify.cli import run

PAIR = '{"p0": ["1/2", "1/3", "1/6"], "p1": ["1/6", "1/3", "1/2"], "labels": ["a", "b", "c"]}'


@pytest.fixture
def pair(tmp_path):
    path = tmp_path / "pair.json"
    path.write_text(PAIR)
    return str(path)


def answer(capsys, arguments, code=0):
    assert run([*arguments, "--json"]) == code
    return json.loads(capsys.readouterr().out)


def rows_of(path):
    with path.open() as file:
        return list(csv.reader(file))


def files_of(table, picture):
    return ["--csv", str(table), "--plot", str(picture)]


def test_epsilon(pair, tmp_path, capsys):
    words = ["trace", "epsilon", pair, "--divergence", "kl", "--to", "40"]
    table, picture = tmp_path / "path.csv", tmp_path / "path.svg"
    found = answer(
        capsys,
        [*words, *files_of(table, picture)],
    )
    assert found["verdict"] == "ACCEPTED"
    assert [len(s["blocks"]) for s in found["segments"]] == [2, 3]
    assert found["segments"][1]["blocks"] == [["c"], ["b"], ["a"]]
    low, high = (Fraction(found["binary_until"][end]) for end in ("lower", "upper"))
    assert 0 <= high - low < Fraction(1, 10**25)
    assert found["randomized_response_from"] == found["binary_until"]
    rows = rows_of(table)
    assert len(rows) == 3
    assert Fraction(rows[1][0]) == Fraction(11, 10)
    assert b"<svg" in picture.read_bytes()
    assert run(["trace", "epsilon", pair, "--divergence", "tv"]) == 0
    assert "binary mechanism optimal up to" in capsys.readouterr().out


def test_outputs(pair, tmp_path, capsys):
    words = ["trace", "outputs", pair, "--exp-epsilon", "20", "--divergence", "chi2"]
    table, picture = tmp_path / "curve.csv", tmp_path / "curve.png"
    found = answer(
        capsys,
        [*words, *files_of(table, picture)],
    )
    assert [p["outputs"] for p in found["points"]] == [1, 2, 3]
    assert found["flat_from"] == 3
    assert found["fewer_outputs_are_worse"]
    assert [row[1] for row in rows_of(table)[1:]] == [p["value"]["lower"] for p in found["points"]]
    assert run(words) == 0
    assert "flat from" in capsys.readouterr().out


def test_samples(pair, tmp_path, capsys):
    table = tmp_path / "errors.csv"
    words = ["trace", "samples", pair, "--exp-epsilon", "3", "--error", "1/10"]
    words += ["--divergence", "kl", "--csv", str(table)]
    found = answer(capsys, words)
    private, bare = found["private"]["samples"], found["non_private"]["samples"]
    assert private["lower"] == private["upper"] > bare["upper"] == bare["lower"]
    assert Fraction(found["price_of_privacy"]["lower"]) == Fraction(private["lower"], bare["lower"])
    rows = [tuple(map(Fraction, row)) for row in rows_of(table)[1:]]
    assert rows[0][0] == 0
    assert rows[-1][1] == 0
    assert run(words) == 0
    assert "samples needed" in capsys.readouterr().out


def test_joint_range(pair, tmp_path, capsys):
    words = ["trace", "joint-range", pair, "--exp-epsilon", "3"]
    table, picture = tmp_path / "range.csv", tmp_path / "range.pdf"
    found = answer(
        capsys,
        [*words, *files_of(table, picture)],
    )
    assert len(found["vertices"]) == 6
    assert len(rows_of(table)) == 7
    assert picture.stat().st_size > 1000
    assert run(words) == 0
    assert "Vertices" in capsys.readouterr().out


@pytest.mark.parametrize(
    "name", ["chernoff", "renyi:0.5", "renyi:inf", "renyi:0", "lr:3/2", "alpha:3"]
)
def test_certify_with_every_objective(name, pair, tmp_path, capsys):
    out = tmp_path / "out.json"
    words = ["certify", "testing", pair, "--epsilon", "1", "--divergence", name]
    found = answer(capsys, [*words, "--certificate", str(out)])
    assert found["verdict"] == "ACCEPTED"
    assert Fraction(found["value"]["lower"]) <= Fraction(found["value"]["upper"])
    files = [str(out), *found["supporting_certificates"]]
    assert (len(files) > 1) == (name == "chernoff")
    assert run(["check", *files, "--json"]) == 0
    checked = json.loads(capsys.readouterr().out)["results"]
    assert {result["verdict"] for result in checked} == {"ACCEPTED"}


@pytest.mark.parametrize(
    "words",
    [
        ["trace", "epsilon", "--divergence", "chernoff"],
        ["trace", "epsilon", "--divergence", "kl", "--from", "1"],
        ["trace", "epsilon", "--divergence", "kl", "--csv", "/nowhere/at/all.csv"],
        ["trace", "samples", "--exp-epsilon", "3", "--error", "0", "--divergence", "tv"],
        [
            "trace",
            "samples",
            "--exp-epsilon",
            "3",
            "--error",
            "1/9",
            "--prior",
            "1",
            "--divergence",
            "tv",
        ],
        ["trace", "joint-range", "--exp-epsilon", "3", "--outputs", "0"],
        ["certify", "testing", "--epsilon", "1", "--divergence", "lr:1/2"],
    ],
    ids=lambda words: "-".join(words[1:])[:50],
)
def test_misuse_is_one_line_and_exit_2(words, pair, capsys):
    assert run([*words[:2], pair, *words[2:]]) == 2
    captured = capsys.readouterr()
    assert captured.out == ""
    assert captured.err.count("\n") == 1
