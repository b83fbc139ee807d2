"""Habits that the model does not know, on the summary: what is said, when, and what to do."""

import re

import numpy as np
import pytest

from panelcal import Panel
from panelcal.reporting.run_facts import RunFacts
from panelcal.systems.calibration.diagnostics_notes import declared_answer, diagnostic_answers
from panelcal.systems.calibration.report import build_report
from panelcal.systems.calibration.results import compute_results
from panels import connected_simulated_panel
from questions import questions_of
from readings import reading_of


def answers(panel):
    return {
        question: (answer, words) for question, answer, words in diagnostic_answers(compute_results(reading_of(panel)))
    }


def changed(panel, scores):
    return Panel.from_records(panel.object_index, panel.assessor_index, scores, panel.confidences)


@pytest.fixture(scope="module")
def panel():
    made = connected_simulated_panel(60, 10, 5, seed=3)
    return changed(made, np.rint(made.scores))


def test_scores_that_rise_with_confidence_are_reported_with_their_slope(panel):
    slope = 6.0
    answer, words = answers(changed(panel, panel.scores + slope * np.log2(panel.confidences)))[
        "Marks rise with credits?"
    ]
    assert float(answer.removesuffix(" per doubling")) == pytest.approx(slope, abs=2.0)
    assert "ask why" in words


def test_without_such_a_habit_there_is_no_sign_of_one(panel):
    found = answers(panel)
    assert found["Marks rise with credits?"][0] == "no clear sign"
    assert found["Round marks preferred?"][0] == "no clear sign"


def test_round_scores_are_reported_with_those_who_give_them(panel):
    some = (2, 4, 6, 8)
    fond = np.isin(panel.assessor_index, some)
    answer, words = answers(changed(panel, np.where(fond, 5 * np.rint(panel.scores / 5), panel.scores)))[
        "Round marks preferred?"
    ]
    assert answer == "yes"
    named = re.search(r"most of all (.*?)(?: and \d+ more)?\. ", words)[1].split(", ")
    assert set(named) <= {panel.assessors[k] for k in some}
    assert "ask for marks on the whole scale" in words


@pytest.mark.parametrize(("strength", "answer", "said"), [
    (1.0, "yes", "As much as the credits imply."),
    (0.0, "no", "The credits say nothing about how well marks fit"),
])  # fmt: skip
def test_whether_marks_of_larger_modules_scatter_less_is_answered_in_words_of_the_board(strength, answer, said):
    random = np.random.default_rng(3)
    objects, assessors = np.repeat(np.arange(120), 6), np.concatenate([random.permutation(12)[:6] for _ in range(120)])
    credits = np.resize([5.0, 15.0, 45.0], 12)[assessors]
    noise = 7 * (credits / 15) ** (-strength / 2) * random.standard_normal(720)
    made = Panel.from_records(objects, assessors, random.normal(60, 9, 120)[objects] + noise, credits)
    question, found, words = declared_answer(compute_results(reading_of(made)))
    assert question == "Do marks of larger modules scatter less?"
    assert (found, words.startswith(said)) == (answer, True)
    assert "1 = as credits imply, 0 = not at all" in words


def test_too_few_marks_to_tell_what_credits_mean_is_no_alarm():
    question, found, words = declared_answer(compute_results(reading_of(connected_simulated_panel(8, 4, 2, seed=1))))
    assert question == "Do marks with more credits scatter less?"
    assert found == "cannot tell"
    assert "common and harmless" in words


def test_where_all_count_alike_there_is_nothing_to_tell(panel):
    _, found, words = declared_answer(compute_results(reading_of(panel, method="fisher")))
    assert (found, words) == ("cannot tell", "All marks count alike here; this is common and harmless.")


def test_where_nothing_can_be_told_nothing_is_said():
    assert answers(Panel.from_matrix([[1.0, 2.0], [2.0, 3.5], [4.0, 1.0]])) == {}


def test_the_answers_stand_on_cal_audit(panel):
    results = compute_results(reading_of(panel))
    report = build_report(results, RunFacts(created="2026-01-02T03:04:05"))
    rows = questions_of(report, "Question")
    found = diagnostic_answers(results)
    assert found and all(rows[question] == (answer, words) for question, answer, words in found)
