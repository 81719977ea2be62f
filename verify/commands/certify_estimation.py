"""``exactdp certify estimation``: the best private scheme for estimating a distribution."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.certificate_place import require_certificate_place
from verify.commands.options import (
    CertificateOption,
    EpsilonOption,
    ExpEpsilonOption,
    JsonOption,
    QuietOption,
    read_epsilon,
)
from verify.commands.output import NOT_WRITTEN, conclude, decide, note, working

if TYPE_CHECKING:
    from fractions import Fraction

    from solvers.estimation import SchemeRanking
    from verify.commands.output import WrittenCertificate
    from verify.kernel.verdict import Verdict

__all__ = ["EXAMPLE", "certify_estimation"]

EXAMPLE = "Example: exactdp certify estimation --alphabet-size 100 --epsilon 1"
_PLOTTED = 200
"""Schemes in the picture beside the Pareto-optimal ones."""


def certify_estimation(
    alphabet_size: Annotated[
        int, typer.Option("--alphabet-size", metavar="V", help="The number of symbols.")
    ],
    epsilon: EpsilonOption = None,
    exp_epsilon: ExpEpsilonOption = None,
    loss: Annotated[
        str,
        typer.Option(
            "--loss", metavar="U", help="The risk is the sum of the |errors|^U, U in 1..2."
        ),
    ] = "2",
    max_outputs: Annotated[
        int | None,
        typer.Option("--max-outputs", metavar="B", help="At most B outputs; 4V by default."),
    ] = None,
    limit: Annotated[
        int,
        typer.Option("--limit", metavar="N", help="List N schemes beside the Pareto-optimal ones."),
    ] = 10,
    db: Annotated[
        str | None,
        typer.Option(
            "--db",
            metavar="FILE",
            help="Consider the designs of this catalog as well; by default yours, if you have one.",
        ),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="OUT", help="Draw the ratio against the bits (png, svg or pdf)."
        ),
    ] = None,
    certificate: CertificateOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """The best constructible epsilon-LDP scheme for estimating a distribution on V symbols.

    Every structure that can be built is compared by its exact risk. The certificate is that of the
    best one: it is private, its worst risk is as stated, and none unbiased is below the optimum.
    """
    from solvers.estimation import best_schemes
    from verify.commands.estimation_outcome import estimation_object, estimation_text

    started = perf_counter()
    _require_places(certificate, plot)
    level, power = read_epsilon(epsilon, exp_epsilon), _read_loss(loss)
    source = _own_catalog() if db is None else db
    with working("comparing schemes and proving the best", quiet=quiet):
        ranking = best_schemes(
            alphabet_size, level, max_outputs=max_outputs, limit=limit, catalog=source
        )
        verdict, written = _decided(ranking, certificate)
    if plot is not None:
        from verify.commands.scheme_plot import draw_schemes

        with working("comparing more schemes for the picture", quiet=quiet):
            wider = best_schemes(
                alphabet_size, level, max_outputs=max_outputs, limit=_PLOTTED, catalog=source
            )
            draw_schemes(plot, wider)
        note(f"the plot is in {plot}")
    content = {
        "claim": (
            f"the first scheme is {level}-LDP and has the worst risk stated, and no unbiased "
            f"{level}-LDP scheme for {alphabet_size} symbols has one below optimum"
        ),
        **estimation_object(verdict, ranking, power),
        "catalog": source,
        **written.keys(),
        "seconds": round(perf_counter() - started, 3),
    }
    conclude(
        verdict.status,
        content,
        lambda: estimation_text(verdict, ranking, power),
        json=json,
        quiet=quiet,
    )


def _require_places(certificate: Path | None, plot: Path | None) -> None:
    """Refuse outputs that could not be written, before any work is done."""
    if certificate is not None:
        require_certificate_place(certificate)
    if plot is not None:
        from verify.commands.picture import require_picture

        require_picture(plot)


def _own_catalog() -> str | None:
    """The user's catalog, if it has been built."""
    from combinatorics.catalog import default_path

    place = default_path()
    return str(place) if place.is_file() else None


def _read_loss(text: str) -> "Fraction":
    from verify.kernel.errors import InputError
    from verify.kernel.exact import as_rational, excerpt

    power = as_rational(text, "--loss")
    if not 1 <= power <= 2:
        raise InputError(f"--loss: {excerpt(text)} is not in 1..2; give 2 for squared errors")
    return power


def _decided(
    ranking: "SchemeRanking", certificate: Path | None
) -> "tuple[Verdict, WrittenCertificate]":
    """The kernel's verdict on the best scheme; undecided where its blocks are too many to check."""
    from solvers.estimation import scheme_certificate
    from verify.kernel.errors import LimitError
    from verify.kernel.verdict import undecided

    try:
        return decide(scheme_certificate(ranking.best), certificate)
    except LimitError as error:
        return undecided(f"the best scheme is too large for the kernel: {error}"), NOT_WRITTEN
