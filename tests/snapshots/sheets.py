"""What stands in a workbook, as data that a reader can compare line by line, straight from the parts of the file.

Left out: the points that charts keep a copy of (they stand in the cells), and the boxes of comments.
"""

from __future__ import annotations

import posixpath
import re
import zipfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree
from xml.etree.ElementTree import Element

from openpyxl.styles.numbers import BUILTIN_FORMATS
from openpyxl.utils import get_column_letter
from openpyxl.utils.cell import coordinate_from_string

Mask = Callable[[str], str]
_RELATION = "{http://schemas.openxmlformats.org/officeDocument/2006/relationships}"
# Shown with the cells they belong to, or with the drawing; or of no account.
_ELSEWHERE = ("sheetData", "hyperlinks", "legacyDrawing", "drawing", "dimension", "tableParts")
_COPIES = ("numCache", "strCache")
_SIGNIFICANT = 12


@dataclass(frozen=True, slots=True)
class SheetContents:
    """One sheet.

    Attributes
    ----------
    rows
        Number of the row -> letters of the column -> value, a pair of formula and value, or None for a styled blank;
        "A link" and "A comment" hold what hangs on the cell in A, "row" how high it is.
    styles
        Place of a cell -> what it looks like.
    layout
        Everything else on the sheet: widths, panes, print settings, conditional formats, checks of what is typed.
    drawings
        Charts and where they stand.
    """

    rows: dict[int, dict[str, Any]]
    styles: dict[str, str]
    layout: list[str]
    drawings: list[str]


def workbook_contents(path: Path, mask: Mask) -> tuple[list[str], dict[str, SheetContents]]:
    """Return what is said of the workbook as a whole, and its sheets by name."""
    with zipfile.ZipFile(path) as archive:
        package = _Package(archive)
        book = package.read("xl/workbook.xml")
        looks = _Looks(package.read("xl/styles.xml"))
        targets = package.targets("xl/workbook.xml")
        names = {sheet.get("name", ""): targets[sheet.get(f"{_RELATION}id", "")] for sheet in _all(book, "sheet")}
        shared = [_text_of(entry) for entry in _all(package.read_or_nothing("xl/sharedStrings.xml"), "si")]
        about = [mask(line) for part in ("xl/workbook.xml", "docProps/core.xml") for line in _flat(package.read(part))]
        sheets = {name: _sheet(package, part, looks, shared, mask) for name, part in names.items()}
    return [re.sub(r" id=\S+", "", line) for line in about], sheets


class _Package:
    """The parts of a workbook."""

    def __init__(self, archive: zipfile.ZipFile) -> None:
        self._archive = archive
        self._names = frozenset(archive.namelist())

    def read(self, part: str) -> Element:
        return ElementTree.fromstring(self._archive.read(part))

    def read_or_nothing(self, part: str) -> Element:
        return self.read(part) if part in self._names else Element("nothing")

    def targets(self, part: str) -> dict[str, str]:
        """Identifier of a relation of a part -> the part it leads to, or the address outside."""
        folder, name = posixpath.split(part)
        relations = self.read_or_nothing(f"{folder}/_rels/{name}.rels")
        return {
            entry.get("Id", ""): entry.get("Target", "")
            if entry.get("TargetMode") == "External"
            else posixpath.normpath(posixpath.join("/", folder, entry.get("Target", "")))[1:]
            for entry in relations
        }


class _Looks:
    """The style table: what each style and each conditional format looks like."""

    def __init__(self, table: Element) -> None:
        self._formats = {int(entry.get("numFmtId", 0)): entry.get("formatCode", "") for entry in _all(table, "numFmt")}
        self._parts = {kind: _children(table, kind) for kind in ("fonts", "fills", "borders", "cellStyleXfs")}
        self._named = {entry.get("xfId"): entry.get("name", "") for entry in _all(table, "cellStyle")}
        self.cells = [self._look(entry) for entry in _children(table, "cellXfs")]
        self.conditional = ["; ".join(_flat(entry)) for entry in _children(table, "dxfs")]

    def _look(self, style: Element) -> str:
        number = int(style.get("numFmtId", 0))
        code = self._formats.get(number, BUILTIN_FORMATS.get(number, ""))
        fill = self._parts["fills"][int(style.get("fillId", 0))]
        parts = [
            self._named.get(style.get("xfId"), ""),
            code,
            _font(self._parts["fonts"][int(style.get("fontId", 0))]),
            " ".join(["fill", *(_colour(entry) for entry in _all(fill, "fgColor"))]) if _all(fill, "fgColor") else "",
            _border(self._parts["borders"][int(style.get("borderId", 0))]),
            *(" ".join(_attributes(entry)) for entry in style),
        ]
        return "; ".join(part for part in parts if part not in ("", "General", "Normal"))


def _font(font: Element) -> str:
    found = {_name(entry): entry for entry in font}
    words = [found[kind].get("val", "") for kind in ("name", "sz") if kind in found]
    words += [kind for kind in ("b", "i", "u", "strike") if kind in found and found[kind].get("val", "1") != "0"]
    return " ".join([*words, *(_colour(found[kind]) for kind in ("color",) if kind in found)])


def _border(border: Element) -> str:
    drawn = [
        f"{_name(side)} {side.get('style')} {' '.join(map(_colour, side))}" for side in border if side.get("style")
    ]
    return f"border {', '.join(drawn)}" if drawn else ""


def _colour(colour: Element) -> str:
    return colour.get("rgb", "")[-6:] or " ".join(_attributes(colour))


