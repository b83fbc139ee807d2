"""`Cal summary`: one printable page with the verdict, the checks, what changed, and the pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from panelcal.reporting.chart_data import rounded_ends
from panelcal.reporting.model import CellRange, Chart, Note, Series, Sheet, Table
from panelcal.reporting.wording import counted, headed
from panelcal.systems.calibration.confidence_words import confidences_noun
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.residuals import residuals_chart
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.summary_classes import borderline_table, class_chart, class_table, crossing_table
from panelcal.systems.calibration.summary_rows import main_table
from panelcal.systems.calibration.up_to_date import panel_up_to_date

_THIRD = 3
_RIGHT = 6  # first column of what stands on the right
_WIDTHS = ((1, 30.0), (2, 16.0), (3, 78.0), (5, 2.0), (6, 21.0), *((column, 13.6) for column in range(7, 13)))
_TO_FILL_IN = (
    f"Corrected or looked at: {'_' * 110}",
    f"Decided on {'_' * 24}    Chair {'_' * 40}    Secretary {'_' * 40}",
)
_DECISIONS_WIDTH, _GAP = (4, 30.0), (4, 2.0)  # the fourth column holds decisions on classes, where there are any


def summary_sheet(context: Context, values: Table, assessors: Table, residuals: Table) -> Sheet:
    """Build the sheet; its charts draw on the tables of `Cal values`, `Cal assessors` and `Cal residuals`.

    Left the questions and answers with the main chart beside them, below them who crosses a boundary and who is
    borderline with the table of classes, at the bottom the other charts.
    """
    results = context.results
    reading = results.reading
    main = main_table(context)
    tables = [main]
    below = main.last_row + 2
    notes = [
        panel_up_to_date(context),
        Note(
            row=below,
            text="For the Board's decision: panelcal advises; nothing is promoted, moved or rounded by itself.",
            style="strong",
        ),
    ]
    below += 2
    counts = None
    if context.classes is not None:
        cases = (values, context.sheet("Cal values"))
        crossing = crossing_table(results, context.classes, below, *cases)
        classes = class_table(context.classes, below, _RIGHT)
        borderline = borderline_table(results, context.classes, crossing.last_row + 2, *cases)
        tables += [crossing, classes, *([] if borderline is None else [borderline])]
        counts = class_chart(classes, results)
        below = max(table.last_row for table in tables) + 2
        notes += [Note(row=below + 2 * k, text=line) for k, line in enumerate(_TO_FILL_IN)]
        below += 2 * len(_TO_FILL_IN)
    title, opening = headed(reading.settings.heading, f"Calibration of {reading.source_name}, sheet {reading.sheet}")
    return Sheet(
        name=context.sheet("Cal summary"),
        title=title,
        explanation=(
            f"{opening}Read {reading.summary}: {counted(results.panel.n_assessments, results.score_noun)}. "
            f"{_averages_in_words(context)}"
        ),
        tables=tuple(tables),
        notes=tuple(notes),
        charts=_charts(context, values, assessors, residuals, below, counts),
        frozen=None,
        column_widths=(*_WIDTHS, _GAP if context.classes is None else _DECISIONS_WIDTH),
        one_page=True,
    )


def _averages_in_words(context: Context) -> str:
    """Say what a raw average is, for a board that knows another one."""
    results = context.results
    if not np.ptp(results.panel.confidences):
        return f"Raw averages count all {results.scores_noun} alike."
    return f"Raw averages are weighted by {confidences_noun(results)}, and so may differ from plain ones."


def _charts(
    context: Context, values: Table, assessors: Table, residuals: Table, below: int, counts: Chart | None
) -> tuple[Chart, ...]:
    beside = () if counts is None else (replace(counts, row=below),)
    first = _values_chart(context.results, _cells_of(values, context.sheet("Cal values")))
    second = _biases_chart(context.results, _cells_of(assessors, context.sheet("Cal assessors")))
    if counts is None:
        second = replace(second, row=below, column=1, width_cm=24.0)
    else:
        second = replace(second, row=below, column=_THIRD, width_cm=19.2)
    third = residuals_chart(
        residuals, sheet=context.sheet("Cal residuals"), row=below, column=_RIGHT, width_cm=19.0, height_cm=7.0
    )
    return first, second, *beside, third


def _values_chart(results: Results, cells: Callable[[str], CellRange]) -> Chart:
    interval = results.value_interval(results.reading.settings.level)
    low, high = rounded_ends(np.concatenate([results.raw, results.values, interval.ravel()]))
    return Chart(
        kind="scatter",
        title=f"Raw average and calibrated value, with {results.reading.settings.level:.0%} intervals",
        x_title=f"{results.reading.nouns.object}, by rank of the calibrated value",
        y_title=results.reading.nouns.score,
        series=(
            Series(
                "Calibrated value",
                y=cells("Calibrated value"),
                x=cells("Rank"),
                plus=cells("Half-width"),
                minus=cells("Half-width"),
                marker="circle",
                colour=0,
            ),
            Series("Raw average", y=cells("Raw average"), x=cells("Rank"), marker="triangle", colour=1),
        ),
        alt_text=(
            f"Calibrated values of {results.panel.n_objects} {results.objects_noun} in order of rank with intervals, "
            "and their raw averages. Where the two differ by more than the interval, calibration clearly matters."
        ),
        row=4,
        column=_RIGHT,
        width_cm=19.0,
        height_cm=12.0,
        x_low=0,
        x_high=results.panel.n_objects + 1,
        y_low=low,
        y_high=high,
    )


def _biases_chart(results: Results, cells: Callable[[str], CellRange]) -> Chart:
    half = cells("Half-width")
    return Chart(
        kind="scatter",
        title=f"{results.reading.nouns.assessor} biases, with {results.reading.settings.level:.0%} intervals",
        x_title=f"{results.reading.nouns.assessor}, in the order of the sheet",
        y_title="Bias",
        series=(Series("Bias", y=cells("Bias"), plus=half, minus=half, marker="diamond", colour=2),),
        alt_text=(
            f"Biases of {results.panel.n_assessors} {results.assessors_noun} with intervals; above zero = generous. "
            "Of many intervals a few miss zero by chance; who is clearly off is named on the sheet of the assessors."
        ),
        row=4,
        column=1,
        height_cm=7.0,
        x_low=0,
        x_high=results.panel.n_assessors + 1,
        legend=False,
    )


def _cells_of(table: Table, sheet: str) -> Callable[[str], CellRange]:
    return lambda heading: table.cell_range(heading).on(sheet)
