"""Putting a file in its place all at once or not at all."""

from __future__ import annotations

import errno
import os
import shutil
import stat
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import BinaryIO

from panelcal.errors import FileProblem
from panelcal.interruption import has_done, held_back, undone_by
from panelcal.shipped import template_content

_PREFIX, _SUFFIX = ".panelcal-", ".tmp"
_A_DAY = 86_400.0
_LONGEST_NAME = 255  # bytes, on every common file system


def check_workbook_target(target: Path, *, source: Path | None = None, overwrite: bool = False) -> None:
    """Refuse a target for a workbook that must not or cannot be written, or could not be opened by its name.

    Raises
    ------
    FileProblem
        As `check_target`, and if the name does not end in .xlsx: Excel opens no workbook under another ending.
    """
    check_target(target, source=source, overwrite=overwrite)
    if target.suffix.lower() != ".xlsx":
        raise FileProblem(
            f"Results are written as a workbook, which {target.name} does not say: give -o a name that ends in .xlsx, "
            f"such as {target.stem}.xlsx."
        )


def check_target(target: Path, *, source: Path | None = None, overwrite: bool = False, option: str = "-o") -> None:
    """Refuse a target that must not or cannot be written, before any work is done; `option` is what names it.

    Raises
    ------
    FileProblem
        If the target is the input, exists without `overwrite`, is open elsewhere or a folder, or its folder is missing.
    """
    if source is not None and _same_file(target, source):
        raise FileProblem(
            f"{target.name} is the input itself, which is never changed: choose another name with {option}."
        )
    if len(os.fsencode(target.name)) > _LONGEST_NAME:
        raise FileProblem(_too_long(target))
    if target.is_dir():
        raise FileProblem(f"{target} is a folder: give the name of a file with {option}.")
    if not target.parent.is_dir():
        raise FileProblem(
            f"The folder {target.parent} does not exist: make it first or choose another name with {option}."
        )
    if not overwrite and os.path.lexists(target):
        raise FileProblem(f"{target.name} exists already: choose another name with {option} or add --force.")
    if is_open_elsewhere(target):
        raise FileProblem(
            f"{target.name} is open in a spreadsheet program, which would go on showing what was in it before: close "
            f"it there first, or choose another name with {option}."
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
    try:
        place = _place(target)
        with _unfinished_in(place.parent) as (number, made):
            with open(number, "wb") as stream:
                write(stream)
                stream.flush()
                os.fsync(stream.fileno())
            if overwrite and place.exists():
                shutil.copymode(place, made)
            else:
                os.chmod(made, 0o666 & ~_umask())  # mkstemp's files are for their owner alone
            check_target(target, overwrite=overwrite)
            with held_back():
                os.replace(made, place)
                has_done(f"{target.name} was written")
    except Exception as error:
        refusal = _of_the_system(error)
        if refusal is None:
            raise
        raise FileProblem(_reason(refusal, target)) from error


def remove_leftovers(folder: Path) -> tuple[str, ...]:
    """Remove the unfinished files that runs which were killed have left in a folder, known by name and age.

    Returns
    -------
    tuple of str
        The names of the files removed.
    """
    removed: list[str] = []
    with suppress(OSError), os.scandir(folder) as entries:
        for entry in entries:
            if entry.name.startswith(_PREFIX) and entry.name.endswith(_SUFFIX):
                with suppress(OSError):
                    facts = entry.stat(follow_symlinks=False)
                    if stat.S_ISREG(facts.st_mode) and time.time() - facts.st_mtime > _A_DAY:
                        os.unlink(entry.path)
                        removed.append(entry.name)
    return tuple(sorted(removed))


def _of_the_system(error: BaseException | None) -> OSError | None:
    """Find what the system refused behind what a library made of it while it tidied up."""
    while error is not None and not isinstance(error, OSError):
        error = error.__context__
    return error


def _place(target: Path) -> Path:
    """Where a file of this name is kept: behind a link, the file that the link leads to, so that the link stays."""
    if not target.is_symlink():
        return target
    place = Path(os.path.realpath(target))
    if place.is_symlink():
        raise OSError(errno.ELOOP, os.strerror(errno.ELOOP))
    return place


@contextmanager
def _unfinished_in(folder: Path) -> Iterator[tuple[int, str]]:
    """Make a file, open, that is gone with the `with` block or with the run, unless it was moved to its place."""
    number, made = -1, ""

    def remove() -> None:
        if not made:
            return
        with suppress(OSError):  # a file system that can be written no more keeps it; a later run removes it
            try:
                os.unlink(made)
            except PermissionError:  # on Windows nothing is removed while it is open
                os.close(number)
                os.unlink(made)

    with undone_by(remove):
        try:
            with held_back():
                number, made = tempfile.mkstemp(prefix=_PREFIX, suffix=_SUFFIX, dir=folder)
            yield number, made
        finally:
            remove()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def _same_file(first: Path, second: Path) -> bool:
    try:
        return os.path.samefile(first, second)
    except OSError:
        return first.resolve() == second.resolve()


def _too_long(target: Path) -> str:
    return f"The name {target.name[:40]}... is too long for a file: choose a shorter one with -o."


def _reason(error: OSError, target: Path) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"There is no room left on the disk for {target.name}: free some space or choose another place with -o."
    if error.errno in (errno.EACCES, errno.EPERM, errno.EROFS):
        return (
            f"{target.name} may not be written: close it if another program has it open, "
            f"or choose another place with -o."
        )
    if error.errno == errno.ENAMETOOLONG:
        return _too_long(target)
    if error.errno == errno.ELOOP:
        return f"{target.name} is a link that leads back to itself: choose another name with -o."
    return f"{target.name} cannot be written ({error.strerror or error}): choose another place with -o."


def is_open_elsewhere(path: Path) -> bool:
    """Tell whether Excel or LibreOffice says that it has the file open."""
    # Not Path.exists, which raises where the name of the lock would be too long to exist.
    return any(os.path.lexists(path.with_name(lock)) for lock in (f"~${path.name}", f".~lock.{path.name}#"))


def write_template(name: str, target: Path, *, overwrite: bool = False) -> None:
    """Copy a ready-made workbook to `target`, wholly or not at all.

    Raises
    ------
    FileProblem
        If there is none of that name, the target exists already (and `overwrite` is false) or cannot be written.
    """
    content = template_content(name)
    check_target(target, overwrite=overwrite)
    save_bytes(content, target, overwrite=overwrite)
