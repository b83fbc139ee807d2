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
import time
from collections import Counter
from pathlib import Path
from typing import Any

import openpyxl
import xlwings as xw
from openpyxl.utils import get_column_letter
from openpyxl.workbook.defined_name import DefinedName
from xlwings import base_classes, utils

NAME = "openpyxl"
LAST_ROW, LAST_COLUMN = 1_048_576, 16_384
ERRORS = {"#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!"}
MISSING = -2147352572
"""What Excel hands over for an optional argument that was left out."""

_MONTHS = "jan feb mar apr may jun jul aug sep oct nov dec".split()

calls: Counter[str] = Counter()
alerts: list[str] = []
answers: list[str] = []
"""What the next questions are answered; "ok" when empty."""


def fresh(*attributes: str):
    """Shadow read-only properties of the base classes that are plain attributes here; count the calls."""

    def prepare(cls):
        for name in attributes:
            setattr(cls, name, None)
        for name, member in list(vars(cls).items()):
            if name.startswith("_") or name in attributes:
                continue
            label = f"{cls.__name__}.{name}"
            if isinstance(member, property):
                setattr(cls, name, _counted_property(member, label))
            elif callable(member) and not isinstance(member, type):
                setattr(cls, name, _counted(member, label))
        return cls

    return prepare


class Clock:
    """Time spent inside the engine, which stands for Excel's own."""

    seconds = 0.0
    depth = 0


def _counted(function, label):
    def counted(*arguments, **options):
        calls[label] += 1
        if Clock.depth:
            return function(*arguments, **options)
        Clock.depth = 1
        start = time.perf_counter()
        try:
            return function(*arguments, **options)
        finally:
            Clock.seconds += time.perf_counter() - start
            Clock.depth = 0

    return counted


def _counted_property(member, label):
    getter = _counted(member.fget, f"{label}") if member.fget else None
    setter = _counted(member.fset, f"{label}=") if member.fset else None
    return property(getter, setter)


class Native:
    """A native object: takes every attribute and call, and remembers what was set and called."""

    def __init__(self, path: str = "", log: list | None = None) -> None:
        self.__dict__.update(_path=path, _log=[] if log is None else log, _children={})

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self._children.setdefault(name, Native(f"{self._path}.{name}", self._log))

    def __setattr__(self, name, value):
        calls["native set"] += 1
        self._log.append((f"{self._path}.{name}", value))

    def __call__(self, *arguments, **options):
        calls["native call"] += 1
        self._log.append((f"{self._path}()", (arguments, options)))
        return Native(f"{self._path}()", self._log)

    def __getitem__(self, key):
        return self._children.setdefault(f"[{key}]", Native(f"{self._path}[{key}]", self._log))

    def __index__(self):
        return 0

    def __len__(self):
        return 0

    def __bool__(self):
        return True


def as_typed(value: Any) -> Any:
    """Store a value as Excel does when it is written to a cell in the format General."""
    if isinstance(value, str):
        if value.startswith("'"):
            return value[1:]
        if value == "":
            return None
        bare = value.strip()
        if re.fullmatch(r"[-+]?\d*\.?\d+(e[-+]?\d+)?%?", bare, re.IGNORECASE):
            return float(bare.rstrip("%")) / (100 if bare.endswith("%") else 1)
        if bare.upper() in ("TRUE", "FALSE"):
            return bare.upper() == "TRUE"
        month = re.fullmatch(r"([a-z]{3,9})[- ]?(\d{1,4})|\d{1,2}[-/ ]([a-z]{3,9}|\d{1,2})", bare, re.IGNORECASE)
        if month and (re.match(r"\d", bare) or bare[:3].lower() in _MONTHS):
            return dt.datetime(1900, 1, 1)
        return value
    if isinstance(value, float) and math.isnan(value):
        return None
    if isinstance(value, int) and not isinstance(value, bool):
        return float(value)
    return value


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
        at = before.index - 1 if before else after.index if after else self.active.index - 1
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
    visible = property(lambda self: self.ws.sheet_state == "visible")
    cells = property(lambda self: Range(self, (1, 1), (LAST_ROW, LAST_COLUMN)))

    def _rename(self, value):
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

    def activate(self):
        if self.ws not in self.book.workbook.worksheets:
            raise RuntimeError("Object has been deleted")
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


