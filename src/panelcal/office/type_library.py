"""Renews the extension's type library by the tool of LibreOffice's SDK: ``python -m panelcal.office.type_library``.

It tells Calc which arguments each function takes. Users need no SDK, because the library is committed beside its text;
a test makes it anew wherever the SDK is installed.
"""

from __future__ import annotations

import shutil
import subprocess
import tempfile
from pathlib import Path

from panelcal.errors import InstallProblem
from panelcal.office.cell_functions import FUNCTIONS

EXTENSION = Path(__file__).with_name("extension")
LIBRARY = EXTENSION / "functions.rdb"
_PROGRAM = Path("/usr/lib/libreoffice")


def interface_text() -> str:
    """Return the interface of the functions in the language of the tool."""
    block = "sequence< sequence< any > >"
    lines = ["module org { module panelcal { module office {", "interface XFunctions {"]
    for function in FUNCTIONS.values():
        arguments = ", ".join(
            f"[in] {block if number == 0 else 'any'} {argument.identifier}"
            for number, argument in enumerate(function.arguments)
        )
        lines.append(f"  {block} {function.method}({arguments});")
    return "\n".join([*lines, "};", "}; }; };", ""])


def library_content() -> bytes:
    """Make the library.

    Raises
    ------
    InstallProblem
        If the SDK is not installed.
    """
    tool = shutil.which("unoidl-write", path=str(_PROGRAM / "sdk" / "bin"))
    if tool is None:
        raise InstallProblem("LibreOffice's SDK is not installed (package libreoffice-dev).")
    types = _PROGRAM / "program" / "types.rdb"
    with tempfile.TemporaryDirectory() as folder:
        text, made = Path(folder) / "XFunctions.idl", Path(folder) / "functions.rdb"
        text.write_text(interface_text())
        subprocess.run([tool, str(types), str(text), str(made)], check=True)
        return made.read_bytes()


if __name__ == "__main__":
    LIBRARY.write_bytes(library_content())
