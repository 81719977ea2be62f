"""The best private estimation schemes, as a JSON object and as tables."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING

from solvers.estimation.planned import PlannedStructure
from solvers.estimation.risk import enclose_loss
from verify.kernel.exact import rational_text
from verify.kernel.interval import Interval
from verify.report import (
    columns_table,
    digits,
    enclosure_digits,
    enclosure_object,
    exact_text,
    facts_table,
    shortened,
    verdict_facts,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

    from solvers.estimation import Scheme, SchemeRanking
    from verify.kernel.verdict import Verdict

__all__ = ["SchemeLine", "estimation_object", "estimation_text", "scheme_lines"]

_DENOMINATOR = 10**30
"""Enclosures of irrational losses are widened to multiples of 1 over this."""


@dataclass(frozen=True, slots=True)
class SchemeLine:
    """A scheme of the table, with its risk in the loss asked for.

    Args:
        scheme: the scheme.
        points: points of its design before truncation.
        block_size: points on a block of that design.
        n_risk: worst risk times n (for u < 2: its limit, times n^(u/2)).
        ratio: that over the optimum.
        is_pareto: whether none considered has less risk and as few outputs.
    """

    scheme: "Scheme"
    points: int
    block_size: int
    n_risk: Fraction | Interval
    ratio: Fraction | Interval
    is_pareto: bool


def scheme_lines(ranking: "SchemeRanking", loss: Fraction) -> Iterator[SchemeLine]:
    """The schemes of a ranking in its order."""
    for scheme in ranking:
        structure = scheme.structure
        if not isinstance(structure, PlannedStructure):
            continue
        points, size = structure.candidate.points, structure.candidate.k
        risk, ratio = scheme.n_risk, scheme.ratio
        shown: Fraction | Interval = risk
        share: Fraction | Interval = ratio
        if loss != 2:
            shown = _loss(risk, ranking.alphabet_size, loss)
            share = _quotient(shown, _loss(ranking.optimum, ranking.alphabet_size, loss))
        yield SchemeLine(scheme, points, size, shown, share, scheme in ranking.pareto)


def _loss(n_risk: Fraction, alphabet_size: int, loss: Fraction) -> Interval:
    return _widened(enclose_loss(n_risk, alphabet_size, loss))


def _quotient(above: Interval, below: Interval) -> Interval:
    return _widened(Interval(above.lower / below.upper, above.upper / below.lower))


def _widened(value: Interval) -> Interval:
    """The enclosure with short end points."""
    low = value.lower * _DENOMINATOR // 1
    high = -(-value.upper * _DENOMINATOR // 1)
    return Interval(Fraction(low, _DENOMINATOR), Fraction(high, _DENOMINATOR))


def _spelled(value: Fraction | Interval) -> object:
    return enclosure_object(value) if isinstance(value, Interval) else rational_text(value)


def _optimum(ranking: "SchemeRanking", loss: Fraction) -> Fraction | Interval:
    if loss == 2:
        return ranking.optimum
    return _loss(ranking.optimum, ranking.alphabet_size, loss)


def estimation_object(
    verdict: "Verdict", ranking: "SchemeRanking", loss: Fraction
) -> dict[str, object]:
    """The keys of the JSON object."""
    return {
        "verdict": verdict.status.value,
        "reason": verdict.reason,
        "alphabet_size": ranking.alphabet_size,
        "epsilon": str(ranking.epsilon),
        "exp_epsilon": rational_text(ranking.epsilon.exp_lower),
        "loss": str(loss),
        "max_outputs": ranking.max_outputs,
        "considered": ranking.considered,
        "optimal_block_sizes": list(ranking.optimal_block_sizes),
        "optimum": _spelled(_optimum(ranking, loss)),
        "schemes": [_scheme_object(line) for line in scheme_lines(ranking, loss)],
    }


def _scheme_object(line: SchemeLine) -> dict[str, object]:
    scheme, parameters = line.scheme, line.scheme.parameters
    return {
        "name": scheme.name,
        "v": line.points,
        "b": parameters.b,
        "r": parameters.r,
        "k": line.block_size,
        "lambda": parameters.lambda_,
        "truncated_to": parameters.v if parameters.v < line.points else None,
        "bits": scheme.bits,
        "report_bits": scheme.report_bits,
        "n_risk": _spelled(line.n_risk),
        "ratio": _spelled(line.ratio),
        "exactly_optimal": scheme.is_optimal,
        "pareto": line.is_pareto,
    }


def estimation_text(
    verdict: "Verdict", ranking: "SchemeRanking", loss: Fraction
) -> "RenderableType":
    """The facts and the table of schemes."""
    from rich.console import Group

    title = f"Estimating a law on {ranking.alphabet_size} symbols, epsilon = {ranking.epsilon}"
    power = "n" if loss == 2 else f"n^({loss / 2})"
    facts = [
        *verdict_facts(verdict),
        ("optimal block sizes", ", ".join(map(str, ranking.optimal_block_sizes))),
        (f"no unbiased scheme has {power} x risk below", _digits(_optimum(ranking, loss))),
        ("e^epsilon used", exact_text(ranking.epsilon.exp_lower)),
        ("structures compared", f"{ranking.considered}, at most {ranking.max_outputs} outputs"),
    ]
    columns = ("design (v, k, lambda)", "outputs", "bits", f"{power} x risk", "ratio", "", "scheme")
    return Group(
        facts_table(title, facts),
        columns_table(
            "Schemes, best first; P: none has less risk and as few outputs; =: exactly optimal",
            columns,
            (_row(line) for line in scheme_lines(ranking, loss)),
        ),
    )


def _row(line: SchemeLine) -> tuple[str, ...]:
    scheme, parameters = line.scheme, line.scheme.parameters
    return (
        f"({line.points}, {line.block_size}, {parameters.lambda_})",
        str(parameters.b),
        f"{scheme.bits:.3f}",
        _short(line.n_risk),
        _short(line.ratio),
        ("P" if line.is_pareto else "") + ("=" if scheme.is_optimal else ""),
        shortened(scheme.name),
    )


def _short(value: Fraction | Interval) -> str:
    """The middle of an enclosure, whose width shows in no table, to 12 digits."""
    return digits(value if isinstance(value, Fraction) else (value.lower + value.upper) / 2)


def _digits(value: Fraction | Interval) -> str:
    return enclosure_digits(value) if isinstance(value, Interval) else exact_text(value)
