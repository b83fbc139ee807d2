"""What a file leaves open is asked at once, and each answer leads on: names written once, merged cells, keys."""

import numpy as np
import pytest

from panelcal.reading.grid import Source, Uncalculated
from panelcal.reading.keys import low_is_best_by_key, zero_means_absent
from panelcal.reading.plausibility.strangers import stranger_lines
from panelcal.reading.plausibility.subtotals import subtotal_lines
from panelcal.reading.plausibility.versions import versions_of
from panelcal.reading.read import read_panel
from panelcal.reading.table import table_of


def _panel(seed, n=20, m=5):
    rng = np.random.default_rng(seed)
    return np.round(60 + 10 * rng.normal(size=n)[:, None] + 5 * rng.normal(size=m) + 3 * rng.normal(size=(n, m)))


def test_ages_beside_marks_are_strangers_and_a_severe_assessor_is_none():
    marks = _panel(1)
    ages = np.random.default_rng(2).integers(18, 30, 20)
    assert stranger_lines(np.column_stack([marks, ages])) == (5,)
    marks[:, 2] -= 35
    assert stranger_lines(marks) == ()


def test_means_of_groups_of_rows_are_found_and_the_rows_are_not():
    marks = _panel(3, 9)
    groups = [np.vstack([marks[k : k + 3], marks[k : k + 3].mean(axis=0).round(2)]) for k in (0, 3, 6)]
    assert [one.line for one in subtotal_lines(np.vstack(groups).T)] == [3, 7, 11]
    assert subtotal_lines(marks.T) == ()


@pytest.mark.parametrize(
    ("text", "absent", "low"),
    [
        ("0 = absent", True, False),
        ("Note: 0 means not marked", True, False),
        ("0 = fail", False, False),
        ("10 = absent", False, False),
        ("1 = exceptional, 9 = poor", False, True),
        ("1 = poor, 5 = excellent", False, False),
        ("(1 = best)", False, True),
    ],
)
def test_keys_on_a_sheet_are_understood(grid, text, absent, low):
    table = table_of(grid([["Student", "A"], ["S1", 3], [text, None]]))
    assert bool(zero_means_absent(table)) is absent
    assert bool(low_is_best_by_key(table)) is low


def _answers(refusal):
    return [dict(answer.gives) for answer in refusal.answers]


ONCE = [["Bid", "Judge", "Score"], ["B1", "Ann", 5], [None, "Bob", 7], ["B2", "Ann", 6], [None, "Bob", 9]]


def test_names_written_once_are_asked_about_and_repeated_as_said(read, refused_by):
    assert _answers(refused_by(ONCE)) == [{"blank_names": "repeat"}, {"blank_names": "leave out"}]
    panel = read(ONCE, settings={"Blank names in a list": "repeat"}).panel
    assert panel.objects == ("B1", "B2")
    assert sorted(panel.scores.tolist()) == [5, 6, 7, 9]


def test_merged_scores_count_as_said(read, refused_by):
    rows = [["Student", "A", "B"], ["S1", 60, None], ["S2", 50, 55], ["S3", 40, 45]]
    merged = {"merged": ((2, 2, 2, 3),)}
    assert [{"merged_cells": "every"}, {"merged_cells": "first"}] == _answers(refused_by(rows, **merged))
    assert read(rows, settings={"Merged cells": "every"}, **merged).panel.n_assessments == 6
    assert read(rows, settings={"Merged cells": "first"}, **merged).panel.n_assessments == 5


def test_a_lone_comma_is_what_the_answer_says(read, refused_by):
    rows = [["Student", "A", "B"], ["S1", "1,234", 1100], ["S2", 1300, 1200], ["S3", 1000, 1150]]
    assert _answers(refused_by(rows)) == [{"lone_comma": "thousand"}, {"lone_comma": "decimal"}]
    assert 1234 in read(rows, settings={"Comma in 1,234": "thousand"}).panel.scores
    assert 1.234 in read(rows, settings={"Comma in 1,234": "decimal"}).panel.scores


