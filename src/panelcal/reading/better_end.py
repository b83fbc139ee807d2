"""Which end of the scale is the better one, where a panel looks as if 1 were best: German grades, rankings."""

from __future__ import annotations

import numpy as np

from panelcal.errors import Answer
from panelcal.reading.headings import words_of
from panelcal.reading.keys import low_is_best_by_key
from panelcal.reading.nouns import plural
from panelcal.reading.plausibility.lines import Lines
from panelcal.reading.problems import Problems
from panelcal.reading.score_checks import looks_german
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table

_GERMAN_WORDS = frozenset(
    "note noten notenliste notenspiegel matrikelnummer matrikel durchschnitt mittelwert durchschnittsnote gesamtnote "
    "prüfung prüfer prüferin prüfling gutachter gutachterin kandidat kandidatin studierende klausur fachnote zensur "
    "bewertung erstgutachter zweitgutachter".split()
)
_SEARCHED = 30
_LOWEST, _HIGHEST = 1.0, 6.0
_FEWEST_RANKED, _MOST_RANK = 4, 0.8


def ask_about_direction(lines: Lines, table: Table, noun: str, settings: Settings, problems: Problems) -> None:
    """Ask whether 1 is best, where the scores or the words around them are those of such scales and nothing says.

    Parameters
    ----------
    lines
        The scores by assessor.
    noun
        Word for a score, in small letters.
    """
    given = lines.values
    if settings.direction_given or not settings.higher_is_better or not len(given):
        return
    answers = [
        Answer({"higher_is_better": False}, "take the lowest as the best"),
        Answer({"higher_is_better": True}, "take the highest as the best"),
    ]
    if note := low_is_best_by_key(table):
        sentence = f'Sheet {table.grid.sheet} says "{note}", as on scales where the lowest {noun} is the best.'
        problems.ask(table.grid.sheet, sentence, answers)
        return
    if _ranked(lines):
        sentence = (
            f"The {plural(noun)} on sheet {table.grid.sheet} look like rankings: nearly everybody gives 1, 2, 3 and so "
            "on, each once."
        )
        problems.ask(table.grid.sheet, sentence, answers)
        return
    if settings.scale_high is not None and settings.scale_high > _HIGHEST:
        return
    within = given.min() >= _LOWEST and given.max() <= _HIGHEST
    if not looks_german(given) and not (within and _speaks_german(table)):
        return
    problems.ask(
        table.grid.sheet,
        f"The {plural(noun)} on sheet {table.grid.sheet} go from {given.min():g} to {given.max():g}, as on scales "
        "where 1 is "
        "best.",
        answers,
    )


def _ranked(lines: Lines) -> bool:
    """Tell whether most assessors who have a few scores gave every number from 1 to that many once."""
    low, high, counts = lines.lowest, lines.highest, lines.counts
    several = counts >= _FEWEST_RANKED
    candidates = np.flatnonzero(several & (low == 1) & (high == counts))
    enough = _MOST_RANK * several.sum()
    if several.sum() < 2 or len(candidates) < enough:
        return False
    return bool(sum(len(np.unique(lines.of(line))) == counts[line] for line in candidates.tolist()) >= enough)


def _speaks_german(table: Table) -> bool:
    texts = [value for row in table.cells[:_SEARCHED] for value in row if isinstance(value, str)]
    return any(word in _GERMAN_WORDS for text in (*texts, table.grid.sheet) for word in words_of(text))
