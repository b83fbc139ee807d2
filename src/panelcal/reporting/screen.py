"""What a chart may take of a screen 1600 pixels wide, so that it is seen whole when its sheet is opened.

Measured in LibreOffice with its side bar open, which leaves the least; in Excel there is more.
"""

from __future__ import annotations

from collections.abc import Mapping

_FIRST_PIXEL, _LAST_PIXEL = 37.0, 1530.0  # between the row numbers and the scroll bar
_PER_CHARACTER, _PER_CENTIMETRE = 7.83, 39.3
_EDGE_OF_CELL = 5.0 / 7.0
_USUAL_WIDTH = 8.43


def centimetres_right_of(widths: Mapping[int, float], column: int) -> float:
    """How many centimetres of the screen are left from the left edge of a column on, below 0 where it is beyond.

    Parameters
    ----------
    widths
        In characters by column number; the others are of the usual width.
    column
        In which a chart begins.
    """
    before = sum(widths.get(number, _USUAL_WIDTH) + _EDGE_OF_CELL for number in range(1, column))
    return (_LAST_PIXEL - _FIRST_PIXEL - before * _PER_CHARACTER) / _PER_CENTIMETRE
