"""``exactdp certify design``: is this a block design, difference set or Hadamard matrix?

Exit codes: 0 it is, 1 it is not, 2 the file or the parameters are malformed.
"""

import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.design_output import (
    CertificateOption,
    JsonOption,
    checked_certificate,
    fail,
    finish,
)

if TYPE_CHECKING:
    from combinatorics.certification import DesignClaim
    from combinatorics.interchange import DesignDocument
    from verify.kernel.verdict import Verdict

__all__ = ["certify_design"]

_SHOWN = ("v", "b", "r", "k", "lambda")


def certify_design(
    file: Annotated[Path, typer.Argument(help="JSON, CSV, .npy or DTRS XML; - is standard input.")],
    k: Annotated[int | None, typer.Option("--k", help="Claimed points on a block.")] = None,
    lambda_: Annotated[
        int | None, typer.Option("--lambda", help="Claimed blocks on every t points.")
    ] = None,
    t: Annotated[int | None, typer.Option("--t", help="Claimed strength, 1 to 5.")] = None,
    certificate: CertificateOption = None,
    as_json: JsonOption = False,
) -> None:
    """Decide whether FILE is a block design, a difference set or a Hadamard matrix."""
    from combinatorics.certification import design_claim
    from verify.kernel.errors import InputError

    start = time.monotonic()
    try:
        document = _read(file, {"k": k, "lambda": lambda_, "t": t})
        claim = design_claim(document)
        verdict = checked_certificate(claim, certificate)
    except (InputError, OSError) as error:
        fail(error)
    result = _result(claim, verdict)
    result["certificate"] = str(certificate) if certificate and verdict.is_accepted else None
    result["seconds"] = round(time.monotonic() - start, 3)
    lines = [f"{verdict.status.value}: {verdict.reason}"]
    finish(result, lines, 0 if verdict.is_accepted else 1, as_json=as_json)


def _read(file: Path, claimed: dict[str, int | None]) -> "DesignDocument":
    from combinatorics.interchange import parse_design
    from combinatorics.interchange.document import with_stated

    data = sys.stdin.buffer.read() if str(file) == "-" else file.read_bytes()
    given = {key: value for key, value in claimed.items() if value is not None}
    return with_stated(parse_design(data), given)


def _result(claim: "DesignClaim", verdict: "Verdict") -> dict[str, object]:
    """The keys of the JSON object; those that make no sense for the kind are null."""
    violation = None
    if not verdict.is_accepted:
        violation = {"reason": verdict.reason, **verdict.details}
    return {
        "verdict": verdict.status.value,
        "claim": f"{claim.kind}: {_spelled_claim(claim)}",
        "kind": claim.kind,
        **{key: claim.parameters.get(key) for key in _SHOWN},
        **{key: value for key, value in claim.parameters.items() if key not in _SHOWN},
        "violation": violation,
    }


def _spelled_claim(claim: "DesignClaim") -> str:
    return ", ".join(f"{key} = {value}" for key, value in claim.parameters.items())
