"""The command line as a user meets it: results, refusals, exit statuses, nothing half-written."""

from pathlib import Path

import numpy as np
import openpyxl
import pytest

from panelcal import calibrate
from panelcal.files.load import load_source
from panelcal.files.ownership import own_sheets
from panelcal.reading.read import read_panel
from panelcal.reporting.names import RESULT_SHEETS
from run_panelcal import digest, looking_at, run, sheet_names, sheet_rows

FIXED_DATE = {"SOURCE_DATE_EPOCH": "1767322800"}


def _write(path: Path, rows: list[list]) -> Path:
    book = openpyxl.Workbook()
    book.active.title = "Marks"
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_the_example_becomes_a_workbook_with_the_eight_sheets_after_its_own(calibrated_example, example):
    assert sheet_names(calibrated_example) == [*sheet_names(example), *RESULT_SHEETS]
    with looking_at(calibrated_example) as book:
        assert book.active.title == "Cal summary"


def test_cal_values_holds_calibrate_of_the_marks_to_full_precision(calibrated_example, example):
    panel = read_panel(load_source(example)).panel
    fit = calibrate(panel)
    rows = sheet_rows(calibrated_example, "Cal values")
    values = {row["Student"]: row["Calibrated value"] for row in rows}
    assert (len(rows), values) == (82, dict(zip(panel.objects, fit.values.tolist(), strict=True)))
    rows = sheet_rows(calibrated_example, "Cal assessors")
    biases = {row["Module"]: row["Bias"] for row in rows}
    assert (len(rows), biases) == (81, dict(zip(panel.assessors, fit.biases.tolist(), strict=True)))


def test_the_marks_of_the_example_are_read_by_an_independent_reader_too(calibrated_example, example):
    """Least squares from the cells by plain openpyxl and numpy, codes and texts treated by hand."""
    sheet = openpyxl.load_workbook(example, data_only=True)["Marks"]
    codes = {"ABS", "EXT", "MC", "n/a"}
    marks = [
        (r - 5, c - 2, float(value), float(sheet.cell(3, c).value))
        for r in range(5, 87)
        for c in range(2, 83)
        if (value := sheet.cell(r, c).value) is not None and str(value).strip() not in codes
    ]
    design = np.zeros((len(marks) + 1, 82 + 81))
    right = np.zeros(len(marks) + 1)
    for k, (o, a, mark, weight) in enumerate(marks):
        design[k, o] = design[k, 82 + a] = np.sqrt(weight)
        right[k] = np.sqrt(weight) * mark
        design[-1, 82 + a] += weight
    solution = np.linalg.lstsq(design, right, rcond=None)[0]
    values = {str(row["Student"]): row["Calibrated value"] for row in sheet_rows(calibrated_example, "Cal values")}
    students = [str(sheet.cell(r, 1).value) for r in range(5, 87)]
    assert [values[student] for student in students] == pytest.approx(solution[:82], abs=1e-9)


def test_the_input_is_never_touched(tmp_path, small_board):
    copy = tmp_path / "board.xlsx"
    copy.write_bytes(small_board.read_bytes())
    before = digest(copy), copy.stat().st_mtime_ns
    assert run("calibrate", str(copy)).returncode == 0
    assert (digest(copy), copy.stat().st_mtime_ns) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board-calibrated.xlsx", "board.xlsx"]


@pytest.mark.slow
def test_the_same_input_and_date_give_the_same_bytes(tmp_path, small_board):
    for name in ("one.xlsx", "two.xlsx"):
        assert run("calibrate", str(small_board), "-o", str(tmp_path / name), **FIXED_DATE).returncode == 0
    assert digest(tmp_path / "one.xlsx") == digest(tmp_path / "two.xlsx")


def test_an_existing_result_is_kept_unless_forced(tmp_path, small_board):
    target = tmp_path / "out.xlsx"
    target.write_text("precious")
    refused = run("calibrate", str(small_board), "-o", str(target))
    assert refused.returncode == 1
    assert "exists already" in refused.stderr and "--force" in refused.stderr
    assert target.read_text() == "precious"
    assert run("calibrate", str(small_board), "-o", str(target), "--force").returncode == 0
    assert target.read_bytes()[:2] == b"PK"


