"""Slots for reviewers in every row: "Reviewer 1 name" beside "Reviewer 1 score", or "Reviewer #1" and no name at all.

A slot is a place in a form and no reviewer. With the names beside the scores the sheet is read as a list; without them
nobody's leaning can be told, and the run asks.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

from panelcal.errors import Answer, Question
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import label_text
from panelcal.reading.decisions import About, Decision
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
from panelcal.reading.vocabulary import ASSESSORS, IDENTIFIERS, NAMES, SCORE_FILLERS, WEIGHTS, words

_SEARCHED = 20
_MOST_COLUMNS = 500
_LEAST_SLOTS = 2
_LEAST_PACKED = 3
_LOOKED_AT = 5_000
_SAMPLED = 500
_MOST_NUMBERED = 10
_LETTERED = re.compile(r"(.*\S)\s+([A-H])")
_NUMBERED = re.compile(r"(?:[^\W\d_]+\s?)?#?\s?(\d{1,2})")
_MOST_DIGITS = 2
_LONGEST_NAME, _LEAST_REPEATED = 40, 2
_MOST_UNKNOWN = 1
_MOST_COMPLETE = 4
_ORDINALS = {
    word: number
    for number, spelt in enumerate(
        (
            "first 1st erste erster erstes premier première primer primero primera primo prima eerste "
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
_JOINED = re.compile(r"(erst|zweit|dritt)(\w+)")
_ADDRESS = words("email mail e address")
_REPORTS = words("gutachten review rapport referat parere perizia avis informe verslag recenzja parecer opinia report")
_CODES = words("id identifier code")
"""Words for a judge's number beside the score: Judge 1 ID."""
_PEOPLE_IN_SHORT = {"ref": "referee", "rev": "reviewer"}
_SURELY_SLOTS = frozenset({"reviewer", "marker", "examiner", "referee", "rater"}) | _REPORTS


@dataclass(frozen=True, slots=True)
class _Part:
    """What one heading says.

    `slot` is its number; `kind` is "who", "score", "confidence", "criterion" or, for the plain word for an assessor,
    "either"; `rank` orders several of a kind, the best first; `people` tells whether it has a word for people who
    assess, and `criterion` are the words that remain.
    """

    slot: int
    kind: str
    rank: int = 0
    people: bool = True
    criterion: str = ""


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
    if settings.layout not in ("auto", "list"):
        return None
    if settings.assessor_column or settings.score_column or settings.criteria:
        return None
    for i in range(min(table.n_rows - 1, _SEARCHED)):
        if table.n_columns > _MOST_COLUMNS or sum(isinstance(value, str) for value in table.cells[i]) < 3:
            continue
        slots, questions = _slots_at(table, i, settings)
        if len(slots) >= _LEAST_SLOTS:
            found, decision = _as_list(table, i, slots, settings)
            return replace(found, questions=questions), decision
    return None


_Kinds = dict[str, list[tuple[int, int, str]]]
"""Kind -> (rank, column, criterion) of the columns of a slot."""


def _slots_at(table: Table, i: int, settings: Settings) -> tuple[list[_Slot], tuple[Question, ...]]:
    """Return the slots that have both a name and a score, if every score in a slot has a name beside it."""
    found: dict[int, _Kinds] = {}
    for j, (heading, part) in enumerate(zip(table.cells[i], _parts_of(table.cells[i]), strict=True)):
        if part is None or any_matches(settings.exclude, heading):
            continue
        kind = part.kind
        numbers = _has_numbers(table, i, j)
        if kind == "either":
            kind = "score" if numbers else "who"
        if kind != "who" or not numbers or not _CODES.isdisjoint(words_of(heading)):
            found.setdefault(part.slot, {}).setdefault(kind, []).append((part.rank, j, part.criterion))
    _add_scores_right_of_names(table, i, found)
    _add_names_by_another_word(table, i, found)
    questions: tuple[Question, ...] = ()
    if not any("score" in parts for parts in found.values()):
        questions = _score_by_criterion(table, i, found)
    slots = []
    for _, parts in sorted(found.items()):
        if "score" not in parts:
            continue
        if "who" not in parts or len(parts["score"]) > 1:
            return [], ()
        confidences = parts.get("confidence", [])
        slots.append(_Slot(min(parts["who"])[1], parts["score"][0][1], confidences[0][1] if confidences else None))
    return slots, questions


