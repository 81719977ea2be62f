"""Files that appear whole or not at all: written under a temporary name, synced, then renamed."""

import os
import re
import stat
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import BinaryIO

from verify.kernel.errors import InputError
from verify.temporary_name import new_temporary, remove_leftovers

__all__ = [
    "require_other_file",
    "require_writable",
    "sync_folder",
    "write_atomically",
    "write_synced",
]

_RENAMES_OPEN_FILES = os.name == "posix"
"""Whether a file can get its name while it is still open, and hence locked."""


_PRIVATE_KEY = re.compile(rb"\s*-----BEGIN [A-Z ]*PRIVATE KEY-----")


def require_writable(path: str | os.PathLike[str], *, may_replace_key: bool = False) -> Path:
    """The path of a file that can be created or replaced; said before any work is done.

    Args:
        path: the file.
        may_replace_key: whether the PEM file of a private key may be replaced.

    Raises:
        InputError: for a directory, a device, a missing or unwritable folder, or a private key.
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
    if not may_replace_key and _is_private_key(target):
        raise InputError(f"{target}: holds a private key, which cannot be had back; name another")
    return target


def _is_private_key(path: Path) -> bool:
    with suppress(OSError), path.open("rb") as file:
        return _PRIVATE_KEY.match(file.read(80)) is not None
    return False


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


def write_atomically(
    path: str | os.PathLike[str],
    content: bytes | Iterable[bytes],
    *,
    replace: bool = True,
    is_private: bool = False,
) -> None:
    """Put the content into the file, or leave everything as it was.

    Args:
        path: the file; an existing one is replaced.
        content: all of it, or its pieces one after the other.
        replace: False keeps an existing file, even one that appears in the meantime.
        is_private: whether its owner alone may read and write it.

    Raises:
        InputError: if the place cannot be written, or the disk refuses; an existing file is then
            untouched and no temporary file stays behind.
    """
    target = require_writable(path, may_replace_key=is_private)
    remove_leftovers(target.parent)
    temporary: Path | None = None
    try:
        # The mode is narrowed by the user's umask, as for any new file.
        temporary, descriptor = new_temporary(target.parent, 0o600 if is_private else 0o666)
        with os.fdopen(descriptor, "wb") as file:
            write_synced(file, content)
            if _RENAMES_OPEN_FILES:
                _rename(temporary, target, replace=replace)
        if not _RENAMES_OPEN_FILES:
            _rename(temporary, target, replace=replace)
    except FileExistsError:
        raise InputError(f"{target}: exists; nothing was changed: name another file") from None
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"{target}: cannot be written ({reason}); nothing was changed") from None
    finally:
        if temporary is not None:
            with suppress(OSError):
                temporary.unlink(missing_ok=True)
    sync_folder(target.parent)


def write_synced(file: BinaryIO, content: bytes | Iterable[bytes]) -> None:
    """Write the content, or its pieces, and wait until the disk has it."""
    file.writelines([content] if isinstance(content, bytes) else content)
    file.flush()
    os.fsync(file.fileno())


def _rename(temporary: Path, target: Path, *, replace: bool) -> None:
    """Give the file its name; a second name can be given only where there is none."""
    if replace:
        temporary.replace(target)
    else:
        target.hardlink_to(temporary)


def sync_folder(folder: Path) -> None:
    """Make the new name last; some file systems cannot, and the file is whole either way."""
    with suppress(OSError):
        descriptor = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(descriptor)
        finally:
            os.close(descriptor)
