"""Words of no known scale where scores are expected: which they are, for the user to say what each counts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from panelcal.errors import Answer
from panelcal.reading.answers import Way, deed
from panelcal.reading.headings import Role, role_of
from panelcal.reading.table import Table

_LABELS = (Role.OBJECT, Role.ASSESSOR, Role.IDENTIFIER, Role.NAME, Role.ABOUT)
_MOST_WORDS, _MOST_LETTERS = 12, 40
_FEWEST_TIMES = 2  # that each word stands there on average


def how_to_count_words(table: Table, way: Way) -> str:
    """Say how the words of a table could count as scores; "" where it holds none that come again and again.

    Those of all columns without names are meant where they are few, as in a grid; else those of the last column that
    has such words, as in a list.
    """
    scores = [j for j in range(1, table.n_columns) if role_of(table.cells[0][j]) not in _LABELS]
    columns = [[row[j] for row in table.cells[1:] if row[j] is not None] for j in scores]
    for cells in ([cell for column in columns for cell in column], *reversed(columns)):
        words = _few_words(cells)
        if words:
            typed = deed(Answer({"grades": {word: float(k) for k, word in enumerate(words, 1)}}, ""), way)
            return f"Or, where these words are the scores, say what each counts: {typed}, with numbers of your own."
    return ""


def _few_words(cells: Sequence[object]) -> list[str]:
    """Return the words in the order of their appearance, where all are words and few; else nothing."""
    counts = Counter(cell.strip() for cell in cells if isinstance(cell, str))
    few = 1 < len(counts) <= _MOST_WORDS and counts.total() >= _FEWEST_TIMES * len(counts)
    only_words = counts.total() == len(cells) and all(len(word) <= _MOST_LETTERS for word in counts)
    return [*counts] if few and only_words else []
