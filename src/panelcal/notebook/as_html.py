"""A result as small HTML tables, for notebooks."""

from __future__ import annotations

from html import escape
from itertools import islice
from typing import Any

from panelcal.notebook.tables import Columns, all_tables
from panelcal.shown import Shown, in_short

_ROWS = 10
_TABLES = 2  # of those with several, the main ones


def as_html(result: Shown) -> str:
    """Return the main figures as a table, and the first rows of the result's main tables where it has any."""
    figures = "".join(
        f"<tr><th>{escape(name)}</th><td>{escape(in_short(what))}</td></tr>" for name, what in result.shown_figures()
    )
    parts = [f"<p><b>{type(result).__name__}</b></p><table>{figures}</table>"]
    parts += [_first_rows(table) for table in islice(all_tables(result), _TABLES)]
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
