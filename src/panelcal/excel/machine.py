"""The computer as far as installing is concerned: where Excel looks for add-ins, which Python and xlwings there are.

`this_machine` is the only place that asks the system. Everything else works on a `Machine`, which tests make up.
"""

from __future__ import annotations

import locale
import os
import sys
import sysconfig
import tempfile
from dataclasses import field
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

from panelcal.excel import FAULT_FILE
from panelcal.excel.finished_addin import LIBRARIES
from panelcal.excel.windows_settings import ExcelSettings, excel_settings
from panelcal.frozen import dataclass

_GROUP_CONTAINER = "Library/Group Containers/UBF8T346G9.Office/User Content.localized/Startup.localized/Excel"
_MAC_SCRIPTS = "Library/Application Scripts/com.microsoft.Excel"


@dataclass(frozen=True, slots=True)
class Machine:
    """One user on one computer.

    Attributes
    ----------
    platform
        As in `sys.platform`: "win32", "darwin", or another one, where there is no Excel.
    home
        The user's own folder.
    interpreter
        The Python that runs panelcal, by its absolute path. Links are not followed: they lead out of an environment.
    xlwings
        The version of the installed xlwings; blank if there is none.
    appdata
        Windows: the folder %APPDATA%.
    library_folders
        Windows: where pip may have put xlwings' library, the places where Excel looks by itself first.
    startup
        What a running Excel names as its folder for add-ins, if it was asked.
    code_page
        Windows: the letters that programs of the old kind can name files with, xlwings' library among them.
    settings
        Windows: what is set for Excel and may stand in the way.
    fault_reports
        Where a fault of the program has been reported, if there was one.
    xattr
        Mac: the program that reads the marks of a file.
    """

    platform: str
    home: Path
    interpreter: Path
    xlwings: str
    appdata: Path | None = None
    library_folders: tuple[Path, ...] = ()
    startup: Path | None = None
    code_page: str = "utf-8"
    settings: ExcelSettings = field(default_factory=ExcelSettings)
    fault_reports: tuple[Path, ...] = ()
    xattr: str = "/usr/bin/xattr"

    @property
    def has_excel(self) -> bool:
        """Whether Excel exists for this system at all."""
        return self.platform in ("win32", "darwin")

    @property
    def startup_folder(self) -> Path | None:
        """The folder whose add-ins Excel loads when it starts; None where there is no Excel."""
        if self.startup is not None:
            return self.startup
        if self.platform == "win32":
            return self.roaming / "Microsoft" / "Excel" / "XLSTART"
        return self.home / _GROUP_CONTAINER if self.platform == "darwin" else None

    @property
    def scripts_folder(self) -> Path:
        """On a Mac, the only folder from which Excel may run a script."""
        return self.home / _MAC_SCRIPTS

    @property
    def roaming(self) -> Path:
        """On Windows, the folder for settings of programs."""
        return self.appdata if self.appdata is not None else self.home / "AppData" / "Roaming"

    @property
    def record(self) -> Path:
        """The file in which panelcal keeps what it has installed."""
        if self.platform == "win32":
            folder = self.roaming
        elif self.platform == "darwin":
            folder = self.home / "Library" / "Application Support"
        else:
            folder = self.home / ".local" / "share"
        return folder / "panelcal" / "installed.json"

    @property
    def python_note(self) -> Path:
        """The file that says where Python is, the only place from which the add-in takes that."""
        return self.record.with_name("python.txt")

    @property
    def last_click(self) -> Path:
        """On a Mac, what Python said when it stopped at a click."""
        return self.record.with_name("last-click.log")

    @property
    def library_folder(self) -> Path:
        """Where xlwings' libraries lie on Windows, or would by themselves."""
        found = self.library(LIBRARIES[0])
        return found.parent if found is not None else self.interpreter.parent.parent

    def library(self, name: str) -> Path | None:
        """Return where a library of xlwings lies, or None."""
        return next((folder / name for folder in self.library_folders if (folder / name).is_file()), None)


def this_machine() -> Machine:
    """Return the computer that this runs on."""
    interpreter = Path(os.path.abspath(sys.executable))
    appdata = os.environ.get("APPDATA")
    return Machine(
        platform=sys.platform,
        home=Path.home(),
        interpreter=interpreter,
        xlwings=_xlwings_version(),
        appdata=Path(appdata) if appdata else None,
        library_folders=_library_folders(interpreter),
        startup=_startup_named_by_excel() if sys.platform == "darwin" else None,
        code_page=locale.getencoding(),
        settings=excel_settings(),
        fault_reports=(Path(tempfile.gettempdir()) / FAULT_FILE,),
    )


def _xlwings_version() -> str:
    try:
        return version("xlwings")
    except PackageNotFoundError:
        return ""


def _library_folders(interpreter: Path) -> tuple[Path, ...]:
    """Where the data files of a wheel go: beside Python, above it in an environment, or in the user's own folder."""
    schemes = [sysconfig.get_path("data")]
    user = "nt_user" if sys.platform == "win32" else "posix_user"
    if user in sysconfig.get_scheme_names():
        schemes.append(sysconfig.get_path("data", user))
    return tuple(dict.fromkeys((interpreter.parent, interpreter.parent.parent, *map(Path, schemes))))


def _startup_named_by_excel() -> Path | None:
    """Ask a running Excel; it is not started for that."""
    try:
        import xlwings

        running = xlwings.apps.active
        return Path(running.startup_path) if running is not None else None
    except Exception:  # whatever keeps Excel from answering, the usual folder remains
        return None
