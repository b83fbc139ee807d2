"""Which column of a list is which: those the settings point at, those the headings name, and the questions left."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from panelcal.errors import Answer, Question
from panelcal.reading.cell_values import is_number, label_text, leading_number
from panelcal.reading.decisions import Decision
from panelcal.reading.grid import sheet_reference
from panelcal.reading.headings import ASSESSOR_WORDS, OBJECT_WORDS, noun_of, words_of
from panelcal.reading.overall_columns import overall_columns
from panelcal.reading.patterns import meant, places_of
from panelcal.reading.problems import listed
from panelcal.reading.settings import EACH, NO_CONFIDENCES, TOGETHER, Settings
from panelcal.reading.table import Table
from panelcal.reading.vocabulary import ADDRESSES, NAME_PARTS

_SAMPLED = 200
_MOST_LEVELS = 10
_LEVEL = re.compile(r"\s*\d{1,2}\s*[:.)=–—-]?\s*[^\W\d]")
_TIMES_FROM = 8e8  # seconds since 1970
_FIELDS = {
    "objects": "object_column",
    "assessors": "assessor_column",
    "scores": "score_column",
    "confidences": "confidence_column",
}
_SPOKEN = {
    "objects": "what is assessed",
    "assessors": "who assesses",
    "scores": "the scores",
    "confidences": "the confidences",
}


TOGETHER_ANSWER = Answer(
    {"criteria": {TOGETHER: 1.0}}, "add them up and see who leans on which of them, all calibrated together"
)
EACH_ANSWER = Answer({"criteria": {EACH: 1.0}}, "calibrate each by itself, with a result each")


def headed_columns(table: Table, i: int, settings: Settings) -> list[int]:
    """Return the columns with a text as heading in row i, less those that are to be left out."""
    row = table.cells[i]
    columns = [j for j, value in enumerate(row) if isinstance(value, str)]
    heads, cells = [row[j] for j in columns], [table.at(i, j) for j in columns]
    out = meant(settings.exclude, heads, cells) - meant(settings.include, heads, cells)
    return [j for k, j in enumerate(columns) if k not in out]


def pointed_columns(table: Table, i: int, settings: Settings) -> dict[str, list[int]] | None:
    """Return the columns that the settings name by their headings, by what they hold; None if row i lacks one."""
    columns = headed_columns(table, i, settings)
    heads, cells = [table.cells[i][j] for j in columns], [table.at(i, j) for j in columns]
    pointed: dict[str, list[int]] = {}
    for what, name in _FIELDS.items():
        pattern = getattr(settings, name)
        if not pattern or (what == "confidences" and pattern.casefold() == NO_CONFIDENCES):
            continue
        found = [columns[k] for k in places_of(pattern, heads, cells)]
        if not found:
            return None
        pointed[what] = found
    for patterns in (settings.criteria_named, settings.scores):
        if patterns and "scores" not in pointed:
            places = [places_of(pattern, heads, cells) for pattern in patterns]
            if not all(places):
                return None
            pointed["scores"] = sorted({columns[k] for found in places for k in found})
    return pointed


def holds_numbers(table: Table, i: int, j: int) -> bool:
    """Tell whether numbers, or words that count as numbers, stand in a column; the first rows are enough to know."""
    rows = range(i + 1, min(table.n_rows, i + 1 + _SAMPLED))
    return any(table.numeric(k, j) for k in rows)


def holds_times(table: Table, i: int, j: int) -> bool:
    """Tell whether every number in a column is as large as a time counted from 1970: no score is."""
    held = [table.cells[k][j] for k in range(i + 1, min(table.n_rows, i + 1 + _SAMPLED))]
    numbers = [value for value in held if is_number(value)]
    return bool(numbers) and min(numbers) >= _TIMES_FROM


def holds_numbers_before_words(table: Table, i: int, j: int) -> bool:
    """Tell whether every cell of a column begins with a number, as "5: accept" does."""
    held = [table.cells[k][j] for k in range(i + 1, min(table.n_rows, i + 1 + _SAMPLED))]
    return all(leading_number(value) is not None for value in held if value is not None) and any(held)


def holds_levels(table: Table, i: int, j: int) -> bool:
    """Tell whether a column holds a few levels such as "3 good", as a criterion called Presentation does."""
    held = [table.cells[k][j] for k in range(i + 1, min(table.n_rows, i + 1 + _SAMPLED))]
    levels = {value for value in held if value is not None}
    if not 1 < len(levels) <= min(_MOST_LEVELS, len(held) / 2):
        return False
    return all(isinstance(value, str) and _LEVEL.match(value) for value in levels)


def repeats(table: Table, i: int, j: int) -> bool:
    """Tell whether a label comes more than once in the column, as objects do in a list."""
    labels = [label_text(table.cells[k][j]) for k in range(i + 1, min(table.n_rows, i + 1 + _SAMPLED))]
    return len(set(labels)) < len(labels)


@dataclass(slots=True, eq=False)
class ColumnChoice:
    """Chooses among the columns under the headings of row `row`; keeps decisions, and questions it cannot answer."""

    table: Table
    row: int
    questions: list[Question] = field(default_factory=list)
    decisions: list[Decision] = field(default_factory=list)

    def headings(self, columns: Sequence[int]) -> list[str]:
        """Spell the headings of some columns."""
        return [label_text(self.table.cells[self.row][j]) for j in columns]

    def only(self, columns: Sequence[int], what: str, noun: str = "") -> int:
        """Return the one column, or the one that the noun names; else the first, and ask."""
        heads = self.headings(columns)
        named = [j for j, head in zip(columns, heads, strict=True) if noun and head.casefold() == noun.casefold()]
        if len(named or columns) == 1:
            return (named or columns)[0]
        answers = [Answer({_FIELDS[what]: name}, f"take {name} as {_SPOKEN[what]}") for name in self._names(columns)]
        self._ask(columns, what, answers)
        return columns[0]

    def score(self, columns: Sequence[int], noun: str, overall: Sequence[int] = ()) -> int:
        """Do the same for scores, which may also be criteria to be added up, or have their sum in `overall`."""
        heads = self.headings(columns)
        named = [j for j, head in zip(columns, heads, strict=True) if noun and head.casefold() == noun.casefold()]
        if len(named or columns) == 1:
            return (named or columns)[0]
        found = overall_columns(self.table, self.row, columns, overall)
        columns = found.criteria
        sums, names, others = self._names(found.sums), self._names(columns), self._names(found.others)
        answers = [Answer({"score_column": name}, f"take {name}, the sum of all, as the score") for name in sums]
        answers += [Answer({"score_column": name}, f"calibrate {name} by itself") for name in (*others, *names)]
        answers.append(Answer({"criteria": dict.fromkeys(names, 1.0)}, "add them up, each with the weight given here"))
        answers += [TOGETHER_ANSWER, EACH_ANSWER]
        self._ask([*found.sums, *found.others, *columns], "scores", answers)
        return columns[0]

    def _names(self, columns: Sequence[int]) -> list[str]:
        """Return what names each column: its heading, or its cell where the heading is not its own."""
        row = self.table.cells[self.row]
        heads = [label_text(value) for value in row]
        return [
            head if heads.count(head) == 1 else self.table.at(self.row, j)
            for j, head in zip(columns, self.headings(columns), strict=True)
        ]

    def _ask(self, columns: Sequence[int], what: str, answers: Sequence[Answer]) -> None:
        sheet = self.table.grid.sheet
        cells = [self.table.at(self.row, j) for j in columns]
        said = [f"{head} in {cell}" for head, cell in zip(self.headings(columns), cells, strict=True)]
        sentence = f"On sheet {sheet} several columns could hold the {what} ({listed(said)})."
        self.questions.append(Question(sentence, tuple(answers), tuple(sheet_reference(sheet, cell) for cell in cells)))


def identifying_column(
    choice: ColumnChoice, columns: Sequence[int], what: str, settings: Settings
) -> tuple[int, list[int]]:
    """Choose the column with ids where a noun heads several ("Candidate", "Candidate number"); return the rest too."""
    noun = settings.object_noun if what == "objects" else settings.assessor_noun
    vocabulary = OBJECT_WORDS if what == "objects" else ASSESSOR_WORDS
    heads = choice.table.cells[choice.row]
    named = [j for j in columns if noun and noun_of(heads[j], vocabulary).casefold() == noun.casefold()]
    columns = named or columns
    with_id = [j for j in columns if len(label_text(heads[j]).split()) > 1]
    if len({noun_of(heads[j], vocabulary) for j in columns}) == 1 and len(columns) > 1 and len(with_id) == 1:
        return with_id[0], [j for j in columns if j != with_id[0]]
    if len(columns) > 1 and all(NAME_PARTS & set(words_of(heads[j])) for j in columns):
        # First and last names apart identify nobody; an address of the same people does.
        said = {j: set(words_of(head)) for j, head in enumerate(heads) if j not in columns}
        columns = [*(j for j, words in said.items() if words & ADDRESSES and words & vocabulary), *columns]
    return choice.only(columns, what), []
