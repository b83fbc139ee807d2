"""The files that Python finds in the browser: its standard library, the libraries and panelcal, without what is unused.

What a run never loads stays out: tests, headers, type stubs, and the parts of scipy that nothing here imports.
"""

from __future__ import annotations

import io
import re
import zipfile
from collections.abc import Iterator, Mapping
from importlib.metadata import PackageNotFoundError, distribution
from pathlib import Path

from panelcal.page.parts import PARTS
from panelcal.shipped import templates_folder

SITE = "lib/python3.12/site-packages"
STANDARD = "lib/python3.12"

_UNUSED_SCIPY = "misc|signal|io|cluster|odr|fftpack|datasets"
_LEFT_OUT = re.compile(
    rf"^scipy/({_UNUSED_SCIPY})/|(^|/)(tests?|__pycache__|_examples|f2py/src|testing/tests|distutils|include)/"
    r"|\.(pyi|pxd|pyx|h|c|f90|inc|lib|a|so\.dSYM)$|^numpy/(core/include|random/lib|_core/lib|_pyinstaller|typing/mypy)"
    r"|(^|/)conftest\.py$|^[^/]+\.dist-info/(RECORD|WHEEL|top_level\.txt|entry_points\.txt)$"
)
_UNUSED_STANDARD = re.compile(
    r"^(idlelib|tkinter|turtle|test|lib2to3|ensurepip|pydoc_data|venv|curses|dbm|wsgiref|xmlrpc|turtledemo|distutils)\b"
)
_OWN_LEFT_OUT = re.compile(
    r"^(excel|addin|commands|cli\.py|__main__\.py)|(^|/)__pycache__/"
    r"|^page/(?!(bridge|as_data|sheet_data|table_rows|distinct_points|outcome|size|__init__)\.py)"
)


def site_tree(parts: Mapping[str, bytes]) -> dict[str, bytes]:
    """Return path in the browser's file system -> content, in the order of the paths; sources not yet compiled."""
    tree = {
        f"{STANDARD}/{name}": content
        for name, content in _unpacked(parts["python_stdlib.zip"])
        if not _UNUSED_STANDARD.match(name)
    }
    for part in PARTS:
        if part.file.endswith(".whl"):
            tree |= {f"{SITE}/{name}": content for name, content in _unpacked(parts[part.file])}
    tree |= {f"usr/lib/{name}": content for name, content in _unpacked(parts["openblas-0.3.26.zip"])}
    tree |= {f"{SITE}/{name}": content for name, content in _own()}
    return dict(sorted(tree.items()))


def _unpacked(archive: bytes) -> Iterator[tuple[str, bytes]]:
    with zipfile.ZipFile(io.BytesIO(archive)) as opened:
        for item in opened.infolist():
            if not item.is_dir() and not _LEFT_OUT.search(item.filename):
                yield item.filename, opened.read(item)


def _own() -> Iterator[tuple[str, bytes]]:
    """Yield panelcal itself, as it is installed here, and its templates."""
    root = Path(__file__).parents[1]
    for path in sorted(root.rglob("*")):
        name = path.relative_to(root).as_posix()
        if path.suffix in (".py", ".json", ".txt") and path.is_file() and not _OWN_LEFT_OUT.search(name):
            yield f"panelcal/{name}", path.read_bytes()
    for template in sorted(templates_folder().iterdir(), key=lambda one: one.name):
        if template.name.endswith(".xlsx"):
            yield f"panelcal/workbook_templates/{template.name}", template.read_bytes()


def own_licence() -> str:
    """Return the licence of panelcal."""
    beside = Path(__file__).parents[3] / "LICENSE"
    if beside.is_file():
        return beside.read_text(encoding="utf-8")
    try:
        return distribution("panelcal").read_text("licenses/LICENSE") or ""
    except PackageNotFoundError:
        return ""
