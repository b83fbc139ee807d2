"""Questions about a file: asked all at once, worded for the kind of file, and answered in one step."""

import pytest

from panelcal.errors import Answer, InputRefused, Question
from panelcal.reading.answers import Way, question_in_words
from panelcal.reading.grid import Grid, Source
from panelcal.reading.patterns import matches, near_miss, places_of
from panelcal.reading.read import read_panel
from panelcal.systems.choices import Choices

LEAVE_OUT = Answer({"exclude": ("Attendance %",)}, "leave it out")
COUNT_IN = Answer({"include": ("Attendance %",)}, "count it as a judge")
ASKED = Question("Column F (Attendance %) goes from 78 to 100.", (LEAVE_OUT, COUNT_IN))

CRITERIA = [
    ["Paper", "Adjudicator", "Reviewer", "Originality", "Clarity"],
    *[[f"P{p}", f"A{a}", f"R{a}", 10 * p + a, 5 * p - a] for p in range(1, 5) for a in range(3)],
]


def _source(rows, kind="text", settings=()):
    grids = [Grid("Marks", tuple(map(tuple, rows)))]
    if settings:
        grids.append(Grid("Settings", tuple(map(tuple, settings))))
    return Source("marks", tuple(grids), "Marks", kind=kind)


def _refused(source, choices=None):
    with pytest.raises(InputRefused) as refused:
        read_panel(source, over=(choices or Choices()).over)
    return refused.value


def test_a_text_file_is_answered_by_an_option():
    assert question_in_words(ASKED, Way("text")).splitlines() == [
        "Column F (Attendance %) goes from 78 to 100.",
        '- To leave it out, add --exclude "Attendance %" to the command.',
        '- To count it as a judge, add --include "Attendance %" to the command.',
    ]


def test_a_workbook_is_answered_in_a_cell_of_its_settings():
    grid = Grid("Settings", (("Setting", "Value"), ("Leave out", None), ("Count in", None)))
    said = question_in_words(ASKED, Way("workbook", grid=grid))
    assert "on the sheet Settings, write Attendance % in cell B2 (Leave out)" in said
    assert "write Attendance % in cell B3 (Count in)" in said


def test_what_stands_in_the_cell_already_is_kept():
    source = _source(
        [["Student", "A", "B", "Year", "Year"], *[[f"S{k}", k, k + 1, 3, k] for k in range(5)]],
        "workbook",
        [["Leave out", "Yaer"]],
    )
    assert "did you mean Year?" in str(_refused(source))
    way = Way("workbook", Choices(settings={"exclude": ("Rank",)}).over(Way().settings), source.grid("Settings"))
    assert "write Rank; Attendance % in cell B1 (Leave out)" in question_in_words(ASKED, way)


def test_a_workbook_without_settings_has_an_option_and_is_told_how_to_add_the_sheet():
    said = question_in_words(ASKED, Way("workbook")).splitlines()
    assert said[1] == (
        '- To leave it out, add --exclude "Attendance %" to the command, or write Leave out in cell A1 and '
        "Attendance % in cell B1 of a new sheet called Settings."
    )


def test_a_workbook_open_in_excel_is_sent_to_its_own_cells():
    assert "press Settings on the tab Calibrate and there write Attendance %" in question_in_words(
        ASKED, Way("open workbook")
    )


def test_what_a_shell_would_read_becomes_a_wildcard():
    asked = Question("Which?", (Answer({"exclude": ('The "$" column!',)}, "leave it out"),))
    said = question_in_words(asked, Way("text"))
    assert '--exclude "The ??? column?"' in said
    assert matches("The ??? column?", 'The "$" column!')


def test_headings_are_compared_without_capitals_and_spaces_and_with_wildcards():
    assert matches("judge*", "Judge  Smith") and not matches("judge", "Judge Smith")
    assert places_of("A[1]", ["A1", "A[1]"]) == [1]
    assert places_of("C1", ["Name", "Name"], ["B1", "C1"]) == [1]
    assert near_miss("Adjudicater", ["Paper", "Adjudicator"]) == "Adjudicator"


