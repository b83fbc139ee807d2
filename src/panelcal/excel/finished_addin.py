"""The finished add-in that this panelcal carries: one file for everyone, made when the wheel was built."""

from __future__ import annotations

import hashlib
import io
import re
import zipfile

from panelcal.errors import FileProblem, InstallProblem
from panelcal.shipped import shipped_folder

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


def is_signed(content: bytes) -> bool:
    """Whether a file is a workbook whose macros carry a signature, as one that was signed in Excel or by signtool."""
    try:
        with zipfile.ZipFile(io.BytesIO(content)) as package:
            return any(re.fullmatch(r"xl/vbaProjectSignature\w*\.bin", name) for name in package.namelist())
    except (zipfile.BadZipFile, OSError):
        return False


def _carried(name: str) -> bytes:
    try:
        return (shipped_folder("addin") / name).read_bytes()
    except (FileProblem, OSError):
        raise InstallProblem(f"{name} is missing from this installation: install panelcal again.") from None
