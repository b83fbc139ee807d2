"""Rows of wrapped words beside what LibreOffice itself needs for them: nothing cut off, and hardly a line too many."""

from __future__ import annotations

from pathlib import Path

import openpyxl
import pytest

import run_panelcal
from office.office import driven, need_office

pytestmark = [pytest.mark.office, pytest.mark.slow]
TEMPLATES = Path(__file__).parents[2] / "workbook_templates"
DRIVER = Path(__file__).with_name("drive_row_heights.py")
_SHORT = 20  # letters that nothing breaks
_SIZE, _LINE, _FIRST, _FURTHER = 11.0, 15.0, 13.8, 11.3  # points: of letters, of a line in Excel, and in LibreOffice
_CLOSE = 0.12  # share of rows of words that may be a line too high there, where letters are 8% narrower than in Excel


def _wrapped_cells(sheet) -> list[tuple[str, int, int]]:
    """Address, row and number of columns of each cell of words that wrap in letters of the usual size."""
    wide = {block.coord.split(":")[0]: block for block in sheet.merged_cells.ranges}
    found = []
    for row in sheet.iter_rows():
        for cell in row:
            words = cell.value
            if not isinstance(words, str) or words.startswith("=") or not cell.alignment.wrap_text:
                continue
            block = wide.get(cell.coordinate)
            if len(words) > _SHORT and cell.font.sz == _SIZE and (block is None or block.max_row == cell.row):
                found.append((cell.coordinate, cell.row, 1 if block is None else block.max_col - block.min_col + 1))
    return found


@pytest.mark.parametrize("name", sorted(path.stem for path in TEMPLATES.glob("*_example.xlsx")))
def test_rows_are_high_enough_for_libreoffice_and_hardly_any_is_a_line_too_high(name, tmp_path):
    need_office()
    file = tmp_path / "calibrated.xlsx"
    done = run_panelcal.run("calibrate", str(TEMPLATES / f"{name}.xlsx"), "-o", str(file))
    assert done.returncode == 0, done.stderr
    book = openpyxl.load_workbook(file)
    cells, rows = [], []
    for sheet in (one for one in book if one.title.startswith("Cal ")):
        for address, row, across in _wrapped_cells(sheet):
            cells.append((sheet.title, address, across))
            rows.append((sheet.title, row, sheet.row_dimensions[row].height or sheet.sheet_format.defaultRowHeight))
    needed: dict[tuple[str, int], float] = {}
    given: dict[tuple[str, int], float] = {}
    for (title, row, height), points in zip(rows, driven(DRIVER, file, cells=cells), strict=True):
        given[title, row] = height
        needed[title, row] = max(points, needed.get((title, row), 0.0))
    too_high = []
    for place, points in needed.items():
        assert given[place] >= points - 0.5, (place, points)
        lines = 1 + round((points - _FIRST) / _FURTHER)
        more = given[place] / _LINE - lines
        assert more < 1.9, (place, lines)
        if more > 0.9:
            too_high.append(place)
    assert len(too_high) <= _CLOSE * len(needed), too_high
