"""What every workbook package must satisfy, checked on the bytes."""

from __future__ import annotations

import posixpath
import re
import warnings
import zipfile
from collections.abc import Mapping
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree as ET

from openpyxl import Workbook, load_workbook

Trees = Mapping[str, ET.Element]
MAIN = "{http://schemas.openxmlformats.org/spreadsheetml/2006/main}"


_STYLES_ORDER = "numFmts fonts fills borders cellStyleXfs cellXfs cellStyles dxfs tableStyles colors extLst".split()
_SHEET_ORDER = (
    "sheetPr dimension sheetViews sheetFormatPr cols sheetData sheetCalcPr sheetProtection protectedRanges scenarios "
    "autoFilter sortState dataConsolidate customSheetViews mergeCells phoneticPr conditionalFormatting dataValidations "
    "hyperlinks printOptions pageMargins pageSetup headerFooter rowBreaks colBreaks customProperties cellWatches "
    "ignoredErrors smartTags drawing legacyDrawing legacyDrawingHF drawingHF picture oleObjects controls "
    "webPublishItems tableParts extLst"
).split()
_SHEET_PLACE = {name: place for place, name in enumerate(_SHEET_ORDER)}


def read_back(path: Path, *, data_only: bool = False) -> Workbook:
    """Load a workbook with openpyxl, which complains about the extension that signed data bars need."""
    with warnings.catch_warnings():
        warnings.filterwarnings("ignore", ".*extension is not supported")
        warnings.filterwarnings("ignore", "Workbook contains no default style")
        return load_workbook(path, data_only=data_only)


def parts_of(path: Path) -> dict[str, bytes]:
    with zipfile.ZipFile(path) as archive:
        names = archive.namelist()
        assert len({name.casefold() for name in names}) == len(names), "a part is there twice"
        return {name: archive.read(name) for name in names}  # which compares each part with its check sum


def check_package(path: Path) -> dict[str, bytes]:
    """Well-formed parts, no duplicate, every relation leads somewhere, every part has a type, all names are legal."""
    parts = parts_of(path)
    trees = {name: ET.fromstring(data) for name, data in parts.items() if name.endswith((".xml", ".rels", ".vml"))}
    _check_relations(parts, trees)
    _check_content_types(parts, trees)
    _check_workbook(trees)
    _check_formats(parts, trees)
    _check_worksheets(parts, trees)
    return parts


def _check_relations(parts: dict[str, bytes], trees: Trees) -> None:
    for name in parts:
        if not name.endswith(".rels"):
            continue
        folder, file = posixpath.split(name)
        owner = posixpath.join(posixpath.dirname(folder), file.removesuffix(".rels"))
        assert file == ".rels" or owner in parts, f"{name} belongs to nothing"
        identifiers = []
        for relation in trees[name]:
            identifiers.append(relation.get("Id"))
            if relation.get("TargetMode") != "External":
                target = posixpath.normpath(posixpath.join(posixpath.dirname(owner), relation.get("Target", "")))
                assert target.lstrip("/") in parts, f"{name} leads to {target}, which is not there"
        assert len(set(identifiers)) == len(identifiers)
        if owner in parts:
            used = set(re.findall(rb'\br:(?:id|embed|link|pict)="([^"]+)"', parts[owner]))
            assert {item.decode() for item in used} <= set(identifiers), f"{owner} uses a relation that is not there"


def _check_content_types(parts: dict[str, bytes], trees: Trees) -> None:
    listed = list(trees["[Content_Types].xml"])
    overrides = [item.get("PartName", "").lstrip("/") for item in listed if item.tag.endswith("Override")]
    assert len(set(overrides)) == len(overrides)
    assert set(overrides) <= set(parts), "a type is given for a part that is not there"
    extensions = {item.get("Extension", "").lower() for item in listed if item.tag.endswith("Default")}
    for name in parts:
        assert name == "[Content_Types].xml" or name in overrides or name.rpartition(".")[2].lower() in extensions, name


