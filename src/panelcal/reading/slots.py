"""Slots for reviewers in every row: "Reviewer 1 name" beside "Reviewer 1 score", or "Reviewer #1" and no name at all.

A slot is a place in a form and no reviewer. With the names beside the scores the sheet is read as a list; without them
nobody's leaning can be told, and the run asks.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from panelcal.errors import Answer, Question
from panelcal.reading.cell_values import label_text
from panelcal.reading.decisions import Decision
from panelcal.reading.grid import sheet_reference
from panelcal.reading.heading_rows import role_in
from panelcal.reading.headings import ASSESSOR_WORDS, OBJECT_WORDS, SCORE_WORDS, Role, is_statistic, noun_of, words_of
from panelcal.reading.long_list import LongList
from panelcal.reading.matrix import Matrix
from panelcal.reading.patterns import any_matches, matches, places_of
from panelcal.reading.problems import listed
from panelcal.reading.settings import Settings
from panelcal.reading.slot_table import SlotTable
from panelcal.reading.table import Table
from panelcal.reading.vocabulary import IDENTIFIERS, NAMES, SCORE_FILLERS, WEIGHTS, words

_SEARCHED = 20
_MOST_COLUMNS = 500
_LEAST_SLOTS = 2
_LEAST_PACKED = 3
_MOST_DIGITS = 2
_ORDINALS = {
    word: number
    for number, spelt in enumerate(
        (
            "first 1st erste erster erstes erstgutachter premier première primer primero primera primo prima eerste "
            "primeiro primeira pierwszy",
            "second 2nd zweite zweiter zweites zweitgutachter deuxième seconde segundo segunda secondo seconda tweede "
            "drugi",
            "third 3rd dritte dritter drittes troisième tercer tercero tercera terzo terza derde terceiro terceira "
            "trzeci",
            "fourth 4th vierte vierter viertes quatrième cuarto cuarta quarto quarta vierde czwarty",
        ),
        start=1,
    )
    for word in words(spelt)
}
_ADDRESS = words("email mail e address")
_SURELY_SLOTS = words("reviewer marker examiner referee assessor gutachter prüfer rapporteur")


@dataclass(frozen=True, slots=True)
class _Part:
    """What one heading says: the number of the slot, and whether it holds a name, a score or a confidence."""

    slot: int
    kind: str
    rank: int = 0


@dataclass(frozen=True, slots=True)
class _Slot:
    who: int
    score: int
    confidence: int | None


def find_slots(table: Table, settings: Settings) -> tuple[LongList, Decision] | None:
    """Find slots with names and read them as a list; None where the sheet has none.

    Returns
    -------
    list, decision
        The list of slots, and what is said about it.
    """
    if (
        settings.layout not in ("auto", "list")
        or settings.assessor_column
        or settings.score_column
        or settings.criteria
    ):
        return None
    for i in range(min(table.n_rows - 1, _SEARCHED)):
        if table.n_columns > _MOST_COLUMNS or sum(isinstance(value, str) for value in table.cells[i]) < 3:
            continue
        slots = _slots_at(table, i, settings)
        if len(slots) >= _LEAST_SLOTS:
            return _as_list(table, i, slots, settings)
    return None


def _slots_at(table: Table, i: int, settings: Settings) -> list[_Slot]:
    """Return the slots that have both a name and a score, if every score in a slot has a name beside it."""
    row = table.cells[i]
    found: dict[int, dict[str, list[tuple[int, int]]]] = {}
    for j, heading in enumerate(row):
        part = _part_of(heading)
        if part is None or any_matches(settings.exclude, heading):
            continue
        kind = part.kind
        if kind in ("who", "either"):
            kind = "score" if kind == "either" and _has_numbers(table, i, j) else "who"
        found.setdefault(part.slot, {}).setdefault(kind, []).append((part.rank, j))
    slots = []
    for _, parts in sorted(found.items()):
        if "score" not in parts:
            continue
        if "who" not in parts or len(parts["score"]) > 1:
            return []
        confidences = parts.get("confidence", [])
        slots.append(_Slot(min(parts["who"])[1], parts["score"][0][1], confidences[0][1] if confidences else None))
    return slots


def _part_of(heading: Any) -> _Part | None:
    """Take a heading such as "Reviewer 2 score", "Score #2" or "Second marker" apart."""
    if not isinstance(heading, str):
        return None
    numbers: list[int] = []
    rest: list[str] = []
    for word in words_of(re.sub(r"(?<=[^\W\d_])(?=\d+(?:[\W_]|$))", " ", heading)):
        digits = word.lstrip("#")
        if digits.isdecimal() and len(digits) <= _MOST_DIGITS:
            numbers.append(int(digits))
        elif word in _ORDINALS:
            numbers.append(_ORDINALS[word])
        elif word != "#":
            rest.append(word)
    said = set(rest)
    if len(numbers) != 1 or not said:
        return None
    people, scores = said & ASSESSOR_WORDS, said & SCORE_WORDS
    if scores and said <= SCORE_WORDS | ASSESSOR_WORDS | SCORE_FILLERS:
        return _Part(numbers[0], "score")
    if said & WEIGHTS and said <= WEIGHTS | ASSESSOR_WORDS | SCORE_FILLERS:
        return _Part(numbers[0], "confidence")
    if people and said == people:
        return _Part(numbers[0], "either", 1)
    if people and said <= people | NAMES | _ADDRESS | IDENTIFIERS:
        return _Part(numbers[0], "who", 0 if said & NAMES else 2 if said & _ADDRESS else 3)
    return None


def _has_numbers(table: Table, i: int, j: int) -> bool:
    return any(table.numeric(k, j) for k in range(i + 1, table.n_rows))


def _as_list(table: Table, i: int, slots: Sequence[_Slot], settings: Settings) -> tuple[LongList, Decision]:
    row = table.cells[i]
    used = {j for slot in slots for j in (slot.who, slot.score, slot.confidence) if j is not None}
    free = [j for j in range(table.n_columns) if j not in used and _part_of(row[j]) is None]
    thing, name = _object_columns(table, i, free, settings)
    sure = all(slot.confidence is not None for slot in slots)
    columns = [
        tuple(j for j in (thing, name, slot.who, slot.score, slot.confidence if sure else None) if j is not None)
        for slot in slots
    ]
    rows, places, cells = [i], [columns[0]], [tuple(row[j] for j in columns[0])]
    for k in range(i + 1, table.n_rows):
        for slot, across in zip(slots, columns, strict=True):
            if table.cells[k][slot.who] is not None or table.cells[k][slot.score] is not None:
                rows.append(k)
                places.append(across)
                cells.append(tuple(table.cells[k][j] for j in across))
    view = SlotTable(
        table.grid,
        tuple(cells),
        tuple(table.rows[k] for k in rows),
        tuple(table.columns[j] for j in columns[0]),
        False,
        table.merges,
        table.spaces,
        table.grades,
        tuple(tuple(table.columns[j] for j in across) for across in places),
    )
    first = 1 if name is None else 2
    found = LongList(
        view, 0, 0, first, first + 1, None if name is None else 1, first + 2 if sure else None, Role.WEIGHT, ()
    )
    return found, _decision(table, i, slots, {thing, *used, *([] if name is None else [name])})


def _object_columns(table: Table, i: int, free: Sequence[int], settings: Settings) -> tuple[int, int | None]:
    """Choose the column that names the objects, and one with display names beside it."""
    row = table.cells[i]
    pointed = [free[k] for k in places_of(settings.object_column, [row[j] for j in free])]
    roles = {j: role_in(settings, row[j]) for j in free}
    objects = [j for j in free if roles[j] is Role.OBJECT]
    with_id = [j for j in objects if len(label_text(row[j]).split()) > 1]
    ids = [j for j in free if roles[j] is Role.IDENTIFIER]
    names = [j for j in free if roles[j] is Role.NAME]
    thing = next(iter([*pointed, *with_id, *objects, *ids, *names, *free, 0]))
    return thing, next((j for j in names if j != thing), None)


def _decision(table: Table, i: int, slots: Sequence[_Slot], used: set[int]) -> Decision:
    row = table.cells[i]
    pairs = [f"{label_text(row[slot.score])} from {label_text(row[slot.who])}" for slot in slots]
    sentence = f"Each row has places for {len(slots)} assessors, read one by one: {listed(pairs)}."
    rest = [j for j, value in enumerate(row) if value is not None and j not in used]
    if rest:
        sentence += f" Not read: {listed([label_text(row[j]) for j in rest])}."
    numeric = any(is_statistic(row[j]) or _has_numbers(table, i, j) for j in rest)
    cells = tuple(table.at(i, j) for j in rest) or (table.row_span(i),)
    return Decision("slots with names", cells, sentence, "warning" if numeric else "note", table.grid.sheet)


def question_about_slots(matrix: Matrix, settings: Settings) -> Question | None:
    """Ask who sits in slots without names, where headings or the way they are filled show that they are slots."""
    table, headings = matrix.table, matrix.headings.headings
    columns = list(matrix.assessors)
    if len(columns) < _LEAST_SLOTS or any_matches((*settings.include, *settings.scores), headings[columns[0]]):
        return None
    parts = [_part_of(headings[j]) for j in columns]
    if not all(part is not None and part.kind in ("either", "score") for part in parts):
        return None
    texts = [label_text(headings[j]) for j in columns]
    if not (all("#" in text for text in texts) or _packed(matrix)):
        return None
    at = [table.at(matrix.headings.row, j) for j in columns]
    thing = noun_of(matrix.corner, OBJECT_WORDS).lower() or "row"
    sentence = (
        f"{listed(texts)} on sheet {table.grid.sheet} look like places in a form and not like people: whoever reviewed "
        f"a {thing} first may be somebody else than for the next {thing}, and then nobody's leaning can be told. "
        "A list of the reviews with the reviewers' names would tell."
    )
    answer = Answer(
        {"include": _pattern(texts, headings)}, "read each of them as one and the same person all the way down"
    )
    return Question(sentence, (answer,), tuple(sheet_reference(table.grid.sheet, cell) for cell in at))


def _pattern(texts: Sequence[str], headings: Sequence[Any]) -> tuple[str, ...]:
    """Spell the headings as one pattern where it means no other heading."""
    pattern = re.sub(r"\d.*", "*", texts[0])
    alone = len(pattern) > 1 and sum(matches(pattern, heading) for heading in headings) == len(texts)
    return (pattern,) if alone else tuple(texts)


def _packed(matrix: Matrix) -> bool:
    """Tell whether columns are filled from the left, some of them not to the end: how a form fills its places."""
    table, columns = matrix.table, matrix.assessors
    said = {word for j in columns for word in words_of(matrix.headings.headings[j])}
    if len(columns) < _LEAST_PACKED and said.isdisjoint(_SURELY_SLOTS):
        return False
    filled = [[table.cells[i][j] is not None for j in columns] for i in matrix.rows.objects]
    partly = [row for row in filled if not all(row) and any(row)]
    return len(partly) >= _LEAST_PACKED and all(row == sorted(row, reverse=True) for row in partly)
