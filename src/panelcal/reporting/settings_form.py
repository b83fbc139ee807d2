"""The sheet "Settings" as data, for a workbook that has none yet."""

from __future__ import annotations

from typing import Any

from panelcal.reading.policy_rules import POLICY_EXPLANATION, POLICY_HEADINGS, POLICY_LABELS
from panelcal.reading.setting_rows import SETTING_ROWS, SettingRow
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
from panelcal.reporting.model import Column, Note, Sheet, Table

_BAND_ROWS, _SPARE_CODES, _SPARE_NAMES = 8, 6, 6
_DEFAULTS = Settings()
_WIDTHS = (46.0, 20.0, 100.0)


def settings_form(settings: Settings = _DEFAULTS) -> Sheet:
    """Build the sheet; `reading.settings_sheet` reads the same settings back from it."""
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
    classes: list[tuple[str | None, str | float | None]] = [(band.name, band.lowest) for band in settings.bands]
    bands = _pairs(BAND_HEADINGS, classes + [(None, None)] * _BAND_ROWS, rows.last_row + 3, "bands")
    treatments: list[tuple[str | None, str | float | None]] = [*settings.codes.items()]
    codes = _pairs(
        CODE_HEADINGS, treatments + [(None, None)] * _SPARE_CODES, bands.last_row + 3, "codes", CODE_TREATMENTS
    )
    spare: list[tuple[str | None, str | float | None]] = [(None, None)] * _SPARE_NAMES
    features = _pairs(FEATURE_HEADINGS, [*settings.feature_weights.items(), *spare], codes.last_row + 3, "features")
    words = _pairs(WORD_HEADINGS, [*settings.rating_words.items(), *spare], features.last_row + 3, "rating words")
    criteria = _pairs(CRITERION_HEADINGS, [*settings.criteria.items(), *spare], words.last_row + 3, "criteria")
    grades = _pairs(GRADE_HEADINGS, [*settings.grades.items(), *spare], criteria.last_row + 3, "grades")
    policy = _pairs(POLICY_HEADINGS, _policy_rows(settings), grades.last_row + 3, "policy")
    return Sheet(
        name=SETTINGS_SHEET,
        title=SETTINGS_TITLE,
        explanation=SETTINGS_EXPLANATION,
        tables=(rows, bands, codes, features, words, criteria, grades, policy),
        notes=(
            Note(row=bands.row, column=3, text=BAND_EXPLANATION, style="small"),
            Note(row=codes.row, column=3, text=CODE_EXPLANATION, style="small"),
            Note(row=features.row, column=3, text=FEATURE_EXPLANATION, style="small"),
            Note(row=words.row, column=3, text=WORD_EXPLANATION, style="small"),
            Note(row=criteria.row, column=3, text=CRITERION_EXPLANATION, style="small"),
            Note(row=grades.row, column=3, text=GRADE_EXPLANATION, style="small"),
            Note(row=policy.row, column=3, text=POLICY_EXPLANATION, style="small"),
        ),
        frozen=(SETTING_HEADING_ROW + 1, 1),
        kept=True,
    )


def _policy_rows(settings: Settings) -> list[tuple[str | None, str | float | None]]:
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


def _pairs(
    headings: tuple[str, str],
    pairs: list[tuple[str | None, str | float | None]],
    row: int,
    name: str,
    choices: tuple[str, ...] = (),
) -> Table:
    first, second = ([pair[k] for pair in pairs] for k in (0, 1))
    return Table(
        (
            Column(headings[0], first, "input", _WIDTHS[0]),
            Column(headings[1], second, "input", _WIDTHS[1], choices=[choices] * len(pairs) if choices else ()),
        ),
        row=row,
        name=name,
    )
