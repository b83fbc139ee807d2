"""A report written as a workbook of its own: cells, formulas with their values, looks, marks and reproducible bytes."""

import os
import re
import subprocess
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from counted_work import at_most
from files.package_checks import check_package, parts_of, read_back
from files.sample_report import sample_report
from panelcal.errors import FileProblem
from panelcal.files.ownership import own_sheets
from panelcal.files.write import write_report
from panelcal.reporting.looks import WARNING_FORMAT, set_in_format
from panelcal.reporting.model import Column, Highlight, Note, Report, Sheet, Table


def report_of(*columns, **sheet_options):
    sheet = Sheet("Cal values", "Title", "Explanation", (Table(columns),), **sheet_options)
    return Report((sheet,), "R-1", "Confidential", "2026-11-21T10:15:00")


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    path = tmp_path_factory.mktemp("written") / "sample.xlsx"
    assert write_report(sample_report(), path) == ()
    return path


def test_the_package_is_sound(sample):
    check_package(sample)


def test_each_sheet_has_title_explanation_and_headings_where_they_belong(sample):
    book = read_back(sample)
    report = sample_report()
    assert book.sheetnames == [sheet.name for sheet in report.sheets]
    assert book.active.title == "Cal summary"
    for sheet in report.sheets:
        cells = book[sheet.name]
        assert (cells["A1"].value, cells["A2"].value) == (sheet.title, sheet.explanation)
        for table in sheet.tables:
            written = [cells.cell(table.row, table.column + k).value for k in range(len(table.columns))]
            assert written == [column.heading for column in table.columns]


def test_numbers_come_back_to_the_last_bit(sample):
    cells = read_back(sample)["Cal values"]
    table = sample_report().sheets[1].tables[0]
    for offset, column in enumerate(table.columns):
        if column.style != "wrapped" and not column.formulas:
            written = [cells.cell(row, 1 + offset).value for row in range(5, 5 + table.n_rows)]
            assert written == list(column.cells), column.heading


def test_numpy_scalars_are_plain_numbers(tmp_path):
    path = tmp_path / "a.xlsx"
    cells = [np.float64(1.5), np.int64(7), np.bool_(True), np.float64("nan"), np.str_("x")]
    write_report(report_of(Column("A", cells, "general")), path)
    sheet = read_back(path).active
    assert [sheet.cell(row, 1).value for row in range(5, 10)] == [1.5, 7, True, None, "x"]


def test_text_is_never_taken_for_anything_else(sample):
    cells = read_back(sample)["Cal audit"]
    assert (cells["A5"].value, cells["A5"].data_type) == ("=1+1 is text", "s")
    assert cells["A6"].value == "a\ufffdbell"
    assert cells["A8"].value == " spaces "
    assert cells["A9"].value == "two\nlines"
    assert cells["A15"].value == "Müller & Söhne <x>"
    assert b"_x005F_x0041_ stays" in parts_of(sample)["xl/worksheets/sheet4.xml"]


def test_every_formula_carries_its_value(sample):
    plain, valued = read_back(sample), read_back(sample, data_only=True)
    seen = 0
    for sheet in plain:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.data_type == "f" and cell.coordinate != "E9":
                    seen += 1
                    assert valued[sheet.title][cell.coordinate].value is not None, cell.coordinate
    assert seen > 40
    kinds = [valued["Cal audit"].cell(row, 5).value for row in range(5, 11)]
    assert kinds == [6.0, "ab", True, "#N/A", None, 3.5]
    assert plain["Cal audit"]["E6"].value == '="a"&"b"'


def test_formulas_are_shown_without_a_forced_recalculation(sample):
    assert b"fullCalcOnLoad" not in parts_of(sample)["xl/workbook.xml"]


def test_charts_have_alt_text_titles_and_stored_values(sample):
    parts = parts_of(sample)
    drawing = parts["xl/drawings/drawing1.xml"].decode()
    for chart in sample_report().sheets[0].charts:
        assert f'descr="{chart.alt_text}"' in drawing
    frames = re.findall(r"<(?:\w+:)?cNvPr [^>]*>", "".join(p.decode() for n, p in parts.items() if "drawing" in n))
    assert frames
    assert all("descr=" in frame for frame in frames if "Chart" in frame)
    chart = parts["xl/charts/chart1.xml"].decode()
    assert chart.count("<c:title>") == 3
    assert chart.count('<c:delete val="0"/>') == 2
    assert "'Cal values'!$E$5:$E$46" in chart
    assert chart.count('<c:ptCount val="42"/>') == 6
    assert chart.index("<c:plus>") < chart.index("<c:minus>")
    assert '<c:smooth val="1"/>' not in chart