def _check_workbook(trees: Trees) -> None:
    root = trees["xl/workbook.xml"]
    sheets = root.find(f"{MAIN}sheets")
    assert sheets is not None
    names = [sheet.get("name", "") for sheet in sheets]
    assert len({name.casefold() for name in names}) == len(names)
    assert all(0 < len(name) <= 31 and not re.search(r"[\[\]:*?/\\]", name) for name in names)
    identifiers = [sheet.get("sheetId") for sheet in sheets]
    assert len(set(identifiers)) == len(identifiers)
    defined = root.find(f"{MAIN}definedNames")
    keys = []
    for name in defined if defined is not None else ():
        text = name.get("name", "")
        assert re.fullmatch(r"[A-Za-z_\\][\w.\\]*", text)
        assert not re.fullmatch(r"(?i)[a-z]{1,3}\d+|r\d*c\d*|r|c", text), f"{text} could be a cell"
        local = name.get("localSheetId")
        assert local is None or int(local) < len(names)
        keys.append((text.casefold(), local))
    assert len(set(keys)) == len(keys)
    tags = [child.tag.rpartition("}")[2] for child in root]
    order = "fileVersion workbookPr workbookProtection bookViews sheets externalReferences definedNames calcPr".split()
    known = [tag for tag in tags if tag in order]
    assert known == sorted(known, key=order.index)


def _check_worksheets(parts: dict[str, bytes], trees: Trees) -> None:
    """The parts of a sheet in the schema's order, rows and cells in theirs, every shared text one that exists."""
    shared = len(trees["xl/sharedStrings.xml"]) if "xl/sharedStrings.xml" in parts else 0
    for part, data in parts.items():
        if not re.fullmatch(r"xl/worksheets/sheet\d+\.xml", part):
            continue
        tags = [child.tag.removeprefix(MAIN) for child in trees[part]]
        places = [_SHEET_PLACE[tag] for tag in tags if tag in _SHEET_PLACE]
        assert places == sorted(places), f"{part}: parts out of order"
        rows = [int(number) for number in re.findall(rb'<(?:x:)?row [^>]*?\br="(\d+)"', data)]
        assert all(one < other for one, other in pairwise(rows)), f"{part}: rows out of order"
        cells = re.findall(rb'<(?:x:)?c r="([A-Z]+)(\d+)"', data)
        keys = [(int(row), len(letters), letters) for letters, row in cells]
        assert all(one < other for one, other in pairwise(keys)), f"{part}: cells out of order"
        used = re.findall(rb't="s"[^>]*><(?:x:)?v>(\d+)<', data)
        assert all(int(number) < shared for number in used), f"{part}: a text that is not there"
        for element in trees[part].iter():
            if element.tag.rpartition("}")[2] in ("f", "formula", "formula1", "formula2") and element.text:
                plain = re.sub(r"\"[^\"]*\"|'[^']*'", "", element.text)
                assert not re.search(r"\b[a-z][a-z0-9]*\(", plain), f"{part}: no spreadsheet reads {element.text}"


def _check_formats(parts: dict[str, bytes], trees: Trees) -> None:
    """Every number by which formats refer to each other, and cells to formats, is one that exists."""
    styles = trees["xl/styles.xml"]
    count = {section.tag.removeprefix(MAIN): len(section) for section in styles}
    for section in styles:
        assert section.get("count") in (None, str(len(section))), section.tag
    formats = styles.find(f"{MAIN}numFmts")
    codes = {item.get("numFmtId") for item in formats} if formats is not None else set()
    assert formats is None or len(codes) == len(formats)
    for name in ("cellStyleXfs", "cellXfs"):
        for xf in styles.iterfind(f"{MAIN}{name}/*"):
            assert int(xf.get("fontId", "0")) < count["fonts"]
            assert int(xf.get("fillId", "0")) < count["fills"]
            assert int(xf.get("borderId", "0")) < count["borders"]
            assert int(xf.get("xfId", "0")) < count["cellStyleXfs"]
            assert int(xf.get("numFmtId", "0")) < 164 or xf.get("numFmtId") in codes
    tags = [section.tag.removeprefix(MAIN) for section in styles]
    assert tags == sorted(tags, key=_STYLES_ORDER.index), "parts of the styles out of order"
    named = list(styles.iterfind(f"{MAIN}cellStyles/*"))
    names = [item.get("name", "").casefold() for item in named]
    assert len(set(names)) == len(names), "two named styles of one name"
    builtin = [(item.get("builtinId"), item.get("iLevel")) for item in named if item.get("builtinId") is not None]
    assert len(set(builtin)) == len(builtin), "two styles of one number"
    assert all(int(item.get("xfId", "0")) < count["cellStyleXfs"] for item in named)
    for part, data in parts.items():
        if part.startswith("xl/worksheets/sheet"):
            used = {int(number) for number in re.findall(rb'<(?:x:)?c [^>]*?\bs="(\d+)"', data)}
            assert all(number < count["cellXfs"] for number in used), part
            rules = {int(number) for number in re.findall(rb'dxfId="(\d+)"', data)}
            assert all(number < count.get("dxfs", 0) for number in rules), part
