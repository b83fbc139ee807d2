"""Workbooks as people have them, and files that are none: grids with everything in them, or one sentence in seconds."""

import io
import struct
import zipfile
from datetime import datetime

import openpyxl
import pytest

from counted_work import at_most
from files.carried_workbooks import foreign_package
from panelcal.errors import FileProblem
from panelcal.files.load import load_source
from panelcal.reading.grid import CellError, Uncalculated
from panelcal.reading.read import read_panel

# Bounds for hostile files; most need a few milliseconds.
MOST_CALLS = 20_000_000

MAIN = "http://schemas.openxmlformats.org/spreadsheetml/2006/main"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
PARTS = {
    "_rels/.rels": f'<Relationships xmlns="x"><Relationship Id="r1" Type="{OFFICE}/officeDocument" '
    'Target="xl/workbook.xml"/></Relationships>',
    "xl/workbook.xml": f'<workbook xmlns="{MAIN}" xmlns:r="{OFFICE}"><sheets>'
    '<sheet name="Marks" sheetId="1" r:id="r1"/></sheets></workbook>',
    "xl/_rels/workbook.xml.rels": f'<Relationships xmlns="x"><Relationship Id="r1" Type="{OFFICE}/worksheet" '
    'Target="worksheets/sheet1.xml"/></Relationships>',
}


def sheet_xml(data, before="", after=""):
    return f'<worksheet xmlns="{MAIN}">{before}<sheetData>{data}</sheetData>{after}</worksheet>'


@pytest.fixture
def written(tmp_path):
    """Write a workbook by its raw sheet XML (and other parts) and return its path."""

    def build(sheet, name="book.xlsx", **others):
        path = tmp_path / name
        with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
            for part, text in (PARTS | {"xl/worksheets/sheet1.xml": sheet} | others.get("parts", {})).items():
                archive.writestr(part, text)
        return path

    return build


@pytest.fixture
def saved(tmp_path):
    """Save rows with openpyxl and return the path."""

    def build(rows, name="book.xlsx", change=None):
        book = openpyxl.Workbook()
        sheet = book.active
        sheet.title = "Marks"
        for row in rows:
            sheet.append(row)
        if change:
            change(book, sheet)
        book.save(tmp_path / name)
        book.close()
        return tmp_path / name

    return build


def problem(path):
    with at_most(MOST_CALLS), pytest.raises(FileProblem) as refusal:
        load_source(path)
    message = str(refusal.value)
    assert path.name in message and "\n" not in message and len(message) < 300
    return message


BOARD = [["Student", "A", "B"], ["S1", 65, 70.5], ["S2", 55, 60]]


def test_a_workbook_is_loaded_with_its_values_and_types(saved):
    def change(book, sheet):
        sheet["D1"] = datetime(2026, 11, 12)
        sheet["D2"] = True
        sheet["D3"] = "#N/A"
        sheet["D3"].data_type = "e"
        sheet["A4"] = "012"
        sheet["B4"].number_format = "0%"
        sheet["B4"] = 0.65

    source = load_source(saved(BOARD, change=change))
    marks = source.grids[0]
    assert (source.name, source.active, marks.sheet) == ("book.xlsx", "Marks", "Marks")
    assert marks.rows[1][:3] == ("S1", 65, 70.5)
    assert isinstance(marks.rows[1][1], int)
    assert marks.rows[0][3] == datetime(2026, 11, 12)
    assert marks.rows[1][3] is True
    assert marks.rows[2][3] == CellError("#N/A")
    assert marks.rows[3][0] == "012"
    assert marks.number_formats[4, 2] == "0%"
    assert (2, 2) not in marks.number_formats
    assert len({len(row) for row in marks.rows}) == 1


def test_merges_hidden_rows_columns_and_sheets_are_seen(saved):
    def change(book, sheet):
        sheet.merge_cells("A4:C5")
        sheet["A4"] = "note"
        sheet.row_dimensions[2].hidden = True
        sheet.row_dimensions[900].hidden = True
        sheet.column_dimensions["B"].hidden = True
        book.create_sheet("Old").sheet_state = "hidden"

    source = load_source(saved(BOARD, change=change))
    marks = source.grids[0]
    assert marks.merged == ((4, 1, 5, 3),)
    assert marks.hidden_rows == {2}
    assert marks.hidden_columns == {2}
    assert [grid.visible for grid in source.grids] == [True, False]


