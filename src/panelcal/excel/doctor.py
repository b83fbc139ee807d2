"""Why does Calibrate not work in Excel? Looks at everything that can be seen from outside and says what to do."""

from __future__ import annotations

import subprocess
from collections.abc import Iterator
from pathlib import Path, PureWindowsPath
from typing import Literal

from panelcal.errors import InstallProblem
from panelcal.excel.finished_addin import (
    LIBRARIES,
    SCRIPT_NAME,
    XLWINGS,
    addin_content,
    fingerprint,
    is_signed,
    script_content,
)
from panelcal.excel.install import FILE_DOOR
from panelcal.excel.install_record import Record, read_note, read_record
from panelcal.excel.machine import Machine
from panelcal.frozen import dataclass
from panelcal.version import __version__

AGAIN = 'run "panelcal install" again'
REINSTALL = f'run "uv tool install --reinstall panelcal" and then {AGAIN[4:]}'
SCANNER = (
    "a virus scanner has probably removed it, so ask who looks after this computer to allow it, then "
    f"{AGAIN}; until then panelcal calibrate FILE works without Excel"
)


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing looked at.

    Attributes
    ----------
    kind
        "good", "problem" (something will not work) or "advice" (something may not).
    sentence
        What was found, and what to do if it is not good.
    for_it
        What to ask of those who look after the computer, ready to be sent; blank where nothing is theirs to change.
    """

    kind: Literal["good", "problem", "advice"]
    sentence: str
    for_it: str = ""


def examine(machine: Machine) -> tuple[Finding, ...]:
    """Look at everything that Calibrate needs on this computer; nothing is changed.

    Returns
    -------
    tuple of Finding
        In the order in which they are best mended. With no "problem" among them, Excel has what it needs.
    """
    return tuple(_findings(machine))


# Settings that keep the add-in from working by themselves, each with what to ask for.
OBSTACLES = {
    "vba_off": (
        "Visual Basic is switched off in all Office programs, and with it every add-in of this kind",
        "Please remove the policy VBAOff (Disable VBA for Office applications) for users of panelcal.xlam.",
    ),
    "addins_off": (
        "All add-ins are switched off in Excel",
        "Please allow application add-ins in Excel (policy DisableAllAddins) for users of panelcal.xlam.",
    ),
    "signed_only": (
        "Excel only takes add-ins that are signed, which this one is not",
        "Please sign panelcal.xlam with a certificate that Excel trusts here (docs/for-it.md says how), or lift the "
        "policy RequireAddinSig.",
    ),
    "no_child_processes": (
        "Windows Defender keeps Excel from starting other programs, Python among them",
        "Please exclude the Python of panelcal from the rule Block all Office applications from creating child "
        "processes (d4f940ab-401b-4efc-aadc-ad5f3c50688a), an ASR per-rule exclusion.",
    ),
    "no_library_calls": (
        "Windows Defender keeps macros from calling libraries, xlwings' among them",
        "Please exclude panelcal.xlam from the rule Block Win32 API calls from Office macros "
        "(92e97fa1-2edf-4476-bdd6-9dd0b4dddc7b), an ASR per-rule exclusion.",
    ),
}


def _findings(machine: Machine) -> Iterator[Finding]:
    yield Finding("good", f"panelcal {__version__} runs in {machine.interpreter}.")
    if not machine.has_excel:
        yield Finding("advice", FILE_DOOR)
    yield from _python(machine)
    try:
        record = read_record(machine.record)
    except InstallProblem as problem:
        yield Finding("problem", str(problem))
        return
    if record is not None:
        yield from _addin(machine, record)
    elif machine.has_excel:
        yield Finding("problem", 'The add-in is not installed: run "panelcal install".')
    if machine.platform == "win32":
        yield from _windows(machine)
    if machine.platform == "darwin":
        yield from _mac(machine)


def _python(machine: Machine) -> Iterator[Finding]:
    if machine.xlwings == XLWINGS:
        yield Finding("good", f"xlwings {XLWINGS} is installed.")
    else:
        yield Finding(
            "problem",
            f"panelcal works with xlwings {XLWINGS}, but {machine.xlwings or 'none'} is installed: {REINSTALL}.",
        )
    if "windowsapps" in str(machine.interpreter).casefold():
        yield Finding(
            "advice",
            "This Python comes from the Microsoft Store, which keeps it in a closed folder that Excel may not reach: "
            "if buttons do nothing, install panelcal through uv instead (see Installing on Windows).",
        )


def _addin(machine: Machine, record: Record) -> Iterator[Finding]:
    """The installed file against the one that this panelcal carries, and the note of where Python is."""
    try:
        shipped, installed = addin_content(), record.addin.read_bytes()
    except InstallProblem as problem:
        yield Finding("problem", str(problem))
        return
    except FileNotFoundError:
        yield Finding("problem", f"The add-in {record.addin} is gone: {SCANNER}.", _allow(record.addin))
        return
    except OSError:
        yield Finding("problem", f"{record.addin} cannot be read: {AGAIN}.")
        return
    if installed == shipped:
        yield Finding("good", f"The add-in is in {record.addin.parent} (SHA-256 {fingerprint(shipped)}).")
    elif is_signed(installed):
        yield Finding(
            "advice",
            f"{record.addin} was signed after panelcal {__version__} made it (SHA-256 {fingerprint(installed)} now): "
            "ask your IT whether the signature is theirs.",
        )
    else:
        yield Finding("problem", f"{record.addin} is not the add-in of panelcal {__version__}: {AGAIN}.")
    yield from _noted_python(machine)
    folder = machine.startup_folder
    if folder is not None and folder != record.addin.parent:
        yield Finding(
            "advice",
            f"The add-in is not in {folder}, from where Excel loads add-ins: unless Excel is set to load "
            f'{record.addin}, run "panelcal install" without --to.',
        )
    if _downloaded(machine, record.addin):
        system = "macOS" if machine.platform == "darwin" else "Windows"
        refuses = "refuses" if machine.settings.internet_macros_off else "may refuse"
        yield Finding(
            "problem",
            f"{system} has marked {record.addin} as coming from the internet, so Excel {refuses} its macros: {AGAIN}, "
            f"which copies a file without that mark.",
            f"Please let {record.addin.name} (SHA-256 {fingerprint(shipped)}) stay in {record.addin.parent} without "
            f"the mark of a download ({_MARKS[machine.platform]}), or sign it.",
        )


def _noted_python(machine: Machine) -> Iterator[Finding]:
    note = read_note(machine.python_note)
    if note is None:
        yield Finding("problem", f"{machine.python_note}, which tells the add-in where Python is, is missing: {AGAIN}.")
    elif not Path(note.interpreter).is_file():
        yield Finding("problem", f"Python is no longer at {note.interpreter}, where the add-in looks for it: {AGAIN}.")
    elif note.interpreter != machine.interpreter:
        yield Finding(
            "advice",
            f"The add-in uses another Python ({note.interpreter}) than this command: "
            f"if that is not on purpose, {AGAIN}.",
        )
    else:
        yield Finding("good", "The add-in starts this Python.")
        if (
            machine.platform == "win32"
            and machine.library(LIBRARIES[0])
            and note.library_folder != machine.library_folder
        ):
            yield Finding(
                "problem",
                f"The add-in does not know that xlwings' library lies in {machine.library_folder}: {AGAIN}.",
            )


# What a file carries that came through a browser or a mail.
_MARKS = {"win32": "Zone.Identifier", "darwin": "com.apple.quarantine"}


def _downloaded(machine: Machine, path: Path) -> bool:
    """Whether the system has put its mark of a downloaded file on one."""
    if machine.platform == "darwin":
        # Python reads such marks on Linux only.
        command = [machine.xattr, "-p", _MARKS["darwin"], str(path)]
        try:
            return subprocess.run(command, capture_output=True, check=False).returncode == 0
        except OSError:
            return False
    try:
        return "ZoneId=3" in Path(f"{path}:Zone.Identifier").read_text(encoding="utf-8", errors="replace")
    except OSError:
        return False


def _allow(path: Path) -> str:
    return (
        f"Please allow the file {path.name} with the SHA-256 {fingerprint(addin_content())} in the virus scanner; "
        f"docs/for-it.md of panelcal describes all that it does."
    )


def _windows(machine: Machine) -> Iterator[Finding]:
    missing = [name for name in LIBRARIES if machine.library(name) is None]
    if missing:
        one = len(missing) == 1
        yield Finding(
            "problem",
            f"{' and '.join(missing)} {'is' if one else 'are'} missing beside Python, without which Excel cannot reach "
            f"Python: a virus scanner has probably removed {'it' if one else 'them'}, so take back what is in its "
            f"quarantine, or {REINSTALL}.",
            f"Please allow {' and '.join(missing)} of the Python package xlwings {XLWINGS} in the virus scanner.",
        )
    else:
        yield Finding("good", "The library through which Excel reaches Python is there.")
    yield from _windows_folders(machine)
    for setting, (obstacle, request) in OBSTACLES.items():
        if getattr(machine.settings, setting):
            yield Finding(
                "problem",
                f"{obstacle}: ask who looks after this computer; panelcal calibrate FILE works without Excel.",
                request,
            )
    if machine.settings.macros_off and machine.settings.trusted_folders_off:
        yield Finding(
            "problem",
            "All macros are switched off in Excel, and it does not trust its own folder for add-ins: change one of the "
            "two under File > Options > Trust Center > Trust Center Settings, or ask who looks after this computer.",
            f"Please make {machine.startup_folder} a trusted location of Excel, or sign panelcal.xlam.",
        )
    elif machine.settings.macros_off:
        yield Finding("good", "Macros are switched off in Excel, but not in its folder for add-ins, which it trusts.")
    elif machine.settings.trusted_folders_off:
        yield Finding(
            "advice",
            "Excel does not trust its own folder for add-ins, so it may ask whether to enable macros: allow them.",
            f"Please make {machine.startup_folder} a trusted location of Excel, or sign panelcal.xlam.",
        )
    if machine.settings.switched_off:
        yield Finding(
            "problem",
            "Excel has switched the add-in off after a crash: choose File > Options > Add-ins, then Disabled Items "
            "beside Manage, Go, panelcal, Enable, and start Excel again.",
        )


def _windows_folders(machine: Machine) -> Iterator[Finding]:
    """Folders that Excel or the library cannot work with."""
    try:
        str(machine.interpreter).encode(machine.code_page)
    except UnicodeEncodeError:
        yield Finding(
            "advice",
            f"Python lies in a folder ({machine.interpreter}) with letters of another script than Windows' own, which "
            f"works where Windows keeps short names of folders: if no button works, set UV_TOOL_DIR to a folder with "
            f"plain letters, such as C:\\ProgramData\\panelcal, and {REINSTALL}.",
        )
    folder = machine.startup_folder
    if str(folder).startswith("\\\\") and not machine.settings.network_folders_trusted:
        protected = machine.settings.network_protected
        view = ", from where Excel opens files in Protected View, without macros" if protected else ""
        yield Finding(
            "problem" if protected else "advice",
            f"Excel's folder for add-ins ({folder}) is on the network{view}: if the tab Calibrate does not appear, "
            f"tick Allow Trusted Locations on my network under File > Options > Trust Center > Trust Center Settings > "
            f"Trusted Locations, or ask who looks after this computer.",
            f"Please make {folder} a trusted location of Excel, and allow trusted locations on the network.",
        )
    if _is_unsafe(machine):
        yield Finding(
            "problem",
            f"Excel's folder for add-ins ({folder}) is among the unsafe locations, whose files open in Protected View "
            f"without macros: ask who looks after this computer; panelcal calibrate FILE works without Excel.",
            f"Please take {folder} off the unsafe locations of Protected View.",
        )
    if machine.settings.protected_by_policy:
        yield Finding(
            "advice",
            "Workbooks from the internet, from mails or from some folders open in Protected View here, where no button "
            "works: click Enable Editing first.",
            "Please make the folder where the boards keep their workbooks a trusted location of Excel, so that they "
            "open for editing.",
        )


def _is_unsafe(machine: Machine) -> bool:
    folder = PureWindowsPath(str(machine.startup_folder))
    for path, deep in machine.settings.unsafe_folders:
        unsafe = PureWindowsPath(path)
        if folder == unsafe or (deep and folder.is_relative_to(unsafe)):
            return True
    return False


def _mac(machine: Machine) -> Iterator[Finding]:
    script = machine.scripts_folder / SCRIPT_NAME
    try:
        same = script.read_bytes() == script_content()
    except OSError:
        same = False
    if same:
        yield Finding("good", "The script that starts Python is where Excel may run it.")
    else:
        yield Finding("problem", f"{script}, which starts Python, is missing or another one: {AGAIN}.")
    yield Finding(
        "advice",
        "If a click does nothing, look under System Settings > Privacy & Security > Automation whether Python may "
        "control Microsoft Excel, and allow it. Functions in cells do not exist on a Mac (#N/A).",
    )
