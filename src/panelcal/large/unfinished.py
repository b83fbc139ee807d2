"""A folder that appears in its place all at once or not at all, with a workplace inside that is gone by then."""

from __future__ import annotations

import os
import shutil
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

from panelcal.errors import FileProblem
from panelcal.interruption import has_done, held_back, undone_by

_PREFIX, _WORK = ".panelcal-", "work"
_A_DAY = 86_400.0
RESULTS = ("values.parquet", "assessors.parquet", "unexpected.parquet", "summary.xlsx", "summary.json")


def check_folder(target: Path, *, overwrite: bool) -> None:
    """Refuse a folder that must not be written.

    Raises
    ------
    FileProblem
        If it is a file, holds anything but earlier results, or exists without `overwrite`.
    """
    if target.is_file():
        raise FileProblem(f"{target} is a file: a long table's results need a folder, such as -o results/.")
    if not target.parent.is_dir():
        raise FileProblem(f"The folder {target.parent} does not exist: make it first or choose another with -o.")
    if target.is_dir():
        there = sorted(path.name for path in target.iterdir())
        if there and not overwrite:
            raise FileProblem(f"The folder {target} is not empty: choose another with -o or add --force.")
        others = [name for name in there if name not in RESULTS]
        if others:
            raise FileProblem(
                f"The folder {target} holds {others[0]}, which is no result of an earlier run: choose another with -o."
            )


@contextmanager
def folder_in_place(target: Path, *, overwrite: bool) -> Iterator[tuple[Path, Path]]:
    """Give a folder to fill and one to work in; at the end of the `with` block the filled one is moved to its place.

    Whatever goes wrong, interruption included, both are gone and what was in the place before stays.
    """
    check_folder(target, overwrite=overwrite)
    parent = target.resolve().parent
    _remove_leftovers(parent)
    made: list[str] = []

    def remove() -> None:
        for path in made:
            shutil.rmtree(path, ignore_errors=True)

    with undone_by(remove):
        try:
            try:
                with held_back():
                    made.append(tempfile.mkdtemp(prefix=_PREFIX, suffix=".tmp", dir=parent))
            except OSError as error:
                raise FileProblem(
                    f"{target} cannot be written ({error.strerror or error}): choose another place with -o."
                ) from error
            filled, work = Path(made[0]) / "results", Path(made[0]) / _WORK
            filled.mkdir()
            work.mkdir()
            yield filled, work
            shutil.rmtree(work)
            check_folder(target, overwrite=overwrite)
            with held_back():
                if target.is_dir():
                    for path in target.iterdir():
                        shutil.rmtree(path) if path.is_dir() else path.unlink()
                    target.rmdir()
                os.replace(filled, target)
                has_done(f"{target} was written")
        finally:
            remove()


def _remove_leftovers(parent: Path) -> None:
    """Remove what runs that were killed have left, known by name and age."""
    with suppress(OSError):
        for path in parent.glob(f"{_PREFIX}*.tmp"):
            if path.is_dir() and time.time() - path.stat().st_mtime > _A_DAY:
                shutil.rmtree(path, ignore_errors=True)