def _look(name):
    def read(self):
        found = [value for box, key, value in self.sheet.looks if key == name and _covers(box, self.box)]
        return found[-1] if found else None

    def write(self, value):
        self.sheet.looks.append((self.box, name, value))

    return property(read, write)


def _covers(box, inner):
    return box[0] <= inner[0] and box[1] <= inner[1] and box[2] >= inner[2] and box[3] >= inner[3]


@fresh("sheet", "options", "box", "arg1_input")
class Range(base_classes.Range):
    """A block of cells, `box` = first row, first column, last row, last column."""

    max_cells_per_read = None
    max_cells_per_write = 100_000

    def __init__(self, sheet, arg1, arg2=None):
        self.sheet, self.options, self.arg1_input = sheet, None, arg1
        if isinstance(arg1, Range) and isinstance(arg2, Range):
            first, last = arg1.box, arg2.box
            arg1 = (min(first[0], last[0]), min(first[1], last[1]))
            arg2 = (max(first[2], last[2]), max(first[3], last[3]))
        if isinstance(arg1, str):
            arg1, arg2 = utils.a1_to_tuples(arg1.replace("$", ""))
        if len(arg1) == 4:
            arg1, arg2 = arg1[:2], (arg1[0] + arg1[2] - 1, arg1[1] + arg1[3] - 1)
        self.box = (*tuple(arg1), *tuple(arg2 or arg1))
        if min(self.box) < 1:
            raise IndexError(self.box)

    api = property(lambda self: Native(f"range '{self.sheet.name}'!{self.address}", self.sheet.api._log))
    row = property(lambda self: self.box[0])
    column = property(lambda self: self.box[1])
    shape = property(lambda self: (self.box[2] - self.box[0] + 1, self.box[3] - self.box[1] + 1))
    coords = property(lambda self: (self.sheet.name, self.row, self.column, *self.shape))
    address = property(lambda self: self.get_address(True, True, False))

    def __len__(self):
        return self.shape[0] * self.shape[1]

    def __call__(self, i, j=None):
        if j is None:
            i, j = (i - 1) // self.shape[1] + 1, (i - 1) % self.shape[1] + 1
        return Range(self.sheet, (self.row + i - 1, self.column + j - 1))

    def get_address(self, row_absolute=True, col_absolute=True, external=False):
        def spelled(row, column):
            dollar = "$" if col_absolute else ""
            return f"{dollar}{get_column_letter(column)}{'$' if row_absolute else ''}{row}"

        first, last = spelled(*self.box[:2]), spelled(*self.box[2:])
        return first if first == last else f"{first}:{last}"

    def _places(self):
        return [[(i, j) for j in range(self.box[1], self.box[3] + 1)] for i in range(self.box[0], self.box[2] + 1)]

    def _read(self, take):
        cells = self.sheet.ws._cells
        values = [[take(place, cells.get(place)) for place in row] for row in self._places()]
        # As Excel does: one cell is no block, and a block is a tuple of tuples.
        return values[0][0] if self.shape == (1, 1) else tuple(tuple(row) for row in values)

    def _shown(self, place, cell):
        value = self.sheet.book.shown.get((id(self.sheet.ws), *place), None if cell is None else cell.value)
        if isinstance(value, dt.date) and not isinstance(value, dt.datetime):
            value = dt.datetime(value.year, value.month, value.day)
        return float(value) if isinstance(value, int) and not isinstance(value, bool) else value

    def _spelled(self, place, cell):
        value = None if cell is None else cell.value
        return "" if value is None else value if isinstance(value, str) else str(value)

    @property
    def raw_value(self):
        return self._read(self._shown)

    @raw_value.setter
    def raw_value(self, data):
        for i, row in enumerate(self._places()):
            for j, place in enumerate(row):
                value = as_typed(data[i][j] if isinstance(data, list | tuple) else data)
                self.sheet.book.shown.pop((id(self.sheet.ws), *place), None)
                if value is None and place not in self.sheet.ws._cells:  # writing nothing makes no cell
                    continue
                cell = self.sheet.ws.cell(*place)
                cell.value = value
                if isinstance(value, str) and isinstance(data, list | tuple) and str(data[i][j]).startswith("'"):
                    cell.data_type = "s"

    @property
    def formula(self):
        return self._read(self._spelled)

    def _one_of(self, values):
        first, *rest = dict.fromkeys(values)
        return None if rest else first

    def _number_format(self, code):
        for row in self._places():
            for place in row:
                self.sheet.ws.cell(*place).number_format = code

    @property
    def number_format(self):
        cells = self.sheet.ws._cells
        return self._one_of(
            cells[place].number_format if place in cells else "General" for row in self._places() for place in row
        )

    number_format = number_format.setter(_number_format)

    def _merges(self):
        return [(area.min_row, area.min_col, area.max_row, area.max_col) for area in self.sheet.ws.merged_cells.ranges]

    @property
    def merge_cells(self):
        merges = self._merges()
        return self._one_of(
            any(_covers(merge, (*place, *place)) for merge in merges) for row in self._places() for place in row
        )

    @property
    def merge_area(self):
        for merge in self._merges():
            if _covers(merge, (*self.box[:2], *self.box[:2])):
                return Range(self.sheet, merge[:2], merge[2:])
        return Range(self.sheet, self.box[:2])

    def _hidden_row(self, row):
        return bool(self.sheet.ws.row_dimensions[row].hidden) if row in self.sheet.ws.row_dimensions else False

    def _hidden_column(self, column):
        for letters, dimension in self.sheet.ws.column_dimensions.items():
            first = dimension.min or openpyxl.utils.column_index_from_string(letters)
            if dimension.hidden and first <= column <= (dimension.max or first):
                return True
        return False

    @property
    def row_hidden(self):
        return self._one_of(self._hidden_row(row) for row in range(self.box[0], self.box[2] + 1))

    @property
    def column_hidden(self):
        return self._one_of(self._hidden_column(column) for column in range(self.box[1], self.box[3] + 1))

    def get_special_cells(self, cell_type, value_type):
        if self.sheet.ws.protection.sheet:
            raise RuntimeError("You cannot use this command on a protected sheet.")
        rows = _stretches([r for r in range(self.box[0], self.box[2] + 1) if not self._hidden_row(r)])
        columns = _stretches([c for c in range(self.box[1], self.box[3] + 1) if not self._hidden_column(c)])
        return [Range(self.sheet, (r1, c1), (r2, c2)) for r1, r2 in rows for c1, c2 in columns]

    color = _look("color")
    wrap_text = _look("wrap_text")
    horizontal_alignment = _look("horizontal_alignment")
    vertical_alignment = _look("vertical_alignment")
    row_height = _look("row_height")
    font = property(lambda self: Font(self))
    borders = property(lambda self: Looks(self, "borders"))
    data_validation = property(lambda self: Looks(self, "data_validation"))
    conditional_formats = property(lambda self: Looks(self, "conditional_formats"))

    def _width(self, value):
        for column in range(self.box[1], self.box[3] + 1):
            self.sheet.ws.column_dimensions[get_column_letter(column)].width = value

    column_width = property(lambda self: self.sheet.ws.column_dimensions[get_column_letter(self.box[1])].width, _width)

    def autofit(self, axis=None):
        self.sheet.looks.append((self.box, "autofit", axis))

    def adjust_indent(self, amount):
        self.sheet.looks.append((self.box, "indent", amount))

    note = property(lambda self: None)

    def add_note(self, text):
        self.sheet.looks.append((self.box, "note", text))
        return Native("note")

    def select(self):
        self.sheet.book.app.selected[id(self.sheet.ws)] = self.box


