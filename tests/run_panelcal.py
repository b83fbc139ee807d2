"""Runs the command line as a user would, in a process of its own, and looks at what it wrote."""

import hashlib
import os
import subprocess
import sys
from pathlib import Path

import openpyxl


def run(*arguments: str, folder: Path | None = None, **environment: str) -> subprocess.CompletedProcess:
    return subprocess.run(
        [sys.executable, "-m", "panelcal", *arguments],
        capture_output=True,
        text=True,
        cwd=folder,
        env={**os.environ, "NO_COLOR": "1", "COLUMNS": "120", **environment},
        timeout=120,
        check=False,
    )


def sheet_rows(path: Path, name: str) -> list[dict]:
    """The rows of a result sheet below its headings in row 4, each by its headings."""
    book = openpyxl.load_workbook(path, data_only=True)
    rows = list(book[name].iter_rows(min_row=4, values_only=True))
    book.close()
    headings = list(rows[0])
    return [dict(zip(headings, row, strict=True)) for row in rows[1:] if row[0] is not None]


def digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()
