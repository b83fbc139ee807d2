"""What a second run in the same workbook says of the first, against two calibrations made here."""

import io

import numpy as np
import openpyxl
import pytest

from panelcal import Panel, calibrate
from panelcal.files.run_bytes import run_bytes
from panelcal.reading.grid import Grid
from panelcal.reporting.names import sheets_to_compare
from panelcal.systems.calibration.last_run import last_run_in
from questions import questions_of

pytestmark = pytest.mark.filterwarnings("ignore::UserWarning")
STUDENTS, MODULES = [f"s{k}" for k in range(12)], list("ABCD")


def marks():
    rng = np.random.default_rng(3)
    scores = np.round(np.linspace(45, 72, 12)[:, None] + [6, -4, 0, -2] + rng.normal(0, 2, (12, 4)))
    scores[rng.random((12, 4)) < 0.25] = np.nan
    return scores


def workbook_of(scores):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet.title = "Marks"
    sheet.append(["Student", *MODULES])
    for student, row in zip(STUDENTS, scores, strict=True):
        sheet.append([student, *(None if np.isnan(score) else float(score) for score in row)])
    return saved(book)


def saved(book):
    stream = io.BytesIO()
    book.save(stream)
    return stream.getvalue()


def values_of(scores):
    o, a = np.nonzero(~np.isnan(scores))
    return calibrate(Panel(tuple(STUDENTS), tuple(MODULES), o, a, scores[o, a], np.ones(len(o)))).values


def since(run):
    found = questions_of(run.report).items()
    rows = {q.partition(": ")[2]: row for q, row in found if q.startswith("Since the last run (Cal values)")}
    told = [f"Since the last run (Cal values): {asked}: {answer}. {said}" for asked, (answer, said) in rows.items()]
    assert list(run.report.sheets[0].front.lines) == told
    assert set(told) <= {note.text for note in run.report.sheets[0].notes}
    return rows


def test_a_corrected_mark_is_named_with_its_cell_and_who_moved_by_it():
    before = marks()
    first = run_bytes([("marks.xlsx", workbook_of(before))])
    assert since(first.run) == {}
    after = before.copy()
    after[4, 0] = 61 if before[4, 0] != 61 else 71
    gone = int(np.flatnonzero(~np.isnan(before[9]))[0])
    after[9, gone] = np.nan
    book = openpyxl.load_workbook(io.BytesIO(first.workbook))
    book["Marks"].cell(6, 2).value = after[4, 0]
    book["Marks"].cell(11, 2 + gone).value = None
    second = since(run_bytes([("marks.xlsx", saved(book))]).run)
    answer, said = second["scores that differ"] if "scores that differ" in second else second["marks that differ"]
    assert answer == 2 and "B6 (s4, A): " in said and f"now {after[4, 0]:g}" in said
    assert f"(s9, {MODULES[gone]}): {before[9, gone]:g}, now none" in said
    moved = values_of(after) - values_of(before)
    most = int(np.argmax(np.abs(moved)))
    answer, said = second["who moved"]
    assert answer == f"{(np.abs(moved) >= 0.05).sum()} students"
    assert said.startswith(f"{STUDENTS[most]} {moved[most]:+.1f}")
    sixth = np.sort(np.abs(moved))[-6]
    assert f"nobody else by more than {np.ceil(sixth * 10) / 10:.1f}" in said
    assert said.endswith("Every rank is the same.")


@pytest.mark.slow
def test_the_rank_that_moves_most_is_named():
    before = marks()
    first = run_bytes([("marks.xlsx", workbook_of(before))])
    after = before.copy()
    after[0] = np.where(np.isnan(before[0]), np.nan, 90)
    book = openpyxl.load_workbook(io.BytesIO(first.workbook))
    for column in np.flatnonzero(~np.isnan(before[0])).tolist():
        book["Marks"].cell(2, 2 + column).value = 90
    _, said = since(run_bytes([("marks.xlsx", saved(book))]).run)["who moved"]
    assert values_of(after).argmax() == 0 and values_of(before).argmin() == 0
    assert said.endswith("12 ranks differ, most that of s0 (12 to 1).")


@pytest.mark.slow
def test_the_same_marks_again_say_that_nothing_moved():
    first = run_bytes([("marks.xlsx", workbook_of(marks()))])
    second = since(run_bytes([("marks.xlsx", first.workbook)]).run)
    assert second["who moved"] == ("0 students", "Every rank is the same.")
    assert [answer for question, (answer, _) in second.items() if question.endswith("that differ")] == [0]


def test_the_newest_run_is_compared_and_nothing_that_is_not_ours():
    own = ["Cal values", "Cal proof", "cal values 10", "Cal proof 10", "Cal values 2", "Cal audit 10", "Notes"]
    assert sheets_to_compare(own) == ("cal values 10", "Cal proof 10")
    assert sheets_to_compare(["Cal summary"]) == ()


def test_sheets_changed_in_shape_tell_nothing():
    assert last_run_in([Grid("Cal values", (("a",),))]) is None
    assert last_run_in([]) is None
