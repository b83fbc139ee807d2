"""`Cal summary`: one printable page with the verdict, the checks, what changed, and the pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import numpy as np

from panelcal.reading.grid import sheet_reference
from panelcal.reporting.cal_links import mu2_in_words
from panelcal.reporting.cal_proof import CHANGED, status_range
from panelcal.reporting.cal_residuals import UNEXPECTED, residuals_chart, standardised_residuals
from panelcal.reporting.chart_data import rounded_ends
from panelcal.reporting.classes import Classes
from panelcal.reporting.context import Context
from panelcal.reporting.diagnostics_notes import diagnostic_answers
from panelcal.reporting.model import CellRange, CellValue, Chart, Column, Highlight, Note, Series, Sheet, Style, Table
from panelcal.reporting.results import Results
from panelcal.reporting.wording import counted, number, plural_of

_STALE = "OUT OF DATE"
_CROSSINGS_SHOWN = 8
_LARGE = 10.0
_THIRD = 3
_RIGHT = 5  # first column of what stands on the right
_WIDTHS = ((1, 30.0), (2, 16.0), (3, 84.0), (4, 2.0), (5, 21.0), *((column, 13.6) for column in range(6, 12)))


def summary_sheet(context: Context, values: Table, assessors: Table, residuals: Table) -> Sheet:
    """Build the sheet; its charts draw on the tables of `Cal values`, `Cal assessors` and `Cal residuals`.

    Left the questions and answers with the main chart beside them, below them who crosses a boundary with the table of
    classes, at the bottom the two other charts.
    """
    results = context.results
    reading = results.reading
    main = _main_table(context)
    tables = [main]
    below = main.last_row + 2
    notes = [
        _up_to_date(context),
        Note(
            row=below,
            text="For the Board's decision: panelcal advises; nothing is promoted, moved or rounded by itself.",
            style="strong",
        ),
    ]
    below += 2
    counts = None
    if context.classes is not None:
        crossing = _crossing_table(results, context.classes, below)
        classes = _class_table(context.classes, below)
        tables += [crossing, classes]
        counts = _class_chart(classes, results)
        below = max(crossing.last_row, classes.last_row) + 2
    return Sheet(
        name=context.sheet("Cal summary"),
        title=f"Calibration of {reading.source_name}, sheet {reading.sheet}",
        explanation=f"Read {reading.summary}: {counted(results.panel.n_assessments, results.score_noun)}.",
        tables=tuple(tables),
        notes=tuple(notes),
        charts=_charts(context, values, assessors, residuals, below, counts),
        frozen=None,
        column_widths=_WIDTHS,
        one_page=True,
    )


def _main_table(context: Context) -> Table:
    results = context.results
    rows = [
        *_method_rows(results),
        *_verdict_rows(results),
        *_change_rows(context),
        *_check_rows(results),
        *diagnostic_answers(results),
        *_figure_rows(results),
    ]
    return Table(
        (
            Column("Question", [row[0] for row in rows], "wrapped"),
            Column("Answer", [row[1] for row in rows], "general", styles=[_answer_style(row[1]) for row in rows]),
            Column("In words", [row[2] for row in rows], "wrapped"),
        ),
        name="summary",
    )


Row = tuple[str, CellValue, str]


def _method_rows(results: Results) -> list[Row]:
    """Say which method the values are by, unless it is the usual one."""
    method = results.method
    if method.name == "confidence":
        return []
    said = [results.chosen.note]
    if not results.is_calibration:
        said.append("Biases, residuals, links and proof are of calibration with confidence; bounds are left blank.")
        if results.reading.settings.gauge != "weighted":
            said.append("It cannot be told where the zero of the biases lies, so that setting is not used for values.")
    return [(f"Values by: {method.title}", "chosen", " ".join(said))]


def _verdict_rows(results: Results) -> list[Row]:
    verdict, declared = results.verdict, results.declared
    rows: list[Row] = [("Is calibrating worthwhile?", verdict.advice, verdict.sentence)]
    if results.reading.nouns.confidence:
        noun = results.reading.nouns.confidence.lower()
        plural = noun if noun.endswith("s") else "confidences"
        rows.append((f"Do the {plural} mean anything?", declared.finding, declared.sentence))
    return rows


def _change_rows(context: Context) -> list[Row]:
    results = context.results
    change = np.round(results.change, 1)
    up, down = int((change > 0).sum()), int((change < 0).sum())
    size = np.abs(results.change)
    largest = int(np.argmax(size))
    rows: list[Row] = [
        (
            "What changed",
            f"{up} up, {down} down",
            f"{counted(len(change) - up - down, 'value')} unchanged to one decimal. Largest change "
            f"{results.change[largest]:+.1f}, for {results.panel.objects[largest]}; typical change "
            f"{number(float(np.sqrt(np.mean(results.change**2))))}.",
        )
    ]
    threshold = results.reading.settings.alert_threshold
    beyond = int((size >= threshold).sum())
    rows.append(
        (
            f"Changes of {threshold:g} or more",
            beyond,
            "Marked in bold on Cal values." if beyond else "None.",
        )
    )
    if context.classes is not None:
        rows.append(_crossings(results, context.classes))
    return rows


def _crossings(results: Results, classes: Classes) -> Row:
    crossed = int((classes.before != classes.after).sum())
    promoted = int((classes.after < classes.before).sum())
    failing = len(classes.bands) - 1
    new_fails = int(((classes.after == failing) & (classes.before != failing)).sum())
    borderline = sum(bool(phrase) for phrase in classes.borderline)
    return (
        "Class boundaries crossed",
        crossed,
        f"{promoted} to a better class, {crossed - promoted} to a worse one; "
        f"{new_fails} newly in the lowest class ({classes.bands[failing].name}). "
        f"{counted(borderline, results.object_noun)} borderline: flagged, never moved.",
    )


def _check_rows(results: Results) -> list[Row]:
    panel, network = results.panel, results.network
    unexpected = int((np.nan_to_num(np.abs(standardised_residuals(results))) > UNEXPECTED).sum())
    decisions = results.reading.decisions
    excluded = sum(decision.excluded_scores for decision in decisions)
    warnings = sum(decision.weight == "warning" for decision in decisions)
    lone = len(network.single_object_assessors)
    of_calibration: list[Row] = [
        (
            f"{plural_of(results.reading.nouns.score)} that do not count",
            lone,
            f"{counted(lone, results.assessor_noun)} assessed one {results.object_noun} only; see Cal links."
            if lone
            else "None.",
        ),
        (
            f"Order within each {results.assessor_noun}",
            "kept",
            f"Every {results.score_noun} of a {results.assessor_noun} moves by the same amount, so its order of merit "
            "stays as it was.",
        ),
    ]
    return [
        (
            "Connected?",
            "yes" if len(network.components) == 1 else "no",
            f"Every {results.object_noun} can be compared with every other.",
        ),
        ("Links strong enough? (mu_2)", results.robustness.mu2, mu2_in_words(results.robustness.mu2)),
        *(of_calibration if results.is_calibration else []),
        (
            f"Unexpected {results.scores_noun}",
            unexpected,
            f"Beyond {UNEXPECTED:g} standardised, of {panel.n_assessments:,}; see Cal residuals."
            if unexpected
            else f"No {results.score_noun} is beyond {UNEXPECTED:g} standardised.",
        ),
        (
            "Cells left out",
            excluded,
            f"Codes and the like, each with its address on Cal audit; {counted(warnings, 'warning')} there.",
        ),
    ]


def _figure_rows(results: Results) -> list[Row]:
    calibration = results.calibration
    freedom = calibration.degrees_of_freedom
    p = results.panel.n_assessments - freedom
    typical = float(np.median(results.panel.confidences))
    deviation = np.sqrt(calibration.w_unbiased / typical)
    mark = (
        f"A {results.score_noun} of confidence {typical:g} scatters by {number(float(deviation))} around value + bias."
        if freedom
        else ""
    )
    return [
        (
            "R (weighted residual sum)",
            calibration.weighted_residual_sum,
            f"N = {p + freedom:,} {results.scores_noun}, p = {p:,} unknowns.",
        ),
        ("w = R/N", calibration.w_ml, "Maximum likelihood, eq. (38); too small where N - p is small."),
        (
            "w = R/(N - p)",
            calibration.w_unbiased if freedom else None,
            f"Used for standard errors. {mark}"
            if freedom
            else f"No more {results.scores_noun} than unknowns: there are no standard errors.",
        ),
        (
            "Proven error of the values",
            f"{results.certificate.solution_error:.0e}",
            "How far any value can be from the exact solution of the equations; Cal proof checks them by formulas.",
        ),
    ]


def _answer_style(answer: CellValue) -> Style:
    if isinstance(answer, float):
        return "score" if abs(answer) >= _LARGE else "precise"
    return "general"


def _crossing_table(results: Results, classes: Classes, row: int) -> Table:
    """List who crosses a boundary, the surest first, as many as fit on the page."""
    moved = np.flatnonzero(classes.before != classes.after)
    order = moved[np.argsort(-np.abs(results.change[moved]), kind="stable")]
    shown = order[:_CROSSINGS_SHOWN]
    words = [
        f"{classes.name(classes.before[k])} to {classes.name(classes.after[k])}: {number(results.raw[k], 2)} to "
        f"{number(results.values[k], 2)}"
        + (f" +/- {number(results.value_errors[k])}" if np.isfinite(results.value_errors[k]) else "")
        for k in shown
    ]
    labels: list[CellValue] = [results.panel.objects[k] for k in shown]
    changes: list[CellValue] = [float(results.change[k]) for k in shown]
    if len(order) > len(shown):
        labels.append(f"and {len(order) - len(shown)} more")
        changes.append(None)
        words.append("all of them on Cal values, columns Class before and Class after")
    if not len(order):
        labels, changes, words = ["nobody"], [None], ["No value crosses a class boundary."]
    return Table(
        (
            Column("Crosses a class boundary", labels, "text"),
            Column("Change", changes, "signed"),
            Column("From and to (raw average to calibrated value +/- standard error)", words, "text"),
        ),
        row=row,
        name="crossings",
    )


def _class_table(classes: Classes, row: int) -> Table:
    """Count objects by class before (down) and after (across)."""
    counts = classes.table()
    columns = [Column("Class before / after", [*(band.name for band in classes.bands), "All after"], "text")]
    for j, band in enumerate(classes.bands):
        columns.append(Column(band.name, [*counts[:, j].tolist(), int(counts[:, j].sum())], "integer"))
    columns.append(Column("All before", [*counts.sum(axis=1).tolist(), int(counts.sum())], "integer"))
    return Table(tuple(columns), row=row, column=_RIGHT, name="classes")


def _up_to_date(context: Context) -> Note:
    """Say whether the marks are still those that were calibrated, by formula where that can be seen."""
    reading = context.results.reading
    if not context.linked:
        return Note(
            row=3,
            text="Results only: kept apart from the input, so these sheets cannot tell whether it changed since.",
            style="small",
        )
    status = status_range(context)
    good = f"Up to date: the cells are those calibrated on {context.created[:10]}."
    changed = f'COUNTIF({status},"{CHANGED}")'
    formula = f'IF({changed}=0,"{good}","{_STALE}: "&{changed}&" of the cells changed since; calibrate again.")'
    if context.numbers_in_block is not None:
        block = sheet_reference(reading.sheet, reading.score_block)
        formula = (
            f'IF(COUNT({block})={context.numbers_in_block},{formula},"{_STALE}: cells were filled or emptied since; '
            'calibrate again.")'
        )
    return Note(row=3, text=good, style="good", formula="=" + formula, highlight=Highlight("text", starts=_STALE))


def _charts(
    context: Context, values: Table, assessors: Table, residuals: Table, below: int, counts: Chart | None
) -> tuple[Chart, ...]:
    results = context.results
    value_cells = _cells_of(values, context.sheet("Cal values"))
    bias_cells = _cells_of(assessors, context.sheet("Cal assessors"))
    level = results.reading.settings.level
    noun, score = results.reading.nouns.object, results.reading.nouns.score
    interval = results.value_interval(level)
    drawn = np.concatenate([results.raw, results.values, interval.ravel()])
    low, high = rounded_ends(drawn)
    first = Chart(
        kind="scatter",
        title=f"Raw average and calibrated value, with {level:.0%} intervals",
        x_title=f"{noun}, by rank of the calibrated value",
        y_title=score,
        series=(
            Series(
                "Calibrated value",
                y=value_cells("Calibrated value"),
                x=value_cells("Rank"),
                plus=value_cells("Half-width"),
                minus=value_cells("Half-width"),
                marker="circle",
                colour=0,
            ),
            Series("Raw average", y=value_cells("Raw average"), x=value_cells("Rank"), marker="triangle", colour=1),
        ),
        alt_text=(
            f"Calibrated values of {results.panel.n_objects} {results.objects_noun} in order of rank with intervals, "
            "and their raw averages. Where the two differ by more than the interval, calibration clearly matters."
        ),
        row=4,
        column=_RIGHT,
        width_cm=19.0,
        height_cm=10.2,
        x_low=0,
        x_high=results.panel.n_objects + 1,
        y_low=low,
        y_high=high,
    )
    second = Chart(
        kind="scatter",
        title=f"{results.reading.nouns.assessor} biases, with {level:.0%} intervals",
        x_title=f"{results.reading.nouns.assessor}, in the order of the sheet",
        y_title="Bias",
        series=(
            Series(
                "Bias",
                y=bias_cells("Bias"),
                plus=bias_cells("Half-width"),
                minus=bias_cells("Half-width"),
                marker="diamond",
                colour=2,
            ),
        ),
        alt_text=(
            f"Biases of {results.panel.n_assessors} {results.assessors_noun} with intervals; above zero = generous. "
            "Those whose interval misses zero differ clearly from the panel."
        ),
        row=below,
        column=1 if counts is None else _THIRD,
        width_cm=24.0 if counts is None else 15.4,
        height_cm=8.0,
        x_low=0,
        x_high=results.panel.n_assessors + 1,
        legend=False,
    )
    third = residuals_chart(
        residuals, sheet=context.sheet("Cal residuals"), row=below, column=_RIGHT, width_cm=19.0, height_cm=8.0
    )
    beside = () if counts is None else (replace(counts, row=below),)
    return first, second, *beside, third


def _class_chart(table: Table, results: Results) -> Chart:
    """Draw how many objects each class holds before and after, from the sums in the table of classes."""
    before = table.cell_range("All before")
    names = table.cell_range(table.columns[0].heading)
    last = table.last_row
    return Chart(
        kind="column",
        title="Classes before and after",
        x_title="Class",
        y_title=plural_of(results.reading.nouns.object),
        series=(
            Series("Before", y=replace(before, last_row=last - 1), x=replace(names, last_row=last - 1), colour=6),
            Series(
                "After",
                y=CellRange(last, names.first_column + 1, last, before.first_column - 1),
                x=replace(names, last_row=last - 1),
                colour=0,
            ),
        ),
        alt_text=f"How many {results.objects_noun} are in each class before and after calibrating, as in the table.",
        row=table.row,
        column=1,
        width_cm=8.6,
        height_cm=8.0,
    )


def _cells_of(table: Table, sheet: str) -> Callable[[str], CellRange]:
    return lambda heading: table.cell_range(heading).on(sheet)
