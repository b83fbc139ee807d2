"""Putting finished result sheets into a copy of the user's workbook without touching what is there.

The parts of the user's package are copied as they are. Only four are edited, at single places: the list of content
types, the workbook part and its relations (new sheets, names), and the styles (new formats after the old ones).
openpyxl is not used for this, since what it does not know (charts, pictures, pivot tables, controls, stored values) it
drops.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from zipfile import BadZipFile

from panelcal.errors import FileProblem
from panelcal.files.in_memory import File
from panelcal.files.merge_styles import StyleMap, merge_styles
from panelcal.files.ownership import defined_names
from panelcal.files.package import (
    CONTENT_TYPES,
    UNREADABLE,
    Parts,
    StoredParts,
    damaged_part,
    read_parts,
    related_part,
    relations,
    relations_name,
    sheet_elements,
    utf8,
    workbook_part,
)
from panelcal.files.rows import SheetRows
from panelcal.files.xml_edits import Edits, Element, outline, quoteattr
from panelcal.reporting.looks import BaseFont
from panelcal.reporting.names import MARK

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PLAIN_BOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"
_KIND_OF_RELATIONS = "application/vnd.openxmlformats-package.relationships+xml"
_TEMPLATE_BOOK = "application/vnd.openxmlformats-officedocument.spreadsheetml.template.main+xml"

# What cannot live on in an .xlsx with more sheets in it: pattern of the part's name -> how we call it.
_LOST = {
    r"vbaProject.*\.bin$": "macros",
    r"macrosheets/": "macro sheets",
    r"^_xmlsignatures/": "the digital signature",
    r"(^|/)revisions/": "the change history of a shared workbook",
    r"workbook\.bin$": "the binary format (.xlsb)",
}
# Parts of the results that a copy has of its own.
_NOT_TAKEN = re.compile(r"^(\[Content_Types\]\.xml|_rels/|docProps/|xl/(workbook|styles)\.xml|xl/_rels/|xl/theme/)")


def carries_whole(path: File) -> tuple[str, ...]:
    """Name what a copy of this workbook with result sheets in it would lose; empty when it loses nothing.

    Raises
    ------
    FileProblem
        If the file cannot be opened.
    """
    if not isinstance(path, Path):
        return _what_is_lost(path)
    try:
        now = path.stat()
    except OSError as error:
        raise FileProblem(f"{path.name} cannot be opened.") from error
    return _lost_from(path.resolve(), now.st_mtime_ns, now.st_size, now.st_ino)


@lru_cache(maxsize=1)
def _lost_from(path: Path, *state: int) -> tuple[str, ...]:
    """As `carries_whole`, of a file in this state: it is asked before a calibration and again when that is written."""
    return _what_is_lost(path)


def _what_is_lost(path: File) -> tuple[str, ...]:
    try:
        parts = read_parts(path)
    except OSError as error:
        raise FileProblem(f"{path.name} cannot be opened.") from error
    except BadZipFile:
        return ("its format: only .xlsx workbooks can be copied",)
    damaged = damaged_part(parts)
    if damaged is not None:
        return (f"the file is damaged, in its part {damaged}",)
    lost = [words for pattern, words in _LOST.items() if any(re.search(pattern, name) for name in parts)]
    if lost:
        return tuple(lost)
    try:
        book = workbook_part(parts)
        root = outline(utf8(parts[book]))
        outline(utf8(parts[CONTENT_TYPES]))
        outline(utf8(parts[relations_name(book)]))
        base_font(parts)
        sheets = sheet_elements(parts)
    except UNREADABLE:
        return ("an unusual structure of the file",)
    if root.namespace != _MAIN:
        return ("the strict variant of the .xlsx format",)
    return () if sheets else ("an unusual structure of the file",)


def carry_notes(parts: Parts) -> tuple[str, ...]:
    """Sentences about the copy that its owner should know, though nothing is lost."""
    protection = outline(utf8(parts[workbook_part(parts)])).find("workbookProtection")
    if protection is not None and protection.attributes.get("lockStructure") in ("1", "true"):
        return ("The workbook's structure is protected, so the result sheets can be removed only after lifting that.",)
    return ()


def base_font(parts: Parts) -> BaseFont:
    """Return the default font of a workbook: the first one in its styles."""
    name = related_part(parts, workbook_part(parts), "styles")
    fonts = outline(utf8(parts[name]), depth=4).find("fonts") if name is not None and name in parts else None
    first = fonts.find("font") if fonts else None
    if first is None:
        return BaseFont()
    found = {child.name: child.attributes.get("val", "") for child in first.children}
    try:
        return BaseFont(
            name=found.get("name") or "Calibri",
            size=float(found.get("sz") or 11.0),
            scheme=found.get("scheme") or None,
            family=int(found.get("family") or 2),
        )
    except ValueError:
        return BaseFont()


def add_sheets(
    carried: StoredParts, results: Parts, rows: Mapping[str, SheetRows], created: str
) -> tuple[Parts, dict[str, SheetRows]]:
    """Put the sheets of `results` behind those of `carried`, the first of them in front when the file is opened.

    Parameters
    ----------
    carried
        The user's workbook.
    results
        A workbook of result sheets only, as `panelcal.files.write.result_parts` makes it.
    rows
        The rows that go into its worksheet parts.
    created
        Date and time of the run, for the document's properties.

    Returns
    -------
    parts, rows
        The parts of the copy, and the rows that go into its new worksheet parts.

    Raises
    ------
    FileProblem
        If a sheet of that name is there already.
    """
    parts = carried.copy()
    book = workbook_part(parts)
    for name in (book, CONTENT_TYPES, relations_name(book)):
        parts[name] = utf8(parts[name])
    styles = _add_styles(parts, book, results)
    renamed = _new_names(parts, results)
    for old, new in renamed.items():
        parts[new] = results[old]
        if relations_name(old) in results:
            parts[relations_name(new)] = _redirected(results[relations_name(old)], renamed)

    result_book = workbook_part(results)
    targets = {key: target for key, (_, target) in relations(results, result_book).items()}
    new_sheets = [
        (element.attributes["name"], renamed[targets[element.attributes["id"]]]) for element in sheet_elements(results)
    ]
    _unselect_sheets(parts, book)
    _forget_calculation_order(parts, book)
    identifiers = _add_relations(parts, book, [target for _, target in new_sheets])
    _edit_workbook(parts, book, results, [name for name, _ in new_sheets], identifiers)
    _add_content_types(parts, book, results, renamed)
    _stamp(parts, created)
    return parts, {renamed[old]: sheet.renumbered(styles) for old, sheet in rows.items()}


def _spelled(part: bytes, root: Element, namespace: str) -> str:
    """Namespace declaration that an added element needs where the part's own elements carry a prefix."""
    tag = part[root.start + 1 : root.inner_start].split(None, 1)[0]
    return f' xmlns="{namespace}"' if b":" in tag else ""


