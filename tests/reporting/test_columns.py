"""Columns as data: filled from results, with the nouns of the run in their words."""

import numpy as np

from panelcal.reading.nouns import Nouns
from panelcal.reporting.columns import Spec, columns_of, each, table_of_rows
from panelcal.reporting.figures import statistic_style, sums_style
from panelcal.reporting.wording import words_of

WORDS = words_of(Nouns("Student", "Module", "Mark"), level="95%")
SPECS = (
    Spec("{Object}", each(lambda row: row[0]), "text", 14),
    Spec("Figure", lambda rows: np.array([row[1] for row in rows]), sums_style, 9, "Of {scores}, {level}."),
    Spec("To fill in", lambda rows: None, "input"),
    Spec("Never", each(lambda row: 1), when=lambda rows: False),
)


def test_columns_are_filled_in_order_with_words_blanks_and_styles():
    columns = columns_of(SPECS, [("A", 1.5), ("B", np.nan)], WORDS)
    assert [column.heading for column in columns] == ["Student", "Figure", "To fill in"]
    assert [list(column.cells) for column in columns] == [["A", "B"], [1.5, None], [None, None]]
    assert columns[1].explanation == "Of marks, 95%."
    assert [column.style for column in columns] == ["text", "precise", "input"]


def test_what_is_not_a_number_is_blank_in_lists_as_well():
    assert columns_of((Spec("F", each(lambda row: row[1])),), [("A", float("nan"))], {})[0].cells == [None]


def test_rows_become_a_table_with_a_style_for_each_figure():
    headings = (("What", "text", 10), ("Figure", "precise", 8), ("In words", "wrapped", 30))
    table = table_of_rows(headings, [("a", 3, "x"), ("b", 0.5, "y")], name="t", row=7, styles=statistic_style)
    assert (table.row, table.name, table.n_rows) == (7, "t", 2)
    assert table.columns[1].styles == ["integer", "precise"] and table.columns[0].styles == ()
    assert table_of_rows(headings, [], name="t").n_rows == 0
