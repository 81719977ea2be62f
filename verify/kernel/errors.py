"""The errors that the kernel raises: always for bad input, never for a claim that is merely false."""

__all__ = ["CertificateError", "InexactNumberError", "InputError", "LimitError"]


class InputError(ValueError):
    """An argument breaks a constraint; the message names the place, the constraint and the value."""


class LimitError(InputError):
    """An argument is larger than the kernel works with; said before any work is done."""


class CertificateError(InputError):
    """A certificate is not well formed: wrong keys, types, order or spelling of numbers."""


class InexactNumberError(TypeError):
    """A float, a bool or another value that does not say exactly which rational is meant."""
