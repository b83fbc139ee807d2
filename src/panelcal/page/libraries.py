"""The libraries that draw the charts, as their makers publish them, unchanged: each pinned by version and checksum.

They are no part of the repository. Wheels carry them, also one that pip builds from the source folder where it can
reach them; otherwise ``python -m panelcal.page.fetch_libraries`` puts them beside this file. A file of one result
(``panelcal calibrate --html``) that is written without them tells its charts in words.
"""

from __future__ import annotations

import hashlib
from importlib.resources import files
from pathlib import Path

from panelcal.errors import FileProblem
from panelcal.frozen import dataclass


@dataclass(frozen=True, slots=True)
class Library:
    """One library for browsers.

    Attributes
    ----------
    of, version
        The work.
    package, member
        Its package at npm, and the file in it.
    file
        Its name in the folder `libraries`.
    sha256
        Its checksum.
    """

    of: str
    version: str
    package: str
    member: str
    file: str
    sha256: str


LIBRARIES = (
    Library(
        "d3",
        "7.9.2",
        "d3",
        "package/dist/d3.min.js",
        "d3-7.9.2.min.js",
        "912111098ea99503a6f4967361d2bbdc9dbf58cf9c678c8e27e5b02d1a07f0c1",
    ),
    Library(
        "Observable Plot",
        "0.6.17",
        "@observablehq/plot",
        "package/dist/plot.umd.min.js",
        "plot-0.6.17.umd.min.js",
        "4358086467740777dd788d6b27a95cebdbaefdd50c730a3060117073bd7134cb",
    ),
)
"""Each after those that it needs."""

FOLDER = Path(str(files("panelcal.page"))) / "libraries"
HOW = "python -m panelcal.page.fetch_libraries"


def has_libraries() -> bool:
    """Tell whether the libraries are here."""
    return all((FOLDER / library.file).is_file() for library in LIBRARIES)


def libraries_code() -> str:
    """Return the libraries as one script; empty where they are not here.

    Raises
    ------
    FileProblem
        If one of them is not the file that it should be.
    """
    if not has_libraries():
        return ""
    texts = []
    for library in LIBRARIES:
        content = (FOLDER / library.file).read_bytes()
        if hashlib.sha256(content).hexdigest() != library.sha256:
            raise FileProblem(f"{library.file} is not as it was published: remove it and fetch it again with {HOW}.")
        texts.append(content.decode("utf-8"))
    return "\n;\n".join(texts)


def library_licences() -> dict[str, str]:
    """Return work and version -> its licence."""
    return {f"{library.of} {library.version}": licence_of(library.of) for library in LIBRARIES}


def licence_of(work: str) -> str:
    """Return a licence that comes with panelcal."""
    return (files("panelcal.page") / "licences" / f"{work}.txt").read_text(encoding="utf-8")
