"""The VBA that xlwings ships for add-ins, closed up for a file that is loaded whenever Excel runs.

As shipped, the module trusts the active workbook: a sheet in it, or a file beside it, may name the program to run, its
folder becomes a place to import from, and its functions can be called from any cell. Nothing of that is needed here.
Each change is a `Patch`; one that no longer fits the installed xlwings stops the build, so that nothing is left open
silently.
"""

from __future__ import annotations

import importlib.util
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from panelcal.errors import InstallProblem
from panelcal.excel.vba_project import ENCODING, Module, module

SERIES = "0.37"
PROJECT = "panelcal"
OPEN_PROCEDURES = ("RunPython", "XLPy")


@dataclass(frozen=True, slots=True)
class Patch:
    """One change of a source text.

    Attributes
    ----------
    purpose
        What would go wrong without it, for the message when it does not fit.
    find
        A regular expression; dots match line ends too, ^ any beginning of a line.
    replace
        What stands there afterwards.
    times
        How often it must be found; 0 for at least once.
    """

    purpose: str
    find: str
    replace: str
    times: int = 1

    def apply(self, text: str) -> str:
        """Return the changed text.

        Raises
        ------
        InstallProblem
            If the text does not hold what is to be changed.
        """
        changed, found = re.subn(self.find, self.replace, text, flags=re.DOTALL | re.MULTILINE)
        if not found or (self.times and found != self.times):
            raise InstallProblem(
                f"The installed xlwings differs from what this panelcal was made for ({self.purpose}): "
                f"install panelcal again, which brings the xlwings {SERIES} that fits."
            )
        return changed


_NAMING = (
    Patch(
        "the name of the add-in",
        r'(Public Const PROJECT_NAME As String = )"\w+"',
        rf'\1"{PROJECT}"',
    ),
)

# The import path of Python stays Python's own. prepare_sys_path takes six fields before the folders to add; on a Mac
# the last one is appended later.
_TRUSTING_NOBODY = (
    Patch(
        "code and paths from the active workbook",
        r"^    ' Check for embedded Python code\n.*?(?=^    ' Call Python platform-dependent\n)",
        '    #If Mac Then\n        PYTHONPATH = "false;;;;"\n'
        '    #Else\n        PYTHONPATH = "false;;;;;"\n    #End If\n\n',
    ),
    Patch(
        "import paths of the function server",
        r"^    ' TODO: Doesn't automatically check if code is embedded\n.*?"
        r'(?=^    PYTHON_WIN = GetConfig\("INTERPRETER_WIN", ""\)\n)',
        '    PYTHONPATH = "false;;;;;"\n\n',
    ),
    Patch("modules in the current folder", r' -B -c ""import ', ' -P -B -c ""import ', times=2),
    Patch(
        "settings on a sheet of the active workbook",
        r"^            'Workbook Sheet Config\n.*?(?=^            'Add-in Sheet Config)",
        "",
    ),
    Patch(
        "settings in a file beside the active workbook",
        r"^    ' Directory Config\n.*?(?=^    ' User Config\n)",
        "",
    ),
    Patch(
        "Python called by a formula",
        r"^(Public Function RunPython\(PythonCommand As String\)\n)",
        r'\1    If TypeName(Application.Caller) = "Range" Then Exit Function\n',
    ),
    Patch(
        "functions of a library called by a formula",
        r"^( +)Declare (?=PtrSafe Function|Function)",
        r"\1Private Declare ",
        times=0,
    ),
)

_WORKING_EVERYWHERE = (
    Patch(
        "its own settings while a chart sheet is active",
        r'For Each cell In Range\(sht\.Range\("A1"\), lastCell\)',
        'For Each cell In sht.Range(sht.Range("A1"), lastCell)',
    ),
    Patch(
        "Python below a folder in letters of another script than Windows' own",
        r"^(Private )?Function FileExistsOnWindows\(.*?^End Function\n",
        "Function FileExistsOnWindows(ByVal FileSpec As String) As Boolean\n"
        '    FileExistsOnWindows = CreateObject("Scripting.FileSystemObject").FileExists(FileSpec)\n'
        "End Function\n",
    ),
    Patch(
        "the folder for temporary files in such letters",
        r'GetConfig\("TEMP DIR", Environ\("Temp"\)\)',
        'GetConfig("TEMP DIR", "%TEMP%")',
    ),
    Patch(
        "the place of its library",
        r"^(Private Sub XLPyLoadDLL\(\)\n    Dim [^\n]*\n)",
        r'\1\n    If GetConfig("XLWINGS_DLL_FOLDER") <> "" Then\n'
        r'        If LoadLibrary(GetConfig("XLWINGS_DLL_FOLDER") & "\\" & XLPyDLLName) <> 0 Then Exit Sub\n'
        r"    End If\n",
    ),
)

