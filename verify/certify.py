"""Certificates: made, checked by the kernel, and only then written; and checked when read back."""

import hashlib
import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass
from fractions import Fraction
from numbers import Rational
from pathlib import Path

from verify.canonical_form import encode
from verify.kernel.certificate import MAX_BYTES, Certificate, check_certificate, decode
from verify.kernel.channel import Channel
from verify.kernel.contraction import e_gamma_contraction
from verify.kernel.errors import CertificateError, InputError, LimitError
from verify.kernel.exact import MAX_DIGITS, Extended, as_rational, excerpt, rational_text
from verify.kernel.ldp import ColumnRatio, largest_column_ratio
from verify.kernel.privacy_level import PrivacyLevel
from verify.kernel.verdict import Verdict
from verify.output_file import require_writable, write_atomically
from verify.output_folder import count_earlier, held_folder, require_folder_place

__all__ = [
    "ChannelReport",
    "certify_channel",
    "check",
    "content_digest",
    "held_certificates",
    "level_object",
    "write_certificate",
    "write_certificates",
]


def content_digest(content: bytes) -> str:
    """The SHA-256 of a certificate's file, in hexadecimal."""
    return hashlib.sha256(content).hexdigest()


def level_object(level: PrivacyLevel) -> dict[str, str]:
    """The level as a claim states it: ``{"exp_epsilon": "p/q"}`` or ``{"nats": "p/q"}``."""
    if level.exp_epsilon is not None:
        return {"exp_epsilon": rational_text(level.exp_epsilon)}
    return {"nats": rational_text(level.nats or Fraction(0))}


@dataclass(frozen=True, slots=True)
class ChannelReport:
    """What a channel reveals, every number *exact*, and whether it is private at a level.

    Args:
        channel: the channel.
        level: the privacy level that was asked about.
        ratio: the largest ratio of two entries of one column, and where it is.
        dobrushin_coefficient: the largest total variation distance between two rows.
        leakage: pairs (c, exp of the worst pointwise maximal leakage over priors with mass >= c).
        certificate: the claim that the channel is private at the level, with these numbers.
        verdict: the kernel's answer to that certificate.
    """

    channel: Channel
    level: PrivacyLevel
    ratio: ColumnRatio
    dobrushin_coefficient: Fraction
    leakage: tuple[tuple[Fraction, Extended], ...]
    certificate: Certificate
    verdict: Verdict

    @property
    def exp_epsilon(self) -> Extended:
        """The least E for which the channel is log(E)-LDP, *exact*; INFINITE if there is none."""
        return self.ratio.exp_epsilon

    def __repr__(self) -> str:
        """One line with the verdict."""
        return f"<ChannelReport {self.verdict.status.value}: {self.verdict.reason}>"

    def _repr_html_(self) -> str:
        from verify.report import channel_facts, facts_html

        return facts_html(channel_facts(self))


def certify_channel(
    channel: Channel | Iterable[Iterable[object]],
    exp_epsilon: PrivacyLevel | Fraction | int | str,
    c: Iterable[object] | Rational | str = (),
) -> ChannelReport:
    """What the channel reveals and whether it is private at the level.

    Args:
        channel: a `Channel`, or its rows of exact numbers.
        exp_epsilon: e^epsilon as an exact number, or a privacy level.
        c: least prior masses, each in [0, 1/N], to state the worst leakage for; or one of them.

    Raises:
        InputError: for an invalid channel, level or c.
        InexactNumberError: for floats.

    >>> certify_channel([["3/4", "1/4"], ["1/4", "3/4"]], 3).verdict.is_accepted
    True
    """
    if not isinstance(channel, Channel):
        channel = Channel(tuple(tuple(row) for row in channel))
    level = exp_epsilon
    if not isinstance(level, PrivacyLevel):
        level = PrivacyLevel(exp_epsilon=as_rational(level, "exp_epsilon"))
    contraction = e_gamma_contraction(channel)  # first, as it refuses what is too large
    ratio = largest_column_ratio(channel)
    given = (c,) if isinstance(c, str | Rational) else c
    masses = tuple(as_rational(mass, "c") for mass in given)
    leakage = tuple((mass, largest_column_ratio(channel, mass).exp_epsilon) for mass in masses)
    certificate = _channel_certificate(channel, level, ratio, contraction, leakage)
    verdict = check_certificate(certificate)
    return ChannelReport(channel, level, ratio, contraction, leakage, certificate, verdict)


