"""Conditional formats of result sheets, and the rest of a sheet's XML that openpyxl has no words for."""

from __future__ import annotations

import uuid

from openpyxl.formatting.rule import Rule
from openpyxl.worksheet.worksheet import Worksheet

from panelcal.files.styles import alert_format, calm_format
from panelcal.files.xml_edits import quoteattr
from panelcal.frozen import dataclass
from panelcal.reading.grid import address, block_address
from panelcal.reporting.layout import whole_block
from panelcal.reporting.looks import BAR_COLOUR, NEGATIVE_BAR_COLOUR, bar_end
from panelcal.reporting.model import CellRange, Column, Highlight, Sheet

# Excel stops opening a sheet cleanly at this many hyperlinks.
MOST_LINKS = 65_000
_X14 = "http://schemas.microsoft.com/office/spreadsheetml/2009/9/main"
_XM = "http://schemas.microsoft.com/office/excel/2006/main"


@dataclass(frozen=True, slots=True)
class SheetExtras:
    """Pieces of sheet XML by the place they belong to: data bars and links, ignored warnings, extensions."""

    after_formats: str
    ignored_errors: str
    extensions: str


def add_alerts(worksheet: Worksheet, sheet: Sheet) -> None:
    """Register the conditional formats other than data bars."""
    for table in sheet.tables:
        if not table.n_rows:
            continue
        for number, column in enumerate(table.columns, table.column):
            if column.highlight is not None and column.highlight.kind != "data bar":
                block = block_address(table.row + 1, number, table.last_row, number)
                _add_alert(worksheet, block, address(table.row + 1, number), column.highlight)
    for note in sheet.notes:
        if note.highlight is not None and note.highlight.kind != "data bar":
            cell = address(note.row, note.column)
            _add_alert(worksheet, cell, cell, note.highlight, of_note=note.style == "good")


def _add_alert(worksheet: Worksheet, block: str, first: str, highlight: Highlight, *, of_note: bool = False) -> None:
    # numpy spells its own numbers in a way that no spreadsheet reads.
    limit = highlight.limit if isinstance(highlight.limit, int) else float(highlight.limit)
    if highlight.kind == "beyond":
        condition = f"AND(ISNUMBER({first}),ABS({first})>={limit!r})"
    elif highlight.kind == "below":
        condition = f"AND(ISNUMBER({first}),{first}<{limit!r})"
    else:
        text = highlight.starts.replace('"', '""')
        condition = f'LEFT({first},{len(highlight.starts)})="{text}"'
    look = calm_format() if highlight.calm else alert_format(of_note=of_note)
    worksheet.conditional_formatting.add(block, Rule(type="expression", dxf=look, formula=[condition]))


def extras(sheet: Sheet, seed: str) -> SheetExtras:
    """Render data bars, links inside the workbook and the marks against needless green triangles.

    Parameters
    ----------
    sheet
        The sheet.
    seed
        Makes the identifiers that tie a data bar to its extension; the same seed gives the same bytes.
    """
    bars: list[str] = []
    extended: list[str] = []
    for table in sheet.tables:
        for number, column in enumerate(table.columns, table.column):
            if table.n_rows and column.highlight is not None and column.highlight.kind == "data bar":
                block = CellRange(table.row + 1, number, table.last_row, number)
                identifier = uuid.uuid5(uuid.NAMESPACE_OID, f"{seed}/{sheet.name}/{len(bars)}")
                plain, extension = _data_bar(column, block, str(identifier).upper(), priority=1000 + len(bars))
                bars.append(plain)
                extended.append(extension)
    return SheetExtras(
        after_formats="".join(bars) + _hyperlinks(sheet),
        ignored_errors=_ignored_errors(sheet),
        extensions=_extension_list(extended),
    )


def _data_bar(column: Column, block: CellRange, identifier: str, priority: int) -> tuple[str, str]:
    """Bars to the left and right of a middle line, equally long for equal sizes; and their plain ancestor."""
    end = bar_end(column)
    where = block.absolute.replace("$", "")
    plain = (
        f'<conditionalFormatting sqref="{where}"><cfRule type="dataBar" priority="{priority}"><dataBar>'
        f'<cfvo type="num" val="{-end!r}"/><cfvo type="num" val="{end!r}"/><color rgb="FF{BAR_COLOUR}"/></dataBar>'
        f'<extLst><ext xmlns:x14="{_X14}" uri="{{B025F937-C7B1-47D3-B67F-A62EFF666E3E}}">'
        f"<x14:id>{{{identifier}}}</x14:id></ext></extLst></cfRule></conditionalFormatting>"
    )
    extension = (
        f'<x14:conditionalFormatting xmlns:xm="{_XM}"><x14:cfRule type="dataBar" id="{{{identifier}}}">'
        f'<x14:dataBar minLength="0" maxLength="100" gradient="0" axisPosition="middle">'
        f'<x14:cfvo type="num"><xm:f>{-end!r}</xm:f></x14:cfvo><x14:cfvo type="num"><xm:f>{end!r}</xm:f></x14:cfvo>'
        f'<x14:negativeFillColor rgb="FF{NEGATIVE_BAR_COLOUR}"/><x14:axisColor rgb="FF7F7F7F"/>'
        f"</x14:dataBar></x14:cfRule><xm:sqref>{where}</xm:sqref></x14:conditionalFormatting>"
    )
    return plain, extension


def _extension_list(extended: list[str]) -> str:
    if not extended:
        return ""
    return (
        f'<extLst><ext xmlns:x14="{_X14}" uri="{{78C0D931-6437-407d-A8EE-F0AAD7539E65}}">'
        f"<x14:conditionalFormattings>{''.join(extended)}</x14:conditionalFormattings></ext></extLst>"
    )


def _hyperlinks(sheet: Sheet) -> str:
    links = [(address(note.row, note.column), note.link) for note in sheet.notes if note.link]
    for table in sheet.tables:
        for number, column in enumerate(table.columns, table.column):
            links += [
                (address(row, number), place)
                for row, place in enumerate(column.links, table.row + 1)
                if place is not None
            ]
    if not links:
        return ""
    items = (
        f'<hyperlink ref="{cell}" location={quoteattr(place.removeprefix("#"))}/>' for cell, place in links[:MOST_LINKS]
    )
    return f"<hyperlinks>{''.join(items)}</hyperlinks>"


def _ignored_errors(sheet: Sheet) -> str:
    """Spare candidate numbers stored as text, and columns with formulas in some cells only, the green triangles."""
    blocks = [whole_block(table).absolute.replace("$", "") for table in sheet.tables if table.n_rows]
    if not blocks or sheet.form is not None:  # who fills it in wants to see them
        return ""
    return (
        f'<ignoredErrors><ignoredError sqref="{" ".join(blocks)}" numberStoredAsText="1" formula="1" '
        f'formulaRange="1" unlockedFormula="1"/></ignoredErrors>'
    )
