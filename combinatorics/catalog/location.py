"""Where the catalog lies when no place is named: in the user's folder for data."""

import os
import sys
from pathlib import Path

__all__ = ["default_path"]

_FOLDER, _FILE = "exactdp", "catalog.sqlite"


def default_path() -> Path:
    """The catalog of this user.

    Under ``XDG_DATA_HOME`` if that is set to an absolute path; else under ``LOCALAPPDATA`` on
    Windows, ``Library/Application Support`` on macOS, and ``.local/share`` elsewhere.

    Reference: XDG Base Directory Specification 0.8.
    """
    named = Path(os.environ.get("XDG_DATA_HOME", ""))
    if named.is_absolute():
        return named / _FOLDER / _FILE
    if sys.platform == "win32":
        local = os.environ.get("LOCALAPPDATA", "")
        return (Path(local) if local else Path.home() / "AppData" / "Local") / _FOLDER / _FILE
    if sys.platform == "darwin":
        return Path.home() / "Library" / "Application Support" / _FOLDER / _FILE
    return Path.home() / ".local" / "share" / _FOLDER / _FILE
