"""``exactdp check``: the kernel alone re-checks certificates."""

from typing import Annotated

import typer

from verify.commands.options import JsonOption, QuietOption

__all__ = ["EXAMPLE", "check"]

EXAMPLE = "Example: exactdp check letters.certificate.json"


def check(
    certificates: Annotated[
        list[str], typer.Argument(metavar="CERTIFICATE...", help="Files; - is standard input.")
    ],
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Do these certificates prove their claims? The kernel decides, without any solver.

    Exit code 0 if all are accepted; otherwise 2 if one is malformed, 1 if one is rejected, 3 if one
    is undecided, in this order.
    """
    from verify.commands.output import EXIT_CODES, print_json, print_table
    from verify.report import check_table

    results = [_check_file(name) for name in certificates]
    if json:
        print_json({"results": results})
    elif not quiet:
        print_table(check_table(results))
    found = {result["verdict"] for result in results}
    worst = next((v for v in ("MALFORMED", "REJECTED", "UNDECIDED") if v in found), "ACCEPTED")
    raise typer.Exit(EXIT_CODES[worst])


def _check_file(name: str) -> dict[str, str]:
    from verify.certify import check as check_certificate
    from verify.intake.source import read_source
    from verify.kernel.certificate import MAX_BYTES
    from verify.kernel.errors import InputError

    try:
        verdict = check_certificate(read_source(name, max_bytes=MAX_BYTES).content)
    except InputError as error:
        return {"file": name, "verdict": "MALFORMED", "reason": str(error)}
    return {"file": name, "verdict": verdict.status.value, "reason": verdict.reason}
