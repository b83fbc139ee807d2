"""What the tests of the Excel room share: the engine, opened example workbooks, a fixed date."""

from pathlib import Path

import pytest

from excel import engine
from excel.udf_server import served

TEMPLATES = Path(__file__).parents[2] / "workbook_templates"


@pytest.fixture
def app(monkeypatch):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", "1795255200")
    # However busy the machine is, nothing takes so long that it is told in a message.
    monkeypatch.setattr("panelcal.excel.calibrate_sheet._LOOKED_AWAY", float("inf"))
    return engine.start()


@pytest.fixture
def open_example(app):
    """Open a finished workbook by name."""

    def open_one(name):
        return app.books.open(str(TEMPLATES / f"{name}.xlsx"))

    return open_one


@pytest.fixture
def small(app):
    """A workbook with one small panel on the sheet Marks."""
    book = app.books.add()
    sheet = book.sheets[0]
    sheet.name = "Marks"
    sheet.range("A1").value = [
        ["Student", "MA101", "MA102", "MA103"],
        ["'0001", 60, 55, None],
        ["'0002", 70, None, 66],
        ["'0003", None, 61, 58],
        ["'0004", 52, 48, 50],
    ]
    return book


@pytest.fixture(scope="session", autouse=True)
def addin_is_made():
    """In a source checkout, make the add-in as building the wheel does."""
    from addin.build.make import write_addin

    write_addin()


@pytest.fixture
def call(app):
    """Call cell functions as Excel does, with an empty workbook open."""
    app.books.add()
    with served() as calling:
        yield calling


@pytest.fixture
def put(call):
    """Put rows on a sheet and return the range."""

    def at(cell, rows):
        from xlwings import books

        sheet = books.active.sheets[0]
        corner = sheet.range(cell)
        for i, row in enumerate(rows):
            for j, value in enumerate(row):
                if value is not None:
                    sheet.impl.ws.cell(corner.row + i, corner.column + j).value = value
        return sheet.range((corner.row, corner.column), (corner.row + len(rows) - 1, corner.column + len(rows[0]) - 1))

    return at
