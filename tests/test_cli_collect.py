"""Judges return a file or a sheet each: read as one panel, and refused where that would lose or mix anything."""

import csv

import openpyxl

from run_panelcal import run, sheet_names, sheet_rows

SCORES = {"Ann Lee": [5, 7, None, 6], "Bo Ray": [4, 6, 8, 5], "Cy Moss": [7, 9, 9, None]}


def _judges(folder, scores=SCORES):
    folder.mkdir(exist_ok=True)
    for judge, given in scores.items():
        book = openpyxl.Workbook()
        book.active.title = "Marks"
        for row in [["Talk", "Score", "Comment"], *[[f"T{k}", score, "fine"] for k, score in enumerate(given)]]:
            book.active.append(row)
        book.save(folder / f"{judge}.xlsx")
    return folder


def _values(path):
    return {row["Talk"]: row["Calibrated value"] for row in sheet_rows(path, "Cal values")}


def test_files_a_folder_and_a_pattern_are_one_panel_with_a_live_sheet_of_scores(tmp_path):
    folder = _judges(tmp_path / "judges")
    (folder / "~$Ann Lee.xlsx").write_bytes(b"lock")
    with (tmp_path / "list.csv").open("w", newline="") as file:
        rows = [[f"T{k}", judge, s] for judge, given in SCORES.items() for k, s in enumerate(given) if s is not None]
        csv.writer(file).writerows([["Talk", "Judge", "Score"], *rows])
    single, several, whole = (tmp_path / f"{name}.xlsx" for name in ("single", "several", "whole"))
    assert run("calibrate", str(tmp_path / "list.csv"), "-o", str(single)).returncode == 0
    done = run("calibrate", str(folder / "*.xlsx"), "-o", str(several))
    assert done.returncode == 0, done.stderr
    assert "Ann Lee, Bo Ray, Cy Moss" in done.stdout and "~$Ann Lee.xlsx" in done.stdout
    assert run("calibrate", str(folder), "-o", str(whole)).returncode == 0
    assert _values(single) == _values(several) == _values(whole)
    book = openpyxl.load_workbook(several)
    assert [cell.value for cell in book["Scores"][5]] == ["T0", "Ann Lee", 5, "Ann Lee.xlsx, Marks!B2"]
    formulas = [cell.value for row in book["Cal proof"].iter_rows() for cell in row if isinstance(cell.value, str)]
    assert any("Scores!C5" in text.replace("$", "").replace("'", "") for text in formulas)


def test_several_files_need_a_name_for_the_result(tmp_path):
    done = run("calibrate", str(_judges(tmp_path / "judges")))
    assert done.returncode == 2 and "-o" in done.stderr


def test_the_same_judge_twice_is_refused(tmp_path):
    folder = _judges(tmp_path / "judges")
    again = _judges(tmp_path / "again", {"ann lee": [1, 2, 3, 4]})
    done = run("check", str(folder), str(again / "ann lee.xlsx"))
    assert done.returncode == 1 and "comes twice, from Ann Lee.xlsx and from ann lee.xlsx" in done.stderr


def test_what_stands_alike_on_every_file_need_not_be_a_name(tmp_path):
    folder = _judges(tmp_path / "judges")
    for file in folder.iterdir():
        book = openpyxl.load_workbook(file)
        book.active.insert_rows(1)
        book.active["A1"], book.active["B1"] = "Judge", "Spring show"
        book.save(file)
    done = run("check", str(folder))
    assert done.returncode == 1 and "Spring show comes twice" in done.stderr and "add --names file" in done.stderr
    assert run("check", str(folder), "--names", "file").returncode == 0


def test_who_has_not_answered_is_said_and_names_may_stand_in_a_cell(tmp_path):
    folder = _judges(tmp_path / "judges", {**SCORES, "Di Fox": [None] * 4})
    done = run("check", str(folder))
    assert done.returncode == 0 and "No score yet from Di Fox" in done.stdout
    for number, file in enumerate(sorted(folder.iterdir())):
        book = openpyxl.load_workbook(file)
        book.active["E1"] = f"Judge {number}"
        book.save(file)
    named = run("check", str(folder), "--names", "E1")
    assert named.returncode == 0, named.stderr
    assert "Judge 0, Judge 1, Judge 2, Judge 3" in named.stdout and "No score yet from Judge 3" in named.stdout


def test_a_workbook_with_a_sheet_for_each_judge_is_asked_about_and_read_in_one_step(tmp_path):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for judge, given in SCORES.items():
        sheet = book.create_sheet(judge)
        for row in [["Talk", "Score"], *[[f"T{k}", score] for k, score in enumerate(given)]]:
            sheet.append(row)
    file, result = tmp_path / "day.xlsx", tmp_path / "result.xlsx"
    book.save(file)
    asked = run("check", str(file))
    assert asked.returncode == 1 and "add --names sheet to the command" in asked.stderr
    done = run("calibrate", str(file), "-o", str(result), "--names", "sheet")
    assert done.returncode == 0, done.stderr
    assert {"Ann Lee", "Bo Ray", "Cy Moss", "Scores", "Cal values", "Settings"} <= set(sheet_names(result))


def test_a_file_that_is_something_else_is_named(tmp_path):
    folder = _judges(tmp_path / "judges")
    (folder / "notes.csv").write_text("hello\nworld\n")
    done = run("check", str(folder))
    assert done.returncode == 1 and "notes.csv is not understood as the scores of one assessor" in done.stderr