def test_the_active_sheet_is_known(saved):
    def change(book, sheet):
        book.create_sheet("Second")
        book.active = 1

    assert load_source(saved(BOARD, change=change)).active == "Second"


def test_a_formula_never_calculated_is_uncalculated(saved):
    source = load_source(saved([*BOARD, ["S3", "=B2+1", 3]]))
    assert source.grids[0].value(4, 2) == Uncalculated("=B2+1")


def test_a_formula_with_a_stored_value_gives_the_value_and_the_formula(written):
    data = '<row r="1"><c r="A1"><f>1+1</f><v>2</v></c><c r="B1" t="str"><f>""</f><v></v></c>'
    data += '<c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="D1"><f t="shared" si="0">A1*2</f><v>4</v></c>'
    data += '<c r="E1"><f t="shared" si="0"/><v>8</v></c></row>'
    marks = load_source(written(sheet_xml(data))).grids[0]
    assert marks.rows == ((2, "", CellError("#DIV/0!"), 4, 8),)
    assert marks.formulas[1, 1] == "=1+1"
    assert marks.formulas[1, 5] == "=A1*2 (shared)"


def test_cells_without_references_inline_text_and_prefixes_are_understood(written):
    xml = f'<x:worksheet xmlns:x="{MAIN}"><x:sheetData><x:row>'
    xml += '<x:c t="inlineStr"><x:is><x:t>S</x:t><x:t>1</x:t></x:is></x:c>'
    xml += "<x:c><x:v>65</x:v></x:c></x:row><x:row><x:c><x:v>6.5E1</x:v></x:c></x:row></x:sheetData></x:worksheet>"
    assert load_source(written(xml)).grids[0].rows == (("S1", 65), (65, None))


def test_dates_of_the_1904_calendar_are_right(saved):
    def change(book, sheet):
        book.epoch = openpyxl.utils.datetime.CALENDAR_MAC_1904
        sheet["D1"] = datetime(2026, 11, 12)

    assert load_source(saved(BOARD, change=change)).grids[0].value(1, 4) == datetime(2026, 11, 12)


def test_a_date_outside_the_calendar_is_an_error_value(saved):
    def change(book, sheet):
        sheet["B2"] = -5
        sheet["B2"].number_format = "yyyy-mm-dd"

    assert isinstance(load_source(saved(BOARD, change=change)).grids[0].value(2, 2), CellError | datetime)


def test_the_extension_does_not_matter(saved):
    path = saved(BOARD)
    renamed = path.with_name("marks.csv")
    path.rename(renamed)
    assert load_source(renamed).grids[0].value(2, 2) == 65


def test_macros_and_links_are_noted(written):
    data = '<row r="1"><c r="A1"><v>1</v></c></row>'
    parts = {"xl/vbaProject.bin": b"\x00", "xl/externalLinks/externalLink1.xml": "<x/>"}
    notes = load_source(written(sheet_xml(data), "book.xlsm", parts=parts)).notes
    assert "macros" in notes[0] and "links" in notes[1]
    assert load_source(written(sheet_xml(data))).notes == ()


@pytest.mark.slow
def test_formatting_to_the_last_row_costs_nothing(written):
    rows = "".join(f'<row r="{r}" s="1" customFormat="1"><c r="A{r}" s="1"/></row>' for r in range(2, 60_000))
    data = f'<row r="1"><c r="A1"><v>1</v></c></row>{rows}<row r="1048576"><c r="XFD1048576" s="1"/></row>'
    path = written(
        sheet_xml(data, '<dimension ref="A1:XFD1048576"/><cols><col min="1" max="16384" hidden="1"/></cols>')
    )
    with at_most(MOST_CALLS):
        grid = load_source(path)
    assert grid.grids[0].rows == ((1,),)
    assert grid.grids[0].hidden_columns == {1}


