"""Templates read back as they were meant: the examples with every oddity on record, the empty ones once filled in."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook

from panelcal.errors import InputRefused
from panelcal.files.load import load_source
from panelcal.files.saving import write_template
from panelcal.reading.read import read_panel
from panelcal.reading.reading import Reading
from panelcal.reading.settings import DEFAULT_CODES
from panelcal.templates.made_up import exam_board_marks, grant_panel_reviews

COUNTS = {"High": 4.0, "Medium": 1.0, "Low": 0.25}


def read(path: Path) -> Reading:
    return read_panel(load_source(path))


def cells_of(reading: Reading, kind: str) -> set[str]:
    return {cell for decision in reading.decisions if decision.kind == kind for cell in decision.cells}


@pytest.fixture(scope="module")
def board_reading(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    target = tmp_path_factory.mktemp("board") / "exam_board_example.xlsx"
    write_template("exam_board_example", target)
    return read(target)


@pytest.fixture(scope="module")
def grant_reading(tmp_path_factory: pytest.TempPathFactory) -> Reading:
    target = tmp_path_factory.mktemp("grants") / "grant_panel_example.xlsx"
    write_template("grant_panel_example", target)
    return read(target)


def test_the_board_is_read_as_it_was_made_up(board_reading: Reading):
    board = exam_board_marks()
    panel = board_reading.panel
    assert board_reading.summary == "82 students in A5:A86 and 81 modules in B4:CD4"
    assert board_reading.score_block == "B5:CD86"
    marks = np.full(board.marks.shape, np.nan)
    places = {label: at for at, label in enumerate(board.students)}
    columns = {label: at for at, label in enumerate(board.modules)}
    for student, module, mark in zip(panel.object_index, panel.assessor_index, panel.scores, strict=True):
        marks[places[panel.objects[student]], columns[panel.assessors[module]]] = mark
    np.testing.assert_array_equal(marks, board.marks)


def test_the_credits_are_the_confidences(board_reading: Reading):
    board = exam_board_marks()
    panel = board_reading.panel
    credits_of = dict(zip(board.modules, board.credits, strict=True))
    assert [credits_of[panel.assessors[at]] for at in panel.assessor_index] == list(panel.confidences)
    assert board_reading.nouns.confidence == "Credits"


def test_the_board_s_oddities_are_on_record_and_stop_nothing(board_reading: Reading):
    board = exam_board_marks()
    codes = {cell for cell in board.cell_texts if np.isnan(board.marks[cell])}
    assert {text for cell, text in board.cell_texts.items() if cell in codes} == {"ABS", "EXT", "MC", "n/a"}
    assert len(cells_of(board_reading, "code excluded")) == len(codes)
    assert len(cells_of(board_reading, "text read as number")) == len(board.cell_texts) - len(codes) == 2
    assert cells_of(board_reading, "total or statistic") == {"CE5:CE86"}
    assert cells_of(board_reading, "statistics row") == {"A87:CD87"}
    assert cells_of(board_reading, "hidden included") == {"AW5:AW86"}
    assert cells_of(board_reading, "note") == {"A89"}
    assert 0.0 in board_reading.panel.scores


def test_the_board_s_settings_are_those_of_the_sheet(board_reading: Reading):
    settings = board_reading.settings
    assert (settings.object_noun, settings.assessor_noun, settings.score_noun) == ("Student", "Module", "Mark")
    assert (settings.scale_low, settings.scale_high) == (0, 100)
    assert [(band.name, band.lowest) for band in settings.bands] == [
        ("First", 70),
        ("Upper second", 60),
        ("Lower second", 50),
        ("Third", 40),
        ("Fail", 0),
    ]
    assert dict(settings.codes) == dict(DEFAULT_CODES)


def test_the_grant_panel_is_read_as_it_was_made_up(grant_reading: Reading):
    made_up = grant_panel_reviews()
    panel = grant_reading.panel
    expected = {
        (review.proposal, review.reviewer): (float(review.score), COUNTS[review.confidence])
        for review in made_up.reviews
        if review.score not in (None, "n/a")
    }
    found = {
        (panel.objects[o], panel.assessors[a]): (score, confidence)
        for o, a, score, confidence in zip(
            panel.object_index, panel.assessor_index, panel.scores, panel.confidences, strict=True
        )
    }
    assert found == expected
    assert len(cells_of(grant_reading, "code excluded")) == 1
    assert len(cells_of(grant_reading, "text read as number")) == 1
    assert [band.name for band in grant_reading.settings.bands] == ["Fund", "Discuss", "Decline"]


@pytest.mark.parametrize(("name", "sheet"), [("exam_board", "Marks"), ("grant_panel", "Reviews")])
def test_an_empty_template_is_refused_in_one_clear_sentence(name: str, sheet: str, tmp_path: Path):
    write_template(name, tmp_path / "empty.xlsx")
    with pytest.raises(InputRefused, match=f"Sheet {sheet} holds no numbers"):
        read(tmp_path / "empty.xlsx")


def test_a_small_board_filled_into_the_empty_template_is_read(tmp_path: Path):
    write_template("exam_board", tmp_path / "filled.xlsx")
    book = load_workbook(tmp_path / "filled.xlsx")
    sheet = book["Marks"]
    for column, (module, credits_) in zip("BCD", (("MA101", 15), ("MA102", 15), ("ST103", 7.5)), strict=True):
        sheet[f"{column}3"], sheet[f"{column}4"] = credits_, module
    for row, marks in enumerate(([65, 70, None], [58, "ABS", 61], [0, 49, 44]), start=5):
        sheet[f"A{row}"] = 1000 + row
        for column, mark in zip("BCD", marks, strict=True):
            sheet[f"{column}{row}"] = mark
    book.save(tmp_path / "filled.xlsx")
    reading = read(tmp_path / "filled.xlsx")
    assert reading.panel.objects == ("1005", "1006", "1007")
    assert reading.panel.assessors == ("MA101", "MA102", "ST103")
    assert list(reading.panel.scores) == [65, 70, 58, 61, 0, 49, 44]
    assert list(reading.panel.confidences) == [15, 15, 15, 7.5, 15, 15, 7.5]


def test_three_reviews_filled_into_the_empty_list_are_read(tmp_path: Path):
    write_template("grant_panel", tmp_path / "filled.xlsx")
    book = load_workbook(tmp_path / "filled.xlsx")
    sheet = book["Reviews"]
    rows = (("P1", "R1", 7, "High"), ("P2", "R1", 6.5, "Low"), ("P1", "R2", 8, "Medium"))
    for row, values in enumerate(rows, start=5):
        for column, value in zip("ABCD", values, strict=True):
            sheet[f"{column}{row}"] = value
    book.save(tmp_path / "filled.xlsx")
    panel = read(tmp_path / "filled.xlsx").panel
    assert (panel.n_objects, panel.n_assessors) == (2, 2)
    assert list(panel.scores) == [7, 6.5, 8]
    assert list(panel.confidences) == [4.0, 0.25, 1.0]
