"""Databases missing, foreign, locked, damaged or on a full disk: one line, nothing lost."""

import os
import shutil
import sqlite3
import subprocess
from contextlib import closing

import pytest

from combinatorics.catalog import Catalog, CatalogError, Kind, Selection, build_catalog
from combinatorics.catalog import store as store_module
from combinatorics.catalog.retrieval import retrieved
from tests.support.catalogs import comparable_rows

MAX_V = 40


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    path = tmp_path_factory.mktemp("catalog") / "whole.sqlite"
    build_catalog(path, MAX_V)
    return path


@pytest.fixture
def path(whole, tmp_path):
    copy = tmp_path / "catalog.sqlite"
    shutil.copyfile(whole, copy)
    return copy


def refusal(path, action):
    """The one-line message of a failure that must leave the bytes of the file alone."""
    before = path.read_bytes() if path.is_file() else None
    with pytest.raises(CatalogError) as caught:
        action()
    message = str(caught.value)
    assert "\n" not in message
    assert message.startswith(f"{path}: ")
    assert (path.read_bytes() if path.is_file() else None) == before
    return message


def test_missing(tmp_path):
    path = tmp_path / "none.sqlite"
    assert "catalog build" in refusal(path, lambda: Catalog(path))
    path = tmp_path / "folder" / "none.sqlite"
    assert "does not exist" in refusal(path, lambda: build_catalog(path, 7))
    assert "is a directory" in refusal(tmp_path, lambda: build_catalog(tmp_path, 7))


@pytest.mark.parametrize("content", [b"v,k,lambda\n" * 200, os.urandom(5000), b"SQLite"])
def test_a_file_of_another_kind_is_left_alone(tmp_path, content):
    path = tmp_path / "other"
    path.write_bytes(content)
    assert "SQLite" in refusal(path, lambda: build_catalog(path, 7))
    assert "SQLite" in refusal(path, lambda: Catalog(path))


def test_a_database_of_another_program_is_left_alone(tmp_path):
    path = tmp_path / "other.sqlite"
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("CREATE TABLE entry (name TEXT)")
    assert "not a design catalog" in refusal(path, lambda: build_catalog(path, 7))
    assert "not a design catalog" in refusal(path, lambda: Catalog(path))


@pytest.mark.parametrize("version", [0, 2, 99])
def test_another_schema_version(path, version):
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"PRAGMA user_version = {version}")
    assert f"schema version {version}" in refusal(path, lambda: build_catalog(path, 7))
    assert f"schema version {version}" in refusal(path, lambda: Catalog(path))


def test_an_empty_file_becomes_a_catalog(tmp_path, whole):
    path = tmp_path / "empty.sqlite"
    path.touch()
    build_catalog(path, MAX_V)
    assert comparable_rows(path) == comparable_rows(whole)