def test_results_only_leaves_the_marks_out(tmp_path, small_board):
    target = tmp_path / "out.xlsx"
    assert run("calibrate", str(small_board), "-o", str(target), "--results-only").returncode == 0
    assert sheet_names(target) == list(RESULT_SHEETS)


def test_the_result_may_not_replace_the_input(tmp_path, small_board):
    copy = tmp_path / "board.xlsx"
    copy.write_bytes(small_board.read_bytes())
    for extra in ((), ("--results-only",)):
        refused = run("calibrate", str(copy), "-o", str(copy), "--force", *extra)
        assert refused.returncode == 1, refused.stdout
        assert digest(copy) == digest(small_board)


@pytest.mark.slow
def test_a_second_run_adds_sheets_with_a_number_and_reads_the_marks_again(tmp_path, calibrated_small_board):
    again = tmp_path / "again.xlsx"
    done = run("calibrate", str(calibrated_small_board), "-o", str(again))
    assert done.returncode == 0, done.stderr
    assert sheet_names(again)[-8:] == [f"{name} 2" for name in RESULT_SHEETS]
    assert "16 students" in done.stdout


def test_a_disconnected_panel_is_refused_with_its_groups(tmp_path):
    file = _write(
        tmp_path / "two.xlsx",
        [
            ["Student", "A", "B", "C", "D"],
            ["s1", 50, 60, None, None],
            ["s2", 55, 62, None, None],
            ["s3", None, None, 70, 64],
            ["s4", None, None, 66, 58],
        ],
    )
    for command in ("calibrate", "check"):
        refused = run(command, str(file))
        assert refused.returncode == 1
        assert "2 groups" in refused.stderr and "s3" in refused.stderr and "A, B" in refused.stderr
    assert sorted(path.name for path in tmp_path.iterdir()) == ["two.xlsx"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("missing.xlsx", None, "missing.xlsx"),
        ("empty.xlsx", b"", "empty"),
        ("noise.xlsx", bytes(range(256)) * 8, "noise.xlsx"),
    ],
)
def test_a_file_that_cannot_be_read_is_one_sentence_and_status_1(tmp_path, name, content, words):
    file = tmp_path / name
    if content is not None:
        file.write_bytes(content)
    refused = run("calibrate", str(file))
    assert refused.returncode == 1
    assert words in refused.stderr
    assert len(refused.stderr.strip().splitlines()) == 1
    assert "Traceback" not in refused.stderr
    assert not list(tmp_path.glob("*calibrated*"))


def test_a_cell_that_is_no_mark_is_named(tmp_path):
    file = _write(tmp_path / "bad.xlsx", [["Student", "A", "B"], ["s1", 50, "sixty"], ["s2", 55, 62]])
    refused = run("calibrate", str(file))
    assert refused.returncode == 1
    assert "C2" in refused.stderr and "sixty" in refused.stderr


@pytest.mark.parametrize(
    "arguments", [("calibrate",), ("nonsense",), ("calibrate", "x.xlsx", "--gauge", "sideways"), ("template",)]
)
def test_wrong_usage_is_status_2(arguments):
    assert run(*arguments).returncode == 2


def test_an_unknown_method_is_wrong_usage_and_lists_the_known_ones(small_board):
    refused = run("calibrate", str(small_board), "--method", "magic")
    assert refused.returncode == 2
    assert "fisher" in refused.stderr


def _values_by_label(workbook):
    rows = sheet_rows(workbook, "Cal values")
    return {str(next(iter(row.values()))): row["Calibrated value"] for row in rows}


