"""The Wright map of criteria: objects, assessors and criteria on one scale, as a chart and in words.

Everybody stands at a fair average: objects at what an average assessor would give them over all criteria, assessors at
what they would give average work, criteria at what average work would get in them from an average assessor.
"""

from __future__ import annotations

import math

import numpy as np

from panelcal.arrays import Array
from panelcal.reading.nouns import plural_of
from panelcal.reporting.chart_data import rounded_ends
from panelcal.reporting.criteria_figures import CriteriaFigures
from panelcal.reporting.model import CellRange, Chart, Column, Marker, Series, Table
from panelcal.reporting.wording import InWords, number, some_of

CRITERIA = "Criteria"
_STEPS = (0.1, 0.2, 0.5, 1.0, 2.0, 5.0, 10.0, 20.0, 50.0, 100.0)
_MOST_BINS = 18
_NAMED = 6
_NEAR, _APART = 40, 0.05  # marks within a fortieth of the picture's height stand beside one another


def map_table(results: InWords, figures: CriteriaFigures, *, row: int, column: int) -> Table:
    """Lay out the points of the chart: what, who, where."""
    places = figures.places
    kinds = _kinds(results)
    names = (figures.objects, figures.assessors, figures.criteria)
    height = max(float(np.ptp(np.concatenate(places))), 1e-12)
    columns: tuple[list[str], list[str], list[float], list[float]] = ([], [], [], [])
    for middle, (kind, labels, own) in enumerate(zip(kinds, names, places, strict=True), 1):
        order = np.argsort(-own, kind="stable")
        columns[0].extend([kind] * len(own))
        columns[1].extend(labels[k] for k in order.tolist())
        columns[2].extend(own[order].tolist())
        columns[3].extend((middle + _beside(own[order], height / _NEAR)).tolist())
    return Table(
        (
            Column("On the map", columns[0], "text", 12),
            Column("Name", columns[1], "text", 20),
            Column("Fair average", columns[2], "score", 10, explanation=_FAIR),
            Column("Across", columns[3], "precise", 9, explanation="Where the mark stands from left to right."),
        ),
        row=row,
        column=column,
        name="map",
    )


_FAIR = (
    "What an average assessor would give, as a mean over the criteria; for an assessor, what average work would get; "
    "for a criterion, what average work would get in it."
)


def _beside(places: Array, near: float) -> Array:
    """Shift marks that would hide one another to the right and left, those at one height around the middle."""
    bins = np.round(places / near).astype(np.int64)
    shifts = np.zeros(len(places))
    for one in np.unique(bins):
        here = np.flatnonzero(bins == one)
        step = min(_APART, 0.8 / max(len(here), 1))
        shifts[here] = (np.arange(len(here)) - (len(here) - 1) / 2) * step
    return shifts


def map_chart(results: InWords, figures: CriteriaFigures, table: Table, *, row: int, column: int) -> Chart:
    """Draw the map; `table` holds its points."""
    counts = (len(figures.objects), len(figures.assessors), len(figures.criteria))
    low, high = rounded_ends(np.concatenate(figures.places))
    markers: tuple[Marker, ...] = ("circle", "diamond", "triangle")
    series = []
    first = table.row + 1
    height, across = table.column_number("Fair average"), table.column_number("Across")
    for colour, (kind, count, marker) in enumerate(zip(_kinds(results), counts, markers, strict=True)):
        last = first + count - 1
        y, x = CellRange(first, height, last, height), CellRange(first, across, last, across)
        series.append(Series(kind, y=y, x=x, marker=marker, colour=colour))
        first = last + 1
    said = ", ".join(f"{k} = {kind.lower()}" for k, kind in enumerate(_kinds(results), 1))
    return Chart(
        kind="scatter",
        title="Wright map: everybody on one scale",
        x_title=said,
        y_title=f"Fair average {results.score_noun}",
        series=tuple(series),
        alt_text=(
            f"{counts[0]} {results.objects_noun}, {counts[1]} {results.assessors_noun} and {counts[2]} criteria on one "
            f"scale from {number(low)} to {number(high)}. The table of the map beside it names them."
        ),
        row=row,
        column=column,
        width_cm=16.0,
        height_cm=13.0,
        x_low=0.0,
        x_high=4.0,
        y_low=low,
        y_high=high,
    )


def map_in_words(results: InWords, figures: CriteriaFigures, *, row: int, column: int, width: float) -> Table:
    """Lay the map out in words: a line for each step of the scale, with the names that stand there."""
    places = figures.places
    every = np.concatenate(places)
    reach = float(np.ptp(every))
    step = next((one for one in _STEPS if reach / one <= _MOST_BINS), max(reach / _MOST_BINS, 1.0))
    levels = range(math.floor(float(every.max()) / step), math.floor(float(every.min()) / step) - 1, -1)
    names = (figures.objects, figures.assessors, figures.criteria)
    cells = [
        [
            some_of(
                [label for label, place in zip(labels, own, strict=True) if math.floor(place / step) == level], _NAMED
            )
            for level in levels
        ]
        for labels, own in zip(names, places, strict=True)
    ]
    columns = [Column(kind, own, "wrapped", width) for kind, own in zip(_kinds(results), cells, strict=True)]
    return Table(
        (Column("From", [level * step for level in levels], "score", 12), *columns),
        row=row,
        column=column,
        name="ruler",
    )


def _kinds(results: InWords) -> tuple[str, str, str]:
    nouns = results.reading.nouns
    return plural_of(nouns.object), plural_of(nouns.assessor), CRITERIA