def _add_scores_right_of_names(table: Table, i: int, found: dict[int, _Kinds]) -> None:
    """Give slots with a name and no score the scores in the next column, as in "First marker", "FM mark"."""
    row = table.cells[i]
    wanting = [parts for parts in found.values() if "who" in parts and "score" not in parts]
    if len(wanting) < _LEAST_SLOTS or len(wanting) < len(found):
        return
    beside = [parts["who"][-1][1] + 1 for parts in wanting]
    if all(
        j < table.n_columns and not SCORE_WORDS.isdisjoint(words_of(row[j])) and _has_numbers(table, i, j)
        for j in beside
    ):
        for parts, j in zip(wanting, beside, strict=True):
            parts["score"] = [(0, j, "")]


def _add_names_by_another_word(table: Table, i: int, found: dict[int, _Kinds]) -> None:
    """Take texts beside the scores that tell judges apart for their names: judge1_country beside judge1_score."""
    named = [parts for parts in found.values() if "score" in parts]
    if len(named) < _LEAST_SLOTS or any("who" in parts for parts in found.values()):
        return
    of_slot = [{criterion: j for _, j, criterion in parts.get("criterion", [])} for parts in named]
    shared = [criterion for criterion in of_slot[0] if all(criterion in one for one in of_slot)]
    for criterion in shared:
        columns = [one[criterion] for one in of_slot]
        if _tells_apart(table, i, columns, [parts["score"][0][1] for parts in named]):
            for parts, j in zip(named, columns, strict=True):
                parts["who"] = [(0, j, "")]
            return


def _tells_apart(table: Table, i: int, columns: Sequence[int], scores: Sequence[int]) -> bool:
    """Tell whether a short text stands beside every score, never twice in a row and each in several rows."""
    rows = range(i + 1, min(table.n_rows, i + 1 + _LOOKED_AT))
    labels: list[str] = []
    for k in rows:
        held = [table.cells[k][j] for j, score in zip(columns, scores, strict=True) if table.numeric(k, score)]
        if not all(isinstance(one, str) and len(one) <= _LONGEST_NAME for one in held) or len(set(held)) < len(held):
            return False
        labels += held
    return len(labels) >= _LEAST_REPEATED * len(set(labels)) > 0


def _score_by_criterion(table: Table, i: int, found: dict[int, _Kinds]) -> tuple[Question, ...]:
    """Take the one criterion that every slot has for the score, or the first of several, and ask."""
    row = table.cells[i]
    named = [parts for parts in found.values() if "who" in parts]
    of_slot = [
        {criterion: j for _, j, criterion in parts.get("criterion", []) if _has_numbers(table, i, j)} for parts in named
    ]
    shared = [criterion for criterion in of_slot[0] if all(criterion in one for one in of_slot)] if of_slot else []
    if not shared or len(named) < _LEAST_SLOTS:
        return ()
    for parts, columns in zip(named, of_slot, strict=True):
        parts["score"] = [(0, columns[shared[0]], "")]
    if len(shared) == 1:
        return ()
    heads = {criterion: [label_text(row[one[criterion]]) for one in of_slot] for criterion in shared}
    answers = []
    for criterion in shared:
        others = tuple(head for other in shared if other != criterion for head in heads[other])
        answers.append(Answer({"exclude": others}, f"calibrate {listed(heads[criterion])} alone"))
    sheet, cells = table.grid.sheet, [table.at(i, one[criterion]) for criterion in shared for one in of_slot]
    sentence = f"On sheet {sheet} each reviewer gives several scores ({listed(shared)})."
    return (Question(sentence, tuple(answers), tuple(sheet_reference(sheet, cell) for cell in cells)),)


def _parts_of(headings: Sequence[Any]) -> list[_Part | None]:
    """Take a row of headings apart; where they repeat (Judge, Score, Judge, Score), the slots are counted."""
    texts = [label_text(heading) if isinstance(heading, str) else "" for heading in headings]
    often, seen = Counter(texts), Counter[str]()
    lettered = [_LETTERED.fullmatch(text) for text in texts]
    parts: list[_Part | None] = []
    for heading, text, letter in zip(headings, texts, lettered, strict=True):
        part = _part_of(heading)
        if part is None and text and often[text] > 1:
            seen[text] += 1
            part = _part_said(seen[text], words_of(heading))
        elif part is None and letter is not None:
            part = _part_said(ord(letter[2].upper()) - ord("A") + 1, words_of(letter[1]))
        parts.append(part)
    return parts


