"""Result sheets in a copy of the user's workbook: nothing of theirs is lost, nothing of ours is wrong."""

import re
import zipfile
from dataclasses import replace

import openpyxl
import pytest

from files.carried_workbooks import foreign_package, rich_workbook
from files.package_checks import check_package, parts_of, read_back
from files.sample_report import sample_report
from panelcal.errors import FileProblem
from panelcal.files.graft import base_font, carries_whole
from panelcal.files.ownership import own_sheets
from panelcal.files.write import write_report

EDITED = {
    "[Content_Types].xml",
    "xl/workbook.xml",
    "xl/_rels/workbook.xml.rels",
    "xl/styles.xml",
    "docProps/core.xml",
    "xl/calcChain.xml",
}


def second_report():
    """The sample as a later run would name it."""
    report = sample_report()
    return replace(report, sheets=tuple(replace(sheet, name=sheet.name + " 2") for sheet in report.sheets))


def carried(source, target, report=None):
    before = source.read_bytes()
    assert carries_whole(source) == ()
    assert write_report(report or sample_report(), target, workbook=source) == ()
    assert source.read_bytes() == before
    return check_package(target)


@pytest.fixture(params=[rich_workbook, foreign_package], ids=["rich", "foreign"])
def source(request, tmp_path):
    return request.param(tmp_path / "marks.xlsx")


def without_selection(part):
    return re.sub(rb'\stabSelected="1"', b"", part)


def test_the_users_parts_stay_byte_for_byte(source, tmp_path):
    after = carried(source, tmp_path / "out.xlsx")
    for name, data in parts_of(source).items():
        if name not in EDITED:
            expected = without_selection(data) if name.startswith("xl/worksheets/sheet") else data
            assert after[name] == expected, name


def test_their_sheets_come_first_and_our_first_is_in_front(source, tmp_path):
    target = tmp_path / "out.xlsx"
    carried(source, target)
    before = read_back(source).sheetnames
    book = read_back(target)
    assert book.sheetnames == before + [sheet.name for sheet in sample_report().sheets]
    assert book.active.title == "Cal summary"
    assert [sheet.title for sheet in book if sheet.sheet_view.tabSelected] == ["Cal summary"]
    assert own_sheets(target) == [sheet.name for sheet in sample_report().sheets]


def test_cells_formats_checks_and_settings_of_theirs_are_the_same(tmp_path):
    source = rich_workbook(tmp_path / "marks.xlsx")
    target = tmp_path / "out.xlsx"
    carried(source, target)
    before, after = read_back(source), read_back(target)
    for sheet in before:
        copy = after[sheet.title]
        assert copy.sheet_state == sheet.sheet_state
        for row in sheet.iter_rows():
            for cell in row:
                twin = copy[cell.coordinate]
                assert twin.value == cell.value
                looks = ("style", "number_format", "font", "fill", "border", "alignment", "protection")
                for look in looks:
                    assert repr(getattr(twin, look)) == repr(getattr(cell, look)), (cell.coordinate, look)
                assert (twin.comment and twin.comment.text) == (cell.comment and cell.comment.text)
        assert copy.print_area == sheet.print_area
        assert copy.print_title_rows == sheet.print_title_rows
        assert len(copy._charts) == len(sheet._charts)
    assert after.defined_names["MarksBlock"].attr_text == "'Year 3 marks'!$B$2:$C$11"
    assert "House style" in after.named_styles


def test_stored_values_of_their_formulas_stay(tmp_path):
    source = foreign_package(tmp_path / "marks.xlsx")
    target = tmp_path / "out.xlsx"
    carried(source, target)
    marks = read_back(target, data_only=True).worksheets[0]
    assert [cell.value for cell in marks[1]] == ["Student", 61.5, 123, "ab"]


@pytest.mark.slow
def test_our_sheets_look_the_same_as_on_their_own(source, tmp_path):
    target, alone = tmp_path / "out.xlsx", tmp_path / "alone.xlsx"
    carried(source, target)
    write_report(sample_report(), alone)
    copy, own = read_back(target), read_back(alone)
    for sheet in own:
        for row in sheet.iter_rows():
            for cell in row:
                twin = copy[sheet.title][cell.coordinate]
                assert twin.value == cell.value
                assert (twin.style, twin.number_format) == (cell.style, cell.number_format), cell.coordinate
                for look in ("fill", "border", "alignment", "protection"):
                    assert repr(getattr(twin, look)) == repr(getattr(cell, look)), (cell.coordinate, look)
                if cell.style == "Normal":
                    continue  # an empty cell in the default font, which is theirs
                assert (twin.font.b, repr(twin.font.color)) == (cell.font.b, repr(cell.font.color))
        rules = [block.rules[0].dxf for block in copy[sheet.title].conditional_formatting]
        assert rules == [block.rules[0].dxf for block in sheet.conditional_formatting]


def test_our_sheets_follow_the_font_of_the_workbook(tmp_path):
    source = foreign_package(tmp_path / "marks.xlsx")
    target = tmp_path / "out.xlsx"
    parts = carried(source, target)
    assert base_font(parts).name == "Arial"
    cells = read_back(target)["Cal values"]
    assert (cells["E5"].font.name, cells["E5"].font.sz) == ("Arial", 10)


