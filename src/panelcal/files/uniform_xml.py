"""One way of spelling XML, so that a part's bytes do not depend on which XML library happens to be installed.

openpyxl writes through lxml where that is there, and puts prefixes and namespaces elsewhere than without it.
"""

from __future__ import annotations

import xml.etree.ElementTree as ET
from functools import cache, lru_cache

from panelcal.files.xml_edits import escape

_PREFIXES = {
    "http://www.w3.org/XML/1998/namespace": "xml",
    "http://www.w3.org/2001/XMLSchema-instance": "xsi",
    "http://purl.org/dc/elements/1.1/": "dc",
    "http://purl.org/dc/terms/": "dcterms",
    "http://schemas.openxmlformats.org/package/2006/metadata/core-properties": "cp",
    "http://schemas.openxmlformats.org/officeDocument/2006/relationships": "r",
    "http://schemas.openxmlformats.org/drawingml/2006/main": "a",
    "http://schemas.openxmlformats.org/drawingml/2006/chart": "c",
    "urn:schemas-microsoft-com:vml": "v",
    "urn:schemas-microsoft-com:office:office": "o",
    "urn:schemas-microsoft-com:office:excel": "x",
}
# Parts of the properties carry a prefix by custom; a value such as "dcterms:W3CDTF" refers to it.
_ALWAYS_PREFIXED = frozenset({"http://schemas.openxmlformats.org/package/2006/metadata/core-properties"})
_IN_ATTRIBUTES = str.maketrans({'"': "&quot;", "\n": "&#10;", "\r": "&#13;", "\t": "&#9;"})


def uniform(part: bytes) -> bytes:
    """Spell a part anew: the root's namespace without prefix, all others declared at the root with their usual one."""
    return serialised(ET.fromstring(part))


def serialised(root: ET.Element) -> bytes:
    """Serialise a tree in the one way of this module."""
    home = _namespace(root.tag)
    default = "" if home in _ALWAYS_PREFIXED else home
    used: dict[str, str] = {}
    for element in root.iter():
        for name in (element.tag, *element.keys()):
            namespace = _namespace(name)
            if namespace and namespace not in used and (namespace != default or name is not element.tag):
                used[namespace] = _PREFIXES.get(namespace) or f"n{len(used)}"
    pieces = ['<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n']
    declared = f' xmlns="{default}"' if default else ""
    declared += "".join(f' xmlns:{prefix}="{uri}"' for uri, prefix in used.items() if prefix != "xml")

    @cache
    def spell_attribute(name: str) -> str:
        namespace, local = _namespace(name), name.rpartition("}")[2]
        return f"{used[namespace]}:{local}" if namespace else local

    @cache
    def spell_tag(name: str) -> str:
        return name.rpartition("}")[2] if _namespace(name) == default else spell_attribute(name)

    def write(element: ET.Element, more: str = "") -> None:
        tag = spell_tag(element.tag)
        start = f"<{tag}{more}"
        for key, value in element.items():
            start += f' {spell_attribute(key)}="{escape(value).translate(_IN_ATTRIBUTES)}"'
        if element.text or len(element):
            pieces.append(f"{start}>{escape(element.text or '')}")
            for child in element:
                write(child)
                if child.tail:
                    pieces.append(escape(child.tail))
            pieces.append(f"</{tag}>")
        else:
            pieces.append(f"{start}/>")

    write(root, declared)
    return "".join(pieces).encode()


@lru_cache(maxsize=1024)
def _namespace(name: str) -> str:
    return name[1:].partition("}")[0] if name.startswith("{") else ""
