"""Load a workbook or a text file, from disk or from memory, as a `Source`: plain grids of cell values.

Files are recognised by what is in them, never by their extension. Nothing in a file is run, followed or trusted: sizes
are checked before anything is unpacked, and whatever is not a table ends in a `FileProblem` of one sentence.
"""

from __future__ import annotations

import os
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path
from xml.parsers.expat import ExpatError

from panelcal.errors import FileProblem
from panelcal.files.in_memory import File, FileBytes
from panelcal.files.load_sheet import TooLarge
from panelcal.files.load_workbook import AnotherKind, NotAWorkbook, load_workbook
from panelcal.files.package import damaged_part, read_parts
from panelcal.reading.grid import Source

_OLE = b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1"
_OLE_SEARCHED = 1 << 26
_LARGEST_TEXT = 1 << 28
_AS_XLSX = "open it in your spreadsheet program, save it as an Excel workbook (.xlsx) and use that"


def load_source(path: str | File, *, progress: Callable[[float], None] = lambda share: None) -> Source:
    """Load every sheet of a workbook (.xlsx, .xlsm, .ods, .xls, .xlsb) or the one table of a text file (CSV).

    Parameters
    ----------
    path
        The file, on disk or in memory.
    progress
        Told which share of the file has been read.

    Raises
    ------
    FileProblem
        If there is no such file or it is not a table that can be read safely; one sentence that says what to do.
    """
    file = Path(path) if isinstance(path, str) else path
    name = os.fsencode(file.name).decode("utf-8", "replace")  # a name that is no text must not spoil what is written
    try:
        check_source(file)
        size = _size_of(file)
        if size == 0:
            raise FileProblem(
                f"{name} is empty (0 bytes): save it again from your spreadsheet program, or use a backup."
            )
        start = _start_of(file, 4096)
        if start.startswith(_OLE):
            _refuse_password(file, name)
            return _load_other(file, name)
        if start.startswith(b"PK"):
            return _load_zipped(file, name, progress)
        raise_if_not_text(start, name)
        if size > _LARGEST_TEXT:
            raise FileProblem(
                f"{name} is larger than a sheet of scores can be ({size // 1_000_000} MB): use a smaller extract."
            )
        return _load_text(file, name)
    except PermissionError as error:
        raise FileProblem(f"{name} cannot be read: close it in other programs, or ask for access to it.") from error
    except OSError as error:
        raise FileProblem(
            f"{name} cannot be read ({error.strerror or error}): copy it to this computer and try again."
        ) from error


def _load_zipped(file: File, name: str, progress: Callable[[float], None]) -> Source:
    try:
        return load_workbook(file, name, progress)
    except AnotherKind:
        pass
    except TooLarge as error:
        raise FileProblem(f"{name} {error}: delete what is not needed and save it again.") from error
    except NotAWorkbook as error:
        raise FileProblem(f"{name} is not an Excel workbook ({error}): {_AS_XLSX}.") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, ExpatError, KeyError, ValueError, IndexError) as error:
        where = _damaged_part(file)
        raise FileProblem(
            f"{name} is damaged or was cut off in transfer{where}: fetch it again, or {_AS_XLSX}."
        ) from error
    except (RuntimeError, NotImplementedError) as error:
        raise FileProblem(
            f"{name} is protected by a password or packed in an unknown way: {_AS_XLSX}, without a password."
        ) from error
    try:
        return _load_other(file, name)
    except TooLarge as error:
        raise FileProblem(f"{name} {error}: delete what is not needed and save it again.") from error
    except (zipfile.BadZipFile, zlib.error, EOFError, ExpatError, KeyError, ValueError) as error:
        raise FileProblem(f"{name} is damaged or was cut off in transfer: fetch it again, or {_AS_XLSX}.") from error


def _load_other(file: File, name: str) -> Source:
    from panelcal.files.load_other import load_other  # noqa: PLC0415 - each kind of file brings its reader

    return load_other(file, name)


def _load_text(file: File, name: str) -> Source:
    from panelcal.files.load_text import load_text  # noqa: PLC0415 - each kind of file brings its reader

    return load_text(file.read_bytes(), name)


def _damaged_part(file: File) -> str:
    """Name the first part that cannot be unpacked, for those who might still save it."""
    try:
        part = damaged_part(read_parts(file))
    except (OSError, ValueError, zipfile.BadZipFile):
        return ""
    return "" if part is None else f" (its part {part} is not whole)"


def _refuse_password(file: File, name: str) -> None:
    """Refuse an encrypted workbook, which has the form of an old .xls."""
    if "EncryptedPackage".encode("utf-16-le") in _start_of(file, _OLE_SEARCHED):
        raise FileProblem(
            f"{name} is protected by a password: remove the password in your spreadsheet program and save it again."
        )


def raise_if_not_text(start: bytes, name: str) -> None:
    """Refuse what begins like a web page, a PDF, a picture or another file that is no table.

    Raises
    ------
    FileProblem
        With a sentence naming what the file is.
    """
    bare = start.lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    if bare.startswith((b"<html", b"<!doctype", b"<table", b"<?xml", b"<head", b"<body")):
        raise FileProblem(f"{name} is a web page or XML file, not a workbook: {_AS_XLSX}.")
    if bare.startswith((b"%pdf", b"{\\rtf", b"\x89png", b"\xff\xd8\xff", b"gif8", b"\x1f\x8b", b"7z\xbc\xaf", b"rar!")):
        raise FileProblem(f"{name} is not a workbook or CSV file: export the table as .xlsx or .csv and use that.")
    if name.lower().endswith(".json") and bare.startswith((b"{", b"[")):
        raise FileProblem(
            f"{name} holds JSON, not a table of rows and columns: export the scores as .csv or .xlsx and use that."
        )


def _size_of(file: File) -> int:
    return file.getbuffer().nbytes if isinstance(file, FileBytes) else file.stat().st_size


def _start_of(file: File, length: int) -> bytes:
    if isinstance(file, FileBytes):
        return bytes(file.getbuffer()[:length])
    with file.open("rb") as opened:
        return opened.read(length)


def check_source(file: File) -> None:
    """Stop before anything is done where there is no such file.

    Raises
    ------
    FileProblem
        If there is none, or it is a folder.
    """
    if isinstance(file, FileBytes):
        return
    if file.is_dir():
        raise FileProblem(f"{file.name} is a folder: give the name of a workbook or CSV file in it.")
    if not file.exists():
        raise FileProblem(f"There is no file called {file.name} in {_folder(file)}: check the name and the folder.")


def _folder(file: Path) -> str:
    return "this folder" if file.parent == Path() else f"the folder {file.parent}"