@pytest.mark.slow
def test_a_second_run_adds_its_sheets_and_keeps_the_first(source, tmp_path):
    first, second = tmp_path / "first.xlsx", tmp_path / "second.xlsx"
    carried(source, first)
    parts = carried(first, second, second_report())
    names = [sheet.name for sheet in sample_report().sheets]
    assert own_sheets(second) == names + [f"{name} 2" for name in names]
    assert read_back(second).active.title == "Cal summary 2"
    before = parts_of(first)
    for name in before:
        if name.startswith("xl/charts/"):
            assert parts[name] == before[name]


def test_a_name_that_is_taken_is_refused(source, tmp_path):
    first, second = tmp_path / "first.xlsx", tmp_path / "second.xlsx"
    carried(source, first)
    with pytest.raises(FileProblem, match="has a sheet named Cal summary already"):
        write_report(sample_report(), second, workbook=first)
    assert not second.exists()


def test_the_same_input_and_report_give_the_same_bytes(source, tmp_path):
    carried(source, tmp_path / "a.xlsx")
    carried(source, tmp_path / "b.xlsx")
    assert (tmp_path / "a.xlsx").read_bytes() == (tmp_path / "b.xlsx").read_bytes()


def test_the_order_of_calculation_is_made_anew(tmp_path):
    source = foreign_package(tmp_path / "marks.xlsx")
    parts = carried(source, tmp_path / "out.xlsx")
    assert "xl/calcChain.xml" not in parts
    assert b"calcChain" not in parts["[Content_Types].xml"] + parts["xl/_rels/workbook.xml.rels"]


def test_a_template_becomes_a_plain_workbook(tmp_path):
    parts = carried(foreign_package(tmp_path / "marks.xltx"), tmp_path / "out.xlsx")
    assert b"template.main" not in parts["[Content_Types].xml"]


@pytest.mark.parametrize(
    ("part", "words"),
    [
        ("xl/vbaProject.bin", "macros"),
        ("xl/macrosheets/sheet1.xml", "macro sheets"),
        ("_xmlsignatures/sig1.xml", "the digital signature"),
        ("xl/revisions/revisionHeaders.xml", "the change history of a shared workbook"),
    ],
)
def test_what_cannot_live_on_is_named_and_refused(tmp_path, part, words):
    source = foreign_package(tmp_path / "marks.xlsx", extra={part: b"<a/>"})
    assert carries_whole(source) == (words,)
    with pytest.raises(FileProblem, match=f"cannot be copied whole .{words}.*--results-only"):
        write_report(sample_report(), tmp_path / "out.xlsx", workbook=source)
    assert not (tmp_path / "out.xlsx").exists()


def test_pictures_pivot_tables_and_controls_are_carried(tmp_path):
    extra = {
        "xl/media/image1.png": b"\x89PNG",
        "xl/pivotTables/pivotTable1.xml": b"<a/>",
        "xl/ctrlProps/ctrlProp1.xml": b"<a/>",
        "customXml/item1.xml": b"<a/>",
    }
    source = foreign_package(tmp_path / "marks.xlsx", extra=extra)
    assert carries_whole(source) == ()
    write_report(sample_report(), tmp_path / "out.xlsx", workbook=source)
    parts = parts_of(tmp_path / "out.xlsx")
    assert all(parts[name] == data for name, data in extra.items())


def test_other_files_are_not_copied(tmp_path):
    text = tmp_path / "marks.csv"
    text.write_text("a,b\n")
    assert carries_whole(text) == ("its format: only .xlsx workbooks can be copied",)
    with pytest.raises(FileProblem, match="cannot be opened"):
        carries_whole(tmp_path / "missing.xlsx")


def test_a_protected_structure_is_mentioned(tmp_path):
    source = tmp_path / "marks.xlsx"
    book = openpyxl.Workbook()
    book.security.lockStructure = True
    book.save(source)
    notes = write_report(sample_report(), tmp_path / "out.xlsx", workbook=source)
    assert len(notes) == 1
    assert "structure is protected" in notes[0]


def with_part(path, name, edit):
    """Change one part of a workbook."""
    parts = parts_of(path)
    assert edit(parts[name]) != parts[name]
    parts[name] = edit(parts[name])
    with zipfile.ZipFile(path, "w") as archive:
        for part, data in parts.items():
            archive.writestr(part, data)
    return path


def test_relations_get_their_type_where_the_workbook_names_it_for_each_of_its_own(tmp_path):
    """As LibreOffice wrote it for years."""
    kind = b"application/vnd.openxmlformats-package.relationships+xml"
    default = b'<Default Extension="rels" ContentType="' + kind + b'"/>'

    def each(types):
        assert default in types
        names = [name for name in parts_of(source) if name.endswith(".rels")]
        return types.replace(
            default,
            b"".join(b'<Override PartName="/%s" ContentType="%s"/>' % (name.encode(), kind) for name in names),
        )

    source = rich_workbook(tmp_path / "marks.xlsx")
    with_part(source, "[Content_Types].xml", each)
    check_package(source)
    carried(source, tmp_path / "out.xlsx")


def test_a_workbook_with_no_formats_at_all_gets_ours(tmp_path):
    source = rich_workbook(tmp_path / "marks.xlsx")
    for name in [name for name in parts_of(source) if re.match(r"xl/worksheets/sheet\d+\.xml", name)]:
        with_part(source, name, lambda sheet: re.sub(rb'\s(s|dxfId)="\d+"', b"", sheet) + b"\n")
    empty = b'<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"/>'
    with_part(source, "xl/styles.xml", lambda _styles: empty)
    carried(source, tmp_path / "out.xlsx")
