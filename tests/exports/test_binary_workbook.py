"""A binary workbook (.xlsb) is read cell for cell as it was written, and calibrated as its truth is."""

import pytest

from exports.binary_workbook import Error, Plain, Result, save_xlsb
from exports.export_file import Export, grid, save_xlsx
from exports.reading_as_typed import outcome, read_as_typed
from exports.truth import people, simulate
from panelcal.errors import InputRefused
from panelcal.files.load import load_source
from panelcal.reading.grid import CellError

_ROWS = [
    ["Entry", "Jones", None, Plain("Größe ✓"), "Smith"],
    [1, 64, -3, 0.25, 123456789.125],
    [None, 1 << 28, 1e-7, Result(55.5), "Jones"],
    ["", True, False, Plain(""), 2.5],
]


def test_every_kind_of_cell_is_read_as_it_was_written(tmp_path):
    source = load_source(str(save_xlsb(tmp_path / "cells.xlsb", {"One": _ROWS, "Two & three": [["a", 1]]})))
    assert [one.sheet for one in source.grids] == ["One", "Two & three"]
    plain = [[_plain(value) for value in row] for row in _ROWS]
    assert [[value or None if value == "" else value for value in row] for row in source.grids[0].rows] == plain
    assert source.grids[1].rows == (("a", 1),)


def _plain(value):
    match value:
        case Result(number):
            return number
        case Plain(text):
            return text or None
    return None if value == "" else value


@pytest.mark.parametrize("step", [1, 0.5, 0.001])
def test_a_panel_has_its_truth_and_the_addresses_of_an_xlsx(tmp_path, step):
    truth = simulate(77, [f"Talk {k}" for k in range(12)], people(5), 3, scale=(0, 20), step=step)
    rows = [["Talk", *truth.assessors], *[[thing, *given] for thing, given in grid(truth).items()]]
    binary = save_xlsb(tmp_path / "panel.xlsb", {"Talks": rows})
    found = outcome(Export((binary,), (truth,)), tmp_path)
    assert found.kind == "right", found.said
    same = read_as_typed((save_xlsx(tmp_path / "panel.xlsx", {"Talks": rows}),))
    read = read_as_typed((binary,))
    assert (read.score_cells, read.object_cells, read.fingerprint) == (
        same.score_cells,
        same.object_cells,
        same.fingerprint,
    )


def test_errors_are_in_their_cells_whatever_the_order_of_the_parts(tmp_path):
    rows = [["Talk", "Jones", "Smith"], ["x", 1, Error("#N/A")], ["y", Error("#DIV/0!"), 3]]
    source = load_source(str(save_xlsb(tmp_path / "errors.xlsb", {"Notes": [["a", 1]], "Talks": rows})))
    assert [source.grids[1].value(*place) for place in ((2, 3), (3, 2))] == [CellError("#N/A"), CellError("#DIV/0!")]
    assert source.grids[0].rows == (("a", 1),)


def test_an_error_among_the_scores_is_asked_about_by_its_cell(tmp_path):
    truth = simulate(78, [f"Talk {k}" for k in range(12)], people(5), 5, scale=(0, 20))
    rows = [["Talk", *truth.assessors], *[[thing, *given] for thing, given in grid(truth).items()]]
    rows[3][2] = Error("#DIV/0!")
    with pytest.raises(InputRefused, match="C4 on sheet Talks"):
        read_as_typed((save_xlsb(tmp_path / "errors.xlsb", {"Talks": rows}),))
