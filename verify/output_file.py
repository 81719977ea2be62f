"""Files that appear whole or not at all: written under a temporary name, synced, then renamed."""

import os
import secrets
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path

from verify.kernel.errors import InputError

__all__ = [
    "require_other_file",
    "require_writable",
    "sync_folder",
    "write_atomically",
    "write_synced",
]


def require_writable(path: str | os.PathLike[str]) -> Path:
    """The path of a file that can be created or replaced; said before any work is done.

    Raises:
        InputError: for a directory, a device, a missing or unwritable folder.
    """
    target = Path(path)
    if str(target) == "-":
        raise InputError("-: is not written to standard output; name a file")
    if target.is_dir():
        raise InputError(f"{target}: is a directory; name a file in it")
    target = Path(os.path.realpath(target))  # a link keeps pointing to the file
    folder = target.parent
    if not folder.is_dir():
        raise InputError(f"{target}: the folder {folder} does not exist; make it first")
    if target.exists() and not stat.S_ISREG(target.stat().st_mode):
        raise InputError(f"{target}: is not a regular file; name another output")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{target}: the folder {folder} is not writable; name another output")
    return target


def require_other_file(path: str | os.PathLike[str], source: str) -> None:
    """Refuse an output that would replace the input.

    Args:
        path: the output.
        source: the input; ``-`` is standard input.

    Raises:
        InputError: if both name one file.
    """
    if source != "-" and os.path.realpath(path) == os.path.realpath(source):
        raise InputError(f"{path}: is the input file; name another output")


def write_atomically(path: str | os.PathLike[str], content: bytes | Iterable[bytes]) -> None:
    """Put the content into the file, or leave everything as it was.

    Args:
        path: the file; an existing one is replaced.
        content: all of it, or its pieces one after the other.

    Raises:
        InputError: if the place cannot be written, or the disk refuses; an existing file is then
            untouched and no temporary file stays behind.
    """
    target = require_writable(path)
    temporary = target.with_name(f".exactdp-{secrets.token_hex(8)}.tmp")
    try:
        write_synced(temporary, content)
        temporary.replace(target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"{target}: cannot be written ({reason}); nothing was changed") from None
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    sync_folder(target.parent)


def write_synced(path: Path, content: bytes | Iterable[bytes]) -> None:
    """Write a new file and wait until it is on the disk."""
    # The mode is narrowed by the user's umask, as for any new file.
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
    with os.fdopen(descriptor, "wb") as file:
        file.writelines([content] if isinstance(content, bytes) else content)
        file.flush()
        os.fsync(file.fileno())


def sync_folder(folder: Path) -> None:
    """Make the new name last; some file systems cannot, and the file is whole either way."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
