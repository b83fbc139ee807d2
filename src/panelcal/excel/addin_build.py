"""Building `panelcal.xlam` from the texts in `addin/` and the installed xlwings.

It is built on the computer it will run on: xlwings' VBA names its library and its script by their exact version, and
the add-in names the Python to start.
"""

from __future__ import annotations

from collections.abc import Sequence
from importlib.resources import files
from importlib.resources.abc import Traversable
from pathlib import Path, PurePath

from panelcal import __version__
from panelcal.errors import InstallProblem
from panelcal.excel.addin_package import CODE_NAMES, addin_bytes
from panelcal.excel.vba_project import Module, module, vba_project
from panelcal.excel.xlwings_source import PROJECT, xlwings_folder, xlwings_modules, xlwings_version

FILE_NAME = f"{PROJECT}.xlam"
VBA_PROJECT_NAME = "PanelcalAddin"
OWN_MODULES = ("RibbonCalibrate", "CalibrateFunctions")
INTERPRETER_KEYS = {"win32": "INTERPRETER_WIN", "darwin": "INTERPRETER_MAC"}
LIBRARY_KEY, PANELCAL_KEY, XLWINGS_KEY = "XLWINGS_DLL_FOLDER", "PANELCAL_VERSION", "XLWINGS_VERSION"


def addin_folder() -> Traversable:
    """Return the folder of the add-in's texts: inside an installed package, or at the top of a source checkout.

    Raises
    ------
    InstallProblem
        If neither is there.
    """
    package = files("panelcal")
    for folder in (package / "addin", Path(str(package)).parents[1] / "addin"):
        if (folder / "ribbon.xml").is_file():
            return folder
    raise InstallProblem("The texts of the add-in are missing from this installation: install panelcal again.")


def build_addin(
    interpreter: PurePath | str,
    *,
    platform: str,
    xlwings: Path | None = None,
    library_folder: PurePath | str | None = None,
) -> bytes:
    """Return the add-in for one computer; the same arguments give the same bytes.

    Parameters
    ----------
    interpreter
        The Python that Excel shall start, by its absolute path.
    platform
        "win32", "darwin" or another value of `sys.platform`.
    xlwings
        The folder of xlwings, by default the installed one.
    library_folder
        Where xlwings' library for Windows was found, unless Excel shall look beside the interpreter only.

    Raises
    ------
    InstallProblem
        If a text is missing or the installed xlwings is not the one that panelcal is made for.
    """
    source = xlwings if xlwings is not None else xlwings_folder()
    version = xlwings_version(source)
    # xlwings asks for these names. A blank value would not be the same as none: no row has one.
    settings = {
        INTERPRETER_KEYS.get(platform, "INTERPRETER"): str(interpreter),
        "ADD_WORKBOOK_TO_PYTHONPATH": "False",
        **({LIBRARY_KEY: str(library_folder)} if library_folder is not None else {}),
        PANELCAL_KEY: __version__,
        XLWINGS_KEY: version,
    }
    texts = addin_folder()
    pictures = {
        entry.name.removesuffix(".png"): entry.read_bytes()
        for entry in (texts / "icons").iterdir()
        if entry.name.endswith(".png")
    }
    return addin_bytes(
        settings,
        project=PROJECT,
        vba=vba_project(VBA_PROJECT_NAME, addin_modules(source), "Calibrate"),
        ribbon=(texts / "ribbon.xml").read_text(encoding="utf-8"),
        icons=pictures,
        about=f"Calibrate: panelcal {__version__} with xlwings {version}",
    )


def addin_modules(xlwings: Path) -> Sequence[Module]:
    """Return all VBA modules of the add-in, documents first as Excel has them."""
    dictionary, connection = xlwings_modules(xlwings)
    workbook, sheet = CODE_NAMES
    return (
        module(workbook, "document", _vba(f"{workbook}.cls")),
        module(sheet, "document", ""),
        dictionary,
        *(module(name, "standard", _vba(f"{name}.bas")) for name in OWN_MODULES),
        connection,
    )


def _vba(name: str) -> str:
    return (addin_folder() / "vba" / name).read_text(encoding="utf-8")
