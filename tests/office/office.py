"""LibreOffice as a witness: renders what we write to pictures, recalculates it, and says what it reads in each cell.

Every call starts an office of its own with a profile in a temporary folder, so that nobody's settings matter.
"""

from __future__ import annotations

import atexit
import functools
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest

DRIVER = Path(__file__).with_name("drive_office.py")
REQUIRED = os.environ.get("PANELCAL_REQUIRE_OFFICE") == "1"
_PATIENCE = 180.0


@functools.cache
def missing() -> str:
    """Say why LibreOffice cannot be used here; empty when it can."""
    for program in ("soffice", "pdftoppm"):
        if shutil.which(program) is None:
            return f"{program} is not installed"
    return "" if _bridge() else "no Python with LibreOffice's uno module (package python3-uno)"


def need_office() -> None:
    """Skip the calling test without LibreOffice, or fail it where PANELCAL_REQUIRE_OFFICE=1 asks for it."""
    reason = missing()
    if reason and REQUIRED:
        pytest.fail(f"{reason}, and PANELCAL_REQUIRE_OFFICE=1")
    if reason:
        pytest.skip(reason)


@functools.cache
def _bridge() -> str | None:
    """A Python that can import uno: this one, the system's, or LibreOffice's own."""
    soffice = shutil.which("soffice")
    candidates = [sys.executable, shutil.which("python3", path=os.defpath)]
    if soffice:
        candidates += [str(path) for path in Path(soffice).resolve().parent.glob("python*") if path.is_file()]
    for candidate in candidates:
        if (
            candidate
            and subprocess.run([candidate, "-c", "import uno"], capture_output=True, check=False).returncode == 0
        ):
            return candidate
    return None


@functools.cache
def _profile() -> str:
    folder = tempfile.mkdtemp(prefix="panelcal-office-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    return folder


def driven(driver: Path, file: Path, **job: Any) -> Any:
    """Have a driver do a job on a file, in an office of its own, and return its answer."""
    bridge = _bridge()
    assert bridge is not None
    answer = subprocess.run(
        [bridge, str(driver)],
        input=json.dumps({"file": str(file.resolve()), "profile": _profile(), **job}),
        capture_output=True,
        text=True,
        timeout=_PATIENCE,
        check=False,
    )
    if answer.returncode:
        raise RuntimeError(answer.stderr or answer.stdout)
    return json.loads(answer.stdout)


def _ask(xlsx: Path, **job: Any) -> dict[str, Any]:
    answer: dict[str, Any] = driven(DRIVER, xlsx, **{"reads": [], **job})
    return answer


def recalculated(
    xlsx: Path,
    reads: Sequence[tuple[str, str]],
    edits: Mapping[tuple[str, str], Any] | None = None,
    store: Path | None = None,
) -> list[Any]:
    """Return what cells hold after edits and a hard recalculation; the file itself stays as it is.

    Parameters
    ----------
    xlsx
        The workbook.
    reads
        (sheet, cell) pairs such as ``("Cal proof", "F5")``.
    edits
        (sheet, cell) -> a number, a text or formula, or None to clear; done before calculating.
    store
        Where to save the result as .xlsx, if anywhere.
    """
    changes = [[sheet, cell, value] for (sheet, cell), value in (edits or {}).items()]
    stores = [[str(store.resolve()), "Calc MS Excel 2007 XML"]] if store else []
    answer = _ask(xlsx, reads=list(reads), edits=changes, calculate=True, stores=stores)
    values: list[Any] = answer["values"]
    return values


def opened(xlsx: Path, reads: Sequence[tuple[str, str]] = ()) -> tuple[list[str], list[Any]]:
    """Return sheet names and cell values as LibreOffice finds them on opening, without recalculating."""
    answer = _ask(xlsx, reads=list(reads))
    return answer["sheets"], answer["values"]


def converted(xlsx: Path, target: Path) -> Path:
    """Save the workbook as LibreOffice writes .xlsx."""
    _ask(xlsx, stores=[[str(target.resolve()), "Calc MS Excel 2007 XML"]])
    return target


def render(xlsx: Path, folder: Path, sheet: str | None = None, dots_per_inch: int = 100) -> list[Path]:
    """Print the workbook, or one sheet of it, and return one picture a page."""
    folder.mkdir(parents=True, exist_ok=True)
    pdf = folder / f"{xlsx.stem}.pdf"
    _ask(xlsx, sheet=sheet, stores=[[str(pdf.resolve()), "calc_pdf_Export"]])
    stem = folder / xlsx.stem
    subprocess.run(["pdftoppm", "-r", str(dots_per_inch), "-png", str(pdf), str(stem)], check=True)
    return sorted(folder.glob(f"{xlsx.stem}-*.png"))
