"""The rules of the house: which room may import which."""

import ast
from pathlib import Path

import pytest

import panelcal

ROOT = Path(panelcal.__file__).parent
# Each room may import from itself and from the rooms on lower floors, never from one above or beside it.
FLOORS = (
    {"errors"},
    {"panel", "confidence"},
    {"network"},
    {"calibration", "ordinal", "anchors"},
    {"planning"},
    {"registry"},
    {"reading"},
    {"reporting"},
    {"run"},
    {"files", "excel"},
    {"cli"},
    {"__main__", "__init__"},
)
ONLY_IN = {"openpyxl": {"files"}, "python_calamine": {"files"}, "xlwings": {"excel"}, "typer": {"cli"}}


def _room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def _floor(room: str) -> int:
    return next(k for k, rooms in enumerate(FLOORS) if room in rooms)


def _imports(path: Path) -> list[str]:
    found = []
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found += [
                f"{node.module}.{alias.name}" if node.module == "panelcal" else str(node.module) for alias in node.names
            ]
    return found


MODULES = sorted(ROOT.rglob("*.py"))


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_imports_point_downwards_only(path):
    room = _room(path)
    for name in _imports(path):
        if name.startswith("panelcal."):
            other = name.split(".")[1]
            if other == "__version__":
                continue
            assert other == room or _floor(other) < _floor(room), f"{path} imports {name}"


@pytest.mark.parametrize("path", MODULES, ids=lambda path: str(path.relative_to(ROOT)))
def test_each_spreadsheet_library_stays_in_its_room(path):
    for name in _imports(path):
        library = name.split(".")[0]
        if library in ONLY_IN:
            assert _room(path) in ONLY_IN[library], f"{path} imports {library}"


def test_everything_public_is_listed_and_there():
    assert all(hasattr(panelcal, name) for name in panelcal.__all__)
    assert sorted(panelcal.__all__) == list(panelcal.__all__)


def test_no_file_is_too_long_to_read_in_one_sitting():
    long = {str(path): n for path in MODULES if (n := len(path.read_text(encoding="utf-8").splitlines())) > 450}
    assert not long
