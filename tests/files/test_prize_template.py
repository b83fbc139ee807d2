"""The conference prize's workbooks: the made-up jury is as described, and is read back as it was made up."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import pytest
from openpyxl import load_workbook

from panelcal.errors import InputRefused
from panelcal.files.load import load_source
from panelcal.files.saving import write_template
from panelcal.network import components
from panelcal.panel import Panel
from panelcal.reading.ratings.ratings_reading import RatingsReading
from panelcal.reading.ratings.read_ratings import read_ratings
from panelcal.reading.settings import FEATURE_HEADINGS, WORD_HEADINGS
from panelcal.templates.made_up_prize import PRIZE_FEATURES, conference_prize_ratings


@pytest.fixture(scope="module")
def reading(tmp_path_factory: pytest.TempPathFactory) -> RatingsReading:
    target = tmp_path_factory.mktemp("prize") / "conference_prize_example.xlsx"
    write_template("conference_prize_example", target)
    return read_ratings(load_source(target))


def test_the_example_is_read_as_it_was_made_up(reading: RatingsReading):
    prize = conference_prize_ratings()
    codes = reading.ratings.ratings
    found = {
        (reading.ratings.objects[o], reading.ratings.assessors[a]): tuple(None if k < 0 else k + 1 for k in row)
        for o, a, row in zip(reading.ratings.object_index, reading.ratings.assessor_index, codes.tolist(), strict=True)
    }
    expected = {
        (line.talk, line.judge): tuple(None if cell in (None, "n/a") else int(cell) for cell in line.ratings)
        for line in prize.lines
        if line.ratings[0] != "n/a"
    }
    assert found == expected
    assert reading.ratings.features == PRIZE_FEATURES
    assert reading.ratings.levels == ("1", "2", "3", "4", "5")
    category = {line.talk: line.category for line in prize.lines}
    assert reading.categories == tuple(category[talk] for talk in reading.ratings.objects)


def test_the_oddities_of_the_example_are_on_record_and_stop_nothing(reading: RatingsReading):
    kinds = {decision.kind: decision for decision in reading.decisions}
    assert len(kinds["code excluded"].cells) == 3
    assert len(kinds["text read as number"].cells) == 1
    assert len(kinds["features not rated"].cells) == 1
    assert reading.settings.method == "ordinal"
    assert dict(reading.settings.feature_weights) == dict.fromkeys(PRIZE_FEATURES, 1.0)
    assert (reading.nouns.object, reading.nouns.assessor, reading.nouns.score) == ("Talk", "Judge", "Rating")


@pytest.mark.parametrize("seed", [2021, 1, 2, 3])
def test_the_made_up_jury_has_the_shape_it_is_said_to_have(seed: int):
    prize = conference_prize_ratings(seed)
    assert (len(prize.talks), len(prize.judges), len(prize.lines)) == (42, 14, 168)
    assert len({line.talk for line in prize.lines if line.category == "Student"}) == 15
    pairs = [(line.talk, line.judge) for line in prize.lines]
    assert len(set(pairs)) == 168
    loads = [sum(judge == name for _, judge in pairs) for name in prize.judges]
    assert set(loads) == {12}
    assert len(components(Panel.from_records(*zip(*pairs, strict=True), np.ones(168)))) == 1
    assert (np.diff(prize.true_cuts, axis=1) > 0).all()


def test_the_made_up_truth_explains_the_ratings():
    """Mean rating over all, against the ordered logistic's expectation from true scores and cut-points."""
    prize = conference_prize_ratings()
    talk, judge = ({name: k for k, name in enumerate(names)} for names in (prize.talks, prize.judges))
    differences = []
    for line in prize.lines:
        for q, given in enumerate(line.ratings):
            if given in (None, "n/a"):
                continue
            cuts, score = prize.true_cuts[judge[line.judge]], prize.true_features[talk[line.talk], q]
            expected = 1 + sum(1 / (1 + math.exp(cut - score)) for cut in cuts)
            differences.append(int(given) - expected)
    assert abs(np.mean(differences)) < 4 * np.std(differences) / math.sqrt(len(differences))
    assert np.std(differences) < 1.0


def test_an_empty_template_is_refused_in_one_clear_sentence(tmp_path: Path):
    write_template("conference_prize", tmp_path / "empty.xlsx")
    with pytest.raises(InputRefused, match="Sheet Ratings holds no numbers"):
        read_ratings(load_source(tmp_path / "empty.xlsx"))


def test_three_rows_filled_into_the_empty_list_are_read(tmp_path: Path):
    path = tmp_path / "filled.xlsx"
    write_template("conference_prize", path)
    book = load_workbook(path)
    rows = [("T1", "Open", "A", 3, 4, 5), ("T2", None, "A", 2, 2, None), ("T2", "Open", "B", 1, 1, 2)]
    for i, row in enumerate(rows, start=5):
        for j, value in enumerate(row, start=1):
            book["Ratings"].cell(i, j, value)
    book.save(path)
    reading = read_ratings(load_source(path))
    assert reading.ratings.ratings.tolist() == [[2, 3, 4], [1, 1, -1], [0, 0, 1]]
    assert reading.categories == ("Open", "Open")


def test_features_renamed_on_both_sheets_are_found_and_on_one_are_asked_for(tmp_path: Path):
    path = tmp_path / "renamed.xlsx"
    write_template("conference_prize_example", path)
    book = load_workbook(path)
    book["Ratings"]["E4"] = "Slides"
    book.save(path)
    with pytest.raises(InputRefused, match="has no heading for the feature Delivery of the settings"):
        read_ratings(load_source(path))
    settings = book["Settings"]
    row = next(row for row in range(1, settings.max_row) if settings.cell(row, 1).value == "Delivery")
    settings.cell(row, 1, "Slides")
    settings.cell(row, 2, 2)
    book.save(path)
    reading = read_ratings(load_source(path))
    assert dict(zip(reading.ratings.features, reading.feature_weights, strict=True)) == {
        "Content": 1, "Slides": 2, "Originality": 1,
    }  # fmt: skip


def test_every_input_cell_of_the_list_is_checked_and_the_tables_of_settings_are_there(tmp_path: Path):
    write_template("conference_prize", tmp_path / "empty.xlsx")
    book = load_workbook(tmp_path / "empty.xlsx")
    checks = {str(check.sqref): check.formula1 for check in book["Ratings"].data_validations.dataValidation}
    assert set(checks) == {"D5:F404", "B5:B404", "A5:A404", "C5:C404"}
    assert all("COUNTIFS" in checks[block] for block in ("B5:B404", "A5:A404", "C5:C404"))
    assert "MOD(D5,1)=0" in checks["D5:F404"]
    pairs = {tuple(row) for row in book["Settings"].iter_rows(max_col=2, values_only=True)}
    assert {FEATURE_HEADINGS, WORD_HEADINGS, *((name, 1) for name in PRIZE_FEATURES)} <= pairs
