"""Two spreadsheet engines that know LET and LAMBDA, neither of them ours, as judges of the formulas.

`formulon` evaluates the formulas unchanged. `ironcalc` differs from Excel in one thing: its IS... functions look at a
range as a whole, so there each becomes a MAP over the cells.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Mapping, Sequence
from importlib.util import find_spec
from typing import Any

import numpy as np
import pytest

from panelcal.files.formula_source import read_formulas

Cells = Sequence[Sequence[Any]]
REQUIRED = os.environ.get("PANELCAL_REQUIRE_FORMULAS") == "1"
SOURCES: Mapping[str, str] = {formula.name: formula.one_line for formula in read_formulas()}


def need_engine(name: str) -> None:
    """Skip the calling test without the engine, or fail it where PANELCAL_REQUIRE_FORMULAS=1 asks for it."""
    if find_spec(name) is None:
        reason = f"the spreadsheet engine {name} is not installed (pip install 'panelcal[formulas]')"
        if REQUIRED:
            pytest.fail(f"{reason}, and PANELCAL_REQUIRE_FORMULAS=1")
        pytest.skip(reason)


def formulon(scores: Cells, confidences: Cells, *expressions: str, sources: Mapping[str, str] = SOURCES) -> list[Any]:
    """Evaluate expressions beside the sheets Scores and Conf; each gives the rows it spills, blanks as None."""
    from formulon import Workbook

    with Workbook.create_default() as book:
        book.rename_sheet(0, "Scores")
        book.add_sheet("Conf")
        book.add_sheet("Out")
        for name, formula in sources.items():
            book.set_defined_name(name, f"={formula}")
        for sheet, cells in enumerate((scores, confidences)):
            for row, line in enumerate(cells):
                for column, value in enumerate(line):
                    if isinstance(value, bool):
                        book.set_bool(sheet, row, column, value)
                    elif isinstance(value, str) and value.startswith("="):
                        book.set_formula(sheet, row, column, value)
                    elif isinstance(value, str):
                        book.set_text(sheet, row, column, value)
                    elif _is_there(value):
                        book.set_number(sheet, row, column, float(value))
        book.recalc()
        return [
            [[value.to_python() for value in line] for line in book.evaluate_formula_array(2, 0, 0, f"={expression}")]
            for expression in expressions
        ]


def ironcalc(scores: Cells, confidences: Cells, *expressions: str, sources: Mapping[str, str] = SOURCES) -> list[Any]:
    """Do the same in ironcalc, with the one substitution; a spill ends where its cells do."""
    import ironcalc

    model = ironcalc.create("panel", "en", "UTC", "en")
    model.rename_sheet(0, "Scores")
    for sheet in ("Conf", *(f"Out{k}" for k in range(len(expressions)))):
        model.new_sheet()
        model.rename_sheet(len(model.get_worksheets_properties()) - 1, sheet)
    for name, formula in sources.items():
        model.new_defined_name(name, None, cell_by_cell(formula))
    for sheet, cells in enumerate((scores, confidences)):
        for row, line in enumerate(cells, start=1):
            for column, value in enumerate(line, start=1):
                if isinstance(value, bool) or (isinstance(value, str) and value.startswith("=")):
                    model.set_user_input(sheet, row, column, str(value))
                elif isinstance(value, str):
                    model.update_cell_with_text(sheet, row, column, value)
                elif _is_there(value):
                    model.update_cell_with_number(sheet, row, column, float(value))
    for k, expression in enumerate(expressions):
        model.set_user_input(2 + k, 1, 1, f"={expression}")
    model.evaluate()
    found = []
    for sheet in range(2, 2 + len(expressions)):
        _, last_row, _, last_column = model.get_sheet_dimensions(sheet)
        found.append(
            [
                [model.get_cell_value(sheet, row, column) for column in range(1, last_column + 1)]
                for row in range(1, last_row + 1)
            ]
        )
    return found


def cell_by_cell(formula: str) -> str:
    """Make the one substitution that ironcalc needs."""
    return re.sub(r"\b(ISNUMBER|ISTEXT|ISERROR|ISLOGICAL)\((\w+)\)", r"MAP(\2,LAMBDA(cell,\1(cell)))", formula)


ENGINES: Mapping[str, Callable[..., list[Any]]] = {"formulon": formulon, "ironcalc": ironcalc}


def _is_there(value: Any) -> bool:
    return value is not None and not (isinstance(value, float) and np.isnan(value))
