"""Whether a workbook is open in a spreadsheet program, by the lock file that the program puts beside it."""

from __future__ import annotations

import os
from pathlib import Path


def is_open_elsewhere(path: Path) -> bool:
    """Tell whether Excel or LibreOffice says that it has the file open."""
    # Not Path.exists, which raises where the name of the lock would be too long to exist.
    return any(os.path.lexists(path.with_name(lock)) for lock in (f"~${path.name}", f".~lock.{path.name}#"))
