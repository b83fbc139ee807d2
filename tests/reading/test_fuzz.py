"""Whatever is on a sheet, the answer is a reading that accounts for every cell, or one refusal meant for people."""

from datetime import datetime

import numpy as np
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from counted_work import at_most
from made_up_input import more_when_thorough, thorough
from panelcal.errors import PanelcalError
from panelcal.reading.grid import CellError, Grid, Source, Uncalculated
from panelcal.reading.ratings.read_ratings import read_ratings
from panelcal.reading.read import read_panel

MOST_CALLS = 100_000
WORDS = [
    "Student",
    "Module",
    "Mark",
    "Credits",
    "Confidence",
    "SD",
    "Total",
    "Mean",
    "ABS",
    "-",
    "high",
    "low",
    "S1",
    "S2",
    "MA1",
    "MA2",
    "60-70",
    "65 +/- 5",
    "1,234",
    "64,5",
    " ",
    "",
    "65%",
    "Name",
    "Judge",
    "Score",
    "Max",
    "012",
    "12",
]
cells = st.one_of(
    st.none(),
    st.none(),
    st.integers(0, 100),
    st.integers(0, 100),
    st.floats(allow_nan=True, allow_infinity=True),
    st.sampled_from(WORDS),
    st.text(max_size=5),
    st.booleans(),
    st.sampled_from([CellError("#N/A"), Uncalculated("=A1"), datetime(2026, 11, 12)]),
)
quiet_cells = st.one_of(
    st.none(), st.integers(0, 100), st.integers(0, 100), st.sampled_from(["ABS", "64,5", " ", "-", 0])
)


@st.composite
def messy_grids(draw):
    width = draw(st.integers(1, 7))
    rows = draw(st.lists(st.lists(cells, min_size=width, max_size=width).map(tuple), max_size=9))
    return _with_facts(draw, rows, width)


@st.composite
def nearly_clean_grids(draw):
    width = draw(st.integers(2, 6))
    head = (
        "Student",
        *(draw(st.sampled_from(["MA1", "MA2", "MA3", "Total", "Mean", "Max", None])) for _ in range(width - 1)),
    )
    body = [
        (
            draw(st.sampled_from(["S1", "S2", "S3", "S4", "S5", "S6", "Mean", "Credits", None])),
            *(draw(quiet_cells) for _ in head[1:]),
        )
        for _ in range(draw(st.integers(1, 8)))
    ]
    return _with_facts(draw, [*draw(st.sampled_from([[], [("Board",) + (None,) * (width - 1)]])), head, *body], width)


@st.composite
def lists(draw):
    head = ("Talk", "Judge", "Score", draw(st.sampled_from(["Confidence", "SD", "Comment", None])))
    names, judges = st.sampled_from(["T1", "T2", "T3", "T4", None]), st.sampled_from(["A", "B", "C", None])
    fourth = st.sampled_from(["high", "low", 1, 2.5, None, "x"])
    body = draw(st.lists(st.tuples(names, judges, quiet_cells, fourth), min_size=1, max_size=10))
    return _with_facts(draw, [head, *body], 4)


def _with_facts(draw, rows, width):
    places = st.tuples(st.integers(1, 9), st.integers(1, 7))
    merged = draw(st.lists(st.tuples(places, st.integers(0, 2), st.integers(0, 2)), max_size=2))
    return Grid(
        "Marks",
        tuple(rows),
        number_formats=draw(st.dictionaries(places, st.sampled_from(["0%", "0.0", "000"]), max_size=3)),
        formulas=draw(st.dictionaries(places, st.just("=1"), max_size=2)),
        merged=tuple((r, c, r + down, c + right) for (r, c), down, right in merged),
        hidden_rows=frozenset(draw(st.sets(st.integers(1, 9), max_size=2))),
        hidden_columns=frozenset(draw(st.sets(st.integers(1, 7), max_size=2))),
    )


