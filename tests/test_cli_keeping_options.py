"""Options typed for a workbook with a sheet Settings stand on that sheet of the result, for the next run."""

import zipfile
from dataclasses import replace

import openpyxl
import pytest

from panelcal.files.load import load_source
from panelcal.reading.answers import Way, how_to_keep
from panelcal.reading.grid import Grid
from panelcal.reading.kept_settings import kept_on_sheet
from panelcal.reading.settings_sheet import read_settings
from run_panelcal import run, sheet_rows

MATRIX = [
    ["Student", "Algebra", "Botany", "Chemistry", "Attendance %"],
    ["S1", 61, 55, None, 90], ["S2", 48, None, 70, 80], ["S3", None, 66, 58, 95], ["S4", 72, 64, "late", 99],
    ["S5", 52, 47, 60, 70], ["S6", 66, 60, 71, 85],
]  # fmt: skip
OPTIONS = ["--exclude", "Attendance*", "--codes", "late=zero", "--scale", "0:100", "--set", "Alert threshold=2.5"]
OPTIONS += ["--gauge", "reference", "--reference", "61.23456789", "--method", "fisher"]


def _book(path, settings):
    book = openpyxl.Workbook()
    for row in MATRIX:
        book.active.append(row)
    sheet = book.create_sheet("Settings")
    for row in settings:
        sheet.append(row)
    book.save(path)
    return path


@pytest.mark.parametrize(
    "settings",
    [
        pytest.param([["Alert threshold", 3]], marks=pytest.mark.slow),
        [
            ["Setting", "Value"],
            ["Leave out", "S6"],
            ["Zero of the biases", "equal"],
            [],
            ["Code", "Treatment"],
            ["ABS", "exclude"],
        ],
        pytest.param(
            [
                ["Setting", "Value"],
                ["Method", "confidence"],
                ["Leave out"],
                [],
                ["Code", "Treatment"],
                ["late", "exclude"],
            ],
            marks=pytest.mark.slow,
        ),
    ],
)
def test_the_result_keeps_every_option_on_its_own_settings(tmp_path, settings):
    file = _book(tmp_path / "marks.xlsx", settings)
    before = file.read_bytes()
    first = run("calibrate", str(file), *OPTIONS)
    assert first.returncode == 0, first.stderr
    assert "The options are kept on the sheet Settings of the result" in first.stdout
    assert "These options hold" not in first.stdout
    assert file.read_bytes() == before
    kept = tmp_path / "marks-calibrated.xlsx"
    written = read_settings(load_source(kept).grid("Settings"))[0]
    assert written.exclude[-1] == "Attendance*"
    assert (written.scale_low, written.scale_high, written.alert_threshold) == (0, 100, 2.5)
    assert (written.gauge, written.reference, written.method) == ("reference", 61.23456789, "fisher")
    assert written.codes["late"] == "zero"
    assert "ABS" in written.codes or settings[-1][0] == "late"
    again = run("calibrate", str(kept), "-o", str(tmp_path / "again.xlsx"))
    assert again.returncode == 0, again.stderr
    values = [
        [row["Fisher"] if "Fisher" in row else row["Calibrated value"] for row in sheet_rows(path, name)]
        for path, name in (
            (tmp_path / "marks-calibrated.xlsx", "Cal values"),
            (tmp_path / "again.xlsx", "Cal values 2"),
        )
    ]
    assert values[0] == values[1]
    assert len(values[0]) == 6 - (["Leave out", "S6"] in settings)
    # Typed again, the options are on the sheet already, and nothing is left to do.
    assert "are kept" not in run("calibrate", str(kept), "-o", str(tmp_path / "third.xlsx"), *OPTIONS).stdout
    book = openpyxl.load_workbook(kept)
    assert book["Sheet"]["B2"].value == 61
    assert book["Settings"].max_row > len(settings)


