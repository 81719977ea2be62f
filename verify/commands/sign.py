"""``exactdp keygen`` and ``exactdp sign``: who vouches for a certificate."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from verify.commands.options import JsonOption, QuietOption

if TYPE_CHECKING:
    from verify.kernel.verdict import Verdict

__all__ = ["EXAMPLES", "keygen", "read_key_file", "sign", "signature_path"]

EXAMPLES = {
    "keygen": "Example: exactdp keygen key.pem",
    "sign": "Example: exactdp sign letters.certificate.json --private-key key.pem",
}
_MAX_KEY_BYTES = 1 << 16

PasswordOption = Annotated[
    str | None,
    typer.Option(
        "--password-file", metavar="FILE", help="Its first line is the password of the key."
    ),
]
ForceOption = Annotated[bool, typer.Option("--force", help="Replace files that exist.")]


def keygen(
    key: Annotated[Path, typer.Argument(metavar="KEY", help="Where the private key goes.")],
    public_key: Annotated[
        Path | None,
        typer.Option("--public-key", metavar="PUB", help="Where the public key goes: KEY.pub."),
    ] = None,
    password_file: PasswordOption = None,
    force: ForceOption = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Make a pair of Ed25519 keys: the private one to sign with, the public one to give away.

    Both are PEM files that openssl reads too. Nobody but you may read the private key.
    """
    from verify.commands.output import print_json
    from verify.kernel.errors import InputError
    from verify.output_file import require_other_file, require_writable, write_atomically
    from verify.signature import new_key_files

    public = Path(f"{key}.pub") if public_key is None else public_key
    for path, is_key in ((key, True), (public, False)):
        require_writable(path, may_replace_key=is_key)
        if path.exists() and not force:
            raise InputError(f"{path}: exists; name another file, or replace it with --force")
    require_other_file(public, str(key))
    private_pem, public_pem = new_key_files(_password(password_file))
    write_atomically(key, private_pem, is_private=True, replace=force)
    write_atomically(public, public_pem, replace=force)
    if json:
        print_json({"private_key": str(key), "public_key": str(public)})
    elif not quiet:
        typer.echo(f"{key}: the private key, keep it\n{public}: the public key, give it away")


def sign(
    certificate: Annotated[str, typer.Argument(metavar="CERTIFICATE", help="The file.")],
    private_key: Annotated[
        str, typer.Option("--private-key", metavar="KEY", help="A PEM file with an Ed25519 key.")
    ],
    out: Annotated[
        Path | None,
        typer.Option("--out", metavar="SIG", help="The signature: CERTIFICATE.sig."),
    ] = None,
    password_file: PasswordOption = None,
    force: ForceOption = False,
    json: JsonOption = False,
    quiet: QuietOption = False,
) -> None:
    """Sign a certificate, once the kernel accepts it.

    The signature is a file of its own; the certificate stays as it is. Exit code 1 if the kernel
    rejects the certificate, 3 if it is undecided; neither is signed.
    """
    from verify.certify import check, content_digest
    from verify.commands.output import exit_code
    from verify.intake.source import read_source, require_one_standard_input
    from verify.kernel.certificate import MAX_BYTES
    from verify.kernel.errors import InputError
    from verify.output_file import require_other_file, require_writable, write_atomically
    from verify.signature import read_private_key
    from verify.signature import sign as signature_of

    require_one_standard_input([certificate, private_key, password_file])
    place = signature_path(certificate) if out is None else out
    for source in (certificate, private_key):
        require_other_file(place, source)
    require_writable(place)
    _require_signature_place(place, force=force)
    key = read_private_key(read_key_file(private_key), private_key, _password(password_file))
    content = read_source(certificate, max_bytes=MAX_BYTES).content
    try:
        verdict = check(content)
    except InputError as error:
        raise type(error)(f"{certificate}: {error}") from None
    if verdict.is_accepted:
        write_atomically(place, signature_of(content, key))
    _print(certificate, verdict, content_digest(content), place, json=json, quiet=quiet)
    raise typer.Exit(exit_code(verdict.status))


def _require_signature_place(place: Path, *, force: bool) -> None:
    """Refuse to replace, unasked, what is neither a signature nor empty."""
    from verify.kernel.errors import InputError
    from verify.signature import SIGNATURE_BYTES

    if not force and place.exists() and place.stat().st_size not in {0, SIGNATURE_BYTES}:
        raise InputError(f"{place}: is no signature; name another file, or replace it with --force")


def _print(
    name: str, verdict: "Verdict", digest: str, place: Path, *, json: bool, quiet: bool
) -> None:
    from verify.commands.output import note, print_digest, print_json

    written = str(place) if verdict.is_accepted else None
    if json:
        facts = {"file": name, "verdict": verdict.status.value, "reason": verdict.reason}
        print_json({**facts, "sha256": digest, "signature": written})
    elif not verdict.is_accepted:
        note(f"{name}: not signed: {verdict.status.value}: {verdict.reason}")
    elif not quiet:
        print_digest(name, digest)
        typer.echo(f"{place}: its signature")


def signature_path(certificate: str) -> Path:
    """Where the signature of a certificate lies when no place is named.

    Raises:
        InputError: for standard input.
    """
    from verify.kernel.errors import InputError

    if certificate == "-":
        raise InputError("-: standard input has no name for its signature; name the signature")
    return Path(f"{certificate}.sig")


def read_key_file(name: str) -> bytes:
    """The content of a PEM file."""
    from verify.intake.source import read_source

    return read_source(name, max_bytes=_MAX_KEY_BYTES).content


def _password(name: str | None) -> bytes | None:
    if name is None:
        return None
    from verify.kernel.errors import InputError

    lines = read_key_file(name).splitlines()
    if not lines[0]:
        raise InputError(f"{name}: the first line is empty; write the password there")
    return lines[0]
