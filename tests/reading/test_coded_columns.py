"""Columns by their different values: the same cells, told apart as they were one by one."""

from datetime import date

import numpy as np
import pytest

from panelcal.reading import coded_columns
from panelcal.reading.coded_columns import CodedColumns, as_indices, by_appearance, coded, in_one_run
from panelcal.reading.grid import CellError, Grid, Source
from panelcal.reading.read import read_panel
from panelcal.reading.table import table_of

CELLS = ["b", None, 65, "b", 65.0, True, 1, False, 0, date(2026, 1, 2), CellError("#N/A"), None, "65"]


def test_every_cell_is_what_its_code_says():
    column = coded(CELLS)
    assert column.cells() == CELLS
    assert [type(cell) is bool for cell in column.cells()] == [type(cell) is bool for cell in CELLS]
    assert list(column.values) == ["b", None, 65, True, 1, False, 0, date(2026, 1, 2), CellError("#N/A"), "65"]


@pytest.mark.parametrize("rows", [range(3, 9), [8, 2, 4, 0, 2], [5]])
def test_some_rows_are_numbered_as_they_appear_among_themselves(rows):
    values, index = coded(CELLS).of(rows)
    alone = coded([CELLS[i] for i in rows])
    assert values == list(alone.values)
    assert index.tolist() == alone.index.tolist()


def test_numbers_are_told_apart_in_order_of_appearance():
    used, places = by_appearance(np.array([4, 4, 0, 7, 0, 4]), 9)
    assert used.tolist() == [4, 0, 7]
    assert places.tolist() == [0, 0, 1, 2, 1, 0]


def test_columns_of_other_cells_are_not_taken_for_those_known():
    rows, others = (("a", 1), ("b", 2)), (("c", 3), ("c", 4))
    columns = CodedColumns(rows, [coded(["a", "b"])])
    assert columns.known(rows) is None  # not all of them
    assert columns.column(rows, 1).values == [1, 2]
    assert [list(column.values) for column in columns.known(rows)] == [["a", "b"], [1, 2]]
    assert columns.column(others, 0).values == ["c"]
    assert columns.known(rows) is None


def test_a_table_with_other_rows_looks_at_these():
    grid = Grid("Marks", (("Name", "Mark"), ("Ann", 60), ("Bob", 70), ("Ann", 80)))
    table = table_of(grid)
    assert table.labels(range(1, 4), 0)[0] == ["Ann", "Bob"]
    assert table.part(range(2, 4), range(2)).labels(range(2), 0)[0] == ["Bob", "Ann"]
    assert table.exchanged().labels([0, 1], 0)[0] == ["Name", "Mark"]


def test_rows_without_a_gap_are_kept_as_a_range():
    assert in_one_run([4, 5, 6]) == range(4, 7)
    assert in_one_run([4, 6]) == [4, 6]
    assert as_indices(range(4, 7)).tolist() == as_indices([4, 5, 6]).tolist() == [4, 5, 6]


def test_a_long_list_is_read_without_a_list_of_its_rows(monkeypatch):
    """Rows that follow one another stay a range, and each column is coded once."""
    marks = np.random.default_rng(2).integers(30, 90, 7_000).tolist()
    listed = ((f"S{k % 700}", f"M{k // 700}", mark) for k, mark in enumerate(marks))
    rows = [("Student", "Module", "Mark"), *listed]
    seen = []
    once = coded_columns.coded
    monkeypatch.setattr(coded_columns, "coded", lambda cells: seen.append(len(cells)) or once(cells))
    reading = read_panel(Source("marks", (Grid("Marks", tuple(rows)),), "Marks"))
    assert reading.panel.n_assessments == 7_000
    assert seen == [7_001] * 3
    assert table_of(Grid("Marks", tuple(rows))).rows == range(1, 7_002)