@pytest.mark.slow
def test_a_single_value_in_the_last_cell_is_held_and_read_around(written):
    text = '<c r="{}" t="inlineStr"><is><t>{}</t></is></c>'
    data = f'<row r="1">{text.format("A1", "Talk")}{text.format("B1", "A")}{text.format("C1", "B")}</row>'
    for r in (2, 3, 4):
        data += f'<row r="{r}">{text.format(f"A{r}", f"T{r}")}<c r="B{r}"><v>{r}</v></c>'
        data += f'<c r="C{r}"><v>{r + r}</v></c></row>'
    data += f'<row r="1048576">{text.format("XFD1048576", "end")}</row>'
    path = written(sheet_xml(data))
    with at_most(MOST_CALLS):
        reading = read_panel(load_source(path))
    assert reading.panel.n_assessments == 6


@pytest.mark.slow
def test_16384_columns_are_read(written):
    def letters(column):
        text = ""
        while column:
            column, rest = divmod(column - 1, 26)
            text = chr(65 + rest) + text
        return text

    head = "".join(f'<c r="{letters(j)}1" t="inlineStr"><is><t>J{j}</t></is></c>' for j in range(2, 16_385))
    head = f'<c r="A1" t="inlineStr"><is><t>Talk</t></is></c>{head}'
    body = "".join(
        f'<row r="{r}"><c r="A{r}"><v>{r}</v></c>'
        + "".join(f'<c r="{letters(j)}{r}"><v>{j % 90}</v></c>' for j in range(2, 16_385))
        + "</row>"
        for r in (2, 3)
    )
    path = written(sheet_xml(f'<row r="1">{head}</row>{body}'))
    with at_most(MOST_CALLS):
        reading = read_panel(load_source(path))
    assert reading.panel.n_assessors == 16_383


def test_filled_cells_too_far_apart_stop(written):
    rows = "".join(f'<row r="{r}"><c r="A{r}"><v>1</v></c></row>' for r in range(1, 5000))
    data = f'{rows}<row r="5000"><c r="XFD5000"><v>1</v></c></row>'
    assert "row 5000" in problem(written(sheet_xml(data)))


def test_a_board_is_loaded_in_a_moment(saved):
    path = saved([["Student", *(f"M{j}" for j in range(81))], *([f"S{i}", *range(81)] for i in range(82))])
    with at_most(100 * 82 * 81):
        load_source(path)


def test_a_missing_file_and_a_folder_stop(tmp_path):
    assert "no file" in problem(tmp_path / "marks.xlsx")
    assert "folder" in problem(tmp_path)


@pytest.mark.parametrize(
    ("content", "sentence"),
    [
        (b"", "empty (0 bytes)"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600, ".xls"),
        (b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + b"\0" * 600 + "EncryptedPackage".encode("utf-16-le"), "password"),
        (b"PK\x03\x04 not really", "damaged"),
        (b"<html><table></table></html>", "web page"),
        (b'<?xml version="1.0"?><Workbook/>', "web page or XML"),
        (b"%PDF-1.7", "not a workbook"),
        (b"\x89PNG\r\n\x1a\n" + bytes(range(256)), "not a workbook"),
        (bytes(range(256)) * 20, "neither a workbook nor text"),
        (b"   \n \n", "no text"),
    ],
)
def test_files_that_are_no_workbooks_stop(tmp_path, content, sentence):
    path = tmp_path / "marks.xlsx"
    path.write_bytes(content)
    assert sentence in problem(path)


@pytest.mark.parametrize(
    ("parts", "sentence"),
    [
        ({"content.xml": "<x/>", "mimetype": "application/vnd.oasis.opendocument.text"}, "OpenDocument"),
        ({"readme.txt": "hello"}, "another kind of archive"),
        (
            {"_rels/.rels": PARTS["_rels/.rels"].replace("workbook.xml", "workbook.bin"), "xl/workbook.bin": "x"},
            "of a kind that cannot be read",
        ),
        (
            {"_rels/.rels": PARTS["_rels/.rels"].replace("workbook.xml", "document.xml"), "xl/document.xml": "x"},
            "document",
        ),
    ],
)
def test_other_archives_stop(tmp_path, parts, sentence):
    path = tmp_path / "marks.xlsx"
    with zipfile.ZipFile(path, "w") as archive:
        for part, text in parts.items():
            archive.writestr(part, text)
    assert sentence in problem(path)


@pytest.mark.parametrize("share", [0.1, 0.5, 0.9, 0.99])
def test_a_truncated_workbook_stops(saved, share):
    path = saved(BOARD)
    content = path.read_bytes()
    path.write_bytes(content[: int(share * len(content))])
    assert "damaged" in problem(path)


