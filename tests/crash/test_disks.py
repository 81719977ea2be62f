"""Many programs that write one file, disks that are full, and folders that are read-only."""

import json
import os
import shutil
import subprocess
import sys
import threading
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

from combinatorics.catalog import build_catalog
from tests.support.catalogs import comparable_rows
from tests.support.crash_points import at_every_step
from verify.canonical_form import encode
from verify.certify import certify_channel, check, write_certificates

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs processes and mounts")

ROOT = Path(__file__).parents[2]
ROWS = [["3/4", "1/4"], ["1/4", "3/4"]]
LEVELS = range(3, 11)
_WRITER = """
import sys
from verify.cli import run

level, times = sys.argv[1:]
words = ["certify", "channel", "channel.json", "--exp-epsilon", level, "--quiet"]
for _ in range(int(times)):
    code = run([*words, "--certificate", "out.json"])
    if code:
        sys.exit(code)
"""
OLD = b'{"format": "exactdp-certificate"} old'

_FOLDER_WRITER = """
import sys
from verify.certify import certify_channel, write_certificates

level, times = map(int, sys.argv[1:])
rows = [["3/4", "1/4"], ["1/4", "3/4"]]
one = certify_channel(rows, level).certificate
made = {f"{i:04}.json": one for i in range(level - 2)}
for _ in range(times):
    write_certificates(made, "out.cover")
"""


def certificate(level: int) -> bytes:
    return encode(certify_channel(ROWS, level).certificate)


@pytest.fixture
def folder(tmp_path):
    (tmp_path / "channel.json").write_text(json.dumps({"rows": ROWS}))
    (tmp_path / "out.json").write_bytes(OLD)
    return tmp_path


def _started(code: str, folder: Path, level: int, times: int) -> subprocess.Popen[str]:
    return subprocess.Popen(
        [sys.executable, "-c", code, str(level), str(times)],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        stderr=subprocess.PIPE,
        text=True,
    )


def _all_done(processes) -> None:
    for process in processes:
        _, errors = process.communicate(timeout=120)
        assert process.returncode == 0, errors


def _eight_writers(folder: Path, times: int) -> int:
    """Let eight programs write one file again and again; how often it was read meanwhile."""
    possible = {OLD, *map(certificate, LEVELS)}
    seen: list[bytes] = []
    done = threading.Event()

    def read() -> None:
        while not done.is_set():
            seen.append((folder / "out.json").read_bytes())

    reader = threading.Thread(target=read)
    reader.start()
    try:
        _all_done([_started(_WRITER, folder, level, times) for level in LEVELS])
    finally:
        done.set()
        reader.join()
    assert set(seen) <= possible
    assert check(folder / "out.json").is_accepted
    assert sorted(p.name for p in folder.iterdir()) == ["channel.json", "out.json"]
    return len(seen)


def test_eight_writers_of_one_certificate(folder) -> None:
    assert _eight_writers(folder, 10) > 100


@pytest.mark.slow
def test_eight_writers_of_one_certificate_for_longer(folder) -> None:
    assert _eight_writers(folder, 500) > 1000


def test_eight_writers_of_one_folder(tmp_path) -> None:
    """Whoever comes last, all files are of one writer."""
    _all_done([_started(_FOLDER_WRITER, tmp_path, level, 10) for level in LEVELS])
    found = sorted(path.read_bytes() for path in (tmp_path / "out.cover").iterdir())
    assert found in [[certificate(level)] * (level - 2) for level in LEVELS]
    assert [path.name for path in tmp_path.iterdir()] == ["out.cover"]


def test_writers_do_not_remove_what_others_are_writing(tmp_path) -> None:
    from verify.output_file import write_atomically
    from verify.temporary_name import new_temporary, temporary_folder

    left = tmp_path / ".exactdp-0123456789abcdef.tmp"
    left.write_bytes(b"of a killed process")
    (tmp_path / ".exactdp-aa.tmp").mkdir()
    (tmp_path / ".exactdp-aa.tmp" / "file").write_bytes(b"of another")
    (tmp_path / ".exactdp.tmp").write_bytes(b"no temporary of ours")
    busy, descriptor = new_temporary(tmp_path, 0o666)
    with temporary_folder(tmp_path) as inside:
        write_atomically(tmp_path / "out", b"new")
        kept = {".exactdp.tmp", "out", busy.name, inside.name}
        assert {path.name for path in tmp_path.iterdir()} == kept
    os.close(descriptor)
    write_atomically(tmp_path / "out", b"newer")
    assert sorted(path.name for path in tmp_path.iterdir()) == [".exactdp.tmp", "out"]


