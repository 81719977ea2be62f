"""``exactdp check``: the kernel alone re-checks certificates."""

from typing import Annotated

import typer

from verify.commands.options import JsonOption, QuietOption
from verify.commands.second_opinion import (
    ExportOption,
    SecondOpinionOption,
    SecondOpinionRequest,
    SolverOption,
    TimeoutOption,
)

__all__ = ["EXAMPLE", "check"]

EXAMPLE = (
    "Example: exactdp check letters.certificate.json, "
    "or exactdp check --second-opinion --solver z3 letters.certificate.json"
)


def check(
    certificates: Annotated[
        list[str], typer.Argument(metavar="CERTIFICATE...", help="Files; - is standard input.")
    ],
    second_opinion: SecondOpinionOption = False,
    solver: SolverOption = "z3",
    timeout: TimeoutOption = 60.0,
    export: ExportOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Do these certificates prove their claims? The kernel decides, without any solver.

    Exit code 0 if all are accepted; otherwise 2 if one is malformed, 1 if one is rejected, 3 if one
    is undecided, in this order. With --second-opinion a checker that shares no code with the kernel
    is asked as well; if one accepts what the other refuses, a line says so and the exit code is 1.
    """
    from verify.commands.output import EXIT_CODES, print_json, print_table
    from verify.commands.second_opinion import print_opinions, read_request, report_disagreements
    from verify.report import check_table

    request = read_request(second_opinion, solver, timeout, export)
    results = [_check_file(name, request) for name in certificates]
    if json:
        print_json({"results": results})
    elif not quiet:
        print_table(check_table(results))
        print_opinions(results)
    if report_disagreements(results):
        raise typer.Exit(EXIT_CODES["REJECTED"])
    found = {result["verdict"] for result in results}
    worst = next((v for v in ("MALFORMED", "REJECTED", "UNDECIDED") if v in found), "ACCEPTED")
    raise typer.Exit(EXIT_CODES[worst])


def _check_file(name: str, request: SecondOpinionRequest | None) -> dict[str, object]:
    """The result of one file: its bytes are read once, so both answers are about the same ones."""
    from verify.certify import check as check_certificate
    from verify.intake.source import read_source
    from verify.kernel.certificate import MAX_BYTES
    from verify.kernel.errors import InputError, LimitError

    content, result, answered = None, dict[str, object](file=name), True
    try:
        content = read_source(name, max_bytes=MAX_BYTES).content
        verdict = check_certificate(content)
        result |= {"verdict": verdict.status.value, "reason": verdict.reason}
    except InputError as error:
        result |= {"verdict": "MALFORMED", "reason": str(error)}
        answered = not isinstance(error, LimitError)  # too large for the kernel is no answer
    if content is not None and request is not None:
        result |= request.asked(name, content, str(result["verdict"]) if answered else None)
    return result
