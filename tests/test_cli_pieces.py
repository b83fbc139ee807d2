"""Files and sheets that hold a part of a panel each: of one candidate, or with several criteria of one judge."""

import datetime

import openpyxl
import pytest

from run_panelcal import run, sheet_rows

TOTALS = {  # made up: judge -> talk -> total of two criteria
    "Ann Lee": {"Rooks": 12, "Tides": 15, "Looms": 9},
    "Bo Ray": {"Tides": 17, "Looms": 12, "Wells": 14},
    "Cy Moss": {"Rooks": 11, "Wells": 10, "Looms": 8},
}


def _saved(path, sheets):
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in sheets.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    return path


def _values(path):
    rows = sheet_rows(path, "Cal values")
    noun = next(iter(rows[0])) if "Talk" not in rows[0] else "Talk"
    return {row[noun]: row["Calibrated value"] for row in rows}


@pytest.fixture(scope="module")
def expected(tmp_path_factory):
    """Values of the same scores as a plain list."""
    folder = tmp_path_factory.mktemp("list")
    rows = [[talk, judge, total] for judge, given in TOTALS.items() for talk, total in given.items()]
    text = "\n".join(",".join(map(str, row)) for row in [["Talk", "Judge", "Score"], *rows])
    (folder / "list.csv").write_text(text)
    assert run("calibrate", "list.csv", "-o", "list.xlsx", folder=folder).returncode == 0
    return _values(folder / "list.xlsx")


def _of_talks():
    talks = sorted({talk for given in TOTALS.values() for talk in given})
    return {talk: [[judge, given[talk]] for judge, given in TOTALS.items() if talk in given] for talk in talks}


