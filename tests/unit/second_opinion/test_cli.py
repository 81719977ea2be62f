"""``exactdp check --second-opinion``: keys, files, exit codes, and a loud disagreement."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.vipr import check as check_vipr
from verify.cli import run
from verify.kernel.verdict import Status, Verdict
from verify.second_opinion import solver as solvers
from verify.second_opinion.solver import decide_script

CORPUS = Path(__file__).parent.parent.parent / "corpus"
GOOD, OTHER = CORPUS / "accept" / "leakage-one-nat.json", CORPUS / "accept" / "tv-log3.json"
FALSE, MALFORMED = CORPUS / "reject" / "multiplier-lowered.json", CORPUS / "malformed" / "nan.json"
BARE = CORPUS / "reject" / "separators-removed.json"


def results_of(capsys, *words):
    code = run(["check", "--json", *map(str, words)])
    out, err = capsys.readouterr()
    return code, json.loads(out)["results"], err


@pytest.mark.parametrize("solver", ["z3", "cvc5"])
def test_every_key(capsys, solver):
    words = (GOOD, FALSE, MALFORMED, "--second-opinion", "--solver", solver)
    code, results, err = results_of(capsys, *words)
    assert (code, err) == (2, "")
    expected = ["ACCEPTED", "REJECTED", "MALFORMED"]
    assert [result["verdict"] for result in results] == expected
    opinions = [result["second_opinion"] for result in results]
    assert [opinion["verdict"] for opinion in opinions] == expected
    assert not any(result["disagreement"] for result in results)
    for opinion in opinions:
        assert set(opinion) == {"verdict", "solver", "seconds", "reason"}
        assert opinion["solver"] == solver
        assert 0 <= opinion["seconds"] < 60
        assert "\n" not in opinion["reason"]


def test_without_the_option_nothing_changes(capsys):
    code, (result,), _ = results_of(capsys, GOOD)
    assert code == 0
    assert not {"second_opinion", "disagreement"} & set(result)


def test_exit_code_is_the_kernels_when_there_is_no_opinion(capsys):
    code, (result,), err = results_of(capsys, BARE, "--second-opinion")
    assert (code, err) == (1, "")
    assert result["second_opinion"]["verdict"] == "NO OPINION"
    assert result["disagreement"] is False


@pytest.mark.parametrize("extra", [[], ["--json"], ["--quiet"]])
@pytest.mark.parametrize(("path", "status"), [(FALSE, "ACCEPTED"), (GOOD, "REJECTED")])
def test_a_disagreement_is_loud(capsys, monkeypatch, path, status, extra):
    verdict = Verdict(Status(status), "as a broken kernel says")
    monkeypatch.setattr("verify.certify.check_certificate", lambda _: verdict)
    assert run(["check", "--second-opinion", str(path), str(OTHER), *extra]) == 1
    err = capsys.readouterr().err
    assert f"DISAGREEMENT: {path}: the kernel says {status}, the second checker" in err


def test_the_table(capsys):
    assert run(["check", "--second-opinion", str(OTHER)]) == 0
    out = capsys.readouterr().out
    assert "second opinion" in out
    assert "the negation of the claim" in " ".join(out.split())
    assert run(["check", "--second-opinion", "--quiet", str(OTHER)]) == 0
    assert capsys.readouterr() == ("", "")


def test_exported_files_are_what_a_solver_decides(capsys, tmp_path):
    folder = tmp_path / "questions"
    code, _, err = results_of(capsys, GOOD, OTHER, "--export", folder)
    assert (code, err) == (0, "")
    names = {path.name for path in folder.iterdir()}
    assert names == {
        "leakage-one-nat.channel.smt2",
        "leakage-one-nat.bound.smt2",
        "leakage-one-nat.vipr",
        "tv-log3.numbers.smt2",
        "tv-log3.sets.smt2",
        "tv-log3.vipr",
    }
    for path in folder.glob("*.smt2"):
        for solver in ("z3", "cvc5"):
            found = decide_script(path.read_text(), "QF_NRA", {}, solver=solver, timeout=30)
            assert found.status == "unsat", path
    for path in folder.glob("*.vipr"):
        check_vipr(path.read_text())


@pytest.mark.parametrize("second", ["b/x.json", "b/x", "b/X.json", "b/../a/x.json", "a/x.json"])
def test_nothing_is_exported_where_names_would_collide(capsys, tmp_path, second):
    for folder in ("a", "b"):
        (tmp_path / folder).mkdir()
        for name in ("x.json", "x", "X.json"):
            (tmp_path / folder / name).write_bytes(GOOD.read_bytes())
    place = tmp_path / "questions"
    words = (tmp_path / "a/x.json", tmp_path / second, "--export", place)
    assert run(["check", *map(str, words)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "rename one" in err
    assert not place.exists()


def test_a_file_on_standard_input_is_exported_too(tmp_path):
    done = subprocess.run(
        [sys.executable, "-m", "verify", "check", "-", "--export", str(tmp_path), "--quiet"],
        input=GOOD.read_bytes(),
        capture_output=True,
        check=False,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, b"", b"")
    assert (tmp_path / "certificate.vipr").exists()


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["--second-opinion", "--solver", "yices"], "choose one of z3, cvc5"),
        (["--solver", "z3"], "--solver: is for a second opinion; add --second-opinion"),
        (["--timeout", "60"], "--timeout: is for a second opinion; add --second-opinion"),
        (["--export", "{tmp}", "--timeout", "60"], "add --second-opinion"),
        (["--second-opinion", "--solver", ""], "choose one of z3, cvc5"),
        (["--second-opinion", "--timeout", "0"], "--timeout"),
        (["--second-opinion", "--timeout", "nan"], "--timeout"),
        (["--export", str(GOOD)], "is no folder to write in"),
        (["--export", str(GOOD / "x")], "is no folder to write in"),
        ([str(GOOD), "--export", "{tmp}"], "would be exported under one name"),
    ],
)
def test_misuse_is_one_line(capsys, tmp_path, words, message):
    words = [str(tmp_path) if word == "{tmp}" else word for word in words]
    assert run(["check", str(GOOD), *words]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert message in err


def test_a_missing_solver_is_exit_code_2_with_the_command_that_mends_it(capsys, monkeypatch):
    monkeypatch.setattr(solvers, "find_spec", lambda _: None)
    assert run(["check", "--second-opinion", str(GOOD)]) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert "python -m pip install 'exactdp[smt]'" in err
    assert err.count("\n") == 1


def test_the_check_without_a_second_opinion_needs_no_solver():
    program = (
        "import sys\n"
        "for name in ('z3', 'cvc5'):\n"
        "    sys.modules[name] = None\n"
        "from verify.cli import run\n"
        "sys.exit(10 * run(['check', '--quiet', sys.argv[1]])"
        " + run(['check', '--quiet', '--second-opinion', sys.argv[1]]))\n"
    )
    words = [sys.executable, "-c", program, str(GOOD)]
    done = subprocess.run(words, capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "pip install" in done.stderr


def test_a_certificate_over_a_limit_of_the_kernel_is_no_disagreement(capsys, monkeypatch):
    from verify.kernel.errors import LimitError

    def over(_):
        raise LimitError("too large")

    monkeypatch.setattr("verify.certify.check_certificate", over)
    code, (result,), err = results_of(capsys, GOOD, "--second-opinion")
    assert (code, result["verdict"], err) == (2, "MALFORMED", "")
    assert result["second_opinion"]["verdict"] == "ACCEPTED"
    assert result["disagreement"] is False


def test_help_has_an_example(capsys):
    assert run(["check", "--help"]) == 0
    out = " ".join(capsys.readouterr().out.split())
    assert "exactdp check --second-opinion --solver z3 letters.certificate.json" in out
