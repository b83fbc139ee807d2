"""What a cell of a report holds once a spreadsheet stores it, whichever writer puts it there."""

from __future__ import annotations

import math
import re

import numpy as np

from panelcal.reporting.model import CellValue

LAST_ROW = 1_048_576
_LONGEST_TEXT = 32_767
# Characters that no workbook file can hold.
_UNSPEAKABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff\ud800-\udfff]")


def stored(value: object) -> CellValue:
    """Return what the cell holds: nothing for NaN, words for an infinite number, text of a length that a cell takes."""
    if type(value) is float and math.isfinite(value):
        return value
    if isinstance(value, np.generic):
        value = value.item()
    if value is None or isinstance(value, bool | int):
        return value
    if isinstance(value, float):
        if math.isfinite(value):
            return value
        return None if math.isnan(value) else "infinite" if value > 0 else "-infinite"
    return _UNSPEAKABLE.sub("\ufffd", str(value)[:_LONGEST_TEXT]) or None
