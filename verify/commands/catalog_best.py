"""``exactdp catalog best``: the best private scheme for an alphabet, from the catalog too."""

from pathlib import Path
from typing import Annotated

import typer

from verify.commands.catalog_options import DatabaseOption, database
from verify.commands.certify_estimation import certify_estimation
from verify.commands.options import CertificateOption, JsonOption, QuietOption
from verify.commands.output import note

__all__ = ["EXAMPLE", "catalog_best"]

EXAMPLE = "Example: exactdp catalog best 100 1"


def catalog_best(
    alphabet_size: Annotated[int, typer.Argument(metavar="V", help="The number of symbols.")],
    epsilon: Annotated[
        str, typer.Argument(metavar="X", help="Nats: log(3), ln(3), 1, 0.5 or 3/2.")
    ],
    max_outputs: Annotated[
        int | None,
        typer.Option("--max-outputs", metavar="B", help="At most B outputs; 4V by default."),
    ] = None,
    limit: Annotated[
        int,
        typer.Option("--limit", metavar="N", help="List N schemes beside the Pareto-optimal ones."),
    ] = 10,
    db: DatabaseOption = None,
    certificate: CertificateOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """The best X-LDP scheme for estimating a distribution on V symbols, and a proof of its risk.

    Designs of the catalog are compared with their complements, with complete designs, and with
    whatever else has a construction, each truncated to V points.
    """
    from verify.output_file import require_other_file

    if certificate is not None:
        require_other_file(certificate, str(database(db)))
    certify_estimation(
        alphabet_size,
        epsilon=epsilon,
        max_outputs=max_outputs,
        limit=limit,
        db=_source(db, quiet=quiet),
        certificate=certificate,
        json=json,
        quiet=quiet,
    )


def _source(db: Path | None, *, quiet: bool) -> str | None:
    """The catalog, or None where the user has none and names none."""
    path = database(db)
    if db is not None or path.exists():
        return str(path)
    if not quiet:
        note(f"exactdp: {path}: no catalog there yet; comparing what has a construction")
    return None
