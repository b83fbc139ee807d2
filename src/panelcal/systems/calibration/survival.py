"""Which changes of class hold under every method that predicts about as well: a table on `Cal methods`."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from panelcal.calibration.cross_validation import predict_about_as_well, surviving
from panelcal.reporting.model import CellValue, Column, Note, Table
from panelcal.systems.calibration.classes import class_places
from panelcal.systems.calibration.context import Context
from panelcal.systems.calibration.results import AVERAGES

_SAME = 1e-9  # of the spread of values: methods closer than this are one and the same on this panel
DECISIONS, LEAST_FOR_CLASSES = "decisions", 10.0
"""Name of the table, and characters of a column with classes where their names have to take two lines."""

SURVIVES = "Survives"
HEADING = "Changes of class under methods that predict about as well as the best"


def survival_table(context: Context, *, row: int) -> Table | None:
    """Give the class of everybody who changes class by each method that predicts about as well; None without these.

    Averages are left out, for a change of class is a change against them; the method chosen always counts. A method
    that gives the very same values is no second opinion: Fisher's is calibration where confidences are equal.
    """
    results, classes, compared = context.results, context.classes, context.compared
    if classes is None or compared.prediction is None:
        return None
    close = {*predict_about_as_well(compared.prediction.errors), results.chosen.method} - set(AVERAGES)
    own = results.chosen.values
    nearest = _SAME * float(np.ptp(own))
    counted = [
        (result.method.title, fitted)
        for result, fitted in compared.fitted()
        if result.method.name == results.chosen.method
        or (result.method.name in close and not np.allclose(fitted.values, own, rtol=0.0, atol=nearest))
    ]
    moved = np.flatnonzero(classes.before != classes.after)
    if len(counted) < 2 or not len(moved):
        return None
    settings = results.reading.settings
    boundaries = np.array([band.lowest for band in classes.bands])
    sign = 1.0 if settings.higher_is_better else -1.0
    places = np.array([class_places(fitted.values, boundaries, sign)[moved] for _, fitted in counted])
    before = [classes.name(k) for k in classes.before[moved]]
    after = [(title, [classes.name(k) for k in its]) for (title, _), its in zip(counted, places, strict=True)]
    return Table(
        (
            Column(results.reading.nouns.object, [results.panel.objects[o] for o in moved], "text"),
            Column(SURVIVES, ["yes" if holds else "no" for holds in surviving(places)], "text"),
            Column("Class before", before, "text"),
            *(Column(title, names, "text") for title, names in after),
        ),
        row=row,
        name=DECISIONS,
    )


def survivals(context: Context) -> tuple[bool, ...] | None:
    """Whether each change of class holds; None where this is not known."""
    table = survival_table(context, row=1)
    return None if table is None else tuple(cell == "yes" for cell in _survives(table))


def survival_sentence(context: Context) -> str:
    """Say for the summary how many changes of class hold; empty where this is not known."""
    holds = survivals(context)
    if holds is None:
        return ""
    return (
        f" {sum(holds)} of {len(holds)} changes of class hold under every method that predicts about as well "
        "as the best; see Cal methods."
    )


def survival_notes(table: Table, *, more_asked: bool) -> tuple[Note, ...]:
    """Head the table, and say above it how many changes of class hold and how to count more methods."""
    survives = _survives(table)
    lines = [
        f"{survives.count('yes')} of {len(survives)} changes of class hold under every method that predicts about "
        "as well as the best. Averages are not counted.",
        "" if more_asked else 'To count further methods, name them on Settings under "Methods to compare".',
    ]
    said = (Note(row=table.row - 2 + k, text=line) for k, line in enumerate(lines) if line)
    return Note(row=table.row - 3, text=HEADING, style="heading"), *said


def _survives(table: Table) -> Sequence[CellValue]:
    return table.columns[table.column_number(SURVIVES) - table.column].cells
