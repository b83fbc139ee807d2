"""Why does Calibrate not work in Excel? Looks at everything that can be seen from outside and says what to do."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from panelcal import __version__
from panelcal.errors import InstallProblem
from panelcal.excel.addin_build import INTERPRETER_KEYS, LIBRARY_KEY, PANELCAL_KEY, XLWINGS_KEY
from panelcal.excel.addin_package import addin_settings
from panelcal.excel.install import FILE_DOOR, check_interpreter
from panelcal.excel.install_record import Record, read_record
from panelcal.excel.machine import Machine
from panelcal.excel.xlwings_source import library_names, script_name, xlwings_version

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
    """

    kind: Literal["good", "problem", "advice"]
    sentence: str


def examine(machine: Machine) -> tuple[Finding, ...]:
    """Look at everything that Calibrate needs on this computer; nothing is changed.

    Returns
    -------
    tuple of Finding
        In the order in which they are best mended. With no "problem" among them, Excel has what it needs.
    """
    return tuple(_findings(machine))


def _findings(machine: Machine) -> Iterator[Finding]:
    yield Finding("good", f"panelcal {__version__} runs in {machine.interpreter}.")
    if not machine.has_excel:
        yield Finding("advice", FILE_DOOR)
    yield from _python(machine)
    try:
        version = xlwings_version(machine.xlwings)
        yield Finding("good", f"xlwings {version} is installed.")
    except InstallProblem as problem:
        yield Finding("problem", str(problem))
        version = None
    try:
        record = read_record(machine.record)
    except InstallProblem as problem:
        yield Finding("problem", str(problem))
        return
    if record is not None:
        yield from _addin(machine, record, version)
    elif machine.has_excel:
        yield Finding("problem", 'The add-in is not installed: run "panelcal install".')
    if machine.platform == "win32":
        yield from _windows(machine, version)
    if machine.platform == "darwin":
        yield from _mac(machine, version)


def _python(machine: Machine) -> Iterator[Finding]:
    try:
        check_interpreter(machine)
    except InstallProblem as problem:
        yield Finding("problem", str(problem))
    if "windowsapps" in str(machine.interpreter).casefold():
        yield Finding(
            "advice",
            "This Python comes from the Microsoft Store, which keeps it in a closed folder that Excel may not reach: "
            "if buttons do nothing, install panelcal through uv instead (see Installing on Windows).",
        )


def _addin(machine: Machine, record: Record, version: str | None) -> Iterator[Finding]:
    """The installed file against the Python and the xlwings of now."""
    if not record.addin.is_file():
        yield Finding("problem", f"The add-in {record.addin} is gone: {SCANNER}.")
        return
    try:
        settings = addin_settings(record.addin.read_bytes())
    except (OSError, ValueError):
        yield Finding("problem", f"{record.addin} cannot be read or is not what panelcal install wrote: {AGAIN}.")
        return
    before = list(_built_for(settings, version))
    if before:
        yield Finding("problem", f"The add-in was made for {' and '.join(before)}: {AGAIN}.")
    interpreter = Path(settings.get(INTERPRETER_KEYS.get(machine.platform, "INTERPRETER"), ""))
    if not interpreter.is_file():
        yield Finding("problem", f"Python is no longer at {interpreter}, where the add-in looks for it: {AGAIN}.")
    elif interpreter != machine.interpreter:
        yield Finding(
            "advice",
            f"The add-in uses another Python ({interpreter}) than this command: if that is not on purpose, {AGAIN}.",
        )
    elif not before:
        yield Finding("good", f"The add-in is in {record.addin.parent} and starts this Python.")
    folder = machine.startup_folder
    if folder is not None and folder != record.addin.parent:
        yield Finding(
            "advice",
            f"The add-in is not in {folder}, from where Excel loads add-ins: unless Excel is set to load "
            f'{record.addin}, run "panelcal install" without --to.',
        )


