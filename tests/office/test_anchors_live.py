"""`Cal summary` of agents in a real spreadsheet: it notices scores and anchors that change, go or trade places."""

from pathlib import Path

import openpyxl
import pytest

import run_panelcal
from office.office import need_office, recalculated

pytestmark = pytest.mark.office
EXAMPLE = Path(__file__).parents[2] / "workbook_templates" / "ai_reviewers_example.xlsx"


@pytest.fixture(scope="module")
def calibrated(tmp_path_factory):
    need_office()
    target = tmp_path_factory.mktemp("agents") / "out.xlsx"
    done = run_panelcal.run("calibrate", str(EXAMPLE), "-o", str(target))
    assert done.returncode == 0, done.stderr
    return target


def said(path, changes):
    return recalculated(path, [("Cal summary", "A3")], changes)[0]


def test_untouched_it_is_up_to_date(calibrated):
    assert said(calibrated, {}).lstrip("✔✓ ").startswith("Up to date")


@pytest.mark.parametrize("sheet", ["Scores", "Anchors"])
def test_a_changed_cell_and_an_exchange_of_two_show(calibrated, sheet):
    cells = openpyxl.load_workbook(calibrated)[sheet]
    one, other = ("G12", "H12")
    assert cells[one].value != cells[other].value
    exchanged = {(sheet, one): cells[other].value, (sheet, other): cells[one].value}
    for changes in ({(sheet, one): cells[one].value + 1}, exchanged):
        assert said(calibrated, changes) == f"OUT OF DATE: {sheet.lower()} have changed since; calibrate again."
