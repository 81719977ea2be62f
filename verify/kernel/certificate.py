"""The certificate: a claim, the numbers that prove it, and the one place where it is decided.

``verify/FORMAT.md`` is the specification. Provenance is carried along and never looked at.
"""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NoReturn

from verify.kernel.errors import CertificateError
from verify.kernel.exact import MAX_DIGITS, excerpt
from verify.kernel.fields import Claim, integer, mapping, read, require_form, text
from verify.kernel.kinds import KINDS
from verify.kernel.verdict import Refuted, Verdict

__all__ = ["FORMAT", "MAX_BYTES", "VERSION", "Certificate", "check_certificate", "decode"]

FORMAT = "exactdp-certificate"
VERSION = 1
MAX_BYTES = 1 << 26
"""Longest certificate file that the kernel reads."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A claim of one kind with its witness, as the objects of the JSON file.

    Args:
        kind: one of the kinds of ``verify/FORMAT.md``.
        claim: what is asserted; complete in itself.
        witness: the numbers that make the claim checkable.
        provenance: who made it and how; never believed.
    """

    kind: str
    claim: Claim
    witness: Claim
    provenance: Mapping[str, object] = field(default_factory=dict)


def _unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """The pairs of one object, no key twice."""
    content = dict(pairs)
    require_form(len(content) == len(pairs), "a key stands twice in one object")
    return content


def _refuse(number: str) -> NoReturn:
    """Refuses 0.5, 1e3, NaN and Infinity."""
    raise CertificateError(f"{excerpt(number)}: a number but for integers must be text like '2/7'")


def _integer(digits: str) -> int:
    """An integer of the file; Python refuses longer text of its own accord, less clearly."""
    require_form(len(digits) <= MAX_DIGITS, f"an integer is over the limit of {MAX_DIGITS} digits")
    return int(digits)


_DECODER = json.JSONDecoder(
    object_pairs_hook=_unique, parse_float=_refuse, parse_constant=_refuse, parse_int=_integer
)


def decode(content: bytes | str) -> Certificate:
    """The certificate in a file, read strictly.

    Raises:
        CertificateError: for anything but one JSON object of the specified form.
    """
    require_form(len(content) <= MAX_BYTES, f"the file is over the limit of {MAX_BYTES} bytes")
    try:
        raw = _DECODER.decode(content if isinstance(content, str) else content.decode("utf-8"))
    except (UnicodeDecodeError, json.JSONDecodeError, RecursionError) as error:
        raise CertificateError(f"the file is not JSON in UTF-8: {error}") from None
    readers = {"format": text, "version": integer(VERSION, VERSION), "kind": text}
    readers |= dict.fromkeys(("claim", "witness", "provenance"), mapping)
    form, _, *parts = read(raw, "certificate", " ".join(readers), **readers)
    require_form(form == FORMAT, f"format: is not {FORMAT!r}")
    return Certificate(*parts)


def check_certificate(certificate: Certificate) -> Verdict:
    """Whether the witness proves the claim.

    Raises:
        CertificateError: if the certificate is not well formed.
        InputError: if the objects that it describes do not exist, such as a row of sum 2.
        LimitError: if a size is over a stated limit.
    """
    kind, known = certificate.kind, ", ".join(KINDS)
    require_form(kind in KINDS, f"kind: {excerpt(kind)} is unknown; known: {known}")
    try:
        return KINDS[kind](certificate.claim, certificate.witness)
    except Refuted as refuted:
        return Verdict(*refuted.args)
