"""Makes `panelcal.oxt`, the extension for LibreOffice, out of the files in `extension/` and two tables.

The same source makes the same bytes. Its type library, by which Calc knows the functions' arguments, is the one part
that needs a tool of LibreOffice's SDK: ``python -m panelcal.office.type_library`` renews it where that is installed.
"""

from __future__ import annotations

import io
import zipfile
from importlib.resources import files
from typing import TYPE_CHECKING
from xml.sax.saxutils import escape, quoteattr

from panelcal.office.cell_functions import FUNCTIONS, CellFunction
from panelcal.shipped import shipped_folder
from panelcal.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator
    from importlib.resources.abc import Traversable

FILE_NAME = "panelcal.oxt"
IDENTIFIER = "org.panelcal.office"
FUNCTIONS_SERVICE = "org.panelcal.office.Functions"
BUTTONS_SERVICE = "org.panelcal.office.Buttons"
MENU = "Calibrate"

BUTTONS = (
    ("calibrate", "Calibrate", "calibrate"),
    ("check", "Check data", "check"),
    ("templates", "New from template", "template"),
    ("", "", ""),
    ("explain", "Explain this value", "explain"),
    ("settings", "Settings", "settings"),
    ("earlier_biases", "Earlier biases", "earlier"),
    ("remove_results", "Remove results", "remove"),
    ("", "", ""),
    ("help", "Help", "help"),
)
"""What a button asks for, its words and its picture, in the order of Excel's ribbon; blank = a line between groups."""

_TOOLBAR_STATE = (
    ("Docked", "true", "xs:boolean"),
    ("Visible", "true", "xs:boolean"),
    ("DockingArea", "0", "xs:int"),
    ("DockPos", "0,2", "xs:string"),
    ("Style", "2", "xs:int"),
)
_CALC = "com.sun.star.sheet.SpreadsheetDocument"
_OF_ALL_FILES = (1980, 1, 1, 0, 0, 0)  # the earliest that a zip file knows: no clock in what is made


def extension_content() -> bytes:
    """Return the extension as one file."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in sorted(_parts()):
            entry = zipfile.ZipInfo(name, _OF_ALL_FILES)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.external_attr = 0o644 << 16
            archive.writestr(entry, content)
    return stream.getvalue()


def _parts() -> Iterator[tuple[str, bytes]]:
    yield from _files(files("panelcal.office") / "extension", "")
    for icon in {icon for _, _, icon in BUTTONS if icon}:
        yield f"icons/{icon}.png", (shipped_folder("addin") / "icons" / f"{icon}.png").read_bytes()
    yield "pythonpath/panelcal_in_office/version.txt", __version__.encode()
    yield "Addons.xcu", _addons().encode()
    yield "CalcAddIns.xcu", _add_ins().encode()
    yield "CalcWindowState.xcu", _window_state().encode()
    yield "description.xml", _description().encode()


def _files(folder: Traversable, above: str) -> Iterator[tuple[str, bytes]]:
    for child in folder.iterdir():
        if child.is_dir() and child.name != "__pycache__":
            yield from _files(child, f"{above}{child.name}/")
        elif child.is_file() and not child.name.endswith((".pyc", ".idl")):
            yield above + child.name, child.read_bytes()


def _description() -> str:
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        '<description xmlns="http://openoffice.org/extensions/description/2006">\n'
        f'<identifier value="{IDENTIFIER}"/><version value="{__version__}"/>\n'
        '<display-name><name lang="en">panelcal: calibrate the scores of a panel</name></display-name>\n'
        "</description>\n"
    )


def _addons() -> str:
    menu, bar, images = [], [], []
    for number, (action, label, icon) in enumerate(BUTTONS, 1):
        properties = [_property("URL", _command(action)), _property("Title", label, "en"), _property("Target", "_self")]
        menu.append(_node(f"M{number}", properties))
        bar.append(_node(f"T{number}", [*properties, _property("Context", _CALC)]))
        if action:
            pictures = [_property(f"Image{size}URL", f"%origin%/icons/{icon}.png") for size in ("Small", "Big")]
            inner = _node("UserDefinedImages", pictures, replace=False)
            images.append(_node(f"{IDENTIFIER}.image{number}", [_property("URL", _command(action)), inner]))
    title = _property("Title", MENU, "en")
    submenu = _node("Submenu", menu, replace=False)
    top = _node(f"{IDENTIFIER}.menu", [title, _property("Context", _CALC), submenu])
    toolbar = _node(f"{IDENTIFIER}.toolbar", [title, *bar])
    parts = (("OfficeMenuBar", [top]), ("OfficeToolBar", [toolbar]), ("Images", images))
    inner = "".join(_node(name, nodes, replace=False) for name, nodes in parts)
    return _configuration("Addons", _node("AddonUI", [inner], replace=False))


def _command(action: str) -> str:
    return f"service:{BUTTONS_SERVICE}?{action}" if action else "private:separator"


def _add_ins() -> str:
    functions = [_add_in(function) for function in FUNCTIONS.values()]
    inner = _node(FUNCTIONS_SERVICE, [_node("AddInFunctions", functions, replace=False)])
    return _configuration("CalcAddIns", _node("AddInInfo", [inner], replace=False))


def _add_in(function: CellFunction) -> str:
    arguments = [
        _node(one.identifier, [_words("DisplayName", one.name), _words("Description", one.meaning)])
        for one in function.arguments
    ]
    return _node(
        function.method,
        [
            _words("DisplayName", function.name),
            _words("Description", function.meaning),
            '<prop oor:name="Category"><value>Add-In</value></prop>',
            _words("CompatibilityName", function.name),
            _node("Parameters", arguments, replace=False),
        ],
    )


def _window_state() -> str:
    """Have the toolbar stand beside the others, with pictures and words, rather than float over the sheet."""
    state = _node(
        f"private:resource/toolbar/addon_{IDENTIFIER}.toolbar",
        [
            _property("UIName", MENU, "en"),
            *(_property(name, value, kind=kind) for name, value, kind in _TOOLBAR_STATE),
        ],
    )
    inner = _node("UIElements", [_node("States", [state], replace=False)], replace=False)
    return _configuration("CalcWindowState", inner, package="org.openoffice.Office.UI")


def _configuration(name: str, inner: str, package: str = "org.openoffice.Office") -> str:
    spaces = 'xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"'
    head = '<?xml version="1.0" encoding="UTF-8"?>\n'
    return (
        f'{head}<oor:component-data {spaces} oor:name="{name}" oor:package="{package}">\n{inner}</oor:component-data>\n'
    )


def _node(name: str, inner: list[str], *, replace: bool = True) -> str:
    operation = ' oor:op="replace"' if replace else ""
    return f"<node oor:name={quoteattr(name)}{operation}>{''.join(inner)}</node>\n"


def _property(name: str, text: str, language: str = "", *, kind: str = "xs:string") -> str:
    spoken = f' xml:lang="{language}"' if language else ""
    return f'<prop oor:name="{name}" oor:type="{kind}"><value{spoken}>{escape(text)}</value></prop>'


def _words(name: str, text: str) -> str:
    return f'<prop oor:name="{name}"><value xml:lang="en">{escape(text)}</value></prop>'
