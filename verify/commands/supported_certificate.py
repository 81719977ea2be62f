"""A certificate and the folder of those that its value rests on, which change in one step.

The folder is named by the certificate's digest: ``OUT.0123456789abcdef.cover``. So the new one is
written beside that of an earlier run; then the certificate takes its place, which is the step; then
the folders that belong to no certificate any more are removed. A program that is killed leaves the
old certificate with its folder or the new one with its folder, and the next run removes the rest.
"""

import re
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from verify.commands.output import NOT_WRITTEN, WrittenCertificate, decide, note

if TYPE_CHECKING:
    from collections.abc import Sequence

    from verify.kernel.certificate import Certificate

__all__ = ["require_supported_place", "write_supported"]

_DIGITS = 16
_COVER = re.compile(r"(\.[0-9a-f]{16})?\.cover")
"""What follows the certificate's name; without digits in earlier versions."""


def require_supported_place(certificate: Path) -> None:
    """Refuse a place where the folder could not be written, before any work is done.

    Raises:
        InputError: as for every folder of certificates.
    """
    from verify.output_folder import require_folder_place

    require_folder_place(_cover(certificate, "0" * _DIGITS))


def write_supported(
    certificate: "Certificate", supporting: "Sequence[Certificate]", path: Path | None
) -> tuple[WrittenCertificate, list[WrittenCertificate]]:
    """Write a certificate, and those that its value rests on besides it, if there are any.

    Args:
        certificate: the first one.
        supporting: the others.
        path: the file of the first one; None writes nothing.

    Returns:
        What was written: the first one and the others.

    Raises:
        InputError: if a place cannot be written; what an earlier run has written is untouched then.
    """
    if path is None:
        return NOT_WRITTEN, []
    others: list[WrittenCertificate] = []
    if supporting:
        written, others = _write_both(certificate, supporting, path)
    else:
        written = decide(certificate, path)[1]
    if written.path is not None:
        _remove_other_covers(path)
    return written, others


def _write_both(
    certificate: "Certificate", supporting: "Sequence[Certificate]", path: Path
) -> tuple[WrittenCertificate, list[WrittenCertificate]]:
    from verify.canonical_form import encode
    from verify.certify import content_digest, held_certificates
    from verify.output_folder import remove_earlier_folder

    folder = _cover(path, content_digest(encode(certificate)))
    named = {f"{i:04}.json": one for i, one in enumerate(supporting)}
    written = NOT_WRITTEN
    try:
        with held_certificates(named, folder, announce=note) as digests:
            written = decide(certificate, path)[1]
    finally:
        if written.path is None:
            remove_earlier_folder(folder, is_needed=partial(_is_needed, folder, path))
    if written.path is None:
        return written, []
    note(f"the value rests on all certificates in {folder}, not on {path} alone")
    return written, [WrittenCertificate(str(folder / name), sha) for name, sha in digests.items()]


def _remove_other_covers(path: Path) -> None:
    """Remove the folders beside the certificate that belong to an earlier one in its place."""
    from verify.output_folder import remove_earlier_folder

    for folder in sorted(path.parent.iterdir()):
        ending = folder.name.removeprefix(path.name)
        if (
            folder.name == path.name + ending
            and _COVER.fullmatch(ending)
            and remove_earlier_folder(folder, is_needed=partial(_is_needed, folder, path))
        ):
            note(f"the certificates of an earlier run in {folder} were removed")


def _is_needed(folder: Path, path: Path) -> bool:
    """Whether the folder is that of the certificate which is in the place now."""
    from verify.certify import content_digest

    try:
        return folder == _cover(path, content_digest(path.read_bytes()))
    except FileNotFoundError:
        return False
    except OSError:
        return True


def _cover(certificate: Path, digest: str) -> Path:
    """The folder of the certificates that the value of this one rests on."""
    return certificate.with_name(f"{certificate.name}.{digest[:_DIGITS]}.cover")