def _add_styles(parts: Parts, book: str, results: Parts) -> StyleMap:
    ours = results["xl/styles.xml"]
    name = related_part(parts, book, "styles")
    if name is None or name not in parts:
        raise FileProblem("The workbook has no styles; save it once in a spreadsheet program, then try again.")
    parts[name], styles = merge_styles(utf8(parts[name]), ours)
    return styles


def _new_names(parts: Parts, results: Parts) -> dict[str, str]:
    """Give each part that is taken over a name that is free."""
    taken = {name.casefold() for name in parts}
    renamed: dict[str, str] = {}
    for old in results:
        if _NOT_TAKEN.match(old) or "/_rels/" in old:
            continue
        match = re.match(r"(.*?)(\d+)(\.\w+)$", old)
        if match is None:
            raise ValueError(old)
        number = int(match[2])
        while (new := f"{match[1]}{number}{match[3]}").casefold() in taken:
            number += 1
        taken.add(new.casefold())
        renamed[old] = new
    return renamed


def _redirected(part: bytes, renamed: dict[str, str]) -> bytes:
    def moved(match: re.Match[bytes]) -> bytes:
        target = match[1].decode()
        return b'Target="/' + renamed.get(target, target).encode() + b'"'

    return re.sub(rb'Target="/([^"]+)"', moved, part)


def _unselect_sheets(parts: Parts, book: str) -> None:
    """Leave none of the user's sheets selected: several selected sheets would all take what is typed into one."""
    for kind, target in relations(parts, book).values():
        if kind in ("worksheet", "chartsheet", "dialogsheet") and target in parts:
            part = parts[target]
            end = part.find(b"sheetData")
            head, rest = (part, b"") if end < 0 else (part[:end], part[end:])
            if b"tabSelected" in head:
                parts[target] = re.sub(rb"\stabSelected\s*=\s*[\"'](1|true)[\"']", b"", head) + rest


def _forget_calculation_order(parts: Parts, book: str) -> None:
    """Drop the stored order of calculation, which does not know the new formulas; it is made anew on opening."""
    name = related_part(parts, book, "calcChain")
    if name is None:
        return
    parts.pop(name, None)
    for part, attribute in ((relations_name(book), "Type"), (CONTENT_TYPES, "PartName")):
        edits = Edits(parts[part])
        for element in outline(parts[part]).children:
            if element.attributes.get(attribute, "").endswith("/calcChain" if attribute == "Type" else f"/{name}"):
                edits.remove(element)
        parts[part] = edits.result()


def _add_relations(parts: Parts, book: str, targets: list[str]) -> list[str]:
    name = relations_name(book)
    root = outline(parts[name])
    taken = {element.attributes.get("Id") for element in root.children}
    spelled = _spelled(parts[name], root, root.namespace)
    identifiers: list[str] = []
    xml = ""
    number = 0
    for target in targets:
        number += 1
        while f"rIdCal{number}" in taken:
            number += 1
        identifiers.append(f"rIdCal{number}")
        xml += f'<Relationship{spelled} Id="rIdCal{number}" Type="{_RELATION}/worksheet" Target="/{target}"/>'
    edits = Edits(parts[name])
    edits.append(root, xml)
    parts[name] = edits.result()
    return identifiers


