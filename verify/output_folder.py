"""Folders of certificates that appear whole or not at all, with nothing left of an earlier one.

The files are written and synced in a new folder beside the place, which then takes the place in one
step: by a rename where nothing or an empty folder is there, and by an exchange of the two names
where an earlier folder is. Systems without an exchange rename twice; a kill between the two leaves
the earlier folder whole under a temporary name, and the next program to write there puts it back.
"""

import ctypes
import errno
import os
import re
import stat
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path

from verify.kernel.errors import InputError
from verify.output_file import sync_folder, write_synced
from verify.temporary_name import MOVED_ASIDE, remove_leftovers, temporary_folder, try_lock

__all__ = [
    "count_earlier",
    "held_folder",
    "remove_earlier_folder",
    "require_folder_place",
    "write_folder_atomically",
]

_OWN_NAME = re.compile(r"[0-9]{4,}(-[0-9]{4,})?\.json")
_MARK = b'"exactdp-certificate"'
_CURRENT_FOLDER = -100
_RENAME_EXCHANGE = 2


def require_folder_place(path: str | os.PathLike[str]) -> Path:
    """The path of a folder that can be created or replaced; said before any work is done.

    An earlier folder that a killed program has moved aside is back in its place then.

    Raises:
        InputError: for a file, a folder with anything in it but numbered certificates, or a place
            that cannot be written.
    """
    target = Path(os.path.realpath(path))
    folder = target.parent
    if not folder.is_dir():
        raise InputError(f"{target}: the folder {folder} does not exist; make it first")
    remove_leftovers(folder)
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
    with held_folder(path, files):
        pass


@contextmanager
def held_folder(path: str | os.PathLike[str], files: Mapping[str, bytes]) -> Iterator[None]:
    """The same, for a block in which ``remove_earlier_folder`` of other programs lets it be.

    Raises:
        InputError: as above, before the block.
    """
    target = require_folder_place(path)
    with ExitStack() as stack:
        try:
            built = stack.enter_context(temporary_folder(target.parent))
            for name, content in files.items():
                descriptor = os.open(built / name, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o666)
                with os.fdopen(descriptor, "wb") as file:
                    write_synced(file, content)
            sync_folder(built)
            _take_place(built, target)
        except OSError as error:
            why = error.strerror or str(error)
            raise InputError(f"{target}: cannot be written ({why}); nothing was changed") from None
        sync_folder(target.parent)
        yield


def count_earlier(path: str | os.PathLike[str], files: Mapping[str, bytes]) -> int:
    """How many certificates of an earlier run would be lost if these files took their place.

    Args:
        path: the folder, which need not exist.
        files: the content for each name; what is there already with these bytes is not lost.
    """
    lost = 0
    with suppress(OSError):  # there is no folder, or another writer is exchanging it
        for entry in Path(path).iterdir():
            with suppress(OSError):
                lost += entry.is_file() and files.get(entry.name) != entry.read_bytes()
    return lost


def remove_earlier_folder(
    path: str | os.PathLike[str], *, is_needed: Callable[[], bool] = lambda: False
) -> bool:
    """Remove the folder of an earlier run; one that holds anything else, or is held, stays.

    Args:
        path: the folder.
        is_needed: asked once no other program can hold it; True keeps it.

    Returns:
        Whether it was there and is gone.
    """
    target = Path(path)
    if not target.is_dir() or target.is_symlink() or _foreign(target) is not None:
        return False
    with suppress(OSError), ExitStack() as stack:
        if os.name == "posix":  # elsewhere folders are not opened
            descriptor = os.open(target, os.O_RDONLY)
            stack.callback(os.close, descriptor)
            if try_lock(descriptor) is False:
                return False
        if is_needed():
            return False
        aside = stack.enter_context(temporary_folder(target.parent))
        target.rename(aside / "old")  # gone in one step
    return not target.exists()


def _foreign(folder: Path) -> str | None:
    """The name of an entry that is not a numbered certificate."""
    with suppress(FileNotFoundError):  # another writer is exchanging the folder
        return next((entry.name for entry in folder.iterdir() if not _is_own(entry)), None)
    return None


def _is_own(entry: Path) -> bool:
    """Whether it has such a name and says that it is a certificate."""
    if _OWN_NAME.fullmatch(entry.name) is None:
        return False
    try:
        if not stat.S_ISREG(entry.stat().st_mode):  # reading a FIFO would wait for a writer
            return False
        return _MARK in entry.read_bytes()
    except FileNotFoundError:
        return True  # another writer has exchanged the folder: nothing there to be lost
    except OSError:
        return False


def _take_place(built: Path, target: Path) -> None:
    """Give the folder its name; an old one of that name is then under a temporary one."""
    if (not target.exists() or not any(target.iterdir())) and _renamed(built, target):
        return
    if not _exchange(built, target):
        with temporary_folder(target.parent) as spare:
            aside = spare / MOVED_ASIDE
            aside.mkdir()
            target.rename(aside / target.name)  # comes back, whatever ends the next step
            built.rename(target)


def _renamed(built: Path, target: Path) -> bool:
    """Rename to where nothing is; False if another writer has put a folder there meanwhile."""
    try:
        built.rename(target)
    except OSError as error:
        if error.errno in {errno.ENOTEMPTY, errno.EEXIST}:
            return False
        raise
    return True


def _exchange(first: Path, second: Path) -> bool:
    """Swap the two names in one step; False where the system has no such call."""
    names = os.fsencode(first), os.fsencode(second)
    with suppress(AttributeError, OSError):
        library = ctypes.CDLL(None)
        if sys.platform == "darwin":
            return bool(library.renamex_np(*names, _RENAME_EXCHANGE) == 0)
        here = _CURRENT_FOLDER
        return bool(library.renameat2(here, names[0], here, names[1], _RENAME_EXCHANGE) == 0)
    return False
