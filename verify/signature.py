"""Detached signatures of certificate files: Ed25519 over a prefix and the bytes of the file.

A signature says who vouches for a file; that the claim in it is true is for the kernel alone. The
prefix keeps a signature from being one on anything else that the same key signs. Keys are PEM files
(PKCS #8 and SubjectPublicKeyInfo), a signature is its 64 bytes.

Reference: Bernstein, Duif, Lange, Schwabe, Yang 2012; RFC 8032 (Ed25519).
"""

from importlib import import_module
from typing import TYPE_CHECKING, Any, cast

from verify.kernel.errors import InputError

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import (
        Ed25519PrivateKey,
        Ed25519PublicKey,
    )

__all__ = [
    "PREFIX",
    "SIGNATURE_BYTES",
    "new_key_files",
    "read_private_key",
    "read_public_key",
    "sign",
    "signature_fault",
]

PREFIX = b"exactdp certificate signature, version 1\n"
"""What is signed is this and then the file."""
SIGNATURE_BYTES = 64


def _library(module: str) -> Any:
    """A module of the library, which an extra brings along."""
    try:
        return import_module(f"cryptography.{module}")
    except ModuleNotFoundError:
        raise InputError(
            "signatures need the cryptography library: pip install 'exactdp[sign]'"
        ) from None


def new_key_files(password: bytes | None = None) -> tuple[bytes, bytes]:
    """A new key pair as the PEM files of the private and the public key.

    Args:
        password: encrypts the private key.
    """
    primitives = _library("hazmat.primitives.serialization")
    key = _library("hazmat.primitives.asymmetric.ed25519").Ed25519PrivateKey.generate()
    cipher = (
        primitives.NoEncryption()
        if password is None
        else primitives.BestAvailableEncryption(password)
    )
    pem, spki = primitives.Encoding.PEM, primitives.PublicFormat.SubjectPublicKeyInfo
    private = key.private_bytes(pem, primitives.PrivateFormat.PKCS8, cipher)
    return private, key.public_key().public_bytes(pem, spki)


def read_private_key(
    content: bytes, name: str, password: bytes | None = None
) -> "Ed25519PrivateKey":
    """The private key in a PEM file.

    Args:
        content: the file.
        name: its name in messages.
        password: what it is encrypted with, if it is.

    Raises:
        InputError: if it holds no Ed25519 private key, or the password is missing or wrong.
    """
    try:
        key: object = _library("hazmat.primitives.serialization").load_pem_private_key(
            content, password
        )
    except TypeError:
        mend = "needs --password-file" if password is None else "has no password; leave it out"
        raise InputError(f"{name}: the private key {mend}") from None
    except (ValueError, _library("exceptions").UnsupportedAlgorithm):
        hint = "" if password is None else ", or the password is wrong"
        raise InputError(f"{name}: is no PEM file of a private key{hint}") from None
    if not isinstance(key, _library("hazmat.primitives.asymmetric.ed25519").Ed25519PrivateKey):
        raise InputError(f"{name}: is a key of another kind; make an Ed25519 key: exactdp keygen")
    return cast("Ed25519PrivateKey", key)


def read_public_key(content: bytes, name: str) -> "Ed25519PublicKey":
    """The public key in a PEM file.

    Raises:
        InputError: if it holds no Ed25519 public key.
    """
    try:
        key: object = _library("hazmat.primitives.serialization").load_pem_public_key(content)
    except (ValueError, _library("exceptions").UnsupportedAlgorithm):
        raise InputError(f"{name}: is no PEM file of a public key") from None
    if not isinstance(key, _library("hazmat.primitives.asymmetric.ed25519").Ed25519PublicKey):
        raise InputError(f"{name}: is a key of another kind; give an Ed25519 public key")
    return cast("Ed25519PublicKey", key)


def sign(content: bytes, key: "Ed25519PrivateKey") -> bytes:
    """The 64 bytes of the signature of a file; the same ones each time."""
    return key.sign(PREFIX + content)


def signature_fault(content: bytes, signature: bytes, key: "Ed25519PublicKey") -> str | None:
    """Why this is not a signature of the file by the owner of the key; None if it is."""
    if len(signature) != SIGNATURE_BYTES:
        return f"the signature has {len(signature)} bytes, not {SIGNATURE_BYTES}"
    try:
        key.verify(signature, PREFIX + content)
    except _library("exceptions").InvalidSignature:
        return "the signature is not one of this file by this key"
    return None
