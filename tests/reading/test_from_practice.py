"""Sheets as they come from boards, juries, panels and conferences (invented data), saved as real files.

Each is read as its owner means it, or refused with a sentence that says what to do next.
"""

from __future__ import annotations

import datetime
import random
import statistics
from pathlib import Path

import openpyxl
import pytest

from panelcal import InputRefused
from panelcal.files.load import load_source
from panelcal.reading.read import read_panel
from panelcal.reading.reading import Reading


def _save(path: Path, rows: list[list], title: str = "Sheet1") -> openpyxl.Workbook:
    book = openpyxl.Workbook()
    book.active.title = title
    for row in rows:
        book.active.append(row)
    book.save(path)
    return book


def _read(path: Path) -> Reading:
    return read_panel(load_source(path))


def _refusal(path: Path) -> str:
    with pytest.raises(InputRefused) as refused:
        _read(path)
    return str(refused.value)


def test_a_board_with_titles_merged_groups_credits_averages_classes_and_notes(tmp_path):
    random_marks = random.Random(4)
    modules = ["MA101", "MA102", "ST201", "EC110", "PH120"]
    rows: list[list] = [
        ["Final Exam Board 2026 - CONFIDENTIAL"],
        [None],
        [None, None, "Mathematics", None, "Statistics", "Economics", "Physics", "Mean", "Class"],
        ["Candidate No", "Name", *modules],
        ["Credits", None, 15, 15, 7.5, 30, 15],
    ]
    total = 0
    for k in range(12):
        marks = [55 + 7 * k % 20, *[random_marks.choice([None, 48, 57, 63, 71]) for _ in range(3)], 60 + k]
        given = [mark for mark in marks if mark is not None]
        total += len(given)
        rows.append([f"00{k + 17}", f"Student {k}", *marks, round(sum(given) / len(given), 2), "2:1"])
    rows[6][2] = "ABS"
    columns = [[row[c] for row in rows[5:] if isinstance(row[c], int)] for c in range(2, 7)]
    rows += [
        [None],
        ["Mean", None, *(round(statistics.mean(column), 1) for column in columns)],
        ["SD", None, *(round(statistics.stdev(column), 1) for column in columns)],
        ["Marks subject to moderation"],
    ]
    book = _save(tmp_path / "board.xlsx", rows, "Marks 2026")
    book.active.merge_cells("C3:D3")
    book.save(tmp_path / "board.xlsx")
    reading = _read(tmp_path / "board.xlsx")
    assert reading.panel.n_assessments == total - 1
    assert reading.panel.objects[0] == "0017"
    assert reading.object_names[0] == "Student 0"
    assert sorted(set(reading.panel.confidences)) == [7.5, 15, 30]
    assert sum(decision.excluded_scores for decision in reading.decisions) == 1


def test_a_jury_with_talks_across_and_dashes_for_not_seen(tmp_path):
    rows = [["Judge", *[f"Talk {t}" for t in "ABCDE"]]]
    rows += [[f"Judge {j}", *[3 if (j + t) % 4 else "-" for t in range(5)]] for j in range(5)]
    _save(tmp_path / "jury.xlsx", rows)
    panel = _read(tmp_path / "jury.xlsx").panel
    assert panel.assessors[0] == "Judge 0"
    assert panel.objects == tuple(f"Talk {t}" for t in "ABCDE")
    assert panel.n_assessments == sum((j + t) % 4 > 0 for j in range(5) for t in range(5))


def test_grants_as_a_list_in_odd_order_with_comments_deviations_and_a_blank_row(tmp_path):
    rows: list[list] = [["Reviewer", "Comments", "Score (1-10)", "Proposal ID", "Std dev"]]
    rows += [[f"R{(p + r) % 6}", "fine", 3.5 + r, f"P-{p:03}", [0.5, 1, 2][r]] for p in range(8) for r in range(3)]
    rows.insert(9, [None] * 5)
    _save(tmp_path / "grants.xlsx", rows)
    reading = _read(tmp_path / "grants.xlsx")
    assert reading.panel.n_assessments == 24
    assert set(reading.panel.confidences) == {4.0, 1.0, 0.25}
    assert reading.nouns.object == "Proposal" and reading.nouns.assessor == "Reviewer"


def test_a_conference_with_ratings_as_text_and_confidence_words(tmp_path):
    words = ["High", "medium", "low"]
    rows: list[list] = [["Paper", "Reviewer", "Overall rating", "Confidence"]]
    rows += [[f"#{p}", f"rev{(p + r) % 6}", str(4 + r), words[r]] for p in range(8) for r in range(3)]
    _save(tmp_path / "reviews.xlsx", rows)
    reading = _read(tmp_path / "reviews.xlsx")
    assert reading.panel.scores.tolist() == [4, 5, 6] * 8
    assert reading.panel.confidences.tolist() == [4, 1, 0.25] * 8
    assert not reading.plain_scores.any()


