"""Build the page: verified parts in, one HTML file out, the same byte for byte each time."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

from panelcal.errors import FileProblem
from panelcal.files.saving import check_target, save_bytes
from panelcal.page.compile_tree import compiled
from panelcal.page.document import document
from panelcal.page.libraries import library_licences, licence_of
from panelcal.page.parts import PARTS, part_of, verified
from panelcal.page.site_tree import own_licence, site_tree
from panelcal.version import __version__

LARGEST = 48_000_000
"""Bytes that the page may have."""

_LICENCES_HERE = frozenset({"OpenBLAS", "Pyodide", "Python"})


def build_page(
    parts_folder: Path, target: Path, *, overwrite: bool = False, progress: Callable[[str], None] = lambda doing: None
) -> int:
    """Build the page and return its size in bytes.

    Raises
    ------
    FileProblem
        If a part is missing or is not the right one, there is no Node, or the file cannot be written.
    """
    check_target(target, overwrite=overwrite)
    progress("checking the parts")
    parts = verified(parts_folder)
    progress("compiling")
    tree = compiled(site_tree(parts), parts)
    progress("putting it together")
    page = document(parts, tree, licences(parts), __version__).encode("utf-8")
    if len(page) > LARGEST:
        raise FileProblem(f"The page would have {len(page) / 1e6:.1f} MB, and may have {LARGEST / 1e6:.0f}.")
    save_bytes(page, target, overwrite=overwrite)
    return len(page)


def licences(parts: Mapping[str, bytes]) -> dict[str, str]:
    """Return work and version -> its licence, for everything in the page."""
    texts = {f"panelcal {__version__}": own_licence(), **library_licences()}
    for part in PARTS:
        title = f"{part.of} {part.version}"
        if title not in texts:
            texts[title] = licence_of(part.of) if part.of in _LICENCES_HERE else _in_wheel(parts[part_of(part.of).file])
    return texts


def _in_wheel(wheel: bytes) -> str:
    with zipfile.ZipFile(io.BytesIO(wheel)) as archive:
        names = [name for name in archive.namelist() if "LICEN" in name.upper() and "/include/" not in name]
        return "\n\n".join(archive.read(name).decode("utf-8") for name in names)
