"""Two people of one name, told apart by a column of numbers beside the names: that column may be what is assessed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from panelcal.errors import Answer
from panelcal.reading.cell_values import label_text
from panelcal.reading.headings import Role, role_of
from panelcal.reading.problems import listed
from panelcal.reading.table import Table
from panelcal.reading.terms import Terms

_MOST_ROWS = 200_000
_SHARE_OF_ONE = 0.8  # of the names: so many must have one number only, or the numbers are no names of theirs


def numbers_of_namesakes(table: Table, heading_row: int, names: Mapping[int, str], columns: Sequence[int]) -> list[int]:
    """Return the columns of numbers that never belong to two names, while some name has several of them.

    Parameters
    ----------
    names
        Row -> the name of what it is about.
    columns
        The columns to look at.
    """
    if len(names) > _MOST_ROWS:
        return []
    return [
        j for j in columns if role_of(table.cells[heading_row][j]) is Role.IDENTIFIER and _tells_apart(table, names, j)
    ]


def _tells_apart(table: Table, names: Mapping[int, str], j: int) -> bool:
    held: dict[str, dict[str, None]] = {}
    whose: dict[str, str] = {}
    for i, name in names.items():
        number = label_text(table.cells[i][j])
        if not number or whose.setdefault(number, name) != name:
            return False
        held.setdefault(name, {})[number] = None
    single = sum(len(numbers) == 1 for numbers in held.values())
    return _SHARE_OF_ONE * len(held) <= single < len(held)


def ask_about_namesakes(
    table: Table, heading_row: int, names: Mapping[int, str], column: int, columns: Sequence[int], terms: Terms
) -> None:
    """Ask whether names with several numbers each are several of one name; `column` holds the names."""
    if terms.settings.object_column:
        return
    heads = table.cells[heading_row]
    for j in numbers_of_namesakes(table, heading_row, names, columns)[:1]:
        numbers: dict[str, dict[str, None]] = {}
        for i, name in names.items():
            numbers.setdefault(name, {})[label_text(table.cells[i][j])] = None
        several = {name: list(held) for name, held in numbers.items() if len(held) > 1}
        said = listed([f"{name} ({', '.join(held)})" for name, held in several.items()])
        head, name_head = label_text(heads[j]), label_text(heads[column])
        answers = [
            Answer({"object_column": head}, f"tell them apart by {head}"),
            Answer({"object_column": name_head}, f"count those of one {name_head} as one"),
        ]
        what = "has" if len(several) == 1 else "have"
        sentence = f"On sheet {terms.sheet} {said} {what} more than one {head}, in {table.at(heading_row, j)}."
        terms.problems.ask(terms.sheet, sentence, answers, [table.at(heading_row, j)])
