"""Folders of files that appear whole or not at all, as ``verify.output_file`` does for one file."""

import ctypes
import os
import re
import sys
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from verify.kernel.errors import InputError
from verify.output_file import sync_folder, write_synced
from verify.temporary_name import remove_leftovers, temporary_folder

__all__ = ["require_replaceable_folder", "write_folder_atomically"]

_EXCHANGE = 2
_CURRENT_FOLDER = -100
_OWN_NAME = re.compile(r"[0-9]{4,}\.json")


def require_replaceable_folder(path: str | os.PathLike[str]) -> Path:
    """The path of a folder that is missing, or holds nothing but numbered JSON files.

    Raises:
        InputError: for anything else, which is not replaced.
    """
    target = Path(os.path.realpath(path))
    if not target.exists():
        return target
    if not target.is_dir():
        raise InputError(f"{target}: is not a folder; move it away")
    for entry in sorted(target.iterdir()):
        if not _OWN_NAME.fullmatch(entry.name):
            raise InputError(f"{entry}: would be lost with the folder; move it away")
    return target


def write_folder_atomically(path: str | os.PathLike[str], files: Mapping[str, bytes]) -> None:
    """Put exactly these files into the folder, or leave everything as it was.

    Args:
        path: the folder; an existing one with numbered JSON files is replaced.
        files: the content of each name.

    Raises:
        InputError: if the place cannot be written, or the disk refuses.
    """
    target = require_replaceable_folder(path)
    remove_leftovers(target.parent)
    try:
        with temporary_folder(target.parent) as folder:
            for name, content in files.items():
                descriptor = os.open(folder / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
                with os.fdopen(descriptor, "wb") as file:
                    write_synced(file, content)
            sync_folder(folder)
            _put(folder, target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"{target}: cannot be written ({reason}); nothing was changed") from None
    sync_folder(target.parent)


def _put(folder: Path, target: Path) -> None:
    """Give the folder its name; an old one of that name is then under the temporary one."""
    with suppress(OSError):  # there is one already
        folder.rename(target)
        return
    if not _exchanged(folder, target):
        with temporary_folder(target.parent) as spare:
            target.rename(spare / "old")
            folder.rename(target)


def _exchanged(first: Path, second: Path) -> bool:
    """Exchange two names in one step, where the system can."""
    names = os.fsencode(first), os.fsencode(second)
    with suppress(AttributeError, OSError):
        library = ctypes.CDLL(None)
        if sys.platform == "darwin":
            return bool(library.renamex_np(*names, _EXCHANGE) == 0)
        here = _CURRENT_FOLDER
        return bool(library.renameat2(here, names[0], here, names[1], _EXCHANGE) == 0)
    return False