def check(grid: Grid, *more: Grid) -> None:
    try:
        with at_most(MOST_CALLS):
            reading = read_panel(Source("fuzz.xlsx", (grid, *more), "Marks"))
    except PanelcalError as error:
        written = any("{" in str(one.rows) for one in (grid, *more))  # by whoever filled the cells
        assert str(error).strip() and (written or "{" not in str(error))
        return
    panel = reading.panel
    assert reading.cells_found == panel.n_assessments + sum(d.excluded_scores for d in reading.decisions)
    assert len(reading.score_cells) == len(set(reading.score_cells)) == panel.n_assessments == len(reading.plain_scores)
    assert len(reading.object_cells) == panel.n_objects and len(reading.assessor_cells) == panel.n_assessors
    assert np.isfinite(panel.scores).all() and (panel.confidences > 0).all()
    assert reading.cells_found == _filled(grid, reading.score_block)
    for k in np.flatnonzero(reading.plain_scores):
        assert _at(grid, reading.score_cells[k]) == panel.scores[k]


def _place(cell: str) -> tuple[int, int]:
    letters = cell.rstrip("0123456789")
    column = 0
    for letter in letters:
        column = 26 * column + ord(letter) - 64
    return int(cell[len(letters) :]), column


def _at(grid: Grid, cell: str):
    return grid.value(*_place(cell))


def _filled(grid: Grid, block: str) -> int:
    first, _, last = block.partition(":")
    (r1, c1), (r2, c2) = _place(first), _place(last or first)
    return sum(value is not None for row in grid.rows[r1 - 1 : r2] for value in row[c1 - 1 : c2])


pytestmark = more_when_thorough
FUZZ = settings(max_examples=thorough(400, share=16), deadline=None, suppress_health_check=[HealthCheck.too_slow])


@FUZZ
@given(messy_grids())
def test_a_messy_sheet_never_ends_in_a_traceback_or_a_silent_drop(grid):
    check(grid)


@FUZZ
@given(nearly_clean_grids())
def test_a_nearly_clean_matrix_accounts_for_every_cell(grid):
    check(grid)


@FUZZ
@given(lists())
def test_a_list_accounts_for_every_cell(grid):
    check(grid)


@FUZZ
@given(nearly_clean_grids(), nearly_clean_grids())
def test_a_messy_sheet_of_confidences_never_ends_in_a_traceback(grid, other):
    check(grid, Grid("Confidence", other.rows, merged=other.merged))


@FUZZ
@given(nearly_clean_grids(), messy_grids())
def test_a_messy_sheet_of_settings_never_ends_in_a_traceback(grid, other):
    check(grid, Grid("Settings", (("Setting", "Value"), *((*row, None)[:2] for row in other.rows))))


@st.composite
def rating_lists(draw):
    """Lists of two features and a category, nearly clean: now and then a code, a blank, a word, a label left out."""
    cell = st.sampled_from([*range(1, 6)] * 12 + ["4 ", "n/a", None, None, 3.5, 6, "good", CellError("#N/A")])
    rows = draw(
        st.lists(
            st.tuples(
                st.sampled_from(["T1", "T2", "T3", "T4"] * 6 + [None]),
                st.sampled_from(["Open", "Open", None]),
                st.sampled_from(["A", "B", "C", "D"] * 6 + ["Mean"]),
                cell,
                cell,
            ),
            min_size=1,
            max_size=10,
            unique_by=lambda row: (row[0], row[2]),
        )
    )
    return Grid("Marks", (("Talk", "Category", "Judge", "Content", "Delivery"), *rows))


@settings(FUZZ, max_examples=thorough(200))
@given(rating_lists() | messy_grids() | nearly_clean_grids())
def test_ratings_on_a_messy_sheet_never_end_in_a_traceback(grid):
    try:
        reading = read_ratings(Source("fuzz.xlsx", (grid,), "Marks"))
    except PanelcalError as error:
        assert str(error).strip()
        return
    assert reading.cells_found == reading.n_ratings + sum(d.excluded_scores for d in reading.decisions)
    assert 2 <= len(reading.level_values) <= 11
    assert len(reading.object_cells) == reading.ratings.n_objects
