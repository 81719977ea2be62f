"""Decides claims about privacy mechanisms; trusts nothing that it has not checked."""

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from verify.certify import certify_channel, check

__all__ = ["certify_channel", "check"]


def __getattr__(name: str) -> object:
    """The public functions, imported when first asked for, so that the command line starts fast."""
    if name in __all__:
        from verify import certify

        return getattr(certify, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