def test_true_and_false_and_formulas_without_results_have_answers(read, refused_by):
    rows = [["Student", "A", "B"], ["S1", True, 1], ["S2", False, 0], ["S3", Uncalculated("=1+1"), 1], ["S4", 1, 0]]
    refusal = refused_by(rows)
    assert {"codes": {"not calculated": "exclude"}} in _answers(refusal)
    assert {"grades": {"TRUE": 1.0, "FALSE": 0.0}} in _answers(refusal)
    codes = {"TRUE": "exclude", "FALSE": "exclude", "not calculated": "exclude"}
    assert read(rows, codes=codes).panel.n_assessments == 5


def test_what_follows_from_leaving_out_is_asked_at_once(refused_by):
    marks = _panel(5)
    extremes = np.sort(marks, axis=1)
    rows = [["Wine", "Glass", "A", "B", "C", "D", "E", "Trim"]]
    rows += [[f"W{k}", k + 1, *marks[k].tolist(), round(extremes[k, 1:-1].mean(), 2)] for k in range(len(marks))]
    given = [answer["exclude"] for answer in _answers(refused_by(rows)) if "exclude" in answer]
    assert ("Glass",) in given
    assert ("Trim",) in given


def test_another_sheet_with_the_same_headings_is_asked_about(read, refused_by, said, grid):
    rows = [["Film", "Ann", "Bob", "Cem"], *[[f"F{k}", 50 + k, 40 + 2 * k, 60 - k] for k in range(5)]]
    offered = _answers(refused_by(rows, more=[grid(rows, "Round 2")]))
    assert offered[:3] == [{"criteria": {"together": 1.0}}, {"sheet": "Marks"}, {"sheet": "Round 2"}]
    assert read(rows, more=[grid(rows, "Round 2")], choose={"sheet": "Round 2"}).sheet == "Round 2"
    source = Source("film.xlsx", (grid(rows), grid(rows, "Round 2")), "Marks", kind="open workbook")
    assert "Round 2" in said(read_panel(source), "other sheets alike").sentence
    assert said(read(rows, more=[grid([["Notes", "x"]], "Notes")]), "other sheets alike") is None


def test_two_versions_of_what_each_gave_are_asked_about(read, refused_by):
    heads = [text for one in ("Ann Lee", "Bob Ray", "Cem Oz") for text in (one, f"{one} (moderated)")]
    marks = _panel(8, 8, 3).astype(int)
    rows = [["Script", *heads]]
    rows += [[f"S{k}", *[int(value) for mark in row for value in (mark, mark - k % 3)]] for k, row in enumerate(marks)]
    answers = _answers(refused_by(rows))
    assert {"exclude": tuple(heads[1::2])} in answers
    assert {"exclude": tuple(heads[::2])} in answers
    panel = read(rows, settings={"Leave out": "; ".join(heads[1::2])}).panel
    assert panel.assessors == tuple(heads[::2])


def test_papers_of_a_subject_are_no_versions():
    heads = ["Biology paper 1", "Biology paper 2", "Physics paper 1", "Physics paper 2"]
    assert versions_of(dict(enumerate(heads))) == ((), ())
    assert versions_of(dict(enumerate(["Ann 1st", "Ann 2nd", "Bob 1st", "Bob 2nd"]))) == ((0, 2), (1, 3))


def test_words_of_a_column_that_is_left_out_are_asked_about_once(refused_by):
    rows = [["Film", "Ann", "Bob", "Cem", "Fee asked"]]
    rows += [[f"F{k}", 50 + k, 40 + 2 * k, 60 - k, "tbc" if k % 4 == 1 else 2500 * (1 + k % 3)] for k in range(9)]
    rows[3][2] = "7O"
    found = [[answer.gives for answer in one.answers] for one in refused_by(rows).questions]
    about = [given for given in found if any("codes" in one or "grades" in one for one in given)]
    assert len(about) == 1 and {"grades": {"7O": 70.0}, "codes": {"tbc": "exclude"}} in about[0]
