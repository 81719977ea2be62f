"""What a channel reveals, for readers."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TYPE_CHECKING

from verify.kernel.ldp import ColumnRatio
from verify.report.numbers import enclosure_digits, enclosure_object, exact_text, log_ratio
from verify.report.tables import Fact, facts_table, printable, shortened, verdict_facts

if TYPE_CHECKING:
    from rich.console import RenderableType

    from verify.certify import ChannelReport

__all__ = ["channel_facts", "channel_object", "channel_text"]


def channel_facts(
    report: "ChannelReport", inputs: Sequence[str] = (), outputs: Sequence[str] = ()
) -> list[Fact]:
    """What a channel reveals, in words; names of inputs and outputs are used where given."""
    ratio, channel = report.ratio, report.channel
    facts = [
        *verdict_facts(report.verdict),
        ("inputs, outputs", f"{channel.n_inputs}, {channel.n_outputs}"),
        ("asked for epsilon", shortened(str(report.level))),
        ("exact e^epsilon", exact_text(ratio.exp_epsilon)),
        ("exact epsilon", enclosure_digits(log_ratio(ratio.exp_epsilon))),
        ("witness", _witness(ratio, inputs, outputs)),
        ("Dobrushin coefficient", exact_text(report.dobrushin_coefficient)),
    ]
    return facts + [
        (f"e^leakage, prior masses >= {shortened(str(c))}", exact_text(value))
        for c, value in report.leakage
    ]


def _witness(ratio: ColumnRatio, inputs: Sequence[str], outputs: Sequence[str]) -> str:
    """The place of the largest ratio in words."""
    if ratio.exp_epsilon == 1:
        return "none: all inputs have the same outputs"
    output = printable(outputs[ratio.output]) if outputs else str(ratio.output)
    likelier, other = (
        printable(inputs[x]) if inputs else str(x)
        for x in (ratio.likelier_input, ratio.less_likely_input)
    )
    if not isinstance(ratio.exp_epsilon, Fraction):
        return f"output {output} comes from input {likelier} and never from {other}"
    return f"output {output} is likelier from input {likelier} than from {other} by that factor"


def channel_text(
    report: "ChannelReport", inputs: Sequence[str] = (), outputs: Sequence[str] = ()
) -> "RenderableType":
    """The facts of a channel as a table."""
    return facts_table(
        f"Is the channel {shortened(str(report.level))}-LDP?",
        channel_facts(report, inputs, outputs),
    )


def channel_object(
    report: "ChannelReport", inputs: Sequence[str] = (), outputs: Sequence[str] = ()
) -> dict[str, object]:
    """What a channel reveals as a JSON object; the witness by name where names are given."""
    ratio = report.ratio
    witness = {
        "output": outputs[ratio.output] if outputs else ratio.output,
        "likelier_input": inputs[ratio.likelier_input] if inputs else ratio.likelier_input,
        "less_likely_input": inputs[ratio.less_likely_input] if inputs else ratio.less_likely_input,
    }
    content: dict[str, object] = {
        "verdict": report.verdict.status.value,
        "reason": report.verdict.reason,
        "exp_epsilon": str(ratio.exp_epsilon),
        "epsilon": enclosure_object(log_ratio(ratio.exp_epsilon)),
        "witness": witness,
        "dobrushin_coefficient": str(report.dobrushin_coefficient),
    }
    if report.leakage:
        content["exp_leakage"] = str(report.leakage[0][1])
    return content
