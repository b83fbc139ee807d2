"""The command line as a user meets it: results, refusals, exit statuses, nothing half-written."""

import hashlib
import signal
import subprocess
import sys
import time
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from panelcal import calibrate
from panelcal.files.load import load_source
from panelcal.files.ownership import own_sheets
from panelcal.reading.read import read_panel
from panelcal.reporting.names import RESULT_SHEETS
from run_panelcal import run

FIXED_DATE = {"SOURCE_DATE_EPOCH": "1767322800"}


def _sheet(path: Path, name: str) -> list[dict]:
    book = openpyxl.load_workbook(path, data_only=True)
    rows = list(book[name].iter_rows(min_row=4, values_only=True))
    book.close()
    headings = list(rows[0])
    return [dict(zip(headings, row, strict=True)) for row in rows[1:] if row[0] is not None]


def _digest(path: Path) -> str:
    return hashlib.sha256(path.read_bytes()).hexdigest()


def _write(path: Path, rows: list[list]) -> Path:
    book = openpyxl.Workbook()
    book.active.title = "Marks"
    for row in rows:
        book.active.append(row)
    book.save(path)
    return path


def test_the_example_becomes_a_workbook_with_the_eight_sheets_after_its_own(calibrated_example, example):
    before, after = openpyxl.load_workbook(example), openpyxl.load_workbook(calibrated_example)
    assert after.sheetnames == [*before.sheetnames, *RESULT_SHEETS]
    assert after.active.title == "Cal summary"


def test_cal_values_holds_calibrate_of_the_marks_to_full_precision(calibrated_example, example):
    panel = read_panel(load_source(example)).panel
    fit = calibrate(panel)
    rows = _sheet(calibrated_example, "Cal values")
    assert [row["Student"] for row in rows] == list(panel.objects)
    assert [row["Calibrated value"] for row in rows] == fit.values.tolist()
    biases = _sheet(calibrated_example, "Cal assessors")
    assert [row["Bias"] for row in biases] == fit.biases.tolist()
    assert [row["Module"] for row in biases] == list(panel.assessors)


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
    values = [row["Calibrated value"] for row in _sheet(calibrated_example, "Cal values")]
    assert values == pytest.approx(solution[:82], abs=1e-9)


def test_the_input_is_never_touched(tmp_path, example):
    copy = tmp_path / "board.xlsx"
    copy.write_bytes(example.read_bytes())
    before = _digest(copy), copy.stat().st_mtime_ns
    assert run("calibrate", str(copy)).returncode == 0
    assert (_digest(copy), copy.stat().st_mtime_ns) == before
    assert sorted(path.name for path in tmp_path.iterdir()) == ["board-calibrated.xlsx", "board.xlsx"]


def test_the_same_input_and_date_give_the_same_bytes(tmp_path, example):
    for name in ("one.xlsx", "two.xlsx"):
        assert run("calibrate", str(example), "-o", str(tmp_path / name), **FIXED_DATE).returncode == 0
    assert _digest(tmp_path / "one.xlsx") == _digest(tmp_path / "two.xlsx")


def test_an_existing_result_is_kept_unless_forced(tmp_path, example):
    target = tmp_path / "out.xlsx"
    target.write_text("precious")
    refused = run("calibrate", str(example), "-o", str(target))
    assert refused.returncode == 1
    assert "exists already" in refused.stderr and "--force" in refused.stderr
    assert target.read_text() == "precious"
    assert run("calibrate", str(example), "-o", str(target), "--force").returncode == 0
    assert target.read_bytes()[:2] == b"PK"


def test_results_only_leaves_the_marks_out(tmp_path, example):
    target = tmp_path / "out.xlsx"
    assert run("calibrate", str(example), "-o", str(target), "--results-only").returncode == 0
    assert openpyxl.load_workbook(target).sheetnames == list(RESULT_SHEETS)


def test_the_result_may_not_replace_the_input(tmp_path, example):
    copy = tmp_path / "board.xlsx"
    copy.write_bytes(example.read_bytes())
    for extra in ((), ("--results-only",)):
        refused = run("calibrate", str(copy), "-o", str(copy), "--force", *extra)
        assert refused.returncode == 1, refused.stdout
        assert _digest(copy) == _digest(example)


def test_a_second_run_adds_sheets_with_a_number_and_reads_the_marks_again(tmp_path, calibrated_example):
    again = tmp_path / "again.xlsx"
    done = run("calibrate", str(calibrated_example), "-o", str(again))
    assert done.returncode == 0, done.stderr
    assert openpyxl.load_workbook(again).sheetnames[-8:] == [f"{name} 2" for name in RESULT_SHEETS]
    assert "82 students" in done.stdout


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