def _sheet(package: _Package, part: str, looks: _Looks, shared: list[str], mask: Mask) -> SheetContents:
    root, targets = package.read(part), package.targets(part)
    rows: dict[int, dict[str, Any]] = {}
    styles: dict[str, str] = {}
    for row in _all(root, "row"):
        cells = rows.setdefault(int(row.get("r", 0)), {})
        about = " ".join(_attributes(row, without=("r", "spans", "s", "customFormat")))
        if about:
            cells["row"] = about
        for cell in row:
            letters, _ = coordinate_from_string(cell.get("r", ""))
            cells[letters] = _value(cell, shared, mask)
            styles[cell.get("r", "")] = looks.cells[int(cell.get("s", 0))]
    for link in _all(root, "hyperlink"):
        letters, number = coordinate_from_string(link.get("ref", "").split(":")[0])
        address = link.get("location") or targets[link.get(f"{_RELATION}id", "")]
        rows.setdefault(number, {})[f"{letters} link"] = mask(address)
    for target in targets.values():
        if "/comments/" in target or target.startswith("xl/comments"):
            for comment in _all(package.read(target), "comment"):
                letters, number = coordinate_from_string(comment.get("ref", ""))
                rows.setdefault(number, {})[f"{letters} comment"] = mask(_text_of(comment))
    layout = [mask(_with_look(line, looks)) for line in _flat(root, without=_ELSEWHERE)]
    drawings = [
        mask(line)
        for target in targets.values()
        if "/drawing" in target and target.endswith(".xml")
        for line in _drawing(package, target)
    ]
    tables = [line for target in targets.values() if "/tables/" in target for line in _flat(package.read(target))]
    return SheetContents({number: rows[number] for number in sorted(rows)}, styles, layout + tables, drawings)


def _value(cell: Element, shared: list[str], mask: Mask) -> Any:
    kind, formula, value = cell.get("t", "n"), None, None
    for entry in cell:
        if _name(entry) == "f":
            formula = " ".join(["=" + (entry.text or ""), *_attributes(entry)])
        elif _name(entry) == "is":
            value = mask(_text_of(entry))
        elif entry.text is not None:
            value = _typed(kind, entry.text, shared, mask)
    return value if formula is None else [mask(formula), value]


def _typed(kind: str, text: str, shared: list[str], mask: Mask) -> Any:
    if kind == "s":
        return mask(shared[int(text)])
    if kind == "n":
        return rounded(float(text))
    if kind == "b":
        return text == "1"
    return mask(text)


def rounded(number: float) -> float | int:
    """A number to the digits that are kept; whole ones as whole numbers."""
    short = float(f"{number:.{_SIGNIFICANT}g}")
    return int(short) if short.is_integer() and abs(short) < 10**_SIGNIFICANT else short


def _drawing(package: _Package, part: str) -> Iterator[str]:
    targets = package.targets(part)
    for anchor in package.read(part):
        yield f"{_name(anchor)}"
        yield from (f"  {line}" for line in _flat(anchor) if " id=" not in line or "name=" in line)
        for chart in _all(anchor, "chart"):
            yield from (
                f"  {line}" for line in _flat(package.read(targets[chart.get(f"{_RELATION}id", "")]), without=_COPIES)
            )


def _flat(element: Element, *, without: tuple[str, ...] = (), path: str = "") -> Iterator[str]:
    """One line for each element that says something: where it stands, its attributes, its text."""
    for child in element:
        name = _name(child)
        if name in without:
            continue
        where = f"{path}/{name}" if path else name
        said = [where, *_attributes(child)]
        text = (child.text or "").strip()
        if text:
            said.append(f": {text}")
        if len(said) > 1:
            yield " ".join(said)
        yield from _flat(child, without=without, path=where)


def _with_look(line: str, looks: _Looks) -> str:
    return re.sub(r"dxfId=(\d+)", lambda found: f"[{looks.conditional[int(found[1])]}]", line)


def _attributes(element: Element, without: tuple[str, ...] = ()) -> list[str]:
    return [
        f"{key.rsplit('}', 1)[-1]}={value}"
        for key, value in sorted(element.items())
        if key not in without and not key.startswith(_RELATION)
    ]


def _name(element: Element) -> str:
    return element.tag.rsplit("}", 1)[-1]


def _all(element: Element, name: str) -> list[Element]:
    return [entry for entry in element.iter() if _name(entry) == name]


def _children(element: Element, name: str) -> list[Element]:
    return [child for entry in _all(element, name)[:1] for child in entry]


def _text_of(element: Element) -> str:
    return "".join(entry.text or "" for entry in _all(element, "t"))


def ranges(places: Mapping[tuple[int, int], Any]) -> str:
    """Cells (row, column) in as few ranges as a reader needs: down the columns, then side by side."""
    columns: dict[int, list[tuple[int, int]]] = {}
    for row, column in sorted(places):
        runs = columns.setdefault(column, [])
        if runs and runs[-1][1] == row - 1:
            runs[-1] = (runs[-1][0], row)
        else:
            runs.append((row, row))
    blocks: dict[tuple[int, int], list[list[int]]] = {}
    for column, runs in sorted(columns.items()):
        for run in runs:
            known = blocks.setdefault(run, [])
            if known and known[-1][1] == column - 1:
                known[-1][1] = column
            else:
                known.append([column, column])
    return " ".join(
        _range(first, top, last, bottom) for (top, bottom), parts in sorted(blocks.items()) for first, last in parts
    )


def _range(first: int, top: int, last: int, bottom: int) -> str:
    start, end = f"{get_column_letter(first)}{top}", f"{get_column_letter(last)}{bottom}"
    return start if start == end else f"{start}:{end}"
