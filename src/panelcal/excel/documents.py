"""The user's own folder for documents, as the system names it: under OneDrive it is not where one would guess."""

from __future__ import annotations

import sys
from pathlib import Path

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
