"""``exactdp check`` and what holds for every command: help, version, streams, defects."""

import fcntl
import json
import os
import shlex
import shutil
import signal
import subprocess
import sys
import termios
import time
from pathlib import Path

import pytest
from typer.main import get_command

from verify.canonical_form import encode
from verify.certify import certify_channel
from verify.cli import app, run
from verify.kernel.verdict import Status, Verdict

ROOT = Path(__file__).parents[2]
PROGRAM = [sys.executable, "-m", "verify"]
ROWS = [["3/4", "1/4"], ["1/4", "3/4"]]


@pytest.fixture
def files(tmp_path):
    """An accepted, a rejected and a malformed certificate."""
    content = {
        "good.json": encode(certify_channel(ROWS, 3).certificate),
        "false.json": encode(certify_channel(ROWS, 2).certificate),
        "bad.json": b'{"format": "exactdp-certificate"}',
    }
    for name, text in content.items():
        (tmp_path / name).write_bytes(text)
    return tmp_path


@pytest.mark.parametrize(
    ("names", "code"),
    [
        (["good.json"], 0),
        (["good.json", "good.json"], 0),
        (["good.json", "false.json"], 1),
        (["bad.json"], 2),
        (["false.json", "bad.json", "good.json"], 2),
        (["good.json", "missing.json"], 2),
        (["."], 2),
    ],
)
def test_exit_code_is_that_of_the_worst_file(files, capsys, names, code) -> None:
    paths = [str(files / name) for name in names]
    assert run(["check", *paths, "--json"]) == code
    out, err = capsys.readouterr()
    results = json.loads(out)["results"]
    assert err == ""
    assert [result["file"] for result in results] == paths
    verdicts = {"good.json": "ACCEPTED", "false.json": "REJECTED"}
    assert [r["verdict"] for r in results] == [verdicts.get(n, "MALFORMED") for n in names]
    assert all(result["reason"] and "\n" not in result["reason"] for result in results)


def test_undecided_is_exit_code_3(files, capsys, monkeypatch) -> None:
    monkeypatch.setattr(
        "verify.certify.check_certificate", lambda _: Verdict(Status.UNDECIDED, "not separated")
    )
    assert run(["check", str(files / "good.json")]) == 3
    assert "UNDECIDED" in capsys.readouterr().out


def test_table_and_quiet(files, capsys) -> None:
    assert run(["check", str(files / "good.json"), str(files / "bad.json")]) == 2
    out = capsys.readouterr().out
    assert "ACCEPTED" in out
    assert "MALFORMED" in out
    assert "lacks the key" in out
    assert run(["check", "--quiet", str(files / "false.json")]) == 1
    assert capsys.readouterr() == ("", "")


@pytest.mark.parametrize(
    "command",
    [[], ["certify"], ["certify", "channel"], ["certify", "testing"], ["check"]],
    ids=" ".join,
)
def test_every_help_has_an_example(capsys, command) -> None:
    assert run([*command, "--help"]) == 0
    out, err = capsys.readouterr()
    assert err == ""
    assert f"Example: exactdp {' '.join(command)}".strip() in out


def leaves(command, words=()):
    """Every command that does something, with its words."""
    for name, inner in getattr(command, "commands", {}).items():
        yield from leaves(inner, (*words, name))
    if not hasattr(command, "commands"):
        yield words, command


@pytest.mark.parametrize(
    ("words", "command"),
    [pytest.param(*one, id=" ".join(one[0])) for one in leaves(get_command(app))],
)
def test_every_command_has_the_options_that_all_have(words, command) -> None:
    options = {name for parameter in command.params for name in parameter.opts}
    assert {"--json", "--quiet"} <= options
    if words[0] == "certify":
        assert "--certificate" in options
    if words[0] == "construct":
        assert {"--out", "--format"} <= options


