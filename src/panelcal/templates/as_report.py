"""A template as the sheets of a Report, for the writer of results: "Start here", sheets to fill in, "Settings"."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from panelcal.reading.setting_rows import SETTING_ROWS, SettingRow
from panelcal.reading.settings import CODE_TREATMENTS
from panelcal.reporting.forms import EntryCheck, Form, Name
from panelcal.reporting.model import CellValue, Column, Report, Sheet, Style, Table
from panelcal.reporting.settings_form import settings_form
from panelcal.reporting.text_size import wrapped_lines
from panelcal.templates.template import (
    CODES_NAME,
    HEADING_ROW,
    HIGHEST_NAME,
    LOWEST_NAME,
    InputSheet,
    Template,
)

CREATED = "2026-01-05T09:00:00"
"""Date in the properties of every template: fixed, so that the same version builds the same bytes."""

TITLE_HEIGHT = (1, 24.0)
_START_SHEET = "Start here"
_NAMED_CELLS = {"scale_low": LOWEST_NAME, "scale_high": HIGHEST_NAME}
_POINTS_PER_LINE, _INDENT = 15.0, 1.3
_AIR = 2.0  # points more, so that no letter touches the rule above
_START_WIDTHS = (5.0, 24.0, 104.0)
_MOST_UPRIGHT, _MOST_ACROSS = 114.5, 168.5  # characters of columns on A4 in letters of 9 points
_BAND_ROWS, _SPARE_CODES, _FEATURE_ROWS, _WORD_ROWS = 8, 6, 6, 11
_TEXT_RULES = {
    "text": (30, "One short word, at most 30 letters."),
    "methods": (255, "Names of methods with commas between, or all."),
    "heading": (255, "A heading as it stands on the sheet with the scores."),
    "patterns": (255, "Headings with semicolons between; * stands for any letters."),
}


def as_report(template: Template) -> Report:
    """Lay a template out."""
    settings, names = _settings_sheet(template)
    return Report(
        sheets=(_start_sheet(template), *map(_input_sheet, template.sheets), settings),
        run_id="",
        footer=template.footer,
        created=CREATED,
        title=template.title,
        description=template.description,
        names=names,
    )


def block_without_headings(row: int, columns: Sequence[tuple[Style, Sequence[CellValue]]]) -> Table:
    """Return a table of nothing but cells, the first of them in column A of a row."""
    return Table(tuple(Column("", cells, style) for style, cells in columns), row=row - 1, headings="none")


def _start_sheet(template: Template) -> Sheet:
    """Lay out "Start here": numbered lines of (topic, text), below a notice where there is one."""
    width, tables, heights, row = _START_WIDTHS[2], [], [TITLE_HEIGHT], 4
    if template.notice:
        cells = (None, "Made-up data", template.notice)
        tables.append(block_without_headings(row, [("notice", [cell]) for cell in cells]))
        heights.append((row, _height(template.notice, width, bold=True)))
        row += 2
    topics, texts = zip(*template.lines, strict=True)
    numbers = range(1, len(texts) + 1)
    tables.append(block_without_headings(row, [("counted", numbers), ("text", topics), ("wrapped", texts)]))
    heights += [(row + at, _height(text, width) + 5.0) for at, text in enumerate(texts)]
    return Sheet(
        _START_SHEET,
        *template.start,
        tables=tuple(tables),
        frozen=None,
        column_widths=tuple(enumerate(_START_WIDTHS, 1)),
        kept=True,
        form=Form(heights=tuple(heights), grid=False, pages_down=1),
    )


def _height(text: str, width: float, *, bold: bool = False) -> float:
    """Row height for a wrapped text; set, because programs do not agree on when to fit a row by themselves."""
    return _POINTS_PER_LINE * wrapped_lines(text, width - _INDENT, bold=bold) + 1.0


def _input_sheet(plan: InputSheet) -> Sheet:
    """Lay out a sheet to fill in: headings above shaded cells, in which a filled example has its rows."""
    columns = range(len(plan.headings))
    styles: list[Style] = ["input label" if k < plan.labels else "input" for k in columns]
    rows = list(plan.filled)
    cells = [[row[k] if k < len(row) else None for row in rows] + [None] * (plan.rows - len(rows)) for k in columns]
    main = Table(
        tuple(
            Column(heading or "", values, style)
            for heading, values, style in zip(plan.headings, cells, styles, strict=True)
        ),
        row=HEADING_ROW,
        headings="upright" if plan.turned else "level",
    )
    above: list[tuple[Style, Sequence[CellValue]]] = [
        ("label" if k < plan.labels or k in plan.above_labels else "input", [cell]) for k, cell in enumerate(plan.above)
    ]
    widths = tuple((k + 1, plan.widths[min(k, len(plan.widths) - 1)]) for k in columns)
    upright, pages = _paper(sum(width for _, width in widths))
    return Sheet(
        plan.name,
        plan.title,
        plan.explanation,
        tables=(*([block_without_headings(HEADING_ROW - 1, above)] if above else []), main),
        frozen=plan.frozen,
        column_widths=widths,
        portrait=upright,
        kept=True,
        form=Form(
            checks=tuple(plan.checks),
            heights=(TITLE_HEIGHT, (HEADING_ROW, plan.turned or 20.0)),
            title_rows=f"{HEADING_ROW}:{HEADING_ROW}",
            title_columns="A:A" if pages > 1 else "",
            pages_across=pages,
        ),
    )


def _paper(across: float) -> tuple[bool, int]:
    """Choose whether paper is upright, and on how many pages side by side letters have 9 points."""
    if across <= _MOST_UPRIGHT:
        return True, 1
    return (False, 1) if across <= _MOST_ACROSS else (True, 2)


def _settings_sheet(template: Template) -> tuple[Sheet, tuple[Name, ...]]:
    """Lay out "Settings", each value checked as it is typed, and name the scale and the codes for other checks."""
    settings = template.settings
    room = {"bands": _BAND_ROWS - len(settings.bands), "codes": _SPARE_CODES}
    if settings.feature_weights:
        room |= {"features": _FEATURE_ROWS - len(settings.feature_weights), "rating words": _WORD_ROWS}
    room |= {name: _FEATURE_ROWS for name in ("criteria", "grades") if getattr(settings, name)}
    if template.policy:
        room["policy"] = 0
    form = settings_form(settings, room=room, gap=2, policy=template.policy)
    main, *pairs = form.tables
    texts, width = main.columns[2].cells, main.columns[2].width
    checks, names, heights = [], [], [TITLE_HEIGHT]
    for row, (setting, text) in enumerate(zip(SETTING_ROWS, texts, strict=True), main.row + 1):
        heights.append((row, _height(str(text), width) + _AIR))
        checks.append(_setting_check(setting, f"B{row}"))
        if setting.field_name in _NAMED_CELLS:
            names.append(Name(_NAMED_CELLS[setting.field_name], f"{form.name}!$B${row}"))
    for table, note in zip(pairs, form.notes, strict=True):
        heights.append((table.row, _height(note.text, width)))
        checks += _pair_checks(table)
        if table.name == "codes":
            names.append(Name(CODES_NAME, f"{form.name}!$A${table.row + 1}:$A${table.last_row}"))
    labels, values, explanations = main.columns
    beside = (replace(labels, style="row label"), values, replace(explanations, style="row text"))
    shown = replace(
        form,
        tables=(
            replace(main, columns=beside),
            *map(_with_labels, pairs),
        ),
        notes=tuple(replace(note, style="plain", down=1) for note in form.notes),
        column_widths=tuple((k, column.width) for k, column in enumerate(main.columns, 1)),
        printed=(),
        form=Form(tuple(checks), tuple(heights), title_rows=f"{main.row}:{main.row}"),
    )
    return shown, tuple(names)


def _with_labels(table: Table) -> Table:
    first, *others = table.columns
    return replace(table, columns=(replace(first, style="input label"), *others))


def _setting_check(setting: SettingRow, cell: str) -> EntryCheck:
    if setting.kind == "choice":
        return EntryCheck(cell, setting.label, choices=tuple(setting.choices))
    if setting.kind in _TEXT_RULES:
        longest, message = _TEXT_RULES[setting.kind]
        return EntryCheck(cell, setting.label, message, longest=longest)
    low, high = setting.lowest, setting.highest
    if high is not None:
        asked = f"from {-1e9 if low is None else low:g} to {high:g}, "
    else:
        asked = "" if low is None else f"of {low:g} or more, "
    message = f"Give a number {asked}or leave the cell blank." if asked else "Give a number, or leave the cell blank."
    return EntryCheck(
        cell, setting.label, message, between=(-1e9 if low is None else low, 1e9 if high is None else high)
    )


def _pair_checks(table: Table) -> tuple[EntryCheck, ...]:
    """Return what is asked of the second column of a table below the settings."""
    first, block = table.row + 1, f"B{table.row + 1}:B{table.last_row}"
    if table.name == "bands":
        return (EntryCheck(block, "Where the class begins", "Give a number, as in 70.", f"ISNUMBER(B{first})"),)
    if table.name == "codes":
        return (EntryCheck(block, "What a code means", choices=CODE_TREATMENTS),)
    if table.name == "policy":
        return ()
    amount = f"AND(ISNUMBER(B{first}),B{first}>=0)"
    return (EntryCheck(block, table.columns[1].heading, "Give a number, 0 or more.", amount),)
