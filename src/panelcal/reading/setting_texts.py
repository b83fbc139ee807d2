"""What may stand beside a setting, and settings spelt in one line and read back: "Judge*; Chair", "A+=12, A=11"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping
from typing import Any

from panelcal.reading.cell_values import Kind, kind_of, label_text, number_in
from panelcal.reading.grid import place_of
from panelcal.reading.patterns import near_miss
from panelcal.reading.setting_rows import SETTING_ROWS, SHEET_ROWS, SettingRow
from panelcal.reading.settings import ALL_METHODS, CODE_TREATMENTS, EACH, METHOD_NAMES, TOGETHER, Settings

ROWS = {row.field_name: row for row in (*SETTING_ROWS, *SHEET_ROWS)}
"""Field of `Settings` -> its row on the sheet Settings."""
TABLE_NAMES: Mapping[str, str] = {"codes": "Codes", "grades": "Grades", "criteria": "Criteria", "same": "Same names"}
"""Settings about reading that map words, with what they are called in one line."""
LINES: Mapping[str, str] = {**TABLE_NAMES, "rating_words": "Rating words", "feature_weights": "Features"}
"""Settings that map words: one row of the sheet with this label and "A=3, B=2" beside it; most are tables there too."""
NAMED_BY = ("file", "sheet")
"""What may name the assessors, where each has a file or sheet; or the address of a cell."""
_FORMULA_SIGNS = ("=", "+", "-", "@")
_ABOUT_READING = (
    *("layout", "object_column", "assessor_column", "score_column", "confidence_column", "scores", "include"),
    *(
        "exclude",
        "names",
        "hidden",
        "repeated",
        "several_in_cell",
        "blank_names",
        "merged_cells",
        "lone_comma",
        "common",
        "common_ranked",
        "different_maxima",
        "further_tables",
        *TABLE_NAMES,
    ),
)

_OR_BLANK = ", or leave it blank for the default"


def text_of(name: str, value: Any) -> str:
    """Spell the value of a setting."""
    if name == "same":
        return "; ".join(f"{one}={other}" for one, other in value.items())
    if isinstance(value, Mapping):
        alone = (TOGETHER, EACH)
        return ", ".join(key if key in alone else f"{key}={number_text(number)}" for key, number in value.items())
    if isinstance(value, tuple):
        return "; ".join(value)
    if name in ROWS:
        value = next((shown for shown, meant in ROWS[name].choices.items() if meant == value), value)
    return number_text(value)


def value_in(name: str, texts: Iterable[str]) -> Any:
    """Read the value of a setting back from one text or several.

    Raises
    ------
    ValueError
        If it is not a value of that setting; the text says what would be one.
    """
    texts = list(texts)
    if name == "codes":
        return _codes(texts)
    if name == "same":
        return _names(texts)
    if name in LINES:
        return _numbers(texts, plain=1.0 if name in ("criteria", "feature_weights") else None)
    row = ROWS[name]
    if row.kind == "patterns":
        return tuple(dict.fromkeys(pattern for text in texts for pattern in meaning(row, text)[1] or ()))
    accepted, value = meaning(row, texts[-1])
    if not accepted:
        raise ValueError(f"{texts[-1]!r} is not what it takes: write {allowed(row)}.{hint_at(row, texts[-1])}")
    return value


def texts_about_reading(settings: Settings) -> dict[str, str]:
    """Spell every setting about reading that differs from its default, by its label."""
    defaults = Settings()
    return {
        label_of(name): text_of(name, getattr(settings, name))
        for name in _ABOUT_READING
        if getattr(settings, name) != getattr(defaults, name)
    }


def settings_in(texts: Mapping[str, str]) -> dict[str, Any]:
    """Read back what `texts_about_reading` spelt, passing over every other label."""
    fields = {label_of(name): name for name in _ABOUT_READING}
    return {fields[label]: value_in(fields[label], [text]) for label, text in texts.items() if label in fields}


def label_of(name: str) -> str:
    """Return what a setting is called on the sheet."""
    return LINES[name] if name in LINES else ROWS[name].label


def as_typed(text: str) -> str:
    """Spell a text as it is typed into a cell: with an apostrophe before what would be taken for a formula."""
    return f"'{text}" if text.startswith(_FORMULA_SIGNS) else text


def number_text(value: Any) -> str:
    """Spell a number shortly, and anything else as it is."""
    return f"{value:.15g}" if isinstance(value, float) else "" if value is None else str(value)


def _pairs(texts: Iterable[str]) -> list[tuple[str, str]]:
    """Cut "A=2,B=1" into pairs; a text with a single = is one pair, whatever commas its name has."""
    pairs = []
    for text in texts:
        parts = [text] if text.count("=") == 1 else [part for part in re.split("[,;]", text) if part.strip()]
        for part in parts:
            name, _, value = part.rpartition("=") if "=" in part else (part, "", "")
            pairs.append((name.strip(), value.strip()))
    return pairs


def _numbers(texts: Iterable[str], *, plain: float | None) -> dict[str, float]:
    found: dict[str, float] = {}
    for name, value in _pairs(texts):
        number = plain if not value else number_in(value)
        if not name or number is None or name.casefold() in {known.casefold() for known in found}:
            raise ValueError(
                f'{name or value!r} is not clear: give each once with its number, as in "First=2,Second=1".'
            )
        found[name] = number
    return found


def _names(texts: Iterable[str]) -> dict[str, str]:
    """Read "ann lee=Ann Lee; B. Roy=Bob Roy"; commas belong to the names."""
    found = {}
    for part in (part for text in texts for part in re.split(r"[;\n]", text) if part.strip()):
        name, _, other = (one.strip() for one in part.partition("="))
        if not name or not other or name == other:
            raise ValueError(f'{part.strip()!r} is not clear: give two names as in "ann lee=Ann Lee".')
        found[name] = other
    return found


def _codes(texts: Iterable[str]) -> dict[str, str]:
    found = {}
    for code, treatment in _pairs(texts):
        if not code or treatment.casefold() not in CODE_TREATMENTS:
            close = near_miss(treatment, CODE_TREATMENTS)
            hint = f" Did you mean {code}={close}?" if close else ""
            raise ValueError(f'{code!r} needs exclude, zero or stop after it, as in "late=exclude".{hint}')
        found[code] = treatment.casefold()
    return found


def meaning(row: SettingRow, value: Any) -> tuple[bool, Any]:
    """Tell whether a value is allowed, and what it means."""
    if row.kind == "number":
        kind, number = kind_of(value)
        allowed = (
            kind in (Kind.NUMBER, Kind.TEXT_NUMBER, Kind.PERCENT_TEXT)
            and (row.lowest is None or number >= row.lowest)
            and (row.highest is None or number <= row.highest)
        )
        return allowed, number
    if not isinstance(value, str | int | float) or isinstance(value, bool):
        return False, None
    text = label_text(value).removeprefix("'")
    if row.field_name == "names":
        return text.casefold() in NAMED_BY or place_of(text) is not None, text
    if row.kind in ("text", "heading"):
        return True, text
    if row.kind == "methods":
        names = _method_names(text)
        return bool(names), names
    if row.kind == "patterns":
        patterns = tuple(part.strip() for part in re.split(r"[;\n]", text) if part.strip())
        return bool(patterns), patterns
    for choice, meant in row.choices.items():
        if text.casefold() in (choice.casefold(), str(meant).casefold()):
            return True, meant
    return False, None


def _method_names(text: str) -> tuple[str, ...]:
    """Return the methods named, in the order of `METHOD_NAMES`; none if one of the names is unknown."""
    wanted = {re.sub(r"[\s-]+", "_", name.strip()) for name in re.split("[,;]", text.casefold()) if name.strip()}
    if wanted == {ALL_METHODS}:
        return METHOD_NAMES
    return tuple(name for name in METHOD_NAMES if name in wanted) if wanted <= set(METHOD_NAMES) else ()


def hint_at(row: SettingRow, text: str) -> str:
    """Spell the nearest value that a setting takes: " Did you mean list?", or "" where none is near."""
    known = METHOD_NAMES if row.kind == "methods" else NAMED_BY if row.field_name == "names" else tuple(row.choices)
    words = re.split("[,;]", text) if row.kind == "methods" else [text]
    near = [near_miss(word.strip().replace(" ", "_" if row.kind == "methods" else " "), known) for word in words]
    return f" Did you mean {', '.join(near)}?" if known and all(near) else ""


def allowed(row: SettingRow) -> str:
    """Say what may stand in the cell of a setting."""
    if row.kind == "choice":
        *first, last = row.choices
        return f"{', '.join(first)} or {last}" + _OR_BLANK
    if row.field_name == "names":
        return f"{' or '.join(NAMED_BY)}, or the cell with the name, such as B2" + _OR_BLANK
    if row.kind == "text":
        return "a word" + _OR_BLANK
    if row.kind == "heading":
        return "the heading of a column" + _OR_BLANK
    if row.kind == "patterns":
        return "headings with semicolons between" + _OR_BLANK
    if row.kind == "methods":
        return f"all, or names from {', '.join(METHOD_NAMES)} with commas between" + _OR_BLANK
    if row.lowest is not None and row.highest is not None:
        return f"a number from {row.lowest:g} to {row.highest:g}" + _OR_BLANK
    return ("a number" if row.lowest is None else f"a number of at least {row.lowest:g}") + _OR_BLANK