def test_cut_off(path):
    data = path.read_bytes()
    for length in (len(data) // 2, 4096 * 3, 1000):
        path.write_bytes(data[:length])
        assert "damaged" in refusal(path, lambda: build_catalog(path, MAX_V))


def test_a_page_overwritten(path):
    data = path.read_bytes()
    for page in range(1, len(data) // 4096):
        damaged = bytearray(data)
        damaged[4096 * page : 4096 * page + 512] = b"\xa5" * 512
        path.write_bytes(damaged)
        assert "damaged" in refusal(path, lambda: build_catalog(path, MAX_V))


def test_a_changed_object_is_noticed(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "UPDATE content SET data = replace(data, '1', '2') WHERE name = 'symmetric 13 4 1'"
        )
        connection.execute("UPDATE content SET data = x'00' WHERE name = 'hadamard 12'")
        connection.execute("DELETE FROM content WHERE name = 'hadamard 16'")
        connection.execute("UPDATE content SET data = x'ff' WHERE name = 'symmetric 11 5 2'")
    changed = ((Kind.SYMMETRIC, 13, 4, 1), (Kind.RESIDUAL, 9, 3, 1), (Kind.HADAMARD, 12))
    changed += ((Kind.HADAMARD, 16), (Kind.SYMMETRIC, 11, 5, 2), (Kind.DERIVED, 5, 2, 1))
    with Catalog(path) as catalog:
        for key in changed:
            with pytest.raises(CatalogError, match="damaged"):
                retrieved(catalog, catalog.entry(*key))
        retrieved(catalog, catalog.entry(Kind.SYMMETRIC, 7, 3, 1))


def test_an_impossible_kind_is_damage(path):
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("PRAGMA ignore_check_constraints = ON")
        connection.execute("UPDATE entry SET kind = 'plane' WHERE name = 'symmetric 7 3 1'")
    with Catalog(path) as catalog, pytest.raises(CatalogError, match="damaged"):
        catalog.entries()


def test_locked(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        before = comparable_rows(path)
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(CatalogError, match="locked by another program"):
            build_catalog(path, MAX_V + 10, wait=0.1)
        other.execute("ROLLBACK")
    assert comparable_rows(path) == before


def test_locked_before_there_are_tables(tmp_path):
    path = tmp_path / "new.sqlite"
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN EXCLUSIVE")
        for action in (lambda: build_catalog(path, 7, wait=0.1), lambda: Catalog(path, wait=0.1)):
            with pytest.raises(CatalogError, match="locked by another program"):
                action()


def test_readers_do_not_wait_for_a_writer(path):
    with closing(sqlite3.connect(path, isolation_level=None)) as other:
        other.execute("BEGIN IMMEDIATE")
        other.execute("DELETE FROM content")
        with Catalog(path, wait=0) as catalog:
            assert retrieved(catalog, catalog.entry(Kind.SYMMETRIC, 7, 3, 1))
        other.execute("ROLLBACK")


def _limited(monkeypatch, pages):
    """Lets new connections fill only so many pages, as a full disk would."""
    original = store_module.open_database

    def open_limited(*arguments, **options):
        connection = original(*arguments, **options)
        connection.execute(f"PRAGMA max_page_count = {pages}")
        return connection

    monkeypatch.setattr(store_module, "open_database", open_limited)


@pytest.mark.parametrize("jobs", [1, 2])
def test_full_database(tmp_path, monkeypatch, whole, jobs):
    path = tmp_path / "c.sqlite"
    _limited(monkeypatch, 10)
    with pytest.raises(CatalogError, match="disk is full; what was recorded before is kept"):
        build_catalog(path, MAX_V, jobs=jobs)
    partial = comparable_rows(path)["entry"]
    assert partial
    monkeypatch.undo()
    report = build_catalog(path, MAX_V, jobs=jobs)
    assert report.kept == len(partial)
    assert comparable_rows(path) == comparable_rows(whole)


def test_full_disk(tmp_path, whole):
    disk = tmp_path / "disk"
    disk.mkdir()
    mount = ("mount", "-t", "tmpfs", "-o", "size=256k", "tmpfs", str(disk))
    if (
        shutil.which("mount") is None
        or subprocess.run(mount, check=False, capture_output=True).returncode
    ):
        pytest.skip("a small disk needs mount and the rights to use it")
    try:
        path = disk / "c.sqlite"
        with pytest.raises(CatalogError, match="disk"):
            build_catalog(path, MAX_V)
        with Catalog(path) as catalog:
            kept = catalog.entries()
        assert kept
        larger = ("mount", "-o", "remount,size=8m", str(disk))
        subprocess.run(larger, check=True, capture_output=True)
        report = build_catalog(path, MAX_V)
        assert report.kept >= len(kept)
        assert comparable_rows(path) == comparable_rows(whole)
    finally:
        subprocess.run(("umount", str(disk)), check=True, capture_output=True)


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="root may write everywhere")
def test_read_only_folder(path):
    path.parent.chmod(0o500)
    try:
        with Catalog(path) as catalog:
            assert catalog.entries(Selection(v=7))
        assert "read-only" in refusal(path, lambda: build_catalog(path, MAX_V + 10))
    finally:
        path.parent.chmod(0o700)


def test_read_only_connection_does_not_write(path):
    with Catalog(path) as catalog, pytest.raises(CatalogError, match="read-only"):
        catalog.record_extent(7)
