"""The command line ``exactdp``: mounts the commands, and turns every failure into one line.

Exit codes: 0 accepted, 1 rejected, 2 malformed input or misuse, 3 undecided at the precision
allowed; 130 when interrupted, 141 when the reader of the output has gone, 70 for a defect of this
program.
"""

import os
import sys
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Annotated

import typer

from verify.commands import (
    catalog,
    catalog_best,
    catalog_show,
    certify_channel,
    certify_design,
    certify_estimation,
    certify_leakage,
    certify_testing,
    certify_thresholding,
    check,
    construct,
    sign,
    trace_epsilon,
    trace_joint_range,
    trace_outputs,
    trace_samples,
    verify,
)
from verify.commands.number_arguments import NumberArgumentsCommand

__all__ = ["app", "main", "run"]

MISUSE, DEFECT, INTERRUPTED, BROKEN_PIPE = 2, 70, 130, 141
LONGEST_LINE = 500
"""Longest message: an exact number may have thousands of digits."""

app = typer.Typer(
    name="exactdp",
    add_completion=False,
    no_args_is_help=True,
    help="Exact certificates for privacy mechanisms: is it private, is it optimal, and the proof.",
    epilog="Example: exactdp certify channel channel.json --epsilon 'log(3)'",
)
certify = typer.Typer(
    no_args_is_help=True,
    help="Decide a claim about a mechanism and prove the answer.",
    epilog="Example: exactdp certify testing letters.csv --weights --epsilon 1 --divergence kl",
)
app.add_typer(certify, name="certify")

certify.command("channel", epilog=certify_channel.EXAMPLE)(certify_channel.certify_channel)
certify.command("leakage", epilog=certify_leakage.EXAMPLE)(certify_leakage.certify_leakage)
certify.command("testing", epilog=certify_testing.EXAMPLE)(certify_testing.certify_testing)
certify.command("estimation", epilog=certify_estimation.EXAMPLE)(
    certify_estimation.certify_estimation
)
certify.command("thresholding", epilog=certify_thresholding.EXAMPLE)(
    certify_thresholding.certify_thresholding
)
certify.command("design", epilog=certify_design.EXAMPLE)(certify_design.certify_design)

construct_app = typer.Typer(
    no_args_is_help=True,
    help="Build a block design, a difference set or a Hadamard matrix, or say why there is none.",
    epilog="Example: exactdp construct design 101 25 6",
)
app.add_typer(construct_app, name="construct")
construct_app.command("design", cls=NumberArgumentsCommand, epilog=construct.EXAMPLES["design"])(
    construct.construct_design
)
construct_app.command(
    "difference-set", cls=NumberArgumentsCommand, epilog=construct.EXAMPLES["difference-set"]
)(construct.construct_difference_set)
construct_app.command(
    "hadamard", cls=NumberArgumentsCommand, epilog=construct.EXAMPLES["hadamard"]
)(construct.construct_hadamard)

catalog_app = typer.Typer(
    no_args_is_help=True,
    help="The catalog of designs, difference sets and Hadamard matrices, in one file.",
    epilog="Example: exactdp catalog build --max-v 1000 --jobs 2",
)
app.add_typer(catalog_app, name="catalog")
catalog_app.command("build", epilog=catalog.EXAMPLES["build"])(catalog.catalog_build)
catalog_app.command("list", epilog=catalog.EXAMPLES["list"])(catalog.catalog_list)
catalog_app.command("show", cls=NumberArgumentsCommand, epilog=catalog_show.EXAMPLE)(
    catalog_show.catalog_show
)
catalog_app.command("best", cls=NumberArgumentsCommand, epilog=catalog_best.EXAMPLE)(
    catalog_best.catalog_best
)
catalog_app.command("export", epilog=catalog.EXAMPLES["export"])(catalog.catalog_export)

