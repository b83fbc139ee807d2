"""How big the house is: files, lines, long functions and what else is to shrink, room by room: `python house.py`.

Figures of the day on which the rooms were to become fewer stand beside, with the goals.
"""

from __future__ import annotations

import ast
import re
import sys
from collections import Counter
from collections.abc import Iterable, Mapping
from pathlib import Path

ROOT = Path(__file__).parents[2]
HOUSE = ROOT / "src" / "panelcal"
LONGEST_BODY, SMALLEST_FILE = 60, 40
BEFORE = {
    "files": 373,
    "lines": 50_661,
    "Column calls": 303,
    "files under 40 lines": 34,
    "import circles": 1,
    "functions over 60 lines": 13,
}
THEN = {
    "calibration": (33, 5_518),
    "ordinal": (12, 2_204),
    "anchors": (18, 2_088),
    "planning": (7, 766),
    "reading": (52, 8_335),
    "reporting, systems": (76, 9_373),
    "files, templates": (37, 6_126),
    "excel": (36, 4_580),
    "cli, commands": (1, 416),
    "registry, methods": (1, 408),
    "run": (1, 338),
    "panel": (1, 287),
    "network": (1, 261),
    "__init__": (1, 85),
    "errors": (1, 64),
    "confidence": (1, 55),
    "__main__": (1, 5),
}
"""Files and lines of the rooms that there were at c6dbd67, under what they are called now."""
JOINED = ("reading/exports", "reading/plausibility", "systems/continuing")
"""Folders of these rooms that joined them later."""
GOALS = {"files": 298, "lines": 40_500, "functions over 60 lines": 0, "import circles": 0}


def room_of(path: Path) -> str:
    """Name of the folder or file right under the package that a file belongs to; a system is a room of its own."""
    parts = path.relative_to(HOUSE).parts
    return "/".join(parts[:2]) if parts[0] == "systems" and len(parts) > 2 else parts[0].removesuffix(".py")


def room_then(path: Path) -> str:
    """Name of the room of `THEN` that a file belongs to, or of the one that has joined since."""
    parts = path.relative_to(HOUSE).parts
    folder = "/".join(parts[:2])
    if folder in JOINED:
        return folder
    top = room_of(path).split("/")[0]
    return next((name for name in THEN if top in name.split(", ")), room_of(path))


def print_then_and_now(lines: Mapping[Path, int]) -> None:
    """Print the rooms that there were when the house was to become smaller, then and now, and those joined since."""
    now: dict[str, list[int]] = {name: [] for name in THEN}
    for path, count in lines.items():
        now.setdefault(room_then(path), []).append(count)
    print(f"\n{'there at c6dbd67':26}{'files':>8}{'now':>8}{'lines':>8}{'now':>8}{'':>8}")
    for name, (files, count) in THEN.items():
        print(f"{name:26}{files:8}{len(now[name]):8}{count:8,}{sum(now[name]):8,}{sum(now[name]) / count - 1:+8.0%}")
    files, count = (sum(figures) for figures in zip(*THEN.values(), strict=True))
    kept = [one for name in THEN for one in now[name]]
    print(f"{'all of them':26}{files:8}{len(kept):8}{count:8,}{sum(kept):8,}{sum(kept) / count - 1:+8.0%}")
    print(f"\n{'joined since':26}{'':>8}{'files':>8}{'':>8}{'lines':>8}")
    for name, found in sorted(now.items(), key=lambda item: -sum(item[1])):
        if name not in THEN:
            print(f"{name:26}{'':8}{len(found):8}{'':8}{sum(found):8,}")


def body_lines(function: ast.FunctionDef) -> int:
    """Lines from the first statement after the docstring to the last one."""
    body = function.body[1:] if ast.get_docstring(function) is not None else function.body
    return 0 if not body else (function.end_lineno or 0) - body[0].lineno + 1


def module_of(path: Path) -> str:
    """Dotted name of a file of the package, in the source or as installed."""
    parts = path.with_suffix("").parts
    parts = parts[len(parts) - parts[::-1].index("panelcal") - 1 :]
    return ".".join(parts[:-1] if parts[-1] == "__init__" else parts)


