"""A large sheet is read through calamine exactly as the parser reads it, or left to the parser."""

import zipfile
from io import BytesIO

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from openpyxl import Workbook

from panelcal.files import load_large_sheet, load_workbook
from panelcal.files.load import load_source

HEAD = '<row r="1"><c r="A1" t="inlineStr"><is><t>Student</t></is></c><c r="B1"><v>1</v></c></row>'
TEXT = '<row r="2"><c r="A2" t="inlineStr"><is><t>{}</t></is></c><c r="B2"><v>65</v></c></row>'


@pytest.fixture
def written(tmp_path):
    """Write a workbook whose sheet has these rows, with General, 0.0, 0%, a date and 000 as its cell formats."""

    def write(rows, *, before="", after="", strings=""):
        frame = BytesIO()
        book = Workbook()
        for row, code in enumerate(("0.0", "0%", "yyyy-mm-dd", "000"), 1):
            book.active.cell(row, 1, 1).number_format = code
        book.save(frame)
        path = tmp_path / "marks.xlsx"
        with zipfile.ZipFile(frame) as source, zipfile.ZipFile(path, "w") as target:
            for name in source.namelist():
                part = source.read(name).decode()
                if name.endswith("sheet1.xml"):
                    main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
                    part = f'<worksheet xmlns="{main}">{before}<sheetData>{rows}</sheetData>{after}</worksheet>'
                elif name.endswith("workbook.xml.rels") and strings:
                    kind = "http://schemas.openxmlformats.org/officeDocument/2006/relationships/sharedStrings"
                    relation = f'<Relationship Id="rIdS" Type="{kind}" Target="/xl/sharedStrings.xml"/>'
                    part = part.replace("</Relationships>", relation + "</Relationships>")
                if not name.endswith("sharedStrings.xml"):
                    target.writestr(name, part)
            if strings:
                main = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
                target.writestr("xl/sharedStrings.xml", f'<?xml version="1.0"?><sst xmlns="{main}">{strings}</sst>')
        return path

    return write


def both_ways(path, monkeypatch):
    """Load the one sheet by the parser and by way of calamine; also tell whether calamine was used to the end."""
    by_parser = load_source(path).grids[0]
    used = []
    quick = load_large_sheet.load_large_sheet

    def recorded(*arguments):
        grid = quick(*arguments)
        used.append(grid is not None)
        return grid

    with monkeypatch.context() as patch:
        patch.setattr(load_workbook, "LARGE_PART", 0)
        patch.setattr(load_large_sheet, "LARGE_PART", 0)
        patch.setattr(load_large_sheet, "load_large_sheet", recorded)
        quickly = load_source(path).grids[0]
    return by_parser, quickly, used == [True]


def assert_same(one, two):
    assert one.rows == two.rows
    assert [[type(value) for value in row] for row in one.rows] == [[type(value) for value in row] for row in two.rows]
    assert dict(one.number_formats) == dict(two.number_formats)
    assert set(one.number_formats.values()) == set(two.number_formats.values())
    assert dict(one.formulas) == dict(two.formulas)
    assert one.merged == two.merged
    assert (one.hidden_rows, one.hidden_columns) == (two.hidden_rows, two.hidden_columns)
    assert one.visible == two.visible


PLAIN = {
    "numbers": '<row r="2"><c r="A2"><v>65</v></c><c r="B2"><v>6.5E1</v></c><c r="C2"><v>-0.125</v></c></row>',
    "huge and tiny numbers": '<row r="2"><c r="A2"><v>1E+300</v></c><c r="B2"><v>123456789012345678</v></c></row>',
    "true and false": '<row r="2"><c r="A2" t="b"><v>1</v></c><c r="B2" t="b"><v>0</v></c></row>',
    "text with entities": TEXT.format("O&amp;B &lt;1&gt; &quot;x&quot;"),
    "text with spaces": TEXT.format("  S1  ").replace("<t>", '<t xml:space="preserve">'),
    "nothing but spaces": TEXT.format("   ").replace("<t>", '<t xml:space="preserve">'),
    "other letters": TEXT.format("Żółć 学生 🎓"),
    "empty text": TEXT.format(""),
    "gaps": '<row r="5"><c r="C5"><v>3</v></c></row><row r="9"/><row r="12"><c r="B12"/></row>',
    "a decimal format": '<row r="2"><c r="A2" s="1"><v>65</v></c><c r="B2" s="1"/><c r="C2" s="1"><v>6</v></c></row>',
    "percentages": '<row r="2" s="2" customFormat="1"><c r="A2" s="2"><v>0.65</v></c><c r="B2"><v>65</v></c></row>',
    "leading zeros": '<row r="2"><c r="A2" s="4"><v>12</v></c><c r="B2" s="1"><v>12</v></c></row>',
    "hidden rows": '<row r="2" spans="1:2" hidden="1"><c r="A2"><v>1</v></c></row><row r="3" hidden="0"/>',
}

