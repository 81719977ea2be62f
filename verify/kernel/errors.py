"""The errors that the kernel raises: for bad input, never for a claim that is merely false."""

__all__ = ["CertificateError", "InexactNumberError", "InputError", "LimitError", "require"]


class InputError(ValueError):
    """An argument breaks a constraint; the message names place, constraint and value."""


class LimitError(InputError):
    """An argument is larger than the kernel works with; said before any work is done."""


class CertificateError(InputError):
    """A certificate is not well formed: wrong keys, types, order or spelling of numbers."""


class InexactNumberError(TypeError):
    """A float, a bool or another value that does not say exactly which rational is meant."""


def require(holds: object, message: str) -> None:
    """Refuse an argument unless what it must satisfy holds.

    Raises:
        InputError: with the message.
    """
    if not holds:
        raise InputError(message)


def require_limit(size: int, limit: int, what: str) -> None:
    """Refuse a size over a limit, before any work.

    Raises:
        LimitError: naming what is too large.
    """
    if size > limit:
        raise LimitError(f"{what}: {size} is over the limit of {limit}")