def _edit_workbook(parts: Parts, book: str, results: Parts, names: list[str], identifiers: list[str]) -> None:
    part = parts[book]
    root = outline(part)
    sheets = root.find("sheets")
    assert sheets is not None
    spelled = _spelled(part, root, _MAIN)
    existing = list(sheets.all("sheet"))
    taken = {element.attributes.get("name", "").casefold() for element in existing}
    for name in names:
        if name.casefold() in taken:
            raise FileProblem(f"The workbook has a sheet named {name} already: rename that sheet and run again.")
    first_id = max(int(element.attributes.get("sheetId", "0")) for element in existing) + 1
    edits = Edits(part)
    edits.append(
        sheets,
        "".join(
            f'<sheet{spelled} name={quoteattr(name)} sheetId="{first_id + place}" '
            f'xmlns:r="{_RELATION}" r:id="{identifier}"/>'
            for place, (name, identifier) in enumerate(zip(names, identifiers, strict=True))
        ),
    )
    views = root.find("bookViews")
    if views is None:
        view = f'<bookViews{spelled}><workbookView activeTab="{len(existing)}"/></bookViews>'
        edits.replace(sheets.start, sheets.start, view)
    else:
        for element in views.all("workbookView"):
            edits.set_attribute(element, "activeTab", str(len(existing)))

    new_names = _renumbered_names(results, set(defined_names(parts)), len(existing), spelled)
    defined = root.find("definedNames")
    if defined is not None:
        edits.append(defined, new_names)
    else:
        before = [root.find("externalReferences"), root.find("functionGroups"), sheets]
        after = next(element for element in before if element is not None)
        edits.replace(after.end, after.end, f"<definedNames{spelled}>{new_names}</definedNames>")
    parts[book] = edits.result()


def _renumbered_names(results: Parts, taken: set[str], sheets_before: int, spelled: str) -> str:
    part = results[workbook_part(results)]
    root = outline(part)
    defined = root.find("definedNames")
    number = 0
    xml = ""
    for element in defined.all("definedName") if defined else ():
        attributes = dict(element.attributes)
        if "localSheetId" in attributes:
            attributes["localSheetId"] = str(int(attributes["localSheetId"]) + sheets_before)
        elif attributes["name"].startswith(MARK):
            number += 1
            while f"{MARK}{number}" in taken:
                number += 1
            attributes["name"] = f"{MARK}{number}"
        words = "".join(f" {key}={quoteattr(value)}" for key, value in attributes.items())
        xml += f"<definedName{spelled}{words}>{part[element.inner_start : element.inner_end].decode()}</definedName>"
    return xml


def _add_content_types(parts: Parts, book: str, results: Parts, renamed: dict[str, str]) -> None:
    part = parts[CONTENT_TYPES]
    root = outline(part)
    listed = outline(results[CONTENT_TYPES])
    kinds = {
        element.attributes["PartName"].lstrip("/"): element.attributes["ContentType"]
        for element in listed.all("Override")
    }
    defaults = {element.attributes["Extension"]: element.attributes["ContentType"] for element in listed.all("Default")}
    spelled = _spelled(part, root, root.namespace)
    edits = Edits(part)
    edits.append(
        root,
        "".join(
            f'<Override{spelled} PartName="/{new}" ContentType="{kinds.get(old) or defaults[old.rpartition(".")[2]]}"/>'
            for old, new in renamed.items()
        )
        + _kind_of_relations(root, spelled),
    )
    for element in root.all("Override"):
        if element.attributes.get("PartName") == f"/{book}" and element.attributes.get("ContentType") == _TEMPLATE_BOOK:
            edits.set_attribute(element, "ContentType", _PLAIN_BOOK)
    parts[CONTENT_TYPES] = edits.result()


def _kind_of_relations(root: Element, spelled: str) -> str:
    """Give all lists of relations their type where the workbook, as LibreOffice did, names it for each of its own."""
    if any(element.attributes.get("Extension", "").casefold() == "rels" for element in root.all("Default")):
        return ""
    return f'<Default{spelled} Extension="rels" ContentType="{_KIND_OF_RELATIONS}"/>'


def _stamp(parts: Parts, created: str) -> None:
    """Set the date of the last change to the date of the run; everything else about the document stays its owner's."""
    name = related_part(parts, "", "core-properties")
    if name is not None and name in parts:
        pattern = rb"(<(?:\w+:)?modified\b[^>]*>)[^<]*"
        parts[name] = re.sub(pattern, lambda match: match[1] + created.encode() + b"Z", utf8(parts[name]), count=1)
