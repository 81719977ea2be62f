"""A folder of certificates appears whole or not at all, with nothing left of an earlier one."""

import json
import random
import signal
import subprocess
import sys
import time
from dataclasses import replace
from pathlib import Path

import pytest

from verify.certify import certify_channel, check, write_certificates
from verify.cli import run
from verify.commands.output import NOT_WRITTEN
from verify.commands.supported_certificate import write_supported
from verify.kernel.errors import InputError
from verify.output_file import write_atomically
from verify.output_folder import (
    _exchange,
    held_folder,
    remove_earlier_folder,
    require_folder_place,
    write_folder_atomically,
)
from verify.temporary_name import MOVED_ASIDE, remove_leftovers

CERTIFICATE = certify_channel([["3/4", "1/4"], ["1/4", "3/4"]], 3).certificate
OLD_CONTENT, NEW_CONTENT = (
    b'{"format": "exactdp-certificate"} ' + word for word in (b"old", b"new")
)
OLD = {"0000.json": OLD_CONTENT, "0001.json": OLD_CONTENT, "0002.json": OLD_CONTENT}
NEW = {"0000.json": NEW_CONTENT, "0000-0001.json": NEW_CONTENT}


def content(folder):
    return {entry.name: entry.read_bytes() for entry in folder.iterdir()}


@pytest.mark.parametrize("before", ["nothing", "empty", "earlier", "link"])
def test_nothing_stale_is_left(tmp_path, before):
    place = target = tmp_path / "out.cover"
    if before == "empty":
        place.mkdir()
    elif before != "nothing":
        target = tmp_path / "elsewhere" if before == "link" else place
        write_folder_atomically(target, OLD)
        if before == "link":
            place.symlink_to(target)
    write_folder_atomically(place, NEW)
    assert content(target) == NEW
    assert sorted(e.name for e in tmp_path.iterdir()) == sorted({target.name, place.name})


