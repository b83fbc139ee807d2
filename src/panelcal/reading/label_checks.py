"""What can be wrong or worth a look with the names of objects and assessors: near matches, people's names."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from panelcal.errors import Answer
from panelcal.reading.answers import Way, deed
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import CellError, Grid, Uncalculated, place_of
from panelcal.reading.nouns import plural
from panelcal.reading.patterns import did_you_mean, near_miss, places_of
from panelcal.reading.problems import Problems, listed
from panelcal.reading.setting_texts import ROWS
from panelcal.reading.settings import NO_CONFIDENCES, Settings
from panelcal.reading.spellings import other_spellings, spelt_alike
from panelcal.reading.table import Table
from panelcal.reading.terms import Terms

_PERSON = re.compile(r"[^\W\d_][\w'’.-]*(?:,)?(?: [^\W\d_][\w'’.-]*){1,3}")
_SHARE_OF_PEOPLE = 0.8
_COLUMNS = ("object_column", "assessor_column", "score_column", "confidence_column")
_TOP = 40  # rows among which headings are looked for
_LONGEST_HEADING = 60


def near_matches(cell_of: Mapping[str, str], sheet: str, noun: str, way: Way | None = None) -> list[Decision]:
    """Warn of labels that differ only in capitals, spaces, punctuation, leading zeros or letters that look alike.

    Parameters
    ----------
    cell_of
        Label -> address of its first appearance.
    noun
        Word for several of them, in small letters.
    way
        How an answer is given for this file; None = there is none.
    """
    groups = spelt_alike(list(cell_of))
    if not groups:
        return []
    cells = tuple(cell_of[label] for labels in groups for label in labels)
    pairs = listed([" and ".join(f'"{label}"' for label in labels) for labels in groups])
    other = any(not label.isascii() for labels in groups for label in labels)
    letters = " (look-alike letters of other alphabets, or of full width, count as the same here)" if other else ""
    sentence = f"These {noun} are spelt almost alike{letters} and were kept apart: {pairs}."
    if way is None:
        sentence += " Spell them alike if they are the same."
    else:
        answer = Answer({"same": other_spellings(groups)}, "")
        sentence += f" If they are the same, spell them alike, or {deed(answer, way)}."
    return [Decision(About.NEAR_MATCH, cells, sentence, "warning", sheet)]


def notes_about_labels(
    objects: Mapping[str, str], assessors: Mapping[str, str], objects_at: str, terms: Terms
) -> list[Decision]:
    """Say what is worth a look with the names of objects and assessors; both map a label to its address."""
    nouns, sheet = terms.nouns, terms.sheet
    return [
        *near_matches(objects, sheet, plural(nouns.object), terms.problems.way),
        *near_matches(assessors, sheet, plural(nouns.assessor), terms.problems.way),
        *people_note(list(objects), objects_at, sheet, terms.thing),
    ]


def say_no_scores(terms: Terms) -> None:
    """Refuse a sheet none of whose scores count, unless something else is wrong that says why."""
    if not terms.problems:
        sentence = f"Sheet {terms.sheet} has no {plural(terms.nouns.score)} that count: type some, or change the codes."
        terms.problems.say(terms.sheet, sentence)


def refuse_label(table: Table, i: int, j: int, noun: str, problems: Problems) -> bool:
    """Note where an error value or a formula without a stored result stands instead of a name; tell whether it does."""
    value = table.cells[i][j]
    if not isinstance(value, CellError | Uncalculated):
        return False
    what, todo = (
        (f"the error {value.code}", "type the name")
        if isinstance(value, CellError)
        else ("a formula whose result was never stored", "let your spreadsheet program calculate and save the file")
    )
    problems.add(
        table.grid.sheet,
        f"{{where}} [holds|hold] {what} where the name of {plural(noun, 1)} is expected: {todo}.",
        table.at(i, j),
    )
    return True


def looks_like_people(labels: Sequence[str]) -> bool:
    """Tell whether most ids read like personal names: two to four words of letters, each with a capital."""
    if len(labels) < 3:
        return False
    left = len(labels)
    for label in labels:
        if not (_PERSON.fullmatch(label) and all(word[:1].isupper() for word in label.split())):
            left -= 1
            if left < _SHARE_OF_PEOPLE * len(labels):
                return False
    return True


def people_note(labels: Sequence[str], cells: str, sheet: str, noun: str) -> list[Decision]:
    """Note that the ids look like names of people, for a trade whose boards work with numbers."""
    if noun not in ("student", "candidate", "pupil", "object", "applicant") or not looks_like_people(labels):
        return []
    sentence = f"The ids in {cells} look like names of people; boards usually work with candidate numbers."
    return [Decision(About.NAMES_OF_PEOPLE, (cells,), sentence, "note", sheet)]


def refuse_names_nothing_has(
    labels: Sequence[Any], cells: Sequence[str], sheet: str, settings: Settings, problems: Problems
) -> None:
    """Refuse names in the settings that no heading and no label has, with the nearest one that there is.

    Parameters
    ----------
    labels, cells
        Every heading and label of the sheet, and its address.
    """
    for pattern in dict.fromkeys((*settings.scores, *settings.include, *settings.exclude)):
        if not places_of(pattern, labels, cells):
            sentence = f"Nothing on sheet {sheet} is called {pattern}{_nearest(pattern, labels)}"
            problems.say(sheet, sentence if sentence.endswith("?") else f"{sentence}: correct the name.")


def _nearest(pattern: str, labels: Sequence[Any]) -> str:
    """Spell the nearest label, or the nearest heading and value: "Status=Draft"."""
    heading, sign, value = pattern.partition("=")
    near = near_miss(heading, labels) if sign else ""
    if near:
        return f"; did you mean {near}={near_miss(value, labels) or value}?"
    return did_you_mean(pattern.replace("*", ""), labels)


def refuse_columns_nothing_has(grid: Grid, headings: Sequence[Any], settings: Settings, problems: Problems) -> None:
    """Refuse a column that the settings name and a table with a column for each assessor has nowhere, and criteria.

    Parameters
    ----------
    headings
        Of the columns, where they are put together from several rows.
    """
    texts = [value for row in grid.rows[:_TOP] for value in row if isinstance(value, str)]
    texts += [row[0] for row in grid.rows[_TOP:] if isinstance(row[0], str)]
    for name in _COLUMNS:
        pattern = getattr(settings, name)
        none = not pattern or (name == "confidence_column" and pattern.casefold() == NO_CONFIDENCES)
        if not none and place_of(pattern) is None and not places_of(pattern, [*texts, *headings]):
            hint = did_you_mean(pattern, [text for text in texts if len(text) <= _LONGEST_HEADING]) or "."
            problems.say(grid.sheet, f"{ROWS[name].label}: nothing on sheet {grid.sheet} is called {pattern}{hint}")
    if settings.criteria_named:
        problems.say(
            grid.sheet,
            f"Sheet {grid.sheet} has one column for each assessor, and no criteria such as "
            f"{listed(list(settings.criteria_named))}: leave the criteria out, or name a sheet that has them.",
        )
