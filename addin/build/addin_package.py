"""The parts of an .xlam file around the VBA: workbook, a sheet of settings, ribbon, pictures, and their relations.

The same parts give the same bytes, whoever packs them and when.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping
from xml.sax.saxutils import escape

CODE_NAMES = ("ThisWorkbook", "Sheet1")

_DOCUMENT = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
_PACKAGE = "http://schemas.openxmlformats.org/package/2006"
_MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
_MICROSOFT = "http://schemas.microsoft.com/office"
_HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
_STAMP = (1980, 1, 1, 0, 0, 0)

_SHEET, _RIBBON, _VBA = "xl/worksheets/sheet1.xml", "customUI/customUI14.xml", "xl/vbaProject.bin"
_SPREADSHEET = "application/vnd.openxmlformats-officedocument.spreadsheetml"
_TYPES = {
    "xl/workbook.xml": "application/vnd.ms-excel.addin.macroEnabled.main+xml",
    _SHEET: f"{_SPREADSHEET}.worksheet+xml",
    "xl/styles.xml": f"{_SPREADSHEET}.styles+xml",
    _VBA: "application/vnd.ms-office.vbaProject",
    "docProps/core.xml": "application/vnd.openxmlformats-package.core-properties+xml",
    "docProps/app.xml": "application/vnd.openxmlformats-officedocument.extended-properties+xml",
}


def addin_bytes(
    settings: Mapping[str, str], *, project: str, vba: bytes, ribbon: str, icons: Mapping[str, bytes], about: str
) -> bytes:
    """Return the .xlam file.

    Parameters
    ----------
    settings
        What the only sheet says, in two columns: the versions, for whoever looks.
    project
        The name of the add-in; the sheet is called `project`.conf.
    vba
        The content of vbaProject.bin, whose documents have the names `CODE_NAMES`.
    ribbon
        The customUI text; its images are names of `icons`.
    icons
        Pictures as .png files.
    about
        One line for File > Info and for the list of add-ins.
    """
    parts: dict[str, str | bytes] = {
        "[Content_Types].xml": _content_types(),
        "_rels/.rels": _relations(
            ("rId1", f"{_DOCUMENT}/officeDocument", "xl/workbook.xml"),
            ("rId2", f"{_PACKAGE}/relationships/metadata/core-properties", "docProps/core.xml"),
            ("rId3", f"{_DOCUMENT}/extended-properties", "docProps/app.xml"),
            ("rId4", f"{_MICROSOFT}/2007/relationships/ui/extensibility", _RIBBON),
        ),
        "xl/workbook.xml": _workbook(f"{project}.conf"),
        "xl/_rels/workbook.xml.rels": _relations(
            ("rId1", f"{_DOCUMENT}/worksheet", "worksheets/sheet1.xml"),
            ("rId2", f"{_DOCUMENT}/styles", "styles.xml"),
            ("rId3", f"{_MICROSOFT}/2006/relationships/vbaProject", "vbaProject.bin"),
        ),
        _SHEET: _sheet(settings),
        "xl/styles.xml": _styles(),
        _VBA: vba,
        _RIBBON: ribbon,
        "customUI/_rels/customUI14.xml.rels": _relations(
            *((name, f"{_DOCUMENT}/image", f"images/{name}.png") for name in sorted(icons))
        ),
        **{f"customUI/images/{name}.png": icons[name] for name in sorted(icons)},
        "docProps/core.xml": _core(about),
        "docProps/app.xml": _HEAD + f'<Properties xmlns="{_DOCUMENT.replace("relationships", "extended-properties")}">'
        "<Application>Microsoft Excel</Application><AppVersion>16.0300</AppVersion></Properties>",
    }
    return _packed(parts)


def _packed(parts: Mapping[str, str | bytes]) -> bytes:
    buffer = io.BytesIO()
    with zipfile.ZipFile(buffer, "w") as archive:
        for name, content in parts.items():
            entry = zipfile.ZipInfo(name, _STAMP)
            entry.compress_type = zipfile.ZIP_STORED  # what deflating gives depends on the version of zlib
            entry.create_system = 0  # else the operating system would show in the bytes
            archive.writestr(entry, content if isinstance(content, bytes) else content.encode())
    return buffer.getvalue()


def _content_types() -> str:
    defaults = {
        "rels": "application/vnd.openxmlformats-package.relationships+xml",
        "xml": "application/xml",
        "png": "image/png",
    }
    return (
        _HEAD
        + f'<Types xmlns="{_PACKAGE}/content-types">'
        + "".join(f'<Default Extension="{end}" ContentType="{kind}"/>' for end, kind in defaults.items())
        + "".join(f'<Override PartName="/{part}" ContentType="{kind}"/>' for part, kind in _TYPES.items())
        + "</Types>"
    )


def _relations(*items: tuple[str, str, str]) -> str:
    lines = (f'<Relationship Id="{name}" Type="{kind}" Target="{target}"/>' for name, kind, target in items)
    return f'{_HEAD}<Relationships xmlns="{_PACKAGE}/relationships">{"".join(lines)}</Relationships>'


def _workbook(sheet: str) -> str:
    return (
        f'{_HEAD}<workbook xmlns="{_MAIN}" xmlns:r="{_DOCUMENT}">'
        '<fileVersion appName="xl" lastEdited="7" lowestEdited="7" rupBuild="28112"/>'
        f'<workbookPr codeName="{CODE_NAMES[0]}"/>'
        '<bookViews><workbookView xWindow="0" yWindow="0" windowWidth="22260" windowHeight="12645"/></bookViews>'
        f'<sheets><sheet name="{escape(sheet)}" sheetId="1" r:id="rId1"/></sheets><calcPr calcId="191029"/></workbook>'
    )


def _sheet(settings: Mapping[str, str]) -> str:
    def cell(address: str, text: str) -> str:
        return f'<c r="{address}" t="inlineStr"><is><t>{escape(text)}</t></is></c>'

    rows = (
        f'<row r="{k}">{cell(f"A{k}", key)}{cell(f"B{k}", value)}</row>'
        for k, (key, value) in enumerate(settings.items(), 1)
    )
    return (
        f'{_HEAD}<worksheet xmlns="{_MAIN}" xmlns:r="{_DOCUMENT}"><sheetPr codeName="{CODE_NAMES[1]}"/>'
        f'<dimension ref="A1:B{len(settings)}"/><sheetViews><sheetView workbookViewId="0"/></sheetViews>'
        f'<sheetFormatPr defaultRowHeight="15"/><sheetData>{"".join(rows)}</sheetData>'
        '<pageMargins left="0.7" right="0.7" top="0.75" bottom="0.75" header="0.3" footer="0.3"/></worksheet>'
    )


def _styles() -> str:
    """Return the least that Excel accepts."""
    return (
        f'{_HEAD}<styleSheet xmlns="{_MAIN}">'
        '<fonts count="1"><font><sz val="11"/><name val="Calibri"/><family val="2"/></font></fonts>'
        '<fills count="2"><fill><patternFill patternType="none"/></fill>'
        '<fill><patternFill patternType="gray125"/></fill></fills>'
        '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>'
        '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>'
        '<cellXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/></cellXfs>'
        '<cellStyles count="1"><cellStyle name="Normal" xfId="0" builtinId="0"/></cellStyles></styleSheet>'
    )


def _core(about: str) -> str:
    return (
        f'{_HEAD}<cp:coreProperties xmlns:cp="{_PACKAGE}/metadata/core-properties" '
        'xmlns:dc="http://purl.org/dc/elements/1.1/" xmlns:dcterms="http://purl.org/dc/terms/" '
        'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">'
        f"<dc:title>Calibrate</dc:title><dc:description>{escape(about)}</dc:description>"
        '<dcterms:created xsi:type="dcterms:W3CDTF">2026-01-01T00:00:00Z</dcterms:created></cp:coreProperties>'
    )
