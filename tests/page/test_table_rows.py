"""Rows of a long table as the page asks for them: searched, sorted, empty cells last."""

from panelcal.page.table_rows import chosen_rows
from panelcal.reporting.model import Column, Table

NAMES = ["P10", "p9", "P1", "Q2", "", None]
FIGURES = [2.5, -1, 2.5, "n/a", None, 7]
TABLE = Table((Column("Name", NAMES), Column("Figure", FIGURES)))


def test_rows_stand_as_in_the_table_where_nothing_else_is_asked():
    assert list(chosen_rows(TABLE, "", [0, 1], -1, 1)) == [0, 1, 2, 3, 4, 5]


def test_names_are_sorted_with_their_numbers_by_size_whatever_their_case():
    assert chosen_rows(TABLE, "", [0], 0, 1) == [2, 1, 0, 3, 4, 5]
    assert chosen_rows(TABLE, "", [0], 0, -1) == [3, 0, 1, 2, 4, 5]


def test_figures_stand_before_words_equal_ones_as_in_the_table_and_empty_cells_last_either_way():
    assert chosen_rows(TABLE, "", [0], 1, 1) == [1, 0, 2, 5, 3, 4]
    assert chosen_rows(TABLE, "", [0], 1, -1) == [3, 5, 0, 2, 1, 4]


def test_words_are_looked_for_in_the_columns_shown_and_in_any_case():
    assert list(chosen_rows(TABLE, "p1", [0], -1, 1)) == [0, 2]
    assert list(chosen_rows(TABLE, "N/A", [1], -1, 1)) == [3]
    assert list(chosen_rows(TABLE, "n/a", [0], -1, 1)) == []
    assert list(chosen_rows(TABLE, "2.5", [0, 1], 0, 1)) == [2, 0]