SET_ASIDE = {
    "a formula with a value": '<row r="2"><c r="A2"><v>7</v></c><c r="B2" s="1"><f>1+1</f><v>2</v></c></row>',
    "a formula never calculated": '<row r="2"><c r="B2" s="1"><f>1+1</f></c><c r="C2"><v>7</v></c></row>',
    "a formula with text": '<row r="2"><c r="B2" t="str"><f>A1&amp;"&lt;"</f><v>_x0031_&lt;</v></c></row>',
    "a formula with no text": '<row r="2"><c r="B2" t="str"><f>""</f><v></v></c><c r="D2" t="str"><f>""</f></c></row>',
    "shared formulas": '<row r="2"><c r="A2"><f t="shared" ref="A2:B2" si="0">C2+1</f><v>2</v></c>'
    '<c r="B2"><f t="shared" si="0"/><v>3</v></c><c r="C2"><v>1</v></c></row>',
    "a formula far below": '<row r="2"><c r="A2"><v>1</v></c></row><row r="9"><c r="D9"><f>A1</f></c></row>',
    "an error": '<row r="2"><c r="B2" t="e"><v>#N/A</v></c><c r="C2" s="2" t="e"><f>1/0</f><v>#DIV/0!</v></c></row>',
    "a date": '<row r="2"><c r="A2"><v>7</v></c><c r="B2" s="3"><v>45000.5</v></c><c r="C2"><v>8</v></c></row>',
    "dates and none": '<row r="2" s="3"><c r="A2" s="3"/><c r="B2" s="3"><v>45000</v></c><c r="C2" s="3"/></row>',
    "a heading in the style of a date": TEXT.format("Day").replace('t="in', 's="3" t="in'),
    "no date": '<row r="2"><c r="B2" s="3"><v>-1E9</v></c><c r="C2" s="3" t="b"><v>1</v></c></row>',
}

LEFT_TO_THE_PARSER = {
    "an error without a value": '<row r="2"><c r="B2" t="e"/><c r="C2"><v>7</v></c></row>',
    "a comment in a formula": '<row r="2"><c r="B2"><f>1+<!-- 2 -->1</f><v>2</v></c></row>',
    "a formula after its value": '<row r="2"><c r="B2"><v>2</v><f>1+1</f></c></row>',
    "a date as text": '<row r="2"><c r="B2" t="d"><v>2026-11-12</v></c></row>',
    "an escaped character": TEXT.format("S_x0031_"),
    "a reference to a character": TEXT.format("S&#49;"),
    "formatted text": TEXT.format("").replace("<t></t>", "<r><t>S</t></r><r><t>1</t></r>"),
    "a comment": '<row r="2"><!-- <f> --><c r="B2"><v>2</v></c></row>',
    "cells without addresses": '<row r="2"><c><v>2</v></c><c><v>3</v></c></row>',
    "other quotation marks": "<row r=\"2\"><c r='B2' s='2'><v>2</v></c></row>",
    "a cell far away": '<row r="1048576"><c r="XFD1048576"><v>2</v></c></row>',
}


@pytest.mark.parametrize("rows", (PLAIN | SET_ASIDE).values(), ids=PLAIN | SET_ASIDE)
def test_calamine_and_the_parser_read_the_same(written, monkeypatch, rows):
    by_parser, quickly, used = both_ways(written(HEAD + rows), monkeypatch)
    assert used
    assert_same(by_parser, quickly)


@pytest.mark.parametrize("rows", LEFT_TO_THE_PARSER.values(), ids=LEFT_TO_THE_PARSER)
def test_what_calamine_cannot_tell_is_left_to_the_parser(written, monkeypatch, rows):
    path = written(HEAD + rows)
    by_parser = load_source(path).grids[0] if "XFD" not in rows else None
    with monkeypatch.context() as patch:
        patch.setattr(load_large_sheet, "LARGE_PART", 0)
        patch.setattr(load_workbook, "LARGE_PART", 0)
        told = []
        quick = load_large_sheet.load_large_sheet
        patch.setattr(load_large_sheet, "load_large_sheet", lambda *given: told.append(quick(*given)) or told[-1])
        grid = load_source(path).grids[0]
    assert told == [None]
    if by_parser is not None:
        assert_same(by_parser, grid)


def test_merged_cells_and_hidden_columns_are_seen_around_the_rows(written, monkeypatch):
    before = '<cols><col min="2" max="3" hidden="1"/></cols>'
    path = written(HEAD, before=before, after='<mergeCells count="1"><mergeCell ref="A1:B1"/></mergeCells>')
    by_parser, quickly, used = both_ways(path, monkeypatch)
    assert used and quickly.merged == ((1, 1, 1, 2),) and quickly.hidden_columns == {2}
    assert_same(by_parser, quickly)


@pytest.mark.parametrize(
    ("strings", "used"),
    [
        ("<si><t>S1</t></si>", True),
        ('<si><t xml:space="preserve"> S1 </t></si>', True),
        ("<si><r><rPr><b/></rPr><t>S</t></r><r><t>1</t></r></si>", True),
        ("<si><t>学</t><rPh sb='0' eb='1'><t>ガク</t></rPh></si>", False),
        ("<si><t>S_x0031_</t></si>", False),
        ("<si><t>S&#49;</t></si>", False),
    ],
)
def test_shared_strings_are_the_same_or_left_to_the_parser(written, monkeypatch, strings, used):
    rows = '<row r="1"><c r="A1" t="s"><v>0</v></c><c r="B1"><v>1</v></c></row>'
    by_parser, quickly, through_calamine = both_ways(written(rows, strings=strings), monkeypatch)
    assert through_calamine == used
    assert_same(by_parser, quickly)


CELLS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**16), 10**16),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(exclude_categories=["Cs", "Cc"], exclude_characters="\ufffe\uffff"), max_size=6),
)


@settings(deadline=None, max_examples=40)
@given(rows=st.lists(st.lists(CELLS, min_size=3, max_size=3), min_size=1, max_size=5))
def test_any_plain_cells_are_read_the_same(tmp_path_factory, rows):
    path = tmp_path_factory.mktemp("any") / "any.xlsx"
    book = Workbook()
    for row in rows:
        book.active.append([value or None if isinstance(value, str) else value for value in row])
    for line in book.active.iter_rows():
        for cell in line:
            if isinstance(cell.value, str):
                cell.data_type = "s"  # openpyxl takes text that begins with = for a formula
    book.save(path)
    with pytest.MonkeyPatch.context() as patch:
        by_parser, quickly, _ = both_ways(path, patch)
    assert_same(by_parser, quickly)
