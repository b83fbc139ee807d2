"""`panelcal plan` as a user runs it: who assesses what, and wishes that cannot be."""

from pathlib import Path

import openpyxl
import pytest

from run_panelcal import run, sheet_rows


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
    given = [(row["Talk"], [row[f"Judge {k}"] for k in (1, 2, 3)]) for row in sheet_rows(result, "By talk")]
    assert [talk for talk, _ in given] == [f"T{k}" for k in range(1, 13)]
    assert all(len(set(judges)) == 3 for _, judges in given)
    judges_of = dict(given)
    assert "J1" not in judges_of["T1"] and not {"J1", "J5"} & set(judges_of["T2"])
    to_fill_in = {(row["Talk"], row["Judge"], row["Rating"]) for row in sheet_rows(result, "Ratings")}
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


@pytest.mark.slow
def test_a_plan_is_made_from_csv_too_with_conflicts_in_a_column(tmp_path):
    file = tmp_path / "jury.csv"
    file.write_text("Talk,Conflict,Judge\nT1,Ben,Ada\nT2,,Ben\nT3,,Cleo\n", encoding="utf-8")
    done = run("plan", str(file), "--per-object", "2")
    assert done.returncode == 0, done.stderr
    (first, *_) = sheet_rows(tmp_path / "jury-plan.xlsx", "By talk")
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


@pytest.mark.slow
def test_how_many_each_judge_takes_may_be_said_instead(tmp_path):
    lists = _lists(tmp_path / "jury.xlsx", 12, 5)
    done = run("plan", str(lists), "--per-judge", "8")
    assert done.returncode == 0, done.stderr
    assert "Each talk gets 3 judges; each judge has 7 or 8 talks." in done.stdout
    book = openpyxl.load_workbook(tmp_path / "jury-plan.xlsx")
    assert len(book["What it buys"]._charts) == 1
    few = run("plan", str(lists), "--per-judge", "2", "-o", str(tmp_path / "few.xlsx"))
    assert few.returncode == 1 and "every judge would have to take at least 3" in few.stderr
    assert run("plan", str(lists)).returncode == 2
    assert run("plan", str(lists), "--per-judge", "8", "--per-object", "3").returncode == 2


@pytest.mark.slow
def test_hours_are_worked_out_and_a_plan_goes_on_from_its_scores(tmp_path):
    lists = _lists(tmp_path / "jury.xlsx", 6, 3)
    done = run("plan", str(lists), "--per-judge", "4", "--minutes", "15", "-o", str(tmp_path / "p.xlsx"))
    assert done.returncode == 0, done.stderr
    assert "Up to 1.0 hours for each judge, 3.0 hours in all." in done.stdout
    figures = {row["What"]: row for row in sheet_rows(tmp_path / "p.xlsx", "What it buys")}
    assert figures["Judges for each talk, K"]["In words"] == "K = J M / N = 4 x 3 / 6 = 2."
    assert (figures["Hours for each judge"]["Figure"], figures["Hours in all"]["Figure"]) == (1.0, 3.0)
    book = openpyxl.load_workbook(tmp_path / "p.xlsx")
    ratings = book["Ratings"]
    given = [(ratings.cell(row, 1).value, ratings.cell(row, 2).value) for row in range(5, 17)]
    for row, (_, talk) in enumerate(given, start=5):
        ratings.cell(row, 3).value = None if talk == "T6" else row % 4 + 1
    ratings.cell(5, 3).value = "n/a"
    conflicts = book.create_sheet("Conflicts")
    conflicts.append(["Talk", "Judge"])
    conflicts.append(["T6", "J1"])
    book.save(tmp_path / "filled.xlsx")
    done = run(
        "plan", str(tmp_path / "filled.xlsx"), "--next", "20", "--sheet", "Ratings", "-o", str(tmp_path / "n.xlsx")
    )
    assert done.returncode == 0, done.stderr
    rows = sheet_rows(tmp_path / "n.xlsx", "Next")
    proposed = [(row["Judge"], row["Talk"]) for row in rows]
    everybody = {(f"J{j}", f"T{t}") for j in (1, 2, 3) for t in range(1, 7)}
    scored = {pair for pair in given if pair[1] != "T6"}
    assert set(proposed) == everybody - scored - {("J1", "T6")} and given[0] not in proposed
    assert proposed[0][1] == "T6"
    errors = [row["Expected error after it"] for row in rows]
    assert errors == sorted(errors, reverse=True) and None not in errors
    assert "The best single assessment next: judge" in done.stdout
    both = run("plan", str(lists), "--next", "2", "--per-object", "2")
    assert both.returncode == 2
