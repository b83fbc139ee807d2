"""The criteria of a list that are calibrated together: a score in each for every assessment that counts."""

from __future__ import annotations

import numpy as np

from panelcal.arrays import Indices
from panelcal.panel import Panel, totals_by
from panelcal.reading.cell_values import label_text
from panelcal.reading.list_scores import ScoreColumn
from panelcal.reading.long_list import LongList
from panelcal.reading.nouns import with_article
from panelcal.reading.problems import listed
from panelcal.reading.reading import CriteriaRead
from panelcal.reading.score_values import ScoreValues
from panelcal.reading.terms import Terms

_LEAST = 2


def require_criteria(found: LongList, terms: Terms) -> None:
    """Note as a problem that criteria are to be calibrated together where there are none, or one counts nothing."""
    if not terms.settings.criteria_together:
        return
    heads = _names(found)
    if len(heads) < _LEAST:
        terms.problems.say(
            terms.sheet,
            f"On sheet {terms.sheet} only {listed(heads)} is read as {with_article(terms.score)}, so that there are no "
            "criteria to calibrate together: name their columns, or do not ask for together.",
        )
    nothing = [head for head, weight in zip(heads, found.score_weights, strict=True) if not weight > 0]
    if nothing:
        terms.problems.say(
            terms.sheet,
            f"Criteria that are calibrated together must each count more than 0 in the sum: {listed(nothing)} "
            f"{'does' if len(nothing) == 1 else 'do'} not. Leave it out, or give it a weight.",
        )


def criteria_of_list(
    found: LongList, scores: ScoreColumn, values: ScoreValues, chosen: Indices, panel: Panel, terms: Terms
) -> CriteriaRead | None:
    """Return the criteria of the assessments that make the panel, None where they are not calibrated together.

    Parameters
    ----------
    scores, values
        What was read; `scores` are those of `values` that are numbers.
    chosen
        Which of them count, where an assessor has several for the same object.
    """
    if not terms.settings.criteria_together or values.criteria is None:
        return None
    each = values.criteria[:, ~np.isnan(values.numbers)].T
    if terms.settings.repeated == "average":
        pairs, count = scores.pairs, int(scores.pairs.max()) + 1
        sums = np.column_stack([totals_by(pairs, column, count) for column in each.T])
        each = sums[pairs] / np.bincount(pairs)[pairs][:, None]
    heads = _names(found)
    table = each[chosen]
    table.setflags(write=False)
    from panelcal.facets.facet_panel import FacetPanel  # noqa: PLC0415 - few calibrate criteria together

    criteria = FacetPanel(
        panel.objects,
        panel.assessors,
        tuple(heads),
        panel.object_index,
        panel.assessor_index,
        table,
        panel.confidences,
    )
    return CriteriaRead(criteria, dict(zip(heads, found.score_weights, strict=True)))


def _names(found: LongList) -> list[str]:
    """Name the criteria by their headings, and by their cells as well where two are headed alike."""
    heads = [label_text(found.heading(j)) for j in found.score_columns]
    return [
        head if heads.count(head) == 1 else f"{head} ({found.table.at(found.row, j)})"
        for head, j in zip(heads, found.score_columns, strict=True)
    ]
