"""Putting a file in its place all at once or not at all."""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import BinaryIO

from panelcal.errors import FileProblem
from panelcal.files.open_elsewhere import is_open_elsewhere


def check_target(target: Path, *, source: Path | None = None, overwrite: bool = False) -> None:
    """Refuse a target that must not or cannot be written, before any work is done.

    Raises
    ------
    FileProblem
        If the target is the input, exists without `overwrite`, is open elsewhere or a folder, or its folder is missing.
    """
    if source is not None and _same_file(target, source):
        raise FileProblem(f"{target.name} is the input itself, which is never changed: choose another name with -o.")
    if target.is_dir():
        raise FileProblem(f"{target} is a folder: give the name of a file with -o.")
    if not target.parent.is_dir():
        raise FileProblem(f"The folder {target.parent} does not exist: make it first or choose another name with -o.")
    if not overwrite and os.path.lexists(target):
        raise FileProblem(f"{target.name} exists already: choose another name with -o or add --force.")
    if is_open_elsewhere(target):
        raise FileProblem(
            f"{target.name} is open in a spreadsheet program, which would go on showing what was in it before: close "
            "it there first, or choose another name with -o."
        )


def save_bytes(data: bytes, target: Path, *, overwrite: bool = False) -> None:
    """Put a file of these bytes in its place, see `save_file`."""

    def write(stream: BinaryIO) -> None:
        stream.write(data)

    save_file(write, target, overwrite=overwrite)


def save_file(write: Callable[[BinaryIO], None], target: Path, *, overwrite: bool = False) -> None:
    """Write a file beside its place and move it there when it is complete and on the disk.

    Whatever goes wrong, interruption included, a file that was there before stays as it was and nothing new is left.

    Parameters
    ----------
    write
        Writes the whole content to a stream.
    target, overwrite
        Where the file is to be, and whether one that is there already may be replaced.

    Raises
    ------
    FileProblem
        If the target exists and may not be replaced, or the system refuses (no room, no permission, in use).
    """
    temporary = target.with_name(f".{target.name}.{os.getpid()}.tmp")
    created = True  # said beforehand: an interruption may come right after the file is made
    try:
        with open(temporary, "xb") as stream:
            write(stream)
            stream.flush()
            os.fsync(stream.fileno())
        if overwrite and target.exists():
            shutil.copymode(target, temporary)
        check_target(target, overwrite=overwrite)
        os.replace(temporary, target)
        created = False
    except OSError as error:
        raise FileProblem(_reason(error, target)) from error
    finally:
        if created:
            temporary.unlink(missing_ok=True)


def _same_file(first: Path, second: Path) -> bool:
    try:
        return os.path.samefile(first, second)
    except OSError:
        return first.resolve() == second.resolve()


def _reason(error: OSError, target: Path) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"There is no room left on the disk for {target.name}: free some space or choose another place with -o."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return (
            f"{target.name} may not be written: close it if another program has it open, "
            f"or choose another place with -o."
        )
    if error.errno == errno.ENAMETOOLONG:
        return f"The name {target.name} is too long: choose a shorter one with -o."
    return f"{target.name} cannot be written ({error.strerror or error}): choose another place with -o."
