"""The options about reading, on check as on calibrate, and what the result remembers of them."""

import csv

import openpyxl
import pytest

from run_panelcal import looking_at, run, sheet_rows

LIST = [
    ["Paper", "Adjudicator", "Reviewer", "Originality", "Clarity", "Self rating"],
    *[[f"P{p}", f"A{a}", f"R{a}", 10 * p + a, 5 * p - a, 1 + a] for p in range(1, 5) for a in range(3)],
]
MATRIX = [
    ["Student", "Judge A", "Judge B", "Judge C", "Attendance %"],
    *[[f"S{k}", 50 + 3 * k, 60 + 2 * k, 58 + (k * 7) % 5, 90 + k % 4] for k in range(6)],
]


def _csv(path, rows):
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows(rows)
    return path


def _xlsx(path, rows, settings=()):
    book = openpyxl.Workbook()
    book.active.title = "Marks"
    for row in rows:
        book.active.append(row)
    if settings:
        sheet = book.create_sheet("Settings")
        for row in settings:
            sheet.append(row)
    book.save(path)
    return path


def test_a_csv_is_told_the_options_and_they_lead_on_in_one_step(tmp_path):
    file = _csv(tmp_path / "reviews.csv", LIST)
    asked = run("check", str(file))
    assert asked.returncode == 1
    for typed in ("--assessor Reviewer", "--score Clarity", '--criteria "Originality=1, Clarity=1, Self rating=1"'):
        assert f"add {typed} to the command." in asked.stderr
    assert "sheet Settings" not in asked.stderr
    done = run("check", str(file), "--assessor", "Reviewer", "--score", "Clarity")
    assert done.returncode == 0 and "4 papers" in done.stdout and "3 reviewers" in done.stdout
    summed = run("check", str(file), "--assessor", "Reviewer", "--criteria", "Originality=1, Clarity=1")
    assert summed.returncode == 0 and "Originality times 1, Clarity times 1" in summed.stdout


@pytest.mark.slow
def test_options_are_kept_on_the_sheet_settings_and_repeated_by_the_next_run(tmp_path):
    file = _xlsx(tmp_path / "marks.xlsx", MATRIX)
    first, second = tmp_path / "first.xlsx", tmp_path / "second.xlsx"
    typed = ("--exclude", "attendance*", "--scale", "0:100", "--set", "Alert threshold=3")
    assert run("calibrate", str(file), "-o", str(first), *typed).returncode == 0
    with looking_at(first) as book:
        kept = dict(book["Settings"].iter_rows(max_col=2, values_only=True))
    assert kept["Leave out"] == "attendance*" and kept["Highest score"] == 100 and kept["Alert threshold"] == 3
    again = run("calibrate", str(first), "-o", str(second))
    assert again.returncode == 0, again.stderr
    values = [
        [row["Calibrated value"] for row in sheet_rows(path, name)]
        for path, name in ((first, "Cal values"), (second, "Cal values 2"))
    ]
    assert values[0] == values[1] and len(values[0]) == 6
    options = {row["Item"]: row["Cell or figure"] for row in sheet_rows(first, "Cal audit") if row["Kind"] == "Option"}
    assert options["Leave out"] == "attendance*"


@pytest.mark.slow
def test_an_extract_agrees_with_results_made_by_options(tmp_path):
    file = _xlsx(tmp_path / "marks.xlsx", MATRIX, [["Alert threshold", 3]])
    result = tmp_path / "result.xlsx"
    assert run("calibrate", str(file), "-o", str(result), "--exclude", "Attendance %").returncode == 0
    done = run("extract", str(result), "--object", "S2", "-o", str(tmp_path / "s2.xlsx"))
    assert done.returncode == 0, done.stderr


def test_a_workbook_with_settings_is_told_the_cell(tmp_path):
    file = _xlsx(tmp_path / "reviews.xlsx", LIST, [["Setting", "Value"], ["Column of assessors"], ["Column of scores"]])
    asked = run("check", str(file))
    assert "on the sheet Settings, write Reviewer in cell B2 (Column of assessors)" in asked.stderr
    book = openpyxl.load_workbook(file)
    book["Settings"]["B2"], book["Settings"]["B3"] = "Reviewer", "Clarity"
    book.save(file)
    assert run("check", str(file)).returncode == 0


@pytest.mark.parametrize(
    ("typed", "said"),
    [
        (("--method", "fischer"), "Did you mean fisher?"),
        (("--layout", "lists"), "Did you mean list?"),
        (("--set", "Repeated assesments=last"), "did you mean Repeated assessments?"),
        (("--scale", "100"), "as in 0:100"),
        (("--codes", "late=out"), "late=exclude"),
        (("--criteria", "A=x"), "A"),
    ],
)
def test_near_misses_are_suggested_and_wrong_usage_ends_with_2(tmp_path, typed, said):
    done = run("check", str(_csv(tmp_path / "marks.csv", MATRIX)), *typed)
    assert done.returncode == 2
    assert said in " ".join(done.stderr.replace("│", " ").split())


def test_a_heading_nothing_has_is_refused_with_the_nearest_one(tmp_path):
    done = run("check", str(_csv(tmp_path / "marks.csv", MATRIX)), "--exclude", "Atendance %")
    assert done.returncode == 1 and "did you mean Attendance %?" in done.stderr


def test_the_nearest_sheet_is_suggested(tmp_path):
    done = run("check", str(_xlsx(tmp_path / "marks.xlsx", MATRIX)), "--sheet", "Makrs")
    assert done.returncode == 1 and "Did you mean Marks?" in done.stderr


def test_check_takes_a_method(tmp_path):
    assert (
        run("check", str(_csv(tmp_path / "marks.csv", MATRIX)), "--exclude", "Att*", "--method", "fisher").returncode
        == 0
    )


def test_codes_and_repeats_can_be_answered_for_a_csv(tmp_path):
    rows = [["Paper", "Reviewer", "Score"], *[[f"P{p}", f"R{a}", p + a] for p in range(4) for a in range(3)]]
    rows += [["P0", "R0", 9], ["P1", "R0", "late"]]
    file = _csv(tmp_path / "reviews.csv", rows)
    asked = run("check", str(file))
    assert asked.returncode == 1
    assert '--set "Repeated assessments=average"' in asked.stderr and '--codes "late=exclude"' in asked.stderr
    done = run("check", str(file), "--set", "Repeated assessments=last", "--codes", "late=exclude")
    assert done.returncode == 0, done.stderr
