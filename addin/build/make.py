"""Puts the add-in together: our Visual Basic, the ribbon, its pictures, and the versions it was made for.

Nothing of the computer it is made on goes into it: the place of Python is read when Excel runs.
"""

from __future__ import annotations

import os
import re
import tomllib
from collections.abc import Sequence
from pathlib import Path

from addin.build.addin_package import CODE_NAMES, addin_bytes
from addin.build.vba_project import Kind, Module, module, vba_project

FOLDER = Path(__file__).parents[1]
FILE = FOLDER / "panelcal.xlam"
VBA_PROJECT_NAME = "PanelcalAddin"
OWN_MODULES: Sequence[tuple[str, Kind]] = (
    ("PythonLink", "class"),
    ("Workings", "class"),
    ("RibbonCalibrate", "standard"),
    ("CalibrateFunctions", "standard"),
)
_ENDS = {"document": "cls", "class": "cls", "standard": "bas"}


def build_addin() -> bytes:
    """Return the add-in: the same bytes for the same texts.

    Raises
    ------
    ValueError
        If a text is none that Excel would take, or xlwings is not pinned to one version.
    """
    version, xlwings = release_versions()
    return addin_bytes(
        {"PANELCAL_VERSION": version, "XLWINGS_VERSION": xlwings},
        project="panelcal",
        vba=vba_project(VBA_PROJECT_NAME, addin_modules(xlwings), "Calibrate"),
        ribbon=_text("ribbon.xml"),
        icons={path.stem: path.read_bytes() for path in sorted((FOLDER / "icons").glob("*.png"))},
        about=f"Calibrate: panelcal {version}, for xlwings {xlwings}",
    )


def addin_modules(xlwings: str) -> Sequence[Module]:
    """Return all VBA modules of the add-in, documents first as Excel has them.

    Parameters
    ----------
    xlwings
        The version of xlwings, which its library for Windows has in its name.
    """
    workbook, sheet = CODE_NAMES
    return (
        module(workbook, "document", _vba(workbook, "document")),
        module(sheet, "document", ""),
        *(module(name, kind, _vba(name, kind).replace("@XLWINGS@", xlwings)) for name, kind in OWN_MODULES),
    )


def release_versions() -> tuple[str, str]:
    """Return the version of panelcal and the one of xlwings that it asks for.

    Raises
    ------
    ValueError
        If xlwings is not pinned: its library has its exact version in its name.
    """
    project = tomllib.loads((FOLDER.parent / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    pins = [match[1] for entry in project["dependencies"] if (match := re.fullmatch(r"xlwings==([\d.]+)", entry))]
    if len(pins) != 1:
        raise ValueError("pyproject.toml must ask for exactly one version of xlwings (xlwings==...).")
    return project["version"], pins[0]


def write_addin() -> Path:
    """Write the add-in to its place beside the texts, at once, and only if it is another one; return the place."""
    data = build_addin()
    if not FILE.is_file() or FILE.read_bytes() != data:
        temporary = FILE.with_name(f".{FILE.name}.{os.getpid()}.new")
        temporary.write_bytes(data)
        temporary.replace(FILE)
    return FILE


def _vba(name: str, kind: Kind) -> str:
    return _text(f"vba/{name}.{_ENDS[kind]}")


def _text(name: str) -> str:
    return (FOLDER / name).read_text(encoding="utf-8")
