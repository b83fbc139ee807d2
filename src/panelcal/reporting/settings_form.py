"""The sheet "Settings" as data, for a workbook that has none yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from panelcal.reading.grid import Grid
from panelcal.reading.policy_rules import POLICY_EXPLANATION, POLICY_HEADINGS, POLICY_LABELS
from panelcal.reading.setting_rows import SETTING_ROWS, SettingRow
from panelcal.reading.setting_texts import label_of, text_of
from panelcal.reading.settings import (
    BAND_EXPLANATION,
    BAND_HEADINGS,
    CODE_EXPLANATION,
    CODE_HEADINGS,
    CODE_TREATMENTS,
    CRITERION_EXPLANATION,
    CRITERION_HEADINGS,
    FEATURE_EXPLANATION,
    FEATURE_HEADINGS,
    GRADE_EXPLANATION,
    GRADE_HEADINGS,
    SETTING_HEADING_ROW,
    SETTING_HEADINGS,
    SETTINGS_EXPLANATION,
    SETTINGS_SHEET,
    SETTINGS_TITLE,
    WORD_EXPLANATION,
    WORD_HEADINGS,
    Settings,
)
from panelcal.reporting.model import CellRange, Column, Note, Sheet, Table
from panelcal.reporting.paper import whole_on_pages
from panelcal.reporting.text_size import wrapped_lines

_DEFAULTS = Settings()
_WIDTHS = (42.0, 20.0, 104.0)
_SET_IN = 16.0  # of the words beside a table, whose column may become a little narrower

_FURTHER = ("sheet", "confidence_sheet", "same")
"""Settings that stand on the sheet only where they were chosen."""

Pairs = Sequence[tuple[str | None, str | float | None]]

ROOM: Mapping[str, int] = MappingProxyType(
    {"bands": 8, "codes": 6, "features": 6, "rating words": 6, "criteria": 6, "grades": 6, "policy": 0}
)
"""Name of each table below the settings -> how many blank rows it ends with."""


def settings_form(
    settings: Settings = _DEFAULTS, *, room: Mapping[str, int] = ROOM, gap: int = 3, policy: Pairs | None = None
) -> Sheet:
    """Build the sheet; `reading.settings_sheet` reads the same settings back from it.

    Parameters
    ----------
    settings
        What it shows.
    room
        Which tables stand below the settings, in order, and how many blank rows each ends with.
    gap
        How many rows below the last row of a table the next one has its headings.
    policy
        The table of rules as it is to stand there; None = as the settings say.
    """
    rows = Table(
        (
            Column(SETTING_HEADINGS[0], [row.label for row in SETTING_ROWS], "text", _WIDTHS[0]),
            Column(
                SETTING_HEADINGS[1],
                [_shown(row, settings) for row in SETTING_ROWS],
                "input",
                _WIDTHS[1],
                choices=[tuple(row.choices) for row in SETTING_ROWS],
            ),
            Column(SETTING_HEADINGS[2], [row.explanation for row in SETTING_ROWS], "wrapped", _WIDTHS[2]),
        ),
        row=SETTING_HEADING_ROW,
        name="settings",
    )
    known: Mapping[str, tuple[tuple[str, str], str, Pairs]] = {
        "bands": (BAND_HEADINGS, BAND_EXPLANATION, [(band.name, band.lowest) for band in settings.bands]),
        "codes": (CODE_HEADINGS, CODE_EXPLANATION, [*settings.codes.items()]),
        "features": (FEATURE_HEADINGS, FEATURE_EXPLANATION, [*settings.feature_weights.items()]),
        "rating words": (WORD_HEADINGS, WORD_EXPLANATION, [*settings.rating_words.items()]),
        "criteria": (CRITERION_HEADINGS, CRITERION_EXPLANATION, [*settings.criteria.items()]),
        "grades": (GRADE_HEADINGS, GRADE_EXPLANATION, [*settings.grades.items()]),
        "policy": (POLICY_HEADINGS, POLICY_EXPLANATION, _policy_rows(settings) if policy is None else policy),
    }
    tables, notes = [rows], []
    for name, spare in room.items():
        headings, explanation, pairs = known[name]
        tables.append(_pairs(headings, [*pairs, *[(None, None)] * spare], tables[-1].last_row + gap, name))
        lines = wrapped_lines(explanation, _WIDTHS[2] - _SET_IN)
        notes.append(Note(row=tables[-1].row, column=3, text=explanation, style="small", down=lines))
    further = [(label_of(name), text_of(name, getattr(settings, name))) for name in _FURTHER if getattr(settings, name)]
    if further:
        tables.append(_pairs(SETTING_HEADINGS[:2], further, tables[-1].last_row + gap, "further settings"))
    form = Sheet(
        name=SETTINGS_SHEET,
        title=SETTINGS_TITLE,
        explanation=SETTINGS_EXPLANATION,
        tables=tuple(tables),
        notes=tuple(notes),
        frozen=(SETTING_HEADING_ROW + 1, 1),
        kept=True,
    )
    return replace(form, printed=_filled_in(form), repeated=SETTING_HEADING_ROW)


def _filled_in(form: Sheet) -> tuple[CellRange, ...]:
    """Divide the sheet into pages that cut no list; lists at its end in which nothing stands are not printed."""
    filled = [table for table in form.tables if any(cell is not None for cell in table.columns[1].cells)]
    shown = form.tables[: form.tables.index(filled[-1]) + 1]
    notes = tuple(note for note in form.notes if note.row <= shown[-1].last_row)
    return whole_on_pages(replace(form, tables=shown, notes=notes), len(_WIDTHS))


def cells_of(form: Sheet) -> Grid:
    """Return the cells of the sheet as a later run reads them: title, explanation and tables."""
    cells: dict[tuple[int, int], Any] = {(1, 1): form.title, (2, 1): form.explanation}
    for table in form.tables:
        for j, column in enumerate(table.columns, table.column):
            cells[table.row, j] = column.heading
            cells |= {(i, j): value for i, value in enumerate(column.cells, table.row + 1)}
    last, width = (max(place[k] for place in cells) for k in (0, 1))
    rows = tuple(tuple(cells.get((i, j)) for j in range(1, width + 1)) for i in range(1, last + 1))
    return Grid(form.name, rows)


def _policy_rows(settings: Settings) -> Pairs:
    """Return the rules chosen, or every rule without a limit, which is not asked for; a person is left to be added."""
    if not settings.policy:
        return [(label, None) for label in POLICY_LABELS[:-1]]
    return [(rule.label, "yes" if rule.limit is True else rule.limit) for rule in settings.policy]


def _shown(row: SettingRow, settings: Settings) -> Any:
    """What column B shows for a setting: blank where it has no default and none was chosen."""
    value = getattr(settings, row.field_name)
    if row.field_name == "higher_is_better" and settings.direction_given:
        return next(text for text, meant in row.choices.items() if meant == value)
    if value == getattr(_DEFAULTS, row.field_name):
        return row.default
    if row.kind in ("patterns", "methods"):
        return ("; " if row.kind == "patterns" else ", ").join(value)
    return next((text for text, meant in row.choices.items() if meant == value), value)


def _pairs(headings: tuple[str, str], pairs: Pairs, row: int, name: str) -> Table:
    first, second = ([pair[k] for pair in pairs] for k in (0, 1))
    choices = [CODE_TREATMENTS] * len(pairs) if name == "codes" else ()
    return Table(
        (
            Column(headings[0], first, "input", _WIDTHS[0]),
            Column(headings[1], second, "input", _WIDTHS[1], choices=choices),
        ),
        row=row,
        name=name,
    )
