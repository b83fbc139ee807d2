"""Several scores in one cell are asked about, and count as the answer says."""

import pytest

from panelcal.errors import InputRefused
from panelcal.reading.grid import Grid, Source
from panelcal.reading.joined_scores import scores_in_cell
from panelcal.reading.read import read_panel
from panelcal.systems.choices import Choices


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("7, 8", (7, 8)),
        ("7; 8", (7, 8)),
        ("7/8", (7, 8)),
        ("7 | 8.5", (7, 8.5)),
        ("7\n8\n9", (7, 8, 9)),
        ("7,8,9", (7, 8, 9)),
        ("7,5; 8,5", (7.5, 8.5)),
        ("7,5, 8,5", (7.5, 8.5)),
    ],
)
def test_cells_with_several_scores(text, numbers):
    assert scores_in_cell(text) == numbers


@pytest.mark.parametrize("text", ["7,8", "1,234", "60-70", "12/05/2026", "2026/05/12", "late, 7", "7,", "A/B", 7, None])
def test_other_cells_are_not_cut(text):
    assert scores_in_cell(text) == ()


def _read(rows, **over):
    source = Source("bids.csv", (Grid("bids", tuple(map(tuple, rows))),), "bids", kind="text")
    return read_panel(source, over=Choices(settings=over).over)


ONE_CELL = [["Bid", "Ann", "Bob"], ["B1", 7, "6, 9"], ["B2", 5, 4], ["B3", 8, 7]]
LIST = [
    ["Bid", "Reviewer", "Score"],
    ["B1", "Ann", "7/8"],
    ["B1", "Bob", "6/9"],
    ["B2", "Ann", "5/5"],
    ["B2", "Bob", "1/4"],
]
OUT_OF = [["Bid", "Ann", "Bob"], ["B1", "7/10", "6/10"], ["B2", "5/10", "4/10"], ["B3", "8/10", "7/10"]]


def test_a_single_cell_among_numbers_is_asked_about_without_a_sum():
    with pytest.raises(InputRefused) as refused:
        _read(ONE_CELL)
    assert [dict(answer.gives) for answer in refused.value.answers] == [
        {"several_in_cell": how} for how in ("mean", "first", "last")
    ]
    assert refused.value.cells == ("bids!C2",)


@pytest.mark.parametrize(("how", "score"), [("mean", 7.5), ("first", 6), ("last", 9), ("sum", 15)])
def test_the_answer_decides_what_counts_and_is_said(how, score):
    reading = _read(ONE_CELL, several_in_cell=how)
    assert reading.panel.scores.tolist() == [7, score, 5, 4, 8, 7]
    assert reading.plain_scores.tolist() == [True, False, True, True, True, True]
    said = [one.sentence for one in reading.decisions if one.kind == "several scores in one cell"]
    assert len(said) == 1
    assert f"the {how} of them" in said[0]
    assert "C2" in said[0]


def test_in_a_list_too():
    with pytest.raises(InputRefused, match="hold several scores each"):
        _read(LIST)
    assert _read(LIST, several_in_cell="sum").panel.scores.tolist() == [15, 15, 10, 5]


def test_scores_out_of_a_maximum_are_told_which_answer_is_theirs():
    with pytest.raises(InputRefused, match="To count the first, as in 7 out of 10"):
        _read(OUT_OF)
    assert _read(OUT_OF, several_in_cell="first").panel.scores.tolist() == [7, 6, 5, 4, 8, 7]