def _channel_certificate(
    channel: Channel,
    level: PrivacyLevel,
    ratio: ColumnRatio,
    contraction: Fraction,
    leakage: tuple[tuple[Fraction, Extended], ...],
) -> Certificate:
    """The claim in the form of ``FORMAT.md``; an infinite leakage has no form and is left out."""
    for where, value in (("exp_epsilon", ratio.exp_epsilon), *(("leakage", v) for _, v in leakage)):
        _require_spellable(value, where)
    claim = {
        "rows": [[rational_text(entry) for entry in row] for row in channel.rows],
        "level": level_object(level),
        "exp_epsilon": str(ratio.exp_epsilon),
        "dobrushin_coefficient": rational_text(contraction),
        "leakage": [
            [rational_text(mass), rational_text(value)]
            for mass, value in leakage
            if isinstance(value, Fraction)
        ],
    }
    return Certificate("channel", claim, {})


def _require_spellable(value: Extended, where: str) -> None:
    """Refuse a number that the format cannot hold: a ratio has twice the digits of its entries."""
    if isinstance(value, Fraction) and max(value.numerator, value.denominator) >= 10**MAX_DIGITS:
        raise LimitError(
            f"{where}: has more than {MAX_DIGITS} digits; give entries with fewer, "
            "or take the nearest channel with a smaller denominator"
        )


def check(
    certificate: Certificate | str | bytes | Mapping[str, object] | os.PathLike[str],
) -> Verdict:
    """Whether the certificate proves its claim, decided by the kernel alone.

    Args:
        certificate: a `Certificate`, the text of its file, the object in it, or the path of it.

    Raises:
        CertificateError: if it is not well formed.
        TypeError: for an object of another type.
        InputError: if a file cannot be read, or a size is over a limit.
    """
    if isinstance(certificate, Certificate):
        return check_certificate(certificate)
    if isinstance(certificate, Mapping):
        return check_certificate(decode(_spell(certificate)))
    if isinstance(certificate, os.PathLike):
        return check_certificate(_read(Path(certificate)))
    if not isinstance(certificate, str | bytes):
        given = type(certificate).__name__
        raise TypeError(f"certificate: {given} is no Certificate, text, bytes, mapping or path")
    if isinstance(certificate, str) and not certificate.lstrip().startswith("{"):
        raise CertificateError(
            f"certificate: {excerpt(certificate)} is not the text of one; give a path as a Path"
        )
    return check_certificate(decode(certificate))


def _spell(content: Mapping[str, object]) -> str:
    try:
        return json.dumps(content)
    except (TypeError, ValueError, RecursionError) as error:
        raise CertificateError(f"the certificate is not an object of JSON: {error}") from None


def _read(path: Path) -> Certificate:
    from verify.intake.source import read_source

    source = read_source(str(path), max_bytes=MAX_BYTES)
    return decode(source.content)


def write_certificate(certificate: Certificate, path: str | os.PathLike[str]) -> Verdict:
    """Write the certificate if the kernel accepts it, and return the kernel's verdict.

    What is checked is the certificate that a reader will decode from the very bytes to be written.
    Unless the verdict is ACCEPTED, and whenever writing fails, the place stays as it was.

    Raises:
        InputError: if the place cannot be written.
        CertificateError: if the certificate is not well formed.
    """
    require_writable(path)
    content = encode(certificate)
    verdict = check_certificate(decode(content))
    if verdict.is_accepted:
        write_atomically(path, content)
    return verdict


def write_certificates(
    certificates: Mapping[str, Certificate],
    folder: str | os.PathLike[str],
    *,
    announce: Callable[[str], None] | None = None,
) -> dict[str, str]:
    """Write a folder with exactly these certificates, all of them or none.

    Args:
        certificates: one for each name of a file, such as ``0001.json``.
        folder: an earlier folder of certificates is replaced as a whole.
        announce: told in one line what was replaced, if other certificates were there.

    Returns:
        The SHA-256 of each file, by its name.

    Raises:
        InputError: if the place cannot be written, or the kernel does not accept all of them.
        CertificateError: if one of them is not well formed.
    """
    with held_certificates(certificates, folder, announce=announce) as digests:
        return digests


@contextmanager
def held_certificates(
    certificates: Mapping[str, Certificate],
    folder: str | os.PathLike[str],
    *,
    announce: Callable[[str], None] | None = None,
) -> Iterator[dict[str, str]]:
    """The same, for a block in which no other program removes the folder as one of an earlier run.

    Raises:
        InputError, CertificateError: as above, before the block.
    """
    require_folder_place(folder)
    files = {name: encode(certificate) for name, certificate in certificates.items()}
    for name, content in files.items():
        verdict = check_certificate(decode(content))
        if not verdict.is_accepted:
            raise InputError(f"{folder}: {name} is not accepted: {verdict.reason}")
    lost = count_earlier(folder, files)
    with held_folder(folder, files):
        if lost and announce is not None:
            announce(f"{lost} certificates of an earlier run in {folder} were replaced")
        yield {name: content_digest(content) for name, content in files.items()}
