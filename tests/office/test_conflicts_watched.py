"""`Cal next` says by itself when somebody changed who must not meet whom."""

import openpyxl
import pytest

import run_panelcal
from office.office import need_office, recalculated

pytestmark = [pytest.mark.office, pytest.mark.slow]
SCORES = [("T1", "J1", 5), ("T1", "J2", 7), ("T2", "J2", 6), ("T2", "J3", 8), ("T3", "J3", 4), ("T3", "J4", 5),
          ("T4", "J1", 3), ("T4", "J3", 9), ("T5", "J4", 6), ("T5", "J1", 5)]  # fmt: skip


@pytest.fixture(scope="module")
def planned(tmp_path_factory):
    folder = tmp_path_factory.mktemp("planned")
    book = openpyxl.Workbook()
    for name, rows in (
        ("Scores", [("Talk", "Judge", "Score"), *SCORES]),
        ("Conflicts", [("Talk", "Judge"), ("T1", "J3"), ("T2", "J4")]),
        ("Settings", [("Setting", "Value"), ("Further assessments to plan", 3)]),
    ):
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    del book["Sheet"]
    book.save(folder / "talks.xlsx")
    done = run_panelcal.run("calibrate", str(folder / "talks.xlsx"), "-o", str(folder / "planned.xlsx"))
    assert done.returncode == 0, done.stderr
    return folder / "planned.xlsx"


@pytest.mark.parametrize(
    ("edits", "stale"),
    [
        ({}, False),
        ({("Conflicts", "B3"): "J1"}, True),
        ({("Conflicts", "A2"): "t1"}, True),
        ({("Conflicts", "A4"): "T5", ("Conflicts", "B4"): "J2"}, True),
        ({("Conflicts", "A3"): None, ("Conflicts", "B3"): None}, True),
    ],
    ids=["nothing", "another judge", "another letter", "one more pair", "one pair less"],
)
def test_a_changed_conflict_is_said_on_cal_next(planned, edits, stale):
    need_office()
    (line,) = recalculated(planned, [("Cal next", "A3")], edits)
    assert line.startswith("OUT OF DATE: sheet Conflicts has changed" if stale else "Up to date: the conflicts")
