"""The catalog and the checkpoint of ``verify``, killed at each statement, lose what was at hand.

What was recorded stays, a damaged file is never left, and the next run goes on from there.
"""

import os
import shutil
import signal
import sqlite3
import subprocess
import sys
import time
from contextlib import closing
from pathlib import Path

import pytest

from combinatorics.catalog import Catalog, CatalogError, build_catalog
from tests.support.catalogs import comparable_rows, run_build, start_build
from tests.support.crash_points import at_every_step

pytestmark = pytest.mark.skipif(os.name != "posix", reason="needs fork and signals")

BUILD = ["catalog", "build", "--max-v", "4", "--db", "c.sqlite", "--quiet"]
VERIFY = ["verify", "testing.ratio-program", "testing.merging-outputs", "--up-to", "2", "--quiet"]
VERIFY += ["--checkpoint", "run.db"]


def made(folder: Path) -> Path:
    folder.mkdir()
    return folder


def entries(path: Path) -> list[str]:
    """The names in a catalog; none before it has its tables."""
    try:
        with Catalog(path) as catalog:
            return sorted(entry.name for entry in catalog.entries())
    except CatalogError:
        return []


def units(path: Path) -> set[tuple[object, ...]]:
    """What a checkpoint holds, without the seconds."""
    if not path.exists():
        return set()
    with closing(sqlite3.connect(path)) as connection:
        assert connection.execute("pragma integrity_check").fetchall() == [("ok",)]
        if not connection.execute("select count(*) from sqlite_schema").fetchone()[0]:
            return set()
        return {row[:-1] for row in connection.execute("select * from unit").fetchall()}


def test_a_catalog_killed_at_every_statement(tmp_path) -> None:
    template = made(tmp_path / "template")
    *stopped, whole = at_every_step(template, made(tmp_path / "runs"), BUILD)
    assert whole.code == 0, whole.errors
    expected, before = comparable_rows(whole.folder / "c.sqlite"), []
    assert len(stopped) > 20
    for one in stopped:
        assert one.code == -signal.SIGKILL
        found = entries(one.folder / "c.sqlite")
        assert set(found) >= set(before), one.step
        before = found
    for place in range(0, len(stopped), max(1, len(stopped) // 8)):
        path = stopped[place].folder / "c.sqlite"
        build_catalog(path, 4)
        assert comparable_rows(path) == expected


def test_a_checkpoint_killed_at_every_statement(tmp_path) -> None:
    template = made(tmp_path / "template")
    *stopped, whole = at_every_step(template, made(tmp_path / "runs"), VERIFY)
    assert whole.code == 0, whole.errors
    expected = units(whole.folder / "run.db")
    assert expected
    before: set[tuple[object, ...]] = set()
    for one in stopped:
        found = units(one.folder / "run.db")
        assert before <= found <= expected, one.step
        before = found
    again = made(tmp_path / "again")
    (done,) = at_every_step(stopped[-1].folder, again, VERIFY, most_bytes=1 << 30)
    assert (done.code, units(done.folder / "run.db")) == (0, expected)


_READER = """
import sys, time
from combinatorics.catalog import Catalog, CatalogError
from combinatorics.catalog.retrieval import retrieved

path, until = sys.argv[1], time.monotonic() + float(sys.argv[2])
seen, looks = set(), 0
while time.monotonic() < until:
    with Catalog(path, wait=10) as catalog:
        entries = {entry.name: entry for entry in catalog.entries()}
        done = [entry for entry in entries.values() if entry.status == "constructed"]
        retrieved(catalog, done[looks % len(done)])
    if seen - set(entries):
        sys.exit(f"lost {sorted(seen - set(entries))[:3]}")
    seen, looks = set(entries), looks + 1
print(looks)
"""


def _readers_beside_killed_writers(tmp_path, max_v: int, kills: int, seconds: float) -> None:
    path, whole = tmp_path / "c.sqlite", tmp_path / "whole.sqlite"
    build_catalog(path, 20)
    command = (sys.executable, "-c", _READER, str(path), str(seconds))
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    readers = [subprocess.Popen(command, **pipes) for _ in range(8)]
    for kill in range(kills):
        writer = start_build(path, max_v, output=subprocess.DEVNULL)
        time.sleep(0.8 + 0.3 * kill)
        writer.kill()
        writer.wait()
    run_build(path, max_v)
    for reader in readers:
        output, errors = reader.communicate(timeout=120)
        assert reader.returncode == 0, errors
        assert int(output) > 0
    build_catalog(whole, max_v)
    assert comparable_rows(path) == comparable_rows(whole)


def test_eight_readers_while_the_writer_is_killed(tmp_path) -> None:
    _readers_beside_killed_writers(tmp_path, 60, 2, 3)


@pytest.mark.slow
def test_eight_readers_while_the_writer_is_killed_often(tmp_path) -> None:
    _readers_beside_killed_writers(tmp_path, 300, 10, 30)


def _verify(store: Path, *words: str) -> list[str]:
    command = ["verify", "leakage", "--up-to", "3", "--jobs", "2", "--quiet"]
    return [sys.executable, "-m", "verify", *command, "--checkpoint", str(store), *words]


@pytest.mark.slow
def test_a_killed_verify_with_two_processes_resumes(tmp_path) -> None:
    """The units of a killed run are kept, and the answers are those of a run without a kill."""
    store, whole, lines = tmp_path / "run.db", tmp_path / "whole.db", tmp_path / "lines"
    subprocess.run(_verify(whole), check=True, timeout=500)
    kept: set[tuple[object, ...]] = set()
    for kill in range(4):
        process = subprocess.Popen(_verify(store, "--lines", str(lines)))
        time.sleep(2 + kill)
        process.kill()
        process.wait()
        found = units(store)
        assert kept <= found
        kept = found
        if lines.exists():
            text = lines.read_text()
            assert text.endswith("}\n")
    subprocess.run(_verify(store), check=True, timeout=500)
    assert units(store) == units(whole)


_CALLS = "pwrite64,fdatasync,fsync,ftruncate,unlink"


@pytest.mark.slow
@pytest.mark.skipif(shutil.which("strace") is None, reason="there is no strace")
def test_a_catalog_killed_at_system_calls(tmp_path) -> None:
    """Between the statements too: at every fifth call that changes the file or syncs it."""
    whole = tmp_path / "whole.sqlite"
    build_catalog(whole, 4)
    expected, killed = comparable_rows(whole), 0
    for number in range(1, 1000, 5):
        folder = made(tmp_path / str(number))
        inject = f"inject={_CALLS}:signal=SIGKILL:when={number}"
        command = ["strace", "-qq", "-f", "-o", os.devnull, "-e", "trace=" + _CALLS, "-e", inject]
        done = subprocess.run(
            [
                *command,
                sys.executable,
                "-m",
                "verify",
                *BUILD[:-2],
                str(folder / "c.sqlite"),
                BUILD[-1],
            ],
            check=False,
            timeout=120,
        )
        if done.returncode == 0:
            break
        killed += 1
        found = entries(folder / "c.sqlite")
        build_catalog(folder / "c.sqlite", 4)
        assert set(found) <= set(entries(folder / "c.sqlite"))
        assert comparable_rows(folder / "c.sqlite") == expected, number
    assert killed > 5