def _stretches(numbers):
    found: list[list[int]] = []
    for number in numbers:
        if found and found[-1][1] == number - 1:
            found[-1][1] = number
        else:
            found.append([number, number])
    return found


class Looks:
    """Borders, conditional formats or validation of a block: whatever is set or added is recorded."""

    def __init__(self, block, kind):
        self.block, self.kind = block, kind

    def __getattr__(self, name):
        def record(*arguments, **options):
            calls[f"{self.kind}.{name}"] += 1
            self.block.sheet.looks.append((self.block.box, f"{self.kind}.{name}", (arguments, options)))
            return Native(self.kind)

        return record


@fresh("block")
class Font(base_classes.Font):
    """Font of a block."""

    def __init__(self, block):
        self.block = block

    def _recorded(name, default=None):
        def read(self):
            found = [
                v for box, key, v in self.block.sheet.looks if key == f"font.{name}" and _covers(box, self.block.box)
            ]
            return found[-1] if found else default

        def write(self, value):
            self.block.sheet.looks.append((self.block.box, f"font.{name}", value))

        return property(read, write)

    bold = _recorded("bold", False)
    size = _recorded("size", 11.0)
    color = _recorded("color")


@fresh("book")
class Names(base_classes.Names):
    """Workbook names."""

    def __init__(self, book):
        self.book = book

    api = property(lambda self: Native("names"))

    def __iter__(self):
        return (Name(self.book, name) for name in list(self.book.workbook.defined_names.values()))

    def __len__(self):
        return len(self.book.workbook.defined_names)

    def snapshot(self):
        return [(name.name, name) for name in self]

    def contains(self, name):
        return name in self.book.workbook.defined_names

    def __call__(self, key):
        for name in self:
            if name.name.lower() == str(key).lower():
                return name
        raise xw.NoSuchObjectError(f"Name {key!r} doesn't exist.")

    def add(self, name, refers_to):
        self.book.workbook.defined_names[name] = DefinedName(name, attr_text=refers_to.lstrip("="))
        return self(name)


