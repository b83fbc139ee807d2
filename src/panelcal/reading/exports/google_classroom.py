"""Google Classroom: all grades of a class as text, with rows of dates and of points below the headings."""

from __future__ import annotations

from panelcal.reading.cell_values import label_text
from panelcal.reading.exports.known import ASIDE, Gives, Headed, Known

_PERSON = ("Last Name", "First Name", "Email Address")
_ROWS = frozenset({"date", "points"})
_LEFT_OUT = ("Overall Grade", "Class Average")
_BELOW = 3


def _recognise(headed: Headed) -> Gives | None:
    if not all(headed.has(heading) for heading in _PERSON):
        return None
    cells = headed.table.cells
    near = range(headed.row + 1, min(headed.table.n_rows, headed.row + 1 + _BELOW))
    held = {i: [label_text(value) for value in cells[i] if value is not None] for i in near}
    about = [texts for texts in held.values() if texts and texts[0].casefold() in _ROWS]
    if not about:
        return None
    out = tuple(pattern for pattern in _LEFT_OUT if headed.has(pattern) or headed.labels(pattern))
    gives = {
        "layout": "objects down",
        "object_column": _PERSON[-1],
        ASIDE: ("First Name", *dict.fromkeys(text for texts in about for text in texts)),
    }
    return {**gives, "exclude": out} if out else gives


GOOGLE_CLASSROOM = Known("Google Classroom's table of grades", _recognise)
