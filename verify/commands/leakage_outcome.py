"""The outcome of ``certify leakage`` as a JSON object and as tables."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    from rich.console import RenderableType

    from solvers.leakage import DobrushinBound, MinimaxRow, OutputBound, TvConstants
    from verify.kernel.channel import Channel
    from verify.kernel.verdict import Verdict

__all__ = ["Outcome", "leakage_object", "leakage_text", "outcome_of"]

_DIVERGENCES = (
    *("tv", "kl", "reverse-kl", "js", "chi2", "reverse-chi2", "hellinger", "lecam"),
    *("e-gamma:2", "alpha:2", "renyi:2", "chernoff", "lr:2"),
)
_REGIMES = ("non_private", "ldp", "leakage")
_COMPARED = ("kl", "chi2", "hellinger")
_MAX_SYMBOLS = 64


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the bound implies.

    Args:
        bound: the Dobrushin bound.
        kernel: a channel that attains it.
        constants: data-processing constants in front of TV.
        pair_bounds: for KL, chi2 and squared Hellinger, every bound on the output divergence of the
            two input laws that are farthest apart, the smallest first.
        minimax: bounds on the risk of the standard problems.
    """

    bound: "DobrushinBound"
    kernel: "Channel"
    constants: "tuple[TvConstants, ...]"
    pair_bounds: "Mapping[str, tuple[OutputBound, ...]]"
    minimax: "tuple[MinimaxRow, ...]"


def outcome_of(bound: "DobrushinBound", samples: Sequence[int]) -> Outcome:
    """What the bound implies; without constants and bounds when only one law has such masses.

    The problems on distributions have as many symbols as the channel has inputs; they and the
    bounds for a pair are left out beyond 64 inputs.
    """
    from solvers.leakage import attaining_kernel, minimax_table

    one_law = bound.c * bound.n_inputs == 1
    pairs: dict[str, tuple[OutputBound, ...]] = {}
    minimax: tuple[MinimaxRow, ...] = ()
    if not one_law and bound.n_inputs <= _MAX_SYMBOLS:
        pairs = _pair_bounds(bound)
        minimax = minimax_table(bound.n_inputs, bound.c, bound.epsilon, samples)
    kernel = attaining_kernel(bound.n_inputs, bound.c, bound.epsilon)
    return Outcome(bound, kernel, () if one_law else _constants(bound), pairs, minimax)


def _constants(bound: "DobrushinBound") -> "tuple[TvConstants, ...]":
    from solvers.leakage import tv_constants

    if bound.epsilon.exp_lower == 1:
        return ()
    return tuple(
        tv_constants(name, bound.n_inputs, bound.c, bound.epsilon, 64) for name in _DIVERGENCES
    )


def _pair_bounds(bound: "DobrushinBound") -> "dict[str, tuple[OutputBound, ...]]":
    from solvers.leakage import leakage_setting, output_bounds
    from verify.kernel.distribution import Distribution

    n, c = bound.n_inputs, bound.c
    masses = [1 - (n - 1) * c, *[c] * (n - 1)]
    p, q = Distribution(tuple(masses)), Distribution((masses[1], masses[0], *masses[2:]))
    setting = leakage_setting(n, c, bound.epsilon)
    return {name: output_bounds(name, setting, p, q, 64) for name in _COMPARED}


def leakage_object(verdict: "Verdict", outcome: Outcome) -> dict[str, object]:
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
        "constants": [
            {
                "divergence": constant.name,
                "smallest": str(constant.smallest),
                "by_exp_epsilon": str(constant.by_exp_epsilon),
                "by_output_ratio": str(constant.by_output_ratio),
                "ldp": str(constant.ldp),
                "attained": str(constant.attained),
            }
            for constant in outcome.constants
        ],
        "output_bounds": {
            name: [{"name": found.name, "upper": str(found.upper)} for found in bounds]
            for name, bounds in outcome.pair_bounds.items()
        },
        "minimax": [
            {
                "problem": row.problem,
                "n_samples": row.n_samples,
                **{
                    regime: {"risk": str(found.risk), "route": found.route}
                    for regime in _REGIMES
                    for found in [getattr(row, regime)]
                },
            }
            for row in outcome.minimax
        ],
    }


def leakage_text(verdict: "Verdict", outcome: Outcome) -> "RenderableType":
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
