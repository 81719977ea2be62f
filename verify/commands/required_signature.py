"""What ``exactdp check --public-key`` asks for: a signature of the owner of that key."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

__all__ = ["RequiredSignature", "read_requirement"]

_MAX_SIGNATURE_BYTES = 1 << 16


@dataclass(frozen=True, slots=True)
class RequiredSignature:
    """A public key, and the file of the signature if it is not the usual one.

    Args:
        key: the public key.
        place: where the signature lies; by default beside the certificate.
    """

    key: "Ed25519PublicKey"
    place: str | None

    def judged(self, certificate: str, content: bytes) -> tuple[str, str | None]:
        """``valid``, ``invalid`` or ``missing``, and why it is not valid.

        Args:
            certificate: the name of the certificate.
            content: the bytes of it.

        """
        from pathlib import Path

        from verify.commands.sign import signature_path
        from verify.intake.source import read_source
        from verify.kernel.errors import InputError
        from verify.signature import signature_fault

        place = self.place or str(signature_path(certificate))
        if place != "-" and not Path(place).exists():
            return "missing", f"there is no signature: {place} does not exist"
        try:
            signature = read_source(place, max_bytes=_MAX_SIGNATURE_BYTES).content
        except InputError as error:
            return "invalid", str(error)
        fault = signature_fault(content, signature, self.key)
        return ("valid", None) if fault is None else ("invalid", f"{place}: {fault}")


def read_requirement(
    public_key: str | None, signature: str | None, certificates: Sequence[str]
) -> RequiredSignature | None:
    """What the options ask for; None without ``--public-key``.

    Raises:
        InputError: for a malformed key, or options that do not go together.
    """
    from verify.commands.sign import read_key_file, signature_path
    from verify.kernel.errors import InputError
    from verify.signature import read_public_key

    if public_key is None:
        if signature is not None:
            raise InputError("--signature: is checked against a key; give --public-key")
        return None
    if signature is None:
        for name in certificates:
            signature_path(name)
    elif len(certificates) > 1:
        raise InputError("--signature: is that of one certificate; leave it out for several")
    return RequiredSignature(read_public_key(read_key_file(public_key), public_key), signature)