def test_a_workbook_with_a_damaged_part_stops(saved):
    path = saved([["Student", *(f"M{j}" for j in range(300))]] * 30)
    with zipfile.ZipFile(path) as archive:
        at = archive.getinfo("xl/worksheets/sheet1.xml").header_offset + 200
    content = bytearray(path.read_bytes())
    content[at : at + 40] = b"\xff" * 40
    path.write_bytes(content)
    assert "damaged" in problem(path)


@pytest.mark.parametrize(
    "sheet",
    [
        "<worksheet><sheetData><row>",
        "not xml",
        sheet_xml('<row r="1"><c r="nonsense"><v>1</v></c></row>'),
        sheet_xml('<row r="1"><c r="A1" t="s"><v>99</v></c></row>'),
        sheet_xml('<row r="1"><c r="A1"><v>many</v></c></row>'),
        sheet_xml('<row r="9999999"><c r="A9999999"><v>1</v></c></row>'),
    ],
)
def test_a_malformed_sheet_stops(written, sheet):
    assert "damaged" in problem(written(sheet))


def test_a_zip_with_a_password_stops(saved):
    path = saved(BOARD)
    content = bytearray(path.read_bytes())
    with zipfile.ZipFile(io.BytesIO(bytes(content))) as archive:
        offsets = [entry.header_offset for entry in archive.infolist()]
        directory = archive.start_dir
    for offset in offsets:
        content[offset + 6] |= 1
    at = directory
    while content[at : at + 4] == b"PK\x01\x02":
        content[at + 8] |= 1
        at += 46 + sum(struct.unpack("<HHH", content[at + 28 : at + 34]))
    path.write_bytes(content)
    assert "password" in problem(path)


@pytest.mark.slow
def test_a_zip_bomb_stops_before_it_is_unpacked(tmp_path):
    path = tmp_path / "bomb.xlsx"
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for part, text in PARTS.items():
            archive.writestr(part, text)
        with archive.open("xl/worksheets/sheet1.xml", "w", force_zip64=True) as part:
            for _ in range(200):
                part.write(b" " * 1_000_000)
    assert "unpacks" in problem(path)


def test_a_bomb_that_lies_about_its_size_stops(written):
    path = written(sheet_xml(" " * 5_000_000))
    content = bytearray(path.read_bytes())
    size = struct.pack("<I", len(sheet_xml(" " * 5_000_000)))
    while (at := content.find(size)) >= 0:
        content[at : at + 4] = struct.pack("<I", 1000)
    path.write_bytes(content)
    assert "damaged" in problem(path)


@pytest.mark.parametrize("part", ["xl/worksheets/sheet1.xml", "xl/workbook.xml"])
def test_entity_tricks_stop(written, part):
    entities = '<!ENTITY a0 "aaaaaaaaaa">' + "".join(f'<!ENTITY a{k} "{f"&a{k - 1};" * 10}">' for k in range(1, 12))
    bomb = f"<!DOCTYPE x [{entities}]><worksheet><sheetData><row><c><v>&a11;</v></c></row></sheetData></worksheet>"
    assert "document type" in problem(written(sheet_xml(""), parts={part: bomb}))


def test_a_workbook_without_worksheets_stops(written):
    assert "no worksheet" in problem(
        written(sheet_xml(""), parts={"xl/_rels/workbook.xml.rels": '<Relationships xmlns="x"/>'})
    )


def test_reading_much_text_is_told_while_it_goes_on(tmp_path):
    path = foreign_package(tmp_path / "texts.xlsx")
    with zipfile.ZipFile(path) as archive:
        parts = {name: archive.read(name) for name in archive.namelist()}
    text = b"".join(b"<si><t>a remark of some length, the %dth</t></si>" % row for row in range(9_000))
    parts["xl/sharedStrings.xml"] = parts["xl/sharedStrings.xml"].replace(b"</sst>", text + b"</sst>")
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, data in parts.items():
            archive.writestr(name, data)
    told: list[float] = []
    load_source(path, progress=told.append)
    pieces = len(parts["xl/sharedStrings.xml"]) // 65_536
    assert pieces >= 4 and len([share for share in told if 0 < share <= 0.2]) >= pieces
