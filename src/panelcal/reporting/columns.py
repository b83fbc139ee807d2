"""Columns as data: what a column is called, shows and looks like is stated once, and filled from the results of a run.

A sheet takes its columns from tuples of `Spec`; tables of questions and answers, or of figures with what they mean, are
laid out from rows by `table_of_rows`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import KW_ONLY, replace
from operator import itemgetter
from typing import Any, Generic, TypeVar

import numpy as np

from panelcal.arrays import Indices
from panelcal.frozen import dataclass
from panelcal.reporting.cell_content import numbers
from panelcal.reporting.layout import wrapped_where_cut
from panelcal.reporting.model import CellValue, Column, Highlight, Style, Table

Subject = TypeVar("Subject")
_NAMES = ("{Object}", "{Assessor}")


@dataclass(frozen=True, slots=True)
class Spec(Generic[Subject]):
    """What a column is, before there are results.

    Attributes
    ----------
    heading, explanation
        With names of words in braces, such as "{Object}" or "{scores}", which the nouns of the run stand in for.
    shows
        Results -> one value for each row, or None for a column that stays blank; an array's NaN become empty cells.
    style, width
        As of `Column`; a style may be chosen from the cells.
    highlight
        Conditional format, or what makes it from the results.
    links
        Results -> a place for each row, or none.
    when
        Results -> whether the column is there; None = always.
    """

    heading: str
    shows: Callable[[Subject], Any]
    style: Style | Callable[[Any], Style] = "text"
    width: float = 12.0
    explanation: str | Callable[[Subject], str] = ""
    _: KW_ONLY
    highlight: Highlight | Callable[[Subject], Highlight] | None = None
    links: Callable[[Subject], Sequence[str | None]] | None = None
    when: Callable[[Subject], bool] | None = None


def columns_of(specs: Iterable[Spec[Subject]], subject: Subject, words: Mapping[str, str]) -> tuple[Column, ...]:
    """Fill columns from results.

    Parameters
    ----------
    specs
        Which columns, from left to right.
    subject
        What they are filled from.
    words
        What stands in for the names in braces.
    """
    columns: list[Column] = []
    for spec in specs:
        if spec.when is None or spec.when(subject):
            columns.append(_column(spec, subject, words, blank=len(columns[0].cells) if columns else 0))
    return tuple(columns)


def in_order(columns: Iterable[Column], order: Indices) -> tuple[Column, ...]:
    """Put the rows of columns into another order: `order` (n,) has the present place of each new row, from 0."""
    if len(order) < 2 or np.array_equal(order, np.arange(len(order))):
        return tuple(columns)
    chosen = itemgetter(*order.tolist())

    def moved(per_row: Sequence[Any]) -> Sequence[Any]:
        return chosen(per_row) if len(per_row) else per_row

    return tuple(
        replace(
            column,
            cells=moved(column.cells),
            formulas=moved(column.formulas),
            links=moved(column.links),
            styles=moved(column.styles),
            choices=moved(column.choices),
        )
        for column in columns
    )


def _column(spec: Spec[Subject], subject: Subject, words: Mapping[str, str], *, blank: int) -> Column:
    shown = spec.shows(subject)
    cells = [None] * blank if shown is None else numbers(shown) if isinstance(shown, np.ndarray) else _blank_nan(shown)
    explanation = spec.explanation(subject) if callable(spec.explanation) else spec.explanation
    column = Column(
        spec.heading.format_map(words),
        cells,
        spec.style(cells) if callable(spec.style) else spec.style,
        spec.width,
        links=() if spec.links is None else spec.links(subject),
        explanation=explanation.format_map(words),
        highlight=spec.highlight(subject) if callable(spec.highlight) else spec.highlight,
    )
    return wrapped_where_cut(column) if spec.heading in _NAMES else column


def _blank_nan(cells: Sequence[CellValue]) -> Sequence[CellValue]:
    return [None if value != value else value for value in cells]  # noqa: PLR0124


def each(shows: Callable[[Any], CellValue]) -> Callable[[Sequence[Any]], list[CellValue]]:
    """Return what shows something of each row, where a column is filled from the rows themselves."""
    return lambda rows: [shows(row) for row in rows]


def bold_up_to(level: float, *, calm: bool = False) -> Highlight:
    """Return what makes a probability stand out that is no higher than a level."""
    return Highlight("below", limit=np.nextafter(level, 1.0), calm=calm)


WHY, IN_FULL = "Why", "Why, in full"
"""Headings of the reason in a few words, where something happened, and of the whole explanation."""

Heading = tuple[str, Style, float] | tuple[str, Style, float, str]
"""Heading, style and width, and an explanation where there is one."""


def table_of_rows(
    headings: Sequence[Heading],
    rows: Iterable[Sequence[CellValue]],
    *,
    name: str,
    row: int = 4,
    styles: Callable[[CellValue], Style] | None = None,
    links: Sequence[str | None] = (),
) -> Table:
    """Lay out rows as a table: questions and answers, figures and what they mean, decisions and their cells.

    Parameters
    ----------
    headings
        The columns, text, figure or words each.
    rows
        A value for each heading.
    name, row
        As of `Table`.
    styles
        Style of each value in columns that are "general" or "precise" and so hold figures of several kinds.
    links
        For each row the place that its figure leads to, or None; empty = no links.
    """
    filled = list(zip(*rows, strict=True)) or [()] * len(headings)
    return Table(
        tuple(
            Column(
                heading,
                list(cells),
                style,
                width,
                styles=[styles(value) for value in cells] if styles and style in ("general", "precise") else (),
                links=links if style == "general" else (),
                explanation="".join(explanation),
            )
            for (heading, style, width, *explanation), cells in zip(headings, filled, strict=True)
        ),
        row=row,
        name=name,
    )
