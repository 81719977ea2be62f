"""What a channel reveals, for readers."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

from verify.report.numbers import enclosure_digits, enclosure_object, exact_text, log_ratio
from verify.report.tables import Fact, facts_table, printable, verdict_facts

if TYPE_CHECKING:
    from rich.console import RenderableType

    from verify.certify import ChannelReport

__all__ = ["channel_facts", "channel_object", "channel_text"]


def channel_facts(
    report: "ChannelReport", inputs: Sequence[str] = (), outputs: Sequence[str] = ()
) -> list[Fact]:
    """What a channel reveals, in words; names of inputs and outputs are used where given."""
    ratio, channel = report.ratio, report.channel
    symbols = inputs or tuple(map(str, range(channel.n_inputs)))
    columns = outputs or tuple(map(str, range(channel.n_outputs)))
    witness = (
        f"output {printable(columns[ratio.output])} is likelier from input "
        f"{printable(symbols[ratio.likelier_input])} than from "
        f"{printable(symbols[ratio.less_likely_input])} by that factor"
    )
    facts = [
        *verdict_facts(report.verdict),
        ("inputs, outputs", f"{channel.n_inputs}, {channel.n_outputs}"),
        ("asked for epsilon", str(report.level)),
        ("exact e^epsilon", exact_text(ratio.exp_epsilon)),
        ("exact epsilon", enclosure_digits(log_ratio(ratio.exp_epsilon))),
        ("witness", witness),
        ("Dobrushin coefficient", exact_text(report.dobrushin_coefficient)),
    ]
    return facts + [
        (f"e^leakage, prior masses >= {c}", exact_text(value)) for c, value in report.leakage
    ]


def channel_text(
    report: "ChannelReport", inputs: Sequence[str] = (), outputs: Sequence[str] = ()
) -> "RenderableType":
    """The facts of a channel as a table."""
    return facts_table(
        f"Is the channel {report.level}-LDP?", channel_facts(report, inputs, outputs)
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
