"""Results as JSON and CSV: the figures of the Python API, unrounded, and what was there before."""

import csv
import json

import numpy as np
import pytest

from panelcal import (
    assessor_differences,
    calibrate,
    compare,
    robustness,
    uncertainty,
    unexpected_scores,
    verdict,
)
from programs.small_inputs import COLUMNS, HEADINGS, MARKS, column, same_panel, table
from run_panelcal import digest, run, sheet_rows

OLD_JSON = "there before"


def test_json_has_the_figures_of_the_python_api_unrounded(marks, tmp_path):
    done = run(
        "calibrate", str(marks), *COLUMNS, "--json", str(tmp_path / "out.json"), "--set", "Level of intervals=0.9"
    )
    assert done.returncode == 0, done.stderr
    found = json.loads((tmp_path / "out.json").read_text("utf-8"))
    assert (found["schema"], found["kind"], found["source"]) == ("panelcal/1", "calibration", "marks.csv")
    fit = calibrate(same_panel())
    errors, tested, wild = uncertainty(fit), assessor_differences(fit), unexpected_scores(fit)
    values, biases, left = found["values"], found["biases"], found["residuals"]
    assert column(values, "object") == list(fit.panel.objects)
    assert column(values, "value") == fit.values.tolist()
    assert column(values, "standard_error") == errors.value_errors.tolist()
    assert np.array_equal([[row["lower"], row["upper"]] for row in values], errors.value_interval(0.9))
    assert column(values, "average") == compare(fit.panel).weighted_average.tolist()
    assert column(biases, "bias") == fit.biases.tolist()
    assert column(biases, "adjusted_p_value") == tested.adjusted_p_values.tolist()
    assert column(left, "residual") == fit.residuals.tolist()
    assert column(left, "p_value") == [None if np.isnan(p) else p for p in wild.p_values.tolist()]
    assert column(left, "cell") == [f"C{k}" for k in range(2, 11)]
    assert found["weighted_residual_sum"] == fit.weighted_residual_sum and found["w_unbiased"] == fit.w_unbiased
    assert found["mu2"] == robustness(fit).mu2 and found["p_value"] == verdict(fit.panel).p_value
    assert (found["n_objects"], found["n_assessors"], found["n_assessments"]) == (4, 3, 9)
    assert found["level"] == 0.9 and found["alarms"] == {"disconnected": []}


def test_the_same_figures_stand_on_the_sheets(marks, tmp_path):
    assert run("calibrate", str(marks), *COLUMNS, "--json", str(tmp_path / "out.json"), "-q").returncode == 2
    assert run("calibrate", str(marks), *COLUMNS, "--json", str(tmp_path / "out.json"), "--quiet").stdout == ""
    found = json.loads((tmp_path / "out.json").read_text("utf-8"))
    shown = {row["Student"]: row for row in sheet_rows(tmp_path / "marks-calibrated.xlsx", "Cal values")}
    for row in found["values"]:
        on_sheet = shown[row["object"]]
        assert on_sheet["Calibrated value"] == row["value"] and on_sheet["Standard error"] == row["standard_error"]


def test_what_has_no_answer_is_null_and_an_empty_cell(piped, tmp_path):
    tree = table([("Ann", "Reed", 5), ("Ann", "Shah", 7), ("Bo", "Shah", 6)], HEADINGS[:3])
    done = piped(tree, "calibrate", "-", *COLUMNS[:6], "--json", "-", "--csv", str(tmp_path / "out"))
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout, parse_constant=pytest.fail)
    assert found["w_unbiased"] is None and {row["standard_error"] for row in found["values"]} == {None}
    with (tmp_path / "out" / "values.csv").open(newline="", encoding="utf-8") as stream:
        assert {row["standard_error"] for row in csv.DictReader(stream)} == {""}


def test_csv_files_hold_the_tables_of_the_json(marks, tmp_path):
    folder = tmp_path / "out"
    asked = ("calibrate", str(marks), *COLUMNS, "--json", str(tmp_path / "out.json"), "--csv", str(folder))
    assert run(*asked).returncode == 0
    found = json.loads((tmp_path / "out.json").read_text("utf-8"))
    names = {"values", "biases", "residuals", "policy", "decisions", "figures"}
    assert {path.name for path in folder.iterdir()} == {f"{name}.csv" for name in names}
    for name in names - {"figures"}:
        with (folder / f"{name}.csv").open(newline="", encoding="utf-8") as stream:
            rows = list(csv.DictReader(stream))
        assert len(rows) == len(found[name])
        for row, same in zip(rows, found[name], strict=True):
            assert list(row) == list(same)
            numbers = [key for key, value in same.items() if isinstance(value, float)]
            assert all(float(row[key]) == same[key] for key in numbers)
    figures = dict(csv.reader((folder / "figures.csv").read_text("utf-8").splitlines()))
    assert float(figures["mu2"]) == found["mu2"]
    assert float(figures["expected_error.raw"]) == found["expected_error"]["raw"]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".panelcal")] == []


