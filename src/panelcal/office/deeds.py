"""What the buttons and functions in LibreOffice ask of panelcal: files in, files and plain data out.

The document arrives as a copy in a private folder of the office, as it was on the screen. What is to be put into the
document goes back as a workbook of its own: the result sheets behind bare sheets that have the document's names.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

from panelcal.each_criterion import read_in_words, run_in_place
from panelcal.errors import PanelcalError
from panelcal.files.bare_copy import bare_copy
from panelcal.files.in_memory import FileBytes
from panelcal.files.load import load_source
from panelcal.files.out_of_date import earlier_sheets
from panelcal.files.ownership import own_sheets
from panelcal.page.as_data import choices_from
from panelcal.reading.grid import Grid, Source, address
from panelcal.reading.settings import SETTINGS_SHEET
from panelcal.reporting.cautions import understood_lines
from panelcal.reporting.model import Report, Sheet
from panelcal.reporting.run_facts import run_moment
from panelcal.run import GivenSheets
from panelcal.shipped import TEMPLATE_NAMES
from panelcal.systems.choices import Choices
from panelcal.version import __version__

ONLY_SELECTED = "Only the cells that were selected were read."

Ask = Mapping[str, Any]
Telling = Callable[[str], None]


def hello(ask: Ask, telling: Telling) -> dict[str, Any]:
    """Say which panelcal this is."""
    return {"version": __version__}


def check(ask: Ask, telling: Telling) -> dict[str, Any]:
    """Say what would be read."""
    telling("reading")
    return {"said": read_in_words(*_asked(ask))}


def calibrate(ask: Ask, telling: Telling) -> dict[str, Any]:
    """Calibrate, and write the result sheets to the file "target"."""
    from panelcal.files.write import report_bytes

    file = Path(ask["file"])
    source, choices = _asked(ask)
    own = own_sheets(file)
    given = GivenSheets(source, carried=True, earlier=earlier_sheets(source, own))
    done = run_in_place(given, choices, telling)
    telling("writing")
    made = bare_copy(file)
    for one in done.runs.values():
        made = FileBytes(file.name, report_bytes(one.report, workbook=made)[0])
    Path(ask["target"]).write_bytes(made.read_bytes())
    ours = {name.casefold() for name in own}
    return {
        "sheets": [sheet.name for one in done.runs.values() for sheet in one.report.sheets],
        "said": list(done.sentences),
        "read": understood_lines(done.only.reading),
        "outdated": [
            {"sheet": name, "row": note.row, "column": note.column, "text": note.text}
            for name, note in done.outdated.items()
            if name.casefold() in ours
        ],
    }


def settings(ask: Ask, telling: Telling) -> dict[str, Any]:
    """Write the sheet Settings with every default to the file "target"."""
    from panelcal.files.write import report_bytes
    from panelcal.reporting.settings_form import settings_form

    form: Sheet = settings_form()
    report = Report((form,), run_id="", footer="", created=run_moment())
    Path(ask["target"]).write_bytes(report_bytes(report, workbook=bare_copy(Path(ask["file"])))[0])
    return {"sheets": [SETTINGS_SHEET]}


def earlier_biases(ask: Ask, telling: Telling) -> dict[str, Any]:
    """Write the sheet Prior, from the result "earlier" called "origin", to the file "target"."""
    from panelcal.files.write import report_bytes
    from panelcal.reading.prior import prior_grid
    from panelcal.reporting.given_sheets import prior_added, prior_sheet

    telling("reading the earlier result")
    result = dataclasses.replace(load_source(Path(ask["earlier"])), name=ask["origin"], kind="open workbook")
    sheet = prior_sheet(prior_grid(result))
    report = Report((sheet,), run_id="", footer="", created=run_moment())
    Path(ask["target"]).write_bytes(report_bytes(report, workbook=bare_copy(Path(ask["file"])))[0])
    return {"sheets": [sheet.name], "said": prior_added(sheet, ask["origin"])}


def explain(ask: Ask, telling: Telling) -> dict[str, Any]:
    """Say why the value of the object at a cell ("sheet", "row" and "column" from 1) is what it is."""
    from panelcal.reporting.explained_value import HEADING_ROW, as_label, explained, values_to_explain

    source = _opened(ask)
    row, column = int(ask["row"]), int(ask["column"])
    name = values_to_explain(own_sheets(Path(ask["file"])), ask["sheet"])
    values, here = source.grid(name), source.grid(ask["sheet"])
    labels = [
        tuple(as_label(value, here.number_formats.get((i, j), "")) for j, value in enumerate(cells, 1))
        for i, cells in enumerate(here.rows if here is not None else (), 1)
        if here is not None
    ]
    table = values.rows[HEADING_ROW - 1 :] if values is not None else ()
    return {"said": explained(name, table, labels, (row - 1, column - 1), address(row, column))}


def template(ask: Ask, telling: Telling) -> dict[str, Any]:
    """Copy a ready-made workbook into the user's documents, and say where it is."""
    from panelcal.excel.new_template import copy_template

    return {"file": str(copy_template(ask["name"]))}


def templates(ask: Ask, telling: Telling) -> dict[str, Any]:
    """Name the ready-made workbooks."""
    return {"names": list(TEMPLATE_NAMES)}


def cells(ask: Ask, telling: Telling) -> dict[str, Any]:
    """Compute a function in a cell; its arguments are blocks of values, None for one that was left out."""
    from panelcal.office.cell_functions import FUNCTIONS

    try:
        return {"rows": FUNCTIONS[ask["name"]].compute(ask["arguments"])}
    except PanelcalError as problem:
        return {"rows": [[str(problem)]]}


def _opened(ask: Ask) -> Source:
    """Load the copy of the document, under the document's own name."""
    return dataclasses.replace(load_source(Path(ask["file"])), name=ask["title"], kind="open workbook")


def _asked(ask: Ask) -> tuple[Source, Choices]:
    """Load the document, or the block "selected" of one of its sheets, and what was chosen for it."""
    source, choices = _opened(ask), choices_from(ask)
    selected = ask.get("selected")
    if selected is None:
        return source, choices
    from panelcal.excel.calibrate_sheet import require_names

    name, place = selected["sheet"], selected["block"]
    grids = tuple(_block(grid, *place) if grid.sheet == name else grid for grid in source.grids)
    source = dataclasses.replace(source, grids=grids, notes=(*source.notes, ONLY_SELECTED))
    require_names(source.grid(name))
    return source, dataclasses.replace(choices, sheet=name)


def _block(grid: Grid, first_row: int, first_column: int, last_row: int, last_column: int) -> Grid:
    """Return a sheet of which only a block is filled (rows and columns from 1)."""
    kept = range(first_column - 1, min(last_column, grid.n_columns))
    rows = tuple(
        tuple(value if column in kept and number >= first_row else None for column, value in enumerate(row))
        for number, row in enumerate(grid.rows[:last_row], 1)
    )

    def inside(place: tuple[int, int]) -> bool:
        return first_row <= place[0] <= last_row and first_column <= place[1] <= last_column

    formats = {place: text for place, text in grid.number_formats.items() if inside(place)}
    formulas = {place: text for place, text in grid.formulas.items() if inside(place)}
    return dataclasses.replace(grid, rows=rows, number_formats=formats, formulas=formulas)


DEEDS: Mapping[str, Callable[[Ask, Telling], dict[str, Any]]] = {
    "hello": hello,
    "check": check,
    "calibrate": calibrate,
    "settings": settings,
    "earlier_biases": earlier_biases,
    "explain": explain,
    "template": template,
    "templates": templates,
    "cells": cells,
}
"""What may be asked for."""