def test_a_value_that_is_worked_out_is_left_to_the_user(tmp_path):
    """A formula in the place of a setting stays, and what to do is said instead."""
    file = _book(tmp_path / "marks.xlsx", [["Setting", "Value"], ["Alert threshold", 3]])
    with zipfile.ZipFile(file) as package:
        parts = {name: package.read(name) for name in package.namelist()}
    parts["xl/worksheets/sheet2.xml"] = parts["xl/worksheets/sheet2.xml"].replace(b"<v>3</v>", b"<f>1+2</f><v>3</v>")
    with zipfile.ZipFile(file, "w") as package:
        for name, content in parts.items():
            package.writestr(name, content)
    done = run("calibrate", str(file), "--set", "Alert threshold=2.5", *OPTIONS[:4])
    assert "These options hold for this run only" in done.stdout
    assert "are kept" not in done.stdout
    assert "- write 2.5 in cell B2 (Alert threshold)" in done.stdout.splitlines()
    book = openpyxl.load_workbook(tmp_path / "marks-calibrated.xlsx")
    assert book["Settings"]["B2"].value == "=1+2"


@pytest.mark.parametrize(
    ("criteria", "deeds"),
    [
        ({"Clarity": 1.0}, ["clear A4:B4", "write below Criterion and Weight of criterion, from row 3, Clarity and 1"]),
        (
            {"Clarity": 3.0, "Fit": 1.0},
            ["write below Criterion and Weight of criterion, from row 3, Clarity and 3, Fit and 1"],
        ),
        ({}, ["clear A3:B4"]),
        ({"Originality": 2.0, "Clarity": 1.0}, []),
    ],
)
def test_a_table_of_criteria_is_written_anew(criteria, deeds):
    rows = (("Alert threshold", 3), ("Criterion", "Weight of criterion"), ("Originality", 2), ("Clarity", 1))
    grid = Grid("Settings", rows)
    written = read_settings(grid)[0]
    assert how_to_keep(replace(written, criteria=criteria), Way("workbook", written, grid)) == deeds


def test_a_table_in_one_row_is_written_anew_in_its_row():
    rows = (("Codes", "late=zero"), ("Criteria", "Depth=1"), ("Criteria", "Style=1"))
    grid = Grid("Settings", rows)
    written = read_settings(grid)[0]
    chosen = replace(written, codes={**written.codes, "late": "exclude", "ill": "zero"}, criteria={"together": 1.0})
    way = Way("workbook", written, grid)
    cells = kept_on_sheet(chosen, way).cells
    assert cells == {(1, 2): "late=exclude, ill=zero", (2, 2): "together", (3, 2): None}
    assert how_to_keep(chosen, way) == [
        "write late=exclude, ill=zero in cell B1 (Codes)",
        "write together in cell B2 (Criteria)",
        "clear cell B3",
    ]
    again = read_settings(grid.with_cells(cells))[0]
    assert (dict(again.codes), dict(again.criteria)) == (dict(chosen.codes), dict(chosen.criteria))


@pytest.mark.slow
@pytest.mark.parametrize(
    "options",
    [
        ["--exclude", "Attendance %", "--codes", "late=zero"],
        ["--exclude", "A*", "--codes", "late=zero", "--layout", "list"],
    ],
)
def test_the_next_run_of_a_workbook_that_had_no_settings_finds_nothing_changed(tmp_path, options):
    book = openpyxl.Workbook()
    for row in MATRIX if "list" not in options else _as_list():
        book.active.append(row)
    book.save(tmp_path / "marks.xlsx")
    first = run("calibrate", str(tmp_path / "marks.xlsx"), *options)
    assert first.returncode == 0 and "The options are kept on the sheet Settings" in first.stdout, first.stderr
    again = run("calibrate", str(tmp_path / "marks-calibrated.xlsx"), "-o", str(tmp_path / "again.xlsx"))
    assert again.returncode == 0, again.stderr
    assert "out of date" not in again.stdout


def _as_list():
    rows = [["Student", "Module", "Mark"]]
    return rows + [
        [row[0], head, mark] for row in MATRIX[1:] for head, mark in zip(MATRIX[0][1:], row[1:], strict=True)
    ]
