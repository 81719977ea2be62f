"""What goes wrong with a database, said in one line with the mend."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from verify.kernel.errors import InputError

__all__ = ["CatalogError", "plain_errors"]


class CatalogError(InputError):
    """The database cannot be used; the message says which, why, and the mend."""


_MOVE_AWAY = "move it away and build the catalog anew, or name another file"
_MENDS = {
    sqlite3.SQLITE_FULL: (
        "the disk is full; what was recorded before is kept: free some space and run it again"
    ),
    sqlite3.SQLITE_BUSY: (
        "it is locked by another program; what was recorded before is kept: run it again when "
        "that one has finished"
    ),
    sqlite3.SQLITE_NOTADB: f"it is damaged or no SQLite database; {_MOVE_AWAY}",
    sqlite3.SQLITE_CORRUPT: f"the database is damaged; {_MOVE_AWAY}",
    sqlite3.SQLITE_READONLY: "it is read-only; change its permissions or name another file",
    sqlite3.SQLITE_PERM: "access is denied; change its permissions or name another file",
    sqlite3.SQLITE_CANTOPEN: (
        "it cannot be opened; is there such a folder, and may this user write in it?"
    ),
    sqlite3.SQLITE_IOERR: (
        "the disk failed to read or write; what was recorded before is kept: look after the "
        "disk and run it again"
    ),
}


@contextmanager
def plain_errors(path: Path) -> Iterator[None]:
    """Turns the errors of SQLite into ``CatalogError``."""
    try:
        yield
    except sqlite3.Error as error:
        # The lowest byte is the kind of error, the others its details.
        code = getattr(error, "sqlite_errorcode", None)
        mend = _MENDS.get(code & 0xFF) if isinstance(code, int) else None
        if mend is None and not isinstance(error, sqlite3.OperationalError | sqlite3.DataError):
            raise
        raise CatalogError(f"{path}: {mend or error}") from error
