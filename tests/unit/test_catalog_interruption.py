"""Builds that are killed, many readers beside a writer, and builds on a cluster: the same rows."""

import os
import random
import subprocess
import sys
import time

import pytest

from combinatorics.catalog import Catalog, CatalogError, build_catalog
from combinatorics.catalog.execution import results
from tests.support.catalogs import comparable_rows, run_build, start_build
from verify.kernel.errors import InputError


def _killed_until_done(path, max_v, seed, kills, longest, jobs=2):
    """Kill builds at random moments; how many rows there were after each kill."""
    moments, rows = random.Random(seed), []
    for _ in range(kills):
        process = start_build(path, max_v, jobs, output=subprocess.DEVNULL)
        time.sleep(moments.uniform(0.2, longest))
        process.kill()
        process.wait()
        try:
            with Catalog(path) as catalog:
                rows.append(len(catalog.entries()))
        except CatalogError:  # killed before the file had its tables
            assert not rows or not rows[-1]
            rows.append(0)
    return rows


def test_killed_and_resumed(tmp_path):
    whole, path = tmp_path / "whole.sqlite", tmp_path / "killed.sqlite"
    build_catalog(whole, 150)
    rows = _killed_until_done(path, 150, seed=7, kills=4, longest=2.5)
    assert rows == sorted(rows)
    run_build(path, 150)
    assert comparable_rows(path) == comparable_rows(whole)


@pytest.mark.slow
def test_killed_at_twenty_random_moments(tmp_path):
    whole, path = tmp_path / "whole.sqlite", tmp_path / "killed.sqlite"
    started = time.monotonic()
    run_build(whole, 1000, jobs=2)
    longest = 1.0 + (time.monotonic() - started) / 8
    rows = _killed_until_done(path, 1000, seed=20, kills=20, longest=longest)
    assert rows == sorted(rows)
    assert len(set(rows)) > 3
    run_build(path, 1000, jobs=2)
    assert comparable_rows(path) == comparable_rows(whole)


def test_no_worker_outlives_a_killed_build(tmp_path):
    process = start_build(tmp_path / "c.sqlite", 600, jobs=2, output=subprocess.DEVNULL)
    children = set()
    for _ in range(100):
        listing = subprocess.run(
            ("ps", "-o", "pid=,args=", "--ppid", str(process.pid)),
            check=False,
            capture_output=True,
            text=True,
        ).stdout
        children = {int(line.split()[0]) for line in listing.splitlines() if "loky" in line}
        if len(children) >= 3 and (tmp_path / "c.sqlite").exists():
            break
        time.sleep(0.1)
    if not children:
        process.kill()
        pytest.skip("ps does not show the workers here")
    time.sleep(1)
    process.kill()
    process.wait()
    for _ in range(100):
        alive = subprocess.run(
            ("ps", "-o", "pid=", "-p", ",".join(map(str, children))),
            check=False,
            capture_output=True,
        ).stdout.split()
        if not alive:
            return
        time.sleep(0.1)
    pytest.fail(f"workers {alive} live on")


_READER = """
import sys, time
from combinatorics.catalog import Catalog
from combinatorics.catalog.retrieval import retrieved

path, until = sys.argv[1], time.monotonic() + float(sys.argv[2])
last = looks = 0
while time.monotonic() < until:
    with Catalog(path) as catalog:
        entries = catalog.entries()
        done = [entry for entry in entries if entry.status == "constructed"]
        retrieved(catalog, done[looks % len(done)])
    if len(entries) < last:
        sys.exit(f"{last} entries became {len(entries)}")
    last, looks = len(entries), looks + 1
print(looks)
"""


def test_eight_readers_and_a_writer(tmp_path):
    path, whole = tmp_path / "c.sqlite", tmp_path / "whole.sqlite"
    build_catalog(path, 30)
    command = (sys.executable, "-c", _READER, str(path), "4")
    pipes = {"stdout": subprocess.PIPE, "stderr": subprocess.PIPE, "text": True}
    readers = [subprocess.Popen(command, **pipes) for _ in range(8)]
    build_catalog(path, 150)
    for reader in readers:
        output, errors = reader.communicate(timeout=60)
        assert reader.returncode == 0, errors
        assert int(output) > 0
    build_catalog(whole, 150)
    assert comparable_rows(path) == comparable_rows(whole)


def test_two_writers_at_once(tmp_path):
    path, whole = tmp_path / "c.sqlite", tmp_path / "whole.sqlite"
    writers = [start_build(path, 90) for _ in range(2)]
    for writer in writers:
        _, errors = writer.communicate(timeout=120)
        assert writer.returncode == 0, errors
    build_catalog(whole, 90)
    assert comparable_rows(path) == comparable_rows(whole)


_ON_CLUSTER = """
import sys
from distributed import LocalCluster
from combinatorics.catalog import build_catalog

if __name__ == "__main__":
    options = {"n_workers": 2, "threads_per_worker": 1, "dashboard_address": None}
    with LocalCluster(host="127.0.0.1", **options) as cluster:
        build_catalog(sys.argv[1], int(sys.argv[2]), scheduler=cluster.scheduler_address)
"""


def _build_on_cluster(tmp_path, path, max_v):
    pytest.importorskip("distributed", reason="dask comes with the extra 'cluster'")
    script = tmp_path / "cluster.py"
    script.write_text(_ON_CLUSTER)
    command = (sys.executable, str(script), str(path), str(max_v))
    done = subprocess.run(
        command,
        check=False,
        capture_output=True,
        text=True,
        timeout=600,
        env={**os.environ, "PYTHONPATH": "."},
    )
    assert done.returncode == 0, done.stderr


def test_a_cluster_gives_the_same_rows(tmp_path):
    path, whole = tmp_path / "c.sqlite", tmp_path / "whole.sqlite"
    _build_on_cluster(tmp_path, path, 60)
    build_catalog(whole, 60)
    assert comparable_rows(path) == comparable_rows(whole)


@pytest.mark.slow
def test_a_cluster_gives_the_same_rows_up_to_1000(tmp_path):
    path, whole = tmp_path / "c.sqlite", tmp_path / "whole.sqlite"
    _build_on_cluster(tmp_path, path, 1000)
    run_build(whole, 1000, jobs=2)
    assert comparable_rows(path) == comparable_rows(whole)


def test_no_such_scheduler(tmp_path):
    pytest.importorskip("distributed", reason="dask comes with the extra 'cluster'")
    code = (
        "import sys\nfrom combinatorics.catalog import build_catalog\n"
        "from verify.kernel.errors import InputError\n"
        "try:\n    build_catalog(sys.argv[1], 7, scheduler=sys.argv[2])\n"
        "except InputError as error:\n    print(error)\n"
    )
    command = (sys.executable, "-c", code, str(tmp_path / "c.sqlite"), "tcp://127.0.0.1:1")
    done = subprocess.run(command, check=False, capture_output=True, text=True, timeout=120)
    assert "does not answer" in done.stdout, done


def test_without_dask(monkeypatch):
    monkeypatch.setitem(sys.modules, "distributed", None)
    with pytest.raises(InputError, match=r"exactdp\[cluster\]"):
        list(results(abs, [1, 2], scheduler="tcp://127.0.0.1:1"))


def test_results_here_and_in_two_processes():
    numbers = list(range(-20, 20))
    assert list(results(abs, numbers)) == [abs(x) for x in numbers]
    assert sorted(results(abs, numbers, jobs=2)) == sorted(abs(x) for x in numbers)
