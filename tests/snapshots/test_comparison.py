"""What counts as a difference from a snapshot, and how it is told."""

import dataclasses

import pytest

from snapshots.comparison import Tolerance, compare, compare_lines, told
from snapshots.sheets import SheetContents, ranges

SHEET = SheetContents(
    rows={
        1: {"A": "Student", "B": "Value"},
        2: {"A": "s1", "B": 63.25, "C": ["=B2*2", 126.5]},
        3: {"A": "s2", "B": 0, "C": ["=B3*2", 0]},
    },
    styles={"A1": "bold", "B1": "bold", "B2": "0.0"},
    layout=["cols/col max=1 min=1 width=14.71428571428571"],
    drawings=["  plotArea/barChart/ser/val/numRef/f : 'Cal values'!$B$2:$B$3"],
)
EXACT, SAMPLED = Tolerance(), Tolerance({"B": 0.1})


def with_cell(row, column, value):
    rows = {number: dict(cells) for number, cells in SHEET.rows.items()}
    rows[row][column] = value
    return dataclasses.replace(SHEET, rows=rows)


@pytest.mark.parametrize(
    ("value", "same"), [(63.25 * (1 + 5e-10), True), (63.25 * (1 + 2e-9), False), ("63.25", False)]
)
def test_numbers_are_the_same_to_nine_digits(value, same):
    assert (compare(SHEET, with_cell(2, "B", value), EXACT) == []) == same


def test_near_zero_the_difference_counts_and_not_the_ratio():
    assert compare(SHEET, with_cell(3, "B", 3e-14), EXACT) == []
    assert compare(SHEET, with_cell(3, "B", 1e-8), EXACT)


def test_what_rounding_leaves_may_look_like_zero_or_not():
    tiny = dataclasses.replace(with_cell(3, "B", 3e-14), styles={**SHEET.styles, "B3": "0.0;0.0;0.0"})
    assert compare(SHEET, tiny, EXACT) == []
    assert compare(SHEET, dataclasses.replace(SHEET, styles=tiny.styles), EXACT)
    assert compare(SHEET, dataclasses.replace(tiny, rows=with_cell(3, "B", 1e-8).rows), EXACT)


def test_sampled_figures_may_differ_by_their_monte_carlo_error_and_no_others():
    assert compare(SHEET, with_cell(2, "B", 63.5), SAMPLED) == []
    assert compare(SHEET, with_cell(2, "B", 64.0), SAMPLED)
    assert compare(SHEET, with_cell(2, "C", ["=B2*2", 126.6]), SAMPLED)
    assert compare(SHEET, with_cell(2, "A", "s7"), SAMPLED) == []
    assert compare(SHEET, with_cell(2, "A", "t1"), SAMPLED)
    few, many = "one of these 2: T03 (36%), T30 (7%).", "one of these 3: T03 (37%), T30 (24%), T11 (4%)."
    assert compare_lines("said", [few], [many], sampled=True) == []
    assert compare_lines("said", [few], [many.replace("these", "them")], sampled=True)


@pytest.mark.parametrize(
    "changed",
    [
        with_cell(2, "A", "S1"),
        with_cell(2, "C", ["=B2*3", 126.5]),
        with_cell(2, "C", 126.5),
        with_cell(2, "D", None),
        dataclasses.replace(SHEET, styles={**SHEET.styles, "B2": "0.00"}),
        dataclasses.replace(SHEET, layout=["cols/col max=1 min=1 width=15"]),
        dataclasses.replace(SHEET, drawings=[]),
    ],
)
def test_text_formulas_styles_widths_and_charts_are_exact(changed):
    assert compare(SHEET, SHEET, EXACT) == []
    assert len(compare(SHEET, changed, EXACT)) == 1


def test_a_row_put_in_is_one_difference():
    rows = {1: SHEET.rows[1], 2: {"A": "s0", "B": 1}, 3: SHEET.rows[2], 4: SHEET.rows[3]}
    more = dataclasses.replace(SHEET, rows=rows, styles={"A1": "bold", "B1": "bold", "B3": "0.0"})
    assert [(entry.kind, entry.place) for entry in compare(SHEET, more, EXACT)] == [("row", "2")]


def test_like_differences_are_told_together():
    changed = dataclasses.replace(
        SHEET, rows={n: {**cells, "B": n} for n, cells in SHEET.rows.items()}, layout=["pane xSplit=1"]
    )
    assert list(told(compare(SHEET, changed, EXACT))) == [
        "    3 cells in B, numbers by up to 61.2:",
        "      B1: Value  ->  1",
        "      B2: 63.25  ->  2",
        "      B3: 0  ->  3",
        "    line of the layout:",
        "      cols/col max=1 min=1 width=14.71428571428571  ->  pane xSplit=1",
    ]


def test_cells_are_named_in_few_ranges():
    cells = dict.fromkeys([(1, 1), (1, 2), (2, 1), (2, 2), (4, 2), (7, 28)])
    assert ranges(cells) == "A1:B2 B4 AB7"
