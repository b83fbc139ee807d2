"""`Cal methods`: what other methods would have said, object by object, which predicts best, and what each changes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from panelcal.reading.grid import address, sheet_reference
from panelcal.reporting.cell_content import numbers, ranks_among
from panelcal.reporting.chart_data import centimetres_right_of
from panelcal.reporting.columns import in_order
from panelcal.reporting.layout import column_widths, wrapped_where_cut
from panelcal.reporting.model import CellRange, Chart, Column, Note, Sheet, Table
from panelcal.reporting.paper import (
    charts_on_pages,
    end_among_low_rows,
    fits_upright,
    room_below,
    rows_on_first_page,
    stacked,
    whole_on_pages,
)
from panelcal.reporting.text_size import longest_word
from panelcal.systems.calibration.confidence_words import confidences_noun
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.method_charts import (
    ABREAST_COLUMNS,
    LEAST_CM,
    MOST_CM,
    difference_charts,
    placed,
    places_chart,
)
from panelcal.systems.calibration.method_evidence import (
    evidence_chart,
    evidence_notes,
    evidence_table,
    finding_in_short,
)
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.survival import DECISIONS, LEAST_FOR_CLASSES, survival_notes, survival_table

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
_TOP, _LOWEST_CM = 5, 5.0
_GAP = 2.0  # characters between the values and the charts
_CHART_COLUMNS = 9  # of the usual width, that hold the widest chart
_BESIDE_WORD = 1.3  # characters that a column of words has beside the longest
_HEADING_LINES, _NAMES = 4, (34.0, 28.0, 22.0, 16.0)  # of headings, and characters of names, to fit upright paper
_ON_PAPER = " On paper: the first {} rows."


def methods_sheet(context: Context) -> Sheet:
    """Build the sheet: values from the top, charts beside them, and below both which method predicts best.

    Where the settings name further methods, ranks, rank changes and standard errors follow, a table each.
    """
    results, compared, name = context.results, context.compared, context.sheet("Cal methods")
    values = _values_table(context)
    beside = values.column + len(values.columns) + 1
    below = values.last_row + 3
    evidence = evidence_table(results, compared, row=below + 4)
    notes = evidence_notes(
        results, compared, above=below, below=evidence.last_row + 2, summary=context.sheet("Cal summary")
    )
    said = max(note.row for note in notes)
    found, drawn = difference_charts(results, compared, behind=beside + _CHART_COLUMNS + ABREAST_COLUMNS + 1)
    judged = [evidence_chart(results, compared, evidence), places_chart(results, evidence) if compared.named else None]
    judging = tuple(chart for chart in judged if chart is not None)
    decisions = survival_table(context, row=said + 5)
    survival = () if decisions is None else survival_notes(decisions, more_asked=bool(results.reading.settings.compare))
    more = _more_tables(context, (said if decisions is None else decisions.last_row) + 3)
    tables, upright = _within_paper((values, evidence, *([] if decisions is None else [decisions]), *more))
    sheet = Sheet(
        name=name,
        title="What other methods would have said",
        explanation=(
            "The four approaches of MacKay, Kenna, Low and Parker (2015), Table 1. A difference is not an error: it "
            f"shows what {_what_differs(results)}."
        ),
        across=beside - 2,
        portrait=upright,
        tables=tables,
        column_widths=((beside - 1, _GAP),),
        notes=(
            Note(
                row=3,
                text=f"{finding_in_short(results, compared)}: see row {below}.",
                style="small",
                link=f"#{sheet_reference(name, address(below, 1))}",
                across=beside - 2,
            ),
            *(note if note.style == "heading" else replace(note, across=beside - 2) for note in notes),
            *survival,
            *(Note(row=table.row - 1, text=_MORE[table.name], style="heading") for table in more),
        ),
    )
    return _with_pictures(sheet, found, judging, drawn)


def _with_pictures(sheet: Sheet, charts: Sequence[Chart], judging: Sequence[Chart], drawn: Sequence[Table]) -> Sheet:
    """Put charts beside the tables, with those that they draw behind them, and divide all into pages.

    Those that judge the methods stand below the tables where the last page has room for them, else with the others.
    """
    last_column, beside = sheet.across, sheet.across + 2
    values = sheet.tables[0]
    pages = _on_pages(sheet, values, last_column)
    cut = pages[0].last_row < values.last_row
    below = _below_tables(sheet, pages[-1], judging) if len(charts) > 1 else ()  # else that would be alone on a page
    if below:
        pages = (*pages[:-1], replace(pages[-1], last_row=end_among_low_rows(below[-1])))
    charts = (*charts, *(() if below else judging))
    left_cm = centimetres_right_of(column_widths(sheet), beside)
    seen = left_cm >= LEAST_CM
    abreast = 1 if sheet.portrait or seen else 2
    last_of_charts = beside + _CHART_COLUMNS + ABREAST_COLUMNS * (abreast - 1) - 1
    charts = placed(charts, _TOP, beside, min(left_cm, MOST_CM) if seen else MOST_CM)
    charts = stacked(sheet, charts, abreast=abreast, apart=ABREAST_COLUMNS, last_column=last_of_charts)
    pictures = charts_on_pages(sheet, charts[::abreast], last_of_charts)
    return replace(
        sheet,
        explanation=f"{sheet.explanation}{_ON_PAPER.format(pages[0].last_row - values.row) if cut else ''}",
        tables=(*sheet.tables, *drawn),
        charts=(*charts, *below),
        printed=(*pages, *pictures),
    )


def _below_tables(sheet: Sheet, page: CellRange, charts: Sequence[Chart]) -> tuple[Chart, ...]:
    """Put a chart below the tables of a page; none where there are several, or where it would be very low."""
    room = room_below(sheet, page)
    if len(charts) != 1 or room < _LOWEST_CM or page.last_row < max(table.last_row for table in sheet.tables):
        return ()
    (chart,) = placed(charts, page.last_row + 2, 1, MOST_CM)
    return (replace(chart, height_cm=min(chart.height_cm, room)),)


def _what_differs(results: Results) -> str:
    """Say what makes the methods differ: calibrating, and confidences where there are any."""
    if not results.reading.nouns.confidence:
        return (
            f"calibrating changes. All {results.scores_noun} count alike, so two of the four agree with the other two"
        )
    return f"calibrating and what {confidences_noun(results)} change"


def _within_paper(tables: Sequence[Table]) -> tuple[tuple[Table, ...], bool]:
    """Return tables with names as wide as upright paper has room for, and whether it has any.

    Names of classes have one line each where there is room for that.
    """
    for classes in (0.0, LEAST_FOR_CLASSES):
        for width in _NAMES:
            named = tuple(
                replace(
                    table,
                    columns=(wrapped_where_cut(table.columns[0], width), *_classes_within(table, classes)),
                    heading_lines=_HEADING_LINES,
                )
                for table in tables
            )
            if fits_upright(named):
                return named, True
    return tuple(
        replace(table, columns=(wrapped_where_cut(table.columns[0]), *table.columns[1:])) for table in tables
    ), False


def _classes_within(table: Table, least: float) -> tuple[Column, ...]:
    """Let names of classes go on in a second line where they have so few characters; 0 = as many as they need."""
    columns = table.columns[1:]
    if table.name != DECISIONS or not least:
        return columns
    longest = longest_word(str(cell) for column in columns for cell in column.cells)
    return tuple(wrapped_where_cut(column, max(least, longest + _BESIDE_WORD)) for column in columns)


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