@pytest.mark.slow
def test_a_reference_needs_its_gauge(small_board, tmp_path):
    refused = run("calibrate", str(small_board), "--reference", "60", "-o", str(tmp_path / "o.xlsx"))
    assert refused.returncode == 2
    done = run(
        "calibrate", str(small_board), "--gauge", "reference", "--reference", "60", "-o", str(tmp_path / "o.xlsx")
    )
    assert done.returncode == 0, done.stderr
    fit = calibrate(read_panel(load_source(small_board)).panel, gauge="reference", reference=60.0)
    assert _values_by_label(tmp_path / "o.xlsx") == dict(zip(fit.panel.objects, fit.values.tolist(), strict=True))


def test_the_method_and_the_gauge_can_be_chosen(small_board, tmp_path):
    panel = read_panel(load_source(small_board)).panel
    equal = panel.with_confidences(np.ones(panel.n_assessments))
    target = tmp_path / "o.xlsx"
    assert (
        run("calibrate", str(small_board), "--method", "fisher", "--gauge", "equal", "-o", str(target)).returncode == 0
    )
    fit = calibrate(equal, gauge="equal")
    assert _values_by_label(target) == dict(zip(panel.objects, fit.values.tolist(), strict=True))


def test_check_shows_what_was_understood_and_writes_nothing(tmp_path, example):
    copy = tmp_path / "board.xlsx"
    copy.write_bytes(example.read_bytes())
    done = run("check", str(copy))
    assert done.returncode == 0
    assert "82 students in A5:A86 and 81 modules in B4:CD4" in done.stdout
    assert "Z15" in done.stdout
    assert [path.name for path in tmp_path.iterdir()] == ["board.xlsx"]


def test_a_template_is_written_and_not_over_a_file(tmp_path):
    target = tmp_path / "board.xlsx"
    assert run("template", "exam_board", "-o", str(target)).returncode == 0
    assert "Start here" in sheet_names(target)
    refused = run("template", "exam_board", "-o", str(target))
    assert refused.returncode == 1 and "--force" in refused.stderr
    unknown = run("template", "nothing", "-o", str(tmp_path / "x.xlsx"))
    assert unknown.returncode == 1 and "exam_board" in unknown.stderr


def test_a_csv_gives_results_only(tmp_path):
    file = tmp_path / "reviews.csv"
    rows = ["Proposal,Reviewer,Score"] + [
        f"P{o},R{(o + k) % 4},{5 + (3 * o + 2 * k) % 5}" for o in range(6) for k in (0, 1)
    ]
    file.write_text("\n".join(rows))
    done = run("calibrate", str(file))
    assert done.returncode == 0, done.stderr
    assert "results only" in done.stdout
    result = tmp_path / "reviews-calibrated.xlsx"
    assert sheet_names(result) == list(RESULT_SHEETS)
    assert "Proposal" in sheet_rows(result, "Cal values")[0]


def test_the_version_is_said():
    assert run("--version").stdout.startswith("panelcal ")


@pytest.mark.slow
def test_a_second_run_after_a_mark_changed_marks_the_first_results_as_out_of_date(calibrated_small_board, tmp_path):
    book = openpyxl.load_workbook(calibrated_small_board)
    place = next(cell for row in book["Marks"].iter_rows(5, 20, 2, 11) for cell in row if cell.value == 64)
    place.value = 46
    changed = tmp_path / "changed.xlsx"
    book.save(changed)
    again = run("calibrate", str(changed), "--sheet", "Marks", "-o", str(tmp_path / "again.xlsx"))
    assert again.returncode == 0
    assert "Cal summary, from an earlier run, is out of date now and says so" in again.stdout
    after = openpyxl.load_workbook(tmp_path / "again.xlsx")
    assert after["Cal summary"]["A3"].value.startswith("OUT OF DATE")
    now, then = after["Cal summary"]["A3"], book["Cal summary"]["A3"]
    assert (now.style, now.number_format, repr(now.font)) == (then.style, then.number_format, repr(then.font))
    assert not str(after["Cal summary 2"]["A3"].value).startswith("OUT OF DATE")
    assert all(after[name]["A2"].value.startswith("OUT OF DATE") for name in RESULT_SHEETS if name != "Cal summary")
    assert not any(after[f"{name} 2"]["A2"].value.startswith("OUT OF DATE") for name in RESULT_SHEETS)
    audit = [row[1:3] for row in after["Cal audit 2"].iter_rows(5, values_only=True)]
    assert ("Earlier results", "Cal summary") in audit


