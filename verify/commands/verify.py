"""``exactdp verify``: the theorems of the sources, checked."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, NoReturn

import typer

from verify.commands.options import JsonOption, QuietOption

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verify.claims import Claim, ClaimResult
    from verify.claims.checkpoint import Checkpoint
    from verify.claims.exhaustive import Progress

__all__ = ["EXAMPLE", "verify"]

EXAMPLE = "Example: exactdp verify testing.spr-optimal leakage --jobs 2 --html claims.html"


def verify(
    claims: Annotated[
        list[str] | None,
        typer.Argument(metavar="[CLAIM]...", help="Ids, topics or patterns; all by default."),
    ] = None,
    list_: Annotated[bool, typer.Option("--list", help="List the claims and check none.")] = False,
    up_to: Annotated[
        int | None,
        typer.Option("--up-to", metavar="N", min=1, help="The size of every exhaustive check."),
    ] = None,
    jobs: Annotated[int, typer.Option("--jobs", metavar="N", min=1, help="Processes.")] = 1,
    scheduler: Annotated[
        str | None,
        typer.Option("--scheduler", metavar="ADDRESS", help="Work on a dask cluster instead."),
    ] = None,
    self_test: Annotated[
        bool,
        typer.Option("--self-test", help="Check the false variants: each must be refuted."),
    ] = False,
    checkpoint: Annotated[
        Path | None,
        typer.Option(
            "--checkpoint", metavar="FILE", help="Keep finished work there; resume from it."
        ),
    ] = None,
    seed: Annotated[int, typer.Option("--seed", metavar="N", help="Of drawn instances.")] = 0,
    html: Annotated[
        Path | None,
        typer.Option("--html", metavar="OUT", help="Write a page with claims and figures."),
    ] = None,
    lines: Annotated[
        Path | None,
        typer.Option("--lines", metavar="OUT", help="Write one JSON line a claim as it ends."),
    ] = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Check the theorems behind this program: symbolically, exhaustively or on drawn instances.

    Exit code 0 if every claim is accepted, 1 if one is refuted, 3 if one is undecided. With
    --self-test: 0 if every false variant is refuted with a counterexample, else 1.
    """
    from verify.claims import select_claims
    from verify.output_file import require_writable

    chosen = select_claims(claims or [])
    if list_:
        _print_list(chosen, json=json, quiet=quiet)
    for path in (html, lines):
        if path is not None:
            require_writable(path)
    results = _results(
        chosen,
        mutant=self_test,
        up_to=up_to,
        jobs=jobs,
        scheduler=scheduler,
        checkpoint=checkpoint,
        seed=seed,
        lines=lines,
        quiet=quiet,
    )
    if html is not None:
        from verify.claims.page import page
        from verify.output_file import write_atomically

        write_atomically(html, page(results, seed=seed).encode())
    _conclude(results, seed=seed, self_test=self_test, json=json, quiet=quiet)


def _print_list(claims: "Sequence[Claim]", *, json: bool, quiet: bool) -> NoReturn:
    from verify.commands.output import print_json, print_table
    from verify.report import columns_table

    if json:
        rows = [
            {"id": c.id, "statement": c.statement, "source": c.source, "method": c.methods}
            for c in claims
        ]
        print_json({"claims": rows})
    elif not quiet:
        columns = ("claim", "statement", "method", "source")
        table = ((c.id, c.statement, c.methods, c.source) for c in claims)
        print_table(columns_table(f"{len(claims)} claims", columns, table))
    raise typer.Exit(0)


def _results(
    claims: "Sequence[Claim]",
    *,
    mutant: bool,
    up_to: int | None,
    jobs: int,
    scheduler: str | None,
    checkpoint: Path | None,
    seed: int,
    lines: Path | None,
    quiet: bool,
) -> "list[ClaimResult]":
    """Check the claims, write the lines as they come, show progress on a terminal."""
    from verify.claims import check_claims

    store = _open_checkpoint(checkpoint)
    results: list[ClaimResult] = []
    try:
        with _progress(quiet=quiet) as progress:
            for result in check_claims(
                claims,
                mutant=mutant,
                up_to=up_to,
                jobs=jobs,
                scheduler=scheduler,
                checkpoint=store,
                seed=seed,
                progress=progress,
            ):
                results.append(result)
                if lines is not None:
                    _write_lines(lines, results)
    finally:
        if store is not None:
            store.close()
    return results


def _write_lines(path: Path, results: "Sequence[ClaimResult]") -> None:
    """Write all lines so far anew: whoever reads, and whatever happens, finds whole lines."""
    import json

    from verify.output_file import write_atomically

    text = "".join(json.dumps(result.as_object()) + "\n" for result in results)
    write_atomically(path, text.encode("ascii"))


def _open_checkpoint(path: Path | None) -> "Checkpoint | None":
    if path is None:
        return None
    from verify.claims.checkpoint import Checkpoint

    return Checkpoint(path)


class _ProgressBar:
    """A bar with an estimate of the time left on a terminal; nothing in a pipe."""

    def __init__(self, *, quiet: bool) -> None:
        self._bar = None
        if not quiet and sys.stderr.isatty():
            from rich.console import Console
            from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.percentage:>4.1f} %"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
            )

    def __enter__(self) -> "Progress | None":
        if self._bar is None:
            return None
        self._bar.start()
        task = self._bar.add_task("", total=1.0)
        bar = self._bar
        return lambda share, claim: bar.update(task, completed=share, description=claim)

    def __exit__(self, *_: object) -> None:
        if self._bar is not None:
            self._bar.stop()


def _progress(*, quiet: bool) -> _ProgressBar:
    return _ProgressBar(quiet=quiet)


def _conclude(
    results: "Sequence[ClaimResult]", *, seed: int, self_test: bool, json: bool, quiet: bool
) -> NoReturn:
    from verify.claims.table import results_table
    from verify.commands.output import EXIT_CODES, print_json, print_table

    if self_test:
        code = 0 if all(result.is_killed for result in results) else 1
    else:
        found = {result.status.value for result in results}
        worst = next((v for v in ("REJECTED", "UNDECIDED") if v in found), "ACCEPTED")
        code = EXIT_CODES[worst]
    if json:
        rows = [result.as_object() for result in results]
        print_json({"self_test": self_test, "seed": seed, "claims": rows})
    elif not quiet:
        print_table(results_table(results, seed=seed))
    raise typer.Exit(code)
