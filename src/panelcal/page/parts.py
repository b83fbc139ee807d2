"""The pinned parts that the page is built of: what each is, its checksum, and where it is found in a folder.

numpy, scipy, openblas and threadpoolctl are the wheels whose checksums stand in the lock file of the npm package
pyodide 0.27.7; the core files are those of that package.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from pathlib import Path

from panelcal.errors import FileProblem
from panelcal.frozen import dataclass

PYODIDE = "0.27.7"


@dataclass(frozen=True, slots=True)
class Part:
    """One file that goes into the page.

    Attributes
    ----------
    file
        Its name.
    sha256
        Its checksum.
    of, version
        The work it belongs to, for the list of what the page is built with.
    """

    file: str
    sha256: str
    of: str
    version: str


PARTS = (
    Part("pyodide.asm.js", "6b4c90de5b7172873f04f21884d0e9d2274e305fe32116558fe3e4fbe3618d51", "Pyodide", PYODIDE),
    Part("pyodide.asm.wasm", "a50dd1843f805a0b7c45b61037ee0d7b26dfe85efe0e18ef95a34ad24e401f5f", "Pyodide", PYODIDE),
    Part("pyodide.js", "b4cb23a53aba19c221659b9fb40a2f18281d685691dc06647fb0afd0681baf98", "Pyodide", PYODIDE),
    Part("pyodide.mjs", "04c052c815abb0bf2981fa38c2dfa58e3120ee5288c956df2b2a15e301782c5f", "Pyodide", PYODIDE),
    Part("python_stdlib.zip", "16611534726e5d8ac2bd8f926410b2dcb8d6f49aa24913463533b457a2115c16", "Python", "3.12.7"),
    Part(
        "numpy-2.0.2-cp312-cp312-pyodide_2024_0_wasm32.whl",
        "ebb61241d962b98b21597d7ce43b67668a6d5bab3acec4fbe958657320d7cd08",
        "numpy",
        "2.0.2",
    ),
    Part(
        "scipy-1.14.1-cp312-cp312-pyodide_2024_0_wasm32.whl",
        "997c50a61564a8ce6a56ea98a42e7f4427e5eb98475a73233e83df6a184f415c",
        "scipy",
        "1.14.1",
    ),
    Part(
        "openblas-0.3.26.zip",
        "787ea9a8a5cd160204388d03324b3b7ce5c9aea14b5680cec987f837e76c5198",
        "OpenBLAS",
        "0.3.26",
    ),
    Part(
        "threadpoolctl-3.5.0-py3-none-any.whl",
        "c463e5400524d9edd309fc100f362d774207d1e51321b92b258403ee6c3ba49c",
        "threadpoolctl",
        "3.5.0",
    ),
    Part(
        "openpyxl-3.1.5-py2.py3-none-any.whl",
        "5282c12b107bffeef825f4617dc029afaf41d0ea60823bbb665ef3079dc79de2",
        "openpyxl",
        "3.1.5",
    ),
    Part(
        "et_xmlfile-2.0.0-py3-none-any.whl",
        "7a91720bc756843502c3b7504c77b8fe44217c85c537d85037f0f536151b2caa",
        "et_xmlfile",
        "2.0.0",
    ),
)
"""Every part but panelcal itself and the libraries that come with it, which are taken from where it is installed."""


def part_of(work: str) -> Part:
    """Return the one part of a work that has one only."""
    return next(part for part in PARTS if part.of == work)


def verified(folder: Path) -> Mapping[str, bytes]:
    """Read every part from a folder and check it.

    Raises
    ------
    FileProblem
        If one is missing or is not, byte for byte, what it should be.
    """
    found: dict[str, bytes] = {}
    missing: list[str] = []
    for part in PARTS:
        path = folder / part.file
        if not path.is_file():
            missing.append(part.file)
            continue
        content = path.read_bytes()
        if hashlib.sha256(content).hexdigest() != part.sha256:
            raise FileProblem(
                f"{part.file} in the folder {folder} is not the file that the page is to be built of: remove it and "
                "fetch it again."
            )
        found[part.file] = content
    if missing:
        raise FileProblem(
            f"The folder {folder} lacks {', '.join(missing)}: fetch the parts of the page with "
            f'python -m panelcal.page.fetch_parts "{folder}".'
        )
    return found