trace = typer.Typer(
    no_args_is_help=True,
    help="Follow the optimum as epsilon, the outputs or the samples change.",
    epilog="Example: exactdp trace epsilon letters.csv --weights --divergence kl --to 20",
)
app.add_typer(trace, name="trace")
trace.command("epsilon", epilog=trace_epsilon.EXAMPLE)(trace_epsilon.trace_epsilon)
trace.command("outputs", epilog=trace_outputs.EXAMPLE)(trace_outputs.trace_outputs)
trace.command("samples", epilog=trace_samples.EXAMPLE)(trace_samples.trace_samples)
trace.command("joint-range", epilog=trace_joint_range.EXAMPLE)(trace_joint_range.trace_joint_range)

app.command("check", epilog=check.EXAMPLE)(check.check)
app.command("keygen", epilog=sign.EXAMPLES["keygen"])(sign.keygen)
app.command("sign", epilog=sign.EXAMPLES["sign"])(sign.sign)
app.command("verify", epilog=verify.EXAMPLE)(verify.verify)


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import PackageNotFoundError, version

        try:
            number = version("exactdp")
        except PackageNotFoundError:
            number = "(not installed)"
        sys.stdout.write(f"exactdp {number}\n")
        raise typer.Exit


@app.callback()
def _global_options(
    version: Annotated[
        bool,
        typer.Option("--version", callback=_print_version, is_eager=True, help="Show the version."),
    ] = False,
) -> None:
    """Exact certificates for privacy mechanisms: is it private, is it optimal, and the proof."""


def run(arguments: Sequence[str]) -> int:
    """Run one command line and return its exit code; bad input ends in one line on stderr.

    Args:
        arguments: the words after the name of the program.
    """
    try:
        code = _dispatch(list(arguments))
        sys.stdout.flush()
    except KeyboardInterrupt:
        return _fail("interrupted", INTERRUPTED)
    except (BrokenPipeError, SystemExit):  # rich leaves in this way when it prints help
        # The interpreter flushes standard output once more when it ends; let that succeed.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return BROKEN_PIPE
    except Exception as error:  # noqa: BLE001 - a defect must not look like "rejected"
        return _report(error)
    return code


def _dispatch(arguments: list[str]) -> int:
    command = typer.main.get_command(app)
    if "--version" in arguments:  # understood everywhere, not only before the command
        arguments = ["--version"]
    try:
        with command.make_context("exactdp", arguments) as context:
            command.invoke(context)
    except typer.Exit as leaving:
        return leaving.exit_code
    return 0


def _report(error: Exception) -> int:
    """Say on standard error what went wrong: one line for bad input, a trace for a defect."""
    from verify.kernel.errors import InexactNumberError, InputError

    if isinstance(error, InputError | InexactNumberError):
        return _fail(str(error), MISUSE)
    if isinstance(error, OSError):
        place = f"{error.filename}: " if error.filename else ""
        return _fail(f"{place}{error.strerror or error}", MISUSE)
    format_message = getattr(error, "format_message", None)
    if format_message is not None:  # misuse that typer found
        context = getattr(error, "ctx", None)
        path = context.command_path if context is not None else "exactdp"
        message = format_message()
        if type(error).__name__ == "NoArgsIsHelpError":
            sys.stderr.write(message)
            return MISUSE
        return _fail(f"{message.rstrip('.')}; see {path} --help", MISUSE)
    import traceback

    traceback.print_exception(error)
    return DEFECT


def _fail(message: str, code: int) -> int:
    line = " ".join(message.split())
    if len(line) > LONGEST_LINE:
        line = f"{line[:LONGEST_LINE]} ... ({len(line)} characters)"
    with suppress(OSError):  # the exit code must not turn into that of an answer
        sys.stderr.write(f"exactdp: {line}\n")
        sys.stderr.flush()
    return code


def _open_streams() -> None:
    """Give the process the streams that it was started without: what goes there is not wanted."""
    for name in ("stdout", "stderr"):
        if getattr(sys, name) is None:
            setattr(sys, name, Path(os.devnull).open("w"))  # noqa: SIM115 - for the process


def main() -> None:
    """Run the command line of this process and leave with its exit code."""
    _open_streams()
    sys.exit(run(sys.argv[1:]))
