"""Keys that stand on a sheet beside its numbers: "0 = absent", "1 = exceptional, 9 = poor"."""

from __future__ import annotations

import re
from collections.abc import Iterator

from panelcal.errors import Answer
from panelcal.reading.nouns import with_article
from panelcal.reading.problems import Problems
from panelcal.reading.settings import Settings
from panelcal.reading.table import Table

_NEAR = 30
_LONGEST = 200
_ABSENT = re.compile(
    r"(?:^|[\s(;,])0\s*(?:=|:|means|stands for|bedeutet|steht für|signifie|significa)\s*"
    r"(?:not?\b|absen|did\b|didn|missing|missed|was not|nicht|abwesend|kein|fehl|gefehlt|non\b|ausente|assente|niet|"
    r"afwezig|n/?a\b|blank|withdr|nieobec)",
    re.IGNORECASE,
)
_STEP = re.compile(r"(?<![\d.])(\d{1,3})\s*(?:=|:|means|is)\s*(?:the\s+|very\s+|sehr\s+)?([^\W\d_]+)", re.IGNORECASE)
_GOOD = frozenset(
    "exceptional excellent outstanding best good superb perfect top highest hervorragend "
    "ausgezeichnet gut beste bester höchste excellente meilleur mejor excelente eccellente migliore uitstekend".split()
)
_BAD = frozenset(
    "poor weak worst bad unacceptable fail lowest unsatisfactory insufficient ungenügend mangelhaft schlecht "
    "schlechteste schwach mauvais faible peor malo pessimo slecht".split()
)


def zero_means_absent(table: Table) -> str:
    """Return the note on a sheet that says that 0 stands for no assessment, "" without one."""
    return next((text for text in _notes(table) if _ABSENT.search(text)), "")


def low_is_best_by_key(table: Table) -> str:
    """Return the note on a sheet by which its low numbers are the good ones, "" without one."""
    for text in _notes(table):
        steps = [(int(number), word.casefold()) for number, word in _STEP.findall(text)]
        good = [number for number, word in steps if word in _GOOD]
        bad = [number for number, word in steps if word in _BAD]
        if good and bad and max(good) < min(bad):
            return text
        if not bad and good == [1] and len(steps) == 1:
            return text
    return ""


def ask_about_zeros(n_zeros: int, table: Table, noun: str, settings: Settings, problems: Problems) -> bool:
    """Ask whether 0 is a score where a note says that it is none; tell whether it did."""
    note = zero_means_absent(table) if n_zeros and "0" not in settings.codes else ""
    if note:
        answers = (
            Answer({"codes": {"0": "exclude"}}, "take 0 as not assessed"),
            Answer({"codes": {"0": "zero"}}, f"count it as {with_article(noun)} of 0"),
        )
        sentence = f'Sheet {table.grid.sheet} says "{note}", and {n_zeros} of its cells hold 0.'
        problems.ask(table.grid.sheet, sentence, answers)
    return bool(note)


def _notes(table: Table) -> Iterator[str]:
    """Short texts in the first and last rows of a sheet."""
    rows = table.grid.rows
    near = rows if len(rows) <= 2 * _NEAR else (*rows[:_NEAR], *rows[-_NEAR:])
    for row in near:
        for value in row:
            if isinstance(value, str) and len(value) <= _LONGEST:
                yield value.strip()
