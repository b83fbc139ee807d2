"""`Cal residuals`: every assessment against what the calibration expects, the most unexpected first."""

from __future__ import annotations

import numpy as np

from panelcal.calibration.unexpected_scores import LEVEL
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.model import CellRange, CellValue, Chart, Column, Highlight, Note, Series, Sheet, Table
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.precision import precision_notes
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.unexpected import instead_in_words, standardised_residuals, unexpected_scores

MOST_ROWS = 10_000
_PRINTED = 50
_CHART_ROW, _CHART_ROWS, _CHART_COLUMNS = 5, 20, 10


def residuals_sheet(context: Context, table: Table) -> Sheet:
    """Build the sheet around the table of `residuals_table`."""
    total = context.results.panel.n_assessments
    cut = f" The worst {table.n_rows:,} of {total:,} are listed." if table.n_rows < total else ""
    return Sheet(
        name=context.sheet("Cal residuals"),
        title=f"Unexpected {context.results.scores_noun}",
        explanation=(
            "Score less what value and bias together predict. Where Adjusted p is bold, look at the script a second "
            f"time.{cut}{context.results.by_calibration}"
        ),
        tables=(table,),
        notes=(*_legend(context, table), *precision_notes(context.results)),
        charts=(residuals_chart(table),),
        one_page=True,
        printed=(_printed(table),),
    )


def residuals_table(context: Context) -> Table:
    """Build the table; `Cal summary` draws it as well."""
    return _table(context, _worst_first(context.results))


def residuals_chart(
    table: Table,
    *,
    sheet: str = "",
    row: int = _CHART_ROW,
    column: int = 0,
    width_cm: float = 16.5,
    height_cm: float = 10.0,
) -> Chart:
    """Draw residuals against fitted scores, on the sheet itself or (with `sheet`, the table's sheet) elsewhere."""

    def cells(heading: str) -> CellRange:
        block = table.cell_range(heading)
        return block.on(sheet) if sheet else block

    return Chart(
        kind="scatter",
        title="Residuals against what was expected",
        x_title="Fitted score (value + bias)",
        y_title="Residual",
        series=(Series("Residual", y=cells("Residual"), x=cells("Fitted"), marker="circle", colour=0),),
        alt_text=(
            f"Scatter of {table.n_rows} residuals against fitted scores. A fan or a bend would mean that the model "
            "misses something."
        ),
        row=row,
        column=column or table.column + len(table.columns) + 1,
        width_cm=width_cm,
        height_cm=height_cm,
        legend=False,
    )


def _legend(context: Context, table: Table) -> tuple[Note, ...]:
    """Explain the columns below the chart, where it shows at once and is printed: the table may be very long."""
    score = context.results.score_noun
    lines = (
        "Fitted: value + bias. Standardised: the residual in units of its own standard error,",
        f"by a fit without this {score} and without other suspicious ones.",
        f"Adjusted p: chance that any {score} at all would look so odd if none were; bold to 0.05.",
        f"Leverage: 0 = one {score} among many, 1 = the only link between two parts of the panel.",
        f"Influence: the largest change of any value if this {score} were left out.",
        *([f"On paper: the first {_PRINTED} of {table.n_rows:,} rows."] if table.n_rows > _PRINTED else []),
    )
    column = table.column + len(table.columns) + 1
    first = _CHART_ROW + _CHART_ROWS + 2
    return tuple(Note(row=first + k, column=column, text=line, style="small") for k, line in enumerate(lines))


def _printed(table: Table) -> CellRange:
    """Return the worst rows with chart and legend beside them."""
    last_row = max(min(table.last_row, table.row + _PRINTED), _CHART_ROW + _CHART_ROWS + 6)
    return CellRange(1, 1, last_row, table.column + len(table.columns) + _CHART_COLUMNS)


def _worst_first(results: Results) -> np.ndarray:
    size = np.nan_to_num(np.abs(standardised_residuals(results)), nan=-1.0)
    return np.argsort(-size, kind="stable")[:MOST_ROWS]


def _table(context: Context, order: np.ndarray) -> Table:
    results = context.results
    panel, reading = results.panel, results.reading
    influence: list[CellValue] = [
        "only link" if np.isinf(shift) else None if np.isnan(shift) else float(shift)
        for shift in results.influence.largest_shift[order]
    ]
    cells = [reading.score_cells[k] for k in order]
    odd = unexpected_scores(results)
    columns = (
        Column(reading.nouns.object, [panel.objects[k] for k in panel.object_index[order]], "text", 14),
        Column(reading.nouns.assessor, [panel.assessors[k] for k in panel.assessor_index[order]], "text", 16),
        Column("Score", numbers(panel.scores[order]), "general", 9),
        Column("Confidence", numbers(panel.confidences[order]), "general", 11),
        Column("Fitted", numbers(results.calibration.fitted[order]), "score", 9, explanation="Value + bias."),
        Column("Residual", numbers(results.calibration.residuals[order]), "signed", 9),
        Column(
            "Standardised",
            numbers(standardised_residuals(results)[order]),
            "signed",
            12,
            explanation="Residual in units of its own standard error, by a fit without this score.",
        ),
        Column(
            "Leverage",
            numbers(results.influence.leverage[order]),
            "precise",
            9,
            explanation="0 = one voice among many, 1 = the only link between two parts of the panel.",
        ),
        Column(
            "Influence",
            influence,
            "score",
            10,
            explanation="Largest change of any value if this assessment is left out.",
        ),
        Column(
            "Cell",
            cells,
            "text",
            9,
            links=[f"#{reading.sheet}!{cell}" for cell in cells] if context.linked else [],
        ),
        Column(
            "Adjusted p",
            numbers(results.unexpected.adjusted_p_values[order]),
            "precise",
            10,
            explanation="Chance that any score of the panel would look so unexpected if none were, by Holm.",
            highlight=Highlight("below", limit=np.nextafter(LEVEL, 1.0)),
        ),
        Column("Note", [instead_in_words(results, k) if odd[k] else "" for k in order.tolist()], "wrapped", 30),
    )
    return Table(columns, name="residuals")
