"""The sheet "Settings" with every default filled in, as data, for a workbook that has none yet."""

from __future__ import annotations

from panelcal.reading.settings import (
    BAND_EXPLANATION,
    BAND_HEADINGS,
    CODE_EXPLANATION,
    CODE_HEADINGS,
    DEFAULT_CODES,
    SETTING_HEADING_ROW,
    SETTING_HEADINGS,
    SETTING_ROWS,
    SETTINGS_EXPLANATION,
    SETTINGS_SHEET,
    SETTINGS_TITLE,
)
from panelcal.reporting.model import Column, Note, Sheet, Table

_BAND_ROWS, _SPARE_CODES = 8, 6
_WIDTHS = (46.0, 20.0, 100.0)


def settings_form() -> Sheet:
    """Build the sheet; `reading.settings_sheet` reads it back as the defaults."""
    rows = Table(
        (
            Column(SETTING_HEADINGS[0], [row.label for row in SETTING_ROWS], "text", _WIDTHS[0]),
            Column(SETTING_HEADINGS[1], [row.default for row in SETTING_ROWS], "input", _WIDTHS[1]),
            Column(SETTING_HEADINGS[2], [row.explanation for row in SETTING_ROWS], "wrapped", _WIDTHS[2]),
        ),
        row=SETTING_HEADING_ROW,
        name="settings",
    )
    bands = _pairs(BAND_HEADINGS, [(None, None)] * _BAND_ROWS, rows.last_row + 3, "bands")
    treatments: list[tuple[str | None, str | None]] = [*DEFAULT_CODES.items()]
    codes = _pairs(CODE_HEADINGS, treatments + [(None, None)] * _SPARE_CODES, bands.last_row + 3, "codes")
    return Sheet(
        name=SETTINGS_SHEET,
        title=SETTINGS_TITLE,
        explanation=SETTINGS_EXPLANATION,
        tables=(rows, bands, codes),
        notes=(
            Note(row=bands.row, column=3, text=BAND_EXPLANATION, style="small"),
            Note(row=codes.row, column=3, text=CODE_EXPLANATION, style="small"),
        ),
        frozen=(SETTING_HEADING_ROW + 1, 1),
    )


def _pairs(headings: tuple[str, str], pairs: list[tuple[str | None, str | None]], row: int, name: str) -> Table:
    return Table(
        tuple(Column(heading, [pair[k] for pair in pairs], "input", _WIDTHS[k]) for k, heading in enumerate(headings)),
        row=row,
        name=name,
    )
