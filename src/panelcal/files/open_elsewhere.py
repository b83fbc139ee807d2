"""Whether a workbook is open in a spreadsheet program, by the lock file that the program puts beside it."""

from __future__ import annotations

from pathlib import Path


def is_open_elsewhere(path: Path) -> bool:
    """Tell whether Excel or LibreOffice says that it has the file open."""
    return any(path.with_name(lock).exists() for lock in (f"~${path.name}", f".~lock.{path.name}#"))
