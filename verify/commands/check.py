"""``exactdp check``: the kernel alone re-checks certificates."""

from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.options import JsonOption, QuietOption
from verify.commands.second_opinion import (
    ExportOption,
    SecondOpinionOption,
    SecondOpinionRequest,
    SolverOption,
    TimeoutOption,
)

if TYPE_CHECKING:
    from verify.commands.required_signature import RequiredSignature

__all__ = ["EXAMPLE", "check"]

EXAMPLE = (
    "Example: exactdp check letters.certificate.json, "
    "or exactdp check --second-opinion --solver z3 letters.certificate.json"
)


def check(
    certificates: Annotated[
        list[str], typer.Argument(metavar="CERTIFICATE...", help="Files; - is standard input.")
    ],
    public_key: Annotated[
        str | None,
        typer.Option(
            "--public-key", metavar="PUB", help="Require signatures by the owner of this key."
        ),
    ] = None,
    signature: Annotated[
        str | None,
        typer.Option(
            "--signature", metavar="SIG", help="The signature of the one CERTIFICATE: its name.sig."
        ),
    ] = None,
    second_opinion: SecondOpinionOption = False,
    solver: SolverOption = None,
    timeout: TimeoutOption = None,
    export: ExportOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Do these certificates prove their claims? The kernel decides, without any solver.

    Exit code 0 if all are accepted; otherwise 2 if one is malformed, 1 if one is rejected, 3 if one
    is undecided, in this order. With --public-key a certificate without a valid signature is
    rejected, unread. With --second-opinion a checker that shares no code with the kernel is asked
    as well; if one accepts what the other refuses, a line says so and the exit code is 1.
    """
    from verify.commands.output import EXIT_CODES, print_digests, print_json, print_table
    from verify.commands.required_signature import read_requirement
    from verify.commands.second_opinion import print_opinions, read_request, report_disagreements
    from verify.intake.source import require_one_standard_input
    from verify.report import check_table

    require_one_standard_input([public_key, signature, *certificates])
    required = read_requirement(public_key, signature, certificates)
    request = read_request(second_opinion, solver, timeout, export, certificates)
    results = [_check_file(name, required, request) for name in certificates]
    if json:
        print_json({"results": results})
    elif not quiet:
        print_table(check_table(results))
        print_digests(results)
        print_opinions(results)
    if report_disagreements(results):
        raise typer.Exit(EXIT_CODES["REJECTED"])
    found = {result["verdict"] for result in results}
    worst = next((v for v in ("MALFORMED", "REJECTED", "UNDECIDED") if v in found), "ACCEPTED")
    raise typer.Exit(EXIT_CODES[worst])


def _check_file(
    name: str, required: "RequiredSignature | None", request: SecondOpinionRequest | None
) -> dict[str, object]:
    """The result of one file: its bytes are read once, so all answers are about the same ones."""
    from verify.certify import content_digest
    from verify.intake.source import read_source
    from verify.kernel.certificate import MAX_BYTES
    from verify.kernel.errors import InputError, LimitError

    result: dict[str, object] = {"file": name, "sha256": None, "canonical": None, "signature": None}
    try:
        content = read_source(name, max_bytes=MAX_BYTES).content
        result |= {"sha256": content_digest(content)}
        if required is not None:
            result["signature"], fault = required.judged(name, content)
            if fault is not None:
                return {**result, "verdict": "REJECTED", "reason": fault}
    except InputError as error:
        return {**result, "verdict": "MALFORMED", "reason": str(error)}
    answered = True
    try:
        result |= _decided(content)
    except InputError as error:
        result |= {"verdict": "MALFORMED", "reason": str(error)}
        answered = not isinstance(error, LimitError)  # too large for the kernel is no answer
    if request is None:
        return result
    return result | request.asked(name, content, str(result["verdict"]) if answered else None)


def _decided(content: bytes) -> dict[str, object]:
    """The verdict of the kernel, and whether the bytes are those that ``encode`` writes."""
    from verify.canonical_form import encode
    from verify.certify import check as check_certificate
    from verify.kernel.certificate import decode

    certificate = decode(content)
    verdict = check_certificate(certificate)
    return {
        "canonical": encode(certificate) == content,
        "verdict": verdict.status.value,
        "reason": verdict.reason,
    }
