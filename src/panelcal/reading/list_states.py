"""Rows of a list by what another column says of them: "Status=Draft" means the rows that have Draft under Status.

Reviews that were never handed in, or that were taken back, stand in exports beside the others, sometimes with a score
of 0; whether they count is asked.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from panelcal.errors import Answer
from panelcal.reading.cell_values import label_text
from panelcal.reading.headings import words_of
from panelcal.reading.long_list import LongList
from panelcal.reading.nouns import with_article
from panelcal.reading.patterns import any_matches, matches
from panelcal.reading.problems import listed, where
from panelcal.reading.terms import Terms
from panelcal.reading.vocabulary import STATES, TAKEN_BACK, UNFINISHED

_MOST_STATES = 12
_NO = frozenset({"", "0", "false", "no", "n", "null", "none", "nan", "-", "nein", "non"})


def rows_by_value(found: LongList, patterns: Iterable[str], rows: Iterable[int]) -> dict[str, set[int]]:
    """Find the rows that patterns such as "Status=Draft" mean, by pattern; none for a pattern of another form.

    Parameters
    ----------
    patterns
        Names as the settings have them; before and after the sign stand a heading and a value, both with wildcards.
    rows
        Rows to look at.
    """
    chosen: dict[str, set[int]] = {}
    body = list(rows)
    for pattern in patterns:
        head, sign, value = pattern.partition("=")
        if sign:
            columns = [j for j in range(found.table.n_columns) if matches(head, found.heading(j))]
            chosen[pattern] = {i for j in columns for i in body if matches(value, found.table.cells[i][j])}
    return chosen


def ask_about_states(found: LongList, rows: Sequence[int], terms: Terms) -> None:
    """Ask whether scores count whose rows say that they were never handed in, or were taken back.

    Parameters
    ----------
    rows
        The rows with scores.
    """
    for j in found.unread:
        heading = label_text(found.heading(j))
        said = set(words_of(found.heading(j)))
        if not heading or "=" in heading or not said & (STATES | TAKEN_BACK):
            continue
        by_state: dict[str, list[int]] = {}
        for i in rows:
            by_state.setdefault(label_text(found.table.cells[i][j]), []).append(i)
        if said & TAKEN_BACK:
            _ask_about_filled(found, heading, j, by_state, terms)
        elif 1 < len(by_state) <= _MOST_STATES:
            open_ = {state: held for state, held in by_state.items() if _is_unfinished(state)}
            if open_ and len(open_) < len(by_state):
                patterns = tuple(f"{heading}={state}" for state in open_)
                _ask(found, j, [i for held in open_.values() for i in held], listed(list(open_)), patterns, terms)


def _ask_about_filled(found: LongList, heading: str, j: int, by_state: dict[str, list[int]], terms: Terms) -> None:
    """Ask about the rows with anything but a no in a column such as deleted_at, where others have none."""
    filled = {state: held for state, held in by_state.items() if state.casefold() not in _NO}
    rows = sorted(i for held in filled.values() for i in held)
    if filled and len(filled) < len(by_state):
        plain = any(state for state in by_state if state not in filled)
        patterns = tuple(f"{heading}={state}" for state in filled) if plain else (f"{heading}=*",)
        _ask(found, j, rows, listed(list(filled)), patterns, terms)


def _ask(found: LongList, j: int, rows: Sequence[int], states: str, patterns: tuple[str, ...], terms: Terms) -> None:
    if all(any_matches(terms.settings.include, pattern) for pattern in patterns):
        return
    cells = [found.table.at(i, j) for i in sorted(rows)]
    says, its = ("says", "that row") if len(cells) == 1 else ("say", "those rows")
    heading, score = label_text(found.heading(j)), with_article(terms.score)
    sentence = f"{where(terms.sheet, cells)} {says} {states} under {heading}, beside {score}."
    answers = (
        Answer({"exclude": patterns}, f"leave {its} out"),
        Answer({"include": patterns}, f"count {its} like the others"),
    )
    terms.problems.ask(terms.sheet, sentence, answers, cells)


def _is_unfinished(state: Any) -> bool:
    said = words_of(state)
    return bool(said) and any(word in UNFINISHED for word in said)