def _words_and_numbers(heading: str) -> tuple[str, ...]:
    """Split a heading into words, and a number off the word before it: rater1_score."""
    apart = re.sub(r"(?<=[^\W\d_])(?=\d+(?:[\W_]|$))", " ", heading)
    bracketed = re.fullmatch(r"(.*\d\s*)[(\[]([^()\[\]\d]+)[)\]]", apart)  # R1 (name)
    return words_of(f"{bracketed[1]} {bracketed[2]}" if bracketed else apart)


def _part_of(heading: Any) -> _Part | None:
    """Take a heading such as "Reviewer 2 score", "Score #2" or "Second marker" apart."""
    if not isinstance(heading, str):
        return None
    numbers: list[int] = []
    rest: list[str] = []
    behind: list[int] = []  # places in `numbers` right behind a word for who assesses: rater1_domain1
    for word in _words_and_numbers(heading):
        joined = _JOINED.fullmatch(word)
        if joined is not None and joined[2] in ASSESSOR_WORDS:
            numbers.append(_ORDINALS[f"{joined[1]}er"])  # Zweitgutachter
            rest.append(joined[2])
            continue
        digits = word.lstrip("#")
        if digits.isdecimal() and len(digits) <= _MOST_DIGITS:
            rest[-1:] = [_PEOPLE_IN_SHORT.get(word, word) for word in rest[-1:]]
            behind += [len(numbers)] if rest and rest[-1] in ASSESSOR_WORDS else []
            numbers.append(int(digits))
        elif word in _ORDINALS:
            numbers.append(_ORDINALS[word])
        elif word != "#":
            rest.append("confidence" if word == "conf" else word)
    if len(numbers) > 1 and len(behind) == 1:
        numbers = [numbers[behind[0]]]
    if len(numbers) != 1 or not rest:
        return None
    return _part_said(numbers[0], rest)


def _part_said(slot: int, rest: Sequence[str]) -> _Part | None:
    said = set(rest)
    people = bool(said & (ASSESSOR_WORDS | _REPORTS))
    unknown = said - ASSESSOR_WORDS - _REPORTS - SCORE_WORDS - SCORE_FILLERS - WEIGHTS - NAMES - _ADDRESS - IDENTIFIERS
    if len(unknown) <= _MOST_UNKNOWN:
        if said & SCORE_WORDS and not said & WEIGHTS:
            return _Part(slot, "score", 0, people)
        if said & WEIGHTS:
            return _Part(slot, "confidence", 0, people)
        if people and said <= ASSESSOR_WORDS | _REPORTS:
            return _Part(slot, "either", 1)
        if said & (NAMES | _ADDRESS | IDENTIFIERS) and (people or unknown) and not (people and unknown):
            return _Part(slot, "who", 0 if said & NAMES else 2 if said & _ADDRESS else 3, people)
    left = " ".join(word for word in rest if word not in ASSESSOR_WORDS)
    return _Part(slot, "criterion", 0, people, left) if people else None


def _has_numbers(table: Table, i: int, j: int) -> bool:
    return any(table.numeric(k, j) for k in range(i + 1, min(table.n_rows, i + 1 + _SAMPLED)))


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
        view, 0, 0, first, (first + 1,), None if name is None else 1, first + 2 if sure else None, Role.WEIGHT, ()
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
    return Decision(About.SLOTS_WITH_NAMES, cells, sentence, "warning" if numeric else "note", table.grid.sheet)


