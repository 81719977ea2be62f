"""``exactdp certify testing``: the best private mechanism for telling two distributions apart."""

from pathlib import Path
from time import perf_counter
from typing import Annotated

import typer

from verify.commands.options import (
    CertificateOption,
    EpsilonOption,
    ExpEpsilonOption,
    FileArgument,
    JsonOption,
    QuietOption,
    read_epsilon,
)
from verify.commands.output import conclude, conclude_undecided, decide, note, working
from verify.commands.picture import require_picture

__all__ = ["EXAMPLE", "certify_testing"]

EXAMPLE = "Example: exactdp certify testing letters.csv --weights --epsilon 1 --divergence kl"


def certify_testing(
    file: FileArgument,
    divergence: Annotated[
        str,
        typer.Option(
            "--divergence",
            metavar="D",
            help="tv, kl, reverse-kl, js, chi2, reverse-chi2, hellinger, lecam or e-gamma:G.",
        ),
    ],
    epsilon: EpsilonOption = None,
    exp_epsilon: ExpEpsilonOption = None,
    outputs: Annotated[
        int | None, typer.Option("--outputs", metavar="L", help="At most L outputs.")
    ] = None,
    weights: Annotated[
        bool,
        typer.Option("--weights", help="The numbers are counts or weights: divide by their sum."),
    ] = False,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="OUT", help="Draw utility against epsilon (png, svg or pdf)."
        ),
    ] = None,
    certificate: CertificateOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """The optimal epsilon-LDP mechanism for telling two distributions apart, with a proof.

    FILE holds the two distributions: CSV with the header symbol,p0,p1, or JSON {"p0": [...],
    "p1": [...], "labels": [...]} with labels optional.
    """
    from solvers.testing import UnprovedError, solve_testing
    from verify.intake.distributions import read_distributions
    from verify.intake.source import read_source
    from verify.kernel.divergence import parse_divergence
    from verify.kernel.errors import LimitError
    from verify.report import testing_object, testing_text

    started = perf_counter()
    _require_places(certificate, plot)
    level, name = read_epsilon(epsilon, exp_epsilon), parse_divergence(divergence).name
    _require_outputs(outputs)
    source = read_source(file)
    pair = read_distributions(source, weights=weights)
    limit = "" if outputs is None else f" with at most {outputs} outputs"
    claim = f"the best {name} of a {level}-LDP channel{limit} lies in value"
    try:
        with working("searching for the best mechanism and its proof", quiet=quiet):
            solution = solve_testing(pair.p0, pair.p1, level, name, outputs)
    except UnprovedError as error:
        conclude_undecided(claim, str(error), perf_counter() - started, json=json)
    except LimitError as error:
        raise LimitError(
            f"{source.name}: {error}; give numbers with fewer digits or a smaller privacy level"
        ) from None
    written = None if certificate is None else decide(solution.certificate, certificate)[1]
    if plot is not None:
        from verify.commands.utility_plot import draw_utility

        draw_utility(plot, solution)
        note(f"the plot is in {plot}")
    conclude(
        solution.verdict.status,
        {
            "claim": claim,
            **testing_object(solution, pair.labels),
            "certificate": written,
            "seconds": round(perf_counter() - started, 3),
        },
        lambda: testing_text(solution, pair.labels, f"{name}, epsilon = {level}{limit}"),
        json=json,
        quiet=quiet,
    )


def _require_places(certificate: Path | None, plot: Path | None) -> None:
    """Refuse outputs that could not be written, before any work is done."""
    from verify.output_file import require_writable

    if certificate is not None:
        require_writable(certificate)
    if plot is not None:
        require_picture(plot)


def _require_outputs(outputs: int | None) -> None:
    from verify.kernel.errors import InputError

    if outputs is not None and outputs < 1:
        raise InputError(f"--outputs: {outputs} is less than 1; a channel has at least one output")