def test_a_label_is_no_formula_in_a_csv_file(piped, tmp_path):
    odd = table([("=1+1", *row[1:]) if row[0] == "Ann" else row for row in MARKS])
    assert piped(odd, "calibrate", "-", *COLUMNS, "--csv", str(tmp_path / "out")).returncode == 0
    assert "\n'=1+1," in (tmp_path / "out" / "values.csv").read_text("utf-8")


def test_what_is_there_is_kept_and_nothing_is_written_then(marks, tmp_path):
    there = tmp_path / "out.json"
    there.write_text(OLD_JSON)
    folder = tmp_path / "out"
    folder.mkdir()
    (folder / "values.csv").write_text(OLD_JSON)
    (folder / "mine.txt").write_text(OLD_JSON)
    for asked in (["--json", str(there)], ["--csv", str(folder)], ["--json", str(tmp_path / "no" / "x.json")]):
        done = run("calibrate", str(marks), *COLUMNS, *asked)
        assert done.returncode == 1 and not (tmp_path / "marks-calibrated.xlsx").exists()
    assert "is the input itself" in run("calibrate", str(marks), *COLUMNS, "--json", str(marks), "--force").stderr
    same = run("calibrate", str(marks), *COLUMNS, "--json", str(tmp_path / "marks-calibrated.xlsx"), "--force")
    assert same.returncode == 1 and "is to be the workbook" in same.stderr and list(tmp_path.glob("*.xlsx")) == []
    before = digest(marks)
    assert run("calibrate", str(marks), *COLUMNS, "--json", str(there), "--csv", str(folder), "--force").returncode == 0
    assert json.loads(there.read_text("utf-8"))["schema"] == "panelcal/1"
    assert (folder / "mine.txt").read_text() == OLD_JSON and (folder / "values.csv").read_text() != OLD_JSON
    assert digest(marks) == before


@pytest.mark.slow
def test_a_page_for_browsers_is_written_beside_the_workbook(marks, tmp_path):
    page = tmp_path / "out.html"
    assert run("calibrate", str(marks), *COLUMNS, "--html", str(page)).stdout.count(f"Wrote {page}.") == 1
    text = page.read_text("utf-8")
    assert "<title>marks.csv: calibrated</title>" in text and "Toft" in text
    page.write_text(OLD_JSON)
    refused = run("calibrate", str(marks), *COLUMNS, "--html", str(page), "-o", str(tmp_path / "o.xlsx"))
    assert refused.returncode == 1 and page.read_text() == OLD_JSON and not (tmp_path / "o.xlsx").exists()
    same = run("calibrate", str(marks), *COLUMNS, "--html", str(page), "--json", str(page), "--force")
    assert same.returncode == 1 and "another name with --html" in same.stderr and page.read_text() == OLD_JSON


def test_a_check_tells_programs_what_was_understood(marks, tmp_path):
    done = run("check", str(marks), *COLUMNS, "--json", "-")
    found = json.loads(done.stdout)
    assert (found["schema"], found["kind"]) == ("panelcal/1", "check")
    assert column(found["objects"], "object") == ["Ann", "Bo", "Cy", "Di"]
    assert (found["lowest"], found["highest"], found["n_assessors"]) == (41.0, 70.0, 3)
    assert run("check", str(marks), *COLUMNS, "--csv", str(tmp_path / "seen")).returncode == 0
    assert (tmp_path / "seen" / "assessors.csv").read_text().splitlines() == ["assessor", "Reed", "Shah", "Toft"]


def test_a_plan_is_told_to_programs_too(tmp_path):
    (tmp_path / "jury.csv").write_text("Talk,Judge\nT1,Ada\nT2,Ben\nT3,Cleo\n", encoding="utf-8")
    asked = ("plan", str(tmp_path / "jury.csv"), "--per-object", "2", "--csv", str(tmp_path / "out"), "--json", "-")
    done = run(*asked)
    assert done.returncode == 0, done.stderr
    found = json.loads(done.stdout)
    assert (found["kind"], found["per_object"]) == ("plan", 2)
    planned = {(row["object"], row["assessor"]) for row in found["assignment"]}
    shown = sheet_rows(tmp_path / "jury-plan.xlsx", "By talk")
    assert planned == {(row["Talk"], row[f"Judge {k}"]) for row in shown for k in (1, 2)}
    assert column(found["loads"], "objects") == [2, 2, 2]
    lines = (tmp_path / "out" / "assignment.csv").read_text("utf-8").splitlines()
    assert {tuple(line.split(",")) for line in lines[1:]} == planned
    assert run(*asked, "--force", "--fail-on", "policy").returncode == 2


def test_a_long_table_has_files_of_its_own(tmp_path):
    done = run("calibrate", "scores.parquet", *COLUMNS, "-o", "out", "--json", "x.json", folder=tmp_path)
    assert done.returncode == 1 and "summary.json" in done.stderr
