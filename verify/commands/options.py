"""Options that several commands share, each declared once, and what they mean."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from solvers import Epsilon

__all__ = [
    "CertificateOption",
    "CsvOption",
    "DivergenceOption",
    "EpsilonOption",
    "ExpEpsilonOption",
    "FileArgument",
    "JsonOption",
    "PlotOption",
    "QuietOption",
    "WeightsOption",
    "read_epsilon",
]

FileArgument = Annotated[
    str, typer.Argument(metavar="FILE", help="The input file; - is standard input.")
]
EpsilonOption = Annotated[
    str | None,
    typer.Option(
        "--epsilon", metavar="X", help="The privacy level in nats: log(3), ln(3), 1, 0.5 or 3/2."
    ),
]
ExpEpsilonOption = Annotated[
    str | None,
    typer.Option(
        "--exp-epsilon", metavar="E", help="The privacy level as the rational e^epsilon, such as 3."
    ),
]
CertificateOption = Annotated[
    Path | None,
    typer.Option(
        "--certificate", metavar="OUT", help="Write the certificate, once the kernel accepts it."
    ),
]
JsonOption = Annotated[
    bool, typer.Option("--json", help="Print one JSON object on standard output.")
]
DivergenceOption = Annotated[
    str,
    typer.Option(
        "--divergence",
        metavar="D",
        help="tv, kl, reverse-kl, js, chi2, reverse-chi2, hellinger, lecam, e-gamma:G, "
        "alpha:A, renyi:A, chernoff, lr:R, or a mixture W*D+W*D.",
    ),
]
WeightsOption = Annotated[
    bool,
    typer.Option("--weights", help="The numbers are counts or weights: divide by their sum."),
]
PlotOption = Annotated[
    Path | None,
    typer.Option("--plot", metavar="OUT", help="Draw the result (png, svg or pdf)."),
]
CsvOption = Annotated[
    Path | None, typer.Option("--csv", metavar="OUT", help="Write the rows of the table as CSV.")
]
QuietOption = Annotated[
    bool, typer.Option("--quiet", help="Print no table; the exit code is the answer.")
]


def read_epsilon(epsilon: str | None, exp_epsilon: str | None) -> "Epsilon":
    """The privacy level that ``--epsilon`` or ``--exp-epsilon`` gives.

    Raises:
        InputError: unless exactly one is given and it denotes a level >= 0.
    """
    from solvers import Epsilon, parse_epsilon
    from verify.kernel.errors import InputError, LimitError
    from verify.kernel.exact import as_rational, excerpt

    if epsilon is not None and exp_epsilon is None:
        try:
            return parse_epsilon(epsilon)
        except LimitError as error:
            mend = "" if "; " in str(error) else "; write it in fewer digits"
            raise LimitError(f"--{error}{mend}") from None
    if epsilon is not None or exp_epsilon is None:
        raise InputError("privacy level: give one of --epsilon X (nats) and --exp-epsilon E")
    value = as_rational(exp_epsilon, "--exp-epsilon")
    if value < 1:
        raise InputError(
            f"--exp-epsilon: {excerpt(exp_epsilon)} is less than 1, so epsilon would be negative; "
            "give e^epsilon, at least 1"
        )
    return Epsilon.from_exp(value)
