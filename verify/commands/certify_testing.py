"""``exactdp certify testing``: the best private mechanism for telling two distributions apart."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.certificate_place import require_certificate_place
from verify.commands.options import (
    CertificateOption,
    DivergenceOption,
    EpsilonOption,
    ExpEpsilonOption,
    FileArgument,
    JsonOption,
    QuietOption,
    WeightsOption,
    read_epsilon,
)
from verify.commands.output import conclude, conclude_undecided, note, working
from verify.commands.picture import require_picture
from verify.commands.supported_certificate import require_supported_place, write_supported

if TYPE_CHECKING:
    from solvers import Epsilon
    from solvers.testing import TestingSolution
    from verify.intake.distributions import DistributionPair

__all__ = ["EXAMPLE", "certify_testing"]

EXAMPLE = "Example: exactdp certify testing letters.csv --weights --epsilon 1 --divergence kl"


def certify_testing(
    file: FileArgument,
    divergence: DivergenceOption,
    epsilon: EpsilonOption = None,
    exp_epsilon: ExpEpsilonOption = None,
    outputs: Annotated[
        int | None, typer.Option("--outputs", metavar="L", help="At most L outputs.")
    ] = None,
    weights: WeightsOption = False,
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
    from solvers.testing import UnprovedError, canonical_name
    from verify.intake.distributions import read_distributions
    from verify.intake.source import read_source
    from verify.report import testing_object, testing_text

    started = perf_counter()
    level, name = read_epsilon(epsilon, exp_epsilon), canonical_name(divergence)
    _require_places(file, certificate, plot, has_cover=name == "chernoff")
    _require_outputs(outputs)
    source = read_source(file)
    pair = read_distributions(source, weights=weights)
    limit = "" if outputs is None else f" with at most {outputs} outputs"
    claim = f"the best {name} of a {level}-LDP channel{limit} lies in value"
    try:
        with working("searching for the best mechanism and its proof", quiet=quiet):
            solution = _solve(source.name, pair, level, name, outputs)
    except UnprovedError as error:
        conclude_undecided(claim, str(error), perf_counter() - started, json=json)
    written, supporting = write_supported(solution.certificate, solution.supporting, certificate)
    if plot is not None:
        from verify.commands.utility_plot import draw_utility

        with working("drawing the picture", quiet=quiet):
            draw_utility(plot, solution)
        note(f"the plot is in {plot}")
    conclude(
        solution.verdict.status,
        {
            "claim": claim,
            **testing_object(solution, pair.labels),
            **written.keys(),
            "supporting_certificates": [one.path for one in supporting],
            "supporting_sha256": [one.sha256 for one in supporting],
            "seconds": round(perf_counter() - started, 3),
        },
        lambda: testing_text(solution, pair.labels, f"{name}, epsilon = {level}{limit}"),
        json=json,
        quiet=quiet,
    )


def _solve(
    place: str, pair: "DistributionPair", level: "Epsilon", divergence: str, outputs: int | None
) -> "TestingSolution":
    """The solution; numbers over a limit are refused with the file and the mend."""
    from solvers.testing import solve_testing
    from verify.kernel.errors import LimitError

    try:
        return solve_testing(pair.p0, pair.p1, level, divergence, outputs)
    except LimitError as error:
        if str(error).startswith(("epsilon: ", "divergence ")):  # not the fault of the file
            raise
        raise LimitError(
            f"{place}: {error}; give numbers with fewer digits or a smaller privacy level"
        ) from None


def _require_places(
    file: str, certificate: Path | None, plot: Path | None, *, has_cover: bool
) -> None:
    """Refuse outputs that could not be written, before any work is done."""
    from verify.output_file import require_other_file

    if certificate is not None:
        require_other_file(certificate, file)
        require_certificate_place(certificate)
        if has_cover:
            require_supported_place(certificate)
    if plot is not None:
        require_picture(plot)
        require_other_file(plot, file)


def _require_outputs(outputs: int | None) -> None:
    from verify.kernel.errors import InputError

    if outputs is not None and outputs < 1:
        raise InputError(f"--outputs: {outputs} is less than 1; a channel has at least one output")
