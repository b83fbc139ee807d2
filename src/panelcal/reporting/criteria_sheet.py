"""`Cal criteria`: criteria calibrated together, what each object is worth in each, and who leans on which."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from panelcal.arrays import Indices
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.chart_data import centimetres_right_of
from panelcal.reporting.columns import bold_up_to, in_order
from panelcal.reporting.criteria_figures import LEVEL, CriteriaFigures
from panelcal.reporting.criteria_words import leaning_in_words, leanings_in_words
from panelcal.reporting.layout import column_widths, wrapped_where_cut
from panelcal.reporting.looks import ROW_HEIGHT
from panelcal.reporting.model import CellRange, Column, Highlight, Note, Sheet, Table
from panelcal.reporting.paper import fits_on_page, fits_upright
from panelcal.reporting.wording import InWords
from panelcal.reporting.wright_map import map_chart, map_in_words, map_table

_TOP = 4
_SMALLEST_MAP_CM = 11.0
_ACROSS = 10  # columns that the tables beside the values take, with a gap
_WORDS = {True: 32.0, False: 60.0}  # characters of sentences and of names on upright paper and across
_NAMES = {True: 14.0, False: 20.0}
_POINTS_PER_CM = 72.0 / 2.54


def criteria_sheet(name: str, results: InWords, figures: CriteriaFigures, order: Indices) -> Sheet:
    """Build the sheet of this name, objects in this order; `results` give the words for objects and assessors."""
    values = _values(results, figures, order)
    beside = len(values.columns) + 2
    for upright in (True, False):
        levels = _levels(figures, column=beside)
        right = beside + _ACROSS
        points = map_table(results, figures, row=_TOP, column=right)
        room = centimetres_right_of(column_widths(Sheet(name, "", "", tables=(values,))), beside)
        chart = map_chart(results, figures, points, row=levels.last_row + 2, column=beside)
        chart = replace(chart, width_cm=max(min(chart.width_cm, room), _SMALLEST_MAP_CM))
        below = chart.row + math.ceil(chart.height_cm * _POINTS_PER_CM / ROW_HEIGHT) + 2
        ruler = map_in_words(results, figures, row=below + 1, column=beside, width=_NAMES[upright])
        leanings = _leanings(results, figures, row=ruler.last_row + 4, column=beside, width=_WORDS[upright])
        if upright and fits_upright((values,)) and fits_upright((levels, leanings, ruler)):
            break
    headings = (
        (leanings, f"Who leans on which criterion, {results.assessor_noun} by {results.assessor_noun}"),
        (ruler, "The map in words: from this fair average up to the next line"),
    )
    sheet = Sheet(
        name=name,
        title=f"{len(figures.criteria)} criteria, calibrated together",
        explanation=figures.explanation,
        tables=(values, levels, leanings, ruler, points),
        notes=(
            Note(row=3, text=leanings_in_words(results, figures), style="small"),
            Note(row=values.last_row + 2, text=figures.slips, style="small", across=len(values.columns)),
            *(Note(row=table.row - 1, column=table.column, text=text, style="heading") for table, text in headings),
        ),
        charts=(chart,),
        portrait=upright,
    )
    last_column = beside + len(leanings.columns) - 1
    drawn = CellRange(levels.row, beside, ruler.last_row, last_column)
    parts = (replace(drawn, last_row=below - 1), replace(drawn, first_row=ruler.row - 1))
    maps = (drawn,) if fits_on_page(sheet, drawn) else parts
    return replace(
        sheet,
        printed=(
            CellRange(1, 1, values.last_row + 2, beside - 2),
            *maps,
            CellRange(leanings.row - 1, beside, leanings.last_row, last_column),
        ),
    )


def _values(results: InWords, figures: CriteriaFigures, order: Indices) -> Table:
    columns = [
        wrapped_where_cut(Column(results.reading.nouns.object, figures.objects, "text", 24)),
        Column("Total", numbers(figures.totals), "score", 10, explanation="The weighted sum of the values beside it."),
        Column("Error of total", numbers(figures.total_errors), "score", 9, explanation="Its standard error."),
    ]
    for k, name in enumerate(figures.criteria):
        columns += [
            Column(
                name,
                numbers(figures.values[:, k]),
                "score",
                11,
                explanation=figures.fair,
            ),
            Column(f"Error of {name}", numbers(figures.value_errors[:, k]), "score", 9, explanation="Standard error."),
        ]
    return Table(in_order(columns, order), row=_TOP, name="criteria values")


def _levels(figures: CriteriaFigures, *, column: int) -> Table:
    return Table(
        (
            wrapped_where_cut(Column("Criterion", figures.criteria, "text", 20)),
            Column("Weight", figures.weights.tolist(), "general", 9, explanation="How much it counts in the total."),
            Column("Raw average", numbers(figures.raw_averages), "score", 10),
            Column(
                "Easier (+) or harder (-)",
                numbers(figures.levels),
                "signed",
                12,
                explanation="How much higher its values lie than in the criteria on average.",
            ),
            Column("Standard error", numbers(figures.level_errors), "score", 10),
            Column(
                "Noise",
                numbers(figures.noise),
                "score",
                9,
                explanation=figures.scatter,
            ),
        ),
        row=_TOP,
        column=column,
        name="criteria",
    )


def _leanings(results: InWords, figures: CriteriaFigures, *, row: int, column: int, width: float) -> Table:
    """Lay out a line for each assessor and criterion, those that are surest to lean first."""
    assessors, criteria = np.nonzero(~np.isnan(figures.biases))
    p = figures.adjusted_leaning_p[assessors, criteria]
    order = np.lexsort(
        (np.arange(len(p)), -np.abs(figures.leanings[assessors, criteria]), np.where(np.isnan(p), 1.0, p))
    )
    rows, columns = assessors[order], criteria[order]
    said: list[str] = []
    for a, k in zip(rows.tolist(), columns.tolist(), strict=True):
        first = a not in rows[: len(said)].tolist()
        clear = figures.adjusted_leaning_p[a, k] <= LEVEL
        said.append(leaning_in_words(results, figures, a) if first and clear else "")
    return Table(
        (
            Column(results.reading.nouns.assessor, [figures.assessors[a] for a in rows.tolist()], "text", 20),
            Column("Criterion", [figures.criteria[k] for k in columns.tolist()], "text", 20),
            Column(
                "Bias",
                numbers(figures.biases[rows, columns]),
                "signed",
                9,
                explanation="How much higher than the panel it scored the same work in this criterion; taken off.",
            ),
            Column("Standard error", numbers(figures.bias_errors[rows, columns]), "score", 10),
            Column(
                "Leaning",
                numbers(figures.leanings[rows, columns]),
                "signed",
                10,
                explanation="Bias beyond what it has over all its criteria, against the other "
                f"{results.assessors_noun}.{figures.beyond}",
                highlight=Highlight("data bar"),
            ),
            Column("Error of leaning", numbers(figures.leaning_errors[rows, columns]), "score", 9),
            Column(
                "Adjusted p",
                numbers(figures.adjusted_leaning_p[rows, columns]),
                "p value",
                10,
                explanation="Chance that any of all these would lean so far if none did, by Holm; bold up to 0.05.",
                highlight=bold_up_to(LEVEL, calm=True),
            ),
            Column("In words", said, "wrapped", width),
        ),
        row=row,
        column=column,
        name="leanings",
    )