def _built_for(settings: dict[str, str], version: str | None) -> Iterator[str]:
    """Versions that the add-in was made for and that are no longer there."""
    if settings.get(PANELCAL_KEY) != __version__:
        yield f"panelcal {settings.get(PANELCAL_KEY, 'of another kind')}, and {__version__} is installed"
    if version is not None and settings.get(XLWINGS_KEY) != version:
        yield f"xlwings {settings.get(XLWINGS_KEY, 'of another kind')}, and {version} is installed"


def _windows(machine: Machine, version: str | None) -> Iterator[Finding]:
    missing = [name for name in library_names(version) if machine.library(name) is None] if version else []
    if missing:
        yield Finding(
            "problem",
            f"{' and '.join(missing)} {'is' if len(missing) == 1 else 'are'} missing beside Python, so functions in "
            f"cells cannot work (buttons can): a virus scanner has probably removed "
            f"{'it' if len(missing) == 1 else 'them'}, so take back what is in its quarantine, or {REINSTALL}.",
        )
    elif version:
        yield Finding("good", "The library for functions in cells is there.")
        yield from _library_place(machine, version)
    yield from _windows_folders(machine)
    settings = machine.settings
    obstacles = {
        "All macros are switched off in Excel, and with them every add-in": settings.macros_off,
        "All add-ins are switched off in Excel": settings.addins_off,
        "Excel only takes add-ins that are signed, which one made on this computer is not": settings.signed_only,
        "Excel does not trust its own folder for add-ins": settings.trusted_folders_off,
    }
    for obstacle, there in obstacles.items():
        if there:
            yield Finding(
                "problem",
                f"{obstacle}: change that under File > Options > Trust Center > Trust Center Settings, or ask who "
                f"looks after this computer; panelcal calibrate FILE works without Excel.",
            )
    if settings.switched_off:
        yield Finding(
            "problem",
            "Excel has switched the add-in off after a crash: choose File > Options > Add-ins, then Disabled Items "
            "beside Manage, Go, panelcal, Enable, and start Excel again.",
        )
    if settings.no_child_processes:
        yield Finding(
            "problem",
            "Windows Defender keeps Excel from starting other programs, Python among them: ask who looks after this "
            "computer for an exception, or use panelcal on files (panelcal calibrate FILE).",
        )


def _windows_folders(machine: Machine) -> Iterator[Finding]:
    """Folders that Excel or the library cannot work with."""
    try:
        str(machine.interpreter).encode(machine.code_page)
    except UnicodeEncodeError:
        yield Finding(
            "problem",
            f"Python lies in a folder ({machine.interpreter}) with letters of another script than Windows' own, so "
            f"functions in cells cannot work (buttons can): set UV_TOOL_DIR to a folder with plain letters, such as "
            f"C:\\ProgramData\\panelcal, and {REINSTALL}.",
        )
    folder = machine.startup_folder
    if str(folder).startswith("\\\\") and not machine.settings.network_folders_trusted:
        yield Finding(
            "advice",
            f"Excel's folder for add-ins ({folder}) is on the network: if the tab Calibrate does not appear, tick "
            f"Allow Trusted Locations on my network under File > Options > Trust Center > Trust Center Settings > "
            f"Trusted Locations, or ask who looks after this computer.",
        )


def _library_place(machine: Machine, version: str) -> Iterator[Finding]:
    """A library in an unusual place must be known to the add-in."""
    library = machine.library(library_names(version)[0])
    usual = (machine.interpreter.parent, machine.interpreter.parent.parent)
    record = read_record(machine.record)
    if library is None or library.parent in usual or record is None or not record.addin.is_file():
        return
    try:
        known = addin_settings(record.addin.read_bytes()).get(LIBRARY_KEY)
    except (OSError, ValueError):
        return  # told already
    if known != str(library.parent):
        yield Finding("problem", f"The add-in does not know that the library lies in {library.parent}: {AGAIN}.")


def _mac(machine: Machine, version: str | None) -> Iterator[Finding]:
    if version:
        script = machine.scripts_folder / script_name(version)
        try:
            same = script.read_bytes() == (machine.xlwings / script.name).read_bytes()
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
