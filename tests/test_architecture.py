"""The rules of the house: which room may import which."""

import ast
import functools
import re
from collections.abc import Iterator
from pathlib import Path

import panelcal
from benchmarks import house

ROOT = Path(panelcal.__file__).parent
# Each room may import from itself and from the rooms on lower floors, never from one above or beside it.
FLOORS = (
    {"arrays", "frozen", "version"},
    {"errors", "interruption", "one_thread", "shown"},
    {"frame_columns"},
    {"panel", "confidence", "ranks_of_numbers", "shipped", "spanning_forest", "tails"},
    {"network", "panel_size"},
    {"calibration", "ordinal"},
    {"planning", "facets", "anchors"},
    {"methods"},
    {"registry"},
    {"notebook"},
    {"reading"},
    {"reporting"},
    {"systems"},
    {"run", "templates"},
    {"each_criterion"},
    {"files", "excel"},
    {"page", "large"},
    {"office"},  # computes cells as Excel's functions do, and asks the questions of the page
    {"commands"},
    {"cli"},
    {"__main__", "__init__"},
)
ONLY_IN = {"openpyxl": {"files"}, "python_calamine": {"files"}, "xlwings": {"excel"}, "typer": {"cli", "commands"}}


@functools.cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text(encoding="utf-8"))


def _room(path: Path) -> str:
    return path.relative_to(ROOT).parts[0].removesuffix(".py")


def _floor(room: str) -> int:
    return next(k for k, rooms in enumerate(FLOORS) if room in rooms)


def _statements(block: ast.AST) -> Iterator[ast.AST]:
    """Every statement, however deep; the expressions within them, which are most of a tree, import nothing."""
    for name in ("body", "orelse", "finalbody", "handlers", "cases"):
        for statement in getattr(block, name, ()):
            yield statement
            yield from _statements(statement)


def _imports(path: Path) -> list[str]:
    found = []
    for node in _statements(_tree(path)):
        if isinstance(node, ast.Import):
            found += [alias.name for alias in node.names]
        if isinstance(node, ast.ImportFrom):
            assert node.level == 0, f"{path} imports relatively"
            found += [
                f"{node.module}.{alias.name}" if node.module == "panelcal" else str(node.module) for alias in node.names
            ]
    return found


@functools.cache
def _all_imports() -> list[tuple[Path, str]]:
    return [(path, name) for path in sorted(ROOT.rglob("*.py")) for name in _imports(path)]


def _may_import(room: str, name: str) -> bool:
    other = name.split(".")[1]
    return other == room or _floor(other) < _floor(room)


def test_imports_point_downwards_only():
    upwards = [
        f"{path} imports {name}"
        for path, name in _all_imports()
        if name.startswith("panelcal.") and not _may_import(_room(path), name)
    ]
    assert not upwards


def test_each_spreadsheet_library_stays_in_its_room():
    strayed = [
        f"{path} imports {name}"
        for path, name in _all_imports()
        if _room(path) not in ONLY_IN.get(name.split(".")[0], {_room(path)})
    ]
    assert not strayed


def test_everything_public_is_listed_and_there():
    assert all(hasattr(panelcal, name) for name in panelcal.__all__)
    assert sorted(panelcal.__all__) == list(panelcal.__all__)


def test_no_file_is_too_long_to_read_in_one_sitting():
    long = {
        str(path): n
        for path in sorted(ROOT.rglob("*.py"))
        if (n := len(path.read_text(encoding="utf-8").splitlines())) > 450
    }
    assert not long


def test_what_reports_knows_no_system_and_computes_nothing():
    numeric = {"calibration", "ordinal", "anchors", "planning", "facets", "methods", "registry"}
    strayed = [
        f"{path} imports {name}"
        for path, name in _all_imports()
        if _room(path) == "reporting" and name.startswith("panelcal.") and name.split(".")[1] in numeric
    ]
    assert not strayed


def test_a_system_takes_nothing_from_another():
    """What two systems share stands in reporting; a system may be taken away, or a fifth added, without the others."""
    strayed = [
        f"{path} imports {name}"
        for path, name in _all_imports()
        if path.is_relative_to(ROOT / "systems")
        and len(path.relative_to(ROOT).parts) > 2
        and (found := re.match(r"panelcal\.systems\.(calibration|anchors|ratings|planning)\b", name))
        and found[1] != path.relative_to(ROOT).parts[1]
    ]
    assert not strayed


def test_no_module_imports_itself_by_way_of_others():
    """For type hints only included: what two modules need of each other belongs into one, or into a third."""
    paths = {house.module_of(path): path for path in ROOT.rglob("*.py")}
    trees = {name: _tree(path) for name, path in paths.items()}
    assert not house.circles({name: house.imports_of(tree, paths) for name, tree in trees.items()})


def test_no_function_is_too_long_to_read_at_once():
    long = [
        f"{path}: {node.name}"
        for path in ROOT.rglob("*.py")
        for node in ast.walk(_tree(path))
        if isinstance(node, ast.FunctionDef) and house.body_lines(node) > house.LONGEST_BODY
    ]
    assert not long
