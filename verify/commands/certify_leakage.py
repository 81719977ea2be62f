"""``exactdp certify leakage``: how much can a channel with this leakage tell, and what follows."""

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
from verify.commands.picture import require_picture

if TYPE_CHECKING:
    from solvers import Epsilon

__all__ = ["EXAMPLE", "certify_leakage"]

EXAMPLE = "Example: exactdp certify leakage --inputs 4 --c 1/10 --epsilon 1"
MAX_MASS_DIGITS, MAX_LEVEL_DIGITS = 400, 1000
"""Longest c, and longest rational above e^epsilon, that the command takes."""


def certify_leakage(
    inputs: Annotated[int, typer.Option("--inputs", metavar="N", help="Inputs of the channel.")],
    c: Annotated[
        str,
        typer.Option("--c", metavar="C", help="Every prior has masses of at least C, C <= 1/N."),
    ],
    epsilon: EpsilonOption = None,
    exp_epsilon: ExpEpsilonOption = None,
    samples: Annotated[
        list[int] | None,
        typer.Option("--samples", metavar="M", help="Users of the minimax bounds; repeatable."),
    ] = None,
    plot: Annotated[
        Path | None,
        typer.Option(
            "--plot", metavar="OUT", help="Draw the bound against epsilon (png, svg or pdf)."
        ),
    ] = None,
    certificate: CertificateOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """The tight Dobrushin bound of channels that leak at most epsilon, and a channel that has it.

    The leakage is pointwise maximal, under every prior with masses of at least C. The strong data
    processing constants and the minimax bounds that follow stand beside it.
    """
    from solvers.leakage import solve_leakage
    from verify.commands.leakage_outcome import leakage_object, leakage_text

    started = perf_counter()
    if certificate is not None:
        require_certificate_place(certificate)
    if plot is not None:
        require_picture(plot)
    _require_inputs(inputs)
    level = read_epsilon(epsilon, exp_epsilon)
    _require_digits(c, level)
    with working("proving the bound and what follows", quiet=quiet):
        outcome = solve_leakage(inputs, c, level, samples or [1000])
    bound = outcome.bound
    verdict, written = outcome.verdict, NOT_WRITTEN
    if certificate is not None:
        verdict, written = decide(outcome.certificate, certificate)
    if plot is not None:
        _draw(plot, bound.n_inputs, bound.c, bound.exp_threshold)
        note(f"the plot is in {plot}")
    content = {
        "claim": (
            f"the largest Dobrushin coefficient of a channel with {inputs} inputs and leakage "
            f"{bound.epsilon} over priors with masses >= {bound.c} lies in dobrushin_bound"
        ),
        **leakage_object(verdict, outcome),
        **written.keys(),
        "seconds": round(perf_counter() - started, 3),
    }
    conclude(
        verdict.status,
        content,
        lambda: leakage_text(verdict, outcome),
        json=json,
        quiet=quiet,
    )


def _require_inputs(inputs: int) -> None:
    """Refuse a number of inputs that the kernel would refuse, before any work."""
    from verify.kernel.errors import InputError, LimitError
    from verify.kernel.kinds import MAX_INPUTS

    if inputs < 2:
        raise InputError(f"--inputs: {inputs} is less than 2; a channel needs two inputs to tell")
    if inputs > MAX_INPUTS:
        raise LimitError(f"--inputs: {inputs} is over the limit of {MAX_INPUTS}")


def _require_digits(c: str, level: "Epsilon") -> None:
    """Refuse numbers whose products, in the tables that follow, would grow past all reading."""
    from verify.kernel.errors import LimitError
    from verify.kernel.exact import as_rational

    exp = level.exp_upper
    for place, number, most in (
        ("--c", as_rational(c, "--c"), MAX_MASS_DIGITS),
        ("privacy level", exp, MAX_LEVEL_DIGITS),
    ):
        if max(abs(number.numerator), number.denominator) >= 10**most:
            raise LimitError(f"{place}: over the limit of {most} digits; give a shorter number")


def _draw(path: Path, n_inputs: int, c: object, exp_threshold: object) -> None:
    """The bound against epsilon for the given c beside c = 0 and c = 1/N."""
    import io
    import math
    from fractions import Fraction

    from solvers.leakage.plots import plot_dobrushin_bound
    from verify.output_file import write_atomically

    finite = isinstance(exp_threshold, Fraction) and exp_threshold > 0
    right = math.ceil(math.log(float(exp_threshold))) + 1 if finite else 4  # type: ignore[arg-type]
    masses = sorted({Fraction(0), Fraction(str(c)), Fraction(1, n_inputs)})
    page = io.BytesIO()
    figure = plot_dobrushin_bound(n_inputs, masses, right)
    figure.savefig(page, format=path.suffix.lower().removeprefix("."))
    write_atomically(path, page.getvalue())
