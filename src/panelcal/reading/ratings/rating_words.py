"""Ratings written in words: where the table of rating words on Settings lists a word, its level stands in its place."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

from panelcal.errors import InputRefused
from panelcal.frozen import dataclass
from panelcal.reading.cell_values import code_key
from panelcal.reading.decisions import About, Decision
from panelcal.reading.grid import Grid, Source, address
from panelcal.reading.nouns import plural, with_article
from panelcal.reading.problems import Problems, listed
from panelcal.reading.settings import CODE_HEADINGS, WORD_HEADINGS, Settings
from panelcal.reading.sheet_choice import is_ours


@dataclass(frozen=True, slots=True)
class WordsReplaced:
    """A workbook in which words for ratings have become numbers.

    Attributes
    ----------
    source
        The workbook to read.
    words
        (sheet, address) -> the word that stood there.
    """

    source: Source
    words: dict[tuple[str, str], str]

    def refuse_in_labels(self, sheet: str, labels: dict[str, str], problems: Problems) -> None:
        """Stop where a name is also a word for a rating; `labels` maps addresses to what is expected there."""
        for cell, noun in labels.items():
            if (word := self.words.get((sheet, cell))) is not None:
                problems.add(
                    sheet,
                    f"{{where}} [names {with_article(noun)}|name {plural(noun)}] with a word for a rating "
                    f"({{values}}): change the name, "
                    "or the word for the rating.",
                    cell,
                    word,
                )

    def decisions(self, sheet: str, taken: set[str], settings: Settings) -> list[Decision]:
        """Say which of the cells taken as ratings held words."""
        cells = tuple(cell for where, cell in self.words if where == sheet and cell in taken)
        if not cells:
            return []
        table = listed([f"{word} = {level:g}" for word, level in {**settings.grades, **settings.rating_words}.items()])
        sentence = f"{len(cells)} ratings are words and count as the settings say ({table})."
        return [Decision(About.RATING_WORDS, cells, sentence, sheet=sheet)]


def replace_words(source: Source, settings: Settings) -> WordsReplaced:
    """Put the level in the place of every rating word on the sheets that may hold ratings.

    Raises
    ------
    InputRefused
        If a word is also a code, so that it could mean two things.
    """
    levels = {code_key(word): level for word, level in settings.rating_words.items()}
    codes = {code_key(code) for code in settings.codes}
    both = [code for code in settings.codes if code_key(code) in levels]
    if both:
        raise InputRefused(
            f"{listed(both)} stands both under {WORD_HEADINGS[0]} and under {CODE_HEADINGS[0]} of the settings: keep "
            "one of them."
        )
    levels |= {code_key(word): level for word, level in settings.grades.items() if code_key(word) not in codes}
    if not levels:
        return WordsReplaced(source, {})
    words: dict[tuple[str, str], str] = {}
    grids = tuple(grid if is_ours(grid.sheet) else _replaced(grid, levels, words) for grid in source.grids)
    return WordsReplaced(replace(source, grids=grids), words)


def _replaced(grid: Grid, levels: dict[str, float], words: dict[tuple[str, str], str]) -> Grid:
    def meant(i: int, row: tuple[Any, ...]) -> tuple[Any, ...]:
        places = [j for j, value in enumerate(row) if isinstance(value, str) and code_key(value) in levels]
        words.update({(grid.sheet, address(i, j + 1)): row[j] for j in places})
        return (
            tuple(levels[code_key(value)] if j in places else value for j, value in enumerate(row)) if places else row
        )

    return replace(grid, rows=tuple(meant(i, row) for i, row in enumerate(grid.rows, start=1)))
