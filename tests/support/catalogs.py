"""Catalogs for tests: small ones, and what must not differ between two of them."""

import sqlite3
import subprocess
import sys
from contextlib import closing

__all__ = ["comparable_rows", "run_build", "start_build"]

_RUN_DEPENDENT = {"construction_seconds", "check_seconds", "recorded_at"}


def comparable_rows(path):
    """Every row of every table but for the columns of times, read by plain SQL."""
    with closing(sqlite3.connect(path)) as connection:
        rows = {}
        for table in ("entry", "content", "extent"):
            columns = [row[1] for row in connection.execute(f"PRAGMA table_info({table})")]
            if table == "entry":
                assert set(columns) >= _RUN_DEPENDENT
            kept = ", ".join(name for name in columns if name not in _RUN_DEPENDENT)
            query = f"SELECT {kept} FROM {table} ORDER BY 1"
            rows[table] = connection.execute(query).fetchall()
        assert connection.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert connection.execute("PRAGMA foreign_key_check").fetchall() == []
    return rows


def start_build(path, max_v, jobs=1, output=subprocess.PIPE):
    """A process that builds a catalog; workers of a killed one may keep a pipe open for a while."""
    options = ("--max-v", str(max_v), "--jobs", str(jobs), "--db", str(path), "--json")
    return subprocess.Popen(
        [sys.executable, "-m", "verify", "catalog", "build", *options],
        stdout=output,
        stderr=output,
        text=True,
    )


def run_build(path, max_v, jobs=1):
    """Build a catalog in another process, to the end."""
    process = start_build(path, max_v, jobs)
    output, errors = process.communicate(timeout=600)
    assert process.returncode == 0, errors
    return output
