"""Adding one workbook's cell formats to another's, after the ones that are there.

Formats refer to fonts, fills, borders, number formats and named styles by number; the numbers of what is added are
moved up, those of what was there stay.
"""

from __future__ import annotations

import re
import xml.etree.ElementTree as ET
from collections.abc import Callable

from panelcal.files.uniform_xml import serialised
from panelcal.files.xml_edits import Edits, Element, outline, quoteattr
from panelcal.frozen import dataclass

_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_ORDER = (
    "numFmts",
    "fonts",
    "fills",
    "borders",
    "cellStyleXfs",
    "cellXfs",
    "cellStyles",
    "dxfs",
    "tableStyles",
    "colors",
    "extLst",
)
_FIRST_OWN_FORMAT = 164
_FONT_ORDER = "b i strike condense extend outline shadow u vertAlign sz color name family charset scheme".split()


@dataclass(frozen=True, slots=True)
class StyleMap:
    """Where the added formats ended up: what to add to each number other than 0."""

    cell_offset: int = 0
    conditional_offset: int = 0

    def apply(self, sheet: bytes) -> bytes:
        """Renumber the formats that a worksheet part uses."""

        def moved(offset: int) -> Callable[[re.Match[bytes]], bytes]:
            return lambda match: match[1] + str(int(match[2]) + offset).encode() + b'"'

        if self.cell_offset:
            sheet = re.sub(rb'(<c r="[A-Z]+\d+" s=")([1-9]\d*)"', moved(self.cell_offset), sheet)
        if self.conditional_offset:
            sheet = re.sub(rb'(\sdxfId=")(\d+)"', moved(self.conditional_offset), sheet)
        return sheet


def merge_styles(theirs: bytes, ours: bytes) -> tuple[bytes, StyleMap]:
    """Add the formats of the styles part `ours` to the UTF-8 styles part `theirs`.

    A named style that is there already, from an earlier run, is used as it stands, since a name may occur only once.
    """
    root = outline(theirs)
    added = ET.fromstring(ours)
    here = {name: root.find(name) for name in _ORDER}
    count = {name: len(section.children) if section else 0 for name, section in here.items()}
    new: dict[str, list[str]] = {name: [] for name in _ORDER}
    # Inside a part whose elements carry a prefix, a plain name needs the namespace spelled out.
    prefixed = theirs[root.start + 1 : root.inner_start].split(None, 1)[0].find(b":") >= 0
    spelled = f' xmlns="{_MAIN}"' if prefixed else ""

    def section(name: str) -> list[ET.Element]:
        found = added.find(f"{{{_MAIN}}}{name}")
        return [] if found is None else list(found)

    def add(name: str, element: ET.Element) -> int:
        new[name].append(_plain_xml(element, spelled))
        return count[name] + len(new[name]) - 1

    formats = _number_formats(here["numFmts"], section("numFmts"), new["numFmts"], spelled)
    for name in ("fonts", "fills", "borders"):
        for element in section(name):
            add(name, element)

    def renumbered(xf: ET.Element) -> ET.Element:
        for attribute, name in (("fontId", "fonts"), ("fillId", "fills"), ("borderId", "borders")):
            xf.set(attribute, str(int(xf.get(attribute, "0")) + count[name]))
        number_format = int(xf.get("numFmtId", "0"))
        xf.set("numFmtId", str(formats.get(number_format, number_format)))
        return xf

    known = _named_styles(here["cellStyles"])
    style_formats = section("cellStyleXfs")
    place: dict[int, int] = {}
    for style in section("cellStyles"):
        keys = _keys(style.get("builtinId"), style.get("name", ""))
        old = int(style.get("xfId", "0"))
        here_already = next((known[key] for key in keys if key in known), None)
        if here_already is not None:
            place[old] = here_already
        else:
            # Where the default has no name, it is there all the same.
            unnamed = style.get("builtinId") == "0" and count["cellStyleXfs"] > 0
            place[old] = 0 if unnamed else add("cellStyleXfs", renumbered(style_formats[old]))
            style.set("xfId", str(place[old]))
            add("cellStyles", style)
    first = 1 if here["cellXfs"] is not None else 0  # without formats of its own, the workbook gets our default too
    for xf in section("cellXfs")[first:]:
        xf.set("xfId", str(place.get(int(xf.get("xfId", "0")), 0)))
        add("cellXfs", renumbered(xf))
    for element in section("dxfs"):
        add("dxfs", element)

    return _with_added(theirs, root, here, new, spelled), StyleMap(count["cellXfs"] - first, count["dxfs"])


def _with_added(
    theirs: bytes, root: Element, here: dict[str, Element | None], new: dict[str, list[str]], spelled: str
) -> bytes:
    """Put what is added at the end of each section, and sections that are missing where the schema wants them."""
    edits = Edits(theirs)
    last = ""
    for position, name in enumerate(_ORDER):
        xml, existing = "".join(new[name]), here[name]
        if not xml:
            continue
        if existing is not None:
            edits.append(existing, xml, count=len(existing.children) + len(new[name]))
            continue
        section = f'<{name}{spelled} count="{len(new[name])}">{xml}</{name}>'
        later = next((one.start for follower in _ORDER[position + 1 :] if (one := here[follower]) is not None), None)
        if later is None:
            last += section
        else:
            edits.replace(later, later, section)
    edits.append(root, last)
    return edits.result()


def in_schema_order(styles: bytes) -> bytes:
    """Put the parts of each font in the order that the schema asks for and openpyxl does not keep."""
    root = ET.fromstring(styles)
    for font in root.iter(f"{{{_MAIN}}}font"):
        font[:] = sorted(font, key=lambda child: _FONT_ORDER.index(child.tag.rpartition("}")[2]))
    return serialised(root)


def _number_formats(existing: Element | None, ours: list[ET.Element], new: list[str], spelled: str) -> dict[int, int]:
    """Map our number formats to theirs of the same code or to new ones, which are added to `new`."""
    children = existing.children if existing else []
    codes = {child.attributes.get("formatCode", ""): int(child.attributes.get("numFmtId", "0")) for child in children}
    free = max([*codes.values(), _FIRST_OWN_FORMAT - 1]) + 1
    mapped: dict[int, int] = {}
    for element in ours:
        code = element.get("formatCode", "")
        if code not in codes:
            codes[code] = free
            new.append(f'<numFmt{spelled} numFmtId="{free}" formatCode={quoteattr(code)}/>')
            free += 1
        mapped[int(element.get("numFmtId", "0"))] = codes[code]
    return mapped


def _named_styles(styles: Element | None) -> dict[str, int]:
    known: dict[str, int] = {}
    for style in styles.children if styles else ():
        number = int(style.attributes.get("xfId", "0"))
        for key in _keys(style.attributes.get("builtinId"), style.attributes.get("name", "")):
            known.setdefault(key, number)
    return known


def _keys(builtin: str | None, name: str) -> tuple[str, ...]:
    """By what a named style is known: the number of one that every program has, and its name in any case."""
    return (f"builtin {builtin}", f"named {name.casefold()}") if builtin is not None else (f"named {name.casefold()}",)


def _plain_xml(element: ET.Element, spelled: str) -> str:
    """Serialise an element of the main namespace without prefixes."""
    for node in element.iter():
        node.tag = node.tag.rpartition("}")[2]
    xml = ET.tostring(element, encoding="unicode")
    return re.sub(r"^<(\w+)", rf"<\1{spelled}", xml, count=1) if spelled else xml
