"""``exactdp certify channel``: is this channel private at this level, and what does it reveal?"""

from time import perf_counter
from typing import Annotated

import typer

from verify.commands.certificate_place import require_certificate_place
from verify.commands.options import (
    CertificateOption,
    EpsilonOption,
    ExpEpsilonOption,
    FileArgument,
    JsonOption,
    QuietOption,
    read_epsilon,
)
from verify.commands.output import NOT_WRITTEN, conclude, decide, note

__all__ = ["EXAMPLE", "certify_channel"]

EXAMPLE = "Example: exactdp certify channel channel.json --epsilon 'log(3)' --c 1/20"


def certify_channel(
    file: FileArgument,
    epsilon: EpsilonOption = None,
    exp_epsilon: ExpEpsilonOption = None,
    c: Annotated[
        str | None,
        typer.Option(
            "--c", metavar="C", help="Also the worst leakage over priors >= C everywhere."
        ),
    ] = None,
    rationalise: Annotated[
        int | None,
        typer.Option(
            "--rationalise",
            metavar="D",
            help="Certify the nearest channel whose entries are multiples of 1/D.",
        ),
    ] = None,
    certificate: CertificateOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Is this channel epsilon-LDP? Its exact largest column ratio, with the place that needs it.

    FILE holds the channel, one row an input: JSON {"rows": [["3/4", "1/4"], ...]}, CSV, or .npy.
    """
    from verify.certify import certify_channel as certify
    from verify.intake.channels import read_channel
    from verify.intake.source import read_source
    from verify.kernel.errors import LimitError
    from verify.output_file import require_other_file
    from verify.report import channel_object, channel_text, digits

    started = perf_counter()
    if certificate is not None:
        require_other_file(certificate, file)
        require_certificate_place(certificate)
    level = read_epsilon(epsilon, exp_epsilon).level
    source = read_source(file)
    read = read_channel(source, denominator=rationalise)
    if read.largest_change is not None:
        note(
            f"certified is the nearest channel with denominator {rationalise}, not {source.name} "
            f"itself: no entry differs by more than {digits(read.largest_change)}"
        )
    try:
        report = certify(read.channel, level, () if c is None else (c,))
    except LimitError as error:
        mend = "" if "; " in str(error) else "; certify a smaller channel"
        raise LimitError(f"{source.name}: {error}{mend}") from None
    written = NOT_WRITTEN if certificate is None else decide(report.certificate, certificate)[1]
    content = {
        "claim": f"the channel is {level}-LDP",
        **channel_object(report, read.inputs, read.outputs),
        **written.keys(),
        "seconds": round(perf_counter() - started, 3),
    }
    if read.largest_change is not None:
        content |= {"denominator": rationalise, "largest_change": str(read.largest_change)}
    conclude(
        report.verdict.status,
        content,
        lambda: channel_text(report, read.inputs, read.outputs),
        json=json,
        quiet=quiet,
    )
