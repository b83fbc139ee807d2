"""The two lists on the first page of `Cal summary`: the cases to decide, and the order of merit with its intervals.

Each row links to its row on `Cal values` and repeats what stands there; a case shows what the Board decided, so that
the page put before the Board has room for its decisions and is the record of them once they are filled in.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from panelcal.arrays import Indices, Mask
from panelcal.reading.nouns import deciders
from panelcal.reporting.cell_content import ranks
from panelcal.reporting.decisions import decisions_shown, links_to_rows, rows_of, shown_from
from panelcal.reporting.front_page import MOST_RANKED, Listed, ranked_heading
from panelcal.reporting.model import CellValue, Column, Table
from panelcal.reporting.wording import compact, counted, number, percent, short_of, some_of
from panelcal.systems.calibration.classes import Classes
from panelcal.systems.calibration.results import Results
from panelcal.systems.calibration.true_values import partly_luck
from panelcal.systems.calibration.unexpected import unexpected_scores

MOST_CASES = 14
_UNEXPECTED_SHOWN = 2
_ALIKE = 9  # decimals to which changes are compared: those of equal size keep the order of the sheet on every machine


def case_list(results: Results, classes: Classes | None, values: Table, values_sheet: str) -> Listed | None:
    """List who crosses a boundary, the largest changes first, then who else is borderline; None where nobody is.

    `values` is the table of `Cal values` and `values_sheet` the name of its sheet.
    """
    if classes is None:
        return None
    moved = np.flatnonzero(classes.before != classes.after)
    order = moved[np.argsort(-np.round(np.abs(results.change[moved]), _ALIKE), kind="stable")].tolist()
    crosses = set(order)
    order += [k for k, phrase in enumerate(classes.borderline) if phrase and k not in crosses]
    if not order:
        return None
    shown = order[:MOST_CASES]
    odd = _unexpected_of_objects(results)
    words = [_case(results, classes, k) + odd.get(k, "") for k in shown]
    labels: list[CellValue] = [results.panel.objects[k] for k in shown]
    rows, blank = rows_of(values, labels), 0
    if len(order) > len(shown):
        blank = 1
        labels.append(f"and {len(order) - len(shown)} more")
        words.append("on Cal values; decide them there")

    def cell(heading: str) -> Column:
        return shown_from(values, values_sheet, rows, heading, blank=blank)

    noun = results.reading.nouns.object
    return Listed(
        heading=f"To decide: {counted(len(order), 'case')}",
        rest=f"Where value and chance disagree: {partly_luck(results)}"
        if results.is_calibration and classes.likelier_before.any()
        else "",
        name="cases",
        columns=(
            Column(noun, labels, "text", links=links_to_rows(values, values_sheet, rows, blank)),
            cell("Calibrated value"),
            Column("Why it is a case", words, "wrapped"),
            cell("Class before"),
            cell("Class after"),
            cell("Change"),
            decisions_shown(values, values_sheet, rows, blank, who=f"{deciders(results.reading.nouns)} decides"),
        ),
    )


def _case(results: Results, classes: Classes, at: int) -> str:
    """Say how surely a boundary is crossed, and how far the next one is."""
    parts = []
    if classes.before[at] != classes.after[at]:
        reaches = float(classes.reaches_crossed[at])
        side = "above" if results.reading.settings.higher_is_better else "below"
        boundary = compact(float(classes.crossed[at]))
        likely = f"{percent(reaches)} likely to be at or {side} {boundary}"
        parts.append(likely if np.isfinite(reaches) else f"crosses {boundary}")
    if classes.borderline[at]:
        parts.append(classes.borderline[at])
    elif (missed := classes.printed_boundary(float(results.values[at]), int(classes.after[at]))) is not None:
        parts.append(f"{short_of(float(results.values[at]), missed)} {compact(missed)}")
    return "; ".join(parts)


def _unexpected_of_objects(results: Results) -> dict[int, str]:
    """Name for each object the assessors whose score is unexpected: a case should not be decided before it is seen."""
    panel = results.panel
    named: dict[int, list[str]] = {}
    for k in np.flatnonzero(unexpected_scores(results)).tolist():
        named.setdefault(int(panel.object_index[k]), []).append(panel.assessors[panel.assessor_index[k]])
    return {at: f"; unexpected: {some_of(labels, _UNEXPECTED_SHOWN)}" for at, labels in named.items()}


def order_of_merit(results: Results, classes: Classes | None, values: Table, values_sheet: str) -> Listed:
    """List the best by rank, as many as a page may hold, with intervals of their values and of the ranks if known."""
    ranked = np.flatnonzero(results.ranked)
    places = ranks(results.values[ranked], results.reading.settings.higher_is_better)
    order = ranked[np.argsort(places, kind="stable")][:MOST_RANKED].tolist()
    labels = [results.panel.objects[k] for k in order]
    rows = rows_of(values, labels)
    level = results.reading.settings.level
    interval = results.value_interval(level)
    known = np.asarray(np.isfinite(interval).all(axis=1))
    words = [f"{number(interval[k, 0])} to {number(interval[k, 1])}" if known[k] else "" for k in order]

    def cell(heading: str, shown_as: str = "") -> Column:
        return shown_from(values, values_sheet, rows, heading, shown_as=shown_as)

    return Listed(
        heading=ranked_heading(higher_is_better=results.reading.settings.higher_is_better),
        name="ranked",
        columns=(
            cell("Rank"),
            Column(results.reading.nouns.object, labels, "text", links=links_to_rows(values, values_sheet, rows)),
            Column(f"True value within ({level:.0%} sure)", words, "text")
            if known[ranked].any()
            else _before(results, ranked, order),
            cell("Calibrated value"),
            cell("Raw average") if classes is None else cell("Class after", "Class"),
            cell("Change"),
            decisions_shown(values, values_sheet, rows, who=f"{deciders(results.reading.nouns)} decides")
            if classes is None
            else Column("True rank within", _rank_ranges(results, order), "text")
            if results.is_calibration
            else cell("Raw average"),
        ),
        goes_on=len(ranked) > len(order),
    )


def _before(results: Results, ranked: NDArray[np.int64], order: list[int]) -> Column:
    """Say where each one stood, where the method tells no interval of values."""
    places = ranks(results.raw[ranked], results.reading.settings.higher_is_better)
    before = dict(zip(ranked.tolist(), places, strict=True))
    return Column("Rank by raw averages", [f"{before[k]:.0f}" for k in order], "text")


def _rank_ranges(results: Results, order: list[int]) -> list[CellValue]:
    first, last = results.ranking.first[order].tolist(), results.ranking.last[order].tolist()
    return [None if np.isnan(low) else f"{low:.0f} to {high:.0f}" for low, high in zip(first, last, strict=True)]


def class_counts(classes: Classes) -> Listed:
    """Count objects by class, before and after."""
    places = range(len(classes.bands))
    return Listed(
        "",
        (
            Column("Class", [band.name for band in classes.bands], "text"),
            Column("Before", [int((classes.before[classes.counted] == k).sum()) for k in places], "integer"),
            Column("After", [int((classes.after[classes.counted] == k).sum()) for k in places], "integer"),
        ),
        "classes",
    )


def decision_cases(results: Results, classes: Classes | None) -> Mask:
    """Which objects (n_objects,) somebody has to decide on: a boundary crossed, borderline, or an unexpected score."""
    cases = np.zeros(results.panel.n_objects, dtype=bool)
    cases[results.panel.object_index[unexpected_scores(results)]] = True
    if classes is not None:
        cases |= classes.before != classes.after
        cases |= np.array([bool(phrase) for phrase in classes.borderline])
    return cases


def object_order(results: Results, classes: Classes | None) -> Indices:
    """Return (n_objects,) the object in each row: cases to decide by rank, then the others by rank, unranked last."""
    if results.reading.settings.order_of_results != "rank":
        return np.arange(results.panel.n_objects)
    sign = -1.0 if results.reading.settings.higher_is_better else 1.0
    return np.lexsort((sign * results.values, ~decision_cases(results, classes), ~results.ranked))


def assessor_order(results: Results) -> Indices:
    """Return (n_assessors,) the assessor in each row: the most generous first, those nothing is known of last."""
    if results.reading.settings.order_of_results != "rank":
        return np.arange(results.panel.n_assessors)
    sign = -1.0 if results.reading.settings.higher_is_better else 1.0
    return np.lexsort((sign * results.calibration.biases, results.single_object_assessors))
