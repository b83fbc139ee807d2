"""Student systems: a grid of results with a row of credits, where letters or a star mark another attempt ("45R")."""

from __future__ import annotations

import re

from panelcal.reading.cell_values import is_number, label_text
from panelcal.reading.exports.known import Gives, Headed, Known
from panelcal.reading.headings import Role, role_of

_ATTEMPTED = re.compile(r"(\d{1,3}(?:\.\d+)?)\s?(?:[A-Z]{1,2}\d?|\*)")
_MOST_MARKED = 1 / 3
_IDENTIFYING = (Role.OBJECT, Role.IDENTIFIER)


def _recognise(headed: Headed) -> Gives | None:
    if role_of(headed.headings[0]) not in _IDENTIFYING:
        return None
    table, near = headed.table, range(max(0, headed.row - 2), min(headed.table.n_rows, headed.row + 3))
    if not any(role_of(table.cells[i][0]) is Role.WEIGHT for i in near):
        return None
    marked: dict[str, float] = {}
    count = plain = 0
    for i in range(headed.row + 1, table.n_rows):
        for value in table.cells[i]:
            found = _ATTEMPTED.fullmatch(label_text(value)) if isinstance(value, str) else None
            if found:
                marked[label_text(value)] = float(found[1])
            count += found is not None
            plain += is_number(value)
    if not marked or count > _MOST_MARKED * plain:
        return None
    return {"grades": marked}


STUDENT_GRID = Known("a grid of a student system with results of further attempts", _recognise)
