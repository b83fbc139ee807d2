"""A test-only xlwings engine over openpyxl: the buttons run through the real xlwings API where no Excel can.

It registers itself through `xlwings.engines.add`, without xlwings.pro. Cells, formulas, number formats, hidden and
merged cells, workbook names and sheets are openpyxl's own; looks are recorded; `.api`, the native object, takes
anything. Like Excel it has no whole numbers, reads text as if it were typed, and takes a leading apostrophe away.
Every call that would go to Excel is counted by name in `calls`.
"""

# ruff: noqa: D102, D105, N805, PLW0108 - the methods are those that xlwings documents
from __future__ import annotations

import datetime as dt
import math
import re
from pathlib import Path
from typing import Any

import openpyxl
import xlwings as xw
from xlwings import base_classes

from excel.engine_charts import Charts, Names
from excel.engine_native import Native, calls, fresh
from excel.engine_range import Range

NAME = "openpyxl"
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
ERRORS = {"#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"}
MISSING = -2147352572
"""What Excel hands over for an optional argument that was left out."""

alerts: list[str] = []
answers: list[str] = []
"""What the next questions are answered; "ok" when empty."""


def _plain_error(value: Any) -> bool:
    return isinstance(value, str) and value in ERRORS


class Engine:
    """The engine as xlwings asks for it."""

    name, type = NAME, "desktop"

    def __init__(self) -> None:
        self.apps = Apps(self)

    @staticmethod
    def prepare_xl_data_element(value, options):
        if hasattr(value, "item") and type(value).__module__ == "numpy":
            value = value.item()
        if value is None or (isinstance(value, float) and math.isnan(value)):
            return ""
        return value

    @staticmethod
    def clean_value_data(data, datetime_builder, empty_as, number_builder, err_to_str):
        def clean(value):
            if value is None or (isinstance(value, str) and value == ""):
                return empty_as
            if _plain_error(value):
                return value if err_to_str else None
            if isinstance(value, dt.datetime):
                return datetime_builder(
                    year=value.year, month=value.month, day=value.day, hour=value.hour, minute=value.minute,
                    second=value.second, microsecond=value.microsecond, tzinfo=None,
                )  # fmt: skip
            if number_builder is not None and isinstance(value, float):
                return number_builder(value)
            return value

        return [[clean(value) for value in row] for row in data]


class Apps(base_classes.Apps):
    """The running programs, the one in front first."""

    def __init__(self, engine):
        self.engine, self.running = engine, []

    def __iter__(self):
        return iter(self.running)

    def __len__(self):
        return len(self.running)

    def __getitem__(self, pid):
        return next(app for app in self.running if app.pid == pid)

    def keys(self):
        return [app.pid for app in self.running]

    def add(self, spec=None, add_book=True, xl=None, visible=None, **_):
        app = App(self)
        self.running.insert(0, app)
        if add_book:
            app.books.add()
        return app


@fresh("apps", "books", "pid", "visible", "display_alerts", "native")
class App(base_classes.App):
    """One program. Its state is counted when it is set, because that is a call too."""

    def __init__(self, apps):
        self.apps, self.books, self.native = apps, Books(self), Native("app")
        self.pid = 1000 + len(apps.running)
        self.visible = self.display_alerts = True
        self.state = {"screen_updating": True, "calculation": "automatic", "enable_events": True, "status_bar": False}
        self.history: list[tuple[str, Any]] = []
        self.selected: dict[int, tuple[int, int, int, int]] = {}
        self.chart_in_front = False

    engine = property(lambda self: self.apps.engine)
    api = property(lambda self: self.native)
    version = property(lambda self: "16.0")

    def _stated(name):
        def read(self):
            return self.state[name]

        def write(self, value):
            self.state[name] = value
            self.history.append((name, value))

        return property(read, write)

    screen_updating = _stated("screen_updating")
    calculation = _stated("calculation")
    enable_events = _stated("enable_events")
    status_bar = _stated("status_bar")

    @property
    def selection(self):
        if self.chart_in_front:
            raise AttributeError("'NoneType' object has no attribute 'Address'")
        sheet = self.books.active.sheets.active
        box = self.selected.get(id(sheet.ws), (1, 1, 1, 1))
        return Range(sheet, box[:2], box[2:])

    def activate(self, steal_focus=None):
        self.apps.running.remove(self)
        self.apps.running.insert(0, self)

    def quit(self):
        self.apps.running.remove(self)

    def alert(self, prompt, title, buttons, mode, callback):
        alerts.append(prompt)
        return answers.pop(0) if answers else "ok"


