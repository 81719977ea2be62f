"""``exactdp trace samples``: how many users a test needs, with and without privacy."""

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.options import (
    CsvOption,
    EpsilonOption,
    ExpEpsilonOption,
    FileArgument,
    JsonOption,
    QuietOption,
    WeightsOption,
    read_epsilon,
)
from verify.commands.output import conclude, conclude_undecided, working
from verify.commands.table_and_figure import require_places, write_csv

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from solvers.testing.operating_quantities import ErrorExponents, PriceOfPrivacy, SampleSize
    from solvers.testing.product_test import ErrorPair

__all__ = ["EXAMPLE", "trace_samples"]

EXAMPLE = "Example: exactdp trace samples letters.csv --weights --epsilon 2 --error 1/20"
_CURVE_SAMPLES = 5


def trace_samples(
    file: FileArgument,
    error: Annotated[
        str, typer.Option("--error", metavar="T", help="The Bayes error to reach, such as 1/20.")
    ],
    epsilon: EpsilonOption = None,
    exp_epsilon: ExpEpsilonOption = None,
    divergence: Annotated[
        str,
        typer.Option("--divergence", metavar="D", help="What the mechanism is the best for."),
    ] = "chernoff",
    prior: Annotated[
        str, typer.Option("--prior", metavar="W", help="The prior of the first hypothesis.")
    ] = "1/2",
    samples: Annotated[
        int | None,
        typer.Option(
            "--curve-samples", metavar="N", help="Samples of the curve that --csv writes; 5."
        ),
    ] = None,
    weights: WeightsOption = False,
    csv: CsvOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Error exponents and the exact number of samples for a target error: the price of privacy.

    FILE holds the two distributions as for ``certify testing``. ``--csv`` writes the corners of the
    exact Neyman-Pearson curve of the private test on N samples.
    """
    from solvers.output_law import output_law
    from solvers.testing import UnprovedError, canonical_name, solve_testing
    from solvers.testing.operating_quantities import price_of_privacy
    from solvers.testing.product_test import ProductTest
    from verify.intake.distributions import read_distributions
    from verify.intake.source import read_source
    from verify.kernel.exact import as_rational
    from verify.kernel.verdict import Status

    started = perf_counter()
    require_places(file, csv, None)
    samples = _curve_samples(samples, csv)
    level, name = read_epsilon(epsilon, exp_epsilon), canonical_name(divergence)
    target, prior0 = as_rational(error, "--error"), as_rational(prior, "--prior")
    pair = read_distributions(read_source(file), weights=weights)
    try:
        with working("searching for the best mechanism and counting samples", quiet=quiet):
            solution = solve_testing(pair.p0, pair.p1, level, name)
            price = price_of_privacy(pair.p0, pair.p1, solution.mechanism, target, prior0)
            laws = output_law(solution.mechanism, pair.p0), output_law(solution.mechanism, pair.p1)
            corners = ProductTest(*laws, samples).neyman_pearson() if csv is not None else ()
    except UnprovedError as problem:
        claim = f"samples for a Bayes error of {target}"
        conclude_undecided(claim, str(problem), perf_counter() - started, json=json)
    if csv is not None:
        write_csv(csv, ("type_one", "type_two"), _corner_rows(corners))
    conclude(
        Status.ACCEPTED,
        {**_as_object(price), "divergence": name, "seconds": round(perf_counter() - started, 3)},
        lambda: _as_table(price, f"Bayes error {target}, epsilon = {level}, best for {name}"),
        json=json,
        quiet=quiet,
    )


def _curve_samples(samples: int | None, csv: Path | None) -> int:
    """The samples of the curve; a number of them without a file for it is a slip."""
    from verify.kernel.errors import InputError

    if samples is not None and csv is None:
        raise InputError("--curve-samples: is for the curve that --csv writes; add --csv OUT")
    if samples is not None and samples < 0:
        raise InputError(f"--curve-samples: {samples} is negative; give a number of samples")
    return _CURVE_SAMPLES if samples is None else samples


def _corner_rows(corners: "Sequence[ErrorPair]") -> list[tuple[object, object]]:
    return [(corner.type_one, corner.type_two) for corner in corners]


def _exponents(exponents: "ErrorExponents") -> dict[str, object]:
    from verify.report import enclosure_object

    return {
        name: enclosure_object(value)
        for name, value in (
            ("bayes", exponents.bayes),
            ("type_two", exponents.type_two),
            ("type_one", exponents.type_one),
        )
    }


def _size(size: "SampleSize") -> dict[str, object]:
    return {"lower": size.lower, "upper": size.upper}


def _as_object(price: "PriceOfPrivacy") -> dict[str, object]:
    low, high = price.factor
    return {
        "verdict": "ACCEPTED",
        "private": {
            "exponents": _exponents(price.private),
            "samples": _size(price.private_samples),
        },
        "non_private": {
            "exponents": _exponents(price.non_private),
            "samples": _size(price.non_private_samples),
        },
        "price_of_privacy": {"lower": str(low), "upper": None if high is None else str(high)},
    }


def _as_table(price: "PriceOfPrivacy", title: str) -> "RenderableType":
    from verify.report import columns_table, enclosure_digits, shortened

    def samples(size: "SampleSize") -> str:
        if size.is_exact:
            return str(size.lower)
        return f"{size.lower} .. {'no number suffices' if size.upper is None else size.upper}"

    pairs = (
        ("exponent of the Bayes error", price.private.bayes, price.non_private.bayes),
        ("exponent of the second error", price.private.type_two, price.non_private.type_two),
        ("exponent of the first error", price.private.type_one, price.non_private.type_one),
    )
    rows = [(text, enclosure_digits(a), enclosure_digits(b)) for text, a, b in pairs]
    rows.append(
        ("samples needed", samples(price.private_samples), samples(price.non_private_samples))
    )
    columns = ("quantity", "private", "non-private")
    return columns_table(f"Price of privacy: {shortened(title)}", columns, rows)
