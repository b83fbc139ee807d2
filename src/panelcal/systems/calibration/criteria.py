"""`Cal criteria`: criteria calibrated together, what each object is worth in each, and who leans on which."""

from __future__ import annotations

import numpy as np

from panelcal.facets.calibrate_facets import LEVEL, FacetCalibration
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.model import CellRange, Column, Highlight, Note, Sheet, Table
from panelcal.reporting.wording import number
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.criteria_words import leaning_in_words, leanings_in_words
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.wright_map import map_chart, map_in_words, map_table

_TOP = 4
_CHART_ROWS = 27
_MAP_COLUMNS = 10


def criteria_sheets(context: Context) -> tuple[Sheet, ...]:
    """Build the sheet; none where criteria are not calibrated together."""
    facets = context.results.facets
    return () if facets is None else (_sheet(context, context.results, facets),)


def _sheet(context: Context, results: Results, facets: FacetCalibration) -> Sheet:
    values = _values(results, facets)
    beside = len(values.columns) + 2
    levels = _levels(results, facets, column=beside)
    leanings = _leanings(results, facets, row=levels.last_row + 4, column=beside)
    ruler = map_in_words(results, facets, row=leanings.last_row + 4, column=beside)
    right = beside + _MAP_COLUMNS
    points = map_table(results, facets, row=_TOP + _CHART_ROWS + 2, column=right)
    headings = (
        (leanings, f"Who leans on which criterion, {results.assessor_noun} by {results.assessor_noun}"),
        (ruler, "The map in words: from this fair average up to the next line"),
        (points, "The points of the map"),
    )
    return Sheet(
        name=context.sheet("Cal criteria"),
        title=f"{facets.panel.n_criteria} criteria, calibrated together",
        explanation=(
            f"What {results.assessors_noun} who lean neither way would give, criterion by criterion, and the total "
            f"that stands on Cal values.{results.by_calibration}"
        ),
        tables=(values, levels, leanings, ruler, points),
        notes=(
            Note(row=3, text=leanings_in_words(results, facets), style="small"),
            Note(row=values.last_row + 2, text=_halo(facets), style="small"),
            *(Note(row=table.row - 1, column=table.column, text=text, style="heading") for table, text in headings),
        ),
        charts=(map_chart(results, facets, points, row=_TOP, column=right),),
        printed=(
            CellRange(1, 1, values.last_row + 2, beside - 2),
            CellRange(levels.row, beside, ruler.last_row, right - 2),
            CellRange(_TOP, right, _TOP + _CHART_ROWS, right + 9),
        ),
    )


def _halo(facets: FacetCalibration) -> str:
    """Say how far slips go together; standard errors of totals hang on it."""
    if not np.isfinite(facets.correlation):
        return "How far slips go together between criteria is not known here."
    return (
        f"What is left goes together between the criteria of one assessment (correlation "
        f"{number(facets.correlation, 2)}); errors of totals allow for it."
    )


def _values(results: Results, facets: FacetCalibration) -> Table:
    panel = facets.panel
    columns = [
        Column(results.reading.nouns.object, panel.objects, "text", 24),
        Column("Total", numbers(facets.totals), "score", 10, explanation="The weighted sum of the values beside it."),
        Column("Error of total", numbers(facets.total_errors), "score", 9, explanation="Its standard error."),
    ]
    for k, name in enumerate(panel.criteria):
        columns += [
            Column(
                name,
                numbers(facets.values[:, k]),
                "score",
                11,
                explanation=f"Fair average: what it would get from {results.assessors_noun} of bias 0.",
            ),
            Column(f"Error of {name}", numbers(facets.value_errors[:, k]), "score", 9, explanation="Standard error."),
        ]
    return Table(tuple(columns), row=_TOP, name="criteria values")


def _levels(results: Results, facets: FacetCalibration, *, column: int) -> Table:
    panel = facets.panel
    return Table(
        (
            Column("Criterion", panel.criteria, "text", 20),
            Column("Weight", facets.weights.tolist(), "general", 9, explanation="How much it counts in the total."),
            Column("Raw average", numbers(_raw(facets)), "score", 10),
            Column(
                "Easier (+) or harder (-)",
                numbers(facets.levels),
                "signed",
                12,
                explanation="How much higher its values lie than in the criteria on average.",
            ),
            Column("Standard error", numbers(facets.level_errors), "score", 10),
            Column(
                "Noise",
                numbers(np.sqrt(np.diag(facets.noise))),
                "score",
                9,
                explanation=f"Standard deviation of what neither {results.object_noun} nor {results.assessor_noun} "
                "explains, at confidence 1.",
            ),
        ),
        row=_TOP,
        column=column,
        name="criteria",
    )


def _raw(facets: FacetCalibration) -> np.ndarray:
    """Return (K,) confidence-weighted averages of the scores."""
    shares = facets.panel.confidences / facets.panel.confidences.sum()
    return np.asarray(shares @ facets.panel.scores)


def _leanings(results: Results, facets: FacetCalibration, *, row: int, column: int) -> Table:
    """Lay out a line for each assessor and criterion, those that are surest to lean first."""
    panel = facets.panel
    assessors, criteria = np.nonzero(~np.isnan(facets.biases))
    p = facets.adjusted_leaning_p[assessors, criteria]
    order = np.lexsort(
        (np.arange(len(p)), -np.abs(facets.leanings[assessors, criteria]), np.where(np.isnan(p), 1.0, p))
    )
    rows, columns = assessors[order], criteria[order]
    said: list[str] = []
    for a, k in zip(rows.tolist(), columns.tolist(), strict=True):
        first = a not in rows[: len(said)].tolist()
        clear = facets.adjusted_leaning_p[a, k] <= LEVEL
        said.append(leaning_in_words(results, facets, a) if first and clear else "")
    scale = (
        "" if (facets.units == 1).all() else " Criteria have different spreads: equal means in shares of each spread."
    )
    return Table(
        (
            Column(results.reading.nouns.assessor, [panel.assessors[a] for a in rows.tolist()], "text", 20),
            Column("Criterion", [panel.criteria[k] for k in columns.tolist()], "text", 20),
            Column(
                "Bias",
                numbers(facets.biases[rows, columns]),
                "signed",
                9,
                explanation="How much higher than the panel it scored the same work in this criterion; taken off.",
            ),
            Column("Standard error", numbers(facets.bias_errors[rows, columns]), "score", 10),
            Column(
                "Leaning",
                numbers(facets.leanings[rows, columns]),
                "signed",
                10,
                explanation="Bias beyond what it has over all its criteria, against the other "
                f"{results.assessors_noun}.{scale}",
                highlight=Highlight("data bar"),
            ),
            Column("Error of leaning", numbers(facets.leaning_errors[rows, columns]), "score", 9),
            Column(
                "Adjusted p",
                numbers(facets.adjusted_leaning_p[rows, columns]),
                "p value",
                10,
                explanation="Chance that any of all these would lean so far if none did, by Holm; bold up to 0.05.",
                highlight=Highlight("below", limit=np.nextafter(LEVEL, 1.0)),
            ),
            Column("In words", said, "wrapped", 60),
        ),
        row=row,
        column=column,
        name="leanings",
    )
