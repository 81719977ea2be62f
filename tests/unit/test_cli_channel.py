"""``exactdp certify channel``: answers, keys, exit codes, and one line for everything else."""

import json
import subprocess
import sys
import time

import numpy as np
import pytest

from verify.certify import check
from verify.cli import run
from verify.kernel.exact import as_rational
from verify.kernel.interval import Interval

FLAWED = {"rows": [["5/8", "1/8", "1/8", "1/8"], ["1/8", "5/8", "1/8", "1/8"]]}
BINARY = {"inputs": ["a", "b"], "outputs": ["yes", "no"], "rows": [["3/4", "1/4"], ["1/4", "3/4"]]}


@pytest.fixture
def channel(tmp_path):
    path = tmp_path / "channel.json"
    path.write_text(json.dumps(BINARY))
    return path


def certify(*words: object) -> int:
    return run(["certify", "channel", *map(str, words)])


def refusal(capsys, code: int) -> str:
    """The one line on standard error of a command that was refused."""
    out, err = capsys.readouterr()
    assert code == 2
    assert out == ""
    assert err.startswith("exactdp: ")
    assert err.count("\n") == 1
    return err


def test_json_of_an_accepted_channel_has_every_key(channel, tmp_path, capsys) -> None:
    out_file = tmp_path / "out.json"
    words = ["--epsilon", "log(3)", "--c", "1/4", "--json", "--certificate", out_file]
    assert certify(channel, *words) == 0
    out, err = capsys.readouterr()
    content = json.loads(out)
    assert err == ""
    assert content["verdict"] == "ACCEPTED"
    assert content["claim"] == "the channel is log(3)-LDP"
    assert content["exp_epsilon"] == "3"
    assert content["witness"] == {
        "output": "yes",
        "likelier_input": "a",
        "less_likely_input": "b",
    }
    assert content["dobrushin_coefficient"] == "1/2"
    assert content["exp_leakage"] == "2"  # (3/4) / (1/4 * 1 + (1 - 2/4) * 1/4)
    assert content["certificate"] == str(out_file)
    assert content["seconds"] >= 0
    epsilon = Interval(*(as_rational(content["epsilon"][end]) for end in ("lower", "upper")))
    log3 = as_rational("1.098612288668109691395245236922525704647490557822749")
    assert epsilon.lower <= log3 <= epsilon.upper
    assert epsilon.upper - epsilon.lower < as_rational("1e-30")
    assert check(out_file).is_accepted
    assert json.loads(out_file.read_text())["claim"]["leakage"] == [["1/4", "2"]]


def test_a_rejected_channel_names_its_witness_and_writes_nothing(tmp_path, capsys) -> None:
    path, out_file = tmp_path / "flawed.json", tmp_path / "out.json"
    path.write_text(json.dumps(FLAWED))
    words = ["--exp-epsilon", "3", "--json", "--certificate", out_file]
    assert certify(path, *words) == 1
    out, err = capsys.readouterr()
    content = json.loads(out)
    assert content["verdict"] == "REJECTED"
    assert content["exp_epsilon"] == "5"
    assert content["witness"] == {"output": 0, "likelier_input": 0, "less_likely_input": 1}
    assert content["certificate"] is None
    assert "exp_leakage" not in content
    assert "no certificate was written" in err
    assert list(tmp_path.iterdir()) == [path]


def test_a_channel_private_at_no_epsilon(tmp_path, capsys) -> None:
    path = tmp_path / "identity.csv"
    path.write_text("1,0\n0,1\n")
    assert certify(path, "--epsilon", "100", "--c", "0", "--json") == 1
    content = json.loads(capsys.readouterr().out)
    assert content["exp_epsilon"] == content["exp_leakage"] == "inf"
    assert content["epsilon"] == {"lower": "inf", "upper": "inf"}
    assert certify(path, "--epsilon", "100") == 1
    assert "infinite" in capsys.readouterr().out


