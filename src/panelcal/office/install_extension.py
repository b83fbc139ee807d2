"""Giving LibreOffice the extension by its own tool, noting where Python is, and taking both away again."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from dataclasses import dataclass
from pathlib import Path

from panelcal.errors import InstallProblem
from panelcal.excel.install import Done
from panelcal.excel.machine import Machine
from panelcal.interruption import has_done, held_back
from panelcal.office.build_extension import FILE_NAME, IDENTIFIER, extension_content

NOTE = "libreoffice-python.txt"
"""The file that says where Python is, the only place from which the extension takes that."""

_PLACES = {
    "win32": (
        r"C:\Program Files\LibreOffice\program\unopkg.com",
        r"C:\Program Files (x86)\LibreOffice\program\unopkg.com",
    ),
    "darwin": ("/Applications/LibreOffice.app/Contents/MacOS/unopkg",),
}
_ELSEWHERE = ("/usr/lib/libreoffice/program/unopkg", "/opt/libreoffice/program/unopkg", "/snap/bin/libreoffice.unopkg")
_PATIENCE = 180.0


@dataclass(frozen=True, slots=True)
class Office:
    """LibreOffice on this computer, as far as installing is concerned.

    Attributes
    ----------
    unopkg
        Its tool for extensions; None where none was found.
    shared
        Whether the extension is installed for everyone: the tool refuses the administrator of Linux anything else.
    """

    unopkg: Path | None
    shared: bool = False


def this_office(platform: str) -> Office:
    """Look for LibreOffice on this computer."""
    found = shutil.which("unopkg.com" if platform == "win32" else "unopkg")
    places = [Path(found)] if found else [Path(place) for place in _PLACES.get(platform, _ELSEWHERE)]
    unopkg = next((place for place in places if place.is_file()), None)
    return Office(unopkg, shared=hasattr(os, "geteuid") and os.geteuid() == 0)


def install_extension(machine: Machine, office: Office, to: Path | None = None) -> Done:
    """Add the extension to LibreOffice, or only write it as a file, and note where Python is.

    Parameters
    ----------
    machine
        The computer.
    office
        Its LibreOffice.
    to
        A folder for the file, made if it is missing; None = give it to LibreOffice.

    Raises
    ------
    InstallProblem
        If there is no LibreOffice and no folder was named, LibreOffice refuses it, or a file cannot be written.
    """
    note = note_path(machine)
    if to is not None:
        target = Path(os.path.abspath(to)) / FILE_NAME
        with held_back():
            _write(target, extension_content())
            _write(note, f"{machine.interpreter}\n".encode())
            has_done("the extension was written")
        steps = "In LibreOffice choose Tools, Extension Manager, Add, take this file, and start LibreOffice again."
        return Done((target, note), (steps,))
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / FILE_NAME
        file.write_bytes(extension_content())
        adding = ("add", "--force", "--suppress-license", str(file))
        try:
            _run(office, *adding)
        except InstallProblem:  # the tool of LibreOffice 7.4 itself ends now and then, and not twice in turn
            _run(office, *adding)
    with held_back():
        _write(note, f"{machine.interpreter}\n".encode())
        has_done("the extension was installed")
    sentences = ["Start LibreOffice again: a spreadsheet then has a menu and a toolbar called Calibrate."]
    if office.shared:
        sentences.append(
            "As you are the administrator, everyone on this computer sees them; whoever uses them runs "
            '"panelcal install --libreoffice" once.'
        )
    return Done((note,), tuple(sentences))


def uninstall_extension(machine: Machine, office: Office) -> Done:
    """Take the extension out of LibreOffice, and the note with it.

    Raises
    ------
    InstallProblem
        If there is no LibreOffice, or it refuses.
    """
    note = note_path(machine)
    if not note.is_file():
        return Done((), ('Nothing was installed here by "panelcal install --libreoffice", so nothing is removed.',))
    problem = None
    try:
        _run(office, "remove", IDENTIFIER)
    except InstallProblem as found:  # one that was added by hand may be gone already: its note goes all the same
        problem = found
        if "no such extension" not in str(problem) and "not deployed" not in str(problem):
            raise
    with held_back():
        note.unlink(missing_ok=True)
        has_done("the extension was removed")
    return Done((note,), ("Calibrate is removed from LibreOffice; start it again.",))


def note_path(machine: Machine) -> Path:
    """Return the file that says where Python is."""
    return machine.record.with_name(NOTE)


def _run(office: Office, *arguments: str) -> None:
    """Run LibreOffice's tool for extensions, and put what it complains about into words."""
    if office.unopkg is None:
        raise InstallProblem(
            "LibreOffice was not found on this computer. Install it first; or write the extension to a folder with "
            '"panelcal install --libreoffice --to FOLDER" and add it in LibreOffice: Tools, Extension Manager.'
        )
    command, *others = arguments
    shared = ["--shared"] if office.shared else []
    try:
        done = subprocess.run(
            [str(office.unopkg), command, *shared, *others],
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            errors="replace",
            timeout=_PATIENCE,
            check=False,
        )
    except (OSError, subprocess.TimeoutExpired) as error:
        raise InstallProblem(
            f"{office.unopkg} does not answer: close all windows of LibreOffice and try again."
        ) from error
    if done.returncode:
        said = " ".join((done.stderr + done.stdout).split())[:300] or "it gives no reason"
        raise InstallProblem(
            f"LibreOffice would not change its extensions ({said}). Close all its windows and try again; on Linux it "
            "also needs the package python3-uno."
        )


def _write(path: Path, content: bytes) -> None:
    """Write beside the place, then move there."""
    temporary = path.with_name(f".{path.name}.new")
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        temporary.write_bytes(content)
        os.replace(temporary, path)
    except OSError as error:
        raise InstallProblem(f"{path} may not be written: choose another folder, or ask for the right to.") from error
    finally:
        temporary.unlink(missing_ok=True)
