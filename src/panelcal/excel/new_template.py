"""Copies of the ready-made workbooks for the menu "New from template", in the user's own folder for documents.

That folder is as the system names it: under OneDrive it is not where one would guess.
"""

from __future__ import annotations

import sys
from collections.abc import Collection
from itertools import count
from pathlib import Path

from panelcal.errors import FileProblem
from panelcal.shipped import template_content


def copy_template(name: str, opened: Collection[str] = ()) -> Path:
    """Copy a template into the user's documents under a name that is free there, and return the copy.

    Parameters
    ----------
    name
        Of the template.
    opened
        Names of workbooks that are open: Excel opens no other one of the same name, wherever it lies.

    Raises
    ------
    FileProblem
        If there is no such template, or the folder cannot be written to.
    """
    content = template_content(name)
    place = documents_folder() or Path.home()
    copies = (place / f"{name}{'' if number == 1 else f' {number}'}.xlsx" for number in count(1))
    busy = {other.casefold() for other in opened}
    target = next(path for path in copies if path.name.casefold() not in busy and not path.exists())
    try:
        target.write_bytes(content)
    except OSError as error:
        raise FileProblem(f"The template cannot be copied to {place}: check that you may save files there.") from error
    return target


if sys.platform == "win32":
    import ctypes
    from uuid import UUID

    _DOCUMENTS = UUID("fdd39ad0-238f-46af-adb4-6c85480369c7")

    def documents_folder() -> Path | None:
        """Ask Windows for the known folder; None if it has none."""
        path = ctypes.c_wchar_p()
        identity = (ctypes.c_byte * 16).from_buffer_copy(_DOCUMENTS.bytes_le)
        failed = ctypes.windll.shell32.SHGetKnownFolderPath(ctypes.byref(identity), 0, None, ctypes.byref(path))
        try:
            return None if failed or not path.value else Path(path.value)
        finally:
            ctypes.windll.ole32.CoTaskMemFree(path)

else:

    def documents_folder() -> Path | None:
        """Return the folder Documents, which has this name on a Mac whatever Finder shows and iCloud keeps."""
        folder = Path.home() / "Documents"
        return folder if folder.is_dir() else None