@fresh("app")
class Books(base_classes.Books):
    """Open workbooks, the active one first."""

    def __init__(self, app):
        self.app, self.open_books = app, []

    active = property(lambda self: self.open_books[0] if self.open_books else None)

    def __len__(self):
        return len(self.open_books)

    def __iter__(self):
        return iter(self.open_books)

    def __call__(self, key):
        if isinstance(key, int):
            return self.open_books[key - 1]
        for book in self.open_books:
            if key.lower() in (book.name.lower(), book.fullname.lower()):
                return book
        raise KeyError(key)

    def _put(self, workbook, path, values=None):
        book = Book(self, workbook, path, values)
        self.open_books.insert(0, book)
        return book

    def add(self):
        workbook = openpyxl.Workbook()
        workbook.active.title = "Sheet1"
        return self._put(workbook, f"Book{len(self.open_books) + 1}")

    def open(self, fullname, *_, **__):
        return self._put(
            openpyxl.load_workbook(fullname), str(fullname), openpyxl.load_workbook(fullname, data_only=True)
        )


@fresh("books")
class Book(base_classes.Book):
    """A workbook; `values` has what its formulas show."""

    def __init__(self, books, workbook, path, values=None):
        self.books, self.workbook, self.path = books, workbook, path
        self.grouped = 1
        self.shown: dict[tuple[int, int, int], Any] = {}
        for sheet in values.worksheets if values else ():
            twin = workbook[sheet.title]
            for row in sheet.iter_rows():
                for cell in row:
                    spelled = twin.cell(cell.row, cell.column).value
                    if (isinstance(spelled, str) and spelled.startswith("=")) or not isinstance(
                        spelled, type(cell.value)
                    ):
                        self.shown[id(twin), cell.row, cell.column] = cell.value

    api = property(lambda self: self.books.app.native)
    app = property(lambda self: self.books.app)
    name = property(lambda self: Path(self.path).name)
    fullname = property(lambda self: self.path)
    sheets = property(lambda self: Sheets(self))
    names = property(lambda self: Names(self))

    def save(self, path=None, password=None):
        self.workbook.save(path or self.path)

    def close(self):
        self.books.open_books.remove(self)

    def activate(self):
        self.books.open_books.remove(self)
        self.books.open_books.insert(0, self)


@fresh("book")
class Sheets(base_classes.Sheets):
    """Worksheets in the order of the tabs."""

    def __init__(self, book):
        self.book = book

    api = property(lambda self: Native("sheets"))
    active = property(lambda self: Sheet(self.book, self.book.workbook.active))

    def __len__(self):
        return len(self.book.workbook.worksheets)

    def __iter__(self):
        return (Sheet(self.book, ws) for ws in self.book.workbook.worksheets)

    def __call__(self, key):
        if isinstance(key, int):
            return Sheet(self.book, self.book.workbook.worksheets[key - 1])
        for ws in self.book.workbook.worksheets:
            if ws.title.lower() == key.lower():
                return Sheet(self.book, ws)
        raise xw.NoSuchObjectError(f"Sheet {key!r} doesn't exist.")

    def add(self, before=None, after=None, name=None):
        taken = {ws.title.lower() for ws in self.book.workbook.worksheets}
        if name is None:
            name = next(f"Sheet{k}" for k in range(1, 1000) if f"sheet{k}" not in taken)
        if name.lower() in taken or not 0 < len(name) <= 31 or re.search(r"[\[\]:*?/\\]", name):
            raise ValueError(f"Excel refuses the sheet name {name!r}")
        if after and any(ws.sheet_state == "veryHidden" for ws in self.book.workbook.worksheets[after.index - 1 :]):
            raise RuntimeError("Move method of Worksheet class failed")  # xlwings moves the last sheet forward
        at = before.index - 1 if before else after.index if after else self.active.index - 1
        for _ in range(self.book.grouped - 1):  # as many as are selected
            self.book.workbook.create_sheet(None, at)
        ws = self.book.workbook.create_sheet(name, at)
        self.book.workbook.active = ws
        return Sheet(self.book, ws)


