"""The canonical file of a certificate: the same certificate, the same bytes, on every platform."""

import json
from dataclasses import asdict

from verify.kernel.certificate import FORMAT, VERSION, Certificate
from verify.kernel.errors import LimitError

__all__ = ["encode"]


def encode(certificate: Certificate) -> bytes:
    """The canonical file of a certificate: sorted keys, ASCII, one final newline.

    Raises:
        LimitError: if its objects are nested too deeply.
    """
    try:
        content = {"format": FORMAT, "version": VERSION, **asdict(certificate)}
        return (json.dumps(content, indent=1, sort_keys=True) + "\n").encode("ascii")
    except RecursionError:
        raise LimitError("the certificate is nested too deeply") from None
