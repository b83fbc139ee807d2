"""Canvas: the gradebook, with its rows of points possible (in any language) and its test student."""

from panelcal.reading.cell_values import label_text
from panelcal.reading.exports.known import ASIDE, Gives, Headed, Known, known_gradebook, with_codes
from panelcal.reading.headings import words_of

_IDS = ("id", "sis user id", "sis login id", "section")
_BELOW = 3
_TEST = frozenset("test prueba prova teste essai próba".split())
_GRADEBOOK = known_gradebook(
    "a Canvas gradebook",
    [["student"], ["id"], ["sis user id", "sis login id"], ["section"]],
    students=["sis user id", "sis login id", "id"],
    aside=["Root Account", "Section", "Integration ID", "Notes", "Manual Posting", "Muted", "(read only)"],
    left_out=[
        "*current score",
        "*current points",
        "*final score",
        "*final points",
        "*current grade",
        "*final grade",
        "*override score",
        "*override grade",
        "*override status",
        "student, test",
    ],
    rows=["points possible"],
)


def _rows_of_nobody(headed: Headed) -> list[int]:
    """Find the rows right below the headings that have a label and no id at all, and the test student."""
    cells, ids = headed.table.cells, [j for j, head in enumerate(headed.headings) if head.casefold() in _IDS]
    near = range(headed.row + 1, min(headed.table.n_rows, headed.row + 1 + _BELOW))
    found = [i for i in near if cells[i][0] is not None and all(cells[i][j] is None for j in ids)]
    sis = next((j for j in ids if headed.headings[j].casefold() == "sis user id"), None)
    for i in range(headed.table.n_rows - 1, headed.row, -1):
        if sis is None or cells[i][sis] is not None or _TEST.isdisjoint(words_of(cells[i][0])):
            break
        found.append(i)
    return found


def _recognise(headed: Headed) -> Gives | None:
    """Look past the rows of nobody, whatever language they are in."""
    nobody = _rows_of_nobody(headed) if headed.has("student") and headed.has("section") and headed.has("id") else []
    if not nobody:
        return _GRADEBOOK.recognise(headed)
    table = headed.table
    gives = _GRADEBOOK.recognise(Headed(table.without(set(nobody), ()), headed.row))
    if gives is None:
        return None
    labels = tuple(label_text(table.cells[i][0]) for i in nobody)
    said = [label_text(value) for i in nobody for value in table.cells[i] if value is not None]
    signs = tuple(dict.fromkeys(text for text in said if text.startswith("(") and text.endswith(")")))
    english = {"points possible", "muted", "manual posting"}
    out = tuple(label for label in labels if label.casefold() not in english)
    return {**gives, "exclude": (*gives.get("exclude", ()), *out), ASIDE: (*gives.get(ASIDE, ()), *signs)}


CANVAS = with_codes(Known("a Canvas gradebook", _recognise), {"EX": "exclude"})
"""Whoever is excused from an assignment was not assessed in it."""
