"""The SQLite file of the catalog: opening it safely, its marks, and transactions.

In WAL mode readers see the last committed state and never wait for the writer. Every commit is
synced to the disk. WAL works on a disk of this machine, not over a network.
"""

import os
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from importlib.resources import files
from pathlib import Path

from combinatorics.catalog.failure import CatalogError, plain_errors

__all__ = ["SCHEMA_VERSION", "open_database", "transaction"]

SCHEMA_VERSION = 1
"""Version of the tables; stored in the file as its ``user_version``."""

_APPLICATION_ID = 0x65784450
"""Marks the file as such a catalog: "exDP" in ASCII."""
_REFUSALS = (sqlite3.SQLITE_IOERR, sqlite3.SQLITE_FULL)
"""What a disk without room says."""


def open_database(path: Path, *, writable: bool, wait: float) -> sqlite3.Connection:
    """The connection to a sound catalog; one that is opened for writing is made if need be.

    Raises:
        CatalogError: for a missing, locked, damaged or foreign file, or another schema version;
            such a file is left as it is.
    """
    with plain_errors(path):
        try:
            return _opened(path, writable=writable, wait=wait)
        except sqlite3.OperationalError as error:
            if writable or error.sqlite_errorcode & 0xFF not in _REFUSALS or _has_log(path):
                raise
        # A full disk has no room for what readers share with a writer, and none for a writer.
        return _opened(path, writable=False, wait=wait, is_still=True)


def _opened(
    path: Path, *, writable: bool, wait: float, is_still: bool = False
) -> sqlite3.Connection:
    connection = _connect(path, writable=writable, wait=wait, is_still=is_still)
    try:
        _require_usable(connection, path, writable=writable)
    except BaseException:
        connection.close()
        raise
    return connection


def _has_log(path: Path) -> bool:
    """Whether there is a log that may hold more than the file itself."""
    log = path.with_name(f"{path.name}-wal")
    return log.exists() and log.stat().st_size > 0


@contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """All that is done inside is kept, or none of it."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
        connection.execute("COMMIT")
    except BaseException:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


def _connect(path: Path, *, writable: bool, wait: float, is_still: bool) -> sqlite3.Connection:
    if path.is_dir():
        raise CatalogError(f"{path}: is a directory; name a file in it")
    if not writable and not path.exists():
        raise CatalogError(
            f"{path}: there is no catalog; make one with: exactdp catalog build --max-v 1000"
        )
    if path.exists() and not path.is_file():  # opening a FIFO would wait for a writer
        raise CatalogError(f"{path}: is not a regular file; name another")
    if not path.parent.is_dir():
        raise CatalogError(f"{path}: the folder {path.parent} does not exist; make it first")
    mode = "immutable=1" if is_still else "mode=rwc" if writable else "mode=ro"
    if not writable and not os.access(path.parent, os.W_OK):
        # Readers of a WAL database share a file beside it. Where none can be made, nobody writes.
        shared = path.with_name(f"{path.name}-shm").exists()
        mode = mode if shared else "immutable=1"
    uri = f"{path.resolve().as_uri()}?{mode}"
    return sqlite3.connect(uri, timeout=wait, isolation_level=None, uri=True)


def _require_usable(connection: sqlite3.Connection, path: Path, *, writable: bool) -> None:
    if writable and _is_new(connection):
        connection.execute("PRAGMA journal_mode = WAL")
        with transaction(connection):
            if _is_new(connection):  # another program may have been faster
                _create_tables(connection)
    if _pragma(connection, "application_id") != _APPLICATION_ID:
        raise CatalogError(f"{path}: is not a design catalog; name another file")
    version = _pragma(connection, "user_version")
    if version != SCHEMA_VERSION:
        raise CatalogError(
            f"{path}: has schema version {version}, this program works with version "
            f"{SCHEMA_VERSION}; build a new catalog in another file"
        )
    if writable:
        _require_sound(connection, path)
        connection.execute("PRAGMA foreign_keys = ON")
        connection.execute("PRAGMA synchronous = FULL")


def _is_new(connection: sqlite3.Connection) -> bool:
    """Whether the file is empty: just made, or left by a process killed at its first step."""
    tables = connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()[0]
    marks = (_pragma(connection, "application_id"), _pragma(connection, "user_version"))
    return (tables, *marks) == (0, 0, 0)


def _create_tables(connection: sqlite3.Connection) -> None:
    text = files("combinatorics.catalog").joinpath("data", "schema.sql").read_text("utf-8")
    bare = "\n".join(line for line in text.splitlines() if not line.startswith("--"))
    for statement in filter(str.strip, bare.split(";")):
        connection.execute(statement)
    connection.execute(f"PRAGMA application_id = {_APPLICATION_ID}")
    connection.execute(f"PRAGMA user_version = {SCHEMA_VERSION}")


def _require_sound(connection: sqlite3.Connection, path: Path) -> None:
    answer = str(connection.execute("PRAGMA quick_check(1)").fetchone()[0])
    if answer != "ok":
        raise CatalogError(
            f"{path}: the database is damaged ({answer.splitlines()[-1]}); move it away and build "
            "the catalog anew, or name another file"
        )


def _pragma(connection: sqlite3.Connection, name: str) -> int:
    return int(connection.execute(f"PRAGMA {name}").fetchone()[0])
