"""The classes on `Cal summary`: who crosses a boundary, who is borderline, and how many each class holds.

Each case links to its row on `Cal values` and shows what the Board decided there, so that the one page put before the
Board has room for its decisions, and is the record of them once they are filled in.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from panelcal.reading.nouns import plural_of
from panelcal.reporting.decisions import decisions_shown, links_to_rows
from panelcal.reporting.model import CellRange, CellValue, Chart, Column, Series, Table
from panelcal.reporting.wording import compact, number, percent, some_of
from panelcal.systems.calibration.classes import Classes
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.unexpected import unexpected_scores

_CROSSINGS_SHOWN, _BORDERLINE_SHOWN = 14, 8
_UNEXPECTED_SHOWN = 2


def crossing_table(results: Results, classes: Classes, row: int, values: Table, values_sheet: str) -> Table:
    """List who crosses a boundary, the largest changes first, as many as fit on the page.

    `values` is the table of `Cal values` and `values_sheet` the name of its sheet.
    """
    moved = np.flatnonzero(classes.before != classes.after)
    order = moved[np.argsort(-np.abs(results.change[moved]), kind="stable")]
    shown = order[:_CROSSINGS_SHOWN].tolist()
    odd = _unexpected_of_objects(results)
    words = [_crossing(results, classes, k) + _borderline_too(classes, k) + odd.get(k, "") for k in shown]
    labels: list[CellValue] = [results.panel.objects[k] for k in shown]
    changes: list[CellValue] = [float(results.change[k]) for k in shown]
    if len(order) > len(shown):
        labels.append(f"and {len(order) - len(shown)} more")
        changes.append(None)
        words.append("on Cal values, columns Class before and Class after; decide them there")
    if not len(order):
        labels, changes, words = ["nobody"], [None], ["No value crosses a class boundary."]
    return Table(
        (
            Column(
                "Crosses a class boundary",
                labels,
                "text",
                links=links_to_rows(values, values_sheet, shown, len(labels) - len(shown)),
            ),
            Column("Change", changes, "signed"),
            Column("Raw average to calibrated value +/- standard error, and how surely", words, "wrapped"),
            decisions_shown(values, values_sheet, shown, len(labels) - len(shown)),
        ),
        row=row,
        name="crossings",
    )


def _crossing(results: Results, classes: Classes, at: int) -> str:
    error, reaches = results.value_errors[at], float(classes.reaches_crossed[at])
    plus_minus = f" +/- {number(error)}" if np.isfinite(error) else ""
    side = "above" if results.reading.settings.higher_is_better else "below"
    surely = f"; {percent(reaches)} at or {side} {compact(float(classes.crossed[at]))}" if np.isfinite(reaches) else ""
    return (
        f"{classes.name(classes.before[at])} to {classes.name(classes.after[at])}: {number(results.raw[at], 2)} to "
        f"{number(results.values[at], 2)}{plus_minus}{surely}"
    )


def _unexpected_of_objects(results: Results) -> dict[int, str]:
    """Name for each object the assessors whose score is unexpected: a case should not be decided before it is seen."""
    panel = results.panel
    named: dict[int, list[str]] = {}
    for k in np.flatnonzero(unexpected_scores(results)).tolist():
        named.setdefault(int(panel.object_index[k]), []).append(panel.assessors[panel.assessor_index[k]])
    return {at: f"; unexpected: {some_of(labels, _UNEXPECTED_SHOWN)}" for at, labels in named.items()}


def _borderline_too(classes: Classes, at: int) -> str:
    return f"; borderline: {classes.borderline[at]}" if classes.borderline[at] else ""


def borderline_table(results: Results, classes: Classes, row: int, values: Table, values_sheet: str) -> Table | None:
    """Name who else is borderline, as many as fit on the page; None where nobody is.

    Those who cross a boundary stand in the table of `crossing_table` already, and are one case.

    `values` is the table of `Cal values` and `values_sheet` the name of its sheet.
    """
    crosses = classes.before != classes.after
    found = [k for k, phrase in enumerate(classes.borderline) if phrase and not crosses[k]]
    if not found:
        return None
    shown = found[:_BORDERLINE_SHOWN]
    labels: list[CellValue] = [results.panel.objects[k] for k in shown]
    held: list[CellValue] = [classes.name(classes.after[k]) for k in shown]
    odd = _unexpected_of_objects(results)
    phrases: list[CellValue] = [classes.borderline[k] + odd.get(k, "") for k in shown]
    if len(found) > len(shown):
        labels.append(f"and {len(found) - len(shown)} more")
        held.append(None)
        phrases.append("on Cal values, column Borderline; decide them there")
    return Table(
        (
            Column(
                "Borderline", labels, "text", links=links_to_rows(values, values_sheet, shown, len(labels) - len(shown))
            ),
            Column("Class after", held, "text"),
            Column("Flagged, never moved", phrases, "wrapped"),
            decisions_shown(values, values_sheet, shown, len(labels) - len(shown)),
        ),
        row=row,
        name="borderline",
    )


def class_table(classes: Classes, row: int, column: int) -> Table:
    """Count objects by class before (down) and after (across)."""
    counts = classes.table()
    columns = [Column("Class before / after", [*(band.name for band in classes.bands), "All after"], "text")]
    for j, band in enumerate(classes.bands):
        columns.append(Column(band.name, [*counts[:, j].tolist(), int(counts[:, j].sum())], "integer"))
    columns.append(Column("All before", [*counts.sum(axis=1).tolist(), int(counts.sum())], "integer"))
    return Table(tuple(columns), row=row, column=column, name="classes")


def class_chart(table: Table, results: Results) -> Chart:
    """Draw how many objects each class holds before and after, from the sums in the table of classes."""
    before = table.cell_range("All before")
    names = table.cell_range(table.columns[0].heading)
    last = table.last_row
    return Chart(
        kind="column",
        title="Classes before and after",
        x_title="Class",
        y_title=plural_of(results.reading.nouns.object),
        series=(
            Series("Before", y=replace(before, last_row=last - 1), x=replace(names, last_row=last - 1), colour=6),
            Series(
                "After",
                y=CellRange(last, names.first_column + 1, last, before.first_column - 1),
                x=replace(names, last_row=last - 1),
                colour=0,
            ),
        ),
        alt_text=f"How many {results.objects_noun} are in each class before and after calibrating, as in the table.",
        row=table.row,
        column=1,
        width_cm=8.6,
        height_cm=7.0,
    )