def test_error_bars_lie_within_the_axis(sample):
    chart = parts_of(sample)["xl/charts/chart4.xml"].decode()
    table = sample_report().sheets[2].tables[0]
    bias, half = table.columns[1].cells, table.columns[2].cells
    axis = chart.partition("<c:valAx>")[2]
    high = float(re.search(r'<c:max val="([^"]+)"', axis)[1])
    low = float(re.search(r'<c:min val="([^"]+)"', axis)[1])
    assert high >= max(b + h for b, h in zip(bias, half, strict=True))
    assert low <= min(b - h for b, h in zip(bias, half, strict=True))


def test_looks_are_named_styles_with_the_stated_number_formats(sample):
    cells = read_back(sample)["Cal values"]
    assert cells["A1"].style == "Cal title"
    assert cells["D4"].style == "Cal heading filtered"
    formats = {column: cells[f"{column}5"].number_format for column in "DFKLM"}
    stated = {"D": "0.0", "F": "+0.0;-0.0;0.0", "K": "0.00", "L": "0.0E+00", "M": "0%"}
    assert formats == {column: set_in_format(code) for column, code in stated.items()}
    assert cells["E5"].style == "Cal score"
    assert cells["Q5"].protection.locked is False
    assert {cell.font.name for cell in cells[5]} == {"Calibri"}


def test_warnings_show_a_symbol_as_well_as_colour(sample):
    cells = read_back(sample)["Cal summary"]
    assert cells["A5"].number_format == '"▲ "@'
    assert cells["A4"].number_format == '"✓ "@'
    assert cells["A5"].value.startswith("Two modules")


def test_headings_are_frozen_filtered_repeated_and_explained(sample):
    cells = read_back(sample)["Cal values"]
    assert cells.freeze_panes == "B5"
    assert cells.auto_filter.ref == "A4:Q46"
    assert cells.print_title_rows == "$4:$4"
    assert cells["D4"].comment.text == "The average before calibration."
    assert not cells.merged_cells.ranges


def test_print_set_up(sample):
    book = read_back(sample)
    values, summary = book["Cal values"], book["Cal summary"]
    assert (values.page_setup.orientation, values.page_setup.paperSize) == ("landscape", 9)
    assert (values.page_setup.fitToWidth, values.page_setup.fitToHeight) == (1, 0)
    assert (summary.page_setup.fitToWidth, summary.page_setup.fitToHeight) == (1, 1)
    assert values.sheet_properties.pageSetUpPr.fitToPage
    assert values.oddFooter.left.text == "Confidential: for the Board && nobody else"
    assert "page &P of &N" in values.oddFooter.center.text
    assert values.oddFooter.right.text == "R-20261121-7F3A"


def test_a_green_line_that_turns_brown_loses_its_tick(tmp_path):
    note = Note(3, "Up to date", "good", highlight=Highlight("text", starts="OUT OF DATE"))
    table = Table((Column("Zero?", ["zero"], highlight=Highlight("text", starts="NOT")),), row=5)
    sheet = Sheet(name="Cal summary", title="", explanation="", notes=(note,), tables=(table,))
    path = tmp_path / "ticks.xlsx"
    write_report(replace(sample_report(), sheets=(sheet,)), path)
    rules = {str(block.sqref): block.rules[0].dxf for block in read_back(path)["Cal summary"].conditional_formatting}
    assert rules["A3"].numFmt.formatCode == WARNING_FORMAT and "✓" not in WARNING_FORMAT
    assert rules["A6"].numFmt is None


@pytest.mark.parametrize("style", ["general", "wrapped"])
def test_answers_of_several_kinds_stand_at_the_left_also_where_words_wrap(tmp_path, style):
    column = Column("Figure", [81, "0 to 100"], style, 20, styles=("integer", "wrapped"))
    sheet = Sheet(name="Cal audit", title="", explanation="", tables=(Table((column,)),))
    path = tmp_path / "answers.xlsx"
    write_report(replace(sample_report(), sheets=(sheet,)), path)
    cells = read_back(path)["Cal audit"]
    assert [cells[at].alignment.horizontal for at in ("A5", "A6")] == ["left", "left"]


def test_conditional_formats(sample):
    assessors = read_back(sample)["Cal assessors"]
    rules = {str(block.sqref): block.rules[0] for block in assessors.conditional_formatting}
    assert rules["D5:D27"].formula == ["AND(ISNUMBER(D5),ABS(D5)>=1.8)"]
    assert rules["E5:E27"].formula == ["AND(ISNUMBER(E5),E5<5)"]
    assert rules["D5:D27"].dxf.font.b
    assert rules["B5:B27"].type == "dataBar"
    xml = parts_of(sample)["xl/worksheets/sheet3.xml"]
    assert xml.count(b"<x14:dataBar ") == 1
    assert b'axisPosition="middle"' in xml


def test_links_lead_to_cells_in_the_workbook(sample):
    book = read_back(sample)
    assert book["Cal values"]["A5"].hyperlink.location == "'Cal assessors'!A5"
    assert book["Cal summary"]["A8"].hyperlink.location == "'Cal audit'!A1"


