"""Charts of named bars, sorted from the largest to the smallest; of many bars only the two ends are drawn."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from panelcal.arrays import Array
from panelcal.reporting.model import Chart, Series, Table

MOST_BARS = 16
"""Bars that a chart has names for; of more, the two ends are drawn."""

MOST_NAMED = 45
"""Points that an axis has names for."""

_DRAWN = " drawn"
_LONGEST_NAME, _KEPT_END = 26, 9  # letters of a name on an axis, and how many of them are its last ones
_BAR_CM, _AROUND_CM, _LEGEND_CM = 0.39, 2.5, 0.7
_FEWEST_BARS = 8  # that a chart has room for: fewer of them would be squeezed between its title and its axis


def heading_of_names(noun: str) -> str:
    """Head the names behind a chart otherwise than those of the table that people read: a heading stands once."""
    return f"{noun}{_DRAWN}"


def names_on_axis(labels: Iterable[str]) -> list[str]:
    """Leave out the middle of names so long that an axis of them would leave no room for what is drawn."""
    start = _LONGEST_NAME - _KEPT_END - 1
    return [
        label if len(label) <= _LONGEST_NAME else f"{label[:start].rstrip()}\N{HORIZONTAL ELLIPSIS}{label[-_KEPT_END:]}"
        for label in labels
    ]


def both_ends(sizes: Array) -> list[int]:
    """Places from the largest to the smallest, of many only those at the two ends."""
    order: list[int] = np.argsort(-sizes, kind="stable").tolist()
    return order if len(order) <= MOST_BARS else order[: MOST_BARS // 2] + order[-(MOST_BARS // 2) :]


def ends_only(count: int, noun: str) -> str:
    """Say that only the ends of `count` are drawn; nothing where all are."""
    return f" (the {MOST_BARS // 2} {noun} at either end of {count})" if count > MOST_BARS else ""


def bars(table: Table, *, title: str, series: tuple[Series, ...], y_title: str, alt_text: str) -> Chart:
    """Draw a bar for each row of a table, named by its first column, from the top."""
    return Chart(
        kind="bar",
        title=title,
        x_title=table.columns[0].heading.removesuffix(_DRAWN),
        y_title=y_title,
        series=series,
        alt_text=alt_text,
        row=1,
        column=1,
        height_cm=_AROUND_CM + _BAR_CM * max(table.n_rows, _FEWEST_BARS) + (_LEGEND_CM if len(series) > 1 else 0.0),
        legend=len(series) > 1,
    )