def test_all_open_questions_of_a_list_are_asked_at_once_and_answered_in_one_step():
    source = _source(CRITERIA)
    refused = _refused(source)
    assessor, score = refused.questions
    assert [dict(answer.gives) for answer in assessor.answers] == [
        {"assessor_column": "Adjudicator"},
        {"assessor_column": "Reviewer"},
    ]
    assert [set(answer.gives) for answer in score.answers] == [*[{"score_column"}] * 2, *[{"criteria"}] * 3]
    reading = read_panel(source, over=Choices().answered(assessor.answers[1], score.answers[1]).over)
    assert reading.panel.assessors == ("R0", "R1", "R2")
    assert reading.panel.scores.tolist() == [5 * p - a for p in range(1, 5) for a in range(3)]


def test_criteria_are_added_up_with_their_weights():
    reading = read_panel(
        _source(CRITERIA),
        over=Choices(settings={"assessor_column": "Reviewer", "criteria": {"clarity": 2.0, "Originality": 1.0}}).over,
    )
    assert reading.panel.scores.tolist() == [20 * p - a for p in range(1, 5) for a in range(3)]
    assert not reading.plain_scores.any()
    assert any("Originality times 1, Clarity times 2" in decision.sentence for decision in reading.decisions)


def test_a_blank_among_criteria_is_refused_and_a_code_leaves_the_row_out():
    rows = [list(row) for row in CRITERIA]
    rows[1][4] = None
    choices = Choices(settings={"assessor_column": "Reviewer", "criteria": {"Clarity": 1.0, "Originality": 1.0}})
    assert "E2" in str(_refused(_source(rows), choices))
    rows[1][4] = "ABS"
    reading = read_panel(_source(rows), over=choices.over)
    assert reading.panel.n_assessments == 11
    assert reading.cells_found == 11 + sum(decision.excluded_scores for decision in reading.decisions)


def test_columns_and_rows_of_a_matrix_are_left_out_by_name():
    rows = [["Student", "A", "B", "C", "Attendance %"], *[[f"S{k}", 50 + k, 60 + k, 55 + k % 3, 99] for k in range(5)]]
    rows.append(["Coefficient", 2, 2, 1, 1])
    choices = Choices(settings={"exclude": ("attendance*", "Coefficient")})
    reading = read_panel(_source(rows), over=choices.over)
    assert reading.panel.assessors == ("A", "B", "C")
    assert reading.panel.objects == tuple(f"S{k}" for k in range(5))
    assert reading.cells_found == 15 + sum(decision.excluded_scores for decision in reading.decisions)


def test_only_the_columns_named_hold_scores():
    rows = [["Student", "Year", "Judge A", "Judge B", "Rank"], *[[f"S{k}", 3, 50 + k, 60 + k, k] for k in range(5)]]
    reading = read_panel(_source(rows), over=Choices(settings={"scores": ("Judge*",)}).over)
    assert reading.panel.assessors == ("Judge A", "Judge B")
    assert reading.panel.scores.tolist() == [x for k in range(5) for x in (50 + k, 60 + k)]


def test_what_is_counted_in_is_read_whatever_its_heading_says():
    rows = [
        ["Student", "A", "B", "Rank"],
        *[[f"S{k}", 50 + k, 60 + k, 40 + 3 * k] for k in range(5)],
        ["Mean", 1, 2, 3],
    ]
    reading = read_panel(_source(rows), over=Choices(settings={"include": ("Rank", "Mean")}).over)
    assert reading.panel.assessors == ("A", "B", "Rank")
    assert reading.panel.objects[-1] == "Mean"


def test_the_columns_of_a_list_are_named_by_their_headings():
    rows = [["Entry", "Person", "Given", "Self"], *[[f"E{k}", f"X{a}", k + a, 2] for k in range(4) for a in range(3)]]
    named = {"object_column": "entry", "assessor_column": "Pers*", "score_column": "Given", "confidence_column": "Self"}
    reading = read_panel(_source(rows), over=Choices(settings=named).over)
    assert reading.panel.assessors == ("X0", "X1", "X2")
    assert reading.panel.confidences.tolist() == [2.0] * 12
    without = read_panel(_source(rows), over=Choices(settings=named | {"confidence_column": "none"}).over)
    assert without.panel.confidences.tolist() == [1.0] * 12


def test_the_column_of_objects_of_a_matrix_is_named_by_its_heading():
    rows = [["Name", "Exam no", "A", "B"], *[[f"Ann {k}", f"N{k}", 50 + k, 60 + k] for k in range(5)]]
    reading = read_panel(_source(rows), over=Choices(settings={"object_column": "Exam no"}).over)
    assert reading.panel.objects == tuple(f"N{k}" for k in range(5))
