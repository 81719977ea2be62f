"""``exactdp certify testing``: answers, keys, exit codes, pictures, and one line for bad input."""

import json
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import pytest

from solvers import Epsilon
from solvers.testing import UnprovedError, solve_testing
from verify.certify import check
from verify.cli import run
from verify.commands.utility_plot import utility_curves
from verify.kernel.exact import as_rational

LETTERS = Path(__file__).parents[2] / "examples" / "letters-english-german.csv"
PAIR = {"p0": ["1/2", "1/3", "1/6", 0], "p1": ["1/6", "1/3", "1/2", 0], "labels": list("abcd")}


@pytest.fixture
def pair(tmp_path):
    path = tmp_path / "pair.json"
    path.write_text(json.dumps(PAIR))
    return path


def certify(*words: object) -> int:
    return run(["certify", "testing", *map(str, words)])


def test_json_has_every_key_and_agrees_with_the_certificate(pair, tmp_path, capsys) -> None:
    out_file = tmp_path / "out.json"
    words = ["--exp-epsilon", 3, "--divergence", "chi2", "--json", "--certificate", out_file]
    assert certify(pair, *words) == 0
    out, err = capsys.readouterr()
    content = json.loads(out)
    assert err == ""
    assert content["verdict"] == "ACCEPTED"
    assert content["claim"] == "the best chi2 of a log(3)-LDP channel lies in value"
    assert content["divergence"] == "chi2"
    assert content["exp_epsilon"] == "3"
    assert content["relative_gap"] == "0"
    assert content["value"]["lower"] == content["value"]["upper"]
    assert sorted(label for block in content["blocks"] for label in block) == list("abcd")
    assert content["blocks"][-1] == ["a"]
    # chi2 of the laws (1/2, 1/2) and (1/3, 2/3) after binary randomized response on "a or not"
    assert as_rational(content["value"]["lower"]) == as_rational("1/8")
    assert content["mechanism"] == {"true_block": "3/4", "other_block": "1/4"}
    assert set(content["baselines"]) == {"binary", "randomized_response", "non_private"}
    best = as_rational(content["value"]["upper"])
    for name in ("binary", "randomized_response"):
        assert as_rational(content["baselines"][name]["upper"]) <= best
    assert as_rational(content["baselines"]["non_private"]["lower"]) > best
    assert content["certificate"] == str(out_file)
    assert content["seconds"] >= 0
    assert check(out_file).is_accepted
    claim = json.loads(out_file.read_text())["claim"]
    assert (claim["lower"], claim["upper"]) == tuple(content["value"].values())


def test_outputs_limit_the_blocks(capsys) -> None:
    words = [LETTERS, "--weights", "--epsilon", "4", "--divergence", "kl", "--json"]
    assert certify(*words) == 0
    free = json.loads(capsys.readouterr().out)
    assert certify(*words, "--outputs", "2") == 0
    limited = json.loads(capsys.readouterr().out)
    assert len(free["blocks"]) > 2
    assert len(limited["blocks"]) <= 2
    assert "at most 2 outputs" in limited["claim"]
    assert as_rational(limited["value"]["upper"]) < as_rational(free["value"]["lower"])


def test_an_infinite_baseline(tmp_path, capsys) -> None:
    path = tmp_path / "disjoint.csv"
    path.write_text("symbol,p0,p1\na,1,0\nb,0,1\n")
    assert certify(path, "--epsilon", "1", "--divergence", "kl", "--json") == 0
    content = json.loads(capsys.readouterr().out)
    assert content["baselines"]["non_private"] == {"lower": "inf", "upper": "inf"}
    assert certify(path, "--epsilon", "1", "--divergence", "kl") == 0
    assert "infinite" in capsys.readouterr().out


def test_the_table_and_quiet(pair, capsys) -> None:
    words = [pair, "--epsilon", "log(3)", "--divergence", "chi2"]
    assert certify(*words) == 0
    out = capsys.readouterr().out
    for part in ("ACCEPTED", "0.125 = 1/8", "binary mechanism", "non-private", "100%"):
        assert part in out
    assert certify(*words, "--quiet") == 0
    assert capsys.readouterr() == ("", "")