def test_a_csv_with_semicolons_and_decimal_commas(tmp_path):
    lines = ["Student;Examiner;Mark"] + [f"S{p};E{(p + r) % 4};{2 + r},7" for p in range(8) for r in range(2)]
    (tmp_path / "marks.csv").write_text("\n".join(lines), encoding="cp1252")
    assert _read(tmp_path / "marks.csv").panel.scores.tolist() == [2.7, 3.7] * 8


def test_errors_dates_and_remarks_are_all_named_at_once(tmp_path):
    rows: list[list] = [["ID", "A", "B", "C"]] + [[f"s{k}", 50 + k, 60 - k, 55] for k in range(6)]
    rows[3][2], rows[4][1], rows[5][3] = "#REF!", datetime.date(2026, 11, 12), "65%?"
    _save(tmp_path / "errors.xlsx", rows)
    said = _refusal(tmp_path / "errors.xlsx").splitlines()
    assert len([line for line in said if not line.startswith("- ")]) == 3
    assert any(line.startswith('- To take it as not assessed, add --codes "65%?=exclude" to') for line in said)
    for cell, what in (("C4", "correct the formula"), ("B5", "type the score again"), ("D6", 'the text "65%?"')):
        assert any(cell in line and what in line for line in said)


def test_formulas_that_were_never_calculated_are_to_be_calculated_first(tmp_path):
    rows = [["ID", "A", "B"]] + [[f"s{k}", 50 + k, f"=B{k + 2}+3"] for k in range(6)]
    _save(tmp_path / "formulas.xlsx", rows)
    said = _refusal(tmp_path / "formulas.xlsx")
    assert "C2, C3" in said and "let it calculate" in said


def test_a_sheet_in_percent_counts_in_percent(tmp_path):
    rows = [["Student", "M1", "M2"]] + [[f"s{k}", 0.5 + k / 100, 0.61] for k in range(6)]
    book = _save(tmp_path / "percent.xlsx", rows)
    for row in book.active.iter_rows(min_row=2, min_col=2):
        for cell in row:
            cell.number_format = "0%"
    book.save(tmp_path / "percent.xlsx")
    assert _read(tmp_path / "percent.xlsx").panel.scores == pytest.approx(
        [50, 61, 51, 61, 52, 61, 53, 61, 54, 61, 55, 61]
    )


def test_two_sheets_with_marks_behind_a_cover_are_listed(tmp_path):
    rows = [["Student", "M1", "M2"]] + [[f"s{k}", 50 + k, 61] for k in range(5)]
    book = _save(tmp_path / "two.xlsx", rows)
    other = book.create_sheet("Other")
    for row in rows:
        other.append(row)
    book.create_sheet("Cover")["A1"] = "Welcome"
    book.active = 2
    book.save(tmp_path / "two.xlsx")
    said = _refusal(tmp_path / "two.xlsx")
    assert "Sheet1, Other" in said and "write Sheet of scores in cell A1 and Other in cell B1 of a new sheet" in said


def test_an_agent_that_scored_an_item_twice_is_asked_about(tmp_path):
    rows: list[list] = [["item", "agent", "severity"]]
    rows += [[f"it{p}", f"agent-{a}", 10 * p + k] for p in range(9) for k, a in enumerate("ABC")]
    rows.append(["it0", "agent-A", 55])
    _save(tmp_path / "agents.xlsx", rows)
    said = _refusal(tmp_path / "agents.xlsx")
    assert "C29" in said and "Repeated assessments in cell A1 and keep both in cell B1" in said


def test_a_list_numbered_at_the_left_below_a_title_merged_over_a_part_of_it(tmp_path):
    random_marks = random.Random(9)
    modules = ["RIV101", "RIV102 ", "RIV103", "RIV104", "RIV105"]
    rows: list[list] = [
        [None, "School of Rivers - spring marks"],
        [None],
        [None, "Cand. No", "Programme", *modules, "Ave"],
        [None, "ECTS", None, 10, 5, 10, 5, 10],
    ]
    for k in range(30):
        marks = [random_marks.randint(38, 82) for _ in modules]
        rows.append([k + 1, f"{71000 + 3 * k:06d}", "BSc", *marks, round(sum(marks) / 5, 1)])
    rows[9][4], rows[20][3] = "ABS", "57,5"
    rows += [[None], [None, "Mean", None, 60.5], [None], [None, "checked by JB 3/6, see email"]]
    book = _save(tmp_path / "rivers.xlsx", rows, "Spring 26 FINAL v3")
    book.active.merge_cells("B1:H1")
    book.save(tmp_path / "rivers.xlsx")
    reading = _read(tmp_path / "rivers.xlsx")
    assert (reading.nouns.object, reading.panel.objects[0]) == ("Candidate", "071000")
    assert reading.panel.assessors == tuple(module.strip() for module in modules)
    assert reading.panel.n_assessments == 149 and 57.5 in reading.panel.scores
    assert sorted(set(reading.panel.confidences)) == [5, 10]
