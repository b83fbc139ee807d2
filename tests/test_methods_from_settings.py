"""From the Settings sheet of a real workbook to the sheets: methods to compare, and the method that values are by."""

import openpyxl
import pytest

import run_panelcal
from panelcal import fit
from panelcal.files.load import load_source
from panelcal.reading.read import read_panel

COMPARED, CHOSEN = "bisquare, log", "random_effects"


def rows_under(sheet, heading):
    """Values by column heading, from the row whose first cell is that heading down to the first empty one."""
    grid = list(sheet.iter_rows(values_only=True))
    first = next(k for k, row in enumerate(grid) if row[0] == heading)
    last = next((k for k in range(first, len(grid)) if grid[k][0] is None), len(grid))
    return {name: [row[j] for row in grid[first + 1 : last]] for j, name in enumerate(grid[first]) if name}


@pytest.fixture(scope="module")
def made(small_board, tmp_path_factory):
    folder = tmp_path_factory.mktemp("settings")
    book = openpyxl.load_workbook(small_board)
    settings = book["Settings"]
    for label, value in (("Methods to compare", COMPARED), ("Method", CHOSEN)):
        row = next(row for row in range(1, settings.max_row + 1) if settings.cell(row, 1).value == label)
        settings.cell(row, 2).value = value
    book["Marks"]["C6"] = 0  # has no logarithm
    book.save(folder / "board.xlsx")
    done = run_panelcal.run("calibrate", str(folder / "board.xlsx"), "-o", str(folder / "out.xlsx"), "--results-only")
    assert done.returncode == 0, done.stderr
    return (
        read_panel(load_source(folder / "board.xlsx")).panel,
        openpyxl.load_workbook(folder / "out.xlsx"),
        done.stdout,
    )


@pytest.mark.slow
def test_values_are_by_the_method_chosen(made):
    panel, book, said = made
    values = rows_under(book["Cal values"], "Student")
    for heading, expected in (("Calibrated value", fit(panel, CHOSEN)), ("Calibration with confidence", fit(panel))):
        found = dict(zip(map(str, values["Student"]), values[heading], strict=True))
        assert found == pytest.approx(dict(zip(panel.objects, expected.values.tolist(), strict=True)), rel=1e-12)
    assert "Values by the method Random effects." in said


@pytest.mark.slow
def test_methods_named_stand_on_cal_methods_or_say_why_not(made):
    panel, book, _ = made
    sheet = book["Cal methods"]
    methods = rows_under(sheet, "Student")
    found = dict(zip(map(str, methods["Student"]), methods["Bisquare"], strict=True))
    assert found == pytest.approx(
        dict(zip(panel.objects, fit(panel, "bisquare").values.tolist(), strict=True)), rel=1e-9
    )
    assert "Logarithms of scores" not in methods
    evidence = rows_under(sheet, "Method")
    remarks = dict(zip(evidence["Method"], evidence["Remark"], strict=True))
    assert remarks["Logarithms of scores"].startswith("Logarithms need scores above 0")
    assert set(remarks) >= {"Random effects", "Bisquare", "Fisher calibration"}
    assert len(sheet._charts) == 5
