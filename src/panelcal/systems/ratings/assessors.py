"""`Cal assessors` for ratings: how severe each assessor is and where its cut-points lie, with the curves they make."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from panelcal.arrays import Indices
from panelcal.reading.nouns import with_article
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.columns import Spec, columns_of, in_order
from panelcal.reporting.drawn_intervals import (
    DRAWN,
    FIRST,
    LAST,
    LINE,
    MARK,
    VALUE,
    drawn_intervals,
    ends_to_draw,
)
from panelcal.reporting.model import Column, Note, Sheet, Table
from panelcal.reporting.paper import whole_on_pages
from panelcal.reporting.run_facts import RunContext
from panelcal.reporting.wording import number, signed, words_of
from panelcal.systems.ratings.results import OrdinalResults, average_curves

_MOST_CURVES = 24
_PANEL = "All together"


def ordinal_assessors_sheet(context: RunContext[OrdinalResults], table: Table) -> Sheet:
    """Build the sheet: the table of `ordinal_assessors_table`, below it cut-points and the curves for the summary.

    The curves are drawn on the summary, and so they are not printed here.
    """
    results = context.results
    cutpoints = cutpoint_tables(context, table)
    columns = max(table.column_number("Note"), *(len(one.columns) for one in cutpoints))
    sheet = Sheet(
        name=context.sheet("Cal assessors"),
        title=f"{results.reading.nouns.assessor} by {results.assessor_noun}: severity and cut-points",
        explanation=(
            f"A cut-point is how good {with_article(results.object_noun)} must be for an even chance of a rating "
            "above it. Severe: higher cut-points, taken into account."
        ),
        across=columns,
        tables=(table, *cutpoints),
        notes=(
            Note(
                row=table.last_row + 2,
                text=_drawn_in_words(results, DRAWN),
                style="small",
                column=2,
                across=columns - 1,
            ),
        ),
        portrait=True,
    )
    return replace(sheet, tables=(*sheet.tables, curves_table(context, table)), printed=whole_on_pages(sheet, columns))


def ordinal_assessors_table(context: RunContext[OrdinalResults]) -> Table:
    """Build the table of assessors."""
    results = context.results
    words = words_of(results.reading.nouns, level=f"{results.posterior.level:.0%}")
    return Table(in_order(columns_of(_COLUMNS, context, words), _order(results)), name="assessors")


def _order(results: OrdinalResults) -> Indices:
    """Return (n_assessors,) the assessor in each row: the most severe first."""
    return np.argsort(-results.posterior.severity, kind="stable")


def _ends(results: OrdinalResults) -> tuple[float, float]:
    interval = results.posterior.severity_interval
    furthest = max(map(abs, ends_to_draw(results.posterior.severity, interval[:, 0], interval[:, 1])))
    return -furthest, furthest


def _drawn(results: OrdinalResults) -> list[str | None]:
    low, high = results.posterior.severity_interval.T
    return drawn_intervals(results.posterior.severity, low, high, ends=_ends(results), marks=(0.0,))


def _drawn_in_words(results: OrdinalResults, opening: str) -> str:
    first, last = _ends(results)
    return (
        f"{opening} from {signed(first)} (generous) to {signed(last)} (severe) levels: {VALUE} severity in its "
        f"interval {FIRST}{LINE}{LAST}, {MARK} zero."
    )


def _links(context: RunContext[OrdinalResults]) -> list[str]:
    reading = context.results.reading
    return [f"#{reading.sheet}!{cell}" for cell in reading.assessor_cells] if context.linked else []


def _objects_shared(results: OrdinalResults) -> np.ndarray:
    ratings = results.posterior.ratings
    shared = np.bincount(ratings.object_index)[ratings.object_index] > 1
    return np.bincount(ratings.assessor_index[shared], minlength=ratings.n_assessors)


_COLUMNS: tuple[Spec[RunContext[OrdinalResults]], ...] = (
    Spec("{Assessor}", lambda c: c.results.posterior.assessors, "text", 16, links=_links),
    Spec(
        "Severity",
        lambda c: c.results.posterior.severity,
        "signed",
        9,
        "How many levels below the others it rates an average {object}; + = severe.",
    ),
    Spec(
        "From",
        lambda c: c.results.posterior.severity_interval[:, 0],
        "signed",
        8,
        "The severity lies between From and To with {level} probability.",
    ),
    Spec("To", lambda c: c.results.posterior.severity_interval[:, 1], "signed", 8, "See From."),
    Spec(DRAWN, lambda c: _drawn(c.results), "drawing", explanation=lambda c: _drawn_in_words(c.results, "Drawn")),
    Spec(
        "Ends used",
        lambda c: c.results.ends,
        "percent",
        8,
        "Chance that an average {object} gets the lowest or the highest level.",
    ),
    Spec("Note", lambda c: _notes(c.results), "wrapped", 30),
    Spec("Assessments", lambda c: np.bincount(c.results.posterior.ratings.assessor_index), "integer"),
    Spec(
        "Average rating",
        lambda c: _average_given(c.results),
        "score",
        9,
        "Plain mean of the ratings given, on the scale of the sheet, features weighted.",
    ),
    Spec(
        "Objects shared",
        lambda c: _objects_shared(c.results),
        "integer",
        10,
        "How many of its {objects} others rated too.",
    ),
)


def cutpoint_tables(context: RunContext[OrdinalResults], above: Table) -> tuple[Table, ...]:
    """Lay out the cut-points, a table for each feature, one below the other."""
    results = context.results
    posterior = results.posterior
    tables: list[Table] = []
    for q, feature in enumerate(posterior.features):
        columns = [Column(results.reading.nouns.assessor, list(posterior.assessors), "text")]
        for at in range(posterior.ratings.n_cutpoints):
            upper = posterior.levels[at + 1]
            columns.append(
                Column(
                    f"{feature}: to {upper}" if len(posterior.features) > 1 else f"Cut-point to {upper}",
                    numbers(posterior.cutpoints[:, q, at]),
                    "score",
                    explanation=f"Posterior mean of the cut-point between {posterior.levels[at]} and {upper}.",
                )
            )
        row = tables[-1].last_row + 3 if tables else above.last_row + 4  # there the line below the first stands between
        tables.append(Table(in_order(columns, _order(results)), row=row, name=f"cut-points {q + 1}"))
    return tuple(tables)


def curves_table(context: RunContext[OrdinalResults], above: Table) -> Table:
    """Lay out the curves: for an average object, the chance of each level or a lower one, a column per assessor.

    They stand below the cut-points of the assessors in the table `above`.
    """
    results = context.results
    posterior = results.posterior
    curves = average_curves(posterior)
    shown = _shown(results)
    columns = [
        Column(f"Chance of this {results.reading.nouns.score.lower()} or lower", list(posterior.levels), "text", 12)
    ]
    columns.append(_curve(_PANEL, curves.mean(axis=0)))
    taken = {column.heading for column in columns}
    for a in shown:
        label = posterior.assessors[a]
        columns.append(_curve(f"{results.reading.nouns.assessor} {label}" if label in taken else label, curves[a]))
    row = cutpoint_tables(context, above)[-1].last_row + 4
    return Table(tuple(columns), row=row, name="curves", heading_lines=3)  # not printed, and so as narrow as may be


def _curve(heading: str, chances: np.ndarray) -> Column:
    return Column(heading, [*map(float, chances), 1.0], "percent", 9)


def _shown(results: OrdinalResults) -> list[int]:
    """All assessors, or where there are many the most severe and the most generous of them."""
    count = len(results.posterior.severity)
    if count <= _MOST_CURVES:
        return list(range(count))
    order = np.argsort(results.posterior.severity, kind="stable")
    ends = [*order[: _MOST_CURVES // 2], *order[-_MOST_CURVES // 2 :]]
    return sorted(int(a) for a in ends)


def _average_given(results: OrdinalResults) -> np.ndarray:
    panel = results.panel
    sums, counts = panel.assessor_totals(panel.scores), panel.assessor_totals(np.ones(panel.n_assessments))
    known = dict(zip(panel.assessors, (sums / counts).tolist(), strict=True))
    return np.array([known.get(label, np.nan) for label in results.posterior.assessors])


def _notes(results: OrdinalResults) -> list[str]:
    """Say who is clearly severe or generous: whose interval of the severity misses zero, as it is shown."""
    posterior = results.posterior
    notes = []
    for severity, (low, high), count in zip(
        posterior.severity, posterior.severity_interval, np.bincount(posterior.ratings.assessor_index), strict=True
    ):
        parts = []
        if float(number(low)) > 0:
            parts.append(f"Clearly severe, by {number(severity)} levels.")
        elif float(number(high)) < 0:
            parts.append(f"Clearly generous, by {number(-severity)} levels.")
        if count == 1:
            parts.append(f"One {results.object_noun} only: its use of the scale is hardly known.")
        notes.append(" ".join(parts))
    return notes
