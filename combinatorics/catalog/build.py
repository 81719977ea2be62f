"""Building the catalog: what is missing or out of date, carried out and recorded entry by entry."""

from collections.abc import Callable, Iterable, Mapping
from contextlib import closing
from dataclasses import dataclass
from os import PathLike

from combinatorics.catalog.entry import Entry, Status
from combinatorics.catalog.execution import results
from combinatorics.catalog.failure import CatalogError
from combinatorics.catalog.records import Record, Subject, outlook, records, subjects
from combinatorics.catalog.store import Catalog
from verify.kernel.errors import InputError

__all__ = ["MAX_BUILD_V", "BuildReport", "build_catalog"]

MAX_BUILD_V = 8191
"""Most points up to which a catalog is built: an incidence matrix has at most 2^26 cells."""


@dataclass(frozen=True, slots=True)
class BuildReport:
    """What a build has done.

    Args:
        recorded: entries that were written.
        kept: entries that stood there already and are up to date.
        refused: names of the entries whose objects the kernel refused.
    """

    recorded: int
    kept: int
    refused: tuple[str, ...] = ()


def build_catalog(
    path: str | PathLike[str],
    max_v: int,
    *,
    jobs: int = 1,
    scheduler: str | None = None,
    wait: float = 10.0,
    progress: Callable[[int, int], None] | None = None,
) -> BuildReport:
    """Bring a catalog up to date for all subjects with at most max_v points.

    An interrupted build goes on where it stopped. An entry whose recipe, theorem or note is no
    longer that of this program is replaced. The rows do not depend on the number of processes, on
    where they run or on interruptions, but for the columns of times.

    Args:
        path: the file; it is made if there is none.
        max_v: most points.
        jobs: number of processes.
        scheduler: address of a dask scheduler instead.
        wait: seconds to wait for another program that is writing.
        progress: called with the subjects done and their number.

    Raises:
        InputError: for max_v out of range, or as ``results``.
        CatalogError: for a file that cannot be used or written; what was recorded is kept.
    """
    if not 1 <= max_v <= MAX_BUILD_V:
        raise InputError(f"max_v = {max_v}: give a number of points from 1 to {MAX_BUILD_V}")
    with Catalog(path, writable=True, wait=wait) as catalog:
        held = {entry.name: entry for entry in catalog.entries()}
        missing: dict[str, Entry] = {}
        wanted: list[Subject] = []
        kept = 0
        for subject in subjects(max_v):
            expected = outlook(subject)
            new = [entry for entry in expected if not _is_held(entry, held)]
            kept += len(expected) - len(new)
            missing |= {entry.name: entry for entry in new}
            wanted += [subject] if new else []
        with closing(results(records, wanted, jobs=jobs, scheduler=scheduler)) as found:
            refused = _record_all(catalog, found, missing, len(wanted), progress)
        catalog.record_extent(max_v)
    return BuildReport(len(missing), kept, refused)


def _is_held(expected: Entry, held: Mapping[str, Entry]) -> bool:
    entry = held.get(expected.name)
    return entry is not None and entry.answers_alike(expected)


def _record_all(
    catalog: Catalog,
    found: Iterable[tuple[Record, ...]],
    missing: Mapping[str, Entry],
    total: int,
    progress: Callable[[int, int], None] | None,
) -> tuple[str, ...]:
    """Record what is missing, each entry when it comes; the names of those refused."""
    refused: list[str] = []
    for done, group in enumerate(found, 1):
        for record in group:
            entry = record.entry
            expected = missing.get(entry.name)
            if expected is None:  # it stood there already, beside one that did not
                continue
            is_refused = entry.status is Status.REFUSED
            if not is_refused and not entry.answers_alike(expected):
                raise CatalogError(
                    f"{catalog.path}: a worker built {entry.name} by {entry.construction!r}, not "
                    f"by {expected.construction!r}: give all workers the same version"
                )
            catalog.record(record)
            refused += [entry.name] if is_refused else []
        if progress is not None:
            progress(done, total)
    return tuple(sorted(refused))