def question_about_slots(matrix: Matrix, settings: Settings) -> Question | Decision | None:
    """Ask who sits in slots without names, where headings or the way they are filled show that they are slots.

    Where they are to be counted all the same, that is said.
    """
    table, headings = matrix.table, matrix.headings.headings
    columns = list(matrix.assessors)
    of_people = [j for j in columns if (part := _part_of(headings[j])) is not None and part.people]
    if len(of_people) == len(columns) - 1:
        columns = of_people  # a figure worked out from theirs stands beside them
    if len(columns) < _LEAST_SLOTS:
        return None
    parts = [_part_of(headings[j]) for j in columns]
    if not all(part is not None and part.kind in ("either", "score", "criterion") for part in parts):
        return None
    if len({part.criterion for part in parts if part is not None}) > 1:
        return None
    texts = [label_text(headings[j]) for j in columns]
    called = {ASSESSORS.get(word, word) for text in texts for word in _words_and_numbers(text)}
    nobody = not called.isdisjoint({"mark", "score"}) and not any(part and part.people for part in parts)
    surely = nobody or not called.isdisjoint(_SURELY_SLOTS)
    filled = [[table.cells[i][j] is not None for j in columns] for i in matrix.rows.objects]
    if not (all("#" in text for text in texts) or (surely and len(columns) <= _MOST_COMPLETE) or _packed(filled)):
        return None
    at = [table.at(matrix.headings.row, j) for j in columns]
    thing = noun_of(matrix.corner, OBJECT_WORDS).lower() or "row"
    if any_matches((*settings.include, *settings.scores), headings[columns[0]]):
        sentence = (
            f"{listed(texts)} are read as one and the same person each, all the way down. Where they are places in a "
            f"form, filled by one person for one {thing} and by another for the next, no leaning here may be used."
        )
        return Decision(About.SLOTS_WITHOUT_NAMES, tuple(at), sentence, "warning", table.grid.sheet)
    meaning = "read each of them as one and the same person all the way down"
    answer = Answer({"include": _pattern(texts, headings)}, meaning)
    sentence = f"{listed(texts)} on sheet {table.grid.sheet} look like places in a form and not like people"
    return Question(
        f"{sentence}: {_why(thing)}", (answer,), tuple(sheet_reference(table.grid.sheet, cell) for cell in at)
    )


def question_about_numbers(found: LongList, settings: Settings) -> Question | None:
    """Ask the same of a list whose assessors are numbers that start again with every object."""
    table, j, sheet = found.table, found.assessor_column, found.table.grid.sheet
    rows = range(found.row + 1, table.n_rows)
    labels = {label_text(value) for value in table.column(rows[:_LOOKED_AT], j)} - {""}
    numbers = {label: int(match[1]) for label in labels if (match := _NUMBERED.fullmatch(label))}
    heading = label_text(found.heading(j))
    if not labels or len(numbers) < len(labels) or set(numbers.values()) != set(range(1, len(labels) + 1)):
        return None
    if len(labels) > _MOST_NUMBERED or any_matches(settings.include, heading) or len(labels) < _LEAST_SLOTS:
        return None
    counts: dict[str, set[int]] = {}
    for i in rows[:_LOOKED_AT]:
        if (label := label_text(table.cells[i][j])) and table.cells[i][found.object_column] is not None:
            counts.setdefault(label_text(table.cells[i][found.object_column]), set()).add(numbers[label])
    filled = [[number in given for number in range(1, len(labels) + 1)] for given in counts.values()]
    if not (_packed(filled) or any("#" in label for label in labels)):
        return None
    thing = noun_of(found.heading(found.object_column), OBJECT_WORDS).lower() or "row"
    sentence = f"{heading} in {table.at(found.row, j)} on sheet {sheet} counts the assessments of each {thing}"
    answer = Answer({"include": (heading,)}, "read each number as one and the same person")
    return Question(f"{sentence}: {_why(thing)}", (answer,), (sheet_reference(sheet, table.at(found.row, j)),))


def _why(thing: str) -> str:
    return (
        f"whoever comes first for one {thing} may be somebody else than for the next, and then nobody's leaning can be "
        "told. A list of the assessments with the names of those who gave them would tell."
    )


def _pattern(texts: Sequence[str], headings: Sequence[Any]) -> tuple[str, ...]:
    """Spell the headings as one pattern where it means no other heading."""
    pattern = re.sub(r"\d.*", "*", texts[0])
    alone = len(pattern) > 1 and sum(matches(pattern, heading) for heading in headings) == len(texts)
    return (pattern,) if alone else tuple(texts)


def _packed(filled: Sequence[Sequence[bool]]) -> bool:
    """Tell whether places are filled from the left, some of them not to the end: how a form fills its places."""
    if not filled or len(filled[0]) < _LEAST_PACKED:
        return False
    partly = [list(row) for row in filled if not all(row) and any(row)]
    return len(partly) >= _LEAST_PACKED and all(row == sorted(row, reverse=True) for row in partly)
