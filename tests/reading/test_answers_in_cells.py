"""A question about a workbook is answered in its cells, as the refusal says it, with what the option would give."""

import shlex

import pytest

from exports.as_in_excel import answered_in_cells
from exports.reading_as_typed import read_as_typed
from office.kinds_of_questions import KINDS, document
from panelcal.errors import Answer, InputRefused, Question
from panelcal.reading.answers import Way, options_for, question_in_words, questions_in_words
from panelcal.reading.grid import Grid
from panelcal.reading.settings import Settings
from panelcal.reading.settings_sheet import read_settings
from panelcal.reporting.settings_form import settings_form

MOST_ANSWERS = 6


def _outcome(path, options=()):
    """What is read: who, whom, and the scores; or what else is asked."""
    try:
        panel = read_as_typed([path], options).panel
    except InputRefused as refusal:
        # Where an answer is to be written depends on the sheet, what is asked does not.
        return [question.sentence for question in refusal.questions] or str(refusal)
    return panel.objects, panel.assessors, panel.scores.tolist(), panel.confidences.tolist()


def _chosen(questions, number, answer):
    """The first answer to each question, but this one to that question."""
    return [answer if k == number else question.answers[0] for k, question in enumerate(questions)]


@pytest.mark.slow
@pytest.mark.parametrize("kind", KINDS)
def test_every_answer_to_every_kind_of_question_can_be_given_in_cells(kind, tmp_path):
    path = document(kind, tmp_path / "asked")
    with pytest.raises(InputRefused) as refused:
        read_as_typed([path])
    refusal = refused.value
    assert refusal.questions
    for number, question in enumerate(refusal.questions):
        for k, answer in enumerate(question.answers[:MOST_ANSWERS]):
            chosen = _chosen(refusal.questions, number, answer)
            copy = tmp_path / f"{number}-{k}" / path.name
            copy.parent.mkdir()
            answered_in_cells(path, copy, refusal, chosen)
            options = shlex.split(" ".join(options_for(one) for one in chosen))
            assert _outcome(copy) == _outcome(path, options), (question.sentence, answer.meaning)


def test_a_row_of_codes_joins_the_usual_ones_and_a_table():
    line = ("Codes", "late=zero, ill=exclude")
    alone = read_settings(
        Grid("Settings", (line, ("Codes", "'-=stop"), ("grades:", "A+=3, B=1"), ("Criteria", "each")))
    )[0]
    assert {"late": "zero", "ill": "exclude", "ABS": "exclude", "-": "stop"}.items() <= alone.codes.items()
    assert dict(alone.grades) == {"A+": 3, "B": 1} and alone.criteria_each
    beside = read_settings(Grid("Settings", (line, (None, None), ("Code", "Treatment"), ("ABS", "exclude"))))[0]
    assert dict(beside.codes) == {"ABS": "exclude", "late": "zero", "ill": "exclude"}


@pytest.mark.parametrize(("label", "value"), [("Codes", "late=perhaps"), ("Grades", "A"), ("Criteria", "x=y")])
def test_a_row_that_is_not_clear_is_refused_with_its_cell(label, value):
    with pytest.raises(InputRefused, match=f"Cell B1 on sheet Settings, beside {label}: "):
        read_settings(Grid("Settings", ((label, value),)))


def test_what_a_spreadsheet_would_take_for_a_formula_is_typed_with_an_apostrophe():
    asked = Question("Cell B2 holds -.", (Answer({"codes": {"-": "zero"}}, "count it as 0"),))
    assert "write Codes in cell A1 and '-=zero in cell B1" in question_in_words(asked, Way("workbook"))


def test_the_button_settings_is_pressed_first_and_its_sheet_has_room():
    """In an open workbook the fresh sheet comes from a button, and its first cells are taken."""
    asked = [
        Question("Words.", (Answer({"codes": {"ill": "exclude"}}, "take it as not assessed"),)),
        Question("Which?", (Answer({"criteria": {"Depth": 1.0, "Style": 2.0}}, "add them up"),)),
    ]
    said = " ".join(questions_in_words(asked, Way("open workbook")))
    form = settings_form()
    end = form.tables[0].last_row
    assert form.tables[1].row > end + 2
    assert f"press Settings on the tab Calibrate and there write Codes in cell A{end + 1} and ill=exclude" in said
    assert f"write Criteria in cell A{end + 2} and Depth=1, Style=2 in cell B{end + 2}" in said


def test_the_sheets_of_scores_and_confidences_can_be_named():
    grid = Grid("Settings", (("Sheet of scores", "Year 2"), ("Sheet of confidences", "Sure")))
    assert read_settings(grid)[0] == Settings(sheet="Year 2", confidence_sheet="Sure")