def test_an_unknown_method_is_wrong_usage_and_lists_the_known_ones(example):
    refused = run("calibrate", str(example), "--method", "magic")
    assert refused.returncode == 2
    assert "fisher" in refused.stderr


def test_a_reference_needs_its_gauge(example, tmp_path):
    refused = run("calibrate", str(example), "--reference", "60", "-o", str(tmp_path / "o.xlsx"))
    assert refused.returncode == 2
    done = run("calibrate", str(example), "--gauge", "reference", "--reference", "60", "-o", str(tmp_path / "o.xlsx"))
    assert done.returncode == 0, done.stderr
    fit = calibrate(read_panel(load_source(example)).panel, gauge="reference", reference=60.0)
    assert [row["Calibrated value"] for row in _sheet(tmp_path / "o.xlsx", "Cal values")] == fit.values.tolist()


def test_the_method_and_the_gauge_can_be_chosen(example, tmp_path):
    panel = read_panel(load_source(example)).panel
    equal = panel.with_confidences(np.ones(panel.n_assessments))
    target = tmp_path / "o.xlsx"
    assert run("calibrate", str(example), "--method", "fisher", "--gauge", "equal", "-o", str(target)).returncode == 0
    values = [row["Calibrated value"] for row in _sheet(target, "Cal values")]
    assert values == calibrate(equal, gauge="equal").values.tolist()


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
    assert "Start here" in openpyxl.load_workbook(target).sheetnames
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
    book = openpyxl.load_workbook(tmp_path / "reviews-calibrated.xlsx")
    assert book.sheetnames == list(RESULT_SHEETS)
    assert book["Cal values"]["A4"].value == "Proposal"


def test_an_interrupt_leaves_nothing_behind(tmp_path):
    random = np.random.default_rng(0)
    rows = [[f"s{o}", *[int(m) for m in random.integers(30, 90, 60)]] for o in range(3000)]
    file = _write(tmp_path / "big.xlsx", [["Student", *[f"M{k}" for k in range(60)]], *rows])
    process = subprocess.Popen(
        [sys.executable, "-m", "panelcal", "calibrate", str(file)], stdout=subprocess.PIPE, stderr=subprocess.PIPE
    )
    time.sleep(3.0)
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130, said
    assert b"Interrupted" in said
    assert [path.name for path in tmp_path.iterdir()] == ["big.xlsx"]


def test_the_version_is_said():
    assert run("--version").stdout.startswith("panelcal ")


def test_a_second_run_after_a_mark_changed_marks_the_first_results_as_out_of_date(calibrated_example, tmp_path):
    book = openpyxl.load_workbook(calibrated_example)
    place = next(cell for row in book["Marks"].iter_rows(5, 86, 2, 82) for cell in row if cell.value == 64)
    place.value = 46
    changed = tmp_path / "changed.xlsx"
    book.save(changed)
    again = run("calibrate", str(changed), "--sheet", "Marks", "-o", str(tmp_path / "again.xlsx"))
    assert again.returncode == 0
    assert "Cal summary, from an earlier run, is out of date now and says so" in again.stdout
    after = openpyxl.load_workbook(tmp_path / "again.xlsx")
    assert after["Cal summary"]["A3"].value.startswith("OUT OF DATE")
    assert after["Cal summary"]["A3"].style_id == book["Cal summary"]["A3"].style_id
    assert not str(after["Cal summary 2"]["A3"].value).startswith("OUT OF DATE")
    assert all(after[name]["A2"].value.startswith("OUT OF DATE") for name in RESULT_SHEETS if name != "Cal summary")
    assert not any(after[f"{name} 2"]["A2"].value.startswith("OUT OF DATE") for name in RESULT_SHEETS)
    audit = [row[1:3] for row in after["Cal audit 2"].iter_rows(5, values_only=True)]
    assert ("Earlier results", "Cal summary") in audit


def test_a_second_run_on_the_same_marks_leaves_the_first_results_as_they_are(calibrated_example, tmp_path):
    again = run("calibrate", str(calibrated_example), "--sheet", "Marks", "-o", str(tmp_path / "again.xlsx"))
    assert again.returncode == 0 and "out of date" not in again.stdout
    first, second = (openpyxl.load_workbook(path) for path in (calibrated_example, tmp_path / "again.xlsx"))
    assert second["Cal summary"]["A3"].value == first["Cal summary"]["A3"].value


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
    assert "Year 1, Year 2" in refused.stderr and refused.stderr.endswith("Or name it: --sheet NAME.\n")
    assert run("calibrate", str(file), "--sheet", "Year 2").returncode == 0