def test_standard_output_holds_nothing_but_the_json() -> None:
    words = [sys.executable, "-m", "verify", "certify", "testing", "-", "--weights", "--json"]
    words += ["--epsilon", "1", "--divergence", "kl"]
    content = LETTERS.read_bytes()
    done = subprocess.run(words, input=content, capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["verdict"] == "ACCEPTED"


def test_without_a_proof_the_answer_is_undecided(pair, capsys, monkeypatch) -> None:
    def fail(*_: object) -> None:
        raise UnprovedError("no dual witness was found")

    monkeypatch.setattr("solvers.testing.solve_testing", fail)
    words = [pair, "--epsilon", "1", "--divergence", "kl"]
    assert certify(*words) == 3
    assert capsys.readouterr() == ("", "exactdp: undecided: no dual witness was found\n")
    assert certify(*words, "--json") == 3
    content = json.loads(capsys.readouterr().out)
    assert content["verdict"] == "UNDECIDED"
    assert content["certificate"] is None


@pytest.mark.parametrize(
    ("ending", "magic"), [("png", b"\x89PNG"), ("SVG", b"<?xml"), ("pdf", b"%PDF")]
)
def test_plot_writes_a_picture(pair, tmp_path, capsys, ending, magic) -> None:
    path = tmp_path / f"utility.{ending}"
    words = ["--epsilon", "1", "--divergence", "tv", "--plot", path, "--quiet"]
    assert certify(pair, *words) == 0
    assert path.read_bytes().startswith(magic)
    assert sorted(entry.name for entry in tmp_path.iterdir()) == ["pair.json", path.name]
    assert str(path) in capsys.readouterr().err


@pytest.mark.parametrize("divergence", ["kl", "hellinger", "reverse-chi2"])
def test_curves_pass_through_the_certified_values(divergence) -> None:
    solution = solve_testing(PAIR["p0"], PAIR["p1"], Epsilon.from_exp(3), divergence)
    curves = utility_curves(solution, np.array([np.log(3), 30.0]))
    baselines = solution.baselines
    expected = [
        (curves.optimal, float(solution.value_lower)),
        (curves.binary, float(baselines["binary"].lower)),
        (curves.randomized_response, float(baselines["randomized_response"].lower)),
    ]
    for curve, value in expected:
        assert curve[0] == pytest.approx(value, rel=1e-12)
    # Without privacy everything but the binary mechanism tells all there is to tell.
    assert curves.optimal[1] == pytest.approx(float(baselines["non_private"].lower), rel=1e-9)
    assert curves.randomized_response[1] == pytest.approx(curves.optimal[1], rel=1e-9)


@pytest.mark.parametrize("epsilon", ["0", "50"])
def test_extreme_levels_have_a_plot(pair, tmp_path, capsys, epsilon) -> None:
    path = tmp_path / "utility.png"
    words = ["--epsilon", epsilon, "--divergence", "chi2", "--plot", path, "--quiet"]
    assert certify(pair, *words) == 0
    assert path.stat().st_size > 1000
    capsys.readouterr()


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        (["--epsilon", "1"], ["--divergence", "exactdp certify testing --help"]),
        (["--divergence", "kl"], ["--epsilon X", "--exp-epsilon E"]),
        (["--epsilon", "-1", "--divergence", "kl"], ["negative"]),
        (["--epsilon", "one", "--divergence", "kl"], ["'one'"]),
        (["--epsilon", "1", "--divergence", "lk"], ["'lk' is unknown", "reverse-kl"]),
        (["--epsilon", "1", "--divergence", "e-gamma:0"], ["e-gamma", "is not > 0"]),
        (["--epsilon", "1", "--divergence", "e-gamma:x"], ["e-gamma", "'x'"]),
        (["--epsilon", "1", "--divergence", "kl", "--outputs", "0"], ["--outputs", "at least one"]),
        (["--epsilon", "1", "--divergence", "kl", "--outputs", "x"], ["--outputs"]),
        (["--epsilon", "1", "--divergence", "kl", "--plot", "x.txt"], ["x.txt", ".png"]),
        (
            ["--epsilon", "1", "--divergence", "kl", "--plot", "/no/x.png"],
            ["/no", "does not exist"],
        ),
        (["--epsilon", "1", "--divergence", "kl", "--certificate", "/no/c"], ["/no", "not exist"]),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(pair, capsys, words, parts) -> None:
    started = time.perf_counter()
    assert certify(pair, *words) == 2
    assert time.perf_counter() - started < 1
    out, err = capsys.readouterr()
    assert out == ""
    assert err.startswith("exactdp: ")
    assert err.count("\n") == 1
    for part in parts:
        assert part in err


@pytest.mark.parametrize(
    ("content", "part"),
    [
        ("", "is empty"),
        ("symbol,p0,p1\na,1/2,1\nb,1/3,0\n", "--weights"),
        ("symbol,p0,p1\na,nan,1\n", "line 2, column p0"),
        ("symbol,p0\na,1\n", "symbol,p0,p1"),
    ],
)
def test_bad_files_are_one_line_and_leave_nothing(tmp_path, capsys, content, part) -> None:
    path = tmp_path / "pair.csv"
    path.write_text(content)
    words = ["--epsilon", "1", "--divergence", "kl", "--certificate", tmp_path / "c.json"]
    assert certify(path, *words, "--plot", tmp_path / "p.png") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert part in err
    assert list(tmp_path.iterdir()) == [path]


def test_the_demo_proves_what_it_says(tmp_path) -> None:
    demo = LETTERS.parent / "demo.py"
    words = [sys.executable, str(demo), str(tmp_path / "out")]
    done = subprocess.run(words, capture_output=True, check=False, text=True)
    assert (done.returncode, done.stderr) == (0, "")
    assert "REJECTED" in done.stdout
    assert "What was proved" in done.stdout
    assert check(tmp_path / "out" / "letters.certificate.json").is_accepted


@pytest.mark.parametrize(
    ("content", "level", "blamed", "mend"),
    [
        ("symbol,p0,p1\na,1e3999,1\nb,1,1\n", "1", "long.csv", "fewer digits"),
        ("symbol,p0,p1\na,2,1\nb,1,1\n", "log(1e3999)", "epsilon: ", "give a smaller one"),
    ],
)
def test_numbers_over_a_limit_are_refused_with_what_is_to_blame_and_the_mend(
    content, level, blamed, mend, tmp_path, capsys
) -> None:
    path = tmp_path / "long.csv"
    path.write_text(content)
    assert certify(path, "--weights", "--epsilon", level, "--divergence", "kl") == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert blamed in err
    assert mend in err
