"""A result as a small HTML table, for notebooks."""

from __future__ import annotations

from html import escape
from typing import Any

from panelcal.calibration.least_squares import Calibration
from panelcal.notebook.tables import Columns, assessments_table, biases_table, values_table
from panelcal.panel import Panel
from panelcal.shown import Shown, in_short

_ROWS = 10


def as_html(result: Shown) -> str:
    """Return the main figures as a table; of a panel or a calibration the first rows as well."""
    figures = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(in_short(what))}</td></tr>" for name, what in result.shown_figures()
    )
    parts = [f"<p><b>{type(result).__name__}</b></p><table>{figures}</table>"]
    if isinstance(result, Calibration):
        parts += [_first_rows(values_table(result)), _first_rows(biases_table(result))]
    if isinstance(result, Panel):
        parts.append(_first_rows(assessments_table(result)))
    return "<div>" + "".join(parts) + "</div>"


def _first_rows(table: Columns) -> str:
    count = len(next(iter(table.values())))
    heading = "".join(f"<th>{escape(name)}</th>" for name in table)
    rows = "".join(
        "<tr>" + "".join(f"<td>{escape(_cell(column[k]))}</td>" for column in table.values()) + "</tr>"
        for k in range(min(count, _ROWS))
    )
    more = f"<p>... and {count - _ROWS:,} more</p>" if count > _ROWS else ""
    return f"<table><thead><tr>{heading}</tr></thead><tbody>{rows}</tbody></table>{more}"


def _cell(value: Any) -> str:
    return f"{value:.3f}" if isinstance(value, float) else str(value)
