"""Ratings read from sheets as people make them: lists of several features, matrices, words, and what must stop."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import settings as examples
from hypothesis import strategies as st

from panelcal.errors import InputRefused
from panelcal.reading.grid import CellError, Grid, Source
from panelcal.reading.ratings.ratings_reading import RatingsReading
from panelcal.reading.ratings.read_ratings import read_ratings

HEADINGS = ["Talk", "Judge", "Content", "Delivery"]
ROWS = [["T1", "A", 3, 4], ["T2", "A", 5, 2], ["T1", "B", 1, 2], ["T3", "B", 4, 4], ["T3", "C", 2, 3]]
SCALE = {"Lowest score": 1, "Highest score": 5}


def _grid(rows: Sequence[Sequence[Any]], sheet: str = "Ratings", **facts: Any) -> Grid:
    width = max(map(len, rows), default=0)
    return Grid(sheet, tuple(tuple(row) + (None,) * (width - len(row)) for row in rows), **facts)


def read(
    rows: Sequence[Sequence[Any]],
    settings: dict[str, Any] | None = SCALE,
    *,
    tables: Sequence[Sequence[Any]] = (),
    more: Sequence[Grid] = (),
    sheet: str | None = None,
    **facts: Any,
) -> RatingsReading:
    grids = [_grid(rows, **facts), *more]
    if settings is not None:
        listed = [["Setting", "Value"], *([label, value] for label, value in settings.items())]
        grids.append(_grid([*listed, [], *tables], "Settings"))
    reading = read_ratings(Source("prize.xlsx", tuple(grids), "Ratings"), sheet=sheet)
    excluded = sum(decision.excluded_scores for decision in reading.decisions)
    assert reading.cells_found == reading.n_ratings + excluded
    return reading


def refused(*args: Any, **options: Any) -> str:
    with pytest.raises(InputRefused) as refusal:
        read(*args, **options)
    return str(refusal.value)


def kinds(reading: RatingsReading) -> dict[str, tuple[str, ...]]:
    return {decision.kind: decision.cells for decision in reading.decisions}


def numbers(reading: RatingsReading) -> list[list[float]]:
    codes = reading.ratings.ratings
    return np.where(codes < 0, np.nan, reading.level_values[codes]).tolist()


def test_a_list_of_two_features_is_read_whole():
    reading = read([HEADINGS, *ROWS])
    assert reading.ratings.objects == ("T1", "T2", "T3")
    assert reading.ratings.assessors == ("A", "B", "C")
    assert reading.ratings.features == ("Content", "Delivery")
    assert numbers(reading) == [row[2:] for row in ROWS]
    assert reading.ratings.levels == ("1", "2", "3", "4", "5")
    assert reading.summary == ("3 talks in A2:A6, 3 judges in B2:B6 and 2 features (Content, Delivery) in C2:D6")
    assert (reading.score_block, reading.object_cells, reading.assessor_cells) == (
        "C2:D6",
        ("A2", "A3", "A5"),
        ("B2", "B4", "B6"),
    )
    assert (reading.nouns.object, reading.nouns.assessor, reading.nouns.score) == ("Talk", "Judge", "Rating")
    assert reading.feature_weights.tolist() == [1, 1]
    assert reading.counts == "10 ratings used, 0 filled cells left out"


@given(st.permutations(range(4)), st.lists(st.integers(0, 4), min_size=5, max_size=5), st.integers(0, 3))
@examples(max_examples=30, deadline=None)
def test_columns_in_any_order_rows_in_any_order_and_blank_rows_between_do_not_matter(order, gaps, above):
    rows: list[list[Any]] = [[] for _ in range(above)] + [[HEADINGS[j] for j in order]]
    for gap, row in zip(gaps, ROWS, strict=True):
        rows += [[] for _ in range(gap)] + [[row[j] for j in order]]
    reading = read(rows)
    by_name = reading.ratings.features.index("Content")
    assert [row[by_name] for row in numbers(reading)] == [row[2] for row in ROWS]
    assert set(reading.ratings.features) == {"Content", "Delivery"}


def test_a_feature_may_be_blank_and_a_row_without_any_rating_is_no_assessment():
    reading = read([HEADINGS, *ROWS, ["T4", "C", None, 5], ["T1", "C", None, None]])
    assert np.isnan(numbers(reading)[-1][0])
    assert len(numbers(reading)) == 6
    assert kinds(reading)["features not rated"] == ("D7",)


def test_categories_of_prizes_are_taken_from_their_column_and_may_be_given_once():
    rows = [[*HEADINGS, "Prize category"], *([*row, None] for row in ROWS)]
    rows[1][4], rows[2][4], rows[5][4] = "Student", "Open", "student"
    rows[5][4] = None
    rows[4][4] = "Open"
    reading = read(rows)
    assert reading.categories == ("Student", "Open", "Open")
    assert reading.category_heading == "Prize category"
    assert kinds(reading)["categories"] == ("E1",)


def test_two_categories_for_one_talk_stop_with_the_cell():
    rows = [[*HEADINGS, "Category"], *([*row, "Open"] for row in ROWS)]
    rows[3][4] = "Student"
    assert "Cell E4 on sheet Ratings gives a talk another category" in refused(rows)


def test_features_and_weights_of_the_settings_decide_which_columns_count():
    rows = [["Talk", "Judge", "Length", "Delivery", "Content"], *([r[0], r[1], 20, r[3], r[2]] for r in ROWS)]
    reading = read(rows, tables=[["Feature", "Weight"], ["content", 2], ["Delivery", 0.5]])
    assert reading.ratings.features == ("Content", "Delivery")
    assert reading.feature_weights.tolist() == [2, 0.5]
    assert "C1" not in reading.score_block
    assert "lists under Feature Content, Humour" not in refused(rows)  # a length of 20 is no rating
    message = refused(rows, tables=[["Feature", "Weight"], ["Humour", 1]])
    assert "Row 1 on sheet Ratings has no heading for the feature Humour of the settings" in message


def test_features_that_all_count_nothing_stop():
    message = refused([HEADINGS, *ROWS], tables=[["Feature", "Weight"], ["Content", 0], ["Delivery", 0]])
    assert "at least one of them a weight above 0" in message


def test_what_is_off_the_scale_stops_with_its_cells():
    rows = [HEADINGS, *[list(row) for row in ROWS]]
    rows[1][2], rows[3][3], rows[4][2] = 7, 0, 9
    message = refused(rows)
    assert '2 cells on sheet Ratings (C2, C5) hold ratings above 5, the highest by the settings ("7", "9")' in (message)
    assert "Cell D4 on sheet Ratings holds a rating below 1" in message


def test_everything_wrong_is_told_at_once_and_each_cell_once():
    rows = [HEADINGS, *[list(row) for row in ROWS]]
    rows[1][2], rows[2][3], rows[3][2] = "good", CellError("#N/A"), "3-4"
    rows[4][1] = None
    message = refused(rows)
    assert '"good"' in message and '"3-4"' in message
    assert "Cell D3 on sheet Ratings holds the error" in message
    assert message.count("B5") == 1


def test_codes_are_left_out_and_numbers_as_text_are_read():
    rows = [HEADINGS, *[list(row) for row in ROWS]]
    rows[1][2], rows[2][3] = "n/a", " 2 "
    reading = read(rows)
    assert numbers(reading)[1] == [5, 2]
    assert np.isnan(numbers(reading)[0][0])
    assert (kinds(reading)["code excluded"], kinds(reading)["text read as number"]) == (("C2",), ("D3",))
    rows[1][3] = "n/a"
    (excluded,) = (
        decision for decision in read([*rows, ["T1", "C", 3, 3]]).decisions if decision.kind == "code excluded"
    )
    assert excluded.sentence == '"n/a" was taken as not rated: C2, D2.'


def test_a_repeated_pair_stops_unless_settings_say_which_counts():
    rows = [HEADINGS, *ROWS, ["T1", "A", 5, 5]]
    assert refused(rows).count("C7") == 1
    assert numbers(read(rows, SCALE | {"Repeated assessments": "last"}))[-1] == [5, 5]
    assert len(numbers(read(rows, SCALE | {"Repeated assessments": "last"}))) == 5
    assert len(numbers(read(rows, SCALE | {"Repeated assessments": "keep both"}))) == 6
    assert "a mean of two levels is no level" in refused(rows, SCALE | {"Repeated assessments": "average"})


def test_a_total_is_no_feature_whether_its_heading_says_so_or_not():
    named = [[*HEADINGS, "Total"], *([*row, row[2] + row[3]] for row in ROWS)]
    assert read(named).ratings.features == ("Content", "Delivery")
    unnamed = [[*HEADINGS, "Points so far"], *([*row, row[2] + row[3]] for row in ROWS)]
    reading = read(unnamed)
    assert reading.ratings.features == ("Content", "Delivery")
    assert kinds(reading)["total or statistic"] == ("E2:E6",)


def test_confidences_are_not_used_and_that_is_said():
    rows = [[*HEADINGS, "Confidence"], *([*row, "high"] for row in ROWS)]
    assert kinds(read(rows))["confidences not used"] == ("E1",)


def test_rating_words_count_as_the_settings_say():
    words = {1: "Poor", 2: "fair", 3: "Good", 4: "very good", 5: "EXCELLENT"}
    rows = [HEADINGS, *([r[0], r[1], words[r[2]], words[r[3]]] for r in ROWS)]
    table = [["Rating word", "Level"], *([word, level] for level, word in words.items())]
    reading = read(rows, {}, tables=table)
    assert numbers(reading) == [row[2:] for row in ROWS]
    assert len(kinds(reading)["rating words"]) == 10
    assert "by the rating words" in next(d.sentence for d in reading.decisions if d.kind == "levels of the scale")
    assert "write Poor=1, Fair=2, Good=3 beside Rating words on the sheet Settings" in refused(rows, {})
    assert '"Good", "EXCELLENT", "Poor"' in refused([*rows, ["T4", "C", 1, 2]], {})
    clash = [*table, [], ["Code", "Treatment"], ["Poor", "exclude"]]
    assert "Poor stands both under Rating word and under Code" in refused(rows, {}, tables=clash)


def test_a_name_that_is_a_rating_word_stops():
    rows = [HEADINGS, ["Good", "A", 3, 4], *ROWS[1:]]
    message = refused(rows, tables=[["Rating word", "Level"], ["Good", 3]])
    assert "Cell A2 on sheet Ratings names a talk with a word for a rating" in message


@pytest.mark.parametrize("across", [False, True])
def test_ratings_of_one_feature_may_stand_in_a_matrix(across):
    table = [["Talk", "Judge 1", "Judge 2", "Judge 3"], ["T1", 3, None, 4], ["T2", 5, 2, None], ["T3", "n/a", 1, 2]]
    rows = [list(row) for row in zip(*table, strict=True)] if across else table
    reading = read(rows, SCALE | ({"Layout": "objects across"} if across else {}))
    assert reading.ratings.objects == ("T1", "T2", "T3")
    assert len(reading.ratings.features) == 1
    found = {
        (reading.ratings.objects[o], reading.ratings.assessors[a]): value
        for o, a, (value,) in zip(
            reading.ratings.object_index, reading.ratings.assessor_index, numbers(reading), strict=True
        )
    }
    assert found == {
        ("T1", "Judge 1"): 3, ("T1", "Judge 3"): 4, ("T2", "Judge 1"): 5, ("T2", "Judge 2"): 2, ("T3", "Judge 2"): 1,
        ("T3", "Judge 3"): 2,
    }  # fmt: skip
    assert "code excluded" in kinds(reading)


def test_a_matrix_may_have_categories_beside_the_ids_and_is_checked_against_the_scale():
    rows = [
        ["Talk", "Category", "A", "B", "C"],
        ["T1", "Open", 3, 4, 2],
        ["T2", "Student", 5, 2, 1],
        ["T3", "Open", 1, 1, 3],
    ]
    assert read(rows).categories == ("Open", "Student", "Open")
    rows[2][2] = 7
    assert "Cell C3 on sheet Ratings holds a rating above 5" in refused(rows)


def test_several_features_need_a_list():
    rows = [["Talk", "A", "B"], ["T1", 3, 4], ["T2", 5, 2]]
    assert "give a list with a column for each feature" in refused(
        rows, tables=[["Feature", "Weight"], ["Content", 1], ["Delivery", 1]]
    )


def test_levels_come_from_the_scale_and_without_one_from_the_ratings_with_a_warning():
    declared = read([HEADINGS, *ROWS], {"Lowest score": 0, "Highest score": 6})
    assert declared.level_values.tolist() == [0, 1, 2, 3, 4, 5, 6]
    found = read([HEADINGS, *ROWS], None)
    assert found.level_values.tolist() == [1, 2, 3, 4, 5]
    warnings = {decision.kind for decision in found.decisions if decision.weight == "warning"}
    assert "levels of the scale" in warnings
    assert "levels of the scale" not in {d.kind for d in declared.decisions if d.weight == "warning"}


def test_half_points_make_levels_of_half_points():
    rows = [HEADINGS, ["T1", "A", 3.5, 4], *ROWS[1:]]
    assert read(rows).level_values.tolist() == [1, 1.5, 2, 2.5, 3, 3.5, 4, 4.5, 5]


def test_where_lower_is_better_the_worst_level_comes_first():
    reading = read([HEADINGS, *ROWS], SCALE | {"Better scores are": "lower"})
    assert reading.level_values.tolist() == [5, 4, 3, 2, 1]
    assert numbers(reading) == [row[2:] for row in ROWS]
    assert reading.ratings.ratings[0].tolist() == [2, 1]


def test_marks_on_a_fine_scale_are_sent_to_the_other_method():
    rows = [["Student", "Examiner", "Mark"], *([f"S{k}", f"E{k % 3}", 40 + 3 * k] for k in range(15))]
    message = refused(rows, None)
    assert "at most 11 levels: choose the method confidence" in message


def test_a_stray_large_number_is_refused_and_costs_nothing():
    rows = [HEADINGS, *ROWS, ["T4", "C", 6_196_872_803.0, 1]]
    assert "6,196,872,803 levels" in refused(rows, None)


def test_ratings_all_alike_stop_unless_the_scale_is_known():
    rows = [HEADINGS, *([r[0], r[1], 5, 5] for r in ROWS)]
    assert "Every rating on sheet Ratings is 5" in refused(rows, None)
    assert read(rows).ratings.n_cutpoints == 4


def test_two_columns_with_one_heading_stop():
    rows = [["Talk", "Judge", "Content", "Content"], *ROWS]
    assert "C1, D1" in refused(rows)


def test_hidden_rows_are_read_or_left_out_as_the_settings_say():
    shown = read([HEADINGS, *ROWS], hidden_rows=frozenset({3}))
    assert len(numbers(shown)) == 5 and "hidden included" in kinds(shown)
    left_out = read([HEADINGS, *ROWS], SCALE | {"Hidden rows and columns": "exclude"}, hidden_rows=frozenset({3}))
    assert len(numbers(left_out)) == 4 and "hidden excluded" in kinds(left_out)


def test_the_sheet_is_chosen_by_the_rule_of_the_house():
    prose = _grid([["Notes"], ["Bring coffee"]], "Notes")
    other = _grid([HEADINGS, *ROWS[:3]], "Last year")
    assert read([HEADINGS, *ROWS], more=[prose, other]).sheet == "Ratings"
    assert len(numbers(read([HEADINGS, *ROWS], more=[prose, other], sheet="last year"))) == 3
    assert "no sheet called Nowhere" in refused([HEADINGS, *ROWS], sheet="Nowhere")


def test_the_fingerprint_changes_with_a_rating_a_category_and_a_setting_only():
    rows = [[*HEADINGS, "Category", "Remark"], *([*row, "Open", "x"] for row in ROWS)]

    def changed(i: int, j: int, value: Any) -> list[list[Any]]:
        copy = [list(row) for row in rows]
        copy[i][j] = value
        return copy

    same = read(rows).fingerprint
    assert read(changed(2, 5, "y")).fingerprint == same
    others = [changed(2, 2, 4), changed(2, 0, "T9"), [[*rows[0]], *([*row[:4], "Student", "x"] for row in rows[1:])]]
    assert same not in {read(other).fingerprint for other in others}
    assert read(rows, SCALE | {"Places to award": 5}).fingerprint != same


def test_rows_of_totals_and_notes_below_the_list_are_not_ratings():
    reading = read([HEADINGS, *ROWS, [], ["Mean", None, 3, 3], ["Thank you all"]])
    assert len(numbers(reading)) == 5
    assert kinds(reading)["statistics row"] == ("A8:D8",)
