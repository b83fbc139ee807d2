"""Copies of the ready-made workbooks for the menu "New from template"."""

from __future__ import annotations

import shutil
from importlib.resources import as_file, files
from importlib.resources.abc import Traversable
from itertools import count
from pathlib import Path

from panelcal.errors import FileProblem
from panelcal.excel.documents import documents_folder

_FOLDER = "workbook_templates"


def copy_template(name: str) -> Path:
    """Copy a template into the user's documents under a name that is free there, and return the copy.

    Raises
    ------
    FileProblem
        If there is no such template, or the folder cannot be written to.
    """
    folder = _templates_folder()
    known = sorted(entry.name.removesuffix(".xlsx") for entry in folder.iterdir() if entry.name.endswith(".xlsx"))
    if name not in known:
        raise FileProblem(f"There is no template called {name}: choose one of {', '.join(known)}.")
    place = documents_folder() or Path.home()
    copies = (place / f"{name}{'' if number == 1 else f' {number}'}.xlsx" for number in count(1))
    target = next(path for path in copies if not path.exists())
    try:
        with as_file(folder / f"{name}.xlsx") as template:
            shutil.copyfile(template, target)
    except OSError as error:
        raise FileProblem(f"The template cannot be copied to {place}: check that you may save files there.") from error
    return target


def _templates_folder() -> Traversable:
    """Return the folder inside an installed package, or at the top of a source checkout."""
    package = files("panelcal")
    folder = package / _FOLDER
    return folder if folder.is_dir() else Path(str(package)).parents[1] / _FOLDER
