"""Finished units of work in one SQLite file: a killed run resumes and repeats none of them.

Each result is one transaction, so after ``kill -9`` the file holds exactly the units that ended.
Results are kept under a digest of the code that made them: other code, other results.
"""

import hashlib
import sqlite3
from contextlib import suppress
from pathlib import Path

import combinatorics
import solvers
import verify
from verify.claims.work import Unit, UnitResult
from verify.kernel.errors import InputError

__all__ = ["Checkpoint", "code_digest"]

_SCHEMA = """
create table if not exists unit (
    digest text, claim text, "check" integer, mutant integer, size integer, number integer,
    seed integer, cases integer, covered integer, failure text, counterexample text,
    proved integer, seconds real,
    primary key (digest, claim, "check", mutant, size, number, seed)
)
"""


def code_digest() -> str:
    """A digest of the source text of the three packages."""
    digest = hashlib.sha256()
    for package in (verify, solvers, combinatorics):
        folder = Path(package.__path__[0])
        for path in sorted(folder.rglob("*.py")):
            digest.update(str(path.relative_to(folder.parent)).encode())
            digest.update(path.read_bytes())
    return digest.hexdigest()


class Checkpoint:
    """The results in one file.

    Args:
        path: the file; made when missing.

    Raises:
        InputError: if the file is not a SQLite database, or is in use by another writer.
    """

    def __init__(self, path: Path) -> None:
        self._path, self._digest = path, code_digest()
        try:
            self._connection = sqlite3.connect(path, isolation_level=None, timeout=30)
            self._connection.execute("pragma journal_mode = wal")
            self._connection.execute(_SCHEMA)
            rows = self._connection.execute(
                'select claim, "check", mutant, size, number, seed, cases, covered, failure,'
                " counterexample, proved, seconds from unit where digest = ?",
                (self._digest,),
            ).fetchall()
        except sqlite3.Error as error:
            raise InputError(f"{path}: no usable checkpoint file ({error})") from None
        self._done = {
            (row[0], row[1], bool(row[2]), *row[3:6]): UnitResult(
                row[6], row[7], row[8], row[9], proved=bool(row[10]), seconds=row[11]
            )
            for row in rows
        }

    def find(self, unit: Unit) -> UnitResult | None:
        """The result of a unit that an earlier run finished."""
        return self._done.get(unit.key)

    def keep(self, unit: Unit, result: UnitResult) -> None:
        """Write a result; it is safe when this returns.

        Raises:
            InputError: if the disk refuses, or another writer does not let go of the file.
        """
        values = (
            self._digest,
            *unit.key,
            result.cases,
            result.covered,
            result.failure,
            result.counterexample,
            result.proved,
            result.seconds,
        )
        marks = ", ".join("?" * len(values))
        try:
            self._connection.execute(f"insert or replace into unit values ({marks})", values)  # noqa: S608
        except sqlite3.Error as error:
            raise InputError(
                f"{self._path}: cannot be written ({error}); what was kept before stays: mend that "
                "and run it again"
            ) from None
        self._done[unit.key] = result

    def close(self) -> None:
        """Let go of the file; what was kept stays, whatever happens."""
        with suppress(sqlite3.Error):
            self._connection.close()
