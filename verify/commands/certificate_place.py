"""Where ``--certificate`` may write: a new file, an empty one, or in place of a certificate."""

import os
from pathlib import Path

__all__ = ["require_certificate_place", "require_other_output"]

_MARK = b'"exactdp-certificate"'


def require_certificate_place(path: Path) -> None:
    """Refuse, before any work, a place that cannot be written or holds something else.

    Raises:
        InputError: for an unwritable place, or a file that is not empty and no certificate.
    """
    from verify.kernel.certificate import MAX_BYTES
    from verify.kernel.errors import InputError
    from verify.output_file import require_writable

    target = require_writable(path)
    try:
        with target.open("rb") as file:
            content = file.read(MAX_BYTES)
    except FileNotFoundError:
        return
    except OSError as error:  # it could be replaced, but not be known for what it is
        raise InputError(f"{path}: exists and cannot be read; name another file") from error
    if content and _MARK not in content:
        raise InputError(f"{path}: is no certificate that could be replaced; name another file")


def require_other_output(certificate: Path, out: str) -> None:
    """Refuse one file for the certificate and for what it certifies.

    Raises:
        InputError: if both name one file.
    """
    from verify.kernel.errors import InputError

    if os.path.realpath(certificate) == os.path.realpath(out):
        raise InputError(f"{out}: is the place of the certificate, too; name another output")
