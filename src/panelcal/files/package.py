"""Workbook packages: the parts of an .xlsx as a mapping, read and written so that equal parts give equal bytes."""

from __future__ import annotations

import io
import posixpath
import re
import zipfile
from pathlib import Path
from xml.parsers import expat

from panelcal.files.xml_edits import Element, outline

Parts = dict[str, bytes]

CONTENT_TYPES = "[Content_Types].xml"
ROOT_RELATIONS = "_rels/.rels"
_STAMP = (1980, 1, 1, 0, 0, 0)


def read_parts(path: Path) -> Parts:
    """Read all parts of a package in the order in which they are stored.

    Raises
    ------
    OSError, zipfile.BadZipFile
        If there is no such file or it is no package.
    """
    with zipfile.ZipFile(path) as archive:
        return {item.filename: archive.read(item) for item in archive.infolist() if not item.is_dir()}


def package_bytes(parts: Parts) -> bytes:
    """Pack parts, the list of content types first, without the time or the machine of the packing."""
    names = sorted(parts, key=lambda name: (name != CONTENT_TYPES, name != ROOT_RELATIONS))
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name in names:
            entry = zipfile.ZipInfo(name, _STAMP)
            entry.compress_type = zipfile.ZIP_DEFLATED
            entry.create_system = 0  # else the operating system would show in the bytes
            entry.external_attr = 0
            archive.writestr(entry, parts[name])
    return buffer.getvalue()


def utf8(part: bytes) -> bytes:
    """Return an XML part as UTF-8 without byte order mark, whatever it was stored as."""
    if part.startswith(b"\xef\xbb\xbf"):
        return part[3:]
    if part.startswith((b"\xff\xfe", b"\xfe\xff")):
        text = part.decode("utf-16")
    else:
        declared = re.match(rb"<\?xml[^>]*?encoding=[\"']([A-Za-z0-9._-]+)[\"']", part)
        encoding = declared[1].decode("ascii").lower() if declared else "utf-8"
        if encoding in ("utf-8", "utf8", "us-ascii"):
            return part
        text = part.decode(encoding)
    return re.sub(r"^(<\?xml[^>]*?encoding=[\"'])[^\"']*", r"\1UTF-8", text, count=1).encode()


def relations_name(part: str) -> str:
    """Name of the part that lists the relations of `part`."""
    folder, name = posixpath.split(part)
    return posixpath.join(folder, "_rels", name + ".rels")


def relations(parts: Parts, part: str) -> dict[str, tuple[str, str]]:
    """Relations of a part inside the package: identifier -> (kind, name of the part it leads to).

    The kind is the last word of the relation's type, such as "worksheet"; relations to places outside are left out.
    """
    name = ROOT_RELATIONS if not part else relations_name(part)
    if name not in parts:
        return {}
    found = {}
    for element in outline(utf8(parts[name])).children:
        if element.attributes.get("TargetMode") != "External":
            kind = element.attributes.get("Type", "").rpartition("/")[2]
            target = posixpath.normpath(posixpath.join(posixpath.dirname(part), element.attributes.get("Target", "")))
            found[element.attributes.get("Id", "")] = (kind, target.lstrip("/"))
    return found


def workbook_part(parts: Parts) -> str:
    """Name of the workbook part.

    Raises
    ------
    KeyError
        If the package holds none.
    """
    try:
        for kind, target in relations(parts, "").values():
            if kind == "officeDocument" and target in parts:
                return target
    except (expat.ExpatError, IndexError):
        pass
    raise KeyError("officeDocument")


def related_part(parts: Parts, part: str, kind: str) -> str | None:
    """Name of the first part of that kind that `part` leads to, or None."""
    return next((target for found, target in relations(parts, part).values() if found == kind), None)


def workbook_outline(parts: Parts) -> Element:
    """Outline of the workbook part, which must be UTF-8 already for byte positions to hold."""
    return outline(parts[workbook_part(parts)])


def sheet_elements(parts: Parts) -> list[Element]:
    """Return the ``sheet`` elements of the workbook, in the order of the tabs."""
    sheets = outline(utf8(parts[workbook_part(parts)])).find("sheets")
    return list(sheets.all("sheet")) if sheets else []
