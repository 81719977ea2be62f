"""``exactdp certify design``: is this a block design, a difference set or a Hadamard matrix?"""

from time import perf_counter
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.certificate_place import require_certificate_place
from verify.commands.options import CertificateOption, FileArgument, JsonOption, QuietOption
from verify.commands.output import conclude, decide

if TYPE_CHECKING:
    from combinatorics.certification import DesignClaim
    from verify.kernel.verdict import Verdict

__all__ = ["EXAMPLE", "certify_design"]

EXAMPLE = "Example: exactdp certify design fano.json --k 3 --lambda 1"

_KEYS = ("v", "b", "r", "k", "lambda")


def certify_design(
    file: FileArgument,
    k: Annotated[
        int | None, typer.Option("--k", metavar="K", help="Claimed points on a block.")
    ] = None,
    lambda_: Annotated[
        int | None,
        typer.Option("--lambda", metavar="L", help="Claimed blocks on every t points."),
    ] = None,
    t: Annotated[
        int | None, typer.Option("--t", metavar="T", help="Claimed strength, 1 to 5; usually 2.")
    ] = None,
    certificate: CertificateOption = None,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Is this a block design, a difference set or a Hadamard matrix? The first violation if not.

    FILE holds JSON {"v": 7, "blocks": [[0, 1, 3], ...]}, {"group": [7], "base_blocks": [[0, 1, 3]]}
    or {"hadamard": ["++++", ...]}, a matrix of 0 and 1 or of 1 and -1 in CSV or .npy, or DTRS XML.
    What is not claimed is read off the blocks.
    """
    from combinatorics.certification import design_claim
    from combinatorics.interchange import parse_design
    from combinatorics.interchange.document import with_stated
    from verify.intake.source import read_source
    from verify.kernel.errors import InputError
    from verify.output_file import require_other_file
    from verify.report import facts_table

    started = perf_counter()
    if certificate is not None:
        require_other_file(certificate, file)
        require_certificate_place(certificate)
    source = read_source(file)
    claimed = {"k": k, "lambda": lambda_, "t": t}
    given = {key: value for key, value in claimed.items() if value is not None}
    try:
        claim = design_claim(with_stated(parse_design(source.content), given))
        verdict, written = decide(claim.certificate, certificate)
    except InputError as error:
        raise type(error)(f"{source.name}: {error}") from None
    content = {
        **design_object(claim, verdict),
        **written.keys(),
        "seconds": round(perf_counter() - started, 3),
    }
    facts = [("verdict", f"{verdict.status.value}: {verdict.reason}")]
    facts += [(key, str(value)) for key, value in claim.parameters.items()]
    conclude(
        verdict.status, content, lambda: facts_table(claim.kind, facts), json=json, quiet=quiet
    )


def design_object(claim: "DesignClaim", verdict: "Verdict") -> dict[str, object]:
    """The keys of the JSON object; those that make no sense for the kind are null."""
    spelled = ", ".join(f"{key} = {value}" for key, value in claim.parameters.items())
    return {
        "verdict": verdict.status.value,
        "claim": f"{claim.kind}: {spelled}",
        "kind": claim.kind,
        **dict.fromkeys(_KEYS),
        **claim.parameters,
        "violation": None if verdict.is_accepted else {"reason": verdict.reason, **verdict.details},
    }