def _of_judges():
    """Two criteria whose sum is the total."""
    head = ["Talk", "Content", "Style", "Total"]
    rows = {
        judge: [[talk, total // 2, total - total // 2, total] for talk, total in given.items()]
        for judge, given in TOTALS.items()
    }
    return {judge: [head, *body] for judge, body in rows.items()}


@pytest.mark.slow
def test_files_about_one_talk_each_are_one_panel(tmp_path, expected):
    day = datetime.datetime(2026, 6, 3)
    for k, (talk, rows) in enumerate(_of_talks().items()):
        head = [["Talk:", talk], ["Date:", day], [], ["Interviewer", "Score", "Notes"]]
        _saved(tmp_path / f"form {k}.xlsx", {"Form": [*head, *rows]})
    done = run("calibrate", "form *.xlsx", "-o", "result.xlsx", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert _values(tmp_path / "result.xlsx") == expected


def test_sheets_about_one_talk_each_are_asked_about(tmp_path, expected):
    sheets = {talk: [["Panel member", "Score"], *rows] for talk, rows in _of_talks().items()}
    file = _saved(tmp_path / "day.xlsx", sheets)
    asked = run("calibrate", str(file))
    assert asked.returncode == 1 and "each sheet being the object that its name says, add --names sheet" in asked.stderr
    done = run("calibrate", "day.xlsx", "--names", "sheet", "-o", "result.xlsx", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert _values(tmp_path / "result.xlsx") == expected


@pytest.mark.parametrize(
    "typed", [["--score", "Total"], pytest.param(["--criteria", "Content=1, Style=1"], marks=pytest.mark.slow)]
)
def test_sheets_of_a_judge_each_with_criteria_are_asked_about(tmp_path, expected, typed):
    file = _saved(tmp_path / "day.xlsx", _of_judges())
    asked = run("check", str(file))
    said = " ".join(['"Content=1, Style=1"' if "=" in word else word for word in typed])
    assert asked.returncode == 1 and f"--names sheet {said} to the command" in asked.stderr
    done = run("calibrate", "day.xlsx", "--names", "sheet", *typed, "-o", "result.xlsx", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert _values(tmp_path / "result.xlsx") == pytest.approx(expected, abs=1e-9)


@pytest.mark.slow
def test_files_of_a_judge_each_with_criteria_ask_which_counts(tmp_path, expected):
    for judge, rows in _of_judges().items():
        _saved(tmp_path / f"{judge}.xlsx", {"Marks": rows})
    asked = run("check", "*.xlsx", folder=tmp_path)
    assert asked.returncode == 1 and "--score Total" in asked.stderr and "--criteria together" in asked.stderr
    done = run("calibrate", "*.xlsx", "--score", "Total", "-o", "result.xlsx", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert _values(tmp_path / "result.xlsx") == expected


def test_files_with_other_criteria_or_another_layout_are_refused(tmp_path):
    rows = _of_judges()
    _saved(tmp_path / "Ann Lee.xlsx", {"Marks": rows["Ann Lee"]})
    _saved(tmp_path / "Bo Ray.xlsx", {"Marks": [["Talk", "Content", "Wit", "Total"], *rows["Bo Ray"][1:]]})
    other = run("check", "*.xlsx", folder=tmp_path)
    assert other.returncode == 1 and "give them the same headings, or name one that all have" in other.stderr
    _saved(tmp_path / "Bo Ray.xlsx", {"Marks": [["Judge", "Content", "Style", "Total"], *rows["Bo Ray"][1:]]})
    turned = run("check", "*.xlsx", folder=tmp_path)
    assert turned.returncode == 1 and "lay them out alike" in turned.stderr


def test_panels_in_a_folder_are_no_criteria(tmp_path):
    """Three judges who each saw some are people, whatever the headings look like."""
    rows = [["T1", 5, None, 6], ["T2", None, 7, 8], ["T3", 4, 5, None]]
    for name in ("Monday", "Tuesday"):
        _saved(tmp_path / f"{name}.xlsx", {"Marks": [["Talk", "Lee", "Ray", "Moss"], *rows]})
    done = run("check", "*.xlsx", folder=tmp_path)
    assert done.returncode == 1 and "is not understood as the scores of one assessor" in done.stderr


def test_criteria_on_a_sheet_each_are_offered_together(tmp_path):
    grid = [["Talk", "Lee", "Ray", "Moss"], ["T1", 5, None, 6], ["T2", None, 7, 8], ["T3", 4, 5, None]]
    file = _saved(tmp_path / "day.xlsx", {"Content": grid, "Style": grid})
    asked = run("check", str(file))
    assert asked.returncode == 1 and "add --criteria together to the command" in asked.stderr
    assert run("check", str(file), "--criteria", "together").returncode == 0


def test_years_of_other_students_are_not_offered_as_one_panel(tmp_path):
    def year(first):
        return [["Candidate", "AH64", "BK12", "CM30"], *[[first + k, 50 + k, 60 - k, 55] for k in range(6)]]

    asked = run("check", str(_saved(tmp_path / "years.xlsx", {"2025": year(100), "2026": year(200)})))
    assert asked.returncode == 1 and "--sheet 2025" in asked.stderr
    assert "--names sheet" not in asked.stderr and "--criteria together" not in asked.stderr


@pytest.mark.slow
def test_a_note_for_people_in_a_folder_is_passed_over(tmp_path, expected):
    for judge, given in TOTALS.items():
        _saved(tmp_path / f"{judge}.xlsx", {"Marks": [["Talk", "Score"], *map(list, given.items())]})
    (tmp_path / "readme.txt").write_text("Dear judges,\nsend this back, please, by Friday.\n")
    done = run("calibrate", ".", "-o", "result.xlsx", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "Passed over, being no scores: readme.txt" in done.stdout
    assert _values(tmp_path / "result.xlsx") == expected


@pytest.mark.slow
def test_the_sheet_that_was_asked_for_is_kept_for_the_next_run(tmp_path):
    grid = [["Talk", "Lee", "Ray", "Moss"], ["T1", 5, None, 6], ["T2", None, 7, 8], ["T3", 4, 5, None]]
    later = [[value + 20 if isinstance(value, int) else value for value in row] for row in grid]
    _saved(tmp_path / "years.xlsx", {"2025": grid, "2026": later})
    assert run("calibrate", "years.xlsx", "--sheet", "2026", "-o", "one.xlsx", folder=tmp_path).returncode == 0
    again = run("calibrate", "one.xlsx", "-o", "two.xlsx", folder=tmp_path)
    assert again.returncode == 0, again.stderr
    assert "sheet 2026" in again.stdout and "out of date" not in again.stdout
    other = run("calibrate", "one.xlsx", "--sheet", "2025", "-o", "three.xlsx", folder=tmp_path)
    assert "sheet 2025" in other.stdout and "sheet 2025" in run("check", str(tmp_path / "three.xlsx")).stdout


def test_json_is_called_what_it_is(tmp_path):
    (tmp_path / "reviews.json").write_text('[{"paper": 1, "reviewer": "Lee", "score": 5}]')
    done = run("check", "reviews.json", folder=tmp_path)
    assert done.returncode == 1 and "reviews.json holds JSON, not a table" in done.stderr


@pytest.mark.slow
def test_sheets_below_a_heading_that_nobody_knows_are_asked_about_both_ways(tmp_path, expected):
    head = ["Kommissionsmitglied", "Punkte"]
    sheets = {talk: [head, *rows] for talk, rows in _of_talks().items()}
    _saved(tmp_path / "day.xlsx", sheets)
    asked = run("check", "day.xlsx", folder=tmp_path)
    assert asked.returncode == 1 and "--names sheet --object Kommissionsmitglied" in asked.stderr
    assert "the object that its name says, add --names sheet --assessor Kommissionsmitglied" in asked.stderr
    typed = ["--names", "sheet", "--assessor", "Kommissionsmitglied"]
    done = run("calibrate", "day.xlsx", *typed, "-o", "result.xlsx", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert _values(tmp_path / "result.xlsx") == expected
    grid = [["Talk", "Lee", "Ray", "Moss"], ["T1", 5, None, 6], ["T2", None, 7, 8], ["T3", 4, 5, None]]
    lists = {name: [["Code", "Seats"], ["x", 10], ["y", 20]] for name in ("Rooms", "Halls")}
    beside = run("check", str(_saved(tmp_path / "lists.xlsx", {"Marks": grid, **lists})))
    assert beside.returncode == 0, beside.stderr


@pytest.mark.parametrize("title", ["Judge: {}", "Examiner {}"])
def test_blocks_of_a_judge_each_are_refused_with_what_to_do(tmp_path, title):
    lines = ["Scores as handed in", ""]
    for judge, given in TOTALS.items():
        lines += [title.format(judge), "Talk,Score", *(f"{talk},{score}" for talk, score in given.items()), ""]
    (tmp_path / "day.csv").write_text("\n".join(lines))
    done = run("check", "day.csv", folder=tmp_path)
    assert done.returncode == 1 and f'a block for each who assessed ("{title.format("Bo Ray")}" in A9)' in done.stderr


def test_a_judge_who_has_not_answered_any_criterion_is_said(tmp_path):
    rows = _of_judges()
    for judge, given in rows.items():
        _saved(tmp_path / f"{judge}.xlsx", {"Marks": given})
    blank = [[*given[:1], None, None, None] for given in rows["Ann Lee"][1:]]
    _saved(tmp_path / "Di Fox.xlsx", {"Marks": [rows["Ann Lee"][0], *blank]})
    done = run("check", ".", "--score", "Total", folder=tmp_path)
    assert done.returncode == 0, done.stderr
    assert "No score yet from Di Fox" in done.stdout


def test_names_by_sheet_where_no_sheets_are_of_one_each_is_refused(tmp_path):
    grid = [["Talk", "Lee", "Ray", "Moss"], ["T1", 5, None, 6], ["T2", None, 7, 8], ["T3", 4, 5, None]]
    file = _saved(tmp_path / "day.xlsx", {"Marks": grid, "Notes": [["Seen", "by all"]]})
    done = run("check", str(file), "--names", "sheet")
    assert done.returncode == 1 and "No two sheets of day.xlsx hold a column of names" in done.stderr
