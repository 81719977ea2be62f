"""A file appears whole or not at all, and a certificate only when the kernel has accepted it."""

import json
import os
import stat
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from verify.canonical_form import encode
from verify.certify import certify_channel, check, write_certificate
from verify.cli import run
from verify.kernel.certificate import Certificate, decode
from verify.kernel.errors import CertificateError, InputError
from verify.kernel.verdict import Status
from verify.output_file import require_writable, write_atomically

CERTIFICATE = certify_channel([["3/4", "1/4"], ["1/4", "3/4"]], 3).certificate
FALSE = certify_channel([["3/4", "1/4"], ["1/4", "3/4"]], 2).certificate


def names(folder: Path) -> list[str]:
    return sorted(entry.name for entry in folder.iterdir())


def test_what_is_written_is_what_was_checked(tmp_path) -> None:
    path = tmp_path / "out.json"
    assert write_certificate(CERTIFICATE, path).is_accepted
    assert path.read_bytes() == encode(CERTIFICATE)
    assert check(path).is_accepted
    assert names(tmp_path) == ["out.json"]
    assert stat.S_IMODE(path.stat().st_mode) == 0o666 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


@pytest.mark.parametrize("old", [None, b"old"])
def test_a_false_or_malformed_certificate_is_not_written(tmp_path, old) -> None:
    path = tmp_path / "out.json"
    if old is not None:
        path.write_bytes(old)
    assert write_certificate(FALSE, path).status is Status.REJECTED
    with pytest.raises(CertificateError):
        write_certificate(replace(CERTIFICATE, kind="nothing"), path)
    _unchanged(tmp_path, path, old)


def _unchanged(folder: Path, path: Path, old: bytes | None) -> None:
    assert names(folder) == ([] if old is None else [path.name])
    assert old is None or path.read_bytes() == old


@pytest.mark.parametrize("old", [None, b"old"])
@pytest.mark.parametrize("failing", ["os.fsync", "pathlib.Path.replace", "os.open", "os.fdopen"])
def test_a_failing_disk_changes_nothing(tmp_path, monkeypatch, failing, old) -> None:
    path = tmp_path / "out.json"
    if old is not None:
        path.write_bytes(old)

    def fail(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr(failing, fail)
        with pytest.raises(InputError, match=r"out\.json: cannot be written \(No space left"):
            write_certificate(CERTIFICATE, path)
    _unchanged(tmp_path, path, old)


def test_an_interrupt_while_writing_changes_nothing(tmp_path, monkeypatch) -> None:
    def interrupt(_: int) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("os.fsync", interrupt)
    with pytest.raises(KeyboardInterrupt):
        write_atomically(tmp_path / "out", b"new")
    assert names(tmp_path) == []


def test_places_that_cannot_be_written(tmp_path, monkeypatch) -> None:
    with pytest.raises(InputError, match="is a directory"):
        require_writable(tmp_path)
    with pytest.raises(InputError, match="does not exist"):
        require_writable(tmp_path / "no" / "out")
    with pytest.raises(InputError, match="not a regular file"):
        require_writable("/dev/null")
    monkeypatch.setattr("os.access", lambda *_: False)  # root may write anywhere
    with pytest.raises(InputError, match="not writable"):
        require_writable(tmp_path / "out")


def test_a_link_keeps_pointing_to_its_file(tmp_path) -> None:
    (tmp_path / "file").write_bytes(b"old")
    (tmp_path / "link").symlink_to(tmp_path / "file")
    write_atomically(tmp_path / "link", b"new")
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "file").read_bytes() == b"new"


def test_check_takes_every_form_of_a_certificate(tmp_path) -> None:
    text = encode(CERTIFICATE)
    (tmp_path / "c.json").write_bytes(text)
    forms = [CERTIFICATE, text, text.decode(), json.loads(text), tmp_path / "c.json"]
    assert all(check(form).is_accepted for form in forms)
    assert isinstance(decode(text), Certificate)


@pytest.mark.parametrize(
    "form", ["", "{}", b"[]", {}, {"a": 0.5}, {"a": float("nan")}, {"a": object()}, "c.json"]
)
def test_check_refuses_what_is_no_certificate(form) -> None:
    with pytest.raises(CertificateError) as error:
        check(form)
    assert "\n" not in str(error.value)


def test_check_of_a_missing_file(tmp_path) -> None:
    with pytest.raises(InputError, match="does not exist"):
        check(tmp_path / "none.json")


def test_a_dash_is_no_file() -> None:
    with pytest.raises(InputError, match="name a file"):
        require_writable("-")


def test_an_output_never_replaces_the_input(tmp_path) -> None:
    path = tmp_path / "channel.json"
    path.write_text('{"rows": [["1/2", "1/2"]]}')
    link = tmp_path / "link.json"
    link.symlink_to(path)
    for output in (path, link, tmp_path / "." / "channel.json"):
        words = ["certify", "channel", str(path), "--epsilon", "1", "--certificate", str(output)]
        assert run(words) == 2
        assert json.loads(path.read_text()) == {"rows": [["1/2", "1/2"]]}