class _HiddenSwitch:
    def __init__(self, entry):
        self.__dict__["entry"] = entry

    def __setattr__(self, name, value):
        assert name == "Visible"
        self.entry.hidden = not value


@fresh("book", "entry")
class Name(base_classes.Name):
    """One workbook name."""

    def __init__(self, book, entry):
        self.book, self.entry = book, entry

    api = property(lambda self: _HiddenSwitch(self.entry))
    name = property(lambda self: self.entry.name)
    refers_to = property(lambda self: "=" + self.entry.attr_text)

    def delete(self):
        del self.book.workbook.defined_names[self.entry.name]


@fresh("parent", "made")
class Charts(base_classes.Charts):
    """Charts of a sheet."""

    def __init__(self, sheet):
        self.parent = sheet
        self.made = sheet.ws.__dict__.setdefault("_charts_made", [])

    def __len__(self):
        return len(self.made)

    def __iter__(self):
        return iter(self.made)

    def __call__(self, key):
        return self.made[key - 1] if isinstance(key, int) else next(chart for chart in self.made if chart.name == key)

    def add(
        self, left, top, width, height, chart_type=None, source=None, plot_by=None, name=None, anchor=None, style=227
    ):
        chart = Chart(self.parent, anchor, width, height, len(self.made) + 1)
        self.made.append(chart)
        return chart


@fresh("parent", "name", "title", "chart_type", "anchor", "width", "height", "told", "drawn")
class Chart(base_classes.Chart):
    """One chart: what was drawn in it natively, and what was said of it in xlwings' words."""

    def __init__(self, sheet, anchor, width, height, number):
        self.parent, self.anchor, self.width, self.height = sheet, anchor, width, height
        self.name, self.title, self.chart_type = f"Chart {number}", None, "column_clustered"
        self.told: list[tuple[str, Any]] = []
        self.drawn: list[tuple[str, Any]] = []
        self.natives = (Native("chart object", self.drawn), Native("chart", self.drawn))

    api = property(lambda self: self.natives)
    category_axis = property(lambda self: Told(self, "category_axis"))
    value_axis = property(lambda self: Told(self, "value_axis"))
    legend = property(lambda self: Told(self, "legend"))
    series = property(lambda self: ToldSeries(self))


class Told:
    """A part of a chart that remembers what it was told."""

    def __init__(self, chart, part):
        self.__dict__.update(chart=chart, part=part)

    def set(self, **options):
        calls[f"{self.part}.set"] += 1
        self.chart.told.append((self.part, options))

    def __setattr__(self, name, value):
        calls[f"{self.part}.{name}="] += 1
        self.chart.told.append((self.part, {name: value}))


class ToldSeries(base_classes.Collection):
    """The series of a chart."""

    def __init__(self, chart):
        self.chart = chart

    def __call__(self, key):
        return Told(self.chart, f"series {key}")

    def __len__(self):
        return sum(path.endswith("NewSeries()") for path, _ in self.chart.drawn)


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
