"""The two small files that installing leaves beside each other in the user's own application-data folder.

One lists what was put on this computer, so that uninstalling removes that and nothing else; the other tells the add-in
where Python is.
"""

from __future__ import annotations

import codecs
import json
from collections.abc import Iterable
from pathlib import Path, PurePath

from panelcal.errors import InstallProblem
from panelcal.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Record:
    """Everything installed for one user.

    Attributes
    ----------
    addin
        The add-in that was installed last.
    files
        Every file that was written, the add-in first; the record itself is not among them.
    folders
        Folders that were made for them, the innermost first.
    """

    addin: Path
    files: tuple[Path, ...]
    folders: tuple[Path, ...] = ()

    def merged(self, earlier: Record | None) -> Record:
        """Return this record with what an earlier one lists and is still there."""
        if earlier is None:
            return self
        files = _distinct((*self.files, *(path for path in earlier.files if path.exists())))
        folders = _distinct((*self.folders, *(path for path in earlier.folders if path.exists())))
        return Record(self.addin, files, tuple(sorted(folders, key=lambda path: -len(path.parts))))

    def text(self) -> str:
        """Return the content of the file."""
        content = {
            "addin": str(self.addin),
            "files": [str(path) for path in self.files],
            "folders": [str(path) for path in self.folders],
        }
        return json.dumps(content, indent=1, ensure_ascii=False) + "\n"


def read_record(path: Path) -> Record | None:
    """Return what was installed; None if nothing was.

    Raises
    ------
    InstallProblem
        If the file is there but cannot be understood.
    """
    try:
        content = json.loads(path.read_text(encoding="utf-8"))
        files, folders = content["files"], content["folders"]
        return Record(Path(content["addin"]), tuple(map(Path, files)), tuple(map(Path, folders)))
    except FileNotFoundError:
        return None
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise InstallProblem(
            f"The note of what was installed, {path}, cannot be read: delete that file and run panelcal install again."
        ) from error


def _distinct(paths: Iterable[Path]) -> tuple[Path, ...]:
    return tuple(dict.fromkeys(paths))


@dataclass(frozen=True, slots=True)
class PythonNote:
    """Where Python is, for the add-in.

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


def read_note(path: Path) -> PythonNote | None:
    """Return what a note says; None if there is none, or another file."""
    try:
        data = path.read_bytes()
        text = data.decode("utf-16" if data.startswith(codecs.BOM_UTF16_LE) else "utf-8")
    except (OSError, ValueError):
        return None
    interpreter, *others = text.splitlines() or [""]
    return PythonNote(Path(interpreter), Path(others[0] if others else "")) if interpreter else None
