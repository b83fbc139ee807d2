"""An extract agrees with the result sheets of the workbook that it is made from, or is not made."""

import functools
import tempfile
from pathlib import Path

import openpyxl
import pytest
from typer.testing import CliRunner

from panelcal.cli import app
from panelcal.files.load import load_source
from panelcal.reading.prior import prior_grid
from panelcal.run import run as run_once
from panelcal.systems.calibration.as_filed import calibrated_as_filed
from panelcal.systems.choices import Choices
from run_panelcal import looking_at, sheet_rows

MARKS = [
    ["Student", "M1", "M2", "M3"],
    ["Credits", 15, 15, 30],
    ["001", 61, 64, None],
    ["002", 50, None, 58],
    ["003", None, 70, 66],
    ["004", 55, 51, 60],
    ["005", 71, None, 64],
]


def run(*arguments):
    """In this process: what is tested is what an extract says, not how a process ends."""
    return CliRunner().invoke(app, arguments)


def _write(path):
    book = openpyxl.Workbook()
    book.active.title = "Marks"
    for row in MARKS:
        book.active.append(row)
    book.save(path)
    return path


@pytest.fixture
def marks(tmp_path):
    return _write(tmp_path / "marks.xlsx")


@functools.cache
def _result(*options):
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder, "result.xlsx")
        done = run("calibrate", str(_write(Path(folder, "marks.xlsx"))), *options, "-o", str(target))
        assert done.exit_code == 0, done.stderr
        return target.read_bytes()


def _calibrated(marks, *options):
    """What the command makes of the marks, made once for each choice of options."""
    target = marks.with_name("result.xlsx")
    target.write_bytes(_result(*options))
    return target


def _on_paper(result, label, suffix=""):
    """Calibrated value and run identifier that the result sheets have."""
    rows = sheet_rows(result, "Cal values" + suffix)
    value = next(row["Calibrated value"] for row in rows if row["Student"] == label)
    with looking_at(result) as book:
        audit = {row[1]: row[2] for row in book["Cal audit" + suffix].iter_rows(min_col=1, max_col=3, values_only=True)}
    return value, audit["Run identifier"]


def _extract(result, *options, label="004"):
    """What the extract says, or why there is none."""
    target = result.with_name("extract.xlsx")
    done = run("extract", str(result), "--object", label, *options, "-o", str(target), "--force")
    if done.exit_code:
        return done.stderr
    with looking_at(target) as book:
        lines = [row[0] for row in book.active.iter_rows(values_only=True) if row[0]]
    return " ".join(lines)


@pytest.mark.parametrize(
    "options",
    [
        pytest.param((), id="usual"),
        pytest.param(("--gauge", "equal"), id="gauge"),
        pytest.param(("--method", "bisquare"), id="method", marks=pytest.mark.slow),
        pytest.param(("--gauge", "reference", "--reference", "61.2345678"), id="reference", marks=pytest.mark.slow),
    ],
)
def test_the_extract_is_of_the_run_whose_sheets_are_there(marks, options):
    result = _calibrated(marks, *options)
    value, identifier = _on_paper(result, "004")
    said = _extract(result)
    assert f"calibrated value {value:.1f}" in said
    assert f"run {identifier} of 20" in said
    if options:
        assert options[1] in said.lower()


def test_the_value_differs_between_gauges_so_that_agreeing_means_something(marks):
    values = {_on_paper(_calibrated(marks, *options), "004")[0] for options in [(), ("--gauge", "equal")]}
    assert len({f"{value:.1f}" for value in values}) == 2


def test_other_options_than_those_of_the_sheets_are_refused_by_name(marks):
    refused = _extract(_calibrated(marks, "--gauge", "equal"), "--gauge", "weighted")
    assert "Cal audit says Gauge equal" in refused
    assert not marks.with_name("extract.xlsx").exists()


def test_marks_that_changed_since_are_refused(marks):
    result = _calibrated(marks)
    book = openpyxl.load_workbook(result)
    book["Marks"]["B3"] = 62
    book.save(result)
    refused = _extract(result)
    assert "changed after the results were made (Cal audit, 20" in refused
    assert "Calibrate again" in refused


@pytest.mark.slow
def test_of_several_runs_the_one_asked_for_is_taken_else_the_newest(marks):
    first = _calibrated(marks)
    second = marks.with_name("second.xlsx")
    assert run("calibrate", str(first), "--gauge", "equal", "-o", str(second)).exit_code == 0
    assert _on_paper(second, "004", " 2")[1] in _extract(second)
    assert _on_paper(second, "004")[1] in _extract(second, "--gauge", "weighted")


def test_a_workbook_of_results_only_is_refused_with_what_to_do(marks):
    refused = _extract(_calibrated(marks, "--results-only"))
    assert "not the sheet Marks that they were made from" in refused


def test_an_input_without_results_takes_the_options_of_calibrate(marks):
    paper = _calibrated(marks, "--gauge", "equal")
    value, identifier = _on_paper(paper, "004")
    said = _extract(marks, "--gauge", "equal")
    assert f"calibrated value {value:.1f}" in said
    assert identifier in said
    assert identifier not in _extract(marks)


@pytest.mark.slow
def test_earlier_biases_that_were_chosen_beside_the_file_count_in_extracts_too(marks):
    book = openpyxl.load_workbook(marks)
    book["Marks"]["B3"] = 41
    book.save(marks.with_name("last.xlsx"))
    assert run("calibrate", str(marks.with_name("last.xlsx")), "-o", str(marks.with_name("made.xlsx"))).exit_code == 0
    earlier = prior_grid(load_source(marks.with_name("made.xlsx")))
    source, choices = load_source(marks), Choices(method="prior", prior=earlier)
    made = run_once(source, choices, created="2026-01-01T00:00:00", versions={})
    values = next(sheet for sheet in made.report.sheets if sheet.name == "Cal values").tables[0]
    shown = {column.heading: column.cells for column in values.columns}
    results = calibrated_as_filed(source, choices, created="2026-01-01T00:00:00", versions={}).results
    own = dict(zip(results.panel.objects, results.values, strict=True))
    assert [own[label] for label in shown["Student"]] == pytest.approx(list(shown["Calibrated value"]), rel=1e-12)
    plain = calibrated_as_filed(source, Choices(), created="2026-01-01T00:00:00", versions={}).results
    assert max(abs(plain.values - results.values)) > 0.1
