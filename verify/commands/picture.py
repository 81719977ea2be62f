"""The pictures that ``--plot`` writes: which names they may have."""

from pathlib import Path

__all__ = ["require_picture"]

FORMATS = ("pdf", "png", "svg")


def require_picture(path: Path) -> None:
    """Refuse a picture that could not be written, before any work is done.

    Raises:
        InputError: for an unknown ending or a place that cannot be written.
    """
    from verify.kernel.errors import InputError
    from verify.output_file import require_writable

    if path.suffix.lower().removeprefix(".") not in FORMATS:
        raise InputError(
            f"--plot: {path} is not a picture file; end the name in .png, .svg or .pdf"
        )
    require_writable(path)