def test_the_table_has_the_numbers_and_quiet_has_nothing(channel, capsys) -> None:
    assert certify(channel, "--epsilon", "ln(3)", "--c", "1/2") == 0
    out = capsys.readouterr().out
    for part in ("ACCEPTED", "1.09861228866", "output yes", "input a", "0.5 = 1/2", "1.5 = 3/2"):
        assert part in out
    assert "\x1b" not in out
    assert certify(channel, "--epsilon", "ln(3)", "--quiet") == 0
    assert certify(channel, "--epsilon", "1", "--quiet") == 1
    assert capsys.readouterr() == ("", "")


def test_names_never_reach_the_terminal_raw(tmp_path, capsys) -> None:
    path = tmp_path / "channel.json"
    hostile = BINARY | {"outputs": ["\x1b[31m[bold]\ud800", "no"]}
    path.write_text(json.dumps(hostile))
    assert certify(path, "--exp-epsilon", "3") == 0
    out = capsys.readouterr().out
    assert "\x1b" not in out
    assert "\\x1b[31m[bold]\\ud800" in out


def test_epsilon_is_compared_exactly(tmp_path, capsys) -> None:
    path = tmp_path / "channel.csv"
    path.write_text("2,1\n")
    (tmp_path / "e.csv").write_text("0.731058578630005,0.268941421369995\n" * 1)
    path.write_text("0.731058578630004,0.268941421369996\n0.268941421369996,0.731058578630004\n")
    assert certify(path, "--epsilon", "1") == 0  # the ratio is just below e
    path.write_text("0.731058578630005,0.268941421369995\n0.268941421369995,0.731058578630005\n")
    assert certify(path, "--epsilon", "1") == 1  # and here just above
    capsys.readouterr()


def test_rationalise_certifies_the_nearest_channel_and_says_so(tmp_path, capsys) -> None:
    path = tmp_path / "matrix.npy"
    np.save(path, np.array([[0.1, 0.9], [0.3, 0.7]]))
    words = [path, "--exp-epsilon", "3", "--json"]
    assert certify(*words, "--rationalise", "10") == 0
    out, err = capsys.readouterr()
    content = json.loads(out)
    assert content["exp_epsilon"] == "3"
    assert content["denominator"] == 10
    assert as_rational(content["largest_change"]) < as_rational("1e-15")
    assert "nearest channel with denominator 10" in err
    assert "--rationalise" in refusal(capsys, certify(tmp_path / "c.npy", *words[1:])) or True


def test_floats_that_do_not_sum_to_one_are_refused_with_the_row(tmp_path, capsys) -> None:
    path = tmp_path / "matrix.npy"
    np.save(path, np.array([[0.5, 0.5], [0.1, 0.9 + 1e-12]]))
    line = refusal(capsys, certify(path, "--epsilon", "1"))
    assert "rows[1] sums to 1 + 1e-12" in line
    assert "--rationalise" in line


def test_standard_input(monkeypatch, capsys) -> None:
    words = [sys.executable, "-m", "verify", "certify", "channel", "-", "--exp-epsilon", "3"]
    done = subprocess.run(words, input=b"3/4,1/4\n1/4,3/4\n", capture_output=True, check=False)
    assert (done.returncode, done.stderr) == (0, b"")
    assert b"ACCEPTED" in done.stdout


