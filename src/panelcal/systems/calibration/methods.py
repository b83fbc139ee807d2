"""`Cal methods`: what other methods would have said, object by object, which predicts best, and what each changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from panelcal.reading.grid import address, sheet_reference
from panelcal.reporting.cell_content import numbers, ranks_among
from panelcal.reporting.chart_data import centimetres_right_of
from panelcal.reporting.columns import in_order
from panelcal.reporting.layout import column_widths
from panelcal.reporting.model import CellRange, Column, Note, Sheet, Table
from panelcal.reporting.paper import charts_on_pages, rows_on_first_page, whole_on_pages
from panelcal.systems.calibration.confidence_words import confidences_noun
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.method_charts import (
    LEAST_CM,
    MOST_CM,
    difference_charts,
    placed,
    places_chart,
)
from panelcal.systems.calibration.method_evidence import evidence_chart, evidence_notes, evidence_table, finding
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.survival import survival_notes, survival_table

BIAS_DIFFERENCE = "Calibration with confidence less weighted average"
FISHER_DIFFERENCE = "Fisher less simple average"
CONFIDENCE_DIFFERENCE = "Calibration with confidence less Fisher"

_DEFAULT = "Calibration with confidence"
_MORE = {
    "ranks": "Ranks by each method",
    "rank changes": "Places gained (+) or lost (-) against calibration with confidence",
    "standard errors": "Standard errors, where a method has them",
}
_EXPLANATIONS = {
    "simple_average": "Plain mean of the {scores}.",
    "weighted_average": "Mean of the {scores}, weighted by {confidence}.",
    "fisher": "Calibration with all {scores} counting alike (additive incomplete block analysis).",
    "confidence": "The paper's method.",
}
_TOP = 5
_GAP = 2.0  # characters between the values and the charts
_CHART_COLUMNS = 9  # of the usual width, that hold the widest chart
_ON_PAPER = " On paper: the first {} rows."


def methods_sheet(context: Context) -> Sheet:
    """Build the sheet: values from the top, charts beside them, and below both which method predicts best.

    Where the settings name further methods, ranks, rank changes and standard errors follow, a table each.
    """
    results = context.results
    compared = context.compared
    values = _values_table(context)
    beside = values.column + len(values.columns) + 1
    below = values.last_row + 3
    evidence = evidence_table(results, compared, row=below + 4)
    notes = evidence_notes(
        results, compared, above=below, below=evidence.last_row + 2, summary=context.sheet("Cal summary")
    )
    said = max(note.row for note in notes)
    decisions = survival_table(context, row=said + 5)
    survival = () if decisions is None else survival_notes(decisions, more_asked=bool(results.reading.settings.compare))
    below_these = said if decisions is None else decisions.last_row
    more = _more_tables(context, below_these + 3)
    last_column = beside + _CHART_COLUMNS - 1
    tables = (values, evidence, *([] if decisions is None else [decisions]), *more)
    widths = column_widths(Sheet("", "", "", tables=tables, column_widths=((beside - 1, _GAP),)))
    width_cm = min(max(centimetres_right_of(widths, beside), LEAST_CM), MOST_CM)
    charts, drawn = difference_charts(
        results, compared, row=_TOP, column=beside, behind=last_column + 2, width_cm=width_cm
    )
    further = (evidence_chart(results, compared, evidence), places_chart(results, evidence) if more else None)
    charts += tuple(
        placed(chart, _TOP, beside, place, width_cm)
        for place, chart in enumerate((one for one in further if one is not None), len(charts))
    )
    name = context.sheet("Cal methods")
    sheet = Sheet(
        name=name,
        title="What other methods would have said",
        explanation=(
            "The four approaches of MacKay, Kenna, Low and Parker (2015), Table 1. A difference is not an error: it "
            f"shows what {_what_differs(results)}."
        ),
        across=beside - 2,
        tables=tables,
        column_widths=((beside - 1, _GAP),),
        notes=(
            Note(
                row=3,
                text=f"{finding(results, compared)} See row {below}.",
                style="small",
                link=f"#{sheet_reference(name, address(below, 1))}",
            ),
            *(note if note.style == "heading" else replace(note, across=beside - 2) for note in notes),
            *survival,
            *(Note(row=table.row - 1, text=_MORE[table.name], style="heading") for table in more),
        ),
    )
    pictures = charts_on_pages(sheet, charts, last_column, widest=beside - 2)
    pages = _on_pages(sheet, values, beside - 2)
    cut = pages[0].last_row < values.last_row
    return replace(
        sheet,
        explanation=f"{sheet.explanation}{_ON_PAPER.format(pages[0].last_row - values.row) if cut else ''}",
        tables=(*sheet.tables, *drawn),
        charts=charts,
        printed=(*pages, *pictures),
    )


def _what_differs(results: Results) -> str:
    """Say what makes the methods differ: calibrating, and confidences where there are any."""
    if not results.reading.nouns.confidence:
        return (
            f"calibrating changes. All {results.scores_noun} count alike, so two of the four agree with the other two"
        )
    return f"calibrating and what {confidences_noun(results)} change"


def _on_pages(sheet: Sheet, values: Table, last_column: int) -> tuple[CellRange, ...]:
    """Print the first page of the values, whose headings could not be repeated, and no other table in two parts."""
    fitting = rows_on_first_page(sheet, values, last_column)
    if values.n_rows <= fitting:
        return whole_on_pages(sheet, last_column)
    below = whole_on_pages(sheet, last_column, first_row=values.last_row + 2)
    return (CellRange(1, 1, values.row + fitting, last_column), *below)


def _values_table(context: Context) -> Table:
    results, compared = context.results, context.compared
    values = {result.method.name: fitted.values for result, fitted in compared.fitted()}
    words = {
        name: text.format(scores=results.scores_noun, confidence=confidences_noun(results))
        for name, text in _EXPLANATIONS.items()
    }

    def difference(one: str, two: str, heading: str) -> Column:
        return Column(heading, numbers(values[one] - values[two]), "signed")

    columns = [Column(results.reading.nouns.object, results.panel.objects, "text")]
    for result, fitted in compared.fitted():
        name = result.method.name
        columns.append(
            Column(
                result.method.title,
                numbers(fitted.values),
                "score",
                explanation=words.get(name, fitted.note),
            )
        )
    columns += [
        difference("fisher", "simple_average", FISHER_DIFFERENCE),
        difference("confidence", "weighted_average", BIAS_DIFFERENCE),
        difference("confidence", "fisher", CONFIDENCE_DIFFERENCE),
    ]
    return Table(in_order(columns, context.object_order), name="methods")


def _risen(reference: Sequence[int | None], own: Sequence[int | None]) -> list[int | None]:
    """By how many places each rank is better than in the reference; None for who has no rank."""
    return [None if was is None or now is None else was - now for was, now in zip(reference, own, strict=True)]


def _more_tables(context: Context, row: int) -> list[Table]:
    """Build tables of ranks, rank changes and standard errors below one another; none unless methods are named.

    Every method has the column that it has in the table of values.
    """
    results, compared = context.results, context.compared
    if not compared.named:
        return []
    higher = results.reading.settings.higher_is_better
    places = {
        result.method.title: ranks_among(fitted.values, higher, results.ranked) for result, fitted in compared.fitted()
    }
    reference = places[_DEFAULT]
    nobody = np.full(results.panel.n_objects, np.nan)
    errors = {
        result.method.title: nobody if fitted.value_errors is None else fitted.value_errors
        for result, fitted in compared.fitted()
    }
    tables = []
    for name, columns in (
        ("ranks", [Column(title, own, "integer") for title, own in places.items()]),
        ("rank changes", [Column(title, _risen(reference, own), "places") for title, own in places.items()]),
        ("standard errors", [Column(title, numbers(own), "score") for title, own in errors.items()]),
    ):
        labels = Column(results.reading.nouns.object, results.panel.objects, "text")
        tables.append(Table(in_order((labels, *columns), context.object_order), row=row, name=name))
        row = tables[-1].last_row + 3
    return tables
