"""Made-up computers: a home for each platform, with a Python in it."""

from __future__ import annotations

from pathlib import Path

from panelcal.excel.finished_addin import LIBRARIES, XLWINGS
from panelcal.excel.machine import Machine

PLATFORMS = ("win32", "darwin", "linux")


def machine(root: Path, platform: str, **changes) -> Machine:
    """A computer below `root` on which all is well."""
    home = root / "home"
    tool = home / "tools" / "panelcal"
    python = tool / ("Scripts/python.exe" if platform == "win32" else "bin/python")
    python.parent.mkdir(parents=True, exist_ok=True)
    python.write_text("a program")
    if platform == "win32":
        for name in LIBRARIES:
            (tool / name).write_text("a library")
    given = {
        "platform": platform,
        "home": home,
        "interpreter": python,
        "xlwings": XLWINGS,
        "appdata": home / "AppData" / "Roaming" if platform == "win32" else None,
        "library_folders": (python.parent, tool) if platform == "win32" else (),
    }
    return Machine(**{**given, **changes})


def files_below(folder: Path) -> dict[Path, bytes]:
    """Every file below a folder with its content."""
    return {path: path.read_bytes() for path in sorted(folder.rglob("*")) if path.is_file()}


def folders_below(folder: Path) -> set[Path]:
    """Every folder below a folder."""
    return {path for path in folder.rglob("*") if path.is_dir()}
