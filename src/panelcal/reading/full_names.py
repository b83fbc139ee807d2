"""First and last names in two columns, read as one name where a last name alone is not one person's.

Where a column of addresses or ids tells people apart, the names are left as they are.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from panelcal.reading.cell_values import label_text
from panelcal.reading.decisions import About, Decision
from panelcal.reading.headings import words_of
from panelcal.reading.patterns import any_matches
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table
from panelcal.reading.vocabulary import ADDRESSES, IDENTIFIERS, words

_SEARCHED, _MOST_ROWS = 20, 100_000
_FIRST = words("first given forename firstname vorname prénom nombre voornaam imię")
_LAST = words(
    "last family surname lastname nachname familienname apellido cognome achternaam sobrenome apelido nazwisko"
)
_EITHER = words("nom nome name")  # a last name beside a Prénom, a first name beside a Cognome
_OWN = ADDRESSES | IDENTIFIERS | words("username login matrikelnummer matrikelnr")


def with_full_names(table: Table, settings: Settings) -> tuple[Table, Decision | None]:
    """Return a sheet with full names in the column of last names, and without that of first names, and say so.

    Left as it is where the settings speak of one of the columns, or no last name has several first names.
    """
    if table.n_rows > _MOST_ROWS:
        return table, None
    for i in range(min(table.n_rows - 1, _SEARCHED)):
        pair = _columns_at(table, i)
        if pair is None:
            continue
        first, last = pair
        heads = [table.cells[i][j] for j in pair]
        said = [one for one in (settings.object_column, settings.assessor_column, *settings.exclude) if one]
        if any(any_matches(said, head) for head in heads) or not _is_needed(table, i, first, last):
            return table, None
        cells = list(map(list, table.cells))
        for k in range(i + 1, table.n_rows):
            cells[k][last] = _joined(cells[k][first], cells[k][last])
        span = table.span((i + 1, last), (table.n_rows - 1, last))
        sentence = (
            f"The same {label_text(heads[1])} stands beside several entries of {label_text(heads[0])}, so both are "
            f"read together as one name ({cells[i + 1][last]} and so on)."
        )
        whole = replace(table, cells=tuple(map(tuple, cells)))
        return whole.without((), (first,)), Decision(About.FULL_NAMES, (span,), sentence, "note", table.grid.sheet)
    return table, None


def _columns_at(table: Table, i: int) -> tuple[int, int] | None:
    """Return the columns of first and of last names under the headings of a row."""
    said = [set(words_of(head)) if isinstance(head, str) else set() for head in table.cells[i]]
    if sum(map(bool, said)) < 3:
        return None
    firsts = [j for j, one in enumerate(said) if one & _FIRST]
    lasts = [j for j, one in enumerate(said) if one & _LAST and not one & _FIRST]
    if len(firsts) + len(lasts) == 1:
        others = [j for j, one in enumerate(said) if one & _EITHER and j not in (*firsts, *lasts)]
        firsts, lasts = (firsts, others) if firsts else (others, lasts)
    if len(firsts) != 1 or len(lasts) != 1:
        return None
    rest = [said[j] - _FIRST - _LAST - _EITHER for j in (firsts[0], lasts[0])]
    return (firsts[0], lasts[0]) if rest[0] == rest[1] else None


def _is_needed(table: Table, i: int, first: int, last: int) -> bool:
    """Tell whether a last name comes with several first names, and nothing else tells people apart."""
    rows = [k for k in range(i + 1, table.n_rows) if table.cells[k][last] is not None]
    names: dict[str, set[str]] = {}
    for k in rows:
        names.setdefault(label_text(table.cells[k][last]), set()).add(label_text(table.cells[k][first]))
    if all(len(found) == 1 for found in names.values()):
        return False
    people = {(label_text(table.cells[k][first]), label_text(table.cells[k][last])) for k in rows}
    for j, head in enumerate(table.cells[i]):
        if isinstance(head, str) and not _OWN.isdisjoint(words_of(head)):
            labels = {label_text(table.cells[k][j]) for k in rows} - {""}
            if len(labels) >= len(people):
                return False
    return True


def _joined(first: Any, last: Any) -> Any:
    texts = [label_text(one) for one in (first, last) if one is not None]
    return " ".join(texts) if last is not None and texts else last
