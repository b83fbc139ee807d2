"""The finished add-in that this panelcal carries: one file for everyone, made when the wheel was built."""

from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path

from panelcal.errors import InstallProblem

FILE_NAME = "panelcal.xlam"
SCRIPT_NAME = "panelcal.applescript"
XLWINGS = "0.37.8"
"""The version of xlwings that the add-in asks for: its libraries for Windows have it in their names."""
LIBRARIES = f"xlwings64-{XLWINGS}.dll", f"xlwings32-{XLWINGS}.dll"
"""Those libraries, for Excel of 64 and of 32 bits."""


def addin_content() -> bytes:
    """Return the add-in.

    Raises
    ------
    InstallProblem
        If this installation does not hold it.
    """
    return _carried(FILE_NAME)


def script_content() -> bytes:
    """Return the script that lets Excel for Mac start Python.

    Raises
    ------
    InstallProblem
        If this installation does not hold it.
    """
    return _carried(SCRIPT_NAME)


def fingerprint(content: bytes) -> str:
    """Return the SHA-256 of a file, by which an administrator allows it."""
    return hashlib.sha256(content).hexdigest()


def _carried(name: str) -> bytes:
    """Read a file inside an installed package, or at the top of a source checkout."""
    package = files("panelcal")
    for folder in (package / "addin", Path(str(package)).parents[1] / "addin"):
        if (folder / name).is_file():
            return (folder / name).read_bytes()
    raise InstallProblem(f"{name} is missing from this installation: install panelcal again.")
