"""LibreOffice reads what we write: no repair, the same values, every sheet printable."""

import re
from dataclasses import replace

import pytest

from files.carried_workbooks import rich_workbook
from files.package_checks import check_package, read_back
from files.sample_report import sample_report
from office.office import converted, need_office, opened, recalculated, render
from panelcal.files.write import carries_whole, write_report

pytestmark = pytest.mark.office


@pytest.fixture(autouse=True)
def _office():
    need_office()


@pytest.fixture(scope="module")
def sample(tmp_path_factory):
    path = tmp_path_factory.mktemp("written") / "sample.xlsx"
    write_report(sample_report(), path)
    return path


def formula_cells(path):
    book = read_back(path)
    return [
        (sheet.title, cell.coordinate)
        for sheet in book
        for row in sheet.iter_rows()
        for cell in row
        if cell.data_type == "f" and cell.coordinate != "E8"
    ]


def test_it_opens_with_all_sheets_and_shows_stored_values(sample):
    cells = formula_cells(sample)
    sheets, values = opened(sample, cells)
    stored = read_back(sample, data_only=True)
    assert sheets == [sheet.name for sheet in sample_report().sheets]
    expected = [stored[sheet][cell].value for sheet, cell in cells]
    assert values == pytest.approx(expected) if not any(isinstance(v, str) for v in expected) else len(values) > 40


def test_recalculating_changes_no_stored_value(sample):
    cells = formula_cells(sample)
    stored = read_back(sample, data_only=True)
    for (sheet, cell), value in zip(cells, recalculated(sample, cells), strict=True):
        expected = stored[sheet][cell].value
        if isinstance(expected, float | int):
            assert value == pytest.approx(float(expected), abs=1e-9), (sheet, cell)
        else:
            assert value == (expected or ""), (sheet, cell)


def test_an_edit_shows_in_the_formulas(sample):
    reads = [("Cal audit", "E5"), ("Cal audit", "E7"), ("Cal audit", "B5")]
    assert recalculated(sample, reads, {("Cal audit", "B5"): 100.0}) == [106.0, 0.0, 100.0]


def test_the_summary_prints_on_one_page(sample, tmp_path):
    pages = render(sample, tmp_path, "Cal summary", dots_per_inch=30)
    assert len(pages) == 1
    assert pages[0].read_bytes().startswith(b"\x89PNG")


def test_a_workbook_from_libreoffice_is_carried_over_with_its_values(tmp_path):
    source = converted(rich_workbook(tmp_path / "rich.xlsx"), tmp_path / "marks.xlsx")
    target = tmp_path / "out.xlsx"
    assert carries_whole(source) == ()
    write_report(sample_report(), target, workbook=source)
    check_package(target)
    before = read_back(source, data_only=True)
    after = read_back(target, data_only=True)
    for sheet in before:
        for row in sheet.iter_rows():
            for cell in row:
                assert after[sheet.title][cell.coordinate].value == cell.value
    assert before["Year 3 marks"]["D2"].value == 120
    reads = [("Year 3 marks", "D2"), ("Cal values", "J5")]
    changed = recalculated(target, reads, {("Year 3 marks", "B2"): 60})
    assert changed[0] == 128


def test_formulas_on_our_sheets_follow_the_users_cells(tmp_path):
    source = rich_workbook(tmp_path / "marks.xlsx")
    report = sample_report()
    audit = report.sheets[3]
    kinds = audit.tables[1]
    value = kinds.columns[1]
    linked = replace(value, cells=[52.0, *value.cells[1:]], formulas=["='Year 3 marks'!B2", *value.formulas[1:]])
    table = replace(kinds, columns=(kinds.columns[0], linked))
    sheet = replace(audit, tables=(audit.tables[0], table))
    target = tmp_path / "out.xlsx"
    write_report(replace(report, sheets=(*report.sheets[:3], sheet)), target, workbook=source)
    assert opened(target, [("Cal audit", "E5")])[1] == [52.0]
    assert recalculated(target, [("Cal audit", "E5")], {("Year 3 marks", "B2"): 77.0}) == [77.0]


def test_what_libreoffice_saves_again_still_knows_our_sheets(sample, tmp_path):
    again = converted(sample, tmp_path / "again.xlsx")
    names = read_back(again).defined_names
    assert len([name for name in names if re.fullmatch(r"_panelcal_sheet_\d", name)]) == 4