def test_closed_streams_change_no_exit_code(tmp_path) -> None:
    path = tmp_path / "channel.csv"
    path.write_text("1/2,1/2\n")
    program = f"'{sys.executable}' -m verify certify channel"
    for words, code in (
        (f"'{path}' --epsilon 1 >&-", 0),
        (f"'{path}' --epsilon 1 2>&-", 0),
        (f"'{path}' --epsilon x 2>&-", 2),
        (f"'{path}' --epsilon x 2>/dev/full", 2),
        ("- --epsilon 1 <&-", 2),
    ):
        done = subprocess.run(
            f"{program} {words}", shell=True, capture_output=True, check=False, timeout=60
        )
        assert done.returncode == code, (words, done.stderr)
        assert b"Traceback" not in done.stderr


PLACES = [
    ["certify", "channel", "c.json", "--exp-epsilon", "3"],
    ["certify", "testing", "pair.json", "--exp-epsilon", "3", "--divergence", "tv"],
    ["certify", "estimation", "--alphabet-size", "4", "--exp-epsilon", "3"],
    ["certify", "leakage", "--inputs", "3", "--c", "1/10", "--exp-epsilon", "3"],
    ["certify", "thresholding", "steps.json"],
    ["certify", "design", "design.json"],
    ["construct", "design", "7", "3", "1"],
]


@pytest.mark.parametrize("words", PLACES, ids=lambda words: " ".join(words[:2]))
def test_a_certificate_replaces_nothing_else_unasked(tmp_path, monkeypatch, capsys, words):
    monkeypatch.chdir(tmp_path)
    step = '{"epsilon_t": "1/10", "p_star": "1/2"}'
    for name, text in {
        "c.json": '{"rows": [["3/4", "1/4"], ["1/4", "3/4"]]}',
        "pair.json": '{"p0": ["3/4", "1/4"], "p1": ["1/4", "3/4"]}',
        "design.json": '{"group": [7], "base_blocks": [[0, 1, 3]]}',
        "steps.json": '{"epsilon": "1", "beta": "1/10", "theta": "1", "gamma": "2", '
        f'"horizon": 3, "steps": {step}}}',
    }.items():
        Path(name).write_text(text)
    Path("notes.txt").write_text("kept")
    Path("empty").touch()
    assert run([*words, "--quiet", "--certificate", "notes.txt"]) == 2
    assert "notes.txt: is no certificate that could be replaced" in capsys.readouterr().err
    assert Path("notes.txt").read_text() == "kept"
    for place in ("new", "empty", "new"):
        assert run([*words, "--quiet", "--certificate", place]) == 0
        assert b"exactdp-certificate" in Path(place).read_bytes()


TRACES = [
    ["trace", "outputs", "p.csv", "--epsilon", "1", "--divergence", "tv", "--csv", "p.csv"],
    ["trace", "epsilon", "p.csv", "--divergence", "tv", "--csv", "./p.csv"],
    ["trace", "joint-range", "p.csv", "--epsilon", "1", "--csv", "p.csv"],
    ["trace", "samples", "p.csv", "--epsilon", "1", "--error", "1/5", "--csv", "p.csv"],
    ["trace", "outputs", "p.svg", "--epsilon", "1", "--divergence", "tv", "--plot", "p.svg"],
    ["certify", "testing", "p.svg", "--epsilon", "1", "--divergence", "tv", "--plot", "p.svg"],
    ["construct", "design", "7", "3", "1", "--out", "key.pem"],
    ["construct", "design", "7", "3", "1", "--out", "x.json", "--certificate", "./x.json"],
    ["construct", "design", "7", "3", "1", "--no-build", "--out", "x.json"],
    ["trace", "samples", "p.csv", "--epsilon", "1", "--error", "1/5", "--csv", "key.pem"],
    ["trace", "samples", "p.csv", "--epsilon", "1", "--error", "1/5", "--curve-samples", "3"],
]


@pytest.mark.parametrize("words", TRACES, ids=" ".join)
def test_no_output_replaces_an_input_a_key_or_another_output(
    tmp_path, monkeypatch, capsys, words
) -> None:
    monkeypatch.chdir(tmp_path)
    files = dict.fromkeys(("p.csv", "p.svg"), "symbol,p0,p1\na,1/4,2/3\nb,3/4,1/3\n")
    files["key.pem"] = "-----BEGIN ENCRYPTED PRIVATE KEY-----\nMC4=\n"
    for name, text in files.items():
        Path(name).write_text(text)
    assert run(words) == 2
    out, err = capsys.readouterr()
    assert out == ""
    assert err.count("\n") == 1
    assert {entry.name: entry.read_text() for entry in tmp_path.iterdir()} == files