def test_calibrating_a_file_does_not_wait_for_what_installs_the_add_in():
    rooms = "name for name in sys.modules if name.startswith(('xlwings', 'panelcal.excel'))"
    asked = f"import sys, panelcal.cli; print([{rooms}])"
    done = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, timeout=120, check=False)
    assert done.stdout.strip() == "[]", done.stderr


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
    assert openpyxl.load_workbook(marks).sheetnames == ["Marks"]
    book = openpyxl.load_workbook(tmp_path / "one.xlsx")
    assert book.sheetnames == ["Marks", *RESULT_SHEETS, "Settings"]
    assert len(book["Settings"].data_validations.dataValidation) > 3
    again = run("calibrate", str(tmp_path / "one.xlsx"), "--sheet", "Marks", "-o", str(tmp_path / "two.xlsx"))
    assert again.returncode == 0
    assert [row["Calibrated value"] for row in _sheet(tmp_path / "two.xlsx", "Cal values 2")] == [
        row["Calibrated value"] for row in _sheet(tmp_path / "one.xlsx", "Cal values")
    ]
    assert own_sheets(tmp_path / "one.xlsx") == list(RESULT_SHEETS)


def test_options_beside_a_settings_sheet_hold_for_the_run_and_say_so(example, tmp_path):
    done = run("calibrate", str(example), "--gauge", "equal", "-o", str(tmp_path / "o.xlsx"))
    assert "hold for this run" in done.stdout
    assert openpyxl.load_workbook(tmp_path / "o.xlsx").sheetnames.count("Settings") == 1


def test_an_extract_from_a_workbook_set_to_another_system_is_refused_in_a_sentence(tmp_path):
    prize = Path(__file__).parents[1] / "workbook_templates" / "conference_prize_example.xlsx"
    refused = run("extract", str(prize), "--object", "T03", "-o", str(tmp_path / "x.xlsx"))
    assert refused.returncode == 1 and "set to the method ordinal" in refused.stderr
    assert not (tmp_path / "x.xlsx").exists()


def _lists(path: Path, talks: int, judges: int, conflicts: tuple[tuple[str, str], ...] = ()) -> Path:
    book = openpyxl.Workbook()
    book.active.title = "Plan"
    book.active.append(["Talk", None, "Judge"])
    for k in range(max(talks, judges)):
        book.active.append([f"T{k + 1}" if k < talks else None, None, f"J{k + 1}" if k < judges else None])
    if conflicts:
        sheet = book.create_sheet("Conflicts")
        for row in (("Talk", "Judge"), *conflicts):
            sheet.append(row)
    book.save(path)
    return path


def test_a_plan_gives_every_talk_its_judges_and_keeps_conflicts_apart(tmp_path):
    lists = _lists(tmp_path / "jury.xlsx", 12, 5, (("T1", "J1"), ("T2", "J1, J5")))
    done = run("plan", str(lists), "--per-object", "3", "--seed", "4")
    assert done.returncode == 0, done.stderr
    assert "12 talks in A2:A13 and 5 judges in C2:C6" in done.stdout
    assert "Each talk gets 3 judges; each judge has 7 or 8 talks." in done.stdout
    assert "are linked" in done.stdout and "3 pairs kept apart" in done.stdout
    assert "What 3 judges for each talk would buy" in done.stdout
    result = tmp_path / "jury-plan.xlsx"
    given = [(row["Talk"], [row[f"Judge {k}"] for k in (1, 2, 3)]) for row in _sheet(result, "By talk")]
    assert [talk for talk, _ in given] == [f"T{k}" for k in range(1, 13)]
    assert all(len(set(judges)) == 3 for _, judges in given)
    judges_of = dict(given)
    assert "J1" not in judges_of["T1"] and not {"J1", "J5"} & set(judges_of["T2"])
    to_fill_in = {(row["Talk"], row["Judge"], row["Rating"]) for row in _sheet(result, "Ratings")}
    assert to_fill_in == {(talk, judge, None) for talk, judges in given for judge in judges}
    again = run("plan", str(lists), "--per-object", "3")
    assert again.returncode == 1 and "--force" in again.stderr


