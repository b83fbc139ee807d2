"""A column of a list that says what was possible in each row ("Out of", "Sur"): asked about where that differs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.arrays import Array
from panelcal.errors import Answer
from panelcal.reading.cell_values import kind_of, label_text
from panelcal.reading.decisions import About, Decision
from panelcal.reading.headings import statistic_kind, words_of
from panelcal.reading.long_list import LongList
from panelcal.reading.nouns import plural
from panelcal.reading.plausibility.gate import TO_PERCENTAGES
from panelcal.reading.score_values import ScoreValues
from panelcal.reading.terms import Terms
from panelcal.reading.vocabulary import words

_OUT_OF = words("sur von auf sobre possible barème maximum max maximal van su")
_HIGH = words("high upper")
AS_THEY_ARE = Answer({"different_maxima": "as they are"}, "read the scores as they stand")


def settled_maxima(found: LongList, rows: Sequence[int], values: ScoreValues, terms: Terms) -> None:
    """Ask about, or divide by, what was possible in each row, where a column says so and it is not always the same.

    Parameters
    ----------
    rows
        (K,) those that were read.
    values
        Their scores; changed where they become percentages.
    """
    given = np.isfinite(values.numbers)
    if not given.any() or terms.settings.different_maxima == "as they are":
        return
    for j in found.unread:
        heading = found.heading(j)
        called = statistic_kind(heading) in ("maximum possible", "max") or set(words_of(heading)) <= _OUT_OF
        if not called or not words_of(heading):
            continue
        tops = np.array([kind_of(found.table.cells[i][j])[1] for i in rows])
        if not _are_maxima(values.numbers[given], tops[given]):
            continue
        if _HIGH & set(words_of(heading)) and not _goes_with_a_name(found, rows, tops):
            continue  # High beside Low: how far the score could be off, and no maximum
        cells = (found.table.span((rows[0], j), (rows[-1], j)),)
        if terms.settings.different_maxima == "percentage":
            values.numbers[given] = np.round(100 * values.numbers[given] / tops[given], 10)
            values.plain[given] = False
            sentence = f"Each {terms.score} counts as a percentage of what {label_text(heading)} says was possible."
            values.decisions.append(Decision(About.PERCENTAGES_OF_MAXIMA, cells, sentence, "warning", terms.sheet))
            return
        sentence = (
            f"{label_text(heading)} on sheet {terms.sheet} goes from {tops[given].min():g} to {tops[given].max():g}: "
            f"the {plural(terms.score)} are not all on one scale."
        )
        terms.problems.ask(terms.sheet, sentence, [TO_PERCENTAGES, AS_THEY_ARE], cells)
        return


def _goes_with_a_name(found: LongList, rows: Sequence[int], tops: Array) -> bool:
    """Tell whether the number is the same wherever the same object, or the same assessor, comes again."""
    for column in (found.object_column, found.assessor_column):
        labels = [label_text(found.table.cells[i][column]) for i in rows]
        if len(set(zip(labels, tops.tolist(), strict=True))) == len(set(labels)):
            return True
    return False


def _are_maxima(scores: Array, tops: Array) -> bool:
    """Tell whether each score is at most the number beside it, and these differ."""
    return bool(np.isfinite(tops).all() and (tops > 0).all() and (scores <= tops).all() and np.ptp(tops) > 0)
