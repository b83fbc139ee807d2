"""`Cal proof`: the answer proves itself in the spreadsheet's own formulas.

The solution is right if and only if for every object and every assessor the sum of confidence x residual is zero
(eqs. 6-7) and the gauge holds. The sheet recomputes these sums from the marks in their cells. Objects and assessors are
matched by number, never by label, because a spreadsheet takes "012" and "12" for the same.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from panelcal.calibration.double_double import group_sums
from panelcal.reading.grid import column_letters, sheet_reference
from panelcal.reading.nouns import with_article
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.figures import statistics_style
from panelcal.reporting.layout import wrapped_where_cut
from panelcal.reporting.model import CellRange, CellValue, Column, Highlight, Note, Sheet, Table
from panelcal.reporting.paper import rows_on_first_page
from panelcal.reporting.wording import at_most, counted
from panelcal.systems.calibration.common_objects import held_together
from panelcal.systems.calibration.confidence_words import confidences_noun
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.values import certified_heading

MOST_ROWS = 10_000
_LINES_OF_CUT = 1  # that the words on what is printed may take
AS_CALIBRATED, CHANGED, STATIC = "as calibrated", "CHANGED", "not linked"
_ZERO, _NOT_ZERO = "zero", "NOT ZERO"
_ROUNDING = 1e-12


def proof_sheet(context: Context, values: Table, assessors: Table) -> Sheet:
    """Build the sheet; `values` and `assessors` are the tables of `Cal values` and `Cal assessors`."""
    results = context.results
    chosen = _chosen(results)
    whole = len(chosen) == results.panel.n_assessments
    tolerance = _tolerance(results)
    rows = _assessment_table(context, chosen, values, assessors)
    objects = _object_table(results, rows, chosen, tolerance)
    tables = [rows, objects]
    if whole:
        tables.append(_assessor_table(context, rows, objects, tolerance))
    notes = [
        _verdict_line(results, tables, tolerance),
        _gauge_line(context, values, assessors, objects.column, tolerance),
    ]
    if whole:
        scope = f"every one of the {counted(results.panel.n_assessments, results.score_noun)}"
    else:
        scope = f"a sample: {counted(objects.n_rows, results.object_noun)} with all their {results.scores_noun}"
    last_row = max(table.last_row for table in tables)
    beyond_formulas = context.linked and not results.reading.plain_scores[_chosen(results)].all()
    static = (
        f" Not linked: {with_article(results.score_noun)} that is no plain number in its cell."
        if beyond_formulas
        else ""
    )
    sheet = Sheet(
        name=context.sheet("Cal proof"),
        title="Proof",
        explanation=(
            f"Least squares is solved if and only if {confidences_noun(results)} x residual adds up to zero for every "
            f"{results.object_noun} and every {results.assessor_noun} (eqs. 6-7). These formulas check it on {scope}."
            f"{static}{results.by_calibration}"
        ),
        tables=tuple(tables),
        notes=tuple(notes),
        frozen=(5, 3),
        across=len(rows.columns),
    )
    fitting = rows_on_first_page(sheet, rows, len(rows.columns)) - _LINES_OF_CUT
    last_printed = min(last_row, rows.row + fitting)
    return replace(
        sheet,
        explanation=sheet.explanation + (f" On paper: the first {fitting} rows." if last_row > last_printed else ""),
        printed=(
            CellRange(1, 1, last_printed, len(rows.columns)),
            CellRange(3, tables[1].column, last_printed, tables[-1].column + len(tables[-1].columns) - 1),
        ),
    )


def status_range(context: Context) -> str:
    """Spell the column of `Cal proof` that says CHANGED where a mark is no longer the one that was calibrated."""
    rows = len(_chosen(context.results))
    return sheet_reference(context.sheet("Cal proof"), f"$K$5:$K${4 + rows}")


def watched_scores(results: Results) -> np.ndarray:
    """Return (N,) whether each score is listed on `Cal proof` and a plain number in its cell, so that it is watched."""
    listed = np.zeros(results.panel.n_assessments, dtype=bool)
    listed[_chosen(results)] = True
    return listed & results.reading.plain_scores


def _chosen(results: Results) -> np.ndarray:
    """Return the assessments listed: all, or those of evenly spaced objects when there are too many."""
    panel = results.panel
    everything = np.arange(panel.n_assessments)
    if panel.n_assessments <= MOST_ROWS:
        return everything
    counts = np.bincount(panel.object_index)
    share = MOST_ROWS / panel.n_assessments
    spaced = np.unique(np.linspace(0, panel.n_objects - 1, max(1, int(panel.n_objects * share))).astype(int))
    affordable = spaced[np.cumsum(counts[spaced]) <= MOST_ROWS]
    return everything[np.isin(panel.object_index, affordable)]


def _tolerance(results: Results) -> float:
    """Return how far from zero a sum may be for rounding alone: doubles carry 16 digits of scores and confidences."""
    panel = results.panel
    largest = float(np.max(panel.object_totals(panel.confidences * np.abs(panel.scores))))
    others = float(np.max(panel.assessor_totals(panel.confidences * np.abs(panel.scores))))
    return _ROUNDING * max(largest, others, np.finfo(float).tiny)


def _assessment_table(context: Context, chosen: np.ndarray, values: Table, assessors: Table) -> Table:
    results = context.results
    panel, reading, calibration = results.panel, results.reading, results.calibration
    value_at = values.column_number(certified_heading(results))
    bias_at = assessors.column_number("Bias")
    object_at, assessor_at = panel.object_index[chosen], panel.assessor_index[chosen]
    value_rows = values.row + 1 + np.argsort(context.object_order)[object_at]
    bias_rows = assessors.row + 1 + np.argsort(context.assessor_order)[assessor_at]
    scores, weights = panel.scores[chosen], panel.confidences[chosen]
    values_name, assessors_name = context.sheet("Cal values"), context.sheet("Cal assessors")

    now: list[str | None] = []
    fitted: list[str | None] = []
    residual: list[str | None] = []
    product: list[str | None] = []
    status: list[str | None] = []
    shown: list[CellValue] = []
    value_column = sheet_reference(values_name, column_letters(value_at))
    bias_column = sheet_reference(assessors_name, column_letters(bias_at))
    for row, (k, value_row, bias_row) in enumerate(
        zip(chosen.tolist(), value_rows.tolist(), bias_rows.tolist(), strict=True), 5
    ):
        linked = context.linked and bool(reading.plain_scores[k])
        now.append(f"={sheet_reference(reading.sheet, reading.score_cells[k])}" if linked else None)
        fitted.append(f"={value_column}{value_row}+{bias_column}{bias_row}")
        residual.append(f"=IF(ISNUMBER(F{row}),F{row}-H{row},0)")
        product.append(f"=G{row}*I{row}")
        status.append(f'=IF(F{row}=E{row},"{AS_CALIBRATED}","{CHANGED}")' if linked else None)
        shown.append(AS_CALIBRATED if linked else STATIC)
    left = calibration.residuals[chosen]
    pulls = weights * left
    columns = (
        wrapped_where_cut(Column(reading.nouns.object, [panel.objects[k] for k in object_at.tolist()], "text", 14)),
        wrapped_where_cut(
            Column(reading.nouns.assessor, [panel.assessors[k] for k in assessor_at.tolist()], "text", 14)
        ),
        Column("Object no.", numbers(object_at + 1), "integer", 8),
        Column("Assessor no.", numbers(assessor_at + 1), "integer", 9),
        Column("Score calibrated", numbers(scores), "given", 11, explanation="As it was read."),
        Column("Score now", numbers(scores), "given", 12, formulas=now, explanation="In its cell now."),
        Column("Confidence", numbers(weights), "given", 11),
        Column("Fitted", numbers(calibration.fitted[chosen]), "precise", 10, formulas=fitted),
        Column("Residual", numbers(left), "precise", 10, formulas=residual),
        Column("Confidence x residual", numbers(pulls), statistics_style(pulls), 12, formulas=product),
        Column("Mark", shown, "text", 14, formulas=status, highlight=Highlight("text", starts=CHANGED)),
    )
    return Table(columns, name="assessments")


def _object_table(results: Results, rows: Table, chosen: np.ndarray, tolerance: float) -> Table:
    listed = np.unique(results.panel.object_index[chosen])
    return _sums(
        rows,
        column=13,
        noun=results.reading.nouns.object,
        labels=[results.panel.objects[k] for k in listed],
        numbered=listed + 1,
        sums=_exact_sums(results, results.panel.object_index, results.panel.n_objects)[listed],
        match="Object no.",
        tolerance=tolerance,
    )


def _assessor_table(context: Context, rows: Table, objects: Table, tolerance: float) -> Table:
    results = context.results
    return _sums(
        rows,
        column=objects.column + len(objects.columns) + 1,
        noun=results.reading.nouns.assessor,
        labels=list(results.panel.assessors),
        numbered=np.arange(1, results.panel.n_assessors + 1),
        sums=_exact_sums(results, results.panel.assessor_index, results.panel.n_assessors),
        match="Assessor no.",
        tolerance=tolerance,
    )


def _exact_sums(results: Results, index: np.ndarray, count: int) -> np.ndarray:
    """Sums of confidence x residual per node as stored, to show until the spreadsheet recalculates."""
    panel, left = results.panel, results.calibration.residuals
    return group_sums(panel.confidences, (left, np.zeros_like(left)), index, count)


def _sums(
    rows: Table,
    *,
    column: int,
    noun: str,
    labels: list[str],
    numbered: np.ndarray,
    sums: np.ndarray,
    match: str,
    tolerance: float,
) -> Table:
    products, matched = rows.cell_range("Confidence x residual").absolute, rows.cell_range(match).absolute
    number_column, sum_column = column_letters(column), column_letters(column + 2)
    formulas = [f"=SUMIFS({products},{matched},{number_column}{5 + k})" for k in range(len(labels))]
    checks = [f'=IF(ABS({sum_column}{5 + k})<={tolerance!r},"{_ZERO}","{_NOT_ZERO}")' for k in range(len(labels))]
    columns = (
        Column("No.", numbers(numbered), "integer", 6),
        wrapped_where_cut(Column(noun, labels, "text", 14)),
        Column("Sum of confidence x residual", numbers(sums), "scientific", 14, formulas=formulas),
        Column(
            "Zero?", [_ZERO] * len(labels), "text", 10, formulas=checks, highlight=Highlight("text", starts=_NOT_ZERO)
        ),
    )
    return Table(columns, column=column, name=f"sums by {match}")


def _verdict_line(results: Results, tables: list[Table], tolerance: float) -> Note:
    checks = [table.cell_range("Zero?").absolute for table in tables[1:]]
    total = sum(table.n_rows for table in tables[1:])
    bad = "+".join(f'COUNTIF({cells},"{_NOT_ZERO}")' for cells in checks)
    proven = f"Proven: no value is further than {at_most(results.certificate.solution_error)} from the exact solution."
    good = f"All {total:,} sums are zero to rounding (within {at_most(tolerance)}): the answer is right. {proven}"
    formula = (
        f'=IF({bad}=0,"{good}","{_NOT_ZERO}: "&({bad})&" of {total:,} sums; something was changed after calibrating.")'
    )
    return Note(row=3, text=good, style="good", formula=formula, highlight=Highlight("text", starts=_NOT_ZERO))


def _gauge_line(context: Context, values: Table, assessors: Table, column: int, tolerance: float) -> Note:
    """Check the condition that fixes the zero of the biases, by formula."""
    calibration = context.results.calibration
    values_name, assessors_name = context.sheet("Cal values"), context.sheet("Cal assessors")

    def cells(table: Table, heading: str, sheet: str) -> str:
        return table.cell_range(heading).on(sheet).absolute

    bias, weight = cells(assessors, "Bias", assessors_name), cells(assessors, "Confidence", assessors_name)
    if calibration.gauge == "equal":
        left, stated = f"SUM({bias})", "the biases add up to zero (gauge of eq. 10)"
    elif calibration.gauge == "common":
        weights, values_held, held = held_together(context)
        left = f"SUMPRODUCT({weights},{values_held}-{held})"
        stated = "the weighted mean of the common objects is where it is held, see Cal common"
    elif calibration.reference is None:
        noun = confidences_noun(context.results)
        left, stated = f"SUMPRODUCT({weight},{bias})", f"{noun} x bias adds up to zero (gauge of eq. 36)"
    else:
        value = cells(values, certified_heading(context.results), values_name)
        total = cells(values, "Confidence", values_name)
        left = f"SUMPRODUCT({total},{value})-SUMPRODUCT({weight},{bias})-SUM({total})*{calibration.reference!r}"
        stated = f"values and biases are measured from {calibration.reference:g} (gauge of eq. 29)"
    slack = tolerance * len(context.results.panel.objects)
    good = f"Zero point: {stated}."
    formula = f'=IF(ABS({left})<={slack!r},"{good}","{_NOT_ZERO}: the zero point has moved.")'
    return Note(
        row=3, column=column, text=good, style="good", formula=formula, highlight=Highlight("text", starts=_NOT_ZERO)
    )