def test_wrapped_rows_are_tall_enough_and_columns_wide_enough(sample):
    book = read_back(sample)
    values = book["Cal values"]
    assert 60 <= values.row_dimensions[5].height <= 90
    assert values.column_dimensions["D"].width > len("(confidence-weighted)")
    assert book["Cal audit"].row_dimensions[9].height >= 30


def test_large_numbers_widen_their_column(tmp_path):
    path = tmp_path / "a.xlsx"
    write_report(report_of(Column("A", ["x"], "text"), Column("B", [-1e12 / 3], "score", width=6)), path)
    assert read_back(path).active.column_dimensions["B"].width >= len("-333333333333.3") + 1


def test_our_sheets_are_known_by_a_hidden_name_even_when_renamed(sample, tmp_path):
    names = [sheet.name for sheet in sample_report().sheets]
    assert own_sheets(sample) == names
    book = read_back(sample)
    assert all(name.hidden for name in book.defined_names.values())
    moved = tmp_path / "renamed.xlsx"
    book["Cal audit"].title = "It's ours"
    book.defined_names["_panelcal_sheet_4"].attr_text = "'It''s ours'!$A$1"
    book.create_sheet("Mine")
    book.save(moved)
    assert own_sheets(moved) == [*names[:3], "It's ours"]


def test_own_sheets_of_something_else(tmp_path):
    path = tmp_path / "a.xlsx"
    path.write_bytes(b"nothing")
    with pytest.raises(FileProblem, match=r"a\.xlsx cannot be read"):
        own_sheets(path)


def test_the_same_report_gives_the_same_bytes(sample, tmp_path):
    again = tmp_path / "again.xlsx"
    write_report(sample_report(), again)
    assert again.read_bytes() == sample.read_bytes()


def test_dates_come_from_the_report_and_nobody_is_named(sample):
    core = parts_of(sample)["docProps/core.xml"].decode()
    assert core.count("2026-11-21T10:15:00Z") == 2
    assert "openpyxl" not in core


def test_a_note_may_be_a_formula_with_its_value(tmp_path):
    path = tmp_path / "a.xlsx"
    report = report_of(Column("A", [1.0], "score"), notes=(Note(3, "1 & 2", formula='=1&" & "&2'),))
    write_report(report, path)
    assert read_back(path).active["A3"].value == '=1&" & "&2'
    assert read_back(path, data_only=True).active["A3"].value == "1 & 2"


def test_an_empty_table_keeps_its_headings(tmp_path):
    path = tmp_path / "a.xlsx"
    write_report(report_of(Column("A", [], "score"), Column("B", [], "wrapped")), path)
    check_package(path)
    assert read_back(path).active["B4"].value == "B"


@pytest.mark.slow
def test_no_more_links_than_a_spreadsheet_can_open(tmp_path):
    path = tmp_path / "a.xlsx"
    n = 70_000
    write_report(report_of(Column("A", ["x"] * n, links=["#A1"] * n)), path)
    assert parts_of(path)["xl/worksheets/sheet1.xml"].count(b"<hyperlink ") == 65_000


def test_too_many_rows_are_refused_in_one_sentence(tmp_path):
    path = tmp_path / "a.xlsx"
    with pytest.raises(FileProblem, match=r"would need 1,048,577 rows"):
        write_report(report_of(Column("A", range(1_048_573), "integer")), path)
    assert not list(tmp_path.iterdir())


@pytest.mark.slow
def test_the_bytes_do_not_depend_on_which_xml_library_is_installed(sample, tmp_path):
    code = (
        "import sys; from pathlib import Path; from files.sample_report import sample_report;"
        "import openpyxl; from panelcal.files.write import write_report;"
        "write_report(sample_report(), Path(sys.argv[1])); print(openpyxl.LXML)"
    )
    heard = []
    for lxml in ("True", "False"):
        target = tmp_path / f"{lxml}.xlsx"
        answer = subprocess.run(
            [sys.executable, "-c", code, str(target)],
            env=os.environ | {"OPENPYXL_LXML": lxml, "PYTHONPATH": str(Path(__file__).parents[1])},
            capture_output=True,
            text=True,
            check=True,
        )
        heard.append(answer.stdout.strip())
        assert target.read_bytes() == sample.read_bytes()
    assert heard[1] == "False"


@pytest.mark.slow
def test_thirty_thousand_cells_are_written_in_well_under_a_second(tmp_path):
    columns = [Column(f"C{k}", [k + 0.1 * row for row in range(3000)], "score") for k in range(10)]
    report = report_of(*columns)
    with at_most(20 * 30_000):
        write_report(report, tmp_path / "a.xlsx")


def test_a_run_of_another_time_changes_only_the_dates(sample, tmp_path):
    later = tmp_path / "later.xlsx"
    write_report(replace(sample_report(), created="2027-01-01T00:00:00"), later)
    first, second = parts_of(sample), parts_of(later)
    assert {name for name in first if first[name] != second[name]} == {"docProps/core.xml"}
