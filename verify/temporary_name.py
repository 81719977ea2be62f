"""Temporary files and folders beside the outputs, and what killed processes left of them.

Who writes under a temporary name holds a lock on it, which the system lets go of when the process
ends in whatever way. So a temporary that nobody has locked is a leftover, and is removed by the
next program that writes in the folder. Where there are no such locks, leftovers stay: they are in
nobody's way.

What was only moved aside into a temporary folder, into ``MOVED_ASIDE`` there, may be the only copy:
before the folder is removed, it gets its name back if nothing has that name.
"""

import os
import secrets
import shutil
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

try:
    import fcntl
except ModuleNotFoundError:  # a system without such locks
    fcntl = None  # type: ignore[assignment]

__all__ = ["MOVED_ASIDE", "new_temporary", "remove_leftovers", "temporary_folder", "try_lock"]

MOVED_ASIDE = "moved-aside"
"""The folder in a temporary one for what keeps its own name, and gets back its place."""
_PREFIX, _SUFFIX = ".exactdp-", ".tmp"


def new_temporary(folder: Path, mode: int) -> tuple[Path, int]:
    """A new empty file in the folder, and its descriptor, which holds the lock.

    Raises:
        OSError: if it cannot be made.
    """
    while True:
        path = _name(folder)
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, mode)
        if _is_kept(descriptor):
            return path, descriptor
        os.close(descriptor)


@contextmanager
def temporary_folder(folder: Path) -> Iterator[Path]:
    """A new folder inside another one, locked while it is in use; then removed if still there.

    Raises:
        OSError: if it cannot be made.
    """
    path, descriptor = _new_folder(folder)
    try:
        yield path
    finally:
        try:
            with suppress(OSError):  # what cannot be put back stays there
                _put_back(path)
                shutil.rmtree(path, ignore_errors=True)
        finally:
            if descriptor is not None:
                os.close(descriptor)


def _new_folder(folder: Path) -> tuple[Path, int | None]:
    while True:
        path = _name(folder)
        path.mkdir()
        if fcntl is None:
            return path, None
        with suppress(FileNotFoundError):  # taken for a leftover before it was opened
            descriptor = os.open(path, os.O_RDONLY)
            if _is_kept(descriptor):
                return path, descriptor
            os.close(descriptor)


def _name(folder: Path) -> Path:
    return folder / f"{_PREFIX}{secrets.token_hex(8)}{_SUFFIX}"


def _is_kept(descriptor: int) -> bool:
    """Lock a new temporary; False if it was taken for a leftover before that."""
    return try_lock(descriptor) is not False and os.fstat(descriptor).st_nlink > 0


def remove_leftovers(folder: Path) -> None:
    """Remove the temporaries in the folder that no process has locked; put back the only copies."""
    with suppress(OSError):
        for name in os.listdir(folder):  # noqa: PTH208 - names are enough
            if name.startswith(_PREFIX) and name.endswith(_SUFFIX):
                with suppress(OSError):
                    _settle(folder / name)


def _settle(path: Path) -> None:
    """Put back and remove a temporary; without locks nothing is removed."""
    if fcntl is None:
        if not path.is_symlink():
            _put_back(path)
        return
    descriptor = os.open(path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    try:
        lock = try_lock(descriptor)
        if lock is False:
            return
        _put_back(path)
        if lock is None:
            return
        if stat.S_ISDIR(os.fstat(descriptor).st_mode):
            shutil.rmtree(path)
        else:
            path.unlink()
    finally:
        os.close(descriptor)


def _put_back(temporary: Path) -> None:
    """Give what was moved aside into this folder its place again, where nothing has taken it.

    Raises:
        OSError: if that is refused; it is still there then.
    """
    aside = temporary / MOVED_ASIDE
    for entry in list(aside.iterdir()) if aside.is_dir() else ():
        place = temporary.parent / entry.name
        if not os.path.lexists(place):
            entry.rename(place)
    if aside.is_dir() and any(aside.iterdir()):
        aside.rename(temporary / "discarded")  # a part of it must never come back


def try_lock(descriptor: int) -> bool | None:
    """Whether the lock could be had; None where the file system knows none."""
    if fcntl is None:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    except OSError:
        return None
    return True
