"""Decisions filled in on `Cal values`, on the page for the Board, in a real spreadsheet."""

import openpyxl
import pytest

from office.office import need_office, recalculated
from panelcal.reporting.decisions import DECISION

pytestmark = pytest.mark.office


def _places(sheet, heading):
    """Cells under every heading of that name, down to the end of its table."""
    for row in sheet.iter_rows():
        for cell in row:
            if cell.value == heading:
                below = cell.row + 1
                while sheet.cell(below, 1).value is not None and sheet.cell(below, 2).value is not None:
                    yield sheet.cell(below, 1).value, sheet.cell(below, cell.column).coordinate
                    below += 1


def test_each_decision_shows_beside_its_own_student_on_the_summary_and_nowhere_else(calibrated_example):
    need_office()
    book = openpyxl.load_workbook(calibrated_example)
    cases = list(_places(book["Cal summary"], DECISION))
    rows = dict(_places(book["Cal values"], DECISION))
    assert len(cases) > 8
    decided = [label for label, _ in cases[::2]]
    changes = {("Cal values", rows[label]): f"decided for {label}" for label in decided}
    found = recalculated(calibrated_example, [("Cal summary", place) for _, place in cases], changes)
    assert found == [f"decided for {label}" if label in decided else "" for label, _ in cases]


def test_a_long_decision_typed_on_the_summary_makes_its_row_higher(calibrated_example, tmp_path):
    need_office()
    _, place = next(_places(openpyxl.load_workbook(calibrated_example)["Cal summary"], DECISION))
    words = "Remains Lower second: script of MA390 to be seen by the external examiner first"
    kept = tmp_path / "kept.xlsx"
    assert recalculated(calibrated_example, [("Cal summary", place)], {("Cal summary", place): words}, kept) == [words]
    rows = openpyxl.load_workbook(kept)["Cal summary"].row_dimensions
    row = int(place.lstrip("ABCDEFGHIJKLMNOPQRSTUVWXYZ"))
    assert rows[row].height > 2 * rows[row + 1].height