CHANNEL = ["certify", "channel", "channel.json", "--exp-epsilon", "3", "--certificate", "out.json"]
DESIGN = ["construct", "design", "7", "3", "1", "--out", "out.json"]
CATALOG = ["catalog", "build", "--max-v", "30", "--db", "c.sqlite", "--quiet"]
EXPORT = ["catalog", "export", "--db", "c.sqlite", "--out", "out.json", "--quiet"]
VERIFY = ["verify", "testing.merging-outputs", "--up-to", "2", "--checkpoint", "run.db"]
LINES = ["verify", "testing.merging-outputs", "--up-to", "2", "--lines", "out.json"]


def _made(folder: Path) -> Path:
    folder.mkdir()
    return folder


@pytest.mark.parametrize(
    ("words", "name", "most"),
    [
        (CHANNEL, "out.json", 10),
        (DESIGN, "out.json", 10),
        (LINES, "out.json", 10),
        (CATALOG, "c.sqlite", 20_000),
        (VERIFY, "run.db", 6000),
    ],
)
def test_files_that_may_not_grow(folder, tmp_path_factory, words, name, most) -> None:
    scratch = tmp_path_factory.mktemp("scratch")
    (run,) = at_every_step(folder, scratch, words, most_bytes=most)
    assert run.code == 2, run.errors
    assert run.errors.count("\n") == 1
    assert f"{name}: " in run.errors
    assert (run.folder / "out.json").read_bytes() == OLD
    assert not list(run.folder.glob(".exactdp-*"))
    if name.endswith("json"):
        assert "File too large" in run.errors


@contextmanager
def mounted(place: Path, options: str):
    """A small disk in memory; only root may have one."""
    words = ["mount", "-t", "tmpfs", "-o", options, "tmpfs", str(place)]
    if shutil.which("mount") is None or subprocess.run(words, capture_output=True).returncode:  # noqa: PLW1510
        pytest.skip("no disk can be mounted here")
    try:
        yield place
    finally:
        subprocess.run(["umount", str(place)], check=True)


def _run(folder: Path, words: list[str]) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "verify", *words],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": str(ROOT)},
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


def _fill(place: Path) -> None:
    with (place / "ballast").open("wb", buffering=0) as file, suppress(OSError):
        while True:
            file.write(bytes(4096))


@pytest.mark.parametrize(("words", "name"), [(CHANNEL, "out.json"), (EXPORT, "out.json")])
def test_a_full_disk(folder, tmp_path_factory, words, name) -> None:
    with mounted(tmp_path_factory.mktemp("disk"), "size=400k") as disk:
        build_catalog(disk / "c.sqlite", 7)
        for path in folder.iterdir():
            shutil.copy(path, disk)
        _fill(disk)
        done = _run(disk, words)
        assert (done.returncode, done.stdout) == (2, ""), done.stderr
        assert done.stderr.count("\n") == 1
        assert f"{name}: cannot be written (No space left on device)" in done.stderr
        assert (disk / name).read_bytes() == OLD
        assert not list(disk.glob(".exactdp-*"))
        (disk / "ballast").unlink()
        assert _run(disk, words).returncode == 0
        assert (disk / name).read_bytes() != OLD


def test_a_catalog_on_a_full_disk(tmp_path, tmp_path_factory) -> None:
    """The build stops with one line; with more room it goes on to the same rows."""
    whole = tmp_path / "whole.sqlite"
    build_catalog(whole, 30)
    with mounted(tmp_path_factory.mktemp("disk"), "size=100k") as disk:
        done = _run(disk, CATALOG)
        assert done.returncode == 2, done.stderr
        assert done.stderr.count("\n") == 1
        assert "c.sqlite: the disk is full" in done.stderr
        remount = ["mount", "-o", "remount,size=4m", str(disk)]
        subprocess.run(remount, check=True)
        assert _run(disk, CATALOG).returncode == 0
        assert comparable_rows(disk / "c.sqlite") == comparable_rows(whole)


def test_a_read_only_disk(folder, tmp_path_factory) -> None:
    with mounted(tmp_path_factory.mktemp("disk"), "size=1m") as disk:
        build_catalog(disk / "c.sqlite", 7)
        for path in folder.iterdir():
            shutil.copy(path, disk)
        write_certificates({"0000.json": certify_channel(ROWS, 3).certificate}, disk / "out.cover")
        subprocess.run(["mount", "-o", "remount,ro", str(disk)], check=True)
        commands = (
            CHANNEL,
            DESIGN,
            EXPORT,
            LINES,
            CATALOG,
            VERIFY,
            ["keygen", "out.json", "--force"],
        )
        for words in commands:
            done = _run(disk, words)
            assert (done.returncode, done.stdout) == (2, ""), (words, done.stderr)
            assert done.stderr.count("\n") == 1, (words, done.stderr)
            named = [name for name in ("out.json", "c.sqlite", "run.db") if name in words]
            assert any(f"{name}: " in done.stderr for name in named), (words, done.stderr)
        assert (disk / "out.json").read_bytes() == OLD
        assert _run(disk, ["check", "out.cover/0000.json"]).returncode == 0
