"""``exactdp catalog``: build the design catalog, list it, and export it.

Exit codes: 0 done, 1 the kernel refused a design that was built, 2 bad input or an unusable file.
"""

from collections import Counter
from contextlib import contextmanager
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.catalog_options import (
    ConstructionOption,
    DatabaseOption,
    IndexOption,
    KindsOption,
    MaxPointsOption,
    MinPointsOption,
    SizeOption,
    StatusesOption,
    WaitOption,
    database,
    read_selection,
)
from verify.commands.options import JsonOption, QuietOption
from verify.commands.output import note, print_json, print_table

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from combinatorics.catalog import BuildReport, Entry

__all__ = ["EXAMPLES", "catalog_build", "catalog_export", "catalog_list"]

EXAMPLES = {
    "build": "Example: exactdp catalog build --max-v 1000 --jobs 2",
    "list": "Example: exactdp catalog list --kind symmetric --status constructed --max-v 100",
    "export": "Example: exactdp catalog export --out catalog.html",
}

_REFUSED = 1
_SUFFIXES = {
    ".csv": "csv",
    ".htm": "html",
    ".html": "html",
    ".json": "jsonl",
    ".jsonl": "jsonl",
    ".xml": "dtrs",
}


def catalog_build(
    max_v: Annotated[int, typer.Option("--max-v", metavar="V", help="Most points.")],
    db: DatabaseOption = None,
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", help="Processes here.")] = 1,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="A dask scheduler, to use instead."),
    ] = None,
    wait: WaitOption = 10.0,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Build all that can be built up to V points, or say why not; an interrupted build goes on.

    Every symmetric triple is decided, with the derived and residual designs of what is built;
    difference sets and Hadamard matrices too. The kernel checks every object.
    """
    from combinatorics.catalog import build_catalog, default_path

    started = perf_counter()
    path = database(db)
    if path == default_path():
        path.parent.mkdir(parents=True, exist_ok=True)
    with _progress("designs", quiet=quiet or json) as progress:
        report = build_catalog(
            path, max_v, jobs=jobs, scheduler=scheduler, wait=wait, progress=progress
        )
    seconds = perf_counter() - started
    for name in report.refused:
        note(f"exactdp: {name} was built, but the kernel refuses it")
    if json:
        print_json(_build_object(path, max_v, report, seconds))
    elif not quiet:
        _print_build(path, report, seconds)
    raise typer.Exit(_REFUSED if report.refused else 0)


def _counts(path: Path) -> Counter[tuple[str, str]]:
    from combinatorics.catalog import Catalog

    with Catalog(path) as catalog:
        return Counter((str(e.kind), str(e.status)) for e in catalog.entries())


def _build_object(
    path: Path, max_v: int, report: "BuildReport", seconds: float
) -> dict[str, object]:
    counts: dict[str, dict[str, int]] = {}
    for (kind, status), number in sorted(_counts(path).items()):
        counts.setdefault(kind, {})[status] = number
    return {
        "db": str(path),
        "max_v": max_v,
        "recorded": report.recorded,
        "kept": report.kept,
        "refused": list(report.refused),
        "counts": counts,
        "seconds": round(seconds, 3),
    }


def _print_build(path: Path, report: "BuildReport", seconds: float) -> None:
    from verify.report.tables import columns_table

    rows = [(kind, status, str(n)) for (kind, status), n in sorted(_counts(path).items())]
    print_table(columns_table("", ("kind", "status", "entries"), rows))
    typer.echo(f"{path}: {report.recorded} recorded, {report.kept} kept, {seconds:.1f} s")


@contextmanager
def _progress(what: str, *, quiet: bool) -> "Iterator[Callable[[int, int], None] | None]":
    """A progress bar on a terminal; nothing in a pipe."""
    import sys

    if quiet or not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console
    from rich.progress import Progress

    with Progress(console=Console(stderr=True), transient=True) as bar:
        task = bar.add_task(what, total=None)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def catalog_list(
    db: DatabaseOption = None,
    kind: KindsOption = None,
    status: StatusesOption = None,
    min_v: MinPointsOption = None,
    max_v: MaxPointsOption = None,
    k: SizeOption = None,
    lambda_: IndexOption = None,
    construction: ConstructionOption = None,
    limit: Annotated[
        int | None, typer.Option("--limit", metavar="N", min=1, help="Show the first N only.")
    ] = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """The entries of the catalog that meet all conditions, by kind and parameters."""
    from combinatorics.catalog import Catalog
    from combinatorics.catalog.export import entry_object

    chosen = read_selection(kind, status, min_v, max_v, k, lambda_, construction)
    with Catalog(database(db)) as catalog:
        found, extent = catalog.entries(chosen), catalog.extent
    shown = found[:limit]
    if json:
        entries = [entry_object(entry) for entry in shown]
        print_json({"complete_up_to": extent, "count": len(found), "entries": entries})
    elif not quiet:
        _print_entries(shown)
        typer.echo(f"{len(shown)} of {len(found)} entries; complete up to v = {extent}")


def _print_entries(entries: "Sequence[Entry]") -> None:
    from verify.report.tables import columns_table

    columns = ("kind", "v", "b", "r", "k", "lambda", "status", "construction or reason")
    rows = []
    for entry in entries:
        numbers = (entry.v, entry.b, entry.r, entry.k, entry.lambda_)
        texts = ("" if number is None else str(number) for number in numbers)
        why = entry.construction or entry.reason
        rows.append((str(entry.kind), *texts, str(entry.status), why))
    print_table(columns_table("", columns, rows))


def catalog_export(
    out: Annotated[Path, typer.Option("--out", metavar="FILE", help="Where to write it.")],
    form: Annotated[
        str | None,
        typer.Option("--format", metavar="F", help="jsonl, csv, dtrs or html; else by the name."),
    ] = None,
    designs: Annotated[
        bool, typer.Option("--designs", help="Put the designs into the JSON lines too.")
    ] = False,
    db: DatabaseOption = None,
    kind: KindsOption = None,
    status: StatusesOption = None,
    min_v: MinPointsOption = None,
    max_v: MaxPointsOption = None,
    k: SizeOption = None,
    lambda_: IndexOption = None,
    construction: ConstructionOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Write the chosen entries to a file: JSON lines, CSV, DTRS XML or one HTML page.

    DTRS holds the constructed block designs with all their blocks, about ten bytes for every
    point on a block; give conditions to keep it small.
    """
    from combinatorics.catalog import Catalog
    from combinatorics.catalog.export import exported
    from verify.kernel.errors import InputError
    from verify.output_file import require_other_file, require_writable, write_atomically

    chosen = read_selection(kind, status, min_v, max_v, k, lambda_, construction)
    require_writable(out)
    require_other_file(out, str(database(db)))
    form = form or _SUFFIXES.get(out.suffix.lower())
    if form is None:
        raise InputError(f"{out}: the name does not tell the format; give --format")
    with Catalog(database(db)) as catalog, _progress("entries", quiet=quiet or json) as progress:
        found = catalog.entries(chosen)
        count = None if progress is None else lambda done: progress(done, len(found))
        write_atomically(out, exported(catalog, found, form, designs=designs, progress=count))
    content = {"file": str(out), "format": form, "entries": len(found)}
    if json:
        print_json(content)
    elif not quiet:
        typer.echo(f"{out}: {len(found)} entries as {form}")