def test_help_imports_nothing_heavy() -> None:
    code = (
        "import sys; from verify.cli import run; run(['--help']); "
        "heavy = {'numpy', 'flint', 'scipy', 'matplotlib', 'sympy', 'mpmath', 'networkx',"
        " 'hypothesis', 'solvers', 'verify.kernel.interval'}; "
        "sys.exit(bool(heavy & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, check=False)
    assert done.returncode == 0


@pytest.mark.parametrize("words", [["--version"], ["certify", "channel", "--version"]])
def test_version(capsys, words) -> None:
    assert run(words) == 0
    assert capsys.readouterr().out.startswith("exactdp ")


@pytest.mark.parametrize("words", [[], ["certify"]])
def test_a_group_without_a_command_shows_its_help(capsys, words) -> None:
    assert run(words) == 2
    out, err = capsys.readouterr()
    assert "Usage: exactdp" in out + err


@pytest.mark.parametrize(
    "words", [["frobnicate"], ["certify", "frobnicate"], ["--frobnicate"], ["check"]]
)
def test_misuse_is_one_line(capsys, words) -> None:
    assert run(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert "--help" in err


def test_a_defect_is_not_the_answer_rejected(files, capsys, monkeypatch) -> None:
    def fail(_: object) -> None:
        raise ZeroDivisionError("a defect")

    monkeypatch.setattr("verify.certify.check_certificate", fail)
    assert run(["check", str(files / "good.json")]) == 70
    assert "ZeroDivisionError: a defect" in capsys.readouterr().err


def test_messages_stay_short(capsys) -> None:
    assert run(["check", "--" + "x" * 100_000]) == 2
    err = capsys.readouterr().err
    assert err.count("\n") == 1
    assert len(err) < 600


def test_ctrl_c_ends_in_one_line() -> None:
    process = subprocess.Popen(
        [*PROGRAM, "check", "-"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        bufsize=0,
    )
    process.stdin.write(b"{")
    end = time.monotonic() + 20
    while time.monotonic() < end:  # the pipe is empty once the program waits for more
        if fcntl.ioctl(process.stdin, termios.FIONREAD, bytes(4)) == bytes(4):
            break
        time.sleep(0.05)
    time.sleep(0.1)
    process.send_signal(signal.SIGINT)
    process.wait(timeout=20)
    out, err = process.communicate(timeout=20)
    assert (process.returncode, out, err) == (130, b"", b"exactdp: interrupted\n")


@pytest.fixture
def no_waiting(files, monkeypatch):
    """Ends what waits for ever."""

    def give_up(*_):
        raise TimeoutError("waited for a FIFO")

    monkeypatch.chdir(files)
    before = signal.signal(signal.SIGALRM, give_up)
    signal.alarm(20)
    yield
    signal.alarm(0)
    signal.signal(signal.SIGALRM, before)


@pytest.mark.parametrize(
    "words",
    [
        "check good.json --public-key {fifo} --signature good.json",
        "check {fifo}",
        "certify channel {fifo} --exp-epsilon 3",
        "certify channel channel.json --exp-epsilon 3 --certificate {fifo}",
        "keygen key.pem --password-file {fifo}",
        "sign good.json --private-key {fifo}",
        "catalog show 7 3 1 --db {fifo}",
        "verify testing.two-sets-cover --up-to 2 --checkpoint {fifo}",
        "trace outputs laws.json --exp-epsilon 3 --divergence tv --certificates folder",
    ],
)
def test_nothing_waits_for_the_writer_of_a_fifo(files, capsys, no_waiting, words) -> None:
    fifo = files / "folder" / "0001.json"
    fifo.parent.mkdir()
    os.mkfifo(fifo)
    (files / "channel.json").write_text(json.dumps({"rows": ROWS}))
    (files / "laws.json").write_text(json.dumps({"p0": ROWS[0], "p1": ROWS[1]}))
    assert run(words.format(fifo=fifo).split()) == 2
    said = capsys.readouterr()
    assert said.err.count("\n") == (not words.startswith("check {fifo}"))
    assert "0001.json" in said.err + said.out


@pytest.mark.parametrize("is_default", [True, False])
def test_a_signature_is_a_regular_file(files, capsys, no_waiting, is_default) -> None:
    pytest.importorskip("cryptography", reason="signatures come with the extra 'sign'")
    assert run(["keygen", "key.pem", "--quiet"]) == 0
    os.mkfifo("good.json.sig")
    words = [] if is_default else ["--signature", "good.json.sig"]
    assert run(["check", "good.json", "--public-key", "key.pem.pub", *words, "--json"]) == 1
    (result,) = json.loads(capsys.readouterr().out)["results"]
    assert (result["verdict"], result["signature"]) == ("REJECTED", "invalid")
    assert result["reason"].startswith("good.json.sig: is not a regular file")


@pytest.mark.skipif(shutil.which("bash") is None, reason="there is no bash")
@pytest.mark.parametrize(
    "line",
    [
        "{check} <(cat good.json)",
        "{check} /dev/stdin < good.json",
        "cat good.json | {check} /dev/stdin",
    ],
)
def test_open_files_are_read_by_their_names(files, line) -> None:
    done = subprocess.run(
        ["bash", "-c", line.format(check=shlex.join([*PROGRAM, "check", "--quiet"]))],
        cwd=files,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert (done.returncode, done.stdout, done.stderr) == (0, "", "")


def test_a_reader_that_has_gone_is_no_error(files) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    words = [*PROGRAM, "check", *[str(files / "good.json")] * 300]
    done = subprocess.run(words, stdout=writer, stderr=subprocess.PIPE, check=False)
    os.close(writer)
    assert (done.returncode, done.stderr) == (141, b"")


def test_standard_input_holds_a_certificate(files) -> None:
    content = (files / "good.json").read_bytes()
    done = subprocess.run(
        [*PROGRAM, "check", "-", "--json"], input=content, capture_output=True, check=False
    )
    assert done.returncode == 0
    assert json.loads(done.stdout)["results"][0]["file"] == "-"


@pytest.mark.parametrize(
    ("words", "message"),
    [
        (["construct", "design", "-3", "2", "1"], "v = -3, k = 2, lambda = 1: a design needs"),
        (["construct", "design", "--no-build", "7", "3", "-1", "--json"], "lambda = -1"),
        (["construct", "difference-set", "7", "-3", "1", "--out", "-"], "k = -3"),
        (["construct", "hadamard", "-4"], "order -4 is not a positive integer"),
        (["construct", "design", "-1e", "2", "1"], "valid integer"),
        (["construct", "design", "-x", "2", "1"], "No such option: -x"),
        (["catalog", "best", "10", "-1/2"], "epsilon: -1/2 is negative"),
        (["catalog", "best", "-5", "1", "--limit", "3"], "alphabet size: -5"),
        (["certify", "leakage", "--inputs", "4", "--c", "-.1", "--epsilon", "1"], "-1/10"),
        (["certify", "estimation", "--alphabet-size", "-3", "--epsilon", "1"], "size: -3"),
    ],
)
def test_a_negative_number_is_no_unknown_option(
    tmp_path, monkeypatch, capsys, words, message
) -> None:
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert run(words) == 2
    assert message in capsys.readouterr().err
