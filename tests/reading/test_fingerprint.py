"""The fingerprint of blocks of cells, and addresses spelt when they are looked at."""

import numpy as np
import pytest

from panelcal.reading import fingerprint as module
from panelcal.reading.coded_columns import coded
from panelcal.reading.fingerprint import CellBlock, fingerprint
from panelcal.reading.grid import CellColumn, address

ROWS = [2, 3, 5, 8]
COLUMNS = {1: ["S1", "S2", "S1", "S3"], 4: [65, 70.5, 65, "ABS"]}


def block(rows=ROWS, columns=COLUMNS, sheet="Marks"):
    held = {j: coded(values) for j, values in columns.items()}
    return CellBlock(sheet, np.array(rows), tuple((j, one.values, one.index) for j, one in held.items()))


def triples(rows=ROWS, columns=COLUMNS, sheet="Marks"):
    return [(sheet, address(row, j), values[k]) for j, values in columns.items() for k, row in enumerate(rows)]


def test_a_block_counts_as_its_cells_do():
    assert sorted(block().triples(), key=str) == sorted(triples(), key=str)
    assert fingerprint([("Settings", "A1", "x")], [block()]) == fingerprint([*triples(), ("Settings", "A1", "x")])


@pytest.fixture
def many(monkeypatch):
    monkeypatch.setattr(module, "_MANY", 2)


def test_a_large_block_is_the_same_in_any_order_and_for_65_and_65_0(many):
    order = [3, 1, 0, 2]
    turned = {j: [values[k] for k in order] for j, values in COLUMNS.items()}
    turned[4] = [65.0 if value == 65 else value for value in turned[4]]
    assert fingerprint([], [block([ROWS[k] for k in order], turned)]) == fingerprint([], [block()])


@pytest.mark.parametrize(
    "other",
    [
        block(sheet="Marks 2"),
        block(rows=[2, 3, 5, 9]),
        block(columns=COLUMNS | {4: [65, 70.5, 65, "abs"]}),
        block(columns=COLUMNS | {4: [65, 70.5, "65", "ABS"]}),
        block(columns=COLUMNS | {4: [1, 70.5, 65, "ABS"]}),
        block(columns={2: COLUMNS[1], 4: COLUMNS[4]}),
        block(columns={1: ["S1", "S2", "S2", "S3"], 4: COLUMNS[4]}),
    ],
)
def test_any_change_of_a_large_block_changes_the_fingerprint(many, other):
    assert fingerprint([], [other]) != fingerprint([], [block()])


def test_true_and_one_are_two_values(many):
    one, true = ({1: [first, 1, 2]} for first in (1, True))
    assert fingerprint([], [block([1, 2, 3], one)]) != fingerprint([], [block([1, 2, 3], true)])


def test_a_column_of_addresses_is_like_a_tuple_of_them():
    rows = [7, 2, 1_048_576]
    column, spelt = CellColumn(np.array(rows), 28), ("AB7", "AB2", "AB1048576")
    assert tuple(column) == column[:] == spelt and column == spelt and column == CellColumn(np.array(rows), 28)
    assert (column[1], column[-1], column[1:], column.index("AB2"), len(column)) == ("AB2", spelt[-1], spelt[1:], 1, 3)
    assert column != spelt[:2] and column != ("AB7", "AB3", "AB1048576") and "AB3" not in column
