"""`Cal residuals`: every assessment against what the calibration expects, the most unexpected first."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from panelcal.calibration.unexpected_scores import LEVEL
from panelcal.frozen import dataclass
from panelcal.reporting.chart_data import centimetres_right_of
from panelcal.reporting.columns import Spec, columns_of
from panelcal.reporting.layout import column_widths
from panelcal.reporting.looks import ROW_HEIGHT
from panelcal.reporting.model import CellRange, CellValue, Chart, Highlight, Marker, Note, Series, Sheet, Table
from panelcal.reporting.paper import chart_block, printed_block, rows_on_first_page
from panelcal.reporting.text_size import wrapped_lines
from panelcal.reporting.wording import counted, number, words_of
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.precision import precision_notes
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.unexpected import instead_in_words, standardised_residuals, unexpected_scores

MOST_ROWS = 10_000
_TIE = 9  # decimals
_CHART_ROW = 5
_CHART_CM, _SMALLEST_CM = (16.0, 9.0), 9.0  # at the most, across and down; and across at the least
_LEGEND_COLUMNS = 5  # of the usual width, as wide as the smallest chart
_LEGEND_CHARACTERS = _LEGEND_COLUMNS * 8.43
_GAP = 2.0  # characters between the table and the chart
_HEADING_ONLY = 8.0
_POINTS_PER_CM = 72.0 / 2.54
_NAMED = 4
_MARKERS: tuple[Marker, ...] = ("diamond", "triangle", "x", "plus")


def residuals_sheet(context: Context, table: Table) -> Sheet:
    """Build the sheet around the table of `residuals_table`."""
    total = context.results.panel.n_assessments
    cut = f" The worst {table.n_rows:,} of {total:,} are listed." if table.n_rows < total else ""
    sheet = Sheet(
        name=context.sheet("Cal residuals"),
        title=f"Unexpected {context.results.scores_noun}",
        explanation=(
            "Score less what value and bias together predict. Where Adjusted p is bold, look at the "
            f"{context.results.score_noun} a second time.{cut}{context.results.by_calibration}"
        ),
        across=len(table.columns),
        tables=(table,),
        column_widths=((_beside(table) - 1, _GAP),),
    )
    room = centimetres_right_of(column_widths(sheet), _beside(table))
    chart = _chart(context.results, table, width_cm=min(max(room, _SMALLEST_CM), _CHART_CM[0]))
    below = _CHART_ROW + int(chart.height_cm * _POINTS_PER_CM / ROW_HEIGHT) + 2
    fitting = rows_on_first_page(sheet, table, len(table.columns))
    legend = _legend(context, table, below, fitting)
    whole = chart_block(sheet, chart)
    return replace(
        sheet,
        charts=(chart,),
        notes=(legend, *precision_notes(context.results)),
        printed=(
            printed_block(table, rows=fitting),
            replace(whole, first_row=table.row, last_row=legend.row + legend.down - 1),
        ),
    )


def residuals_table(context: Context) -> Table:
    """Build the table."""
    listed = _Listed(context, _worst_first(context.results))
    *columns, notes = columns_of(_COLUMNS, listed, words_of(context.results.reading.nouns))
    if not any(notes.cells):  # where nothing is said there, the chart may have the room
        notes = replace(notes, width=_HEADING_ONLY)
    return Table((*columns, notes), name="residuals")


def _beside(table: Table) -> int:
    """Column in which chart and legend begin."""
    return table.column + len(table.columns) + 1


def _chart(results: Results, table: Table, *, width_cm: float) -> Chart:
    """Draw residuals against fitted scores, the unexpected ones, which come first in the table, by name."""
    block, across = table.cell_range("Residual"), table.cell_range("Fitted")
    odd = min(int(unexpected_scores(results).sum()), table.n_rows)
    named = odd if odd <= _NAMED else _NAMED - 1
    labels = list(zip(table.columns[0].cells, table.columns[1].cells, strict=True))[:named]
    single = [(f"{one} by {other}", k, k + 1) for k, (one, other) in enumerate(labels)]
    if odd > named:
        single.append((f"{odd - named} more that are unexpected", named, odd))
    rest = [(f"All other {results.scores_noun}", odd, table.n_rows)] if table.n_rows > odd else []

    def rows(cells: CellRange, first: int, last: int) -> CellRange:
        return replace(cells, first_row=table.row + 1 + first, last_row=table.row + last)

    return Chart(
        kind="scatter",
        title=_title(results, odd),
        x_title=f"Expected {results.score_noun} (value + bias)",
        y_title=f"{results.score_noun.capitalize()} less expected",
        series=tuple(
            Series(name, y=rows(block, *ends), x=rows(across, *ends), marker=marker, colour=colour)
            for (name, *ends), marker, colour in zip(
                [*rest, *single], ("circle", *_MARKERS) if rest else _MARKERS, (0, *[3] * _NAMED), strict=False
            )
        ),
        alt_text=(
            f"Scatter of {table.n_rows} residuals against fitted scores. A fan or a bend would mean that the model "
            "misses something."
        ),
        row=_CHART_ROW,
        column=_beside(table),
        width_cm=width_cm,
        height_cm=_CHART_CM[1],
        legend=named > 0,
    )


def _title(results: Results, odd: int) -> str:
    """Say what is unexpected: nothing, one score, or how many."""
    if odd == 0:
        return f"No {results.score_noun} is further off than luck could put it"
    if odd > 1:
        return f"{counted(odd, results.score_noun)} are further off than luck could put them"
    worst = int(np.flatnonzero(unexpected_scores(results))[0])
    panel, off = results.panel, float(results.calibration.residuals[worst])
    label, other = panel.objects[panel.object_index[worst]], panel.assessors[panel.assessor_index[worst]]
    return f"{label} by {other} is {number(abs(off))} {'above' if off > 0 else 'below'} what was expected"


def _legend(context: Context, table: Table, row: int, printed: int) -> Note:
    """Explain the columns below the chart, where it shows at once and is printed: the table may be very long."""
    score = context.results.score_noun
    lines = (
        "Fitted: value + bias. Standardised: the residual in units of its own standard error, by a fit without this "
        f"{score} and without other suspicious ones.",
        f"Adjusted p: chance that any {score} at all would look so odd if none were; bold up to 0.05.",
        f"Leverage: 0 = one {score} among many, 1 = the only link between two parts of the panel.",
        f"Influence: the largest change of any value if this {score} were left out.",
        *([f"On paper: the first {printed} of {table.n_rows:,} rows."] if table.n_rows > printed else []),
    )
    text = "\n".join(lines)
    down = wrapped_lines(text, _LEGEND_CHARACTERS)
    return Note(row, text, "small", _beside(table), across=_LEGEND_COLUMNS, down=down)


def _worst_first(results: Results) -> np.ndarray:
    size = np.nan_to_num(np.abs(standardised_residuals(results)), nan=-1.0)
    # Of two marks that tie exactly neither comes first by how a sum was rounded.
    return np.argsort(-np.round(size, _TIE), kind="stable")[:MOST_ROWS]


@dataclass(frozen=True, slots=True, eq=False)
class _Listed:
    """The assessments on the sheet: `order` are their places in the panel."""

    context: Context
    order: np.ndarray

    @property
    def results(self) -> Results:
        return self.context.results

    def objects(self) -> list[str]:
        """Name the objects."""
        panel = self.results.panel
        return [panel.objects[k] for k in panel.object_index[self.order].tolist()]

    def assessors(self) -> list[str]:
        """Name the assessors."""
        panel = self.results.panel
        return [panel.assessors[k] for k in panel.assessor_index[self.order].tolist()]

    def cells(self) -> list[str]:
        """Cells of the scores."""
        cells = self.results.reading.score_cells
        return [cells[k] for k in self.order.tolist()]

    def links(self) -> list[str]:
        """Lead to the cells, where they are in the same workbook."""
        return [f"#{self.results.reading.sheet}!{cell}" for cell in self.cells()] if self.context.linked else []

    def influence(self) -> list[CellValue]:
        """Name those that are the only link; an infinite shift is no figure for a sheet."""
        shifts = self.results.influence.largest_shift[self.order]
        return ["only link" if math.isinf(shift) else shift for shift in shifts.tolist()]

    def notes(self) -> list[str]:
        """Say what would be expected instead of an unexpected score."""
        odd = unexpected_scores(self.results)
        return [instead_in_words(self.results, k) if odd[k] else "" for k in self.order.tolist()]


_COLUMNS: tuple[Spec[_Listed], ...] = (
    Spec("{Object}", _Listed.objects, "text", 14),
    Spec("{Assessor}", _Listed.assessors, width=16),
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
    Spec("Note", _Listed.notes, "wrapped", 24),
)
