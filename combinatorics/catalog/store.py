"""The catalog: entries and objects in one file, many readers and one writer at a time.

Every entry is one transaction, so a process that is killed loses at most the entry at hand, and
one that is started again goes on from there.
"""

from collections.abc import Iterator
from dataclasses import astuple, fields
from os import PathLike
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from combinatorics.catalog.database import open_database, transaction
from combinatorics.catalog.entry import Entry, Kind, Status, entry_name
from combinatorics.catalog.failure import CatalogError, plain_errors
from combinatorics.catalog.records import Record
from combinatorics.catalog.selection import Selection
from combinatorics.catalog.stored_content import StoredContent

__all__ = ["Catalog", "read_constructed"]

_COLUMNS = tuple(field.name.rstrip("_") for field in fields(Entry))
_LISTED = ", ".join(_COLUMNS)
_NOW = "strftime('%Y-%m-%dT%H:%M:%fZ', 'now')"
_UPDATES = ", ".join(f"{column} = excluded.{column}" for column in (*_COLUMNS, "recorded_at"))
_RECORD_ENTRY = (
    f"INSERT INTO entry (name, {_LISTED}, recorded_at) "  # noqa: S608 - fixed names
    f"VALUES (?, {', '.join('?' * len(_COLUMNS))}, {_NOW}) ON CONFLICT (name) DO UPDATE "
    f"SET {_UPDATES}"
)
_ORDER = f"instr('{' '.join(Kind)}', kind), v, k, lambda"
_SELECT = f"SELECT {_LISTED} FROM entry WHERE "  # noqa: S608 - fixed names


class Catalog:
    """An open catalog; use it in a ``with`` statement.

    Args:
        path: the file.
        writable: whether to open it for writing, and to make it when there is none.
        wait: seconds to wait for another program that is writing.

    Raises:
        CatalogError: for a missing, locked, damaged or foreign file, or another schema version.
    """

    def __init__(
        self, path: str | PathLike[str], *, writable: bool = False, wait: float = 10.0
    ) -> None:
        self.path = Path(path)
        self._connection = open_database(self.path, writable=writable, wait=wait)

    def __enter__(self) -> Self:
        """The catalog itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Close the file."""
        self.close()

    def __repr__(self) -> str:
        """The file and how far it is complete."""
        return f"<catalog {self.path}: complete up to v = {self.extent}>"

    def close(self) -> None:
        """Close the file; what was recorded stays, whatever happens."""
        with plain_errors(self.path):
            self._connection.close()

    def record(self, record: Record) -> None:
        """Write one entry and its object, in one transaction; an older answer is replaced.

        Raises:
            CatalogError: for a full disk, a lock or damage; the file is then as it was before.
        """
        entry, stored = record.entry, record.stored
        with plain_errors(self.path), transaction(self._connection):
            self._connection.execute(_RECORD_ENTRY, (entry.name, *astuple(entry)))
            self._connection.execute("DELETE FROM content WHERE name = ?", (entry.name,))
            if stored is not None:
                self._connection.execute(
                    "INSERT INTO content (name, form, data) VALUES (?, ?, ?)",
                    (entry.name, stored.form, stored.data),
                )

    def record_extent(self, max_v: int) -> None:
        """Note that every subject with at most max_v points is decided."""
        with plain_errors(self.path), transaction(self._connection):
            self._connection.execute(
                "INSERT INTO extent (only, max_v) VALUES (1, ?) "
                "ON CONFLICT (only) DO UPDATE SET max_v = max(max_v, excluded.max_v)",
                (max_v,),
            )

    @property
    def extent(self) -> int:
        """Up to how many points the catalog is complete; 0 before the first build has ended."""
        rows = self._rows("SELECT max_v FROM extent")
        return int(rows[0][0]) if rows else 0

    def entries(self, selection: Selection | None = None) -> tuple[Entry, ...]:
        """The entries wanted, by kind, symmetric designs first, and then by parameters."""
        condition, values = (selection or Selection()).condition()
        rows = self._rows(f"{_SELECT} {condition} ORDER BY {_ORDER}", *values)
        return tuple(map(self._entry, rows))

    def entry(
        self, kind: Kind, v: int, k: int | None = None, lambda_: int | None = None
    ) -> Entry | None:
        """The entry of that kind with these parameters, or None."""
        return self.named(entry_name(kind, v, k, lambda_))

    def named(self, name: str) -> Entry | None:
        """The entry of that name, or None."""
        rows = self._rows(f"{_SELECT} name = ?", name)
        return self._entry(rows[0]) if rows else None

    def stored(self, name: str) -> StoredContent | None:
        """The object stored under that name, or None."""
        rows = self._rows("SELECT form, data FROM content WHERE name = ?", name)
        if not rows:
            return None
        form, data = rows[0]
        return StoredContent(str(form), data if isinstance(data, bytes) else str(data).encode())

    def _rows(self, query: str, *values: int | str) -> list[tuple[Any, ...]]:
        with plain_errors(self.path):
            return self._connection.execute(query, values).fetchall()

    def _entry(self, row: tuple[Any, ...]) -> Entry:
        values = dict(zip((field.name for field in fields(Entry)), row, strict=True))
        try:
            typed = {
                "kind": Kind(values["kind"]),
                "status": Status(values["status"]),
                "in_literature": bool(values["in_literature"]),
            }
        except ValueError as error:
            raise CatalogError(f"{self.path}: the database is damaged ({error})") from None
        return Entry(**(values | typed))


def read_constructed(
    path: str | PathLike[str],
) -> Iterator[tuple[int, int, int, int, int, str]]:
    """The (v, b, r, k, lambda, recipe) of every block design that the catalog has constructed.

    Symmetric, derived and residual designs; the complements are left to the reader.

    Raises:
        CatalogError: as ``Catalog``.
    """
    kinds = (Kind.SYMMETRIC, Kind.DERIVED, Kind.RESIDUAL)
    with Catalog(path) as catalog:
        found = catalog.entries(Selection(kinds=kinds, statuses=(Status.CONSTRUCTED,)))
    for entry in found:
        yield entry.v, entry.b, entry.r or 0, entry.k or 0, entry.lambda_ or 0, entry.construction
