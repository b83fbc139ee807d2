"""`Cal methods`: what other methods would have said, object by object, and the paper's Figure 4."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from panelcal.reading.grid import address, sheet_reference
from panelcal.reporting.cell_content import numbers, ranks_among
from panelcal.reporting.chart_data import rounded_ends
from panelcal.reporting.model import CellRange, Chart, Column, Marker, Note, Series, Sheet, Table
from panelcal.systems.calibration.confidence_words import confidences_noun
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.method_evidence import evidence_chart, evidence_notes, evidence_table, finding
from panelcal.systems.calibration.method_results import ComparedMethods
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.survival import survival_notes, survival_table

BIAS_DIFFERENCE = "Calibration with confidence less weighted average"
FISHER_DIFFERENCE = "Fisher less simple average"
CONFIDENCE_DIFFERENCE = "Calibration with confidence less Fisher"

BIAS, FISHER_BIAS = "With confidence", "Fisher"
_DEFAULT = "Calibration with confidence"
_WIDTHS = {"simple_average": 12.0, "weighted_average": 13.0, "fisher": 13.0, "confidence": 20.0}
_OTHER_WIDTH = 19.0
_MORE = {
    "biases": "Biases with and without confidences",
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
_MARKERS: tuple[Marker, ...] = ("circle", "x", "diamond", "triangle", "plus")
_TOP = 5
_CHART_ROWS, _WIDTH_CM, _HEIGHT_CM = 13, 17.0, 6.6
_BELOW_FIGURE_4 = _TOP + 2 * _CHART_ROWS
_EVIDENCE_ROWS = 17
_CHART_COLUMNS = 11  # that a chart covers, with a gap

Array = NDArray[np.float64]


def methods_sheet(context: Context) -> Sheet:
    """Build the sheet: values from the top, charts beside them, and below both which method predicts best.

    Where the settings name further methods, ranks, rank changes and standard errors follow, a table each.
    """
    results = context.results
    compared = context.compared
    values = _values_table(results, compared)
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
    more = _more_tables(results, compared, below_these + 3)
    # The biases with confidence stand on Cal assessors; here they are for the chart, and not printed.
    last_row = more[-1].last_row if more else below_these
    biases = _biases_table(results, compared, last_row + 3)
    name = context.sheet("Cal methods")
    lowest = _BELOW_FIGURE_4 + max(_EVIDENCE_ROWS, _CHART_ROWS * len(_charted(compared)))
    return Sheet(
        name=name,
        title="What other methods would have said",
        explanation=(
            "The four approaches of MacKay, Kenna, Low and Parker (2015), Table 1. A difference is not an error: it "
            f"shows what calibrating and what {confidences_noun(results)} change."
        ),
        tables=(values, evidence, *([] if decisions is None else [decisions]), *more, biases),
        notes=(
            Note(
                row=3,
                text=f"{finding(results, compared)} See row {below}.",
                style="small",
                link=f"#{sheet_reference(name, address(below, 1))}",
            ),
            *notes,
            *survival,
            *(Note(row=table.row - 1, text=_MORE[table.name], style="heading") for table in (*more, biases)),
        ),
        charts=(
            *_figure_4(results, values, biases, beside),
            *evidence_chart(results, compared, evidence, row=_BELOW_FIGURE_4, column=beside),
            *_rank_charts(results, compared, more, beside + _CHART_COLUMNS, row=_BELOW_FIGURE_4),
        ),
        printed=(
            CellRange(1, 1, last_row, beside - 2),
            CellRange(values.row, beside, lowest, beside + 2 * _CHART_COLUMNS - 1),
        ),
    )


def _values_table(results: Results, compared: ComparedMethods) -> Table:
    values = {result.method.name: fitted.values for result, fitted in compared.fitted()}
    words = {
        name: text.format(scores=results.scores_noun, confidence=confidences_noun(results))
        for name, text in _EXPLANATIONS.items()
    }

    def difference(one: str, two: str, heading: str) -> Column:
        return Column(heading, numbers(values[one] - values[two]), "signed", 19)

    columns = [Column(results.reading.nouns.object, results.panel.objects, "text", 40)]
    for result, fitted in compared.fitted():
        name = result.method.name
        columns.append(
            Column(
                result.method.title,
                numbers(fitted.values),
                "score",
                _WIDTHS.get(name, _OTHER_WIDTH),
                explanation=words.get(name, fitted.note),
            )
        )
    columns += [
        difference("fisher", "simple_average", FISHER_DIFFERENCE),
        difference("confidence", "weighted_average", BIAS_DIFFERENCE),
        difference("confidence", "fisher", CONFIDENCE_DIFFERENCE),
    ]
    return Table(tuple(columns), name="methods")


def _risen(reference: Sequence[int | None], own: Sequence[int | None]) -> list[int | None]:
    """By how many places each rank is better than in the reference; None for who has no rank."""
    return [None if was is None or now is None else was - now for was, now in zip(reference, own, strict=True)]


def _more_tables(results: Results, compared: ComparedMethods, row: int) -> list[Table]:
    """Build tables of ranks, rank changes and standard errors below one another; none unless methods are named.

    Every method has the column that it has in the table of values.
    """
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
        ("rank changes", [Column(title, _risen(reference, own), "integer") for title, own in places.items()]),
        ("standard errors", [Column(title, numbers(own), "score") for title, own in errors.items()]),
    ):
        labels = Column(results.reading.nouns.object, results.panel.objects, "text")
        tables.append(Table((labels, *columns), row=row, name=name))
        row = tables[-1].last_row + 3
    return tables


def _biases_table(results: Results, compared: ComparedMethods, row: int) -> Table:
    """Build the table of biases with and without confidences, for Figure 4(d)."""
    biases = {result.method.name: fitted.biases for result, fitted in compared.fitted()}
    found = [biases[name] for name in ("confidence", "fisher")]
    columns = [Column(results.reading.nouns.assessor, results.panel.assessors, "text")]
    columns += [
        Column(heading, numbers(own), "signed")
        for heading, own in zip((BIAS, FISHER_BIAS), found, strict=True)
        if own is not None
    ]
    return Table(tuple(columns), row=row, name="biases")


_Drawn = tuple[str, str, Marker, int]
"""Name of a series, heading of its column, marker and colour."""


def _part_of_figure_4(
    place: int, column: int, titles: tuple[str, str, str], table: Table, drawn: Sequence[_Drawn], alt_text: str
) -> Chart:
    """Draw one part, the four in two rows and columns; `titles` are of the chart and of its axes."""
    title, noun, y_title = titles
    series = tuple(
        Series(name, y=table.cell_range(heading), marker=marker, colour=colour)
        for name, heading, marker, colour in drawn
    )
    return Chart(
        kind="scatter",
        title=title,
        x_title=f"{noun}, in the order of the sheet",
        y_title=y_title,
        series=series,
        alt_text=alt_text,
        row=_TOP + _CHART_ROWS * (place // 2),
        column=column + _CHART_COLUMNS * (place % 2),
        width_cm=_WIDTH_CM,
        height_cm=_HEIGHT_CM,
        x_low=0,
        legend=len(series) > 1,
    )


def _figure_4(results: Results, values: Table, biases: Table, column: int) -> list[Chart]:
    """Draw Figure 4(a) to (d) of the paper."""
    nouns, of = results.reading.nouns, f"for {results.panel.n_objects} {results.objects_noun}"
    weights = confidences_noun(results)
    low, high = rounded_ends([cell for c in values.columns[1:5] for cell in c.cells if isinstance(cell, float)])
    approaches: tuple[_Drawn, ...] = (
        ("Simple average", "Simple average", "triangle", 1),
        ("Weighted average", "Weighted average", "plus", 3),
        ("Fisher", "Fisher calibration", "x", 2),
        ("With confidence", _DEFAULT, "circle", 0),
    )
    parts: tuple[tuple[tuple[str, str, str], Table, tuple[_Drawn, ...], str], ...] = (
        (
            ("Values by the four approaches (Figure 4a)", nouns.object, nouns.score),
            values,
            approaches,
            f"Simple average, weighted average, Fisher's calibration and calibration with confidence {of}.",
        ),
        (
            ("What calibrating changes (Figure 4b)", nouns.object, "Difference"),
            values,
            (("With confidence", BIAS_DIFFERENCE, "circle", 0), ("Fisher", FISHER_DIFFERENCE, "x", 2)),
            f"Calibrated less averaged value, with and without confidences, {of}.",
        ),
        (
            (f"What {weights} change (Figure 4c)", nouns.object, "Difference"),
            values,
            (("With confidence less Fisher", CONFIDENCE_DIFFERENCE, "diamond", 4),),
            f"Calibration with confidence less Fisher's calibration {of}.",
        ),
        (
            (f"How {weights} affect biases (Figure 4d)", nouns.assessor, "Bias"),
            biases,
            (("With confidence", BIAS, "circle", 0), ("Fisher", FISHER_BIAS, "x", 2)),
            f"Biases of {results.panel.n_assessors} {results.assessors_noun}, with and without confidences.",
        ),
    )
    first, *others = [_part_of_figure_4(place, column, *part) for place, part in enumerate(parts)]
    return [replace(first, y_low=low, y_high=high), *others]


def _charted(compared: ComparedMethods) -> list[list[str]]:
    """Titles of the methods named, as many together as there are symbols to tell them apart."""
    drawn = [r.method.title for r in compared.named if r.fitted is not None and r.method.title != _DEFAULT]
    return [drawn[first : first + len(_MARKERS)] for first in range(0, len(drawn), len(_MARKERS))]


def _rank_charts(
    results: Results, compared: ComparedMethods, more: Sequence[Table], column: int, *, row: int
) -> list[Chart]:
    if not more:
        return []
    places, changes, _ = more
    return [
        _rank_chart(results, titles, places, changes, column, row + _CHART_ROWS * k)
        for k, titles in enumerate(_charted(compared))
    ]


def _rank_chart(results: Results, titles: Sequence[str], places: Table, changes: Table, column: int, row: int) -> Chart:
    return Chart(
        kind="scatter",
        title="Places gained and lost by other methods",
        x_title=f"{results.reading.nouns.object}, by rank with confidence",
        y_title="Places gained",
        series=tuple(
            Series(
                title,
                y=changes.cell_range(title),
                x=places.cell_range(_DEFAULT),
                marker=marker,
                colour=colour,
            )
            for colour, (title, marker) in enumerate(zip(titles, _MARKERS, strict=False))
        ),
        alt_text=(
            f"Rank changes of {results.panel.n_objects} {results.objects_noun} against calibration with confidence, by "
            f"{', '.join(titles)}. Dots near zero: the choice of method hardly matters."
        ),
        row=row,
        column=column,
        width_cm=_WIDTH_CM,
        height_cm=_HEIGHT_CM,
        x_low=0,
        x_high=results.panel.n_objects + 1,
    )
