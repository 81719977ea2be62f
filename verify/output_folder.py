"""Folders of certificates that appear whole or not at all, with nothing left of an earlier one.

The files are written and synced in a new folder beside the place, which then takes the place in one
step: by a rename where nothing or an empty folder is there, and by an exchange of the two names
where an earlier folder is. Systems without an exchange rename twice; a kill between the two leaves
both folders whole, one of them under a hidden name that begins with ``.exactdp-``.
"""

import ctypes
import os
import re
import secrets
import shutil
from collections.abc import Mapping
from contextlib import suppress
from pathlib import Path

from verify.kernel.errors import InputError
from verify.output_file import sync_folder, write_synced

__all__ = ["remove_earlier_folder", "require_folder_place", "write_folder_atomically"]

_OWN_NAME = re.compile(r"[0-9]+(-[0-9]+)?\.json")
_AT_FDCWD = -100
_RENAME_EXCHANGE = 2


def require_folder_place(path: str | os.PathLike[str]) -> Path:
    """The path of a folder that can be created or replaced; said before any work is done.

    Raises:
        InputError: for a file, a folder with anything in it but numbered certificates, or a place
            that cannot be written.
    """
    target = Path(os.path.realpath(path))
    folder = target.parent
    if not folder.is_dir():
        raise InputError(f"{target}: the folder {folder} does not exist; make it first")
    if target.exists() and not target.is_dir():
        raise InputError(f"{target}: is a file; name a folder for the certificates")
    if not os.access(folder, os.W_OK | os.X_OK):
        raise InputError(f"{target}: the folder {folder} is not writable; name another place")
    foreign = _foreign(target) if target.is_dir() else None
    if foreign is not None:
        raise InputError(f"{target}: holds {foreign}, which is no certificate of an earlier run")
    return target


def write_folder_atomically(path: str | os.PathLike[str], files: Mapping[str, bytes]) -> None:
    """Put exactly these files into the folder, or leave everything as it was.

    Args:
        path: the folder; an earlier one of certificates is replaced as a whole.
        files: the content for each name, such as ``0001.json``.

    Raises:
        InputError: if the place cannot be written, or the disk refuses; nothing is changed then.
    """
    target = require_folder_place(path)
    built = target.with_name(f".exactdp-{secrets.token_hex(8)}.tmp")
    try:
        built.mkdir()
        for name, content in files.items():
            write_synced(built / name, [content])
        sync_folder(built)
        _take_place(built, target)
    except OSError as error:
        reason = error.strerror or str(error)
        raise InputError(f"{target}: cannot be written ({reason}); nothing was changed") from None
    finally:
        shutil.rmtree(built, ignore_errors=True)  # what an exchange has left there, too
    sync_folder(target.parent)


def remove_earlier_folder(path: str | os.PathLike[str]) -> bool:
    """Remove the folder of an earlier run; one that holds anything else stays.

    Returns:
        Whether it was there and is gone.
    """
    target = Path(path)
    if not target.is_dir() or target.is_symlink() or _foreign(target) is not None:
        return False
    aside = target.with_name(f".exactdp-{secrets.token_hex(8)}.tmp")
    with suppress(OSError):
        target.rename(aside)  # gone in one step
    shutil.rmtree(aside, ignore_errors=True)
    return not target.exists()


def _foreign(folder: Path) -> str | None:
    """The name of an entry that is not a numbered certificate."""
    entries = (e for e in folder.iterdir() if not (_OWN_NAME.fullmatch(e.name) and e.is_file()))
    return next((entry.name for entry in entries), None)


def _take_place(built: Path, target: Path) -> None:
    if not target.exists() or not any(target.iterdir()):
        built.rename(target)
        return
    if _exchange(built, target):
        return
    aside = target.with_name(f"{built.name}.old")
    target.rename(aside)
    try:
        built.rename(target)
    except OSError:
        aside.rename(target)
        raise
    shutil.rmtree(aside, ignore_errors=True)


def _exchange(first: Path, second: Path) -> bool:
    """Swap the two names in one step; False where the system has no such call."""
    renameat2 = getattr(ctypes.CDLL(None, use_errno=True), "renameat2", None)
    if renameat2 is None:
        return False
    names = os.fsencode(first), os.fsencode(second)
    failed = renameat2(_AT_FDCWD, names[0], _AT_FDCWD, names[1], ctypes.c_uint(_RENAME_EXCHANGE))
    return not failed
