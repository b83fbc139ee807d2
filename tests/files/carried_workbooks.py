"""Workbooks such as users have, for tests of what a copy with result sheets keeps."""

from __future__ import annotations

import zipfile
from pathlib import Path

from openpyxl import Workbook
from openpyxl.chart import BarChart, Reference
from openpyxl.comments import Comment
from openpyxl.formatting.rule import CellIsRule
from openpyxl.styles import Font, NamedStyle, PatternFill
from openpyxl.workbook.defined_name import DefinedName
from openpyxl.worksheet.datavalidation import DataValidation

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
RELATION = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
OFFICE = "application/vnd.openxmlformats-officedocument"
PACKAGE = "http://schemas.openxmlformats.org/package/2006"


def rich_workbook(path: Path) -> Path:
    """A mark sheet with formats, checks, comments, a chart, names and print settings, as openpyxl writes it."""
    book = Workbook()
    marks = book.active
    marks.title = "Year 3 marks"
    marks.append(["Student", "MA3D1", "MA4H0", "Sum"])
    for row in range(2, 12):
        marks.append([f"20{row:05d}", 50 + row, 70 - row, f"=SUM(B{row}:C{row})"])
    book.add_named_style(NamedStyle("House style", font=Font(name="Georgia", b=True), number_format="0.000"))
    marks["B2"].style = "House style"
    marks["C3"].fill = PatternFill("solid", fgColor="FF00AA")
    marks["B4"].number_format = "0.00%"
    marks["B5"].comment = Comment("Second marked", "Registry")
    marks.column_dimensions["A"].width = 33
    marks.column_dimensions["C"].hidden = True
    marks.row_dimensions[3].height = 40
    marks.freeze_panes = "B2"
    marks.auto_filter.ref = "A1:D11"
    marks.print_title_rows = "1:1"
    marks.print_area = "A1:D11"
    marks.oddFooter.center.text = "Year 3"
    marks.merge_cells("F1:G2")
    check = DataValidation("decimal", operator="between", formula1="0", formula2="100", showErrorMessage=True)
    check.add("B2:C11")
    marks.add_data_validation(check)
    marks.conditional_formatting.add("B2:C11", CellIsRule("lessThan", ["40"], fill=PatternFill(bgColor="FFC7CE")))
    chart = BarChart()
    chart.add_data(Reference(marks, 2, 1, 3, 11), titles_from_data=True)
    marks.add_chart(chart, "I2")
    hidden = book.create_sheet("Notes, hidden")
    hidden.sheet_state = "hidden"
    hidden["A1"] = "kept"
    book.defined_names["MarksBlock"] = DefinedName("MarksBlock", attr_text="'Year 3 marks'!$B$2:$C$11")
    book.save(path)
    return path


def foreign_package(path: Path, *, extra: dict[str, bytes] | None = None) -> Path:
    """A package spelled otherwise: prefixes, a calculation chain, stored values, parts that openpyxl would drop."""
    sheet = (
        '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\r\n'
        f'<x:worksheet xmlns:x="{MAIN}" xmlns:r="{RELATION}">'
        '<x:sheetViews><x:sheetView tabSelected="1" workbookViewId="0"/></x:sheetViews><x:sheetData>'
        '<x:row r="1"><x:c r="A1" t="s"><x:v>0</x:v></x:c><x:c r="B1" s="1"><x:v>61.5</x:v></x:c>'
        '<x:c r="C1"><x:f>B1*2</x:f><x:v>123</x:v></x:c><x:c r="D1" t="str"><x:f>"a"&amp;"b"</x:f><x:v>ab</x:v></x:c>'
        '</x:row></x:sheetData><x:drawing r:id="rId1"/></x:worksheet>'
    )
    parts = {
        "[Content_Types].xml": (
            f'<Types xmlns="{PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>'
            '<Default Extension="png" ContentType="image/png"/>'
            f'<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>'
            + "".join(
                f'<Override PartName="/{name}" ContentType="{OFFICE}.{kind}+xml"/>'
                for name, kind in (
                    ("xl/workbook.xml", "spreadsheetml.template.main"),
                    ("xl/styles.xml", "spreadsheetml.styles"),
                    ("xl/calcChain.xml", "spreadsheetml.calcChain"),
                    ("xl/sharedStrings.xml", "spreadsheetml.sharedStrings"),
                    ("xl/worksheets/sheet1.xml", "spreadsheetml.worksheet"),
                    ("xl/drawings/drawing1.xml", "drawing"),
                )
            )
            + "</Types>"
        ),
        "_rels/.rels": (
            f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="a" Type="{RELATION}/officeDocument" '
            'Target="/xl/workbook.xml"/></Relationships>'
        ),
        "xl/workbook.xml": (
            f'<x:workbook xmlns:x="{MAIN}" xmlns:r="{RELATION}"><x:sheets>'
            '<x:sheet name="Marks &amp; more" sheetId="7" r:id="rId1"/></x:sheets>'
            '<x:calcPr calcId="191029"/></x:workbook>'
        ),
        "xl/_rels/workbook.xml.rels": (
            f'<p:Relationships xmlns:p="{PACKAGE}/relationships">'
            f'<p:Relationship Id="rId1" Type="{RELATION}/worksheet" Target="worksheets/sheet1.xml"/>'
            f'<p:Relationship Id="rIdCal1" Type="{RELATION}/styles" Target="styles.xml"/>'
            f'<p:Relationship Id="rId3" Type="{RELATION}/sharedStrings" Target="sharedStrings.xml"/>'
            f'<p:Relationship Id="rId4" Type="{RELATION}/calcChain" Target="calcChain.xml"/></p:Relationships>'
        ),
        "xl/styles.xml": (
            f'<x:styleSheet xmlns:x="{MAIN}"><x:fonts count="1"><x:font><x:sz val="10"/><x:name val="Arial"/></x:font>'
            '</x:fonts><x:fills count="2"><x:fill><x:patternFill patternType="none"/></x:fill><x:fill>'
            '<x:patternFill patternType="gray125"/></x:fill></x:fills><x:borders count="1"><x:border><x:left/>'
            '<x:right/><x:top/><x:bottom/><x:diagonal/></x:border></x:borders><x:cellStyleXfs count="1">'
            '<x:xf numFmtId="0" '
            'fontId="0" fillId="0" borderId="0"/></x:cellStyleXfs><x:cellXfs count="2"><x:xf numFmtId="0" fontId="0" '
            'fillId="0" borderId="0" xfId="0"/><x:xf numFmtId="2" fontId="0" fillId="0" borderId="0" xfId="0"/>'
            '</x:cellXfs><x:dxfs count="0"/></x:styleSheet>'
        ),
        "xl/calcChain.xml": f'<calcChain xmlns="{MAIN}"><c r="C1" i="7"/><c r="D1" i="7"/></calcChain>',
        "xl/sharedStrings.xml": f'<sst xmlns="{MAIN}" count="1" uniqueCount="1"><si><t>Student</t></si></sst>',
        "xl/worksheets/sheet1.xml": sheet,
        "xl/worksheets/_rels/sheet1.xml.rels": (
            f'<Relationships xmlns="{PACKAGE}/relationships"><Relationship Id="rId1" Type="{RELATION}/drawing" '
            'Target="../drawings/drawing1.xml"/></Relationships>'
        ),
        "xl/drawings/drawing1.xml": (
            '<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing"/>'
        ),
    }
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, text in parts.items():
            archive.writestr(name, text)
        for name, data in (extra or {}).items():
            archive.writestr(name, data)
    return path
