"""Which sheet is read, what the reading says about itself, and how fast it is."""

import random

import numpy as np
import pytest

from counted_work import at_most
from panelcal.errors import InputRefused
from panelcal.reading.grid import Source
from panelcal.reading.read import read_panel

BOARD = [["Student", "MA1", "MA2"], ["S1", 65, 70], ["S2", 55, 60], ["S3", 50, 52]]
OTHER = [["Talk", "A", "B"], ["T1", 1, 2], ["T2", 3, 4]]
TEXT = [["Read me"], ["Fill in the marks"]]
# Seconds, several times what an idle machine needs.
CALLS_PER_SCORE = 150


@pytest.fixture
def chosen(grid):
    """Read a workbook of named sheets and return the name of the sheet that was read."""

    def build(active, sheet=None, **sheets):
        grids = tuple(grid(rows, name.replace("_", " ")) for name, rows in sheets.items())
        return read_panel(Source("board.xlsx", grids, active), sheet=sheet).sheet

    return build


def test_the_active_sheet_is_read_if_it_holds_a_panel(chosen):
    assert chosen("Marks", Marks=BOARD, Prize=OTHER) == "Marks"


def test_otherwise_the_only_sheet_that_holds_one(chosen):
    assert chosen("Notes", Notes=TEXT, Prize=OTHER) == "Prize"


def test_several_sheets_stop_and_are_listed(chosen):
    with pytest.raises(InputRefused, match=r"\(Marks, Prize\)"):
        chosen("Notes", Notes=TEXT, Marks=BOARD, Prize=OTHER)


def test_a_named_sheet_goes_before_the_active_one(chosen):
    assert chosen("Marks", sheet="prize", Marks=BOARD, Prize=OTHER) == "Prize"


def test_a_named_sheet_that_does_not_exist_stops_with_the_names(chosen):
    with pytest.raises(InputRefused, match=r"no sheet called Results.*Marks, Prize"):
        chosen("Marks", sheet="Results", Marks=BOARD, Prize=OTHER)


@pytest.mark.parametrize("name", ["Cal_values", "Start_here"])
def test_result_sheets_and_the_first_page_are_never_read(chosen, name):
    assert chosen(name.replace("_", " "), **{name: OTHER, "Marks": BOARD}) == "Marks"


def test_a_sheet_of_confidences_is_not_taken_for_the_scores(chosen):
    numbers = [["Student", "MA1", "MA2"], ["S1", 1, 2], ["S2", 3, 4], ["S3", 5, 6]]
    assert chosen("Confidence", Confidence=numbers, Marks=BOARD) == "Marks"
    with pytest.raises(InputRefused, match="Sheet Marks holds no numbers"):
        chosen("Marks", Confidence=numbers, Marks=[["Student", "MA1"], ["S1", None]])
    assert chosen("Weights", Weights=numbers) == "Weights"


@pytest.mark.parametrize(
    ("rows", "sentence"),
    [
        ([], "Sheet Marks is empty"),
        ([[None, None]], "Sheet Marks is empty"),
        (TEXT, "holds no numbers"),
        ([["Student", "MA1"], ["S1", None]], "holds no numbers"),
        ([[1, 2, 3], [4, 5, 6], [7, 8, 9]], "has no headings"),
        ([["S1", 65, 70], ["S2", 55, 60]], "has no headings"),
        ([["only one row", 1, 2]], "has no headings"),
    ],
)
def test_a_sheet_without_a_panel_stops_in_one_sentence(refused, rows, sentence):
    message = refused(rows)
    assert sentence in message and "\n" not in message


def test_a_workbook_with_no_sheet_for_scores_stops(chosen):
    with pytest.raises(InputRefused, match="no sheet for scores"):
        chosen("Start here", Start_here=TEXT)


def test_notes_of_the_loader_are_on_record(grid):
    source = Source("board.xlsm", (grid(BOARD),), "Marks", ("The workbook holds macros; they were not run.",))
    assert any("macros" in decision.sentence for decision in read_panel(source).decisions)


def test_the_fingerprint_changes_with_what_is_read_and_with_nothing_else(read):
    same = read([*BOARD, [], ["A note"]]).fingerprint
    assert read(BOARD).fingerprint == same
    assert read([["Student", "MA1", "MA2"], ["S1", 65.0, 70], *BOARD[2:]]).fingerprint == same
    for row, column, value in ((1, 1, 66), (1, 0, "S9"), (0, 1, "MA9"), (1, 1, "65")):
        changed = [list(cells) for cells in BOARD]
        changed[row][column] = value
        assert read(changed).fingerprint != same
    assert read(BOARD, settings={"Alert threshold": 4}).fingerprint != same
    assert read([["Credits", 15, 30], *BOARD]).fingerprint != same


def test_a_board_is_read_in_a_moment(read):
    chance = random.Random(1)
    rows = [["Credits", *[15] * 81], ["Student", *(f"M{j}" for j in range(81))]]
    rows += [[f"S{i}", *(chance.randint(30, 90) for _ in range(81))] for i in range(82)]
    with at_most(CALLS_PER_SCORE * 82 * 81):
        reading = read(rows)
    assert reading.panel.n_assessments == 82 * 81


@pytest.mark.slow
def test_a_list_of_18000_rows_is_read_in_a_moment(read):
    chance = random.Random(2)
    rows = [["Student", "Module", "Mark", "Confidence"]]
    rows += [[f"S{k // 6}", f"M{k % 6 * 7 + k // 6 % 7}", chance.randint(30, 90), "high"] for k in range(18_000)]
    with at_most(CALLS_PER_SCORE * 18_000):
        reading = read(rows)
    assert reading.panel.n_assessments == 18_000


def test_a_turned_sheet_gives_the_same_panel(read):
    turned = [list(column) for column in zip(*BOARD, strict=True)]
    turned[0][0] = "Module"
    straight, exchanged = read(BOARD), read(turned)
    assert exchanged.panel.objects == straight.panel.objects
    np.testing.assert_array_equal(np.sort(exchanged.panel.scores), np.sort(straight.panel.scores))
