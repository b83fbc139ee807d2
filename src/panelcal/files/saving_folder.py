"""Putting several files into a folder: written beside it first, and moved there when all of them are complete."""

from __future__ import annotations

import os
import shutil
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path

from panelcal.errors import FileProblem
from panelcal.files.saving import save_bytes
from panelcal.interruption import has_done, held_back, undone_by


def check_folder(folder: Path, names: Iterable[str] = (), *, overwrite: bool) -> None:
    """Refuse a folder that cannot be written to, or that holds files of these names already, any .csv without names.

    Raises
    ------
    FileProblem
        If it is a file, its parent is missing, or something in it would be replaced without `overwrite`.
    """
    if folder.exists() and not folder.is_dir():
        raise FileProblem(f"{folder} is a file: give the name of a folder.")
    if not folder.parent.is_dir():
        raise FileProblem(f"The folder {folder.parent} does not exist: make it first or choose another name.")
    if overwrite or not folder.is_dir():
        return
    wanted = set(names)
    there = sorted(
        path.name for path in folder.iterdir() if path.name in wanted or (not wanted and path.suffix == ".csv")
    )
    if there:
        raise FileProblem(f"{folder} holds {there[0]} already: choose another folder or add --force.")


def save_folder(files: Mapping[str, bytes], folder: Path, *, overwrite: bool = False) -> None:
    """Write all files or none; other files in the folder stay as they are.

    Raises
    ------
    FileProblem
        As for `check_folder`, or if the system refuses.
    """
    check_folder(folder, files, overwrite=overwrite)
    made: list[str] = []

    def remove() -> None:
        for path in made:
            shutil.rmtree(path, ignore_errors=True)

    with undone_by(remove):
        try:
            with held_back():
                made.append(tempfile.mkdtemp(prefix=".panelcal-", suffix=".tmp", dir=folder.parent))
            filled = Path(made[0]) / "files"
            filled.mkdir()
            for name, content in files.items():
                save_bytes(content, filled / name)
            with held_back():
                folder.mkdir(exist_ok=True)
                for name in files:
                    os.replace(filled / name, folder / name)
                has_done(f"{folder} was written")
        except OSError as error:
            raise FileProblem(
                f"{folder} cannot be written ({error.strerror or error}): choose another folder."
            ) from error
        finally:
            remove()
