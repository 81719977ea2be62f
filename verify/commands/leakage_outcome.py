"""The outcome of ``certify leakage`` as a JSON object and as tables."""

from collections import Counter
from typing import TYPE_CHECKING

from verify.report import (
    columns_table,
    digits,
    enclosure_digits,
    enclosure_object,
    exact_text,
    facts_table,
    verdict_facts,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from solvers.leakage import LeakageSolution, MinimaxRow, OutputBound, TvConstants
    from verify.kernel.verdict import Verdict

__all__ = ["leakage_object", "leakage_text"]

_REGIMES = ("non_private", "ldp", "leakage")


def leakage_object(verdict: "Verdict", outcome: "LeakageSolution") -> dict[str, object]:
    """The outcome as a JSON object."""
    from verify.kernel.interval import Interval

    bound = outcome.bound
    return {
        "verdict": verdict.status.value,
        "reason": verdict.reason,
        "inputs": bound.n_inputs,
        "c": str(bound.c),
        "level": str(bound.epsilon),
        "dobrushin_bound": enclosure_object(Interval(bound.lower, bound.upper)),
        "kernel": [[str(entry) for entry in row] for row in outcome.kernel.rows],
        "contracts": bound.contracts,
        "threshold_epsilon": enclosure_object(bound.enclose_threshold()),
        "exp_threshold": str(bound.exp_threshold),
        "constants": [_constant_object(constant) for constant in outcome.constants],
        "output_bounds": {
            name: [{"name": found.name, "upper": str(found.upper)} for found in bounds]
            for name, bounds in outcome.pair_bounds.items()
        },
        "minimax": [_minimax_object(row) for row in outcome.minimax],
    }


def _constant_object(constant: "TvConstants") -> dict[str, str]:
    keys = ("smallest", "by_exp_epsilon", "by_output_ratio", "ldp", "attained")
    return {"divergence": constant.name, **{key: str(getattr(constant, key)) for key in keys}}


def _minimax_object(row: "MinimaxRow") -> dict[str, object]:
    bounds = {regime: getattr(row, regime) for regime in _REGIMES}
    return {
        "problem": row.problem,
        "n_samples": row.n_samples,
        **{
            regime: {"risk": str(found.risk), "route": found.route}
            for regime, found in bounds.items()
        },
    }


def leakage_text(verdict: "Verdict", outcome: "LeakageSolution") -> "RenderableType":
    """The outcome as tables."""
    from rich.console import Group

    from verify.kernel.exact import Infinity
    from verify.kernel.interval import Interval

    bound = outcome.bound
    threshold = bound.enclose_threshold()
    facts = [
        *verdict_facts(verdict),
        ("largest Dobrushin coefficient", enclosure_digits(Interval(bound.lower, bound.upper))),
        ("every such channel contracts", "yes" if bound.contracts else "no"),
        (
            "contracts below epsilon",
            "every" if isinstance(threshold, Infinity) else enclosure_digits(threshold),
        ),
    ]
    if bound.lower:
        inflation = Interval(1 / bound.upper, 1 / bound.lower)
        facts.append(("samples inflate by at least", enclosure_digits(inflation)))
    kinds = Counter(outcome.kernel.rows).items()
    title = f"{bound.n_inputs} inputs, leakage {bound.epsilon}, priors with masses >= {bound.c}"
    tables = [
        facts_table(title, facts),
        columns_table(
            "A channel that attains it (two outputs)",
            ("inputs", "P(first output)", "P(second output)"),
            [(str(count), *(exact_text(entry) for entry in row)) for row, count in kinds],
        ),
    ]
    if outcome.constants:
        tables.append(_constants_table(outcome.constants))
    if outcome.pair_bounds:
        tables.append(_pair_table(outcome.pair_bounds))
    if outcome.minimax:
        tables.append(_minimax_table(outcome.minimax))
    return Group(*tables)


def _pair_table(pair_bounds: "Mapping[str, tuple[OutputBound, ...]]") -> "RenderableType":
    return columns_table(
        "Bounds on the output divergence of the two laws that are farthest apart",
        ("divergence", "bound", "value"),
        [
            (name, found.name, digits(found.upper))
            for name, bounds in pair_bounds.items()
            for found in bounds
        ],
    )


def _constants_table(constants: "Sequence[TvConstants]") -> "RenderableType":
    return columns_table(
        "Data processing: the output divergence is at most this times the input TV",
        ("divergence", "smallest", "by e^epsilon", "by output ratio", "LDP", "best is at least"),
        [
            (
                constant.name,
                *(
                    digits(value)
                    for value in (
                        constant.smallest,
                        constant.by_exp_epsilon,
                        constant.by_output_ratio,
                        constant.ldp,
                        constant.attained,
                    )
                ),
            )
            for constant in constants
        ],
    )


def _minimax_table(minimax: "Sequence[MinimaxRow]") -> "RenderableType":
    return columns_table(
        "Minimax risk over laws with these masses is at least",
        ("problem", "samples", "non-private", "LDP", "leakage"),
        [
            (
                row.problem,
                str(row.n_samples),
                *(digits(getattr(row, regime).risk) for regime in _REGIMES),
            )
            for row in minimax
        ],
    )
