"""`Cal residuals`: every assessment against what the calibration expects, the most unexpected first."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from panelcal.calibration.unexpected_scores import LEVEL
from panelcal.reporting.columns import Spec, columns_of
from panelcal.reporting.model import CellRange, CellValue, Chart, Highlight, Note, Series, Sheet, Table
from panelcal.reporting.wording import words_of
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
    listed = _Listed(context, _worst_first(context.results))
    return Table(columns_of(_COLUMNS, listed, words_of(context.results.reading.nouns)), name="residuals")


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


@dataclass(frozen=True, slots=True, eq=False)
class _Listed:
    """The assessments on the sheet: `order` are their places in the panel."""

    context: Context
    order: np.ndarray

    @property
    def results(self) -> Results:
        return self.context.results

    def cells(self) -> list[str]:
        """Cells of the scores."""
        return [self.results.reading.score_cells[k] for k in self.order]

    def links(self) -> list[str]:
        """Lead to the cells, where they are in the same workbook."""
        return [f"#{self.results.reading.sheet}!{cell}" for cell in self.cells()] if self.context.linked else []

    def influence(self) -> list[CellValue]:
        """Name those that are the only link; an infinite shift is no figure for a sheet."""
        shifts = self.results.influence.largest_shift[self.order]
        return ["only link" if np.isinf(shift) else float(shift) for shift in shifts]

    def notes(self) -> list[str]:
        """Say what would be expected instead of an unexpected score."""
        odd = unexpected_scores(self.results)
        return [instead_in_words(self.results, k) if odd[k] else "" for k in self.order.tolist()]


_COLUMNS: tuple[Spec[_Listed], ...] = (
    Spec("{Object}", lambda r: [r.results.panel.objects[k] for k in r.results.panel.object_index[r.order]], "text", 14),
    Spec(
        "{Assessor}",
        lambda r: [r.results.panel.assessors[k] for k in r.results.panel.assessor_index[r.order]],
        width=16,
    ),
    Spec("Score", lambda r: r.results.panel.scores[r.order], "given", 9),
    Spec("Confidence", lambda r: r.results.panel.confidences[r.order], "given", 11),
    Spec("Fitted", lambda r: r.results.calibration.fitted[r.order], "score", 9, "Value + bias."),
    Spec("Residual", lambda r: r.results.calibration.residuals[r.order], "signed", 9),
    Spec(
        "Standardised",
        lambda r: standardised_residuals(r.results)[r.order],
        "signed",
        explanation="Residual in units of its own standard error, by a fit without this score.",
    ),
    Spec(
        "Leverage",
        lambda r: r.results.influence.leverage[r.order],
        "precise",
        9,
        "0 = one voice among many, 1 = the only link between two parts of the panel.",
    ),
    Spec("Influence", _Listed.influence, "score", 10, "Largest change of any value if this assessment is left out."),
    Spec("Cell", _Listed.cells, "text", 9, links=_Listed.links),
    Spec(
        "Adjusted p",
        lambda r: r.results.unexpected.adjusted_p_values[r.order],
        "p value",
        10,
        "Chance that any score of the panel would look so unexpected if none were, by Holm.",
        highlight=Highlight("below", limit=np.nextafter(LEVEL, 1.0)),
    ),
    Spec("Note", _Listed.notes, "wrapped", 30),
)