def test_the_ratings_of_a_plan_once_filled_in_are_read(tmp_path):
    lists = _lists(tmp_path / "jury.xlsx", 6, 3)
    assert run("plan", str(lists), "--per-object", "2", "-o", str(tmp_path / "p.xlsx")).returncode == 0
    book = openpyxl.load_workbook(tmp_path / "p.xlsx")
    for row in range(5, 17):
        book["Ratings"].cell(row, 3).value = row % 5 + 1
    book.save(tmp_path / "filled.xlsx")
    checked = run("check", str(tmp_path / "filled.xlsx"), "--sheet", "Ratings")
    assert checked.returncode == 0 and "12 ratings used" in checked.stdout


def test_a_plan_is_made_from_csv_too_with_conflicts_in_a_column(tmp_path):
    file = tmp_path / "jury.csv"
    file.write_text("Talk,Conflict,Judge\nT1,Ben,Ada\nT2,,Ben\nT3,,Cleo\n", encoding="utf-8")
    done = run("plan", str(file), "--per-object", "2")
    assert done.returncode == 0, done.stderr
    (first, *_) = _sheet(tmp_path / "jury-plan.xlsx", "By talk")
    assert (first["Talk"], first["Judge 1"], first["Judge 2"]) == ("T1", "Ada", "Cleo")


@pytest.mark.parametrize(
    ("per_object", "conflicts", "words"),
    [
        ("4", (), "4 judges for each talk cannot be found among 3"),
        ("0", (), "at least one talk"),
        ("-1", (), "at least one talk"),
        ("1", (), "plan 2 for each talk"),
        ("2", (("T4", "J1, J2"),), "talk T4 has 1 of the 2 it needs"),
        ("2", (("T1, T2, T3, T4, T5", "J3"),), "Judge J3 can assess nothing"),
        ("2", (("T9", "J3"),), "cell A2 on sheet Conflicts"),
    ],
)
def test_a_wish_that_cannot_be_is_one_sentence_and_leaves_no_file(per_object, conflicts, words, tmp_path):
    lists = _lists(tmp_path / "jury.xlsx", 5, 3, conflicts)
    refused = run("plan", str(lists), "--per-object", per_object)
    assert refused.returncode == 1 and refused.stdout == ""
    assert words.casefold() in refused.stderr.casefold()
    assert len(refused.stderr.splitlines()) == 1 and "Traceback" not in refused.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["jury.xlsx"]


@pytest.mark.parametrize("lock", ["~$out.xlsx", ".~lock.out.xlsx#"])
def test_a_result_that_is_open_elsewhere_is_not_replaced_behind_its_readers_back(lock, example, tmp_path):
    (tmp_path / "out.xlsx").write_bytes(b"old")
    (tmp_path / lock).write_bytes(b"")
    refused = run("calibrate", str(example), "--force", "-o", str(tmp_path / "out.xlsx"))
    assert refused.returncode == 1 and "out.xlsx is open in a spreadsheet program" in refused.stderr
    assert (tmp_path / "out.xlsx").read_bytes() == b"old"
    (tmp_path / lock).unlink()
    assert run("calibrate", str(example), "--force", "-o", str(tmp_path / "out.xlsx")).returncode == 0


@pytest.mark.parametrize("command", ["check", "calibrate"])
def test_an_input_that_is_open_elsewhere_is_read_as_it_was_saved_and_that_is_said(command, example, tmp_path):
    source = tmp_path / "board.xlsx"
    source.write_bytes(example.read_bytes())
    said = "board.xlsx is open in a spreadsheet program: what is not saved there was not read."
    assert said not in run(command, str(source)).stdout
    (tmp_path / ".~lock.board.xlsx#").write_bytes(b"")
    done = run(command, str(source), *(["--force"] if command == "calibrate" else []))
    assert done.returncode == 0 and said in done.stdout


@pytest.mark.parametrize("name", ["Cal values", "Cal summary"])
def test_force_does_not_replace_a_result_with_decisions_filled_in(name, calibrated_example, example, tmp_path):
    book = openpyxl.load_workbook(calibrated_example)
    sheet = book[name]
    heading = next(cell for row in sheet.iter_rows() for cell in row if cell.value == "Board decision")
    row, column = heading.row + 3, heading.column
    sheet.cell(row, column).value = "Upper second, agreed"
    filed = tmp_path / "filed.xlsx"
    book.save(filed)
    before = _digest(filed)
    refused = run("calibrate", str(example), "--force", "-o", str(filed))
    assert refused.returncode == 1 and "holds 1 entry in the column Board decision" in refused.stderr
    assert _digest(filed) == before
    sheet.cell(row, column).value = None
    book.save(filed)
    assert run("calibrate", str(example), "--force", "-o", str(filed)).returncode == 0
