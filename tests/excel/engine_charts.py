"""Charts and workbook names of the test engine."""

# ruff: noqa: D102, D105, PLW0108 - the methods are those that xlwings documents
from __future__ import annotations

from typing import Any

import xlwings as xw
from openpyxl.workbook.defined_name import DefinedName
from xlwings import base_classes

from excel.engine_native import Native, calls, fresh


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
