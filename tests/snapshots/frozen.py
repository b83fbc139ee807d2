"""The snapshots on disk: a folder for each workbook, a file for each sheet, a line for each row."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping
from pathlib import Path
from typing import Any

from openpyxl.utils.cell import coordinate_to_tuple, range_boundaries

from snapshots.sheets import SheetContents, ranges

FOLDER = Path(__file__).parent / "frozen"
MONTE_CARLO = Path(__file__).parent / "monte_carlo.json"
_BOOK = "workbook.json"


def write(subject: str, about: Iterable[str], sheets: Mapping[str, SheetContents]) -> None:
    """Freeze a workbook in place of what was frozen of it before; a sheet frozen elsewhere already is not repeated."""
    folder = FOLDER / subject
    folder.mkdir(parents=True, exist_ok=True)
    kept = {}
    for name, sheet in sheets.items():
        text = _sheet_text(sheet)
        kept[name] = _holder(subject, name, text)
        if kept[name] == subject:
            (folder / f"{name}.json").write_text(text, encoding="utf-8")
    for old in folder.iterdir():
        if kept.get(old.stem) != subject:
            old.unlink()
    (folder / _BOOK).write_text(_text({"sheets": kept, "about": list(about)}), encoding="utf-8")


def read(subject: str) -> tuple[list[str], dict[str, SheetContents]]:
    """Return what is frozen of a workbook; nothing where nothing is."""
    folder = FOLDER / subject
    if not folder.is_dir():
        return [], {}
    book = json.loads((folder / _BOOK).read_text(encoding="utf-8"))
    return book["about"], {name: _sheet_of(FOLDER / kept / f"{name}.json") for name, kept in book["sheets"].items()}


def _holder(subject: str, sheet: str, text: str) -> str:
    """The workbook in whose folder a sheet is kept: another's where it has the very same, as copies of templates do."""
    for path in sorted(FOLDER.glob(f"*/{sheet}.json")):
        if path.parent.name < subject and path.read_text(encoding="utf-8") == text:
            return path.parent.name
    return subject


def subjects() -> set[str]:
    """What is frozen."""
    return {path.name for path in FOLDER.iterdir()} if FOLDER.is_dir() else set()


def _sheet_text(sheet: SheetContents) -> str:
    looks: dict[str, dict[tuple[int, int], None]] = {}
    for place, look in sheet.styles.items():
        looks.setdefault(look, {})[coordinate_to_tuple(place)] = None
    return _text(
        {
            "layout": sheet.layout,
            "drawings": sheet.drawings,
            "styles": {look: ranges(places) for look, places in sorted(looks.items())},
            "rows": {str(number): cells for number, cells in sheet.rows.items()},
        }
    )


def _sheet_of(path: Path) -> SheetContents:
    data = json.loads(path.read_text(encoding="utf-8"))
    return SheetContents(
        {int(number): cells for number, cells in data["rows"].items()},
        {place: look for look, blocks in data["styles"].items() for place in _places(blocks)},
        data["layout"],
        data["drawings"],
    )


def _places(blocks: str) -> Iterator[str]:
    for block in blocks.split():
        left, top, right, bottom = range_boundaries(block)
        for row in range(top, bottom + 1):
            for column in range(left, right + 1):
                yield _place(row, column)


def _place(row: int, column: int) -> str:
    letters = ""
    while column:
        column, rest = divmod(column - 1, 26)
        letters = chr(65 + rest) + letters
    return f"{letters}{row}"


def _text(data: Mapping[str, Any]) -> str:
    """JSON with a line for each entry of the lists and tables at the top."""
    parts = []
    for key, value in data.items():
        if isinstance(value, dict):
            lines = [f"  {_json(name)}: {_json(entry)}" for name, entry in value.items()]
            parts.append(f"{_json(key)}: {{\n" + ",\n".join(lines) + "\n }")
        else:
            parts.append(f"{_json(key)}: [\n" + ",\n".join(f"  {_json(entry)}" for entry in value) + "\n ]")
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False)
