"""Verdicts and solutions for readers: facts in words, tables, JSON objects and HTML.

In JSON an exact number is the text ``p/q`` and an enclosed one the pair ``lower``, ``upper``. In
tables numbers have 12 significant digits; an enclosure is rounded outwards.
"""

from collections.abc import Iterable, Mapping, Sequence
from decimal import ROUND_CEILING, ROUND_FLOOR, ROUND_HALF_EVEN, Context, Decimal
from fractions import Fraction
from typing import TYPE_CHECKING, Protocol

from verify.kernel.exact import Extended
from verify.kernel.interval import Interval, enclose_log
from verify.kernel.verdict import Verdict

if TYPE_CHECKING:
    from rich.console import RenderableType

    from verify.certify import ChannelReport
    from verify.kernel.channel import Channel

__all__ = [
    "Fact",
    "channel_facts",
    "channel_object",
    "channel_text",
    "digits",
    "enclosure_digits",
    "enclosure_object",
    "exact_text",
    "facts_html",
    "facts_table",
    "log_ratio",
    "printable",
]

DIGITS = 12
"""Significant digits of a number in a table."""
_LOG_BITS = 128
_SHORT = 24

Fact = tuple[str, str]
"""What a number is called, and the number."""


def printable(text: str) -> str:
    """The text with every character that a terminal might obey, or cannot show, spelled out."""
    return "".join(ch if ch.isprintable() else ch.encode("unicode_escape").decode() for ch in text)


def digits(number: Extended, rounding: str = ROUND_HALF_EVEN) -> str:
    """The number to 12 significant digits, correctly rounded."""
    if not isinstance(number, Fraction):
        return "infinite"
    context = Context(prec=DIGITS, rounding=rounding, Emin=-999999, Emax=999999)
    quotient = context.divide(Decimal(number.numerator), Decimal(number.denominator))
    return f"{quotient.normalize(context):g}" if quotient else "0"


def exact_text(number: Extended) -> str:
    """12 digits of an exact number, and the number itself where it is short."""
    if not isinstance(number, Fraction) or number.denominator == 1:
        return digits(number) if len(str(number)) > DIGITS else str(number)
    text = str(number)
    return f"{digits(number)} = {text}" if len(text) <= _SHORT else digits(number)


def enclosure_digits(enclosure: Interval | Extended) -> str:
    """The enclosure rounded outwards; one number where it is exact."""
    if not isinstance(enclosure, Interval):
        return exact_text(enclosure)
    if enclosure.is_exact:
        return exact_text(enclosure.lower)
    low, high = digits(enclosure.lower, ROUND_FLOOR), digits(enclosure.upper, ROUND_CEILING)
    return f"{low} .. {high}"


def enclosure_object(enclosure: Interval | Extended) -> dict[str, str]:
    """The pair ``lower``, ``upper`` as texts ``p/q`` or ``inf``."""
    if isinstance(enclosure, Interval):
        return {"lower": str(enclosure.lower), "upper": str(enclosure.upper)}
    return {"lower": str(enclosure), "upper": str(enclosure)}


def log_ratio(exp_epsilon: Extended) -> Interval | Extended:
    """Encloses epsilon, the logarithm of e^epsilon; INFINITE where it is."""
    if isinstance(exp_epsilon, Fraction):
        return enclose_log(exp_epsilon, _LOG_BITS)
    return exp_epsilon


def facts_table(title: str, facts: Iterable[Fact]) -> "RenderableType":
    """The facts as a two-column table."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(title=Text(title), title_justify="left", show_header=False, box=box.SIMPLE_HEAD)
    table.add_column(no_wrap=True)
    table.add_column(overflow="fold")
    for name, value in facts:
        table.add_row(Text(name), Text(value))
    return table


def facts_html(facts: Iterable[Fact]) -> str:
    """The facts as an HTML table."""
    from html import escape

    cells = (f"<tr><th>{escape(name)}</th><td>{escape(value)}</td></tr>" for name, value in facts)
    return f"<table>{''.join(cells)}</table>"


def verdict_facts(verdict: Verdict) -> list[Fact]:
    """The answer and its reason."""
    return [("verdict", verdict.status.value), ("because", printable(verdict.reason))]


def channel_facts(
    report: "ChannelReport", inputs: Sequence[str] = (), outputs: Sequence[str] = ()
) -> list[Fact]:
    """What a channel reveals, in words; names of inputs and outputs are used where given."""
    ratio, channel = report.ratio, report.channel
    symbols = inputs or tuple(map(str, range(channel.n_inputs)))
    columns = outputs or tuple(map(str, range(channel.n_outputs)))
    facts = [
        *verdict_facts(report.verdict),
        ("inputs, outputs", f"{channel.n_inputs}, {channel.n_outputs}"),
        ("asked for epsilon", str(report.level)),
        ("exact e^epsilon", exact_text(ratio.exp_epsilon)),
        ("exact epsilon", enclosure_digits(log_ratio(ratio.exp_epsilon))),
        (
            "witness",
            f"output {printable(columns[ratio.output])} is likelier from input "
            f"{printable(symbols[ratio.likelier_input])} than from "
            f"{printable(symbols[ratio.less_likely_input])} by that factor",
        ),
        ("Dobrushin coefficient", exact_text(report.dobrushin_coefficient)),
    ]
    return facts + [
        (f"e^leakage, prior masses >= {c}", exact_text(value)) for c, value in report.leakage
    ]


def channel_text(
    report: "ChannelReport", inputs: Sequence[str] = (), outputs: Sequence[str] = ()
) -> "RenderableType":
    """The facts of a channel as a table."""
    return facts_table("Channel", channel_facts(report, inputs, outputs))


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


def check_table(results: Iterable[Mapping[str, str]]) -> "RenderableType":
    """The results of ``check`` as a table with the columns file, verdict, reason."""
    from rich import box
    from rich.table import Table
    from rich.text import Text

    table = Table(box=box.SIMPLE_HEAD)
    for column in ("file", "verdict", "reason"):
        table.add_column(column, overflow="fold")
    for result in results:
        table.add_row(*(Text(printable(result[key])) for key in ("file", "verdict", "reason")))
    return table


class TestingResult(Protocol):
    """What a report needs of the solution of a testing problem."""

    @property
    def value_lower(self) -> Fraction: ...
    @property
    def value_upper(self) -> Fraction: ...
    @property
    def relative_gap(self) -> Fraction: ...
    @property
    def blocks(self) -> Sequence[Sequence[int]]: ...
    @property
    def exp_epsilon(self) -> Fraction: ...
    @property
    def baselines(self) -> Mapping[str, Interval | Extended]: ...