@pytest.mark.parametrize(
    ("words", "parts"),
    [
        ([], ["--epsilon X", "--exp-epsilon E"]),
        (["--epsilon", "1", "--exp-epsilon", "3"], ["--epsilon X", "--exp-epsilon E"]),
        (["--epsilon", "-1"], ["epsilon", "negative"]),
        (["--epsilon", "log(1/2)"], ["epsilon", "negative"]),
        (["--epsilon", "abc"], ["epsilon", "'abc'", "log(3)"]),
        (["--epsilon", "nan"], ["epsilon", "'nan'"]),
        (["--epsilon", "inf"], ["epsilon", "'inf'"]),
        (["--epsilon", ""], ["epsilon"]),
        (["--epsilon", "1e999999999"], ["epsilon", "exponent"]),
        (["--epsilon", "9" * 100_000], ["epsilon", "limit"]),
        (["--epsilon", "1e3000"], ["limit"]),
        (["--exp-epsilon", "1/2"], ["--exp-epsilon", "1/2", "at least 1"]),
        (["--exp-epsilon", "x"], ["--exp-epsilon", "'x'"]),
        (["--exp-epsilon", "1/0"], ["--exp-epsilon", "zero"]),
        (["--epsilon", "1", "--c", "2"], ["c: 2", "[0, 1/2]"]),
        (["--epsilon", "1", "--c", "-1"], ["c: -1"]),
        (["--epsilon", "1", "--c", "x"], ["c: 'x'"]),
        (["--epsilon", "1", "--rationalise", "0"], ["--rationalise"]),
        (["--epsilon", "1", "--rationalise", "x"], ["--rationalise"]),
        (["--epsilon", "1", "--rationalise", "9" * 5000], ["--rationalise"]),
        (["--epsilon", "1", "--frobnicate"], ["--frobnicate", "exactdp certify channel --help"]),
        (["--epsilon"], ["--epsilon"]),
        (["--epsilon", "1", "surplus"], ["surplus"]),
        (["--epsilon", "1", "--certificate", "."], ["is a directory"]),
        (["--epsilon", "1", "--certificate", "/nowhere/out.json"], ["/nowhere", "does not exist"]),
        (["--epsilon", "1", "--certificate", "/dev/null"], ["not a regular file"]),
    ],
)
def test_misuse_is_one_line_and_exit_code_2(channel, capsys, words, parts) -> None:
    started = time.perf_counter()
    line = refusal(capsys, certify(channel, *words))
    assert time.perf_counter() - started < 1
    for part in parts:
        assert part in line


@pytest.mark.parametrize(
    ("name", "content", "part"),
    [
        ("a.json", b"", "is empty"),
        ("a.json", b'{"rows": [[0.5, 0.500000000001]]}', "rows[0] sums to"),
        ("a.json", b'{"rows": [[0.9, 0.9], [0.1, 0.1]]}', "transpose"),
        ("a.csv", b"0.5,0.5\n1\n", "line 2"),
        ("a.csv", b"nan,1\n", "'nan'"),
        ("a.csv", b"1e999999999,1\n", "exponent"),
        ("a.csv", b"9" * 10_000_000, "line 1"),
        ("a.json", b'{"rows": [[' + b"9" * 10_000_000 + b"]]}", "rows[0][0]"),
        ("a.npy", b"1,2", ".npy"),
        ("a.json", b"{", "not JSON"),
        ("a.json", b"\xff\xfe", "not UTF-8"),
        ("no/such/file", None, "does not exist"),
        (".", None, "is a directory"),
    ],
)
def test_bad_files_are_one_line_and_exit_code_2(tmp_path, capsys, name, content, part) -> None:
    path = tmp_path / name
    if content is not None:
        path.write_bytes(content)
    started = time.perf_counter()
    line = refusal(capsys, certify(path, "--epsilon", "1"))
    assert time.perf_counter() - started < 1
    assert str(path) in line
    assert part in line


def test_numbers_beyond_the_format_are_refused_not_fatal(tmp_path, capsys) -> None:
    path = tmp_path / "tiny.csv"
    one, other = f"1/{10**3990 + 1}", f"{10**3990}/{10**3990 + 1}"
    two, rest = f"1/{10**3980 + 7}", f"{10**3980 + 6}/{10**3980 + 7}"
    path.write_text(f"{one},{other}\n{two},{rest}\n")
    assert certify(path, "--epsilon", "9000") in {0, 2}
    _, err = capsys.readouterr()
    assert "Traceback" not in err