@fresh("book", "ws", "looks")
class Sheet(base_classes.Sheet):
    """A worksheet; `looks` records what was set on which block."""

    def __init__(self, book, ws):
        self.book, self.ws = book, ws
        self.looks = ws.__dict__.setdefault("_looks", [])
        self.native_object = ws.__dict__.setdefault("_native", Native("sheet"))

    api = property(lambda self: self.native_object)
    index = property(lambda self: self.book.workbook.worksheets.index(self.ws) + 1)
    charts = property(lambda self: Charts(self))
    shapes = property(lambda self: Native("shapes"))

    def _show(self, value):
        self.ws.sheet_state = "visible" if value else "hidden"

    visible = property(lambda self: {"visible": -1, "hidden": 0, "veryHidden": 2}[self.ws.sheet_state], _show)
    cells = property(lambda self: Range(self, (1, 1), (LAST_ROW, LAST_COLUMN)))

    def _rename(self, value):
        if value.lower() in {ws.title.lower() for ws in self.book.workbook._sheets if ws is not self.ws}:
            raise ValueError("That name is already taken. Try a different one.")
        # Names follow a sheet that is renamed.
        for entry in self.book.workbook.defined_names.values():
            entry.attr_text = entry.attr_text.replace(f"'{self.ws.title}'!", f"'{value}'!")
        self.ws.title = value

    name = property(lambda self: self.ws.title, _rename)

    def _gridlines(self, value):
        self.ws.sheet_view.showGridLines = value

    show_gridlines = property(lambda self: self.ws.sheet_view.showGridLines, _gridlines)

    def range(self, arg1, arg2=None):
        return Range(self, arg1, arg2)

    def select(self):
        self.activate()
        self.book.grouped = 1

    def activate(self):
        if self.ws not in self.book.workbook.worksheets:
            raise RuntimeError("Object has been deleted")
        if self.ws.sheet_state != "visible":
            raise RuntimeError("Activate method of Worksheet class failed")
        self.book.workbook.active = self.ws
        self.book.activate()

    def delete(self):
        workbook = self.book.workbook
        if len(workbook.worksheets) == 1:
            raise RuntimeError("A workbook must contain at least one visible worksheet.")
        front = workbook.active
        at = workbook.worksheets.index(self.ws)
        workbook.remove(self.ws)
        workbook.active = workbook.worksheets[max(at - 1, 0)] if front is self.ws else front

    @property
    def used_range(self):
        # Reading must not create cells, as openpyxl's own walk over rows would.
        filled = [place for place, cell in self.ws._cells.items() if cell.value is not None or cell.has_style] or [
            (1, 1)
        ]
        rows, columns = [row for row, _ in filled], [column for _, column in filled]
        return Range(self, (min(rows), min(columns)), (max(rows), max(columns)))


engine = Engine()


def install() -> None:
    """Make this the active engine; conversions of function arguments ask for one called "excel"."""
    if NAME not in xw.engines.engines_by_name:
        wrapped = xw.Engine(impl=engine)
        xw.engines.add(wrapped)
        xw.engines.engines_by_name["excel"] = wrapped
    xw.engines[NAME].activate()


def start() -> xw.App:
    """Start with one program and no workbook, nothing counted and nothing said."""
    install()
    engine.apps.running.clear()
    calls.clear()
    alerts.clear()
    answers.clear()
    return xw.App(add_book=False, visible=False)


def dump(book: xw.Book) -> dict[str, Any]:
    """Everything that a failed click must leave as it was: sheets, cells, formats, names, what is in front."""
    workbook = book.impl.workbook
    return {
        "sheets": [sheet.title for sheet in workbook.worksheets],
        "cells": {
            (sheet.title, *place): (cell.value, cell.number_format)
            for sheet in workbook.worksheets
            for place, cell in sheet._cells.items()
            if cell.value is not None
        },
        "names": {name: (entry.attr_text, entry.hidden) for name, entry in workbook.defined_names.items()},
        "active": workbook.active.title,
        "state": dict(book.app.impl.state),
        "selected": book.app.selection.address,
    }
