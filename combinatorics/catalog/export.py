"""The catalog as JSON lines, CSV, DTRS XML or one HTML page, piece by piece."""

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields

from combinatorics.catalog.entry import Entry, Kind, Status
from combinatorics.catalog.page import page_text
from combinatorics.catalog.retrieval import retrieved
from combinatorics.catalog.store import Catalog
from combinatorics.interchange.document import DevelopedDesign
from combinatorics.interchange.dtrs import dtrs_list
from combinatorics.interchange.json_text import content_object
from verify.kernel.errors import InputError
from verify.kernel.incidence import BlockDesign

__all__ = ["EXPORT_FORMATS", "entry_object", "exported"]

EXPORT_FORMATS = ("jsonl", "csv", "dtrs", "html")
"""What a catalog is exported as."""


def entry_object(entry: Entry) -> dict[str, object]:
    """The entry as a JSON object; what differs from run to run stands last, under ``times``."""
    names = ("v", "b", "r", "k", "lambda_")
    parameters = {name.rstrip("_"): getattr(entry, name) for name in names}
    return {
        "name": entry.name,
        "kind": str(entry.kind),
        **{name: value for name, value in parameters.items() if value is not None},
        "status": str(entry.status),
        "reason": entry.reason,
        "construction": entry.construction or None,
        "reference": entry.reference or None,
        "as_of": entry.as_of or None,
        "in_literature": entry.in_literature,
        "parent": entry.parent,
        "digest": entry.digest or None,
        "times": {
            "construction_seconds": entry.construction_seconds,
            "check_seconds": entry.check_seconds,
        },
    }


def exported(
    catalog: Catalog,
    entries: Sequence[Entry],
    form: str,
    *,
    designs: bool = False,
    progress: Callable[[int], None] | None = None,
) -> Iterator[bytes]:
    """The pieces of a file with these entries.

    Args:
        catalog: where the designs are.
        entries: what to write.
        form: one of ``EXPORT_FORMATS``. DTRS holds the block designs that are constructed, with
            all their blocks; the others hold every entry.
        designs: whether JSON lines hold the designs too, under ``design``.
        progress: called with the number of entries done, where designs are written.

    Raises:
        InputError: for an unknown form, or designs asked of a form that has no place for them.
        CatalogError: for a damaged catalog.
    """
    if form not in EXPORT_FORMATS:
        raise InputError(f"format {form!r} is unknown; known: {', '.join(EXPORT_FORMATS)}")
    if designs and form != "jsonl":
        raise InputError(f"{form} has no place for designs beside entries: leave them out")
    writers: dict[str, Callable[[], Iterator[str]]] = {
        "jsonl": lambda: _json_lines(catalog, _counted(entries, progress), designs=designs),
        "csv": lambda: _csv_lines(entries),
        "dtrs": lambda: _dtrs(catalog, entries, progress),
        "html": lambda: iter((page_text(entries, catalog.extent),)),
    }
    return (piece.encode("utf-8") for piece in writers[form]())


def _counted(entries: Sequence[Entry], progress: Callable[[int], None] | None) -> Iterator[Entry]:
    for done, entry in enumerate(entries):
        if progress is not None:
            progress(done)
        yield entry


def _json_lines(catalog: Catalog, entries: Iterable[Entry], *, designs: bool) -> Iterator[str]:
    for entry in entries:
        line = entry_object(entry)
        if designs and entry.status is Status.CONSTRUCTED:
            line["design"] = content_object(retrieved(catalog, entry))
        yield json.dumps(line, separators=(",", ":")) + "\n"


def _csv_lines(entries: Sequence[Entry]) -> Iterator[str]:
    page, names = io.StringIO(), ["name", *(field.name for field in fields(Entry))]
    writer = csv.writer(page, lineterminator="\n")
    writer.writerow([name.rstrip("_") for name in names])
    for entry in entries:
        writer.writerow([_cell(getattr(entry, name)) for name in names])
    yield page.getvalue()


def _cell(value: object) -> object:
    return int(value) if isinstance(value, bool) else value


def _dtrs(
    catalog: Catalog, entries: Sequence[Entry], progress: Callable[[int], None] | None
) -> Iterator[str]:
    kinds = {Kind.SYMMETRIC, Kind.DERIVED, Kind.RESIDUAL}
    chosen = [e for e in entries if e.kind in kinds and e.status is Status.CONSTRUCTED]

    def designs() -> Iterator[BlockDesign]:
        for entry in _counted(chosen, progress):
            content = retrieved(catalog, entry)
            if isinstance(content, DevelopedDesign):
                yield content.design()
            elif isinstance(content, BlockDesign):
                yield content

    return dtrs_list(designs(), len(chosen))