@pytest.mark.slow
def test_a_second_run_on_the_same_marks_leaves_the_first_results_as_they_are(calibrated_small_board, tmp_path):
    again = run("calibrate", str(calibrated_small_board), "--sheet", "Marks", "-o", str(tmp_path / "again.xlsx"))
    assert again.returncode == 0 and "out of date" not in again.stdout
    with looking_at(calibrated_small_board) as first, looking_at(tmp_path / "again.xlsx") as second:
        assert second["Cal summary"]["A3"].value == first["Cal summary"]["A3"].value


@pytest.mark.slow
def test_several_sheets_of_scores_can_be_told_apart_by_name(tmp_path):
    book = openpyxl.Workbook()
    for sheet in (book.active, book.create_sheet("Year 2")):
        for row in (["Student", "A", "B"], ["s1", 60, 55], ["s2", 70, 62]):
            sheet.append(row)
    book.active.title = "Year 1"
    book.active = book.create_sheet("Notes")
    file = tmp_path / "marks.xlsx"
    book.save(file)
    refused = run("calibrate", str(file))
    assert refused.returncode == 1
    assert "Year 1, Year 2" in refused.stderr and 'add --sheet "Year 2" to the command' in refused.stderr
    assert run("calibrate", str(file), "--sheet", "Year 2").returncode == 0


@pytest.mark.slow
def test_options_are_kept_on_a_settings_sheet_for_the_next_run(tmp_path):
    rows = [
        ["Student", "A", "B", "C"],
        ["s1", 60, 70, None],
        ["s2", 50, None, 55],
        ["s3", None, 62, 58],
        ["s4", 40, 66, 51],
    ]
    marks = _write(tmp_path / "marks.xlsx", rows)
    first = run("calibrate", str(marks), "--gauge", "reference", "--reference", "70", "-o", str(tmp_path / "one.xlsx"))
    assert first.returncode == 0 and "kept on the sheet Settings" in first.stdout
    assert sheet_names(marks) == ["Marks"]
    book = openpyxl.load_workbook(tmp_path / "one.xlsx")
    assert book.sheetnames == ["Marks", *RESULT_SHEETS, "Settings"]
    assert len(book["Settings"].data_validations.dataValidation) > 3
    again = run("calibrate", str(tmp_path / "one.xlsx"), "--sheet", "Marks", "-o", str(tmp_path / "two.xlsx"))
    assert again.returncode == 0
    assert [row["Calibrated value"] for row in sheet_rows(tmp_path / "two.xlsx", "Cal values 2")] == [
        row["Calibrated value"] for row in sheet_rows(tmp_path / "one.xlsx", "Cal values")
    ]
    assert own_sheets(tmp_path / "one.xlsx") == list(RESULT_SHEETS)


@pytest.mark.slow
def test_options_beside_a_settings_sheet_are_kept_on_it(small_board, tmp_path):
    done = run("calibrate", str(small_board), "--gauge", "equal", "-o", str(tmp_path / "o.xlsx"))
    assert "kept on the sheet Settings of the result" in done.stdout
    assert sheet_names(tmp_path / "o.xlsx").count("Settings") == 1


def test_an_extract_from_a_workbook_set_to_another_system_is_refused_in_a_sentence(tmp_path):
    prize = Path(__file__).parents[1] / "workbook_templates" / "conference_prize_example.xlsx"
    refused = run("extract", str(prize), "--object", "T03", "-o", str(tmp_path / "x.xlsx"))
    assert refused.returncode == 1 and "set to the method ordinal" in refused.stderr
    assert not (tmp_path / "x.xlsx").exists()
