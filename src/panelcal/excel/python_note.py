"""The note that tells the add-in where Python is: one small file in the user's own application-data folder."""

from __future__ import annotations

import codecs
from dataclasses import dataclass
from pathlib import Path, PurePath


@dataclass(frozen=True, slots=True)
class Note:
    """What the note says.

    Attributes
    ----------
    interpreter
        The Python that Excel shall start.
    library_folder
        Where xlwings' libraries lie, which only Excel for Windows needs.
    """

    interpreter: PurePath
    library_folder: PurePath

    def content(self, platform: str) -> bytes:
        """Return the file: as Visual Basic reads it on Windows (UTF-16), as a shell does elsewhere."""
        if platform == "win32":
            return codecs.BOM_UTF16_LE + f"{self.interpreter}\r\n{self.library_folder}\r\n".encode("utf-16-le")
        return f"{self.interpreter}\n".encode()


def read_note(path: Path) -> Note | None:
    """Return what a note says; None if there is none, or another file."""
    try:
        data = path.read_bytes()
        text = data.decode("utf-16" if data.startswith(codecs.BOM_UTF16_LE) else "utf-8")
    except (OSError, ValueError):
        return None
    interpreter, *others = text.splitlines() or [""]
    return Note(Path(interpreter), Path(others[0] if others else "")) if interpreter else None