def test_without_an_exchange_the_names_are_moved_twice(tmp_path, monkeypatch):
    monkeypatch.setattr("verify.output_folder._exchange", lambda first, second: False)
    place = tmp_path / "out"
    for files in (OLD, NEW, OLD):
        write_folder_atomically(place, files)
        assert content(place) == files
        assert [e.name for e in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("failing", ["os.fsync", "os.fdopen", "pathlib.Path.rename"])
@pytest.mark.parametrize("exchange", [True, False])
def test_a_failure_changes_nothing(tmp_path, monkeypatch, failing, exchange):
    place = tmp_path / "out"
    write_folder_atomically(place, OLD)
    if not exchange:
        monkeypatch.setattr("verify.output_folder._exchange", lambda first, second: False)
    elif failing.endswith("rename"):
        monkeypatch.setattr("verify.output_folder._take_place", lambda *_: place.rename("/x"))

    def refuse(*_, **__):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(failing, refuse)
    with pytest.raises(InputError, match="No space left"):
        write_folder_atomically(place, NEW)
    assert content(place) == OLD
    assert [e.name for e in tmp_path.iterdir()] == ["out"]


def test_a_failure_of_the_second_move_is_taken_back(tmp_path, monkeypatch):
    place = tmp_path / "out"
    write_folder_atomically(place, OLD)
    monkeypatch.setattr("verify.output_folder._exchange", lambda first, second: False)
    moves, rename = [], type(place).rename

    def second_fails(self, target):
        moves.append(target)
        if len(moves) == 2:
            raise OSError(5, "Input/output error")
        return rename(self, target)

    monkeypatch.setattr("pathlib.Path.rename", second_fails)
    with pytest.raises(InputError, match="Input/output error"):
        write_folder_atomically(place, NEW)
    assert len(moves) == 3
    assert content(place) == OLD
    assert [e.name for e in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("ended", [KeyboardInterrupt, OSError])
def test_whatever_ends_the_second_move_the_old_folder_comes_back(tmp_path, monkeypatch, ended):
    """Even if it cannot be put back at once: then by the next program that writes there."""
    place = tmp_path / "out"
    write_folder_atomically(place, OLD)
    rename = type(place).rename

    def first_alone(self, target):
        if Path(target) == place:
            raise ended
        return rename(self, target)

    with monkeypatch.context() as patched:
        patched.setattr("verify.output_folder._exchange", lambda first, second: False)
        patched.setattr("pathlib.Path.rename", first_alone)
        with pytest.raises((KeyboardInterrupt, InputError)):
            write_folder_atomically(place, NEW)
    if ended is OSError:
        assert not place.exists()
        write_atomically(tmp_path / "another", b"")
        (tmp_path / "another").unlink()
    else:
        remove_leftovers(tmp_path)
    assert content(place) == OLD
    assert [e.name for e in tmp_path.iterdir()] == ["out"]


def test_what_has_been_replaced_does_not_come_back(tmp_path):
    aside = tmp_path / ".exactdp-00.tmp" / MOVED_ASIDE
    write_folder_atomically(tmp_path / "out", NEW)
    aside.mkdir(parents=True)
    write_folder_atomically(aside / "out", OLD)
    remove_leftovers(tmp_path)
    assert content(tmp_path / "out") == NEW
    assert [e.name for e in tmp_path.iterdir()] == ["out"]


@pytest.mark.parametrize("locks", ["none", "refused"])
def test_without_locks_it_comes_back_too(tmp_path, monkeypatch, locks):
    aside = tmp_path / ".exactdp-00.tmp" / MOVED_ASIDE
    aside.mkdir(parents=True)
    write_folder_atomically(aside / "out", OLD)
    if locks == "none":
        monkeypatch.setattr("verify.temporary_name.fcntl", None)
    else:
        monkeypatch.setattr("verify.temporary_name.try_lock", lambda descriptor: None)
    remove_leftovers(tmp_path)
    assert content(tmp_path / "out") == OLD


@pytest.mark.parametrize(
    "name", ["notes.txt", "a.json", "2025.json", "0000.json.bak", "0000.json/"]
)
def test_a_folder_with_anything_else_is_refused_and_kept(tmp_path, name):
    place = tmp_path / "out"
    place.mkdir()
    (place / "0001.json").write_bytes(OLD_CONTENT)
    if name.endswith("/"):
        (place / name).mkdir()
    else:
        (place / name).write_bytes(b"mine")
    before = sorted(e.name for e in place.iterdir())
    for act in (require_folder_place, lambda path: write_folder_atomically(path, NEW)):
        with pytest.raises(InputError, match="no certificate of an earlier run"):
            act(place)
    assert not remove_earlier_folder(place)
    assert sorted(e.name for e in place.iterdir()) == before


def test_places_that_are_refused(tmp_path):
    file = tmp_path / "file"
    file.write_bytes(b"mine")
    for path in (file, tmp_path / "missing" / "out"):
        with pytest.raises(InputError):
            write_folder_atomically(path, NEW)
    assert not remove_earlier_folder(tmp_path / "nothing")
    assert file.read_bytes() == b"mine"


def test_one_refused_certificate_keeps_the_folder(tmp_path):
    place = tmp_path / "out"
    assert list(write_certificates({"0001.json": CERTIFICATE}, place)) == ["0001.json"]
    false = replace(CERTIFICATE, claim={**CERTIFICATE.claim, "exp_epsilon": "2"})
    with pytest.raises(InputError, match=r"0002\.json is not accepted"):
        write_certificates({"0001.json": CERTIFICATE, "0002.json": false}, place)
    assert [e.name for e in place.iterdir()] == ["0001.json"]
    assert check(place / "0001.json").is_accepted


WRITER = """
import sys
from verify.output_folder import write_folder_atomically
mark = b'"exactdp-certificate"'
texts = [mark + bytes([65 + n]) * 2000 for n in range(2)]
files = [{f"{i:04}.json": texts[n] for i in range(8 * n + 4)} for n in range(2)]
write_folder_atomically(sys.argv[1], files[0])
print("ready", flush=True)
while True:
    for content in files:
        write_folder_atomically(sys.argv[1], content)
"""


def test_two_names_are_exchanged_in_one_step(tmp_path):
    first, second = tmp_path / "a", tmp_path / "b"
    first.mkdir()
    (first / "inside").write_bytes(b"first")
    second.mkdir()
    if _exchange(first, second):
        assert content(second) == {"inside": b"first"}
        assert not content(first)
    else:
        assert content(first) == {"inside": b"first"}
    assert not _exchange(tmp_path / "missing", second)


def test_a_kill_leaves_one_whole_folder(tmp_path):
    sides = tmp_path / "a", tmp_path / "b"
    for side in sides:
        side.mkdir()
    if not _exchange(*sides):
        pytest.skip("this file system exchanges no names")
    rng, place = random.Random(3), tmp_path / "out"
    for _ in range(12):
        with subprocess.Popen(
            [sys.executable, "-c", WRITER, str(place)], stdout=subprocess.PIPE
        ) as writer:
            writer.stdout.readline()
            time.sleep(rng.uniform(0, 0.05))
            writer.send_signal(signal.SIGKILL)
        found = content(place)
        assert len(found) in {4, 12}
        letter = b"A" if len(found) == 4 else b"B"
        assert set(found.values()) == {b'"exactdp-certificate"' + letter * 2000}


PAIR = '{"p0": ["1/2", "1/3", "1/6"], "p1": ["1/6", "1/3", "1/2"]}'


def covers(place):
    return sorted(place.parent.glob(f"{place.name}*.cover"))


def test_the_cover_of_an_earlier_run_is_replaced(tmp_path, capsys):
    pair, out = tmp_path / "pair.json", tmp_path / "out.json"
    pair.write_text(PAIR)
    write_folder_atomically(tmp_path / "out.json.cover", OLD)  # the name of earlier versions
    other = tmp_path / "out.json.x.cover"
    write_folder_atomically(other, OLD)
    words = ["certify", "testing", str(pair), "--json", "--certificate", str(out)]
    for level, name in (("8", "chernoff"), ("1/10", "chernoff"), ("1", "kl")):
        assert run([*words, "--epsilon", level, "--divergence", name]) == 0
        printed = json.loads(capsys.readouterr().out)
        named, folders = printed["supporting_certificates"], covers(out)
        assert sorted(str(file) for cover in folders for file in cover.iterdir()) == sorted(
            named + [str(other / file) for file in OLD]
        )
        assert bool(named) == (name == "chernoff")
        if named:
            assert Path(named[0]).parent.name == f"out.json.{printed['sha256'][:16]}.cover"
    (tmp_path / "out.json.cover").mkdir()
    (tmp_path / "out.json.cover" / "mine.txt").write_text("mine")
    assert run([*words, "--epsilon", "1", "--divergence", "kl"]) == 0
    assert (tmp_path / "out.json.cover" / "mine.txt").read_text() == "mine"


def test_a_certificate_that_cannot_be_written_leaves_no_cover(tmp_path, monkeypatch):
    place = tmp_path / "out.json"
    write_supported(CERTIFICATE, [CERTIFICATE], place)
    before = place.read_bytes(), covers(place)
    other = certify_channel([["2/3", "1/3"], ["1/3", "2/3"]], 3).certificate
    false = replace(other, claim={**other.claim, "exp_epsilon": "3/2"})
    assert write_supported(false, [other], place) == (NOT_WRITTEN, [])
    assert (place.read_bytes(), covers(place)) == before

    def refuse(*_, **__):
        raise InputError("No space left on device")

    monkeypatch.setattr("verify.certify.write_atomically", refuse)
    for certificate in (other, CERTIFICATE):  # the second one has its cover already
        with pytest.raises(InputError, match="No space left"):
            write_supported(certificate, [CERTIFICATE], place)
        assert (place.read_bytes(), covers(place)) == before


def test_a_cover_that_is_still_in_use_stays(tmp_path):
    """Another program has written the folder, and not yet the certificate that it belongs to."""
    place, cover = tmp_path / "out.json", tmp_path / "out.json.0123456789abcdef.cover"
    with held_folder(cover, OLD):
        write_supported(CERTIFICATE, [CERTIFICATE], place)
        assert content(cover) == OLD
    write_supported(CERTIFICATE, [CERTIFICATE], place)
    assert not cover.exists()
    assert len(covers(place)) == 1


@pytest.mark.parametrize("name", ["kl", "chernoff"])
def test_the_certificates_of_a_curve(tmp_path, capsys, name):
    pair, folder = tmp_path / "pair.json", tmp_path / "points"
    pair.write_text(PAIR)
    words = ["trace", "outputs", str(pair), "--exp-epsilon", "50", "--divergence", name]
    assert run([*words, "--certificates", str(folder), "--json"]) == 0
    points = json.loads(capsys.readouterr().out)["points"]
    named = {file for point in points for file in point["certificates"]}
    assert named == set(map(str, folder.iterdir()))
    for point in points:
        claims = [json.loads(Path(file).read_text())["claim"] for file in point["certificates"]]
        assert all(claim["outputs"] in {None, point["outputs"]} for claim in claims)
        if name == "kl":
            (claim,) = claims
            assert claim["lower"] == point["value"]["lower"]
            assert claim["upper"] == point["value"]["upper"]
    assert run(["check", *sorted(named)]) == 0
    capsys.readouterr()
    assert run([*words, "--certificates", str(pair)]) == 2


@pytest.mark.parametrize("command", ["trace outputs", "certify testing"])
def test_what_is_replaced_is_announced(tmp_path, capsys, command):
    pair, place = tmp_path / "pair.json", tmp_path / "out"
    pair.write_text(PAIR)
    option = "--certificates" if command == "trace outputs" else "--certificate"
    words = [*command.split(), str(pair), option, str(place), "--divergence", "chernoff", "--json"]
    for level, is_other in (("2", False), ("2", False), ("3", True), ("2", True)):
        folder = place if command == "trace outputs" else next(iter(covers(place)), None)
        before = len(list(folder.iterdir())) if folder is not None and folder.exists() else 0
        assert run([*words, "--exp-epsilon", level]) == 0
        err = capsys.readouterr().err
        if command == "trace outputs":
            said = f"{before} certificates of an earlier run in {folder} were replaced"
        else:
            said = f"the certificates of an earlier run in {folder} were removed"
            assert len(covers(place)) == 1
        assert (said in err) == is_other


def test_a_folder_that_appears_in_the_meantime_is_exchanged(tmp_path, monkeypatch):
    place = tmp_path / "out"
    write_folder_atomically(place, OLD)
    monkeypatch.setattr(Path, "exists", lambda _: False)  # what the slower of two writers saw
    write_folder_atomically(place, NEW)
    assert content(place) == NEW
    assert [entry.name for entry in tmp_path.iterdir()] == ["out"]
