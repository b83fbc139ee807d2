"""Refusals about cells, sheets and confidences have a way on, and the answer, taken literally, leads there."""

import datetime
import shlex

import openpyxl
import pytest

from panelcal.reading.grid import CellError, Grid, Source
from panelcal.reading.read import read_panel
from run_panelcal import run, sheet_rows

HEAD = ["Student", "Ann", "Bob", "Cy"]
ROWS = [["S1", 61, 55, 70], ["S2", 48, 52, None], ["S3", None, 66, 58], ["S4", 72, 64, 69]]


def _save(path, rows, **more):
    book = openpyxl.Workbook()
    for name, cells in {"Marks": rows, **more}.items():
        sheet = book.active if name == "Marks" else book.create_sheet(name)
        sheet.title = name
        for row in cells:
            sheet.append(row)
    book.save(path)
    return path


def _with(value, other=None):
    return [HEAD, ["S1", 61, value, 70], ["S2", 48, 52, other], *ROWS[2:]]


def _typed(refusal, meaning):
    """Return the option that the refusal gives for what somebody means."""
    line = next(line for line in refusal.splitlines() if line.startswith(f"- To {meaning}, add "))
    return shlex.split(line.removeprefix(f"- To {meaning}, add ").partition(" to the command")[0])


def _values(path):
    return [row["Calibrated value"] for row in sheet_rows(path, "Cal values")]


@pytest.mark.parametrize(
    ("value", "other", "meaning"),
    [
        ("#DIV/0!", None, "take it as not assessed"),
        pytest.param("#N/A", "#DIV/0!", "take them as not assessed", marks=pytest.mark.slow),
        pytest.param(datetime.datetime(2026, 12, 11), None, "take it as not assessed", marks=pytest.mark.slow),
        pytest.param(
            datetime.date(2026, 12, 11), datetime.date(2026, 1, 5), "take them as not assessed", marks=pytest.mark.slow
        ),
    ],
)
def test_errors_and_dates_can_be_taken_as_not_assessed(tmp_path, value, other, meaning):
    file = _save(tmp_path / "marks.xlsx", _with(value, other))
    refused = run("calibrate", str(file))
    assert refused.returncode == 1
    assert "B" not in refused.stderr.split(" on sheet ")[0]  # the cells named are those in column C
    done = run("calibrate", str(file), *_typed(refused.stderr, meaning))
    assert done.returncode == 0, done.stderr
    plain = _save(tmp_path / "plain.xlsx", _with(None))
    assert run("calibrate", str(plain)).returncode == 0
    assert _values(tmp_path / "marks-calibrated.xlsx") == _values(tmp_path / "plain-calibrated.xlsx")


def test_an_error_in_a_csv_too(tmp_path):
    file = tmp_path / "marks.csv"
    file.write_text("\n".join(",".join("" if v is None else str(v) for v in row) for row in _with("#DIV/0!")))
    refused = run("check", str(file))
    assert "correct the formula there or clear the cell" in refused.stderr
    assert run("check", str(file), *_typed(refused.stderr, "take it as not assessed")).returncode == 0


def test_an_error_as_a_code_on_the_sheet_settings(tmp_path):
    """A spreadsheet turns the text #DIV/0! that is typed there into that error."""
    assert str(CellError("#DIV/0!")) == "#DIV/0!"
    file = _save(tmp_path / "marks.xlsx", _with("#DIV/0!"), Settings=[["Code", "Treatment"], ["ABS", "exclude"]])
    refused = run("check", str(file))
    assert "write below Code and Treatment, from row 3, #DIV/0! and exclude" in refused.stderr
    book = openpyxl.load_workbook(file)
    book["Settings"]["A3"], book["Settings"]["B3"] = "#DIV/0!", "exclude"
    book.save(file)
    assert run("check", str(file)).returncode == 0


def test_many_dates_are_only_told(tmp_path):
    rows = [HEAD, *([f"S{k}", datetime.date(2026, 1, k), k, 70 - k] for k in range(1, 12))]
    refused = run("check", str(_save(tmp_path / "marks.xlsx", rows)))
    assert refused.returncode == 1
    assert "as not assessed" not in refused.stderr


def test_confidences_in_two_places_can_be_chosen_from(tmp_path):
    other = [HEAD, ["S1", 1, 2, 3], ["S2", 2, 1, 1], ["S3", 1, 1, 2], ["S4", 2, 3, 1]]
    file = _save(tmp_path / "marks.xlsx", [["Credits", 10, 20, 15], HEAD, *ROWS], Confidence=other)
    refused = run("check", str(file))
    assert "more than one place" in refused.stderr
    none = run("check", str(file), *_typed(refused.stderr, "use none of them"))
    assert none.returncode == 0, none.stderr
    assert "with confidences" not in none.stdout
    by_sheet = run("check", str(file), *_typed(refused.stderr, "use those on the sheet Confidence"))
    assert by_sheet.returncode == 0, by_sheet.stderr
    assert "with confidences" in by_sheet.stdout


def test_one_of_several_sheets_is_named(tmp_path):
    file = _save(tmp_path / "marks.xlsx", [["Notes"]], **{"Year 1": [HEAD, *ROWS], "Year 2": [HEAD, *ROWS]})
    refused = run("check", str(file))
    assert run("check", str(file), *_typed(refused.stderr, "read Year 2")).returncode == 0


def test_what_cannot_be_seen_in_a_file_is_to_be_looked_at():
    grid = Grid("Marks", (tuple(HEAD), *map(tuple, ROWS)))
    reading = read_panel(Source("marks.xls", (grid,), "Marks", ("A note.",), cautions=("Errors look blank.",)))
    said = {one.sentence: one.weight for one in reading.decisions if one.kind == "about the file"}
    assert said == {"A note.": "note", "Errors look blank.": "warning"}
