"""CALIBRATE_ORDINAL through xlwings' own conversion of arguments: what it reads, what it spills, how it refuses."""

import sys

import numpy as np
import pytest

from excel.engine import MISSING
from panelcal.excel import function_ratings, functions
from panelcal.excel.function_columns import COLUMNS
from panelcal.ordinal.fitting import preview_ordinal
from panelcal.ordinal.ratings import Ratings

HEADINGS = ["Total (approximate)", "Lower", "Upper", "Expected rank", "Rank from", "Rank to", "P(best)", "Average"]
TABLE = [
    ["Talk", "J1", "J2", "J3"],
    ["T1", 5.0, 4.0, None],
    ["T2", 3.0, None, 2.0],
    ["T3", None, 2.0, 1.0],
    ["T4", 4.0, 3.0, 3.0],
    ["T5", 2.0, 1.0, None],
]
BARE = [row[1:] for row in TABLE[1:]]
AVERAGES = [4.5, 2.5, 1.5, 10 / 3, 1.5]


@pytest.fixture
def call(call):
    functions._ranked.clear()
    return call


def test_what_gives_one_column_of_the_ranking(call, put):
    cells = put("A1", TABLE)
    everything = call("calibrate_ordinal", cells, MISSING)
    for number, column in enumerate(COLUMNS["calibrate_ordinal"]):
        assert call("calibrate_ordinal", cells, MISSING, column.word) == [[row[number]] for row in everything]
    for number, heading in enumerate(HEADINGS, 1):
        assert call("calibrate_ordinal", cells, MISSING, heading) == [[row[number]] for row in everything]
    with pytest.raises(sys.modules[functions.__name__].FunctionRefused, match="CALIBRATE_ORDINAL is name, total"):
        call("calibrate_ordinal", cells, MISSING, "worst")


def test_the_ranking_is_the_preview_of_the_same_ratings_with_plain_averages_beside_it(call, put):
    spill = call("calibrate_ordinal", put("A1", TABLE), MISSING)
    records = [(row[0], judge, cell) for row in TABLE[1:] for judge, cell in zip("123", row[1:], strict=True) if cell]
    objects, assessors, given = zip(*records, strict=True)
    preview = preview_ordinal(Ratings.from_records(objects, assessors, given))
    assert spill[0] == ["Talk", *HEADINGS]
    assert [row[0] for row in spill[1:]] == ["T1", "T2", "T3", "T4", "T5"]
    found = np.array([row[1:] for row in spill[1:]])
    assert found[:, 0] == pytest.approx(preview.total_mean, abs=1e-12)
    assert found[:, 1:3] == pytest.approx(preview.total_interval, abs=1e-12)
    assert found[:, 6] == pytest.approx(preview.best_probability, abs=1e-12)
    assert found[:, 7] == pytest.approx(AVERAGES)
    assert preview.approximate


def test_without_names_every_row_keeps_its_place_and_there_is_no_heading(call, put):
    spill = call("calibrate_ordinal", put("A1", BARE), False)
    assert [row[0] for row in spill] == [f"Object {k}" for k in range(1, 6)]
    assert [row[8] for row in spill] == pytest.approx(AVERAGES)


def test_one_content_is_ranked_once(call, put, monkeypatch):
    cells = put("A1", TABLE)
    first = call("calibrate_ordinal", cells, MISSING)
    monkeypatch.setattr(function_ratings, "rank_quickly", None)
    assert call("calibrate_ordinal", cells, MISSING) == first


@pytest.mark.parametrize(
    ("rows", "headers", "words"),
    [
        ([["Talk", "J1", "J2"], ["T1", 40.0, 52.0], ["T2", 61.0, 73.0]], MISSING, "at most 11 levels"),
        ([["Talk", "J1", "J2"], ["T1", 4.0, "good"], ["T2", 1.0, 3.0]], MISSING, "C2"),
        ([["Talk", "J1", "J2"], ["T1", 4.0, 4.0], ["T2", 4.0, 4.0]], MISSING, "Every rating"),
        ([[5.0]], MISSING, "One cell"),
        (TABLE, "sideways", "headers"),
    ],
)
def test_what_cannot_be_ranked_is_refused_with_the_reason(call, put, rows, headers, words):
    cells = put("A1", rows)
    with pytest.raises(Exception, match=words):
        call("calibrate_ordinal", cells, headers)
    with pytest.raises(functions.FunctionRefused, match=words):
        functions.calibrate_ordinal([list(row) for row in rows], None if headers is MISSING else headers)
