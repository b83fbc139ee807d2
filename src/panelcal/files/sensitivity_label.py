"""The sensitivity label that an organisation has put on a workbook, carried to what is made from it.

Office keeps it in two places: a part of its own (docMetadata/LabelInfo.xml, MS-OFFCRYPTO 2.6) and, in files of earlier
versions, custom document properties whose names begin with MSIP_Label (docProps/custom.xml).
"""

from __future__ import annotations

import zipfile
from xml.parsers import expat

from panelcal.files.in_memory import File
from panelcal.files.package import CONTENT_TYPES, ROOT_RELATIONS, Parts, read_parts, utf8
from panelcal.files.xml_edits import Edits, outline, quoteattr

_INFO = "docMetadata/LabelInfo.xml"
_INFO_KIND = "http://schemas.microsoft.com/office/2020/02/relationships/classificationlabels"
_CUSTOM = "docProps/custom.xml"
_CUSTOM_KIND = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/custom-properties"
_CUSTOM_TYPE = "application/vnd.openxmlformats-officedocument.custom-properties+xml"
_PROPERTIES = "http://schemas.openxmlformats.org/officeDocument/2006/custom-properties"
_TYPES = "http://schemas.openxmlformats.org/officeDocument/2006/docPropsVTypes"
_LABEL = "MSIP_Label"


def add_label(parts: Parts, labelled: File) -> None:
    """Give a new workbook the sensitivity label of another, if that has one.

    Parameters
    ----------
    parts
        The new workbook, which has no custom properties yet; changed.
    labelled
        The workbook whose label it takes. Anything else has no label.
    """
    try:
        theirs = read_parts(labelled)
        info = theirs[_INFO] if _INFO in theirs else None
        custom = _label_properties(theirs[_CUSTOM]) if _CUSTOM in theirs else None
    except (OSError, zipfile.BadZipFile, expat.ExpatError, ValueError):
        return
    if info is not None:
        _add_part(parts, _INFO, info, _INFO_KIND, "application/xml")
    if custom is not None:
        _add_part(parts, _CUSTOM, custom, _CUSTOM_KIND, _CUSTOM_TYPE)


def _label_properties(custom: bytes) -> bytes | None:
    """Custom properties with those of the label only, None where there are none."""
    part = utf8(custom)
    found = [
        (element.attributes["name"], b"".join(part[inner.inner_start : inner.inner_end] for inner in element.children))
        for element in outline(part).children
        if element.attributes.get("name", "").startswith(_LABEL)
    ]
    if not found:
        return None
    xml = "".join(
        f'<property fmtid="{{D5CDD505-2E9C-101B-9397-08002B2CF9AE}}" pid="{number}" name={quoteattr(name)}>'
        f"<vt:lpwstr>{value.decode()}</vt:lpwstr></property>"
        for number, (name, value) in enumerate(found, 2)
    )
    return f'<Properties xmlns="{_PROPERTIES}" xmlns:vt="{_TYPES}">{xml}</Properties>'.encode()


def _add_part(parts: Parts, name: str, content: bytes, kind: str, content_type: str) -> None:
    parts[name] = content
    relations = utf8(parts[ROOT_RELATIONS])
    root = outline(relations)
    number = len(root.children) + 1
    edits = Edits(relations)
    edits.append(root, f'<Relationship Id="rIdLabel{number}" Type="{kind}" Target="{name}"/>')
    parts[ROOT_RELATIONS] = edits.result()
    types = utf8(parts[CONTENT_TYPES])
    edits = Edits(types)
    edits.append(outline(types), f'<Override PartName="/{name}" ContentType="{content_type}"/>')
    parts[CONTENT_TYPES] = edits.result()
