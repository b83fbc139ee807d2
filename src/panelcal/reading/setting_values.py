"""What may stand beside a setting, and what it means."""

from __future__ import annotations

import re
from typing import Any

from panelcal.reading.cell_values import Kind, kind_of, label_text
from panelcal.reading.setting_rows import SettingRow
from panelcal.reading.settings import ALL_METHODS, METHOD_NAMES

_OR_BLANK = ", or leave it blank for the default"


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
    text = label_text(value)
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


def allowed(row: SettingRow) -> str:
    """Say what may stand in the cell of a setting."""
    if row.kind == "choice":
        *first, last = row.choices
        return f"{', '.join(first)} or {last}" + _OR_BLANK
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
