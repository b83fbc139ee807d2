"""`Cal summary` of ratings in a real spreadsheet: it notices every rating that changes, goes or trades places."""

import itertools

import openpyxl
import pytest

import run_panelcal
from office.office import need_office, recalculated

pytestmark = pytest.mark.office


@pytest.fixture(scope="module")
def jury(tmp_path_factory):
    """Six talks and four judges, with a rating that is a code and one that is missing, calibrated."""
    need_office()
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Ratings"
    rows = [["Talk", "Ada", "Bo", "Cy", "Di"], ["T1", 5, 4, 4, 5], ["T2", 3, 2, "absent", 3], ["T3", 4, 3, 3, None]]
    for row in [*rows, ["T4", 2, 1, 2, 2], ["T5", 4, 4, 5, 4], ["T6", 1, 2, 1, 3]]:
        sheet.append(row)
    settings = book.create_sheet("Settings")
    for row in [("Setting", "Value"), ("Method", "ordinal"), ("Code", "Treatment")]:
        settings.append(row)
    settings.append(("absent", "exclude"))
    path = tmp_path_factory.mktemp("jury") / "jury.xlsx"
    book.save(path)
    done = run_panelcal.run("calibrate", str(path))
    assert done.returncode == 0, done.stderr
    return path.with_name("jury-calibrated.xlsx")


def said(path, changes):
    return recalculated(path, [("Cal summary", "A3")], {("Ratings", cell): value for cell, value in changes.items()})[0]


def test_untouched_it_is_up_to_date(jury):
    assert said(jury, {}).lstrip("✔✓ ").startswith("Up to date")


@pytest.mark.parametrize(
    "changes",
    [
        {"B2": 4},
        {"B2": None},
        {"E4": 3},
        {"B2": "absent"},
        {"B2": 4, "C2": 5},  # along a row: number, sum and squares stay
        {"B2": 3, "B3": 5},  # along a column
        {"B3": 4, "C2": 3},  # across
        {"B2": "absent", "D3": 5},  # a rating and a code
        {"B2": 4, "B4": 5, "C2": 4, "C4": 3},
    ],
)
def test_whatever_changes_or_trades_places_shows(jury, changes):
    assert said(jury, changes).startswith("OUT OF DATE")


def test_a_rating_typed_again_is_no_change(jury):
    cells = [f"{letter}{row}" for letter, row in itertools.product("BC", (2, 5))]
    same = openpyxl.load_workbook(jury)["Ratings"]
    assert said(jury, {cell: same[cell].value for cell in cells}).lstrip("✔✓ ").startswith("Up to date")
