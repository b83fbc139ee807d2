"""Putting the add-in where Excel finds it, and taking it away again: all of it or nothing, and nothing else."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from pathlib import Path

from panelcal.errors import InstallProblem
from panelcal.excel.finished_addin import FILE_NAME, LIBRARIES, SCRIPT_NAME, addin_content, script_content
from panelcal.excel.install_record import PythonNote, Record, read_record
from panelcal.excel.machine import Machine
from panelcal.frozen import dataclass
from panelcal.interruption import has_done, held_back

FILE_DOOR = (
    "Excel does not exist for this system. Use panelcal on files instead: "
    '"panelcal calibrate marks.xlsx" writes marks-calibrated.xlsx with the same result sheets.'
)


@dataclass(frozen=True, slots=True)
class Done:
    """What was written or removed.

    Attributes
    ----------
    files
        Every file concerned.
    sentences
        What the user should know and do now.
    """

    files: tuple[Path, ...]
    sentences: tuple[str, ...]


def install_addin(machine: Machine, to: Path | None = None) -> Done:
    """Copy the finished add-in into Excel's folder for add-ins, or into another one, and note where Python is.

    Parameters
    ----------
    machine
        The computer; see `panelcal.excel.machine.this_machine`.
    to
        Another folder, made if it is missing.

    Raises
    ------
    InstallProblem
        If there is no Excel here and no folder was named, Excel has the add-in open, or a file cannot be written
        (nothing is changed then); or if the file does not stay.
    """
    folder = Path(os.path.abspath(to)) if to is not None else machine.startup_folder
    if folder is None:
        raise InstallProblem(
            f'{FILE_DOOR} To look at the add-in, name a folder for it: "panelcal install --to FOLDER".'
        )
    if folder.exists() and not folder.is_dir():
        raise InstallProblem(f"{folder} is a file: name a folder with --to.")
    addin = folder / FILE_NAME
    _check_closed(addin)
    note = PythonNote(machine.interpreter, machine.library_folder)
    contents = {addin: addin_content(), machine.python_note: note.content(machine.platform)}
    if machine.platform == "darwin":
        contents[machine.scripts_folder / SCRIPT_NAME] = script_content()
    record = Record(addin, tuple(contents), tuple(_missing_folders([*contents, machine.record])))
    contents[machine.record] = record.merged(read_record(machine.record)).text().encode()
    with held_back():
        _write_all(contents)
        has_done("the add-in was installed")
    if not addin.is_file():
        raise InstallProblem(
            f"{addin} vanished as soon as it was written, probably into the quarantine of a virus scanner: "
            f"ask who looks after this computer to allow it, or use panelcal on files (panelcal calibrate FILE)."
        )
    return Done(tuple(contents), tuple(_next_steps(machine)))


def uninstall_addin(machine: Machine) -> Done:
    """Remove what `install_addin` wrote, and folders it made if they are empty.

    Raises
    ------
    InstallProblem
        If Excel has the add-in open, or a file may not be removed.
    """
    record = read_record(machine.record)
    if record is None:
        return Done((), ("Nothing was installed here by panelcal install, so there is nothing to remove.",))
    for path in record.files:
        _check_closed(path)
    with held_back():
        removed = _remove_all(
            (*record.files, machine.last_click, *machine.fault_reports, machine.record), record.folders
        )
        has_done("the add-in was removed")
    return Done(removed, ("Calibrate is removed; Excel shows its tab until it is started again.",))


def _remove_all(files: Iterable[Path], folders: Iterable[Path]) -> tuple[Path, ...]:
    """Remove what is there of these files, and those of the folders that are empty then; return the files removed."""
    removed = []
    for path in files:
        try:
            path.unlink()
            removed.append(path)
        except FileNotFoundError:
            continue
        except OSError as error:
            raise InstallProblem(_in_use(path)) from error
    for folder in folders:
        _remove_if_empty(folder)
    return tuple(removed)


def _check_closed(path: Path) -> None:
    """Refuse while Excel has the file open, which a small file beside it shows."""
    lock = path.with_name(f"~${path.name}")
    if lock.exists():
        raise InstallProblem(
            f"Excel has {path.name} open: quit Excel, all its windows, and try again "
            f"(if Excel is not running, delete {lock} first)."
        )


def _missing_folders(paths: Sequence[Path]) -> list[Path]:
    """Folders that must be made for these files, the innermost first."""
    missing = {parent for path in paths for parent in path.parents if not parent.exists()}
    return sorted(missing, key=lambda folder: (-len(folder.parts), folder))


def _write_all(contents: dict[Path, bytes]) -> None:
    """Write all files, each at once; if one cannot be written, take away the new ones and put back the old ones."""
    before = {path: path.read_bytes() if path.is_file() else None for path in contents}
    made = _missing_folders(list(contents))
    try:
        for path, content in contents.items():
            _write(path, content)
    except OSError as error:
        for path, old in before.items():
            _put_back(path, old)
        for folder in made:
            _remove_if_empty(folder)
        raise InstallProblem(_in_use(Path(error.filename2 or error.filename or next(iter(contents))))) from error


def _write(path: Path, content: bytes) -> None:
    """Write beside the place, then move there: whoever reads meanwhile finds the old file or the new one."""
    path.parent.mkdir(parents=True, exist_ok=True)
    # Excel loads every file in its folder for add-ins that looks like a workbook; this one does not.
    temporary = path.with_name(f".{path.name}.new")
    try:
        temporary.write_bytes(content)
        os.replace(temporary, path)
    finally:
        temporary.unlink(missing_ok=True)


def _put_back(path: Path, content: bytes | None) -> None:
    try:
        if content is None:
            path.unlink(missing_ok=True)
        elif path.read_bytes() != content:
            _write(path, content)
    except OSError:
        pass  # the problem that led here is the one to tell


def _remove_if_empty(folder: Path) -> None:
    try:
        folder.rmdir()
    except OSError:
        pass


def _in_use(path: Path) -> str:
    return (
        f"{path} may not be written or removed: quit Excel, all its windows, and try again; "
        f"if that does not help, ask who looks after this computer for the right to change that folder."
    )


def _next_steps(machine: Machine) -> list[str]:
    sentences = []
    if not machine.has_excel:
        sentences.append("This copy is to be looked at only: run panelcal install on the computer that has Excel.")
    else:
        sentences.append("Quit Excel, all its windows, and start it again: its ribbon then has the tab Calibrate.")
    if machine.platform == "win32" and machine.library(LIBRARIES[0]) is None:
        sentences.append("A part of xlwings is missing, so nothing will work yet: run panelcal doctor to see why.")
    if machine.platform == "darwin":
        sentences.append("At the first click, allow Excel and Python what macOS asks about.")
    return sentences
