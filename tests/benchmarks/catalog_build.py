"""Build the catalog up to v = 1000 with one and with two processes, and read it with eight.

Run as ``python -m tests.benchmarks.catalog_build``; prints wall seconds, entries by status, the
seconds of constructing and checking, and the size of the file.
"""

import tempfile
import time
from collections import Counter
from pathlib import Path

from joblib import Parallel, delayed

from combinatorics.catalog import Catalog, build_catalog
from combinatorics.catalog.retrieval import retrieved

__all__ = ["main", "measure", "read_all"]

MAX_V = 1000
READERS = 8


def measure(path, jobs):
    """Wall seconds of a build and of a second one that has nothing to do."""
    start = time.perf_counter()
    build_catalog(path, MAX_V, jobs=jobs)
    built = time.perf_counter()
    again = build_catalog(path, MAX_V, jobs=jobs)
    assert again.recorded == 0
    return built - start, time.perf_counter() - built


def read_all(path):
    """Wall seconds to list the catalog and to take every tenth object out of it."""
    start = time.perf_counter()
    with Catalog(path) as catalog:
        done = [entry for entry in catalog.entries() if entry.status == "constructed"]
        for entry in done[::10]:
            retrieved(catalog, entry)
    return time.perf_counter() - start


def main():
    """Print the figures."""
    with tempfile.TemporaryDirectory() as folder:
        for jobs in (1, 2):
            path = Path(folder) / f"{jobs}.sqlite"
            first, second = measure(path, jobs)
            print(f"v <= {MAX_V}, {jobs} processes: built in {first:.1f} s, again {second:.2f} s")
        with Catalog(path) as catalog:
            entries = catalog.entries()
        counts = Counter(f"{entry.kind} {entry.status}" for entry in entries)
        print(f"{len(entries)} entries:", ", ".join(f"{n} {what}" for what, n in counts.items()))
        building = sum(entry.construction_seconds or 0 for entry in entries)
        checking = sum(entry.check_seconds or 0 for entry in entries)
        print(f"constructing {building:.1f} s, checking by the kernel {checking:.1f} s")
        print(f"{path.stat().st_size / 1e6:.1f} MB")
        readers = Parallel(n_jobs=READERS)(delayed(read_all)(path) for _ in range(READERS))
        print(f"{READERS} readers at once: {max(readers):.1f} s at most")


if __name__ == "__main__":
    main()