_SPEAKING_PLAINLY = (
    Patch(
        "messages",
        r"^Sub ShowError\(FileName As String.*?^End Sub\n",
        'Sub ShowError(FileName As String, Optional Message As String = "")\n'
        '    If Message = "" Then Message = ReadFile(FileName)\n'
        "    ShowProblem Message\n"
        "End Sub\n",
    ),
    Patch(
        "the message about Python",
        r'MsgBox "Could not find Interpreter!", vbCritical',
        'MsgBox "Python is no longer where it was when Calibrate was installed. '
        'Run ""panelcal install"" again (see Troubleshooting).", vbExclamation, "Calibrate"',
    ),
    Patch(
        "the message about the helper on a Mac",
        r"""MsgBox "To enable RunPython, please run 'xlwings runpython install' [^"]*", vbCritical""",
        'MsgBox "The helper that starts Python is missing or was not allowed. '
        'Run ""panelcal install"" again (see Troubleshooting).", vbExclamation, "Calibrate"',
    ),
)

# Last, because they look at every procedure: what is private can be reached neither from a cell nor from another file.
_CLOSING = (
    Patch(
        "functions hidden from cells",
        r'\A(Attribute VB_Name = "xlwings"\n)',
        r"\1Option Private Module\n",
    ),
    Patch(
        "procedures called by a formula",
        rf"^(?:Public )?(Function|Sub) (?!(?:{'|'.join(OPEN_PROCEDURES)})\b)",
        r"Private \1 ",
        times=0,
    ),
)

PATCHES: Sequence[Patch] = _NAMING + _TRUSTING_NOBODY + _WORKING_EVERYWHERE + _SPEAKING_PLAINLY + _CLOSING


def xlwings_folder() -> Path:
    """Return the folder of the installed xlwings, without importing it.

    Raises
    ------
    InstallProblem
        If there is none.
    """
    found = importlib.util.find_spec("xlwings")
    if found is None or found.origin is None:
        raise InstallProblem("xlwings, which connects Python with Excel, is missing: install panelcal again.")
    return Path(found.origin).parent


def xlwings_version(folder: Path) -> str:
    """Return the version that the VBA of an xlwings folder names, and with it those of its library and its script.

    Raises
    ------
    InstallProblem
        If the folder is not complete or of another series than the one panelcal is made for.
    """
    match = re.search(r'^Public Const XLWINGS_VERSION As String = "([\w.]+)"', _text(_main(folder)), re.MULTILINE)
    if match is None or not match[1].startswith(f"{SERIES}."):
        raise InstallProblem(
            f"panelcal works with xlwings {SERIES}, but {match[1] if match else 'another one'} is installed: "
            f"install panelcal again, which brings the one that fits."
        )
    return match[1]


def xlwings_modules(folder: Path) -> tuple[Module, Module]:
    """Return xlwings' two VBA modules, patched and ready for the add-in.

    Raises
    ------
    InstallProblem
        If the folder is not complete, or not what the patches were made for.
    """
    xlwings_version(folder)
    text = _text(_main(folder))
    for patch in PATCHES:
        text = patch.apply(text)
    _check_closed(text)
    return module("Dictionary", "class", _text(folder / "addin" / "Dictionary.cls")), module(
        "xlwings", "standard", text
    )


def library_names(version: str) -> tuple[str, str]:
    """Return the names of xlwings' libraries for Excel of 64 and of 32 bits on Windows."""
    return f"xlwings64-{version}.dll", f"xlwings32-{version}.dll"


def script_name(version: str) -> str:
    """Return the name of the script that lets Excel for Mac start Python."""
    return f"xlwings-{version}.applescript"


def _check_closed(text: str) -> None:
    """Hold the patched text against what the patches are for, whatever the text before was."""
    opened = re.findall(r"^ *(?:Public )?(?:Function|Sub|Property|Declare)\b.*?(\w+) *(?:\(|Lib)", text, re.MULTILINE)
    leaks = re.findall(r"ActiveWorkbook\.(?:FullName|Path|Worksheets)", text.split("Function GetUdfModules", 1)[0])
    if sorted(opened) != sorted(OPEN_PROCEDURES) or leaks or "GetConfigFromSheet(ActiveWorkbook)" in text:
        raise InstallProblem(
            f"The installed xlwings has parts that this panelcal does not know "
            f"({', '.join(sorted({*opened, *leaks} - {*OPEN_PROCEDURES})) or 'procedures missing'}): "
            f"install panelcal again, which brings the xlwings {SERIES} that fits."
        )


def _main(folder: Path) -> Path:
    return folder / "xlwings_custom_addin.bas"


def _text(path: Path) -> str:
    try:
        return path.read_bytes().decode(ENCODING).replace("\r\n", "\n")
    except OSError as error:
        raise InstallProblem(
            f"{path.name} is missing from the installed xlwings: install panelcal again; if it goes missing once more, "
            f"look for it in the quarantine of the virus scanner."
        ) from error
