"""Options typed for a workbook with a sheet Settings: doing what the last lines say keeps them, to the letter."""

import itertools
import re
from dataclasses import replace

import openpyxl
import pytest

from panelcal.files.load import load_source
from panelcal.reading.answers import Way, how_to_keep
from panelcal.reading.grid import Grid
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


def _done_as_said(lines, result, path):
    """Write on the sheet Settings of a result what the run said, and nothing else."""
    book = openpyxl.load_workbook(result)
    sheet = book["Settings"]
    for line in lines:
        if below := re.fullmatch(r"- write below Code and Treatment, from row (\d+), (.+) and (\w+)", line):
            sheet[f"A{below[1]}"], sheet[f"B{below[1]}"] = below[2], below[3]
        elif cleared := re.fullmatch(r"- clear cell (\w+)", line):
            sheet[cleared[1]] = None
        else:
            text = line.removeprefix("- write ").replace(", and below them ", " and ").replace(", in cell", " in cell")
            for part in re.split(r" and |, ", text):
                what, cell = re.fullmatch(r"(.+) in (?:cell )?([AB]\d+)(?: \(.*\))?", part).groups()
                what = what.partition(" beside ")[0]
                sheet[cell] = float(what) if re.fullmatch(r"[\d.]+", what) else what
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
def test_doing_what_is_said_keeps_every_option(tmp_path, settings):
    file = _book(tmp_path / "marks.xlsx", settings)
    first = run("calibrate", str(file), *OPTIONS)
    assert first.returncode == 0, first.stderr
    lines = first.stdout.splitlines()
    begin = next(k for k, line in enumerate(lines) if line.startswith("These options hold"))
    said = list(itertools.takewhile(lambda line: line.startswith("- "), lines[begin + 1 :]))
    kept = _done_as_said(said, tmp_path / "marks-calibrated.xlsx", tmp_path / "kept.xlsx")
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
    assert "These options hold" not in run("calibrate", str(kept), "-o", str(tmp_path / "third.xlsx"), *OPTIONS).stdout


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
