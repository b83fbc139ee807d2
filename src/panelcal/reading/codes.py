"""The codes that stand in score cells (ABS, EXT, ...) and what the settings say each of them means."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from panelcal.reading.cell_values import label_text
from panelcal.reading.settings import CodeTreatment

_DASHES = str.maketrans({"\u2012": "-", "\u2013": "-", "\u2014": "-", "\u2212": "-"})


def code_key(value: Any) -> str:
    """Spell a code so that capitals, spaces at the ends, full stops and kinds of dash do not matter."""
    text = label_text(value).translate(_DASHES).casefold()
    return text.replace(".", "").strip() or text


def grades_by_key(grades: Mapping[str, float]) -> dict[str, float]:
    """Make the table of grades ready for `code_key`."""
    return {code_key(grade): number for grade, number in grades.items()}


def treatments_by_key(codes: Mapping[str, CodeTreatment]) -> dict[str, CodeTreatment]:
    """Make the table of codes ready for `code_key`."""
    return {code_key(code): treatment for code, treatment in codes.items()}