def imports_of(tree: ast.Module, modules: Iterable[str]) -> set[str]:
    """Modules of the package that a file imports, those for type hints only included."""
    known, found = set(modules), set()
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module:
            names = [node.module, *(f"{node.module}.{alias.name}" for alias in node.names)]
            found |= {name for name in names if name in known and name != "panelcal"}
        elif isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names if alias.name in known}
    return found


def circles(imports: Mapping[str, set[str]]) -> list[list[str]]:
    """Groups of modules that import one another in a loop (strongly connected ones, by Tarjan's algorithm)."""
    order: dict[str, int] = {}
    lowest: dict[str, int] = {}
    open_modules: list[str] = []
    found = []

    def visit(module: str) -> None:
        order[module] = lowest[module] = len(order)
        open_modules.append(module)
        for other in sorted(imports.get(module, ())):
            if other not in order:
                visit(other)
            if other in open_modules:
                lowest[module] = min(lowest[module], lowest[other])
        if lowest[module] == order[module]:
            at = open_modules.index(module)
            group = open_modules[at:]
            del open_modules[at:]
            if len(group) > 1:
                found.append(sorted(group))

    for module in sorted(imports):
        if module not in order:
            visit(module)
    return found


def main() -> None:
    """Print the figures, and name what is beyond its bounds."""
    sys.setrecursionlimit(10_000)
    paths = sorted(HOUSE.rglob("*.py"))
    texts = {path: path.read_text("utf-8") for path in paths}
    trees = {path: ast.parse(text) for path, text in texts.items()}
    modules = {module_of(path): path for path in paths}
    lines = {path: text.count("\n") for path, text in texts.items()}
    long = sorted(
        (
            (body_lines(node), f"{path.relative_to(HOUSE)}: {node.name}")
            for path, tree in trees.items()
            for node in ast.walk(tree)
            if isinstance(node, ast.FunctionDef) and body_lines(node) > LONGEST_BODY
        ),
        reverse=True,
    )
    rooms: dict[str, Counter[str]] = {}
    for path in paths:
        room = rooms.setdefault(room_of(path), Counter())
        room["files"] += 1
        room["lines"] += lines[path]
        room["small"] += lines[path] < SMALLEST_FILE and path.name != "__init__.py"
        room["columns"] += len(re.findall(r"\bColumn\(", texts[path]))
    looped = circles({name: imports_of(trees[path], modules) for name, path in modules.items()})
    settings = (ROOT / "pyproject.toml").read_text("utf-8")
    ignored = re.search(r"^ignore = \[(.*?)\]", settings, re.MULTILINE | re.DOTALL)
    rules = re.findall(r'"(\w+)"', ignored[1]) if ignored else []
    figures = {
        "files": len(paths),
        "lines": sum(lines.values()),
        "functions over 60 lines": len(long),
        "import circles": len(looped),
        "files under 40 lines": sum(room["small"] for room in rooms.values()),
        "Column calls": sum(room["columns"] for room in rooms.values()),
        "lint rules off": len(rules),
        "noqa and type: ignore": sum(len(re.findall(r"# (?:noqa|type: ignore)", text)) for text in texts.values()),
    }
    print(f"{'':26}{'now':>8}{'before':>8}{'goal':>8}")
    for name, figure in figures.items():
        print(f"{name:26}{figure:8,}{BEFORE.get(name, ''):>8}{GOALS.get(name, ''):>8}")
    print(f"\n{'room':26}{'files':>8}{'lines':>8}{'small':>8}{'columns':>8}")
    for name, room in sorted(rooms.items(), key=lambda item: -item[1]["lines"]):
        print(f"{name:26}{room['files']:8}{room['lines']:8,}{room['small']:8}{room['columns']:8}")
    print_then_and_now(lines)
    print("\nLint rules off:", ", ".join(rules))
    print("\nFunctions over 60 lines of body:", *(f"{count:5} {where}" for count, where in long), sep="\n")
    print("\nCircles:", *looped, sep="\n")


if __name__ == "__main__":
    main()
